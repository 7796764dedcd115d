"""Kernels of training where tokens have a choice of labels: see `add_gradient`.

>>> slot_of_label(np.array([2, 5, 7]), 5), slot_of_label(np.array([2, 5, 7]), 3)
(1, -1)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.learners.crf.kernels.arrays import Data, Family, Room, Space

kernels = sibling(__name__, "glyphone.learners.crf.kernels.choice_sums")
choice_bounds, mark_choice = kernels.choice_bounds, kernels.mark_choice
expect_from_weights, expect_from_scores, write_forward_sums = (
    kernels.expect_from_weights,
    kernels.expect_from_scores,
    kernels.write_forward_sums,
)
write_exponentials, write_scores = kernels.write_exponentials, kernels.write_scores
gradient_kernels = sibling(__name__, "glyphone.learners.crf.kernels.gradient")
has_tests, subtract_counts, weight_place = (
    gradient_kernels.has_tests, gradient_kernels.subtract_counts, gradient_kernels.weight_place
)  # fmt: skip

Array = Any


@leaf
def slot_of_label(labels: Array, label: int) -> int:
    """The place of a label in a choice, -1 if it is not in it."""
    for j in range(len(labels)):
        if labels[j] == label:
            return j
    return -1


@leaf
def scatter_nodes(
    target: Array, shift: int, family: Family, test: int, labels: Array, n_labels: int,
    values: Array, factor: float,
) -> None:  # fmt: skip
    """Add values of a choice of labels, times a factor, to the weights of a test."""
    first, n = family.firsts[test] - shift, family.lasts[test] - family.firsts[test]
    for j in range(len(labels)):
        target[first + labels[j] if n == n_labels else first + j] += factor * values[j]


@leaf
def scatter_edges(
    target: Array, shift: int, space: Space, test: int, befores: Array, afters: Array,
    values: Array, factor: float,
) -> None:  # fmt: skip
    """Add values of the cells of two choices, times a factor, to the weights of a test."""
    family, k = space.bigrams, 0
    first, n = family.firsts[test] - shift, family.lasts[test] - family.firsts[test]
    if n == len(befores) * len(afters):
        for k in range(n):
            target[first + k] += factor * values[k]
    else:
        for i in range(len(befores)):
            row = first + befores[i] * space.n_labels
            for j in range(len(afters)):
                target[row + afters[j]] += factor * values[k]
                k += 1


@leaf
def add_expectations_within(
    target: Array, shift: int, space: Space, data: Data, s: int, tests: Array, others: Array,
    factor: float, room: Room,
) -> None:  # fmt: skip
    """Add room.nodes and room.edges, times a factor, to the weights of some tests."""
    first, before, behind = data.bounds[s], 0, 0
    for t in range(first, data.bounds[s + 1]):
        begin, end = choice_bounds(data, t)
        afters, befores = data.choices[begin:end], data.choices[before:behind]
        for k in range(data.unigram_starts[t], data.unigram_starts[t + 1]):
            test = data.unigram_tests[k]
            if tests[0] <= test < tests[1]:
                scatter_nodes(
                    target, shift, space.unigrams, test, afters, space.n_labels,
                    room.nodes[t - first], factor,
                )  # fmt: skip
        if t > first:
            for k in range(data.bigram_starts[t], data.bigram_starts[t + 1]):
                test = data.bigram_tests[k]
                if others[0] <= test < others[1]:
                    scatter_edges(
                        target, shift, space, test, befores, afters, room.edges[t - first], factor
                    )
        before, behind = begin, end


@leaf
def add_expectations(target: Array, space: Space, data: Data, s: int, room: Room) -> None:
    """Add room.nodes and room.edges to the weights that there are."""
    first, before, behind = data.bounds[s], 0, 0
    before_slots, after_slots = room.slots, room.chosen[0]
    unigrams, bigrams = space.unigrams, space.bigrams
    for t in range(first, data.bounds[s + 1]):
        begin, end = choice_bounds(data, t)
        afters, befores = data.choices[begin:end], data.choices[before:behind]
        mark_choice(after_slots, afters, True)
        mark_choice(before_slots, befores, True)
        for k in range(data.unigram_starts[t], data.unigram_starts[t + 1]):
            test = data.unigram_tests[k]
            at = unigrams.cells_at[test] - unigrams.firsts[test]
            for w in range(unigrams.firsts[test], unigrams.lasts[test]):
                slot = after_slots[unigrams.cells[at + w]]
                if slot >= 0:
                    target[w] += room.nodes[t - first, slot]
        if t > first:
            for k in range(data.bigram_starts[t], data.bigram_starts[t + 1]):
                test = data.bigram_tests[k]
                at = bigrams.cells_at[test] - bigrams.firsts[test]
                for w in range(bigrams.firsts[test], bigrams.lasts[test]):
                    pair = bigrams.cells[at + w]
                    i, j = before_slots[space.befores[pair]], after_slots[space.afters[pair]]
                    if i >= 0 and j >= 0:
                        target[w] += room.edges[t - first, i * len(afters) + j]
        mark_choice(after_slots, afters, False)
        mark_choice(before_slots, befores, False)
        before, behind = begin, end


@kernel
def add_gradient(
    weights: Array, space: Space, data: Data, begin: int, end: int, room: Room, target: Array
) -> float:
    """Add the expected numbers of some sequences to `target`; return the sum of their log Z."""
    found = 0.0
    for s in range(begin, end):
        if data.bounds[s] < data.bounds[s + 1]:
            found += expect_from_weights(weights, space, data, s, True, room)
            add_expectations(target, space, data, s, room)
    return found


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
            add_expectations_within(target, shift, space, data, s, tests, others, 1.0, room)


@leaf
def right_score(data: Data, s: int, room: Room) -> float:
    """The score of the right labels, -inf where one is no choice."""
    first, found, before = data.bounds[s], 0.0, 0
    for t in range(first, data.bounds[s + 1]):
        begin, end = choice_bounds(data, t)
        slot = slot_of_label(data.choices[begin:end], data.labels[t])
        if slot < 0:
            return -np.inf
        found += room.nodes[t - first, slot]
        if t > first:
            found += room.edges[t - first, before * (end - begin) + slot]
        before = slot
    return found


@kernel
def write_surprises(
    weights: Array, space: Space, data: Data, begin: int, end: int, places: Array, room: Room,
    found: Array,
) -> None:  # fmt: skip
    """Write -log P of the right labels of each sequence."""
    for s in range(begin, end):
        n = data.bounds[s + 1] - data.bounds[s]
        if n > 0:
            write_scores(weights, space, data, s, True, room)
            found[s] = -right_score(data, s, room)
            found[s] += write_exponentials(space, data, s, room) + write_forward_sums(
                space, data, s, n, room
            )


@kernel
def descend(
    sums: Array, space: Space, data: Data, places: Array, room: Room, order: Array, etas: Array,
    due: float, rho: float,
) -> float:  # fmt: skip
    """Take a step for each sequence in order; return -log P of the right labels, each before its
    step.

    See `descend` of `gradient_descent`.
    """
    found, n_labels = 0.0, space.n_labels
    unigrams, bigrams = space.unigrams, space.bigrams
    every = np.array([0, len(unigrams.firsts)]), np.array([0, len(bigrams.firsts)])
    for i in range(len(order)):
        s, eta = order[i], etas[i]
        first, last = data.bounds[s], data.bounds[s + 1]
        due += eta * rho
        if first == last:
            continue
        write_scores(sums, space, data, s, False, room)
        found -= right_score(data, s, room)
        found += expect_from_scores(space, data, s, room)
        add_expectations_within(sums, 0, space, data, s, every[0], every[1], -eta, room)
        for t in range(first, last):
            label = data.labels[t]
            for k in range(data.unigram_starts[t], data.unigram_starts[t + 1]):
                test = data.unigram_tests[k]
                sums[weight_place(unigrams, test, label, n_labels)] += eta
                unigrams.dues[test] = due
            if t > first:
                pair = data.labels[t - 1] * n_labels + label
                for k in range(data.bigram_starts[t], data.bigram_starts[t + 1]):
                    test = data.bigram_tests[k]
                    sums[weight_place(bigrams, test, pair, n_labels * n_labels)] += eta
                    bigrams.dues[test] = due
    return found
