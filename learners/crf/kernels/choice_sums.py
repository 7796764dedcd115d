"""Kernels where tokens have a choice of labels: those of `sums` with small matrices.

A position has the labels alone that its token was seen with, so that the pairs of labels are a
matrix of the choice before and the choice there: its cells are in room.edges, row by row, one
matrix for each position. A test that is true with one choice alone, or one pair of choices, has
weights of these cells alone, in their order; others have them of all labels, or all pairs. Where
weights are `some`, which others were left out of, each is looked up by its label or pair.

>>> from glyphone.learners.crf.kernels.arrays import EMPTY
>>> one, two = np.array([0]), np.array([2])
>>> family = Family(one, two, one, np.array([1, 2]), np.zeros(1))
>>> space = Space(3, np.zeros(0, int), np.zeros(0, int), family, EMPTY)
>>> zeros = np.zeros(2, int)
>>> data = Data(np.array([0, 1]), np.array([0, 1]), zeros, zeros, zeros, zeros - 1, zeros,
...     np.array([0, 2]), np.array([1, 2]), zeros)
>>> room = choice_room(3, 2, 1)
>>> log_z = expect_from_weights(np.log([1.0, 3]), space, data, 0, False, room)
>>> round(float(np.exp(log_z)), 9), room.nodes.round(9).tolist()
(4.0, [[0.25, 0.75]])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling, summing
from glyphone.learners.crf.kernels.arrays import Data, Family, Room, Space, choice_room

__all__ = [
    "choice_room",
    "expect_from_scores",
    "expect_from_weights",
    "write_exponentials",
    "write_forward_sums",
    "write_posteriors",
    "write_scores",
]

write_exp = sibling(__name__, "glyphone.data.kernels.exponentials").write_exp

Array = Any


@leaf
def choice_bounds(data: Data, t: int) -> tuple[int, int]:
    """The bounds of the labels of a position among the choices."""
    return data.choice_starts[data.chosen[t]], data.choice_starts[data.chosen[t] + 1]


@leaf
def gather_nodes(
    out: Array, weights: Array, family: Family, test: int, labels: Array, n_labels: int,
    some: bool, slots: Array,
) -> None:  # fmt: skip
    """Add the weights of a test to the labels of a choice; slots[label] is its place in the
    choice.
    """
    first, at, due = family.firsts[test], family.cells_at[test], family.dues[test]
    n = family.lasts[test] - first
    if some:
        for k in range(n):
            slot = slots[family.cells[at + k]]
            if slot >= 0:
                out[slot] += weights[first + k]
    else:
        for j in range(len(out)):
            weight = weights[first + labels[j] if n == n_labels else first + j]
            out[j] += weight - min(max(weight, -due), due)


@leaf
def gather_edges(
    out: Array, weights: Array, space: Space, test: int, befores: Array, afters: Array,
    some: bool, before_slots: Array, after_slots: Array,
) -> None:  # fmt: skip
    """Add the weights of a test to the cells of two choices."""
    family = space.bigrams
    first, at, due = family.firsts[test], family.cells_at[test], family.dues[test]
    n, n_afters, k = family.lasts[test] - first, len(afters), 0
    if some:
        for k in range(n):
            pair = family.cells[at + k]
            i, j = before_slots[space.befores[pair]], after_slots[space.afters[pair]]
            if i >= 0 and j >= 0:
                out[i * n_afters + j] += weights[first + k]
    elif n == len(out):
        for k in range(n):
            out[k] += weights[first + k] - min(max(weights[first + k], -due), due)
    else:
        for i in range(len(befores)):
            row = first + befores[i] * space.n_labels
            for j in range(n_afters):
                weight = weights[row + afters[j]]
                out[k] += weight - min(max(weight, -due), due)
                k += 1


@leaf
def mark_choice(slots: Array, labels: Array, marked: bool) -> None:
    """Write the places of labels in a choice, or -1 unless they are to be `marked`."""
    for j in range(len(labels)):
        slots[labels[j]] = j if marked else -1


@leaf
def write_scores(weights: Array, space: Space, data: Data, s: int, some: bool, room: Room) -> None:
    """The summed weights of each label and of each pair, in room.nodes and room.edges."""
    first, last = data.bounds[s], data.bounds[s + 1]
    before_slots, after_slots = room.slots, room.chosen[0]
    begin, end = 0, 0
    for t in range(first, last):
        before, behind = begin, end
        begin, end = choice_bounds(data, t)
        afters, befores = data.choices[begin:end], data.choices[before:behind]
        nodes = room.nodes[t - first, : end - begin]
        nodes[:] = 0.0
        if some:
            mark_choice(after_slots, afters, True)
        for k in range(data.unigram_starts[t], data.unigram_starts[t + 1]):
            gather_nodes(
                nodes, weights, space.unigrams, data.unigram_tests[k], afters, space.n_labels,
                some, after_slots,
            )  # fmt: skip
        if t > first:
            edges = room.edges[t - first, : (end - begin) * (behind - before)]
            edges[:] = 0.0
            if some:
                mark_choice(before_slots, befores, True)
            for k in range(data.bigram_starts[t], data.bigram_starts[t + 1]):
                gather_edges(
                    edges, weights, space, data.bigram_tests[k], befores, afters, some,
                    before_slots, after_slots,
                )  # fmt: skip
            if some:
                mark_choice(before_slots, befores, False)
        if some:
            mark_choice(after_slots, afters, False)


@leaf
def write_exponentials(space: Space, data: Data, s: int, room: Room) -> float:
    """Exponentials of the scores; how much was taken off those of labels, for range."""
    first, taken, width = data.bounds[s], 0.0, 0
    for t in range(first, data.bounds[s + 1]):
        begin, end = choice_bounds(data, t)
        nodes = room.nodes[t - first, : end - begin]
        highest = nodes[0]
        for y in range(len(nodes)):
            highest = max(highest, nodes[y])
        taken += highest
        for y in range(len(nodes)):
            nodes[y] -= highest
        write_exp(nodes, room.halves, room.bits)
        if t > first:
            write_exp(room.edges[t - first, : width * len(nodes)], room.halves, room.bits)
        width = len(nodes)
    return taken


@summing
def write_forward_sums(space: Space, data: Data, s: int, high: int, room: Room) -> float:
    """Write scaled sums over paths up to each position below `high`; return the sum of log
    scales.
    """
    first, total, before = data.bounds[s], 0.0, 0
    for t in range(high):
        begin, end = choice_bounds(data, first + t)
        n, scale = end - begin, 0.0
        row, nodes = room.alphas[t], room.nodes[t]
        row[:n] = 0.0
        if t == 0:
            row[:n] = 1.0
        for x in range(before):
            a, at = room.alphas[t - 1, x], x * n
            for y in range(n):
                row[y] += a * room.edges[t, at + y]
        for y in range(n):
            row[y] *= nodes[y]
            scale += row[y]
        room.scales[t] = scale
        total += np.log(scale)
        for y in range(n):
            row[y] *= 1.0 / scale
        before = n
    return total


@summing
def write_posteriors(space: Space, data: Data, s: int, room: Room) -> None:
    """Put probabilities of labels in room.nodes, and those of pairs in room.edges."""
    first, n = data.bounds[s], data.bounds[s + 1] - data.bounds[s]
    beta = room.beta
    beta[:] = 1.0
    for t in range(n - 1, -1, -1):
        begin, end = choice_bounds(data, first + t)
        nodes, values, alphas = room.nodes[t], room.values[t], room.alphas[t]
        share, width = 1.0 / room.scales[t], end - begin
        for y in range(width):
            values[y] = nodes[y] * beta[y] * share
            nodes[y] = alphas[y] * beta[y]
        if t == 0:
            break
        begin, end = choice_bounds(data, first + t - 1)
        for x in range(end - begin):
            found, at, a = 0.0, x * width, room.alphas[t - 1, x]
            for y in range(width):
                room.edges[t, at + y] *= values[y]
                found += room.edges[t, at + y]
                room.edges[t, at + y] *= a
            beta[x] = found


@kernel
def expect_from_scores(space: Space, data: Data, s: int, room: Room) -> float:
    """From scores: probabilities of labels in room.nodes, of pairs in room.edges; log Z."""
    n = data.bounds[s + 1] - data.bounds[s]
    total: float = write_exponentials(space, data, s, room) + write_forward_sums(
        space, data, s, n, room
    )
    write_posteriors(space, data, s, room)
    return total


@kernel
def expect_from_weights(
    weights: Array, space: Space, data: Data, s: int, some: bool, room: Room
) -> float:
    """From weights: probabilities of labels in room.nodes, of pairs in room.edges; log Z."""
    write_scores(weights, space, data, s, some, room)
    return expect_from_scores(space, data, s, room)
