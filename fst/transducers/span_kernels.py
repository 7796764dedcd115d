"""Kernels: every stretch of a long sequence that some machines accept, its cost and its posterior.

A span is a machine, a first and a last token. Its cost is the negative logarithm of the sum over
all ways to read it; a gate, deterministic, reads what a machine writes and adds its own cost at the
end. Spans are at most `longest` tokens long, so the time is linear in the sequence.

Together, spans and tokens that belong to none are segmentations of the sequence, each as likely as
exp(-(costs of its spans + costs of the tokens left over)). The posterior of a span is its share of
all segmentations, by the forward and backward sums of a semi-Markov model (Sarawagi and Cohen
2004).

>>> costs = np.array([0.5, 0.5, 1.0])
>>> begins, ends = np.array([0, 0, 1]), np.array([1, 2, 2])
>>> found, bounds = span_posteriors(np.zeros(2), np.zeros(2, bool), begins, ends, costs)
>>> found.round(3).tolist(), bounds.round(3).tolist()
([0.296, 0.216, 0.211], [1.0, 0.784, 1.0])
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, leaf, sibling

kernel_arrays = sibling(__name__, "glyphone.data.kernels.arrays")
log_add = sibling(__name__, "glyphone.fst.lattices.sum_kernels").log_add

Array = Any
INFINITY = np.inf
NOWHERE = -1


class Readers(NamedTuple):
    """Machines without epsilons on their input, end to end; the k-th starts at starts[k].

    The arcs of a state by label are arcs[state, label] up to arcs[state, label + 1]; arc a writes
    outputs[written[a]:written[a + 1]].
    """

    starts: Array
    arcs: Array
    targets: Array
    weights: Array
    written: Array
    outputs: Array
    finals: Array


class Gate(NamedTuple):
    """An automaton of allowed outputs: steps[state, label] is a state or NOWHERE; outputs of
    machine k are read from starts[k] on."""

    starts: Array
    steps: Array
    finals: Array


@inlined
def gate_state(readers: Readers, gate: Gate, arc: int, state: int) -> int:
    """The state of the gate after the labels that an arc writes."""
    for place in range(readers.written[arc], readers.written[arc + 1]):
        if state != NOWHERE:
            state = gate.steps[state, readers.outputs[place]]
    return state


@inlined
def read_token(
    readers: Readers,
    gate: Gate,
    label: int,
    states: Array,
    masses: Array,
    n: int,
    after: Array,
    sums: Array,
) -> tuple[Array, Array, int]:
    """The pairs of states, with their masses, that one more token leads to, and their number.

    They are written into `after` and `sums`, or into larger arrays.
    """
    n_after = 0
    for place in range(n):
        state = states[place, 0]
        for arc in range(readers.arcs[state, label], readers.arcs[state, label + 1]):
            position = gate_state(readers, gate, arc, states[place, 1])
            if position != NOWHERE:
                target, mass = readers.targets[arc], masses[place] + readers.weights[arc]
                known = 0
                while known < n_after and (
                    after[known, 0] != target or after[known, 1] != position
                ):
                    known += 1
                if known < n_after:
                    sums[known] = log_add(sums[known], mass)
                else:
                    if n_after == len(sums):
                        after, sums = (
                            kernel_arrays.doubled_rows(after),
                            kernel_arrays.doubled_rows(sums),
                        )
                    after[n_after, 0], after[n_after, 1] = target, position
                    sums[n_after] = mass
                    n_after += 1
    return after, sums, n_after


@leaf
def read_alone(
    readers: Readers,
    gate: Gate,
    labels: Array,
    cuts: Array,
    begin: int,
    last: int,
    states: Array,
    masses: Array,
    stops: Array,
    totals: Array,
) -> tuple[int, int, int]:
    """Read tokens as long as there is one pair of states and one way on, the usual case.

    Returns the number of ends found, the next token, and whether there are several ways on with it.
    """
    state, position, mass = states[0, 0], states[0, 1], masses[0]
    place, n_ends, several = begin, 0, 0
    while place < last:
        arc = readers.arcs[state, labels[place]]
        several = readers.arcs[state, labels[place] + 1] - arc
        if several != 1:
            break
        for written in range(readers.written[arc], readers.written[arc + 1]):
            if position != NOWHERE:
                position = gate.steps[position, readers.outputs[written]]
        if position == NOWHERE:
            break
        state, mass = readers.targets[arc], mass + readers.weights[arc]
        place += 1
        if place == len(labels) or cuts[place]:
            total = mass + readers.finals[state] + gate.finals[position]
            if total < INFINITY:
                stops[n_ends], totals[n_ends] = place, total
                n_ends += 1
    states[0, 0], states[0, 1], masses[0] = state, position, mass
    return n_ends, place, int(place < last and several > 1)


@leaf
def sort_by_end(rows: Array, costs: Array, first: int, n: int) -> None:
    """Sort a few rows by their ends, by insertion; rows with equal ends stay in order."""
    for place in range(first + 1, n):
        end, machine, cost, k = rows[place, 1], rows[place, 2], costs[place], place
        while k > first and rows[k - 1, 1] > end:
            rows[k, 1], rows[k, 2], costs[k] = rows[k - 1, 1], rows[k - 1, 2], costs[k - 1]
            k -= 1
        rows[k, 1], rows[k, 2], costs[k] = end, machine, cost


@kernel
def accepted_spans(
    readers: Readers, gate: Gate, labels: Array, begins: Array, cuts: Array, longest: int
) -> tuple[Array, Array]:
    """Rows of (begin, end, machine) in this order, and their costs.

    Spans begin where begins[token] is true, and end before a token for which cuts[token] is, the
    first token of a user's word.
    """
    found, costs, n_found = np.empty((64, 3), np.int64), np.empty(64), 0
    states, masses = np.empty((8, 2), np.int64), np.empty(8)
    after, sums = np.empty((8, 2), np.int64), np.empty(8)
    stops, totals = np.empty(longest, np.int64), np.empty(longest)
    for begin in range(len(labels)):
        if not begins[begin]:
            continue
        first_found = n_found
        for machine in range(len(readers.starts)):
            start, label = readers.starts[machine], labels[begin]
            if readers.arcs[start, label] == readers.arcs[start, label + 1]:
                continue
            states[0, 0], states[0, 1], masses[0] = start, gate.starts[machine], 0.0
            last = min(begin + longest, len(labels))
            n_ends, place, n = read_alone(
                readers, gate, labels, cuts, begin, last, states, masses, stops, totals
            )
            while n > 0 and place < last:
                after, sums, n = read_token(
                    readers, gate, labels[place], states, masses, n, after, sums
                )
                states, masses, after, sums = after, sums, states, masses
                place += 1
                if place < len(labels) and not cuts[place]:
                    continue
                total = INFINITY
                for k in range(n):
                    ending = readers.finals[states[k, 0]] + gate.finals[states[k, 1]]
                    total = log_add(total, masses[k] + ending)
                if total < INFINITY:
                    stops[n_ends], totals[n_ends] = place, total
                    n_ends += 1
            while n_found + n_ends > len(costs):
                found, costs = kernel_arrays.doubled_rows(found), kernel_arrays.doubled_rows(costs)
            for k in range(n_ends):
                kernel_arrays.write_row(found, n_found, (begin, stops[k], machine))
                costs[n_found] = totals[k]
                n_found += 1
        sort_by_end(found, costs, first_found, n_found)
    return found[:n_found], costs[:n_found]


@kernel
def span_posteriors(
    skips: Array, fences: Array, begins: Array, ends: Array, costs: Array
) -> tuple[Array, Array]:
    """The posterior of each span, sorted by begin, and that of a bound before each token and behind
    the last.

    skips[i] is the cost of token i where it belongs to no span. No span has a token for which
    `fences` is true. The tokens between two fences are summed by themselves, so that their
    posteriors are the same to the last bit whatever stands around.
    """
    n = len(skips)
    before, behind = np.full(n + 1, INFINITY), np.full(n + 1, INFINITY)
    before[0] = behind[n] = 0.0
    row = 0
    for place in range(n):
        if fences[place]:
            before[place + 1] = 0.0
            continue
        before[place + 1] = log_add(before[place + 1], before[place] + skips[place])
        while row < len(costs) and begins[row] == place:
            before[ends[row]] = log_add(before[ends[row]], before[place] + costs[row])
            row += 1
    row = len(costs) - 1
    for place in range(n - 1, -1, -1):
        if fences[place]:
            behind[place] = 0.0
            continue
        behind[place] = behind[place + 1] + skips[place]
        while row >= 0 and begins[row] == place:
            behind[place] = log_add(behind[place], costs[row] + behind[ends[row]])
            row -= 1
    found, bounds = np.empty(len(costs)), np.empty(n + 1)
    total, row = behind[0], 0
    for place in range(n + 1):
        if place > 0 and fences[place - 1]:
            total = behind[place]
        bounds[place] = math.exp(total - before[place] - behind[place])
        while row < len(costs) and begins[row] == place:
            found[row] = math.exp(total - before[place] - costs[row] - behind[ends[row]])
            row += 1
    return found, bounds
