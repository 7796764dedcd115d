"""Kernels: the best outputs of strings, as long as each is better than all others.

All is done in room that is there already, so that no reference to it must be counted. Where it is
too small, nothing has become of the string, which can be tried again in more.

>>> NO_ROOM, SEVERAL
(-2, -3)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, leaf, sibling
from glyphone.fst.context.window_kernels import Notes
from glyphone.fst.joint.kernels.arrays import Arcs, Beam, Context, Joint, Scratch, Trellis
from glyphone.fst.joint.kernels.pairs import Entries
from glyphone.fst.joint.kernels.trellis import NO_ROOM
from glyphone.fst.lattices.block_kernels import NO_PATH, OK, Block

joint_arrays = sibling(__name__, "glyphone.fst.joint.kernels.arrays")
joint_ends = sibling(__name__, "glyphone.fst.joint.kernels.ends")
joint_kernels = sibling(__name__, "glyphone.fst.joint.kernels.trellis")
joint_lattices = sibling(__name__, "glyphone.fst.joint.kernels.lattices")
joint_match = sibling(__name__, "glyphone.fst.joint.kernels.pairs")
window_kernels = sibling(__name__, "glyphone.fst.context.window_kernels")

Array = Any
SEVERAL = -3


class Room(NamedTuple):
    """Room for all that is found out about one string."""

    notes: Notes
    trellis: Trellis
    arcs: Arcs
    bounds: Array
    scales: Array
    tops: Array
    ends: Array
    entries: Entries


class Paths(NamedTuple):
    """The units of the best path of item i are units[bounds[i]:bounds[i + 1]]."""

    units: Array
    bounds: Array


@kernel
def room_of(joint: Joint, size: int) -> Room:
    """Room for strings of about so many rows and nodes."""
    return Room(
        window_kernels.notes_of(size, max(16 * size, len(joint.written))),
        joint_arrays.trellis_of(size),
        joint_arrays.arcs_of(size),
        np.empty(size + 1, np.int64),
        np.empty((size, 2)),
        np.empty(size, np.int64),
        np.empty(size),
        joint_match.entries_of(size, size),
    )


@kernel
def paths_of(joint: Joint, n_items: int, n_symbols: int) -> Paths:
    """Room for the longest paths that so many strings of so many symbols in all can have."""
    return Paths(
        np.empty((n_items + n_symbols) * joint.layers, np.int32), np.zeros(n_items + 1, np.int64)
    )


@leaf
def best_each(
    joint: Joint,
    symbols: Array,
    bounds: Array,
    item: int,
    beam: Beam,
    room: Room,
    scratch: Scratch,
    block: Block,
    paths: Paths,
) -> tuple[int, int]:
    """Answers strings, from number `item` on, with their best outputs.

    Returns the number of the first that is not answered, and why: NO_ROOM, or SEVERAL are as good.
    """
    trellis = room.trellis
    while item < len(bounds) - 1:
        string = symbols[bounds[item] : bounds[item + 1]]
        last, cost, n_arcs, n_nodes, n_ends = best(joint, string, beam, room, scratch)
        if last in (NO_ROOM, SEVERAL):
            return item, last
        first = block.firsts[item]
        begin = end = block.offsets[first]
        to = paths.bounds[item]
        if last >= 0:
            to, end = path_ends(joint, trellis, last, to, end)
            if end > len(block.labels):
                return item, NO_ROOM
            write_path(joint, trellis, last, paths.units[:to], block.labels[:end])
            share = joint_match.brought(
                joint, trellis, room.arcs, n_arcs, n_nodes, room.ends[:n_ends],
                block.labels[begin:end], room.entries,
            )  # fmt: skip
            if share == NO_ROOM:
                return item, NO_ROOM
            block.costs[first], block.posteriors[first] = cost, min(1.0, share)
            block.offsets[first + 1] = end
        block.statuses[item] = OK if last >= 0 else NO_PATH
        block.firsts[item + 1] = first + int(last >= 0)
        paths.bounds[item + 1] = to
        item += 1
    return item, OK


@leaf
def best(
    joint: Joint, string: Array, beam: Beam, room: Room, scratch: Scratch
) -> tuple[int, float, int, int, int]:
    """The last node of the best path, -1, NO_ROOM or SEVERAL; the cost of the path; how many arcs,
    nodes, and last nodes there are."""
    n_rows = (len(string) + 1) * joint.layers
    if n_rows > len(room.tops):
        return NO_ROOM, 0.0, 0, 0, 0
    trellis = room.trellis
    nodes, scales = room.bounds[: n_rows + 1], room.scales[:n_rows]
    while True:
        n_arcs = filled(joint, string, beam, room, scratch)
        if n_arcs == NO_ROOM:
            return NO_ROOM, 0.0, 0, 0, 0
        n_ends = nodes[n_rows] - nodes[n_rows - joint.layers]
        room.ends[:n_ends] = 1.0
        last, cost, _, tie = joint_ends.ended(joint, trellis, nodes, scales, room.ends[:n_ends])
        if last >= 0 or math.isinf(beam.width):
            break
        beam = joint_lattices.wider(beam)
    node = last
    while node > 0 and not tie:
        tie = trellis.ties[node]
        node = trellis.before[node]
    return SEVERAL if tie else last, cost, n_arcs, nodes[n_rows], n_ends


@inlined
def filled(joint: Joint, string: Array, beam: Beam, room: Room, scratch: Scratch) -> int:
    """How many arcs the trellis of a string has, if its rows have room; or NO_ROOM."""
    n_rows = (len(string) + 1) * joint.layers
    scales, tops = room.scales[:n_rows], room.tops[:n_rows]
    scales[:], tops[:], n_arcs = 0.0, 0, NO_ROOM
    if len(joint.windows.starts) == 0 or window_kernels.noted(
        joint.windows, string, joint.firsts, joint.strength, beam.reach, room.notes
    ):
        n_arcs = joint_kernels.fill(
            joint, string, Context(room.notes.shares, room.notes.shifts), math.exp(-beam.width),
            room.trellis, room.arcs, scratch, room.bounds[: n_rows + 1], scales, tops,
        )  # fmt: skip
    return n_arcs


@leaf
def path_ends(
    joint: Joint, trellis: Trellis, node: int, n_units: int, n_labels: int
) -> tuple[int, int]:
    """How many units and labels there are with those of the path to a node."""
    while node > 0:
        unit = trellis.units[node]
        n_units, n_labels = n_units + 1, n_labels + joint.written[unit + 1] - joint.written[unit]
        node = trellis.before[node]
    return n_units, n_labels


@leaf
def write_path(joint: Joint, trellis: Trellis, node: int, units: Array, labels: Array) -> None:
    """Writes the units of the path to a node, and what they write, at the ends of two arrays."""
    n_units, n_labels = len(units), len(labels)
    while node > 0:
        unit = trellis.units[node]
        n_units -= 1
        units[n_units] = unit
        for place in range(joint.written[unit + 1] - 1, joint.written[unit] - 1, -1):
            n_labels -= 1
            labels[n_labels] = joint.labels[place]
        node = trellis.before[node]
