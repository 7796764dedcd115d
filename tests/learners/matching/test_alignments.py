"""Alignments of rows of units, against all alignments that there are."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.kernels import jit
from glyphone.learners.matching import alignment_kernels as plain
from glyphone.learners.matching.alignment_kernels import UnitRows, Way

Array = Any
compiled = jit.compiled(plain)
sides = st.integers(1, 5)


@st.composite
def tables(draw: st.DrawFn) -> Array:
    n, m = draw(sides), draw(sides)
    cells = st.lists(st.floats(0, 1), min_size=n * m, max_size=n * m)
    return np.array(draw(cells)).reshape(n, m)


def row_of(weights: Array) -> UnitRows:
    norm = np.sqrt((weights**2).sum())
    return UnitRows(np.array([0, len(weights)]), np.arange(len(weights)), weights, np.array([norm]))


def ones(n: int) -> UnitRows:
    return row_of(np.ones(n))


def in_order(worth: Array) -> float:
    """The best total over all graphs that keep the order and join no unit twice."""
    n, m = worth.shape
    return max(
        sum(worth[i, j] for i, j in zip(left, right, strict=True))
        for k in range(min(n, m) + 1)
        for left in combinations(range(n), k)
        for right in combinations(range(m), k)
    )


def one_to_one(worth: Array) -> float:
    n, m = worth.shape
    if n > m:
        return one_to_one(worth.T)
    return max(sum(worth[i, j] for i, j in enumerate(way)) for way in permutations(range(m), n))


def swapping(worth: Array, extended: bool) -> float:
    """The best total by trying all ways on from the ends of both rows."""

    @cache
    def best(i: int, j: int) -> float:
        if i == 0 or j == 0:
            return 0.0
        ways = [best(i - 1, j), best(i, j - 1), best(i - 1, j - 1) + worth[i - 1, j - 1]]
        over = [(2, 2), (3, 2), (2, 3)] if extended else [(2, 2)]
        ways += [
            best(i - left, j - right) + worth[i - 1, j - right] + worth[i - left, j - 1]
            for left, right in over
            if i >= left and j >= right
        ]
        return max(ways)

    return best(*worth.shape)


@given(tables())
def test_totals_are_the_best_of_all(worth: Array) -> None:
    n, m = worth.shape
    for kernels in (plain, compiled):
        total = kernels.ordered_total(worth, ones(n), 0, ones(m), 0, np.empty(m + 1))
        assert total == pytest.approx(in_order(worth))
        assert kernels.assigned_total(worth, n, m) == pytest.approx(one_to_one(worth))
        for extended in (False, True):
            room = np.zeros((n + 1, m + 1))
            found = kernels.swapping_total(worth, n, m, extended, room)
            assert found == pytest.approx(swapping(worth, extended))


@given(tables(), st.data())
def test_scores_are_symmetric_and_at_most_one(similar: Array, data: st.DataObject) -> None:
    n, m = similar.shape
    weight = st.floats(0, 9)
    first, second = (
        row_of(np.array(data.draw(st.lists(weight, min_size=k, max_size=k)))) for k in (n, m)
    )
    for alignment in (plain.ASSIGNED, plain.ORDERED, plain.SWAPPED, plain.EXTENDED):
        way = Way(alignment, plain.COSINE, 0.0)
        found = [
            kernels.score_rows(table, one, 0, other, 0, way, kernels.room_for(one, other))
            for kernels in (plain, compiled)
            for table, one, other in ((similar, first, second), (similar.T.copy(), second, first))
        ]
        assert 0 <= found[0] <= 1
        assert found == pytest.approx([found[0]] * 4)


@given(tables(), st.floats(0, 1))
def test_closest_units(similar: Array, threshold: float) -> None:
    n, m = similar.shape
    total = sum(max(row) for row in similar if max(row) > threshold)
    for kernels in (plain, compiled):
        found = kernels.closest_total(similar, ones(n), 0, ones(m), 0, threshold)
        assert found == pytest.approx(total)


def test_one_word_has_two_partners_only_where_it_may() -> None:
    """Figure 2 of the paper: A-D, and C-E rather than B-E."""
    similar, three = np.array([[0.9, 0, 0], [0, 0.5, 0], [0, 0.7, 0]]), ones(3)
    room = plain.room_for(three, three)
    closest, ordered = (
        plain.score_rows(similar, three, 0, three, 0, Way(way, plain.MEAN, 0.0), room)
        for way in (plain.CLOSEST, plain.ORDERED)
    )
    assert [closest, ordered] == pytest.approx([2.1 / 3, 1.6 / 3])
