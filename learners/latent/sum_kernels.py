"""Kernels of latent-dynamic fields: scores, sums over hidden paths, and expectations.

With n_t(c) the exponential of the score of context c at position t and a_t(b, c) that of the arc
from b to c,

    alpha_t(c) = n_t(c) sum_b alpha_t-1(b) a_t(b, c) / s_t      with s_t so that alpha_t sums to one
    beta_t-1(b) = sum_c a_t(b, c) n_t(c) beta_t(c) / s_t        log Z = sum_t log s_t

The clamped sums, over the hidden paths of given labels, are these over one code of labels at each
position (Sun, Morency, Okanohara and Tsujii 2008):

    log P(y | x) = log Z_y - log Z
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling, summing
from glyphone.learners.latent.arrays import Data, Grams, Room, Shape

write_exp = sibling(__name__, "glyphone.data.kernels.exponentials").write_exp

Array = Any


@leaf
def write_scores(
    weights: Array, shape: Shape, grams: Grams, data: Data, s: int, room: Room
) -> None:
    """Write the summed weights of contexts and arcs of a sequence to room.nodes and room.arcs."""
    first, width = data.bounds[s], shape.n_labels * shape.states
    for t in range(first, data.bounds[s + 1]):
        nodes, arcs = room.nodes[t - first], room.arcs[t - first]
        room.sums[:] = 0.0
        arcs[:] = 0.0
        for k in range(data.starts[t], data.starts[t + 1]):
            test = data.tests[k]
            n = grams.sizes[test]
            table = arcs
            if n <= shape.order:
                begin = 0
                for j in range(1, n):
                    begin += width**j
                table = room.sums[begin : begin + width**n]
            size, at = shape.states**n, grams.firsts[test]
            for j in range(grams.starts[test], grams.starts[test + 1]):
                out, some = table[grams.codes[j] * size :], weights[at : at + size]
                for i in range(size):
                    out[i] += some[i]
                at += size
        nodes[:] = 0.0
        begin = 0
        for n in range(1, shape.order + 1):
            add_shorter(nodes, room.sums[begin : begin + width**n], shape, n)
            begin += width**n


@leaf
def add_shorter(nodes: Array, table: Array, shape: Shape, n: int) -> None:
    """Add values of the last n labels and states to the contexts that end with them."""
    n_codes, inner = shape.n_labels**shape.order, shape.states**shape.order
    codes, size = shape.n_labels**n, shape.states**n
    for c in range(n_codes):
        some, out = table[c % codes * size :], nodes[c * inner : (c + 1) * inner]
        for i in range(inner):
            out[i] += some[i % size]


@leaf
def sum_shorter(nodes: Array, table: Array, shape: Shape, n: int) -> None:
    """Put in a table the sums over the contexts that end with the same n labels and states."""
    n_codes, inner = shape.n_labels**shape.order, shape.states**shape.order
    codes, size = shape.n_labels**n, shape.states**n
    table[:] = 0.0
    for c in range(n_codes):
        out, some = table[c % codes * size :], nodes[c * inner : (c + 1) * inner]
        for i in range(inner):
            out[i % size] += some[i]


@leaf
def exponentiate(row: Array, halves: Array, bits: Array) -> float:
    """Exponentials in place, divided by the highest; the logarithm of that."""
    highest = float(row[0])
    for i in range(len(row)):
        highest = max(highest, row[i])
    for i in range(len(row)):
        row[i] -= highest
    write_exp(row, halves, bits)
    return highest


@leaf
def write_exponentials(n: int, room: Room) -> float:
    """Exponentials of the scores of n positions; the logarithm of their highest ones together."""
    taken = 0.0
    for t in range(n):
        taken += exponentiate(room.nodes[t], room.halves, room.bits)
        taken += exponentiate(room.arcs[t], room.halves, room.bits)
    return taken


@leaf
def spread_out(before: Array, states: int, spread: Array) -> None:
    """Write the value of each context for all arcs that leave it."""
    for p in range(len(before)):
        for a in range(states):
            spread[p * states + a] = before[p]


@summing
def add_arcs(after: Array, spread: Array, arcs: Array) -> None:
    """Add the values of arcs, times those of their beginnings, to the contexts of their ends."""
    size = len(after)
    for begin in range(0, len(arcs), size):
        values, some = spread[begin : begin + size], arcs[begin : begin + size]
        for q in range(size):
            after[q] += values[q] * some[q]


@summing
def normalize(row: Array) -> float:
    """Divide a row by its sum, which is returned."""
    total = 0.0
    for i in range(len(row)):
        total += row[i]
    share = 1.0 / total
    for i in range(len(row)):
        row[i] *= share
    return total


@leaf
def write_forward_sums(shape: Shape, n: int, room: Room) -> float:
    """Write scaled sums over the paths to each context; the sum of the logarithms of scales."""
    n_codes, inner = shape.n_labels**shape.order, shape.states**shape.order
    size, total = inner * shape.states, 0.0
    for t in range(n):
        alphas, nodes, arcs = room.alphas[t], room.nodes[t], room.arcs[t]
        alphas[:] = 0.0
        # At the first position every arc leaves the context before it, whose codes are 0.
        for b in range(n_codes if t else 1):
            if t:
                spread_out(
                    room.alphas[t - 1, b * inner : (b + 1) * inner], shape.states, room.spread
                )
            else:
                room.spread[:] = 0.0
                room.spread[: shape.states] = 1.0
            for y in range(shape.n_labels):
                code = b * shape.n_labels + y
                c = code % n_codes * inner
                add_arcs(alphas[c : c + inner], room.spread, arcs[code * size : (code + 1) * size])
        for i in range(len(alphas)):
            alphas[i] *= nodes[i]
        room.scales[t] = normalize(alphas)
        total += np.log(room.scales[t])
    return total


@summing
def expect_arcs(arcs: Array, spread: Array, values: Array, beta: Array, states: int) -> None:
    """Turn arcs with one code of labels into expectations, and add to beta what is behind them."""
    size = len(values)
    for begin in range(0, len(arcs), size):
        some = arcs[begin : begin + size]
        for q in range(size):
            some[q] *= values[q]
    for p in range(len(beta)):
        for a in range(states):
            beta[p] += arcs[p * states + a]
    for i in range(len(arcs)):
        arcs[i] *= spread[i]


@leaf
def write_expectations(shape: Shape, n: int, room: Room) -> None:
    """Put expectations in place of the exponentials of contexts and of arcs."""
    n_codes, inner = shape.n_labels**shape.order, shape.states**shape.order
    size, beta, values = inner * shape.states, room.beta, room.values
    beta[:] = 1.0
    for t in range(n - 1, -1, -1):
        alphas, nodes, arcs, share = room.alphas[t], room.nodes[t], room.arcs[t], room.scales[t]
        for i in range(len(beta)):
            values[i] = nodes[i] * beta[i] / share
            nodes[i] = alphas[i] * beta[i]
        if t == 0:
            break
        beta[:] = 0.0
        for b in range(n_codes):
            before = slice(b * inner, (b + 1) * inner)
            spread_out(room.alphas[t - 1, before], shape.states, room.spread)
            for y in range(shape.n_labels):
                code = b * shape.n_labels + y
                c = code % n_codes * inner
                expect_arcs(
                    arcs[code * size : (code + 1) * size], room.spread, values[c : c + inner],
                    beta[before], shape.states,
                )  # fmt: skip


@leaf
def write_gold_sums(shape: Shape, labels: Array, room: Room) -> float:
    """Write scaled sums over the hidden paths of given labels; the sum of logarithms of scales."""
    n_codes, inner = shape.n_labels**shape.order, shape.states**shape.order
    size, total, c = inner * shape.states, 0.0, 0
    for t in range(len(labels)):
        alphas, code = room.gold_alphas[t], c * shape.n_labels + labels[t]
        c = code % n_codes
        alphas[:] = 0.0
        if t:
            spread_out(room.gold_alphas[t - 1], shape.states, room.spread)
        else:
            room.spread[:] = 0.0
            room.spread[: shape.states] = 1.0
        add_arcs(alphas, room.spread, room.arcs[t, code * size : (code + 1) * size])
        for i in range(inner):
            alphas[i] *= room.nodes[t, c * inner + i]
        room.gold_scales[t] = normalize(alphas)
        total += np.log(room.gold_scales[t])
    return total


@leaf
def write_gold_expectations(shape: Shape, labels: Array, room: Room) -> None:
    """Write the expectations of contexts and arcs on the hidden paths of given labels."""
    n_codes, inner = shape.n_labels**shape.order, shape.states**shape.order
    size, beta, values = inner * shape.states, room.beta[:inner], room.values[:inner]
    c = 0
    for t in range(len(labels)):
        code = c * shape.n_labels + labels[t]
        c = code % n_codes
        for i in range(size):
            room.gold_arcs[t, i] = room.arcs[t, code * size + i]
        for i in range(inner):
            room.gold_nodes[t, i] = room.nodes[t, c * inner + i]
    beta[:] = 1.0
    for t in range(len(labels) - 1, -1, -1):
        nodes, alphas = room.gold_nodes[t], room.gold_alphas[t]
        for i in range(inner):
            values[i] = nodes[i] * beta[i] / room.gold_scales[t]
            nodes[i] = alphas[i] * beta[i]
        if t:
            beta[:] = 0.0
            spread_out(room.gold_alphas[t - 1], shape.states, room.spread)
            expect_arcs(room.gold_arcs[t], room.spread, values, beta, shape.states)


@leaf
def subtract_gold(shape: Shape, labels: Array, room: Room) -> None:
    """Take the expectations of the paths of given labels off those of all paths."""
    n_codes, inner = shape.n_labels**shape.order, shape.states**shape.order
    size, c = inner * shape.states, 0
    for t in range(len(labels)):
        code = c * shape.n_labels + labels[t]
        c = code % n_codes
        nodes, arcs = room.nodes[t, c * inner :], room.arcs[t, code * size :]
        for i in range(inner):
            nodes[i] -= room.gold_nodes[t, i]
        for i in range(size):
            arcs[i] -= room.gold_arcs[t, i]


@leaf
def add_expectations(
    target: Array, shape: Shape, grams: Grams, data: Data, s: int, room: Room
) -> None:
    """Add the expectations of contexts and arcs to the weights of the tests that are true there."""
    first, width = data.bounds[s], shape.n_labels * shape.states
    for t in range(first, data.bounds[s + 1]):
        nodes, arcs = room.nodes[t - first], room.arcs[t - first]
        begin = 0
        for n in range(1, shape.order + 1):
            sum_shorter(nodes, room.sums[begin : begin + width**n], shape, n)
            begin += width**n
        for k in range(data.starts[t], data.starts[t + 1]):
            test = data.tests[k]
            n = grams.sizes[test]
            table = arcs
            if n <= shape.order:
                begin = 0
                for j in range(1, n):
                    begin += width**j
                table = room.sums[begin : begin + width**n]
            size, at = shape.states**n, grams.firsts[test]
            for j in range(grams.starts[test], grams.starts[test + 1]):
                out, some = target[at : at + size], table[grams.codes[j] * size :]
                for i in range(size):
                    out[i] += some[i]
                at += size


@kernel
def add_gradient(
    weights: Array, shape: Shape, grams: Grams, data: Data, begin: int, end: int, room: Room,
    target: Array,
) -> float:  # fmt: skip
    """Add the slopes of -ln P of the labels of some sequences; return its sum."""
    found = 0.0
    for s in range(begin, end):
        labels = data.labels[data.bounds[s] : data.bounds[s + 1]]
        if len(labels):
            write_scores(weights, shape, grams, data, s, room)
            write_exponentials(len(labels), room)
            found -= write_gold_sums(shape, labels, room)
            write_gold_expectations(shape, labels, room)
            found += write_forward_sums(shape, len(labels), room)
            write_expectations(shape, len(labels), room)
            subtract_gold(shape, labels, room)
            add_expectations(target, shape, grams, data, s, room)
    return found


@kernel
def add_penalty(
    weights: Array, states: int, grams: Grams, rho2: float, apart: float, target: Array
) -> float:
    """Add the slopes of the penalty on squares to `target`; return the penalty.

    For each n-gram of labels it is rho2 / 2 (m^2 + apart sum (theta - m)^2), m the mean of the
    weights theta of its states.
    """
    found = 0.0
    for test in range(len(grams.sizes)):
        size, at = states ** grams.sizes[test], grams.firsts[test]
        for _ in range(grams.starts[test], grams.starts[test + 1]):
            mean = 0.0
            for i in range(at, at + size):
                mean += weights[i] / size
            found += mean * mean
            for i in range(at, at + size):
                off = weights[i] - mean
                found += apart * off * off
                target[i] += rho2 * (mean / size + apart * off)
            at += size
    return rho2 / 2.0 * found


@kernel
def write_surprises(
    weights: Array, shape: Shape, grams: Grams, data: Data, begin: int, end: int, room: Room,
    found: Array,
) -> None:  # fmt: skip
    """Write -ln P of the labels of each sequence."""
    for s in range(begin, end):
        labels = data.labels[data.bounds[s] : data.bounds[s + 1]]
        if len(labels):
            write_scores(weights, shape, grams, data, s, room)
            write_exponentials(len(labels), room)
            found[s] = write_forward_sums(shape, len(labels), room)
            found[s] -= write_gold_sums(shape, labels, room)


@kernel
def write_probabilities(
    weights: Array, shape: Shape, grams: Grams, data: Data, begin: int, end: int, room: Room,
    found: Array,
) -> None:  # fmt: skip
    """Write the probability of each label and state at each position."""
    width = shape.n_labels * shape.states
    for s in range(begin, end):
        first, n = data.bounds[s], data.bounds[s + 1] - data.bounds[s]
        write_scores(weights, shape, grams, data, s, room)
        write_exponentials(n, room)
        write_forward_sums(shape, n, room)
        write_expectations(shape, n, room)
        for t in range(n):
            sum_shorter(room.nodes[t], found[first + t, :width], shape, 1)
