"""Kernels: the units that read a string and write a given output.

>>> written, labels = np.array([0, 0, 1, 2]), np.array([5, 7])  # units that write nothing, 5 and 7
>>> units_writing(written, labels, 0, 3, np.array([7, 5]), 0, 1)
(2, 3)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.fst.joint.kernels.arrays import Arcs, Context, Joint, Trellis
from glyphone.fst.joint.kernels.trellis import NO_ROOM

joint_ends = sibling(__name__, "glyphone.fst.joint.kernels.ends")
joint_trellis = sibling(__name__, "glyphone.fst.joint.kernels.trellis")
kernel_arrays = sibling(__name__, "glyphone.data.kernels.arrays")
joint_arrays = sibling(__name__, "glyphone.fst.joint.kernels.arrays")
chunk_bit, rows_before = joint_arrays.chunk_bit, joint_arrays.rows_before
find_slot = sibling(__name__, "glyphone.data.kernels.arrays").find_slot
chunk_of, best_end = joint_trellis.chunk_of, joint_ends.best_end
normalise_row, unit_prob = joint_trellis.normalise_row, joint_trellis.unit_prob

Array = Any


@leaf
def compare_output(
    written: Array, labels: Array, unit: int, output: Array, begin: int, end: int
) -> int:
    """Below 0 if a unit writes fewer labels than output[begin:end], or as many and smaller ones; 0
    if it writes them, else above 0."""
    first = written[unit]
    difference = int(written[unit + 1] - first - (end - begin))
    place = 0
    while difference == 0 and place < end - begin:
        difference = int(labels[first + place]) - int(output[begin + place])
        place += 1
    return difference


@leaf
def units_writing(
    written: Array, labels: Array, low: int, high: int, output: Array, begin: int, end: int
) -> tuple[int, int]:
    """The range of sorted units, first and one past the last, that write output[begin:end].

    It has one unit at most, except in a mixture.
    """
    last = high
    while low < high:
        middle = (low + high) >> 1
        if compare_output(written, labels, middle, output, begin, end) < 0:
            low = middle + 1
        else:
            high = middle
    while high < last and compare_output(written, labels, high, output, begin, end) == 0:
        high += 1
    return low, high


@kernel
def fill_pair_trellis(
    joint: Joint,
    string: Array,
    output: Array,
    context: Context,
    trellis: Trellis,
    places: Array,
    bounds: Array,
) -> tuple[int, float, float]:
    """Fill the trellis of the paths that read a string and write an output: the best last node, its
    cost, the mass of all paths.

    A node stands for a state and for the number of labels of the output that are written, which is
    in `places`. The context must have all units. The last node is -1 if there is no path, NO_ROOM
    if the trellis is too small.
    """
    offsets, tokens, probs, targets = joint.offsets, joint.tokens, joint.probs, joint.targets
    backoff_states, backoffs = joint.backoff_states, joint.backoffs
    shares, shifts = context.shares, context.shifts
    written, labels, firsts, widest = joint.written, joint.labels, joint.firsts, joint.widest
    states, bests, masses = trellis.states, trellis.bests, trellis.masses
    before, units = trellis.before, trellis.units
    keys = np.full(64, -1, np.int64)
    nodes_of = np.empty(64, np.int64)
    layers, scales = joint.layers, np.zeros((len(bounds) - 1, 2))
    states[0], before[0], units[0], bests[0], masses[0] = joint.start, -1, -1, 1.0, 1.0
    places[0], bounds[0], bounds[1] = 0, 0, 1
    n = 1
    for row in range(1, len(scales)):
        into, reference = n, -1
        end = row // layers
        nearest, farthest = rows_before(row, layers, joint.longest)
        for source in range(nearest, farthest - 1, -1):
            if bounds[source] == bounds[source + 1]:
                continue
            chunk = chunk_of(joint.longer, joint.n_labels, string, source // layers, end)
            reference = source if reference < 0 else reference
            scale = mass_scale = 1.0
            if source != reference:
                scale = math.exp(scales[reference, 0] - scales[source, 0])
                mass_scale = math.exp(scales[reference, 1] - scales[source, 1])
            first, last = firsts[chunk], firsts[chunk + 1]
            shift, bit = shifts[source // layers], chunk_bit(chunk)
            for node in range(bounds[source], bounds[source + 1]):
                begin = places[node]
                for place in range(begin, min(begin + widest, len(output)) + 1):
                    low, high = units_writing(written, labels, first, last, output, begin, place)
                    for unit in range(low, high):
                        prob, arc = unit_prob(
                            joint.masks, offsets, tokens, probs, backoff_states, backoffs,
                            states[node], unit, bit,
                        )  # fmt: skip
                        prob *= shares[shift + unit]
                        reached = bests[node] * scale * prob
                        if reached == 0:
                            continue
                        if n == len(states):
                            return NO_ROOM, np.inf, np.inf
                        if 2 * (n - into) >= len(keys):
                            keys, nodes_of = kernel_arrays.larger_table(keys, nodes_of)
                        target = int(targets[arc])
                        key = target * (len(output) + 1) + place
                        entry = find_slot(keys, key)
                        if keys[entry] == -1:
                            keys[entry], nodes_of[entry] = key, n
                            states[n], before[n], units[n] = target, node, unit
                            bests[n], masses[n] = reached, masses[node] * mass_scale * prob
                            places[n] = place
                            n += 1
                        else:
                            other = nodes_of[entry]
                            masses[other] += masses[node] * mass_scale * prob
                            if reached > bests[other]:
                                bests[other], before[other], units[other] = reached, node, unit
        bounds[row + 1] = n
        if n > into:
            normalise_row(bests[into:n], masses[into:n], scales, reference, row)
            keys[:] = -1
    ends = (places[bounds[len(scales) - layers] : n] == len(output)).astype(np.float64)
    last, cost, mass, _ = best_end(joint, trellis, bounds, scales, ends)
    return last, cost, mass


class Entries(NamedTuple):
    """Shares of nodes that come by paths whose output is the first `places` labels of a given one.

    The entries of a node are a chain from its head on.
    """

    heads: Array
    nexts: Array
    places: Array
    shares: Array


@kernel
def output_share(
    joint: Joint,
    trellis: Trellis,
    arcs: Arcs,
    n_arcs: int,
    n_nodes: int,
    ends: Array,
    output: Array,
) -> float:
    """The share of the mass of a trellis that comes by paths that write an output.

    ends[k] is the share of the k-th of the last nodes.
    """
    entries = entry_room(n_nodes, 64)
    while True:
        found = output_share_within(joint, trellis, arcs, n_arcs, n_nodes, ends, output, entries)
        if found != NO_ROOM:
            return found
        entries = entry_room(n_nodes, 2 * len(entries.nexts))


@kernel
def entry_room(n_nodes: int, size: int) -> Entries:
    """Room for `size` entries of `n_nodes` nodes."""
    return Entries(
        np.empty(n_nodes, np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size),
    )


@leaf
def output_share_within(
    joint: Joint,
    trellis: Trellis,
    arcs: Arcs,
    n_arcs: int,
    n_nodes: int,
    ends: Array,
    output: Array,
    entries: Entries,
) -> float:
    """The share of the mass of a trellis that comes by paths that write an output; NO_ROOM if there
    are more entries than room."""
    written, labels, masses = joint.written, joint.labels, trellis.masses
    heads, nexts, places, shares = entries
    heads[:n_nodes] = -1
    heads[0], nexts[0], places[0], shares[0], n = 0, -1, 0, 1.0, 1
    for arc in range(n_arcs):
        entry = heads[arcs.sources[arc]]
        if entry < 0:
            continue
        target, unit = arcs.targets[arc], arcs.units[arc]
        first, size = written[unit], written[unit + 1] - written[unit]
        while entry >= 0:
            place, share = places[entry] + size, shares[entry]
            same = place <= len(output)
            for k in range(size if same else 0):
                same = same and labels[first + k] == output[place - size + k]
            entry = nexts[entry]
            if not same:
                continue
            other = heads[target]
            while other >= 0 and places[other] != place:
                other = nexts[other]
            if other < 0:
                if n == len(places):
                    return NO_ROOM
                other, places[n], shares[n], nexts[n] = n, place, 0.0, heads[target]
                heads[target] = n
                n += 1
            shares[other] += share * arcs.masses[arc] / masses[target]
    found = 0.0
    for node in range(n_nodes - len(ends), n_nodes):
        entry = heads[node]
        while entry >= 0:
            if places[entry] == len(output):
                found += shares[entry] * ends[node - n_nodes + len(ends)]
            entry = nexts[entry]
    return found
