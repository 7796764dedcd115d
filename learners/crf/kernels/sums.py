"""Kernels: the scores of a sequence, forward and backward with scaling, and expectations.

With u_t(y) the exponential of the summed weights of label y at position t, and w_t(y', y) that of
the pair y', y, the scaled recursions of Lavergne, Cappé and Yvon (2010) are

    a_t(y)    = u_t(y) sum_y' a_t-1(y') w_t(y', y) / c_t        with c_t so that a_t sums to one
    b_t-1(y') = sum_y w_t(y', y) u_t(y) b_t(y) / c_t            log Z = sum_t log c_t

    P(y at t) = a_t(y) b_t(y)
    P(y' at t-1, y at t) = a_t-1(y') w_t(y', y) u_t(y) b_t(y) / c_t

Where few pairs have weights, w - 1 is sparse, and sum_y' a_t-1(y') = 1 plus a sum over those few
is enough: work of the number of weights, not of all pairs.

>>> from glyphone.learners.crf.kernels.arrays import EMPTY, Family, room_for
>>> one = np.array([0])
>>> family = Family(one, one + 2, one, np.array([0, 1]), np.zeros(1))
>>> space = Space(2, np.zeros(0, int), np.zeros(0, int), family, EMPTY)
>>> zeros = np.zeros(2, int)
>>> data = Data(np.array([0, 1]), np.array([0, 1]), zeros, zeros, zeros, zeros - 1, zeros)
>>> room = room_for(space, longest=1, different=1)
>>> log_z = expect_from_weights(np.log([1.0, 3]), space, data, 0, False, room)
>>> round(float(np.exp(log_z)), 9), room.nodes.round(9).tolist()
(4.0, [[0.25, 0.75]])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling, summing
from glyphone.learners.crf.kernels.arrays import Data, Room, Space

score_kernels = sibling(__name__, "glyphone.learners.crf.kernels.scores")
write_exponentials, write_scores = score_kernels.write_exponentials, score_kernels.write_scores

Array = Any


@leaf
def spread_out(pairs: Array, space: Space, factor: Array) -> None:
    """Write values of pairs to where they stand in a matrix, rows by the label before."""
    if len(space.befores) == space.n_labels * space.n_labels:
        for x in range(space.n_labels):
            row, begin = factor[x], x * space.n_labels
            for y in range(space.n_labels):
                row[y] = pairs[begin + y]
    else:
        for p in range(len(space.befores)):
            factor[space.befores[p], space.afters[p]] = pairs[p]


@summing
def add_rows(row: Array, factors: Array, rows: Array) -> None:
    """Add rows, each times a factor: four at once, or the sum would be written four times as
    often.
    """
    k, n = 0, len(row)
    while k + 4 <= len(factors):
        a, b, c, d = factors[k], factors[k + 1], factors[k + 2], factors[k + 3]
        of_a, of_b, of_c, of_d = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        for y in range(n):
            row[y] += (a * of_a[y] + b * of_b[y]) + (c * of_c[y] + d * of_d[y])
        k += 4
    while k < len(factors):
        a, of_a = factors[k], rows[k]
        for y in range(n):
            row[y] += a * of_a[y]
        k += 1


@summing
def write_forward_sums(space: Space, data: Data, s: int, high: int, room: Room) -> float:
    """Write scaled sums over paths up to each position below `high`; return the sum of log
    scales.
    """
    first, n_labels = data.bounds[s], space.n_labels
    total, there = 0.0, -1
    room.factor[:, :] = 1.0
    for t in range(high):
        row, nodes, scale = room.alphas[t], room.nodes[t], 0.0
        if t == 0:
            row[:] = 1.0
        else:
            edge, before = data.edges[first + t], room.alphas[t - 1]
            if room.kept[edge] >= 0:
                row[:] = 1.0
                for k in range(room.kept[edge]):
                    p = room.chosen[edge, k]
                    row[space.afters[p]] += before[space.befores[p]] * (room.edges[edge, k] - 1.0)
            else:
                if there != edge:
                    spread_out(room.edges[edge], space, room.factor)
                    there = edge
                row[:] = 0.0
                add_rows(row, before, room.factor)
        for y in range(n_labels):
            row[y] *= nodes[y]
            scale += row[y]
        room.scales[t] = scale
        total += np.log(scale)
        for y in range(n_labels):
            row[y] *= 1.0 / scale
    return total


@summing
def write_posteriors(space: Space, data: Data, s: int, low: int, high: int, room: Room) -> None:
    """Put probabilities of labels in room.nodes, and factors of pairs in room.values.

    They are of positions from `low` to `high`; those behind have no alphas, and a scale by itself.
    """
    first, n = data.bounds[s], data.bounds[s + 1] - data.bounds[s]
    n_labels, there, beta = space.n_labels, -1, room.beta
    beta[:] = 1.0
    for t in range(n - 1, low - 1, -1):
        nodes, values, alphas = room.nodes[t], room.values[t], room.alphas[t]
        share, total = 1.0, 0.0
        if t == high - 1 < n - 1:
            for y in range(n_labels):
                total += alphas[y] * beta[y]
            for y in range(n_labels):
                beta[y] *= 1.0 / total
            total = 0.0
        for y in range(n_labels):
            values[y] = nodes[y] * beta[y]
            total += values[y]
        share = 1.0 / (room.scales[t] if t < high else total)
        for y in range(n_labels):
            values[y] *= share
            if t < high:
                nodes[y] = alphas[y] * beta[y]
        if t == low:
            break
        edge = data.edges[first + t]
        if room.kept[edge] >= 0:
            beta[:] = total * share
            for k in range(room.kept[edge]):
                p = room.chosen[edge, k]
                beta[space.befores[p]] += (room.edges[edge, k] - 1.0) * values[space.afters[p]]
        else:
            if there != edge:
                spread_out(room.edges[edge], space, room.factor)
                there = edge
            for x in range(n_labels):
                w, found = room.factor[x], 0.0
                for y in range(n_labels):
                    found += w[y] * values[y]
                beta[x] = found


@leaf
def expect_pairs(space: Space, data: Data, s: int, room: Room) -> None:
    """Put in room.edges the expected number of each pair, over all positions that are alike."""
    first, n = data.bounds[s], data.bounds[s + 1] - data.bounds[s]
    begin = 1
    while begin < n:
        edge, end = data.edges[first + begin], begin + 1
        while end < n and data.edges[first + end] == edge:
            end += 1
        pairs, kept = room.edges[edge, : len(space.befores)], room.kept[edge]
        alphas, values = room.alphas[begin - 1], room.values[begin]
        if end > begin + 1:
            pull = room.factor
            sum_products(room.alphas[begin - 1 : end - 1], room.values[begin:end], pull)
            for k in range(kept if kept >= 0 else len(pairs)):
                p = room.chosen[edge, k] if kept >= 0 else k
                pairs[k] *= pull[space.befores[p], space.afters[p]]
        elif kept >= 0:
            for k in range(kept):
                p = room.chosen[edge, k]
                pairs[k] *= alphas[space.befores[p]] * values[space.afters[p]]
        else:
            for p in range(len(pairs)):
                pairs[p] *= alphas[space.befores[p]] * values[space.afters[p]]
        begin = end


@leaf
def sum_products(alphas: Array, values: Array, pull: Array) -> None:
    """The sum of the products of rows, one by one, in a matrix."""
    pull[:, :] = 0.0
    for x in range(len(pull)):
        add_rows(pull[x], alphas[:, x], values)


@kernel
def expect_from_scores(space: Space, data: Data, s: int, room: Room) -> float:
    """From scores: probabilities of labels in room.nodes, expected pairs in room.edges; log Z."""
    n = data.bounds[s + 1] - data.bounds[s]
    total: float = write_exponentials(space, data, s, room) + write_forward_sums(
        space, data, s, n, room
    )
    write_posteriors(space, data, s, 0, n, room)
    expect_pairs(space, data, s, room)
    return total


@kernel
def expect_from_weights(
    weights: Array, space: Space, data: Data, s: int, dense: bool, room: Room
) -> float:
    """From weights: probabilities of labels in room.nodes, expected pairs in room.edges; log Z."""
    write_scores(weights, space, data, s, dense, room)
    return expect_from_scores(space, data, s, room)
