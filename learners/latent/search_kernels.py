"""Kernels that find the best hidden paths, and the labels that are best over all of theirs.

Both are A*: a beginning of a path waits under the score of the best whole path that it can become,
or a bound of it, and the highest goes on first. For hidden paths the best way on from each context
to the end is known, so that paths come in the order of their scores. For labels a beginning has the
sums alpha(h) over the hidden paths of its labels to each of the contexts h, and

    B_t-1(h) = max_y sum_a  w_t(h, y a) B_t(h y a),         B = 1 behind the last position,

with w the exponential of the scores of an arc and its end, is no less than the sum over the hidden
paths of any labels from h on. So sum_h alpha(h) B(h) is no less than Z_y of any labels y that begin
so, and equal for whole ones: the first labels at the end are the best, the n-th the n-th best. Sun,
Morency, Okanohara and Tsujii (2008) add up hidden paths by their labels, until the unknown rest of
the probability can make no others the best; with flat distributions over states, that is thousands.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.learners.latent.arrays import Data, Grams, Room, Shape

sums = sibling(__name__, "glyphone.learners.latent.sum_kernels")
write_scores, write_exponentials = sums.write_scores, sums.write_exponentials
write_forward_sums, add_arcs, spread_out = sums.write_forward_sums, sums.add_arcs, sums.spread_out
normalize = sums.normalize

Array = Any


@leaf
def comes_before(one: int, other: int, scores: Array) -> bool:
    """Whether an item has the higher score, of equals the smaller number."""
    return bool(scores[one] > scores[other] or (scores[one] == scores[other] and one < other))


@leaf
def rise(heap: Array, scores: Array, k: int) -> None:
    """Restore a heap to whose end, at k, an item has been added."""
    item = heap[k]
    while k and comes_before(item, heap[(k - 1) // 2], scores):
        heap[k] = heap[(k - 1) // 2]
        k = (k - 1) // 2
    heap[k] = item


@leaf
def sink(heap: Array, scores: Array, length: int) -> None:
    """Restore a heap whose top has been replaced."""
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


@kernel
def doubled_floats(some: Array) -> Array:
    """A longer array with the same beginning."""
    found = np.empty(2 * len(some))
    found[: len(some)] = some
    return found


@kernel
def doubled_rows(some: Array) -> Array:
    """More rows, the first ones the same."""
    found = np.empty((2 * len(some), some.shape[1]))
    found[: len(some)] = some
    return found


@kernel
def doubled_numbers(some: Array) -> Array:
    """A longer array with the same beginning."""
    found = np.empty(2 * len(some), np.int32)
    found[: len(some)] = some
    return found


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
def write_end_bounds(shape: Shape, n: int, room: Room) -> None:
    """Write B to room.best, divided by its highest, whose logarithms so far are room.scales."""
    n_codes, inner = shape.n_labels**shape.order, shape.states**shape.order
    states, size = shape.states, inner * shape.states
    room.best[n - 1] = 1.0
    room.scales[n - 1] = 0.0
    for t in range(n - 1, 0, -1):
        values, best, arcs = room.values, room.best[t - 1], room.arcs[t]
        for i in range(len(values)):
            values[i] = room.nodes[t, i] * room.best[t, i]
        best[:] = 0.0
        for code in range(n_codes * shape.n_labels):
            b, c = code // shape.n_labels * inner, code % n_codes * inner
            for p in range(inner):
                found = 0.0
                for a in range(states):
                    i = p * states + a
                    found += arcs[code * size + i] * values[c + i % inner]
                best[b + p] = max(best[b + p], found)
        highest = best[0]
        for i in range(len(best)):
            highest = max(highest, best[i])
        for i in range(len(best)):
            best[i] *= 1.0 / highest
        room.scales[t - 1] = room.scales[t] + np.log(highest)


@kernel
def search_labels(shape: Shape, length: int, n: int, most: int, room: Room) -> tuple[Array, Array]:
    """The n best labels of a sequence with positions, and the logarithms of their sums, in order.

    Exponentials are in room. At most so many beginnings go on for each position: then there are
    fewer rows.
    """
    n_codes, inner = shape.n_labels**shape.order, shape.states**shape.order
    size = inner * shape.states
    write_end_bounds(shape, length, room)
    # Beginnings: bound, logarithm of what the sums were divided by, these, last label and context,
    # position behind the last, and the beginning without the last label.
    bounds, logs, alphas = np.empty(256), np.empty(256), np.empty((256, inner))
    contexts, times = np.empty(256, np.int32), np.empty(256, np.int32)
    parents, labels, heap = times.copy(), times.copy(), times.copy()
    rows, found = np.empty((n, length), np.int32), np.empty(n)
    contexts[0], times[0], logs[0], bounds[0], heap[0] = 0, 0, 0.0, 0.0, 0
    n_items, n_waiting, n_found = 1, 1, 0
    for _ in range(most * length):
        if n_waiting == 0 or n_found == n:
            break
        item = heap[0]
        n_waiting -= 1
        heap[0] = heap[n_waiting]
        if n_waiting:
            sink(heap, bounds, n_waiting)
        t = times[item]
        if t == length:
            found[n_found] = bounds[item]
            while t:
                t -= 1
                rows[n_found, t] = labels[item]
                item = parents[item]
            n_found += 1
            continue
        if t:
            spread_out(alphas[item], shape.states, room.spread)
        else:
            room.spread[:] = 0.0
            room.spread[: shape.states] = 1.0
        for y in range(shape.n_labels):
            if n_items == len(bounds):
                bounds, logs = doubled_floats(bounds), doubled_floats(logs)
                alphas = doubled_rows(alphas)
                contexts, times = doubled_numbers(contexts), doubled_numbers(times)
                parents, labels = doubled_numbers(parents), doubled_numbers(labels)
                heap = doubled_numbers(heap)
            code = contexts[item] * shape.n_labels + y
            c = code % n_codes
            row = alphas[n_items]
            row[:] = 0.0
            add_arcs(row, room.spread, room.arcs[t, code * size : (code + 1) * size])
            bound = 0.0
            for p in range(inner):
                row[p] *= room.nodes[t, c * inner + p]
                bound += row[p] * room.best[t, c * inner + p]
            if bound <= 0.0:
                continue
            logs[n_items] = logs[item]
            bounds[n_items] = logs[item] + np.log(bound) + room.scales[t]
            logs[n_items] += np.log(normalize(row))
            contexts[n_items], times[n_items] = c, t + 1
            parents[n_items], labels[n_items] = item, y
            heap[n_waiting] = n_items
            rise(heap, bounds, n_waiting)
            n_waiting += 1
            n_items += 1
    return rows[:n_found], found[:n_found]


@kernel
def rank_labels(
    weights: Array, shape: Shape, grams: Grams, data: Data, s: int, n: int, most: int, room: Room
) -> tuple[Array, Array]:
    """The n best labels of a sequence with positions, and the logarithms of their probabilities.

    There are fewer where there are not so many, or where the search had to end.
    """
    length = data.bounds[s + 1] - data.bounds[s]
    write_scores(weights, shape, grams, data, s, room)
    write_exponentials(length, room)
    total = write_forward_sums(shape, length, room)
    rows, found = search_labels(shape, length, n, most, room)
    return rows, found - total


@leaf
def write_best_path(shape: Shape, length: int, room: Room, path: Array) -> None:
    """Write the contexts of the best hidden path (Viterbi 1967)."""
    n_codes, inner = shape.n_labels**shape.order, shape.states**shape.order
    states, size = shape.states, inner * shape.states
    write_best_ends(shape, length, room)
    end = 0
    for t in range(length):
        b, p = end // inner, end % inner
        best = -np.inf
        for y in range(shape.n_labels):
            code = b * shape.n_labels + y
            for a in range(states):
                i = p * states + a
                to = code % n_codes * inner + i % inner
                found = room.nodes[t, to] + room.arcs[t, code * size + i] + room.best[t, to]
                if found > best:
                    best, end = found, to
        path[t] = end


@kernel
def rank_paths(
    weights: Array, shape: Shape, grams: Grams, data: Data, s: int, n: int, room: Room
) -> tuple[Array, Array]:
    """The n best hidden paths of a sequence with positions, as codes label * states + state, and
    the logarithms of their probabilities; fewer where there are not so many.
    """
    length = data.bounds[s + 1] - data.bounds[s]
    n_codes, inner = shape.n_labels**shape.order, shape.states**shape.order
    states, size = shape.states, inner * shape.states
    write_scores(weights, shape, grams, data, s, room)
    write_best_ends(shape, length, room)
    nodes, arcs = room.nodes[:length].copy(), room.arcs[:length].copy()
    total = write_exponentials(length, room)
    total += write_forward_sums(shape, length, room)
    # Beginnings: score of the best path, score so far, context, position behind, one before.
    bounds, reached = np.empty(1024), np.empty(1024)
    contexts, times = np.empty(1024, np.int32), np.empty(1024, np.int32)
    parents, heap = times.copy(), times.copy()
    rows, found = np.empty((n, length), np.int32), np.empty(n)
    contexts[0], times[0], reached[0], bounds[0], heap[0] = 0, 0, 0.0, 0.0, 0
    n_items, n_waiting, n_found = 1, 1, 0
    while n_waiting and n_found < n:
        item = heap[0]
        n_waiting -= 1
        heap[0] = heap[n_waiting]
        if n_waiting:
            sink(heap, bounds, n_waiting)
        t = times[item]
        if t == length:
            found[n_found] = reached[item] - total
            while t:
                t -= 1
                b, p = contexts[item] // inner, contexts[item] % inner
                rows[n_found, t] = b % shape.n_labels * states + p % states
                item = parents[item]
            n_found += 1
            continue
        b, p = contexts[item] // inner, contexts[item] % inner
        for y in range(shape.n_labels):
            code = b * shape.n_labels + y
            for a in range(states):
                if n_items == len(bounds):
                    bounds, reached = doubled_floats(bounds), doubled_floats(reached)
                    contexts, times = doubled_numbers(contexts), doubled_numbers(times)
                    parents, heap = doubled_numbers(parents), doubled_numbers(heap)
                i = p * states + a
                to = code % n_codes * inner + i % inner
                reached[n_items] = reached[item] + nodes[t, to] + arcs[t, code * size + i]
                bounds[n_items] = reached[n_items] + room.best[t, to]
                contexts[n_items], times[n_items], parents[n_items] = to, t + 1, item
                heap[n_waiting] = n_items
                rise(heap, bounds, n_waiting)
                n_waiting += 1
                n_items += 1
    return rows[:n_found], found[:n_found]


@kernel
def write_best_labels(
    weights: Array, shape: Shape, grams: Grams, data: Data, begin: int, end: int, most: int,
    hidden: bool, room: Room, labels: Array, proved: Array,
) -> None:  # fmt: skip
    """Write the best labels of some sequences, or those of the best hidden path if `hidden`.

    Where the search for the best labels has to end, they are those of the best hidden path, too.
    """
    inner = shape.states**shape.order
    for s in range(begin, end):
        first, last = data.bounds[s], data.bounds[s + 1]
        proved[s] = True
        if first == last:
            continue
        write_scores(weights, shape, grams, data, s, room)
        if not hidden:
            write_exponentials(last - first, room)
            rows, _ = search_labels(shape, last - first, 1, most, room)
            proved[s] = len(rows) == 1
            if proved[s]:
                labels[first:last] = rows[0]
                continue
            write_scores(weights, shape, grams, data, s, room)
        write_best_path(shape, last - first, room, labels[first:last])
        for t in range(first, last):
            labels[t] = labels[t] // inner % shape.n_labels
