"""Kernels that find hidden paths from the best on, and the labels that are best over all of theirs.

Paths come in the order of their scores: the best way on from each context to the end is known
(`write_best_ends`), so that A* goes straight to the end of the best path that is left, and keeps
for later each arc beside its way, with the score of the best path that goes there. The first time
that a path has new labels y, P(y | x) is summed over all hidden paths of these. Labels that have
not come yet have together

    U = 1 - sum of P(y | x) over the labels that came

and so the n best are sure as soon as the n-th has no less than U. Sun, Morency, Okanohara and
Tsujii (2008) add up the paths that came, one by one; these sums are never more than ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.learners.latent.arrays import Data, Grams, Room, Shape

sums = sibling(__name__, "glyphone.learners.latent.sum_kernels")
write_scores, write_exponentials = sums.write_scores, sums.write_exponentials
write_forward_sums, write_gold_sums = sums.write_forward_sums, sums.write_gold_sums

Array = Any
# Arcs that wait: beyond so many, the search ends.
MOST_WAITING = 2**22


@leaf
def write_best_ends(shape: Shape, n: int, room: Room) -> None:
    """Write to room.best the score of the best way from each context to the end."""
    n_codes, inner = shape.n_labels**shape.order, shape.states**shape.order
    states, size = shape.states, inner * shape.states
    room.best[n - 1] = 0.0
    for t in range(n - 1, 0, -1):
        values, best, arcs = room.values, room.best[t - 1], room.arcs[t]
        for i in range(len(values)):
            values[i] = room.nodes[t, i] + room.best[t, i]
        best[:] = -np.inf
        for code in range(n_codes * shape.n_labels):
            b, c = code // shape.n_labels * inner, code % n_codes * inner
            for i in range(size):
                found = arcs[code * size + i] + values[c + i % inner]
                p = b + i // states
                best[p] = max(best[p], found)


@leaf
def sink(heap: Array, scores: Array, length: int) -> None:
    """Restore a heap, the highest score on top, of equals the first, whose top is new."""
    k, item = 0, heap[0]
    while True:
        child = 2 * k + 1
        if child >= length:
            break
        if child + 1 < length and comes_before(heap[child + 1], heap[child], scores):
            child += 1
        if not comes_before(heap[child], item, scores):
            break
        heap[k] = heap[child]
        k = child
    heap[k] = item


@leaf
def rise(heap: Array, scores: Array, k: int) -> None:
    """Restore a heap to whose end an item has been added."""
    item = heap[k]
    while k and comes_before(item, heap[(k - 1) // 2], scores):
        heap[k] = heap[(k - 1) // 2]
        k = (k - 1) // 2
    heap[k] = item


@leaf
def comes_before(one: int, other: int, scores: Array) -> bool:
    return bool(scores[one] > scores[other] or (scores[one] == scores[other] and one < other))


@kernel
def doubled_floats(some: Array) -> Array:
    """A longer array with the same beginning."""
    found = np.empty(2 * len(some))
    found[: len(some)] = some
    return found


@kernel
def doubled_numbers(some: Array) -> Array:
    """A longer array with the same beginning."""
    found = np.empty(2 * len(some), np.int32)
    found[: len(some)] = some
    return found


@leaf
def new_labels(labels: Array, found: Array, n_found: int) -> bool:
    """Whether labels are in none of the rows."""
    for row in range(n_found - 1, -1, -1):
        same = True
        for t in range(len(labels)):
            if found[row, t] != labels[t]:
                same = False
                break
        if same:
            return False
    return True


@leaf
def rank_of(values: Array, length: int, n: int) -> float:
    """The n-th highest of the first values, -inf if there are fewer."""
    if length < n:
        return -np.inf
    highest = np.inf
    for _ in range(n):
        below, many = -np.inf, 0
        for k in range(length):
            if values[k] < highest:
                below = max(below, values[k])
            else:
                many += 1
        if many >= n:
            return highest
        highest = below
    return highest


@kernel
def search_paths(
    weights: Array, shape: Shape, grams: Grams, data: Data, s: int, n: int, most: int,
    hidden: bool, room: Room,
) -> tuple[Array, Array, bool, int]:  # fmt: skip
    """The n best labels of a sequence that has positions, or hidden paths if `hidden`.

    Returns rows of labels (of codes label * states + state if `hidden`), logarithms of their
    probabilities in decreasing order, whether they are proved to be the best, and the number of
    hidden paths that were looked at, `most` at most.
    """
    length = data.bounds[s + 1] - data.bounds[s]
    n_codes, inner = shape.n_labels**shape.order, shape.states**shape.order
    states, size = shape.states, inner * shape.states
    write_scores(weights, shape, grams, data, s, room)
    write_best_ends(shape, length, room)
    nodes, arcs = room.nodes[:length].copy(), room.arcs[:length].copy()
    shift = write_exponentials(length, room)
    total = write_forward_sums(shape, length, room)
    # Waiting arcs: score of the best path through it, score so far, end of the arc, the way before.
    firsts = np.empty(1024)
    reached, ends, ways = firsts.copy(), np.empty(1024, np.int32), np.empty(1024, np.int32)
    times, heap = ends.copy(), ends.copy()
    n_waiting, n_items = 0, 0
    # Ways: the hidden paths that were walked, as rows, and where each left the one before.
    paths = np.empty((16, length), np.int32)
    found = np.empty((16, length), np.int32)
    values, n_paths, n_found, mass = np.empty(16), 0, 0, 0.0
    way, t, end, score, exact = -1, -1, 0, 0.0, False
    while True:
        # Walk on from context `end` at position t to the end, the best arc first.
        if n_paths == len(paths):
            longer = np.empty((2 * n_paths, length), np.int32)
            longer[:n_paths] = paths
            paths = longer
        path = paths[n_paths]
        if way >= 0:
            path[:t] = paths[way, :t]
        if t >= 0:
            path[t] = end
        while t < length - 1:
            t += 1
            b, p = end // inner, end % inner
            best, chosen, scored = -np.inf, -1, 0.0
            first_item = n_items
            for y in range(shape.n_labels):
                code = b * shape.n_labels + y
                c = code % n_codes * inner
                for a in range(states):
                    i = p * states + a
                    to = c + i % inner
                    so_far = score + nodes[t, to] + arcs[t, code * size + i]
                    whole = so_far + room.best[t, to]
                    if n_items == len(firsts):
                        firsts, reached = doubled_floats(firsts), doubled_floats(reached)
                        ends, ways = doubled_numbers(ends), doubled_numbers(ways)
                        times, heap = doubled_numbers(times), doubled_numbers(heap)
                    if whole > best:
                        best, chosen, scored = whole, n_items, so_far
                    firsts[n_items], reached[n_items] = whole, so_far
                    ends[n_items], ways[n_items], times[n_items] = to, n_paths, t
                    n_items += 1
            for item in range(first_item, n_items):
                if item != chosen:
                    heap[n_waiting] = item
                    rise(heap, firsts, n_waiting)
                    n_waiting += 1
            end, score = ends[chosen], scored
            path[t] = end
        n_paths += 1
        if n_found == len(found):
            longer = np.empty((2 * n_found, length), np.int32)
            longer[:n_found] = found
            found, values = longer, doubled_floats(values)
        row = found[n_found]
        for k in range(length):
            y, a = path[k] // inner % shape.n_labels, path[k] % inner % states
            row[k] = y * states + a if hidden else y
        if hidden:
            values[n_found] = score - shift - total
            n_found += 1
            exact = n_found == n
        elif new_labels(row, found, n_found):
            values[n_found] = write_gold_sums(shape, row, room) - total
            mass += np.exp(values[n_found])
            n_found += 1
            exact = np.exp(rank_of(values, n_found, n)) >= 1.0 - mass
        if n_waiting == 0:
            exact = True
        if exact or n_paths >= most or n_items >= MOST_WAITING:
            break
        item = heap[0]
        n_waiting -= 1
        heap[0] = heap[n_waiting]
        if n_waiting:
            sink(heap, firsts, n_waiting)
        way, t, end, score = ways[item], times[item], ends[item], reached[item]
    order = np.argsort(-values[:n_found], kind="mergesort")[:n]
    return found[:n_found][order], values[:n_found][order], exact, n_paths


@kernel
def write_best_labels(
    weights: Array, shape: Shape, grams: Grams, data: Data, begin: int, end: int, most: int,
    hidden: bool, room: Room, labels: Array, proved: Array,
) -> None:  # fmt: skip
    """Write the best labels of some sequences, or those of the best hidden path if `hidden`."""
    states = shape.states if hidden else 1
    for s in range(begin, end):
        first, last = data.bounds[s], data.bounds[s + 1]
        proved[s] = True
        if first < last:
            rows, _, proved[s], _ = search_paths(
                weights, shape, grams, data, s, 1, most, hidden, room
            )
            for t in range(first, last):
                labels[t] = rows[0, t - first] // states
