"""Kernels of training: the surprise at labels, and parts of its gradient.

The gradient of a weight is the number of times that its test and label, or pair, are expected to go
together less the number of times that they do.

>>> import numpy as np
>>> from glyphone.learners.crf.kernels.arrays import Family
>>> one = np.array([0])
>>> family = Family(one, one + 2, one, np.array([1, 3]), np.zeros(1))
>>> target = np.zeros(2)
>>> scatter_values(target, 0, family, 0, np.arange(4.0), 2.0)
>>> target.tolist(), weight_place(family, 0, 3, 4), weight_place(family, 0, 2, 4)
([2.0, 6.0], 1, -1)
"""

from __future__ import annotations

from typing import Any

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.learners.crf.kernels.arrays import Data, Family, Room, Space

kernels = sibling(__name__, "glyphone.learners.crf.kernels.sums")
expect_from_weights, write_scores, write_exponentials, write_forward_sums = (
    kernels.expect_from_weights,
    kernels.write_scores,
    kernels.write_exponentials,
    kernels.write_forward_sums,
)

Array = Any


@leaf
def weight_place(family: Family, test: int, cell: int, n_cells: int) -> int:
    """The place of the weight of a test and a cell, -1 if it has none."""
    first, at = family.firsts[test], family.cells_at[test]
    n = family.lasts[test] - first
    if cell < 0 or n == n_cells:
        return int(first + cell if cell >= 0 else -1)
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if family.cells[at + middle] < cell:
            low = middle + 1
        else:
            high = middle
    return int(first + low if low < n and family.cells[at + low] == cell else -1)


@leaf
def find_weights(family: Family, tests: Array, cells: Array, n_cells: int, found: Array) -> None:
    """Write the places of the weights of tests and cells, -1 where there is none."""
    for k in range(len(tests)):
        found[k] = weight_place(family, tests[k], cells[k], n_cells) if tests[k] >= 0 else -1


@leaf
def scatter_values(
    target: Array, shift: int, family: Family, test: int, values: Array, factor: float
) -> None:  # fmt: skip
    """Add values of all cells, times a factor, to the weights of a test; target[0] is `shift`."""
    first, n = family.firsts[test] - shift, family.lasts[test] - family.firsts[test]
    if n == len(values):
        for j in range(n):
            target[first + j] += factor * values[j]
    else:
        at = family.cells_at[test]
        for j in range(n):
            target[first + j] += factor * values[family.cells[at + j]]


@leaf
def scatter_chosen(
    target: Array, family: Family, test: int, slots: Array, values: Array
) -> None:  # fmt: skip
    """Add values of the cells that are kept, each with its slot, to the weights of a test."""
    first, at = family.firsts[test], family.cells_at[test]
    for j in range(family.lasts[test] - first):
        target[first + j] += values[slots[family.cells[at + j]]]


@leaf
def spread_edges(target: Array, space: Space, data: Data, s: int, room: Room) -> None:
    """Add room.edges to the weights of the tests that are true there."""
    first, last = data.bounds[s], data.bounds[s + 1]
    for t in range(first + 1, last):
        edge = data.edges[t]
        if edge == data.edges[t - 1]:
            continue
        pairs = room.edges[edge, : len(space.befores)]
        kept, chosen = room.kept[edge], room.chosen[edge]
        for k in range(kept):
            room.slots[chosen[k]] = k
        for k in range(data.bigram_starts[t], data.bigram_starts[t + 1]):
            if kept < 0:
                scatter_values(target, 0, space.bigrams, data.bigram_tests[k], pairs, 1.0)
            else:
                scatter_chosen(target, space.bigrams, data.bigram_tests[k], room.slots, pairs)
        for k in range(kept):
            room.slots[chosen[k]] = -1


@leaf
def subtract_counts(
    space: Space, data: Data, places: Array, target: Array, shift: int, tests: Array, others: Array
) -> None:
    """Subtract from `target` how often some tests go with each label, and others with each pair.

    `places` has the number among pairs of label y behind x at x, y; -1 for pairs without weights.
    """
    for s in range(len(data.bounds) - 1):
        for t in range(data.bounds[s], data.bounds[s + 1]):
            label = data.labels[t]
            for k in range(data.unigram_starts[t], data.unigram_starts[t + 1]):
                test = data.unigram_tests[k]
                if tests[0] <= test < tests[1]:
                    at = weight_place(space.unigrams, test, label, space.n_labels)
                    if at >= 0:
                        target[at - shift] -= 1.0
            pair = -1 if t == data.bounds[s] else places[data.labels[t - 1], label]
            for k in range(data.bigram_starts[t], data.bigram_starts[t + 1]):
                test = data.bigram_tests[k]
                if others[0] <= test < others[1]:
                    at = weight_place(space.bigrams, test, pair, len(space.befores))
                    if at >= 0:
                        target[at - shift] -= 1.0


@leaf
def right_score(data: Data, s: int, places: Array, room: Room) -> float:
    """The score of the right labels, where the scores of all pairs are in room.edges."""
    first, last, found = data.bounds[s], data.bounds[s + 1], 0.0
    for t in range(first, last):
        found += room.nodes[t - first, data.labels[t]]
        if t > first:
            pair = places[data.labels[t - 1], data.labels[t]]
            if pair >= 0:
                found += room.edges[data.edges[t], pair]
    return found


@kernel
def write_surprises(
    weights: Array, space: Space, data: Data, begin: int, end: int, places: Array, room: Room,
    found: Array,
) -> None:  # fmt: skip
    """Write -log P of the right labels of each sequence."""
    for s in range(begin, end):
        if data.bounds[s] < data.bounds[s + 1]:
            write_scores(weights, space, data, s, True, room)
            found[s] = -right_score(data, s, places, room)
            n = data.bounds[s + 1] - data.bounds[s]
            found[s] += write_exponentials(space, data, s, room) + write_forward_sums(
                space, data, s, n, room
            )


@leaf
def has_tests(data: Data, s: int, tests: Array, others: Array) -> bool:
    """Whether a sequence has one of some tests of labels, or one of some others of pairs."""
    first, last = data.bounds[s], data.bounds[s + 1]
    for k in range(data.unigram_starts[first], data.unigram_starts[last]):
        if tests[0] <= data.unigram_tests[k] < tests[1]:
            return True
    for k in range(data.bigram_starts[first], data.bigram_starts[last]):
        if others[0] <= data.bigram_tests[k] < others[1]:
            return True
    return False


@leaf
def add_expectations_within(
    target: Array, shift: int, space: Space, data: Data, s: int, tests: Array, others: Array,
    room: Room,
) -> None:  # fmt: skip
    """Add room.nodes and room.edges to the weights of some tests."""
    first, last = data.bounds[s], data.bounds[s + 1]
    for t in range(first, last):
        nodes, edge = room.nodes[t - first], data.edges[t]
        for k in range(data.unigram_starts[t], data.unigram_starts[t + 1]):
            test = data.unigram_tests[k]
            if tests[0] <= test < tests[1]:
                scatter_values(target, shift, space.unigrams, test, nodes, 1.0)
        if t > first and edge != data.edges[t - 1]:
            pairs = room.edges[edge, : len(space.befores)]
            for k in range(data.bigram_starts[t], data.bigram_starts[t + 1]):
                test = data.bigram_tests[k]
                if others[0] <= test < others[1]:
                    scatter_values(target, shift, space.bigrams, test, pairs, 1.0)


@kernel
def add_partial_gradient(
    weights: Array, smaller: Space, space: Space, data: Data, room: Room, target: Array,
    shift: int, tests: Array, others: Array,
) -> None:  # fmt: skip
    """Add to `target` the expected numbers of all weights, in `space`, of some tests.

    `weights` are those that are not zero, in the `smaller` space; target[0] is weight `shift`.
    """
    for s in range(len(data.bounds) - 1):
        if has_tests(data, s, tests, others):
            expect_from_weights(weights, smaller, data, s, True, room)
            add_expectations_within(target, shift, space, data, s, tests, others, room)
