"""Kernels of semi-Markov fields: scores of segments, sums over segmentations, and expectations.

With m_t(p, y) the exponential of the score of a class y that begins at boundary t behind a
preceding class p, and g(t, u, y) that of the segment from t to u itself,

    alpha_u(s') = sum over segments (t, u, y) of g(t, u, y) sum_s alpha_t(s) m_t(p(s), y)

The inner sum is computed once for all phrases of a class that begin at t, for they end in one
state. The score of a segment is that of its begin and its end, each summed once for a token, of
differences of sums over the tokens before, and of the features of the segment as a whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.learners.semimarkov.arrays import (
    BEGIN,
    EACH,
    END,
    IN,
    PRECEDING,
    Data,
    Features,
    Room,
    States,
)

write_exp = sibling(__name__, "glyphone.data.kernels.exponentials").write_exp

Array = Any
# The score of a segment that may not be.
NEVER = -1e300


@leaf
def write_token_scores(
    weights: Array, features: Features, data: Data, s: int, room: Room
) -> None:  # fmt: skip
    """Write the summed weights of the features of each token of a sentence."""
    first = data.bounds[s]
    for t in range(data.bounds[s + 1] - first):
        for role in range(len(room.tables)):
            room.tables[role, t] = 0.0
        room.moves[t] = 0.0
        for k in range(data.starts[first + t], data.starts[first + t + 1]):
            test = data.tests[k]
            role = features.roles[test]
            row = room.moves[t] if role == PRECEDING else room.tables[role, t]
            for j in range(features.starts[test], features.starts[test + 1]):
                row[features.codes[j]] += weights[j]


@leaf
def add_sums_before(n: int, room: Room) -> None:
    """Add to begins and ends the sums over inner and over all tokens before them.

    Of a segment, that at its end less that at its begin is the sum over its tokens; a segment of
    one token gets its inner score once too little.
    """
    inner, each = room.sums[0], room.sums[1]
    room.sums[:] = 0.0
    for t in range(n):
        for c in range(len(inner)):
            room.tables[END, t, c] += inner[c]
            room.tables[BEGIN, t, c] -= each[c]
            inner[c] += room.tables[IN, t, c]
            each[c] += room.tables[EACH, t, c]
            room.tables[END, t, c] += each[c]
            room.tables[BEGIN, t, c] -= inner[c]


@leaf
def write_scores(
    weights: Array, features: Features, data: Data, s: int, room: Room
) -> None:  # fmt: skip
    """Write the scores of the candidates of a sentence, but for those of preceding classes."""
    first, last = data.bounds[s], data.bounds[s + 1]
    write_token_scores(weights, features, data, s, room)
    add_sums_before(last - first, room)
    before = data.firsts[first]
    for t in range(last - first):
        ends = room.tables[END, t]
        for j in range(data.firsts[first + t], data.firsts[first + t + 1]):
            row, begins = room.scores[j - before], room.tables[BEGIN, data.begins[j] - first]
            for c in range(len(row)):
                row[c] = begins[c] + ends[c]
            for k in range(data.segment_starts[j], data.segment_starts[j + 1]):
                test = data.segment_tests[k]
                for i in range(features.starts[test], features.starts[test + 1]):
                    row[features.codes[i]] += weights[i]
            if data.begins[j] < first + t:
                row[0] = NEVER
                continue
            for c in range(len(row)):
                row[c] += room.tables[IN, t, c]
                if c and not data.open[j]:
                    row[c] = NEVER


@leaf
def score_gold(features: Features, states: States, data: Data, s: int, room: Room) -> float:
    """The score of the segments that are right."""
    first, before, state, total = data.bounds[s], data.firsts[data.bounds[s]], 0, 0.0
    for j in range(before, data.firsts[data.bounds[s + 1]]):
        y = data.gold[j]
        if y >= 0:
            code = y * features.n_preceding + states.preceding[state]
            total += room.scores[j - before, y] + room.moves[data.begins[j] - first, code]
            state = states.entered[y] if y else states.kept[state]
    return total


@leaf
def write_inflow(features: Features, states: States, t: int, room: Room) -> None:
    """Write the sums over ways to a token and on to each class that begins there."""
    moves, alphas, n_preceding = room.moves[t], room.alphas[t], features.n_preceding
    highest = float(moves[0])
    for i in range(len(moves)):
        highest = max(highest, moves[i])
    for i in range(len(moves)):
        moves[i] -= highest
    write_exp(moves, room.halves, room.bits)
    room.logs[t] += highest
    for y in range(features.n_classes):
        total = 0.0
        for s in range(len(alphas)):
            total += alphas[s] * moves[y * n_preceding + states.preceding[s]]
        room.inflow[t, y] = total


@leaf
def exponentiate_block(begin: int, end: int, begins: Array, first: int, room: Room) -> float:
    """Put exponentials in place of the scores of candidates with one end, each times the sums of
    the ways to its begin; the logarithm of the factor that they are divided by.
    """
    block, highest = room.scores[begin:end], -np.inf
    for j in range(len(block)):
        log = room.logs[begins[j] - first]
        for c in range(block.shape[1]):
            block[j, c] += log
            highest = max(highest, block[j, c])
    width = block.shape[1]
    flat = room.flat[begin * width : end * width]
    for i in range(len(flat)):
        flat[i] -= highest
    write_exp(flat, room.halves, room.bits)
    return highest


@leaf
def write_forward_sums(
    features: Features, states: States, data: Data, s: int, room: Room
) -> float:  # fmt: skip
    """Write sums over the ways to each node; ln Z."""
    first, before = data.bounds[s], data.firsts[data.bounds[s]]
    room.alphas[0] = 0.0
    room.alphas[0, 0] = 1.0
    room.logs[0] = 0.0
    n = data.bounds[s + 1] - first
    for t in range(n):
        write_inflow(features, states, t, room)
        begin, end = data.firsts[first + t], data.firsts[first + t + 1]
        block, begins = room.scores[begin - before : end - before], data.begins[begin:end]
        highest = exponentiate_block(begin - before, end - before, begins, first, room)
        alphas, after = room.alphas[t], room.alphas[t + 1]
        after[:] = 0.0
        for state in range(len(alphas)):
            move = room.moves[t, states.preceding[state]]
            after[states.kept[state]] += alphas[state] * move * block[0, 0]
        for j in range(len(block)):
            inflow = room.inflow[begins[j] - first]
            for y in range(1, features.n_classes):
                after[states.entered[y]] += inflow[y] * block[j, y]
        total = 0.0
        for state in range(len(after)):
            total += after[state]
        share = 1.0 / total
        for state in range(len(after)):
            after[state] *= share
        room.totals[t] = total
        room.logs[t + 1] = highest + np.log(total)
    return float(room.logs[n])


@leaf
def write_expectations(
    features: Features, states: States, data: Data, s: int, room: Room
) -> None:  # fmt: skip
    """Put the probabilities of candidates, and of classes with preceding ones, in place of their
    exponentials.
    """
    first, before = data.bounds[s], data.firsts[data.bounds[s]]
    n = data.bounds[s + 1] - first
    room.betas[n] = 1.0
    for t in range(n):
        room.outflow[t] = 0.0
    for t in range(n - 1, -1, -1):
        begin, end = data.firsts[first + t], data.firsts[first + t + 1]
        block, begins = room.scores[begin - before : end - before], data.begins[begin:end]
        share, betas = 1.0 / room.totals[t], room.betas[t + 1]
        outside = 0.0
        for state in range(len(betas)):
            kept = block[0, 0] * share * betas[states.kept[state]]
            room.kept[t, state] = kept
            outside += room.alphas[t, state] * room.moves[t, states.preceding[state]] * kept
        for j in range(len(block)):
            b = begins[j] - first
            inflow, outflow = room.inflow[b], room.outflow[b]
            for y in range(1, features.n_classes):
                found = block[j, y] * share * betas[states.entered[y]]
                outflow[y] += found
                block[j, y] = inflow[y] * found
        block[0, 0] = outside
        write_node_expectations(features, states, t, room)


@leaf
def write_node_expectations(features: Features, states: States, t: int, room: Room) -> None:
    """Write the sums over ways from the nodes of a boundary; put probabilities in place of the
    exponentials of classes with preceding ones.
    """
    moves, outflow, n_preceding = room.moves[t], room.outflow[t], features.n_preceding
    for state in range(len(states.preceding)):
        p = states.preceding[state]
        found = moves[p] * room.kept[t, state]
        for y in range(1, features.n_classes):
            found += moves[y * n_preceding + p] * outflow[y]
        room.betas[t, state] = found
    for p in range(n_preceding):
        ways = behind = 0.0
        for state in range(len(states.preceding)):
            if states.preceding[state] == p:
                ways += room.alphas[t, state]
                behind += room.alphas[t, state] * room.kept[t, state]
        moves[p] *= behind
        for y in range(1, features.n_classes):
            moves[y * n_preceding + p] *= ways * outflow[y]


@leaf
def subtract_gold(features: Features, states: States, data: Data, s: int, room: Room) -> None:
    """Take the segments that are right off the expectations."""
    first, before, state = data.bounds[s], data.firsts[data.bounds[s]], 0
    for j in range(before, data.firsts[data.bounds[s + 1]]):
        y = data.gold[j]
        if y >= 0:
            code = y * features.n_preceding + states.preceding[state]
            room.scores[j - before, y] -= 1.0
            room.moves[data.begins[j] - first, code] -= 1.0
            state = states.entered[y] if y else states.kept[state]


@leaf
def write_token_expectations(data: Data, s: int, room: Room) -> None:
    """Write to the tables how often segments of each class begin, end, and go on at a token."""
    first, before = data.bounds[s], data.firsts[data.bounds[s]]
    n = data.bounds[s + 1] - first
    for t in range(n):
        room.tables[BEGIN, t] = 0.0
        room.tables[END, t] = 0.0
    for t in range(n):
        ends = room.tables[END, t]
        for j in range(data.firsts[first + t], data.firsts[first + t + 1]):
            row, begins = room.scores[j - before], room.tables[BEGIN, data.begins[j] - first]
            for c in range(len(row)):
                begins[c] += row[c]
                ends[c] += row[c]
                if data.begins[j] == first + t:
                    room.units[t, c] = row[c]
    over = room.sums[0]
    over[:] = 0.0
    for t in range(n):
        begins, ends = room.tables[BEGIN, t], room.tables[END, t]
        for c in range(len(over)):
            over[c] += begins[c]
            room.tables[EACH, t, c] = over[c]
            room.tables[IN, t, c] = over[c] - begins[c] - ends[c] + room.units[t, c]
            over[c] -= ends[c]


@leaf
def add_expectations(
    target: Array, features: Features, data: Data, s: int, room: Room
) -> None:  # fmt: skip
    """Add expectations to the slopes of the weights of features."""
    first, last = data.bounds[s], data.bounds[s + 1]
    write_token_expectations(data, s, room)
    for t in range(last - first):
        for k in range(data.starts[first + t], data.starts[first + t + 1]):
            test = data.tests[k]
            role = features.roles[test]
            row = room.moves[t] if role == PRECEDING else room.tables[role, t]
            for j in range(features.starts[test], features.starts[test + 1]):
                target[j] += row[features.codes[j]]
    before = data.firsts[first]
    for j in range(before, data.firsts[last]):
        row = room.scores[j - before]
        for k in range(data.segment_starts[j], data.segment_starts[j + 1]):
            test = data.segment_tests[k]
            for i in range(features.starts[test], features.starts[test + 1]):
                target[i] += row[features.codes[i]]


@kernel
def add_gradient(
    weights: Array, features: Features, states: States, data: Data, begin: int, end: int,
    room: Room, target: Array,
) -> float:  # fmt: skip
    """Add the slopes of -ln P of the right segments of some sentences; return its sum."""
    found = 0.0
    for s in range(begin, end):
        if data.bounds[s] < data.bounds[s + 1]:
            write_scores(weights, features, data, s, room)
            found -= score_gold(features, states, data, s, room)
            found += write_forward_sums(features, states, data, s, room)
            write_expectations(features, states, data, s, room)
            subtract_gold(features, states, data, s, room)
            add_expectations(target, features, data, s, room)
    return found


@kernel
def write_surprises(
    weights: Array, features: Features, states: States, data: Data, begin: int, end: int,
    room: Room, found: Array,
) -> None:  # fmt: skip
    """Write -ln P of the right segments of each sentence."""
    for s in range(begin, end):
        if data.bounds[s] < data.bounds[s + 1]:
            write_scores(weights, features, data, s, room)
            gold = score_gold(features, states, data, s, room)
            found[s] = write_forward_sums(features, states, data, s, room) - gold


@kernel
def write_probabilities(
    weights: Array, features: Features, states: States, data: Data, begin: int, end: int,
    room: Room, found: Array,
) -> None:  # fmt: skip
    """Write the probability of each class of each candidate."""
    for s in range(begin, end):
        before, n = data.firsts[data.bounds[s]], data.firsts[data.bounds[s + 1]]
        write_scores(weights, features, data, s, room)
        write_forward_sums(features, states, data, s, room)
        write_expectations(features, states, data, s, room)
        for j in range(before, n):
            for y in range(features.n_classes):
                found[j, y] = room.scores[j - before, y]
