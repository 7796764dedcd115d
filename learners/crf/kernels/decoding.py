"""Kernels of decoding: the best labels (Viterbi 1967), the n best, and probabilities of labels.

`allowed` says which labels there may be at each position; with no rows, every label may.

>>> row, back = np.zeros(2), np.zeros(2, np.int32)
>>> relax_labels(np.array([0.5, 0.0]), np.array([[0.0, 0.0], [0.0, 1.0]]), row, back)
>>> row.tolist(), back.tolist()
([0.5, 1.0], [0, 1])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.learners.crf.kernels.arrays import Data, Room, Space

kernels = sibling(__name__, "glyphone.learners.crf.kernels.sums")
write_scores, spread_out, expect_from_scores = (
    kernels.write_scores,
    kernels.spread_out,
    kernels.expect_from_scores,
)

Array = Any


@leaf
def forbid_labels(data: Data, s: int, allowed: Array, room: Room) -> None:
    """Set the scores of labels that are not allowed to -inf."""
    if len(allowed):
        first = data.bounds[s]
        for t in range(first, data.bounds[s + 1]):
            for y in range(allowed.shape[1]):
                if not allowed[t, y]:
                    room.nodes[t - first, y] = -np.inf


@leaf
def write_pairs(space: Space, edge: int, room: Room, matrix: Array) -> None:
    """Write the scores of pairs to a matrix of zeros, rows by the label before."""
    if room.kept[edge] < 0:
        spread_out(room.edges[edge], space, matrix)
    for k in range(room.kept[edge]):
        p = room.chosen[edge, k]
        matrix[space.befores[p], space.afters[p]] = room.edges[edge, k]


@leaf
def wipe_pairs(space: Space, edge: int, room: Room, matrix: Array) -> None:
    """Set the scores that `write_pairs` wrote to zero."""
    if room.kept[edge] < 0:
        matrix[:, :] = 0.0
    for k in range(room.kept[edge]):
        p = room.chosen[edge, k]
        matrix[space.befores[p], space.afters[p]] = 0.0


@leaf
def relax_labels(before: Array, matrix: Array, row: Array, back: Array) -> None:
    """The best score at each label, and the label before that gives it; of equals, the first."""
    row[:] = -np.inf
    back[:] = 0
    for x in range(len(before)):
        for y in range(len(row)):
            found = before[x] + matrix[x, y]
            better = found > row[y]
            row[y] = found if better else row[y]
            back[y] = x if better else back[y]


@kernel
def write_best_labels(
    weights: Array, space: Space, data: Data, allowed: Array, room: Room, labels: Array
) -> None:
    """Write the best labels of each sequence; of equals, the first."""
    n_labels = space.n_labels
    back = np.empty(room.nodes.shape, np.int32)
    matrix = np.zeros((n_labels, n_labels))
    for s in range(len(data.bounds) - 1):
        first, n, there = data.bounds[s], data.bounds[s + 1] - data.bounds[s], -1
        if n == 0:
            continue
        write_scores(weights, space, data, s, False, room)
        forbid_labels(data, s, allowed, room)
        for y in range(n_labels):
            room.alphas[0, y] = room.nodes[0, y]
        for t in range(1, n):
            edge = data.edges[first + t]
            if edge != there:
                if there >= 0:
                    wipe_pairs(space, there, room, matrix)
                write_pairs(space, edge, room, matrix)
                there = edge
            relax_labels(room.alphas[t - 1], matrix, room.alphas[t], back[t])
            for y in range(n_labels):
                room.alphas[t, y] += room.nodes[t, y]
        if there >= 0:
            wipe_pairs(space, there, room, matrix)
        label = np.argmax(room.alphas[n - 1])
        for t in range(n - 1, -1, -1):
            labels[first + t] = label
            label = back[t, label]


@kernel
def n_best(
    weights: Array, space: Space, data: Data, s: int, n_paths: int, allowed: Array, room: Room
) -> tuple[Array, Array]:
    """The best paths of one sequence that has positions, and their scores, the best first.

    Behind each label at each position stand its best ways there, in order; those of the next are
    found by merging. -inf is a score of a path that there is not.
    """
    write_scores(weights, space, data, s, False, room)
    forbid_labels(data, s, allowed, room)
    first, n, n_labels = data.bounds[s], data.bounds[s + 1] - data.bounds[s], space.n_labels
    matrix = np.zeros((n_labels, n_labels))
    scores = np.full((n + 1, n_labels, n_paths), -np.inf)
    labels, ranks = np.zeros(scores.shape, np.int32), np.zeros(scores.shape, np.int32)
    heads = np.empty(n_labels, np.int64)
    scores[0, :, 0] = room.nodes[0]
    for t in range(1, n + 1):
        if t < n:
            write_pairs(space, data.edges[first + t], room, matrix)
        for y in range(n_labels if t < n else 1):
            heads[:] = 0
            for r in range(n_paths):
                highest, chosen = -np.inf, -1
                for x in range(n_labels):
                    if heads[x] < n_paths:
                        found = scores[t - 1, x, heads[x]] + (matrix[x, y] if t < n else 0.0)
                        if found > highest:
                            highest, chosen = found, x
                if chosen < 0:
                    break
                scores[t, y, r] = highest + (room.nodes[t, y] if t < n else 0.0)
                labels[t, y, r], ranks[t, y, r] = chosen, heads[chosen]
                heads[chosen] += 1
        if t < n:
            wipe_pairs(space, data.edges[first + t], room, matrix)
    paths = np.zeros((n_paths, n), np.int32)
    for r in range(n_paths):
        y, rank = 0, r
        for t in range(n, 0, -1):
            y, rank = labels[t, y, rank], ranks[t, y, rank]
            paths[r, t - 1] = y
    return paths, scores[n, 0].copy()


@kernel
def write_probabilities(
    weights: Array, space: Space, data: Data, allowed: Array, room: Room, found: Array, logs: Array
) -> None:
    """Write the probability of each label at each position, and log Z of each sequence."""
    for s in range(len(data.bounds) - 1):
        first, last = data.bounds[s], data.bounds[s + 1]
        if first < last:
            write_scores(weights, space, data, s, False, room)
            forbid_labels(data, s, allowed, room)
            logs[s] = expect_from_scores(space, data, s, room)
            found[first:last] = room.nodes[: last - first]
