"""Strings that begin alike are answered one after another, and answers put back."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from glyphone.fst.lattices import block_order
from glyphone.fst.lattices.block_kernels import Block
from glyphone.fst.ngrams.counts import flatten

Array = Any
rows = st.lists(st.lists(st.integers(1, 5), max_size=12), max_size=9)


@given(rows)
def test_order_is_that_of_the_first_labels(strings: list[list[int]]) -> None:
    labels, bounds = flatten(strings)
    order = block_order.order_by_prefix(labels, bounds).tolist()
    first = [tuple(string[: block_order.MOST_LABELS]) for string in strings]
    assert order == sorted(range(len(strings)), key=lambda k: first[k])


@given(rows, st.integers(0, 1000), st.booleans())
def test_answers_are_put_back(outputs: list[list[int]], seed: int, traced: bool) -> None:
    """Item k has as many answers as its first label says, all alike."""
    answers = [[row] * (row[0] if row else 0) for row in outputs]
    order = np.random.default_rng(seed).permutation(len(outputs))
    found = block_of([answers[k] for k in order], order, traced=traced)
    expected = block_of(answers, np.arange(len(outputs)), traced=traced)
    for one, other in zip(block_order.restore_order(found, order), expected, strict=True):
        assert one.tolist() == other.tolist()


def block_of(answers: list[list[list[int]]], numbers: Array, *, traced: bool) -> Block:
    counts = [len(item) for item in answers]
    labels, offsets = flatten([row for item in answers for row in item])
    costs = np.repeat(numbers, counts).astype(np.float64)
    spans = labels if traced else labels[:0]
    firsts = np.cumsum([0, *counts])
    return Block(numbers, firsts, costs, -costs, offsets, labels, spans + 1, spans + 2)
