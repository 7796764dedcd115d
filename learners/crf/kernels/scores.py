"""Kernels: the scores of a sequence, and exponentials of them.

>>> import numpy as np
>>> from glyphone.learners.crf.kernels.arrays import EMPTY, room_for
>>> one = np.array([0])
>>> family = Family(one, one + 2, one, np.array([0, 1]), np.zeros(1))
>>> space = Space(2, np.zeros(0, int), np.zeros(0, int), family, EMPTY)
>>> zeros = np.zeros(2, int)
>>> data = Data(np.array([0, 1]), np.array([0, 1]), zeros, zeros, zeros, zeros - 1, zeros)
>>> room = room_for(space, longest=1, different=1)
>>> write_scores(np.log([1.0, 4]), space, data, 0, False, room)
>>> taken = write_exponentials(space, data, 0, room)
>>> round(float(np.exp(taken)), 9), room.nodes.round(9).tolist()
(4.0, [[0.25, 1.0]])
"""

from __future__ import annotations

from typing import Any

from glyphone.data.kernels.jit import leaf, sibling
from glyphone.learners.crf.kernels.arrays import Data, Family, Room, Space

write_exp = sibling(__name__, "glyphone.data.kernels.exponentials").write_exp

Array = Any
# Weights at a position, among all pairs, below which passing over the other pairs is faster.
SPARSE = 0.15


@leaf
def add_test_weights(out: Array, weights: Array, family: Family, test: int) -> None:
    """Add the weights of a test to their cells."""
    first, at, due = family.firsts[test], family.cells_at[test], family.dues[test]
    n = family.lasts[test] - first
    some = weights[first : first + n]
    if n == len(out) and due == 0.0:
        for j in range(n):
            out[j] += some[j]
    elif n == len(out):
        for j in range(n):
            out[j] += some[j] - min(max(some[j], -due), due)
    else:
        for j in range(n):
            out[family.cells[at + j]] += some[j] - min(max(some[j], -due), due)


@leaf
def collect_cells(
    values: Array, chosen: Array, slots: Array, kept: int, weights: Array, family: Family, test: int
) -> int:
    """Add the weights of a test, of which nothing is due, to the cells that are kept, and keep
    their cells, too; return the number of cells.
    """
    first, at = family.firsts[test], family.cells_at[test]
    for j in range(family.lasts[test] - first):
        cell = family.cells[at + j]
        slot = slots[cell]
        if slot < 0:
            slots[cell] = slot = kept
            chosen[slot], values[slot] = cell, 0.0
            kept += 1
        values[slot] += weights[first + j]
    return kept


@leaf
def write_scores(weights: Array, space: Space, data: Data, s: int, dense: bool, room: Room) -> None:
    """The summed weights of each label and of each pair, written to room.nodes and room.edges.

    All pairs are kept if `dense`, or where they have many weights.
    """
    first = data.bounds[s]
    for t in range(first, data.bounds[s + 1]):
        row = room.nodes[t - first]
        row[:] = 0.0
        for k in range(data.unigram_starts[t], data.unigram_starts[t + 1]):
            add_test_weights(row, weights, space.unigrams, data.unigram_tests[k])
    score_edges(weights, space, data, s, dense, room)


@leaf
def score_edges(
    weights: Array, space: Space, data: Data, s: int, dense: bool, room: Room
) -> None:  # fmt: skip
    """The summed weights of each pair, in room.edges."""
    first, most = data.bounds[s], SPARSE * space.n_labels * space.n_labels
    for t in range(first + 1, data.bounds[s + 1]):
        edge = data.edges[t]
        if edge == data.edges[t - 1]:
            continue
        begin, end = data.bigram_starts[t], data.bigram_starts[t + 1]
        n = 0
        for k in range(begin, end):
            test = data.bigram_tests[k]
            n += space.bigrams.lasts[test] - space.bigrams.firsts[test]
        pairs = room.edges[edge, : len(space.befores)]
        if dense or n > most:
            room.kept[edge] = -1
            pairs[:] = 0.0
            for k in range(begin, end):
                add_test_weights(pairs, weights, space.bigrams, data.bigram_tests[k])
        else:
            chosen, kept = room.chosen[edge], 0
            for k in range(begin, end):
                test = data.bigram_tests[k]
                kept = collect_cells(pairs, chosen, room.slots, kept, weights, space.bigrams, test)
            for k in range(kept):
                room.slots[chosen[k]] = -1
            room.kept[edge] = kept


@leaf
def write_exponentials(space: Space, data: Data, s: int, room: Room) -> float:
    """Exponentials of the scores; how much was taken off those of labels, for range."""
    n = data.bounds[s + 1] - data.bounds[s]
    taken = 0.0
    for t in range(n):
        row = room.nodes[t]
        highest = row[0]
        for y in range(len(row)):
            highest = max(highest, row[y])
        taken += highest
        for y in range(len(row)):
            row[y] -= highest
        write_exp(row, room.halves, room.bits)
    for e in range(data.edges[data.bounds[s + 1] - 1] + 1):
        n_pairs = room.kept[e] if room.kept[e] >= 0 else len(space.befores)
        write_exp(room.edges[e, :n_pairs], room.halves, room.bits)
    return taken
