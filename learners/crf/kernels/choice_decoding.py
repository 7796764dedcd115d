"""Kernels of decoding where tokens have a choice of labels: see `decoding`.

>>> from glyphone.learners.crf.kernels.arrays import EMPTY, choice_room
>>> one, two = np.array([0]), np.array([2])
>>> family = Family(one, two, one, np.array([1, 2]), np.zeros(1))
>>> space = Space(3, np.zeros(0, int), np.zeros(0, int), family, EMPTY)
>>> zeros, found = np.zeros(2, int), np.zeros(1, int)
>>> data = Data(np.array([0, 1]), np.array([0, 1]), zeros, zeros, zeros, zeros - 1, zeros,
...     np.array([0, 2]), np.array([1, 2]), zeros)
>>> room, allowed = choice_room(3, 2, 1), np.zeros((0, 0), bool)
>>> write_best_labels(np.log([1.0, 3]), space, data, allowed, room, found)
>>> found.tolist()
[2]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.learners.crf.kernels.arrays import Data, Family, Room, Space

__all__ = ["Family", "n_best", "write_best_labels", "write_probabilities"]

kernels = sibling(__name__, "glyphone.learners.crf.kernels.choice_sums")
choice_bounds, write_scores, expect_from_scores = (
    kernels.choice_bounds,
    kernels.write_scores,
    kernels.expect_from_scores,
)

Array = Any


@leaf
def forbid_labels(data: Data, s: int, allowed: Array, room: Room) -> None:
    """Set the scores of labels that are not allowed to -inf."""
    if len(allowed):
        first = data.bounds[s]
        for t in range(first, data.bounds[s + 1]):
            begin, end = choice_bounds(data, t)
            for j in range(end - begin):
                if not allowed[t, data.choices[begin + j]]:
                    room.nodes[t - first, j] = -np.inf


@leaf
def fill_best_scores(data: Data, s: int, room: Room, back: Array) -> None:
    """Write the best score at each label of a sequence, and the label before that gives it."""
    first, before = data.bounds[s], 0
    for t in range(data.bounds[s + 1] - first):
        begin, end = choice_bounds(data, first + t)
        n, row = end - begin, room.alphas[t]
        for y in range(n):
            row[y] = -np.inf if t > 0 else 0.0
            back[t, y] = 0
        for x in range(before):
            reached = room.alphas[t - 1, x]
            for y in range(n):
                found = reached + room.edges[t, x * n + y]
                better = found > row[y]
                row[y] = found if better else row[y]
                back[t, y] = x if better else back[t, y]
        for y in range(n):
            row[y] += room.nodes[t, y]
        before = n


@kernel
def write_best_labels(
    weights: Array, space: Space, data: Data, allowed: Array, room: Room, labels: Array
) -> None:
    """Write the best labels of each sequence; of equals, the first."""
    back = np.empty(room.nodes.shape, np.int32)
    for s in range(len(data.bounds) - 1):
        first, last = data.bounds[s], data.bounds[s + 1]
        if first == last:
            continue
        write_scores(weights, space, data, s, True, room)
        forbid_labels(data, s, allowed, room)
        fill_best_scores(data, s, room, back)
        begin, end = choice_bounds(data, last - 1)
        place = np.argmax(room.alphas[last - 1 - first, : end - begin])
        for t in range(last - 1, first - 1, -1):
            labels[t] = data.choices[choice_bounds(data, t)[0] + place]
            place = back[t - first, place]


@kernel
def n_best(
    weights: Array, space: Space, data: Data, s: int, n_paths: int, allowed: Array, room: Room
) -> tuple[Array, Array]:
    """The best paths of one sequence that has positions, and their scores, the best first."""
    write_scores(weights, space, data, s, True, room)
    forbid_labels(data, s, allowed, room)
    first, n, widest = data.bounds[s], data.bounds[s + 1] - data.bounds[s], room.nodes.shape[1]
    scores = np.full((n + 1, widest, n_paths), -np.inf)
    labels, ranks = np.zeros(scores.shape, np.int32), np.zeros(scores.shape, np.int32)
    heads = np.empty(widest, np.int64)
    before = choice_bounds(data, first)[1] - choice_bounds(data, first)[0]
    scores[0, :before, 0] = room.nodes[0, :before]
    for t in range(1, n + 1):
        width = (
            choice_bounds(data, first + t)[1] - choice_bounds(data, first + t)[0] if t < n else 1
        )
        for y in range(width):
            heads[:] = 0
            for r in range(n_paths):
                highest, chosen = -np.inf, -1
                for x in range(before):
                    if heads[x] < n_paths:
                        step = room.edges[t, x * width + y] if t < n else 0.0
                        found = scores[t - 1, x, heads[x]] + step
                        if found > highest:
                            highest, chosen = found, x
                if chosen < 0:
                    break
                scores[t, y, r] = highest + (room.nodes[t, y] if t < n else 0.0)
                labels[t, y, r], ranks[t, y, r] = chosen, heads[chosen]
                heads[chosen] += 1
        before = width
    paths = np.zeros((n_paths, n), np.int32)
    for r in range(n_paths):
        y, rank = 0, r
        for t in range(n, 0, -1):
            y, rank = labels[t, y, rank], ranks[t, y, rank]
            paths[r, t - 1] = data.choices[choice_bounds(data, first + t - 1)[0] + y]
    return paths, scores[n, 0].copy()


@kernel
def write_probabilities(
    weights: Array, space: Space, data: Data, allowed: Array, room: Room, found: Array, logs: Array
) -> None:
    """Write the probability of each label at each position, and log Z of each sequence."""
    found[:, :] = 0.0
    for s in range(len(data.bounds) - 1):
        first, last = data.bounds[s], data.bounds[s + 1]
        if first < last:
            write_scores(weights, space, data, s, True, room)
            forbid_labels(data, s, allowed, room)
            logs[s] = expect_from_scores(space, data, s, room)
            for t in range(first, last):
                begin, end = choice_bounds(data, t)
                for j in range(end - begin):
                    found[t, data.choices[begin + j]] = room.nodes[t - first, j]
