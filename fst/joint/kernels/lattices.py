"""Kernels: lattices of the outputs of a joint model for a string.

>>> ROOM, WIDEST
(1024, 600.0)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, leaf, sibling
from glyphone.fst.joint.kernels.arrays import Arcs, Beam, Context, Joint, Trellis, TrellisScratch
from glyphone.fst.joint.kernels.trellis import NO_ROOM
from glyphone.fst.lattices.arrays import Lattice

write_row = sibling(__name__, "glyphone.data.kernels.arrays").write_row
joint_arrays = sibling(__name__, "glyphone.fst.joint.kernels.arrays")
joint_ends = sibling(__name__, "glyphone.fst.joint.kernels.ends")
joint_trellis = sibling(__name__, "glyphone.fst.joint.kernels.trellis")
joint_pairs = sibling(__name__, "glyphone.fst.joint.kernels.pairs")
lattice_paths = sibling(__name__, "glyphone.fst.lattices.path_kernels")
trimming_kernels = sibling(__name__, "glyphone.fst.lattices.trimming_kernels")

Array = Any
ROOM = 1024
# Beams, in nats, beyond which numbers of 64 bits see no difference.
WIDEST = 600.0


@kernel
def spelling_lattice(
    joint: Joint, arcs: Arcs, n_arcs: int, places: Array, finals: Array
) -> Lattice:
    """The lattice of the symbols that units read and write; node k stands after places[k]
    symbols."""
    n_states, n_rows = lattice_size(joint, arcs, n_arcs, len(finals))
    rows, costs, ends = np.empty((n_rows, 5), np.int64), np.empty(n_rows), np.empty(n_states)
    write_spelling(joint, arcs, n_arcs, places, finals, rows, costs, ends)
    found: Lattice = trimming_kernels.trimmed_lattice(rows, costs, ends)
    return found


@leaf
def keep_useful_arcs(arcs: Arcs, n_arcs: int, finals: Array, leads: Array) -> int:
    """Keep the arcs, in the order of their targets, that lead to an end; return their number.

    `leads` is room for as many nodes as there are `finals`.
    """
    for node in range(len(finals)):
        leads[node] = finals[node] < np.inf
    for arc in range(n_arcs - 1, -1, -1):
        leads[arcs.sources[arc]] |= leads[arcs.targets[arc]]
    kept = 0
    for arc in range(n_arcs):
        if leads[arcs.targets[arc]]:
            arcs.sources[kept], arcs.targets[kept] = arcs.sources[arc], arcs.targets[arc]
            arcs.units[kept], arcs.probs[kept] = arcs.units[arc], arcs.probs[arc]
            kept += 1
    return kept


@leaf
def lattice_size(joint: Joint, arcs: Arcs, n_arcs: int, n_nodes: int) -> tuple[int, int]:
    """The numbers of states and arcs of the lattice of a trellis."""
    n_rows, n_states = 0, n_nodes
    for arc in range(n_arcs):
        unit = arcs.units[arc]
        n_written = joint.written[unit + 1] - joint.written[unit]
        n_rows += max(1, n_written)
        n_states += max(0, n_written - 1)
    return n_states, n_rows


@leaf
def write_spelling(
    joint: Joint,
    arcs: Arcs,
    n_arcs: int,
    places: Array,
    finals: Array,
    rows: Array,
    costs: Array,
    ends: Array,
) -> None:
    """Write rows of arcs, their costs, and the costs of final states.

    A unit that writes nothing is an epsilon; one that writes several symbols, a chain of arcs.
    """
    ends[:], costs[:] = np.inf, 0.0
    for node in range(len(finals)):
        ends[node] = finals[node]
    row, state = 0, len(finals)
    for arc in range(n_arcs):
        source, target, unit = arcs.sources[arc], arcs.targets[arc], arcs.units[arc]
        begin, end = places[source], places[target]
        if begin == end:
            begin, end = -1, -1  # it reads nothing
        costs[row] = -math.log(arcs.probs[arc]) if arcs.probs[arc] > 0 else np.inf
        first, last = joint.written[unit], joint.written[unit + 1]
        if first == last:
            write_row(rows, row, (source, target, 0, begin, end))
            row += 1
        for place in range(first, last):
            into = target if place == last - 1 else state
            label = np.int64(joint.labels[place])
            write_row(rows, row, (source, into, label, begin, end))
            source, begin, end = into, -1, -1
            row += 1
            state += int(place < last - 1)


@inlined
def string_trellis(
    joint: Joint,
    string: Array,
    context: Context,
    width: float,
    trellis: Trellis,
    arcs: Arcs,
    scratch: TrellisScratch,
) -> tuple[Trellis, Arcs, int, Array, Array]:
    """The trellis of a string, in as much room as it takes; see `joint_trellis.fill_trellis`."""
    n_rows = (len(string) + 1) * joint.layers
    bounds, scales = np.zeros(n_rows + 1, np.int64), np.zeros((n_rows, 2))
    tops = np.zeros(n_rows, np.int64)
    while True:
        n_arcs = joint_trellis.fill_trellis(
            joint, string, context, math.exp(-width), trellis, arcs, scratch, bounds, scales, tops
        )
        if n_arcs != NO_ROOM:
            return trellis, arcs, n_arcs, bounds, scales
        trellis = joint_arrays.trellis_room(2 * len(trellis.states))
        arcs = joint_arrays.arc_room(2 * len(arcs.sources))


@inlined
def pair_trellis(
    joint: Joint, string: Array, output: Array, context: Context, trellis: Trellis
) -> tuple[Trellis, int, float, float, Array]:
    """The trellis of a pair, in as much room as it takes; see `joint_pairs.fill_pair_trellis`."""
    bounds = np.zeros((len(string) + 1) * joint.layers + 1, np.int64)
    while True:
        places = np.empty(len(trellis.states), np.int64)
        last, cost, mass = joint_pairs.fill_pair_trellis(
            joint, string, output, context, trellis, places, bounds
        )
        if last != NO_ROOM:
            return trellis, last, cost, mass, bounds
        trellis = joint_arrays.trellis_room(2 * len(trellis.states))


@kernel
def trellis_lattice(
    joint: Joint, trellis: Trellis, arcs: Arcs, n_arcs: int, bounds: Array
) -> Lattice:
    """The lattice of all paths of a filled trellis."""
    places, finals = np.empty(bounds[-1], np.int64), np.empty(bounds[-1])
    place_nodes(joint, trellis, bounds, places, finals)
    return spelling_lattice(joint, arcs, n_arcs, places, finals)


@leaf
def place_nodes(
    joint: Joint, trellis: Trellis, bounds: Array, places: Array, finals: Array
) -> None:
    """Write the number of symbols read before each node, and the cost to end there."""
    for row in range(len(bounds) - 1):
        for node in range(bounds[row], bounds[row + 1]):
            places[node], finals[node] = row // joint.layers, np.inf
    for node in range(bounds[len(bounds) - 1 - joint.layers], bounds[-1]):
        share = joint_ends.end_prob(joint, trellis.states[node])
        finals[node] = -math.log(share) if share > 0 else np.inf


@leaf
def wider_beam(beam: Beam) -> Beam:
    """The beam to try after one that has lost too many paths; in the end an infinite one."""
    if beam.width > WIDEST:
        return Beam(np.inf, np.inf)
    return Beam(max(1.0, 2 * beam.width), max(1.0, 2 * beam.reach))


@kernel
def output_lattice(joint: Joint, string: Array, beam: Beam) -> Lattice:
    """The lattice of all outputs of a string within a beam, or a wider one if it has none."""
    trellis, arcs = joint_arrays.trellis_room(ROOM), joint_arrays.arc_room(ROOM)
    scratch = joint_arrays.trellis_scratch(joint)
    while True:
        context = joint_trellis.context_of(joint, string, beam.reach)
        trellis, arcs, n_arcs, bounds, _ = string_trellis(
            joint, string, context, beam.width, trellis, arcs, scratch
        )
        found = trellis_lattice(joint, trellis, arcs, n_arcs, bounds)
        if found.n_states > 0 or math.isinf(beam.width):
            return found
        beam = wider_beam(beam)


@kernel
def write_unit_spans(joint: Joint, string: Array, units: Array, begins: Array, ends: Array) -> None:
    """Write the symbols of the string, from begin to end, that each output of a path comes from."""
    n = len(units)
    arcs = joint_arrays.arc_room(n)
    places, finals = np.zeros(n + 1, np.int64), np.empty(n + 1)
    finals[:n], finals[n] = np.inf, 0.0
    place = 0
    for k in range(n):
        arcs.sources[k], arcs.targets[k] = k, k + 1
        arcs.units[k], arcs.probs[k] = units[k], 1.0
        chunk_end = place
        while True:
            chunk = joint_trellis.chunk_of(joint.longer, joint.n_labels, string, place, chunk_end)
            if joint.firsts[chunk] <= units[k] < joint.firsts[chunk + 1]:
                break
            chunk_end += 1
        place = chunk_end
        places[k + 1] = place
    path = spelling_lattice(joint, arcs, n, places, finals)
    whole = np.empty(len(path.labels), np.int64)
    for arc in range(len(whole)):
        whole[arc] = arc
    lattice_paths.write_output_spans(path, whole, begins, ends)
