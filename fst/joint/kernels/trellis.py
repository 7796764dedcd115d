"""Kernels: the trellis of a string, which has its best units and the sums over all.

A unit reads a chunk of the source and writes a chunk of the target; an n-gram model says how
probable a sequence of units is. Row j * layers + k has a node for every n-gram state that units for
the first j symbols lead to, the last k of which read nothing. There is one layer only if all units
read something. A node has

    best(node) = max of P(units so far)        mass(node) = sum of P(units so far)

divided by the greatest best and the greatest mass of the row, whose -ln are in `scales`: in a long
string the two drift apart further than a number can say. A node is extended by the units of the
next chunk, which stand together in the order of tokens; those that its state does not list are
looked for in the states that it backs off to.

`keep` is the share of the greatest best below which a node is not extended; at 0 nothing is lost.

>>> chunk_of(np.array([5]), 4, np.array([1, 1]), 0, 2)
4
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, leaf, sibling
from glyphone.fst.joint.kernels.arrays import MARKS, Arcs, Context, Joint, Trellis, TrellisScratch

joint_arrays = sibling(__name__, "glyphone.fst.joint.kernels.arrays")
chunk_bit, rows_before = joint_arrays.chunk_bit, joint_arrays.rows_before
window_kernels = sibling(__name__, "glyphone.fst.context.window_kernels")

Array = Any
NO_ROOM = -2
# The share of a probability at which another is equal to it: factors in another order round to it.
ALIKE = 1 - 1e-9


@leaf
def chunk_of(longer: Array, n_labels: int, string: Array, begin: int, end: int) -> int:
    """The chunk string[begin:end]; a last one, which no unit reads, stands for all unknown
    chunks."""
    chunk = int(string[begin]) if begin < end else 0
    for place in range(begin + 1, end):
        key = chunk * n_labels + int(string[place])
        found = int(np.searchsorted(longer, key))
        if found == len(longer) or longer[found] != key:
            return n_labels + len(longer)
        chunk = n_labels + found
    return chunk


@kernel
def context_of(joint: Joint, string: Array, reach: float) -> Context:
    """The factors of windows for all units at all places of a string; see Beam for `reach`."""
    if len(joint.windows.starts) == 0:
        return Context(np.ones(len(joint.written)), np.zeros(len(string) + 1, np.int64))
    return Context(
        *window_kernels.unit_factors(joint.windows, string, joint.firsts, joint.strength, reach)
    )


@inlined
def first_arc(tokens: Array, arc: int, limit: int, unit: int) -> int:
    """The first of some sorted arcs whose unit is not below a given one; most states have few."""
    if limit - arc < 9:
        while arc < limit and tokens[arc] < unit:
            arc += 1
        return arc
    high = limit
    while arc < high:
        middle = (arc + high) >> 1
        if tokens[middle] < unit:
            arc = middle + 1
        else:
            high = middle
    return arc


class UnitOptions(NamedTuple):
    """The units that read one chunk, low to high, `n_open` of which windows allow at its place.

    `bit` is that of the chunk in the masks of states; context.shares has the units from `shift` on.
    """

    low: int
    high: int
    bit: int
    shift: int
    n_open: int


@leaf
def fill_trellis(
    joint: Joint,
    string: Array,
    context: Context,
    keep: float,
    trellis: Trellis,
    arcs: Arcs,
    scratch: TrellisScratch,
    bounds: Array,
    scales: Array,
    tops: Array,
) -> int:
    """Fill the trellis of a string, whose row r has the nodes bounds[r] to bounds[r + 1].

    Returns the number of arcs, or NO_ROOM if the trellis or the arcs are too small.
    """
    start_row(joint, trellis, bounds, scales, tops)
    n, n_arcs = 1, 0
    for row in range(1, len(scales)):
        scratch.counters[0] += 1
        into, first_recorded, reference, floor = n, n_arcs, -1, 0.0
        nearest, farthest = rows_before(row, joint.layers, joint.longest)
        for source in range(nearest, farthest - 1, -1):
            n_nodes = bounds[source + 1] - bounds[source]
            if n_nodes == 0:
                continue
            begin, end = source // joint.layers, row // joint.layers
            options = unit_options(joint, context, string, begin, end)
            most = n_nodes * (options.high - options.low)
            if most == 0:
                continue
            room = min(n + most, into + len(joint.backoffs)) <= len(trellis.states)
            if not room or (len(arcs.sources) > 0 and n_arcs + most > len(arcs.sources)):
                return NO_ROOM
            reference = source if reference < 0 else reference
            scale = mass_scale = 1.0
            if source != reference:
                scale = math.exp(scales[reference, 0] - scales[source, 0])
                mass_scale = math.exp(scales[reference, 1] - scales[source, 1])
            # The best node goes first: the floor rises early, and fewer nodes are made in vain.
            for turn in range(bounds[source] - 1, bounds[source + 1]):
                node = tops[source] if turn < bounds[source] else turn
                if turn != tops[source] and trellis.bests[node] >= keep:
                    n, n_arcs, floor = extend_node(
                        joint, context, options, keep, trellis, arcs, scratch,
                        node, scale, mass_scale, n, n_arcs, floor,
                    )  # fmt: skip
        bounds[row + 1] = n
        if n > into:
            bests, masses = trellis.bests[into:n], trellis.masses[into:n]
            top, mass = normalise_row(bests, masses, scales, reference, row)
            tops[row] = into + top
            for arc in range(first_recorded, n_arcs):
                arcs.masses[arc] *= 1 / mass
    return n_arcs


@leaf
def start_row(joint: Joint, trellis: Trellis, bounds: Array, scales: Array, tops: Array) -> None:
    """Write row 0, which has one node, in the start state."""
    trellis.states[0], trellis.before[0], trellis.units[0] = joint.start, -1, -1
    trellis.bests[0], trellis.masses[0], trellis.ties[0] = 1.0, 1.0, False
    trellis.others[0], trellis.known[0] = -1, joint.masks[joint.start]
    bounds[0], bounds[1], tops[0], scales[0] = 0, 1, 0, 0.0


@leaf
def unit_options(
    joint: Joint, context: Context, string: Array, begin: int, end: int
) -> UnitOptions:
    """The units that read string[begin:end]."""
    chunk = chunk_of(joint.longer, joint.n_labels, string, begin, end)
    low, high, shift = joint.firsts[chunk], joint.firsts[chunk + 1], context.shifts[begin]
    n_open = 0
    for share in context.shares[shift + low : shift + high]:
        n_open += int(share > 0)
    return UnitOptions(low, high, chunk_bit(chunk), shift, n_open)


@leaf
def extend_node(
    joint: Joint,
    context: Context,
    options: UnitOptions,
    keep: float,
    trellis: Trellis,
    arcs: Arcs,
    scratch: TrellisScratch,
    node: int,
    scale: float,
    mass_scale: float,
    n: int,
    n_arcs: int,
    floor: float,
) -> tuple[int, int, float]:
    """Extend a node by each unit of its state, and of the states that it backs off to, the first
    time that the unit is met; return the new numbers of nodes and arcs, and the floor."""
    tokens, probs, ranked, seen = joint.tokens, joint.probs, joint.ranked, scratch.seen
    n_ranked, record = len(ranked), len(arcs.sources) > 0
    best, mass = trellis.bests[node] * scale, trellis.masses[node] * mass_scale
    state, mask, left = trellis.states[node], trellis.known[node], options.n_open
    scratch.counters[1] += 1
    walk = scratch.counters[1]
    while left > 0 and best >= floor:
        arc, limit = options.low, options.high
        if state != 0:
            arc = limit = joint.offsets[state + 1]
            if mask & options.bit != 0:
                arc = first_arc(tokens, joint.offsets[state], limit, options.low)
        while arc < limit and left > 0:
            place = ranked[arc] if arc < n_ranked else arc
            unit = tokens[place]
            if unit >= options.high:
                break
            if arc < n_ranked and best * probs[place] < floor:
                if state != 0:
                    mark_seen(tokens, ranked[arc:limit], options.high, seen, walk)
                break
            arc += 1
            share = context.shares[options.shift + unit]
            if share == 0 or seen[unit] == walk:
                continue
            seen[unit] = walk
            left -= 1
            prob = probs[place] * share
            reached = best * prob
            if reached < floor or reached == 0.0:
                continue
            other = reach_node(
                joint, trellis, scratch, joint.targets[place], node, unit, reached, mass * prob, n
            )
            n = max(n, other + 1)
            floor = max(floor, keep * reached)
            if record:
                arcs.sources[n_arcs], arcs.targets[n_arcs] = node, other
                arcs.units[n_arcs] = unit
                arcs.probs[n_arcs] = reached / (trellis.bests[node] * scale)
                arcs.masses[n_arcs] = mass * prob
                n_arcs += 1
        if state == 0:
            break
        best, mass = best * joint.backoffs[state], mass * joint.backoffs[state]
        state = joint.backoff_states[state]
        mask = joint.masks[state]
    return n, n_arcs, floor


@leaf
def mark_seen(tokens: Array, ranked: Array, limit: int, seen: Array, walk: int) -> None:
    """Mark the units of the arcs of a state that stand behind the first one that is too improbable.

    They must not be met again in the states that it backs off to, where they may look better.
    """
    for place in ranked:
        if tokens[place] >= limit:
            break
        seen[tokens[place]] = walk


@leaf
def reach_node(
    joint: Joint,
    trellis: Trellis,
    scratch: TrellisScratch,
    target: int,
    node: int,
    unit: int,
    best: float,
    mass: float,
    n: int,
) -> int:
    """The node of the row that is filled for a target state; node n if it is a new one."""
    marks, clock, mark = scratch.marks, scratch.counters[0], target & MARKS - 1
    latest = marks[mark, 1] if marks[mark, 0] == clock else -1
    other = latest
    while other >= 0 and trellis.states[other] != target:
        other = trellis.others[other]
    if other < 0:
        marks[mark, 0], marks[mark, 1] = clock, n
        trellis.states[n], trellis.before[n], trellis.units[n] = target, node, unit
        trellis.bests[n], trellis.masses[n], trellis.ties[n] = best, mass, False
        trellis.others[n], trellis.known[n] = latest, joint.masks[target]
        return n
    trellis.masses[other] += mass
    if best > trellis.bests[other] * ALIKE:
        trellis.ties[other] = best * ALIKE < trellis.bests[other]
    if best > trellis.bests[other]:
        trellis.bests[other], trellis.before[other], trellis.units[other] = best, node, unit
    return int(other)


@leaf
def normalise_row(
    bests: Array, masses: Array, scales: Array, reference: int, row: int
) -> tuple[int, float]:
    """Divide the values of a row, in the scales of another, by the greatest.

    Returns the place of the best, and the mass that all were divided by.
    """
    top, mass = 0, masses[0]
    for node in range(len(bests)):
        if bests[node] > bests[top]:
            top = node
        mass = max(mass, masses[node])
    best = bests[top]
    for node in range(len(bests)):
        bests[node] *= 1 / best
        masses[node] *= 1 / mass
    scales[row, 0] = scales[reference, 0] - math.log(best)
    scales[row, 1] = scales[reference, 1] - math.log(mass)
    return top, mass


@inlined
def unit_prob(
    masks: Array,
    offsets: Array,
    tokens: Array,
    probs: Array,
    backoff_states: Array,
    backoffs: Array,
    state: int,
    unit: int,
    bit: int,
) -> tuple[float, int]:
    """P(unit | state), and the arc that has it; `bit` is that of the unit's chunk."""
    weight = np.float64(1.0)  # plain Python would go on in the 32 bits of the model
    while state != 0:
        if masks[state] & bit != 0:
            arc = first_arc(tokens, offsets[state], offsets[state + 1], unit)
            if arc < offsets[state + 1] and tokens[arc] == unit:
                return weight * probs[arc], arc
        weight *= backoffs[state]
        state = backoff_states[state]
    return weight * probs[unit], unit
