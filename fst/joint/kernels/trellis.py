"""Kernels: the trellis of a string, which has its best units and the sums of all.

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
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, leaf, sibling
from glyphone.fst.joint.kernels.arrays import MARKS, Arcs, Context, Joint, Scratch, Trellis

joint_arrays = sibling(__name__, "glyphone.fst.joint.kernels.arrays")
bit_of, rows_before = joint_arrays.bit_of, joint_arrays.rows_before
window_kernels = sibling(__name__, "glyphone.fst.context.window_kernels")

Array = Any
NO_ROOM = -2
# The share of a probability at which another is equal to it: factors in another order round to it.
ALIKE = 1 - 1e-9


@leaf
def chunk_of(longer: Array, n_labels: int, string: Array, begin: int, end: int) -> int:
    """The chunk string[begin:end]; a last one, which no unit reads, stands for all others."""
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
    """What windows say about all units at all places of a string; see Beam for `reach`."""
    if len(joint.windows.starts) == 0:
        return Context(np.ones(len(joint.written)), np.zeros(len(string) + 1, np.int64))
    return Context(
        *window_kernels.factors(joint.windows, string, joint.firsts, joint.strength, reach)
    )


@inlined
def first_arc(tokens: Array, arc: int, limit: int, unit: int) -> int:
    """The first of some sorted arcs that is not before a unit; most states have few."""
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


@leaf
def fill(
    joint: Joint,
    string: Array,
    context: Context,
    keep: float,
    trellis: Trellis,
    arcs: Arcs,
    scratch: Scratch,
    bounds: Array,
    scales: Array,
    tops: Array,
) -> int:
    """The trellis of a string: row r has the nodes bounds[r] to bounds[r + 1].

    Returns the number of arcs, or NO_ROOM if the trellis or the arcs are too small.
    """
    offsets, tokens, probs, targets = joint.offsets, joint.tokens, joint.probs, joint.targets
    backoff_states, backoffs, ranked = joint.backoff_states, joint.backoffs, joint.ranked
    states, bests, masses = trellis.states, trellis.bests, trellis.masses
    before, units, ties = trellis.before, trellis.units, trellis.ties
    others, known = trellis.others, trellis.known
    marks, seen, masks = scratch.marks, scratch.seen, joint.masks
    clock, walk = scratch.counters
    shares, shifts = context.shares, context.shifts
    record, n_arcs = len(arcs.sources) > 0, 0
    longest, layers, n_ranked = joint.longest, joint.layers, len(joint.ranked)
    states[0], before[0], units[0], bests[0], masses[0] = joint.start, -1, -1, 1.0, 1.0
    bounds[0], bounds[1], ties[0], tops[0] = 0, 1, False, 0
    scales[0], others[0], known[0] = 0.0, -1, masks[joint.start]
    n = 1
    for row in range(1, len(scales)):
        clock += 1
        into, first_recorded, reference, floor = n, n_arcs, -1, 0.0
        end = row // layers
        nearest, farthest = rows_before(row, layers, longest)
        for source in range(nearest, farthest - 1, -1):
            first, last = bounds[source], bounds[source + 1]
            if first == last:
                continue
            chunk = chunk_of(joint.longer, joint.n_labels, string, source // layers, end)
            low_unit, high_unit = joint.firsts[chunk], joint.firsts[chunk + 1]
            bit, most = bit_of(chunk), (last - first) * (high_unit - low_unit)
            if most == 0:
                continue
            room = min(n + most, into + len(backoffs)) <= len(states)
            if not room or (record and n_arcs + most > len(arcs.sources)):
                scratch.counters[0], scratch.counters[1] = clock, walk
                return NO_ROOM
            reference = source if reference < 0 else reference
            scale = mass_scale = 1.0
            if source != reference:
                scale = math.exp(scales[reference, 0] - scales[source, 0])
                mass_scale = math.exp(scales[reference, 1] - scales[source, 1])
            shift = shifts[source // layers]
            n_live = 0
            for share in shares[shift + low_unit : shift + high_unit]:
                n_live += int(share > 0)
            # The best node goes first: the floor rises early, and fewer nodes are made in vain.
            for turn in range(first - 1, last):
                node = tops[source] if turn < first else turn
                if turn == tops[source] or bests[node] < keep:
                    continue
                best, mass, state = bests[node] * scale, masses[node] * mass_scale, states[node]
                walk += 1
                left, mask = n_live, known[node]
                while left > 0 and best >= floor:
                    if state == 0:
                        arc, limit = low_unit, high_unit
                    elif mask & bit == 0:
                        best, mass = best * backoffs[state], mass * backoffs[state]
                        state = backoff_states[state]
                        mask = masks[state]
                        continue
                    else:
                        limit = offsets[state + 1]
                        arc = first_arc(tokens, offsets[state], limit, low_unit)
                    while arc < limit and left > 0:
                        place = ranked[arc] if arc < n_ranked else arc
                        unit = tokens[place]
                        if unit >= high_unit:
                            break
                        if arc < n_ranked and best * probs[place] < floor:
                            # All that follow are less probable still, and must not be found
                            # again in the states behind, where they may look better than here.
                            while state != 0 and arc < limit and tokens[ranked[arc]] < high_unit:
                                seen[tokens[ranked[arc]]] = walk
                                arc += 1
                            break
                        arc += 1
                        share = shares[shift + unit]
                        if share == 0 or seen[unit] == walk:
                            continue
                        seen[unit] = walk
                        left -= 1
                        prob = probs[place] * share
                        reached = best * prob
                        if reached < floor or reached == 0.0:
                            continue
                        target = targets[place]
                        mark = target & MARKS - 1
                        latest = marks[mark, 1] if marks[mark, 0] == clock else -1
                        other = latest
                        while other >= 0 and states[other] != target:
                            other = others[other]
                        if other < 0:
                            marks[mark, 0], marks[mark, 1] = clock, n
                            states[n], before[n], units[n] = target, node, unit
                            bests[n], masses[n], ties[n] = reached, mass * prob, False
                            others[n], known[n] = latest, masks[target]
                            other = n
                            n += 1
                        else:
                            masses[other] += mass * prob
                            if reached > bests[other] * ALIKE:
                                ties[other] = reached * ALIKE < bests[other]
                            if reached > bests[other]:
                                bests[other], before[other], units[other] = reached, node, unit
                        floor = max(floor, keep * reached)
                        if record:
                            arcs.sources[n_arcs], arcs.targets[n_arcs] = node, other
                            arcs.units[n_arcs] = unit
                            arcs.probs[n_arcs] = reached / (bests[node] * scale)
                            arcs.masses[n_arcs] = mass * prob
                            n_arcs += 1
                    if state == 0:
                        break
                    best, mass = best * backoffs[state], mass * backoffs[state]
                    state = backoff_states[state]
                    mask = masks[state]
        bounds[row + 1] = n
        if n > into:
            top, mass = normalise(bests[into:n], masses[into:n], scales, reference, row)
            tops[row] = into + top
            for arc in range(first_recorded, n_arcs):
                arcs.masses[arc] *= 1 / mass
    scratch.counters[0], scratch.counters[1] = clock, walk
    return n_arcs


@leaf
def normalise(
    bests: Array, masses: Array, scales: Array, reference: int, row: int
) -> tuple[int, float]:
    """Divides the values of a row, told in the scales of another, by the greatest.

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
def step(
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
    """P(unit | state), and the arc that says so; the unit's chunk has a bit."""
    weight = np.float64(1.0)  # plain Python would go on in the 32 bits of the model
    while state != 0:
        if masks[state] & bit != 0:
            arc = first_arc(tokens, offsets[state], offsets[state + 1], unit)
            if arc < offsets[state + 1] and tokens[arc] == unit:
                return weight * probs[arc], arc
        weight *= backoffs[state]
        state = backoff_states[state]
    return weight * probs[unit], unit
