"""Tests of single labels and of labels behind each other, and the weights that they have.

The mark of a test says with what it goes: u with the label of its token, b with that and the labels
before it, as many as a context has and fewer, * with all of these. It has weights for the n-grams
of labels that it was seen with in training, one for each way to give them states.

>>> seen = observe_tests([Sequence(("a", "b", "a"))], "*:%x[0,0]")
>>> labels = np.array([0, 1, 0], np.int32)
>>> tests, grams, data = learn_tests(seen, labels, Shape(n_labels=2, states=3, order=1))
>>> tests
({'*:a': 0, '*:b': 1}, {'*:b': 2, '*:a': 3})
>>> grams.sizes.tolist(), grams.codes.tolist(), grams.firsts.tolist()
([1, 1, 2, 2], [0, 1, 1, 2], [0, 3, 6, 15])
>>> data.starts.tolist(), data.tests.tolist()
([0, 1, 3, 5], [0, 1, 2, 0, 3])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from glyphone.data.records import Sequence as Sequence
from glyphone.learners.latent.arrays import Data, Grams, Shape
from glyphone.learners.sequences.observations import (
    Numbers,
    ObservedTests,
    known_numbers,
    number_tests,
    pack_rows,
)
from glyphone.learners.sequences.observations import (
    observe_tests as observe_tests,
)

Array = Any
# Tests of each number of labels, numbered one behind the other.
GramTests = tuple[Numbers, ...]


def learn_tests(
    seen: ObservedTests, labels: Array, shape: Shape, *, min_count: int = 1
) -> tuple[GramTests, Grams, Data]:
    """Tests that are true at so many positions, their weights, and where they are true."""
    tests: list[Numbers] = []
    columns, sizes, rows_of = list[Array](), list[Array](), list[Array]()
    codes, n_tests = np.zeros(len(labels), np.int64), 0
    for n in range(1, shape.order + 2):
        numbers, rows = number_tests(*seen.with_marks(marks_of(n), before=n - 1), min_count)
        codes = gram_codes(labels, n, shape.n_labels)
        there = np.nonzero(rows >= 0)
        size = shape.n_labels**n
        keys = np.unique((rows[there] + n_tests) * size + codes[there[0]])
        rows_of.append(keys // size)
        columns.append(keys % size)
        sizes.append(np.full(len(numbers), n))
        tests.append({test: number + n_tests for test, number in numbers.items()})
        n_tests += len(numbers)
    grams = grams_of(
        np.concatenate(sizes), np.concatenate(rows_of), np.concatenate(columns), shape.states
    )
    return tuple(tests), grams, data_of(seen, tuple(tests), labels)


def marks_of(n: int) -> str:
    """The marks of tests that go with n labels.

    >>> marks_of(1), marks_of(2)
    ('u*', 'b*')
    """
    return "u*" if n == 1 else "b*"


def gram_codes(labels: Array, n: int, n_labels: int) -> Array:
    """The code of the label at each position and the n - 1 before it, whatever sequence they are
    of.

    >>> gram_codes(np.array([2, 1, 0]), 2, 3).tolist()
    [2, 7, 3]
    """
    codes = labels.astype(np.int64)
    for k in range(1, n):
        codes[k:] += labels[:-k].astype(np.int64) * n_labels**k
    return codes


def grams_of(sizes: Array, tests: Array, codes: Array, states: int) -> Grams:
    """The weights of tests, in increasing order, and of codes."""
    starts = np.searchsorted(tests, np.arange(len(sizes) + 1))
    counts = np.diff(starts) * states ** sizes.astype(np.int64)
    firsts = np.cumsum(counts) - counts
    return Grams(sizes.astype(np.int32), starts, codes.astype(np.int32), firsts)


def data_of(seen: ObservedTests, tests: GramTests, labels: Array) -> Data:
    """The known tests of all positions; labels one sequence behind the other."""
    rows = [
        known_numbers(*seen.with_marks(marks_of(n), before=n - 1), known)
        for n, known in enumerate(tests, 1)
    ]
    return Data(seen.bounds, *pack_rows(np.concatenate(rows, axis=1)), labels)


def prune(
    tests: GramTests, grams: Grams, weights: Array, states: int
) -> tuple[GramTests, Grams, Array]:
    """Tests and weights without n-grams of labels all of whose weights are zero.

    >>> grams = grams_of(np.array([1, 1]), np.array([0, 0, 1]), np.array([0, 1, 1]), 1)
    >>> prune(({"u:a": 0, "u:b": 1},), grams, np.array([0.0, 2.0, 0.0]), 1)[0]
    ({'u:a': 0},)
    """
    owners = np.repeat(np.arange(len(grams.sizes)), np.diff(grams.starts))
    counts = states ** grams.sizes[owners].astype(np.int64)
    kept = np.zeros(0, np.bool_)
    if len(owners):
        kept = np.logical_or.reduceat(weights != 0, np.cumsum(counts) - counts)
    used, again = np.unique(owners[kept], return_inverse=True)
    found = grams_of(grams.sizes[used], again, grams.codes[kept], states)
    number: Callable[[int], int | None] = dict(
        zip(used.tolist(), range(len(used)), strict=True)
    ).get
    renamed = tuple(
        {test: new for test, old in some.items() if (new := number(old)) is not None}
        for some in tests
    )
    return renamed, found, weights[np.repeat(kept, counts)]
