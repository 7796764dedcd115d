"""Kernels that find the best segmentations of sentences, through the nodes of the sums.

Of ways with equal scores the first to be found comes first: an O before phrases, shorter phrases
before longer ones, and classes in their order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.learners.semimarkov.arrays import Data, Features, Lists, Room, States

write_scores = sibling(__name__, "glyphone.learners.semimarkov.sum_kernels").write_scores

Array = Any


@leaf
def place_for(scores: Array, count: int, score: float) -> int:
    """The place of a score in a list, behind equal ones; its length if there is none."""
    place = count
    while place and scores[place - 1] < score:
        place -= 1
    return place


@leaf
def add_way(
    lists: Lists, t: int, state: int, score: float, candidate: int, y: int, before: int
) -> bool:
    """Put a way into the list of a node; whether there was a place for it."""
    scores, candidates = lists.scores[t, state], lists.candidates[t, state]
    classes, befores = lists.classes[t, state], lists.befores[t, state]
    count = lists.counts[t, state]
    place = place_for(scores, count, score)
    if place == len(scores):
        return False
    for i in range(min(count, len(scores) - 1), place, -1):
        scores[i], candidates[i] = scores[i - 1], candidates[i - 1]
        classes[i], befores[i] = classes[i - 1], befores[i - 1]
    scores[place], candidates[place] = score, candidate
    classes[place], befores[place] = y, before
    lists.counts[t, state] = min(count + 1, len(scores))
    return True


@leaf
def write_inflow(
    features: Features, states: States, t: int, moves: Array, lists: Lists
) -> None:  # fmt: skip
    """Write the best ways to a token and on to each phrase that begins there."""
    n = lists.scores.shape[2]
    for y in range(1, features.n_classes):
        found, befores, count = lists.inflow[t, y], lists.inflow_befores[t, y], 0
        for state in range(len(states.preceding)):
            move = moves[y * features.n_preceding + states.preceding[state]]
            for rank in range(lists.counts[t, state]):
                score = lists.scores[t, state, rank] + move
                place = place_for(found, count, score)
                if place == n:
                    break
                for i in range(min(count, n - 1), place, -1):
                    found[i], befores[i] = found[i - 1], befores[i - 1]
                found[place], befores[place] = score, state * n + rank
                count = min(count + 1, n)
        lists.inflow_counts[t, y] = count


@leaf
def write_lists(
    weights: Array, features: Features, states: States, data: Data, s: int, room: Room,
    lists: Lists,
) -> None:  # fmt: skip
    """Write the best ways to each node of a sentence, and behind the last those to its end."""
    first, before = data.bounds[s], data.firsts[data.bounds[s]]
    length, n, n_states = data.bounds[s + 1] - first, lists.scores.shape[2], len(states.preceding)
    write_scores(weights, features, data, s, room)
    for t in range(length + 2):
        lists.counts[t] = 0
    lists.counts[0, 0] = 1
    lists.scores[0, 0, 0] = 0.0
    for t in range(length):
        moves = room.moves[t]
        write_inflow(features, states, t, moves, lists)
        unit = data.firsts[first + t]
        for state in range(n_states):
            move = moves[states.preceding[state]] + room.scores[unit - before, 0]
            for rank in range(lists.counts[t, state]):
                score = lists.scores[t, state, rank] + move
                if not add_way(lists, t + 1, states.kept[state], score, unit, 0, state * n + rank):
                    break
        for j in range(unit, data.firsts[first + t + 1]):
            if j == unit and not data.open[j]:
                continue
            b = data.begins[j] - first
            for y in range(1, features.n_classes):
                own = room.scores[j - before, y]
                for rank in range(lists.inflow_counts[b, y]):
                    score = lists.inflow[b, y, rank] + own
                    way = lists.inflow_befores[b, y, rank]
                    if not add_way(lists, t + 1, states.entered[y], score, j, y, way):
                        break
    for state in range(n_states):
        for rank in range(lists.counts[length, state]):
            score = lists.scores[length, state, rank]
            if not add_way(lists, length + 1, 0, score, -1, 0, state * n + rank):
                break


@leaf
def write_way(data: Data, s: int, rank: int, lists: Lists, found: Array) -> None:
    """Write the class of each candidate on the way of a rank, -1 for those beside it."""
    first, before = data.bounds[s], data.firsts[data.bounds[s]]
    found[:] = -1
    t, n = data.bounds[s + 1] - first, lists.scores.shape[2]
    way = lists.befores[t + 1, 0, rank]
    while t:
        state, rank = way // n, way % n
        j = lists.candidates[t, state, rank]
        found[j - before] = lists.classes[t, state, rank]
        way = lists.befores[t, state, rank]
        t = data.begins[j] - first


@kernel
def write_best_segments(
    weights: Array, features: Features, states: States, data: Data, begin: int, end: int,
    room: Room, lists: Lists, found: Array,
) -> None:  # fmt: skip
    """Write the class of each candidate that is one of the best segments, -1 for others."""
    for s in range(begin, end):
        write_lists(weights, features, states, data, s, room, lists)
        row = found[data.firsts[data.bounds[s]] : data.firsts[data.bounds[s + 1]]]
        write_way(data, s, 0, lists, row)


@kernel
def rank_segmentations(
    weights: Array, features: Features, states: States, data: Data, s: int, room: Room,
    lists: Lists,
) -> tuple[Array, Array]:  # fmt: skip
    """The best segmentations of a sentence: classes of its candidates, in rows, and scores."""
    write_lists(weights, features, states, data, s, room, lists)
    length = data.bounds[s + 1] - data.bounds[s]
    count = lists.counts[length + 1, 0]
    n = data.firsts[data.bounds[s + 1]] - data.firsts[data.bounds[s]]
    rows, scores = np.empty((count, n), np.int32), np.empty(count)
    for rank in range(count):
        write_way(data, s, rank, lists, rows[rank])
        scores[rank] = lists.scores[length + 1, 0, rank]
    return rows, scores
