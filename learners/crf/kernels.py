"""Kernels: the scores of a sequence, forward and backward with scaling, and expectations.

With u_t(y) the exponential of the summed weights of label y at position t, and w_t(y', y) that of
the pair y', y, the scaled recursions of Lavergne, Cappé and Yvon (2010) are

    a_t(y)    = u_t(y) sum_y' a_t-1(y') w_t(y', y) / c_t        with c_t so that a_t sums to one
    b_t-1(y') = sum_y w_t(y', y) u_t(y) b_t(y) / c_t            log Z = sum_t log c_t

    P(y at t) = a_t(y) b_t(y)
    P(y' at t-1, y at t) = a_t-1(y') w_t(y', y) u_t(y) b_t(y) / c_t

Where few pairs have weights, w - 1 is sparse, and sum_y' a_t-1(y') = 1 plus a sum over those few
is enough: work of the number of weights, not of all pairs.

>>> from glyphone.learners.crf.arrays import EMPTY, room_for
>>> one = np.array([0])
>>> family = Family(one, one + 2, one, np.array([0, 1]), np.zeros(1))
>>> space = Space(2, np.zeros(0, int), np.zeros(0, int), family, EMPTY)
>>> zeros = np.zeros(2, int)
>>> data = Data(np.array([0, 1]), np.array([0, 1]), zeros, zeros, zeros, zeros - 1, zeros)
>>> room = room_for(space, longest=1, different=1)
>>> log_z = expect(np.log([1.0, 3]), space, data, 0, False, room)
>>> round(float(np.exp(log_z)), 9), room.nodes.round(9).tolist()
(4.0, [[0.25, 0.75]])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.jit import fused, kernel, leaf, summing
from glyphone.learners.crf.arrays import Data, Family, Room, Space

Array = Any
# Weights at a position, among all pairs, below which passing over the other pairs is faster.
SPARSE = 0.15
# Beyond, exponentials are as far from 1 as numbers go; below, they are 0.
LIMIT = 700.0
# ln 2 in two parts, of which the first has so few digits that its multiples are exact.
LOG2E, LN2_HIGH, LN2_LOW = 1.4426950408889634, 0.693147180369123816490, 1.90821492927058770002e-10
# Added to a number, it leaves the nearest whole one in the last digits.
ROUNDING = 6755399441055744.0
EXPONENT, ONE = 52, 1023 << 52


@fused
def exponentials(values: Array, halves: Array, bits: Array) -> None:
    """Puts exponentials in place of values, several at a time, to the last digit but one.

    exp(x) = 2^k exp(r) with |r| <= ln 2 / 2, the latter by its series (after Cody and Waite 1980).
    The doubles `halves` have the `bits`, in which 2^k is written by moving k to the exponent.
    """
    for k in range(len(values)):
        x = min(max(values[k], -LIMIT), LIMIT)
        rounded = x * LOG2E + ROUNDING
        halves[k] = rounded
        whole = rounded - ROUNDING
        r = (x - whole * LN2_HIGH) - whole * LN2_LOW
        p = 1.0 / 6227020800.0
        p = p * r + 1.0 / 479001600.0
        p = p * r + 1.0 / 39916800.0
        p = p * r + 1.0 / 3628800.0
        p = p * r + 1.0 / 362880.0
        p = p * r + 1.0 / 40320.0
        p = p * r + 1.0 / 5040.0
        p = p * r + 1.0 / 720.0
        p = p * r + 1.0 / 120.0
        p = p * r + 1.0 / 24.0
        p = p * r + 1.0 / 6.0
        p = p * r + 0.5
        p = p * r + 1.0
        p = p * r + 1.0
        values[k] = p if values[k] >= -LIMIT else 0.0
    for k in range(len(values)):
        bits[k] = (bits[k] << EXPONENT) + ONE
    for k in range(len(values)):
        values[k] *= halves[k]


@leaf
def gather(out: Array, weights: Array, family: Family, test: int) -> None:
    """Adds the weights of a test to the cells that they are of."""
    first, at, due = family.firsts[test], family.cells_at[test], family.dues[test]
    n = family.lasts[test] - first
    if n == len(out):
        for j in range(n):
            out[j] += weights[first + j] - min(max(weights[first + j], -due), due)
    else:
        for j in range(n):
            weight = weights[first + j] - min(max(weights[first + j], -due), due)
            out[family.cells[at + j]] += weight


@leaf
def collect(
    values: Array, chosen: Array, slots: Array, kept: int, weights: Array, family: Family, test: int
) -> int:
    """The same, nothing being due, where only cells that have weights are kept: how many then."""
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
def score(weights: Array, space: Space, data: Data, s: int, dense: bool, room: Room) -> None:
    """The summed weights of each label and of each pair, in room.nodes and room.edges.

    Pairs are all kept if it is to be `dense`, or where they have many weights.
    """
    first, last = data.bounds[s], data.bounds[s + 1]
    most = SPARSE * space.n_labels * space.n_labels
    for t in range(first, last):
        row = room.nodes[t - first]
        row[:] = 0.0
        for k in range(data.unigram_starts[t], data.unigram_starts[t + 1]):
            gather(row, weights, space.unigrams, data.unigram_tests[k])
        edge = data.edges[t]
        if t > first and edge != data.edges[t - 1]:
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
                    gather(pairs, weights, space.bigrams, data.bigram_tests[k])
            else:
                chosen, kept = room.chosen[edge], 0
                for k in range(begin, end):
                    test = data.bigram_tests[k]
                    kept = collect(pairs, chosen, room.slots, kept, weights, space.bigrams, test)
                for k in range(kept):
                    room.slots[chosen[k]] = -1
                room.kept[edge] = kept


@leaf
def prepare(space: Space, data: Data, s: int, room: Room) -> float:
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
        exponentials(row, room.halves, room.bits)
    for e in range(data.edges[data.bounds[s + 1] - 1] + 1):
        n_pairs = room.kept[e] if room.kept[e] >= 0 else len(space.befores)
        exponentials(room.edges[e, :n_pairs], room.halves, room.bits)
    return taken


@leaf
def spread_out(pairs: Array, space: Space, factor: Array) -> None:
    """Writes values of pairs to where they stand in a matrix, rows by the label before."""
    if len(space.befores) == space.n_labels * space.n_labels:
        for x in range(space.n_labels):
            row, begin = factor[x], x * space.n_labels
            for y in range(space.n_labels):
                row[y] = pairs[begin + y]
    else:
        for p in range(len(space.befores)):
            factor[space.befores[p], space.afters[p]] = pairs[p]


@summing
def forward(space: Space, data: Data, s: int, high: int, room: Room) -> float:
    """Scaled sums over what stands before each position below `high`: the sum of log scales."""
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
                for x in range(n_labels):
                    a, w = before[x], room.factor[x]
                    for y in range(n_labels):
                        row[y] += a * w[y]
        for y in range(n_labels):
            row[y] *= nodes[y]
            scale += row[y]
        room.scales[t] = scale
        total += np.log(scale)
        for y in range(n_labels):
            row[y] *= 1.0 / scale
    return total


@summing
def backward(space: Space, data: Data, s: int, low: int, high: int, room: Room) -> None:
    """Puts probabilities of labels in room.nodes, and what pairs need in room.values.

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
    """Puts in room.edges the expected number of each pair, over all positions that are alike."""
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
            added_up(room.alphas[begin - 1 : end - 1], room.values[begin:end], pull)
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
def added_up(alphas: Array, values: Array, pull: Array) -> None:
    """The sum of the products of rows, one by one, in a matrix."""
    pull[:, :] = 0.0
    for t in range(len(alphas)):
        for x in range(len(pull)):
            a, row = alphas[t, x], pull[x]
            for y in range(len(row)):
                row[y] += a * values[t, y]


@kernel
def expected(space: Space, data: Data, s: int, room: Room) -> float:
    """From scores: probabilities of labels in room.nodes, expected pairs in room.edges; log Z."""
    n = data.bounds[s + 1] - data.bounds[s]
    total: float = prepare(space, data, s, room) + forward(space, data, s, n, room)
    backward(space, data, s, 0, n, room)
    expect_pairs(space, data, s, room)
    return total


@kernel
def expect(weights: Array, space: Space, data: Data, s: int, dense: bool, room: Room) -> float:
    """The same from weights."""
    score(weights, space, data, s, dense, room)
    return expected(space, data, s, room)
