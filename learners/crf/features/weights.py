"""Spaces of weights: for each test the labels or pairs of labels that have a weight.

- `all`: every label, every pair of labels. K = (Y + Y^2) B weights for B tests that go with both.
- `attested`: every label, and every pair of labels that follow each other somewhere in training.
- `seen`: the labels and pairs that are seen with the test itself.

Weights are numbered, those of labels first, test by test; only some of them are ever in memory.

>>> data = Data(*map(np.array, ([0, 3], [0, 1, 2, 3], [0, 0, 1], [0, 0, 1, 2], [0, 0], [-1, 0, 0],
...     [0, 1, 1])))
>>> [size_of(weights_of(data, 2, (2, 1), kind)) for kind in KINDS]
[8, 6, 5]
>>> some = restrict_space(weights_of(data, 2, (2, 1), "all"), np.array([1, 4, 7]))
>>> some.unigrams.firsts.tolist(), some.unigrams.cells.tolist()
([0, 1], [1])
>>> some.bigrams.firsts.tolist(), some.bigrams.lasts.tolist(), some.bigrams.cells.tolist()
([1], [3], [0, 3])
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from glyphone.data.errors import UnknownName
from glyphone.data.kernels import jit
from glyphone.learners.crf.kernels import gradient
from glyphone.learners.crf.kernels.arrays import Data, Family, Space

Array = Any
KINDS = ("all", "attested", "seen")


def weights_of(data: Data, n_labels: int, n_tests: tuple[int, int], kind: str) -> Space:
    """Weights for so many tests of labels and of pairs, those of pairs behind those of labels."""
    if kind not in KINDS:
        raise UnknownName("kind of weights", kind, KINDS)
    before, after = label_bigrams(data)
    codes = before * n_labels + after
    pairs = np.arange(n_labels * n_labels) if kind == "all" else np.unique(codes)
    if kind == "seen":
        unigrams = _seen_family(
            data.unigram_starts, data.unigram_tests, data.labels, n_tests[0], n_labels
        )
        places = np.full(len(data.labels), -1)
        places[data.edges >= 0] = np.searchsorted(pairs, codes)
        bigrams = _seen_family(
            data.bigram_starts, data.bigram_tests, places, n_tests[1], len(pairs)
        )
    else:
        unigrams, bigrams = full_family(n_tests[0], n_labels), full_family(n_tests[1], len(pairs))
    return space_of(n_labels, pairs, unigrams, bigrams)


def space_of(n_labels: int, codes: Array, unigrams: Family, bigrams: Family) -> Space:
    """Weights of labels, those of pairs behind them; a pair's code is before * n_labels + after."""
    befores, afters = (codes // n_labels).astype(np.int32), (codes % n_labels).astype(np.int32)
    return Space(n_labels, befores, afters, unigrams, _shift_family(bigrams, _end(unigrams)))


def size_of(space: Space) -> int:
    """The number of weights."""
    return max(_end(space.unigrams), _end(space.bigrams))


def full_family(n_tests: int, n_cells: int) -> Family:
    """A weight of every cell for each test."""
    bounds = np.arange(n_tests + 1, dtype=np.int64) * n_cells
    cells_at = np.zeros(n_tests, np.int64)
    cells = np.arange(n_cells, dtype=np.int32)
    return Family(bounds[:-1], bounds[1:], cells_at, cells, np.zeros(n_tests))


def family_of(tests: Array, cells: Array, n_tests: int) -> Family:
    """Weights of tests, in increasing order, and cells."""
    bounds = np.searchsorted(tests, np.arange(n_tests + 1))
    return Family(
        bounds[:-1], bounds[1:], bounds[:-1], cells.astype(np.int32), np.zeros(n_tests)
    )  # fmt: skip


def restrict_space(space: Space, chosen: Array) -> Space:
    """A space with some of the weights only, given by their numbers in increasing order.

    Tests and pairs keep their numbers.
    """
    (tests, cells), (others, pairs) = cells_of_weights(space, chosen)
    n_tests, n_others = len(space.unigrams.firsts), len(space.bigrams.firsts)
    return with_families(space, (tests, cells, n_tests), (others, pairs, n_others))


def with_families(
    space: Space, unigrams: tuple[Array, Array, int], bigrams: tuple[Array, Array, int]
) -> Space:
    """A space with weights of other tests: for each family tests, cells, and number of tests."""
    moved = _shift_family(family_of(*bigrams), len(unigrams[0]))
    return space._replace(unigrams=family_of(*unigrams), bigrams=moved)


def drop_unused_pairs(space: Space) -> Space:
    """A space with its weights, without pairs that have none.

    >>> whole = space_of(2, np.arange(4), full_family(1, 2), full_family(1, 4))
    >>> space = restrict_space(whole, np.array([3, 5]))
    >>> drop_unused_pairs(space).befores.tolist(), drop_unused_pairs(space).bigrams.cells.tolist()
    ([0, 1], [0, 1])
    """
    used, cells = np.unique(space.bigrams.cells, return_inverse=True)
    bigrams = space.bigrams._replace(cells=cells.astype(np.int32))
    return space._replace(befores=space.befores[used], afters=space.afters[used], bigrams=bigrams)


def cells_of_weights(
    space: Space, chosen: Array
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """The tests and cells of some weights, those of labels and those of pairs."""
    cut = np.searchsorted(chosen, _end(space.unigrams))
    return _family_cells_of_weights(space.unigrams, chosen[:cut]), _family_cells_of_weights(
        space.bigrams, chosen[cut:]
    )


def _family_cells_of_weights(family: Family, chosen: Array) -> tuple[Array, Array]:
    tests = np.searchsorted(family.lasts, chosen, side="right")
    return tests, family.cells[family.cells_at[tests] + chosen - family.firsts[tests]]


def numbers_of(family: Family, tests: Array, cells: Array, n_cells: int) -> Array:
    """The numbers of weights of tests and cells, -1 where there is none, or one of them is -1.

    >>> numbers_of(full_family(2, 3), np.array([1, 0]), np.array([2, -1]), 3).tolist()
    [5, -1]
    >>> some = family_of(np.array([0, 1, 1]), np.array([1, 0, 2]), 2)
    >>> numbers_of(some, np.array([0, 0, 1]), np.array([0, 1, 2]), 3).tolist()
    [-1, 0, 2]
    """
    found = np.empty(len(tests), np.int64)
    jit.tier(gradient, len(tests)).find_weights(family, tests, cells, n_cells, found)
    return found


def label_bigrams(data: Data) -> tuple[Array, Array]:
    """Labels that follow each other."""
    there = np.flatnonzero(data.edges >= 0)
    return data.labels[there - 1].astype(np.int64), data.labels[there].astype(np.int64)


def places_of(space: Space) -> Array:
    """The number of each pair, -1 where there is none."""
    found = np.full((space.n_labels, space.n_labels), -1)
    found[space.befores, space.afters] = np.arange(len(space.befores))
    return found


def _shift_family(family: Family, by: int) -> Family:
    return family._replace(firsts=family.firsts + by, lasts=family.lasts + by)


def _end(family: Family) -> int:
    return int(family.lasts[-1]) if len(family.lasts) else 0


def _seen_family(starts: Array, tests: Array, cells: Array, n_tests: int, n_cells: int) -> Family:
    """Weights for the cells that are seen with each test."""
    of = np.repeat(cells, np.diff(starts)).astype(np.int64)
    keys = np.unique(tests.astype(np.int64) * n_cells + of)
    return family_of(keys // n_cells, keys % n_cells, n_tests)


def problem_of(space: Space, n_labels: int, n_tests: tuple[int, int], weights: Array) -> str | None:
    """The reason why kernels could fail on a space and weights, or None.

    >>> space = space_of(2, np.arange(4), full_family(1, 2), full_family(1, 4))
    >>> problem_of(space, 2, (1, 1), np.zeros(6)), problem_of(space, 2, (1, 1), np.zeros(5))
    (None, 'a test has weights beyond the end')
    """
    if space.n_labels != n_labels or weights.ndim != 1 or weights.dtype != np.float64:
        return "the number of labels differs, or weights are no numbers"
    if not np.isfinite(weights).all():
        return "a weight is not finite"
    columns = [space.befores, space.afters, *space.unigrams, *space.bigrams]
    numbers = [column for column in columns if column.dtype.kind == "i"]
    if any(column.ndim != 1 for column in columns) or len(numbers) != len(columns) - 2:
        return "an array of tests has another shape or type"
    n_pairs = len(space.befores)
    if len(space.afters) != n_pairs or not _all_within((space.befores, space.afters), n_labels):
        return "a pair has a label that does not exist"
    families = ((space.unigrams, n_labels), (space.bigrams, n_pairs))
    for (family, n_cells), n in zip(families, n_tests, strict=True):
        if [len(column) for column in family if column is not family.cells] != [n] * 4:
            return "the number of tests differs from that of their names"
        # In 64 bits: 32 could overflow.
        ends = family.cells_at.astype(np.int64) + family.lasts - family.firsts
        behind = (family.firsts <= family.lasts).all()
        if not behind or not _all_within((family.firsts, family.lasts), len(weights) + 1):
            return "a test has weights beyond the end"
        if not _all_within((family.cells_at, ends), len(family.cells) + 1):
            return "a test has cells beyond the end"
        if not _all_within((family.cells,), n_cells):
            return "a weight has a label or pair that does not exist"
    return None


def _all_within(columns: Iterable[Array], size: int) -> bool:
    """Whether all numbers are from 0 on, and below the size."""
    return all(c.min(initial=0) >= 0 and c.max(initial=-1) < size for c in columns)
