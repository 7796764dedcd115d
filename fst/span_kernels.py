"""Kernels: every stretch of a long sequence that some machines accept, and what each is worth.

A span is a machine, a first and a last token. Its cost is the negative logarithm of the sum over
all ways to read it; a gate, deterministic, reads what a machine writes and adds its own cost at the
end. Spans are at most `longest` tokens long, so the time is linear in the sequence.

Together, spans and tokens that belong to none are segmentations of the sequence, each as likely as
exp(-(costs of its spans + costs of the tokens left over)). The posterior of a span is its share of
all segmentations, by the forward and backward sums of a semi-Markov model (Sarawagi and Cohen
2004).

>>> costs = np.array([0.5, 0.5, 1.0])
>>> begins, ends = np.array([0, 0, 1]), np.array([1, 2, 2])
>>> found, bounds = shares(np.zeros(2), np.zeros(2, bool), begins, ends, costs)
>>> found.round(3).tolist(), bounds.round(3).tolist()
([0.296, 0.216, 0.211], [1.0, 0.784, 1.0])
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.jit import inlined, kernel, sibling

growing = sibling(__name__, "glyphone.fst.growing")
log_add = sibling(__name__, "glyphone.fst.lattice_sums").log_add

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
    """What may be written: steps[state, label] is a state or NOWHERE; machine k is read from
    starts[k] on."""

    starts: Array
    steps: Array
    finals: Array


@inlined
def passed(readers: Readers, gate: Gate, arc: int, state: int) -> int:
    """The state of the gate after what an arc writes."""
    for place in range(readers.written[arc], readers.written[arc + 1]):
        if state != NOWHERE:
            state = gate.steps[state, readers.outputs[place]]
    return state


@inlined
def step(
    readers: Readers,
    gate: Gate,
    label: int,
    states: Array,
    masses: Array,
    n: int,
    after: Array,
    sums: Array,
) -> tuple[Array, Array, int]:
    """The pairs of states, with their masses, that one more token leads to; they are written into
    `after` and `sums`, or into larger arrays."""
    n_after = 0
    for place in range(n):
        state = states[place, 0]
        for arc in range(readers.arcs[state, label], readers.arcs[state, label + 1]):
            position = passed(readers, gate, arc, states[place, 1])
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
                        after, sums = growing.doubled(after), growing.doubled(sums)
                    after[n_after, 0], after[n_after, 1] = target, position
                    sums[n_after] = mass
                    n_after += 1
    return after, sums, n_after


@kernel
def spans(
    readers: Readers, gate: Gate, labels: Array, begins: Array, cuts: Array, longest: int
) -> tuple[Array, Array]:
    """Rows of (begin, end, machine) in this order, and their costs.

    Spans begin where begins[token] is true, and end before a token for which cuts[token] is, the
    first of what the user calls a word.
    """
    found, costs, n_found = np.empty((64, 3), np.int64), np.empty(64), 0
    states, masses = np.empty((8, 2), np.int64), np.empty(8)
    after, sums = np.empty((8, 2), np.int64), np.empty(8)
    for begin in range(len(labels)):
        if not begins[begin]:
            continue
        first_found = n_found
        for machine in range(len(readers.starts)):
            start, label = readers.starts[machine], labels[begin]
            if readers.arcs[start, label] == readers.arcs[start, label + 1]:
                continue
            states[0, 0], states[0, 1] = start, gate.starts[machine]
            masses[0], n = 0.0, 1
            place = begin
            while n > 0 and place < len(labels) and place < begin + longest:
                after, sums, n = step(readers, gate, labels[place], states, masses, n, after, sums)
                states, masses, after, sums = after, sums, states, masses
                place += 1
                if place < len(labels) and not cuts[place]:
                    continue
                total = INFINITY
                for k in range(n):
                    ending = readers.finals[states[k, 0]] + gate.finals[states[k, 1]]
                    total = log_add(total, masses[k] + ending)
                if total < INFINITY:
                    if n_found == len(costs):
                        found, costs = growing.doubled(found), growing.doubled(costs)
                    growing.put(found, n_found, (begin, place, machine))
                    costs[n_found] = total
                    n_found += 1
        if n_found > first_found + 1:
            order = np.argsort(found[first_found:n_found, 1], kind="mergesort")
            found[first_found:n_found] = found[first_found:n_found][order]
            costs[first_found:n_found] = costs[first_found:n_found][order]
    return found[:n_found], costs[:n_found]


@kernel
def shares(
    skips: Array, fences: Array, begins: Array, ends: Array, costs: Array
) -> tuple[Array, Array]:
    """The posterior of each span, sorted by where they begin, and that of a bound before each
    token and behind the last; skips[i] is the cost of token i where it belongs to none.

    No span has a token for which `fences` is true. What is between two of them is summed by itself,
    so that it is the same to the last bit whatever stands around.
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
