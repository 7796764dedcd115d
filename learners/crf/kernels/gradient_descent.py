"""Kernels of stochastic gradient descent.

>>> import numpy as np
>>> from glyphone.learners.crf.kernels.arrays import Family
>>> one = np.array([0])
>>> family = Family(one, one + 3, one, np.arange(3), np.array([0.5]))
>>> int(count_active(np.array([1.0, -0.75, 0.25]), family))
2
"""

from __future__ import annotations

from typing import Any

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.learners.crf.kernels.arrays import Data, Family, Room, Space

kernels = sibling(__name__, "glyphone.learners.crf.kernels.sums")
expect_from_scores, write_scores = kernels.expect_from_scores, kernels.write_scores
gradient_kernels = sibling(__name__, "glyphone.learners.crf.kernels.gradient")
weight_place, scatter_values, right_score = (
    gradient_kernels.weight_place,
    gradient_kernels.scatter_values,
    gradient_kernels.right_score,
)

Array = Any


@leaf
def take_step(
    sums: Array, space: Space, data: Data, s: int, places: Array, eta: float, due: float, room: Room
) -> None:  # fmt: skip
    """Change sums by a step down the gradient, whose expectations are in the room."""
    first, last = data.bounds[s], data.bounds[s + 1]
    for t in range(first, last):
        label, edge = data.labels[t], data.edges[t]
        for k in range(data.unigram_starts[t], data.unigram_starts[t + 1]):
            test = data.unigram_tests[k]
            scatter_values(sums, 0, space.unigrams, test, room.nodes[t - first], -eta)
            at = weight_place(space.unigrams, test, label, space.n_labels)
            if at >= 0:
                sums[at] += eta
            space.unigrams.dues[test] = due
        if t == first:
            continue
        pair = places[data.labels[t - 1], label]
        for k in range(data.bigram_starts[t], data.bigram_starts[t + 1]):
            test = data.bigram_tests[k]
            if edge != data.edges[t - 1]:
                scatter_values(sums, 0, space.bigrams, test, room.edges[edge], -eta)
            at = weight_place(space.bigrams, test, pair, len(space.befores))
            if at >= 0:
                sums[at] += eta
            space.bigrams.dues[test] = due


@kernel
def descend(
    sums: Array, space: Space, data: Data, places: Array, room: Room, order: Array, etas: Array,
    due: float, rho: float,
) -> float:  # fmt: skip
    """Take a step for each sequence in order; return -log P of the right labels, each before its
    step.
    """
    found = 0.0
    for i in range(len(order)):
        s = order[i]
        due += etas[i] * rho
        if data.bounds[s] < data.bounds[s + 1]:
            write_scores(sums, space, data, s, True, room)
            found -= right_score(data, s, places, room)
            found += expect_from_scores(space, data, s, room)
            take_step(sums, space, data, s, places, etas[i], due, room)
    return found


@leaf
def count_active(sums: Array, family: Family) -> int:
    """The number of weights that are not zero."""
    found = 0
    for test in range(len(family.dues)):
        for k in range(family.firsts[test], family.lasts[test]):
            found += abs(sums[k]) > family.dues[test]
    return found


@leaf
def collect_weights(sums: Array, family: Family, places: Array, values: Array, n: int) -> int:
    """Write the places and values of the weights that are not zero behind the first n; return
    their number with these.
    """
    for test in range(len(family.dues)):
        due = family.dues[test]
        for k in range(family.firsts[test], family.lasts[test]):
            if abs(sums[k]) > due:
                places[n], values[n] = k, sums[k] - min(max(sums[k], -due), due)
                n += 1
    return n
