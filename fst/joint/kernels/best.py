"""Kernels: the best outputs of strings, as long as each is better than all others.

The kernels work in room that is there already, so that no reference to it must be counted. Where
it is too small, the string has no answer yet, and can be tried again in more.

>>> NO_ROOM, SEVERAL
(-2, -3)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, leaf, sibling
from glyphone.fst.context.window_kernels import WindowNotes
from glyphone.fst.joint.kernels.arrays import Arcs, Beam, Context, Joint, Trellis, TrellisScratch
from glyphone.fst.joint.kernels.pairs import Entries
from glyphone.fst.joint.kernels.trellis import NO_ROOM
from glyphone.fst.lattices.block_kernels import NO_PATH, OK, Block

joint_arrays = sibling(__name__, "glyphone.fst.joint.kernels.arrays")
joint_ends = sibling(__name__, "glyphone.fst.joint.kernels.ends")
joint_trellis = sibling(__name__, "glyphone.fst.joint.kernels.trellis")
joint_lattices = sibling(__name__, "glyphone.fst.joint.kernels.lattices")
joint_pairs = sibling(__name__, "glyphone.fst.joint.kernels.pairs")
window_kernels = sibling(__name__, "glyphone.fst.context.window_kernels")

Array = Any
SEVERAL = -3


class DecodingRoom(NamedTuple):
    """Room for the trellis of one string, its arcs, and the shares of its outputs."""

    notes: WindowNotes
    trellis: Trellis
    arcs: Arcs
    bounds: Array
    scales: Array
    tops: Array
    ends: Array
    entries: Entries


class BestPaths(NamedTuple):
    """The units of the best path of item i are units[bounds[i]:bounds[i + 1]]."""

    units: Array
    bounds: Array


@kernel
def decoding_room(joint: Joint, size: int) -> DecodingRoom:
    """Room for strings of up to `size` rows and about as many nodes."""
    return DecodingRoom(
        window_kernels.window_notes(size, max(16 * size, len(joint.written))),
        joint_arrays.trellis_room(size),
        joint_arrays.arc_room(size),
        np.empty(size + 1, np.int64),
        np.empty((size, 2)),
        np.empty(size, np.int64),
        np.empty(size),
        joint_pairs.entry_room(size, size),
    )


@kernel
def best_paths_room(joint: Joint, n_items: int, n_symbols: int) -> BestPaths:
    """Room for the longest paths of `n_items` strings of `n_symbols` symbols in all."""
    return BestPaths(
        np.empty((n_items + n_symbols) * joint.layers, np.int32), np.zeros(n_items + 1, np.int64)
    )


@leaf
def answer_strings(
    joint: Joint,
    symbols: Array,
    bounds: Array,
    item: int,
    beam: Beam,
    room: DecodingRoom,
    scratch: TrellisScratch,
    block: Block,
    paths: BestPaths,
) -> tuple[int, int]:
    """Write the best outputs of strings into the block and their paths into `paths`, from string
    `item` on.

    Returns the number of the first string without an answer and the reason: NO_ROOM, or SEVERAL
    outputs are equally good; OK if all have one.
    """
    trellis = room.trellis
    while item < len(bounds) - 1:
        string = symbols[bounds[item] : bounds[item + 1]]
        last, cost, n_arcs, n_nodes, n_ends = best_last_node(joint, string, beam, room, scratch)
        if last in (NO_ROOM, SEVERAL):
            return item, last
        first = block.firsts[item]
        begin = end = block.offsets[first]
        to = paths.bounds[item]
        if last >= 0:
            to, end = path_sizes(joint, trellis, last, to, end)
            if end > len(block.labels):
                return item, NO_ROOM
            write_path(joint, trellis, last, paths.units[:to], block.labels[:end])
            share = joint_pairs.output_share_within(
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
def best_last_node(
    joint: Joint, string: Array, beam: Beam, room: DecodingRoom, scratch: TrellisScratch
) -> tuple[int, float, int, int, int]:
    """The last node of the best path, or -1, NO_ROOM or SEVERAL; the cost of the path; the numbers
    of arcs, nodes, and last nodes."""
    n_rows = (len(string) + 1) * joint.layers
    if n_rows > len(room.tops):
        return NO_ROOM, 0.0, 0, 0, 0
    trellis = room.trellis
    nodes, scales = room.bounds[: n_rows + 1], room.scales[:n_rows]
    while True:
        n_arcs = fill_string_trellis(joint, string, beam, room, scratch)
        if n_arcs == NO_ROOM:
            return NO_ROOM, 0.0, 0, 0, 0
        n_ends = nodes[n_rows] - nodes[n_rows - joint.layers]
        room.ends[:n_ends] = 1.0
        last, cost, _, tie = joint_ends.best_end(joint, trellis, nodes, scales, room.ends[:n_ends])
        if last >= 0 or math.isinf(beam.width):
            break
        beam = joint_lattices.wider_beam(beam)
    node = last
    while node > 0 and not tie:
        tie = trellis.ties[node]
        node = trellis.before[node]
    return SEVERAL if tie else last, cost, n_arcs, nodes[n_rows], n_ends


@inlined
def fill_string_trellis(
    joint: Joint, string: Array, beam: Beam, room: DecodingRoom, scratch: TrellisScratch
) -> int:
    """The number of arcs of a string's trellis, which is written into the room; NO_ROOM if it is
    too small."""
    n_rows = (len(string) + 1) * joint.layers
    scales, tops = room.scales[:n_rows], room.tops[:n_rows]
    scales[:], tops[:], n_arcs = 0.0, 0, NO_ROOM
    if len(joint.windows.starts) == 0 or window_kernels.write_factors(
        joint.windows, string, joint.firsts, joint.strength, beam.reach, room.notes
    ):
        n_arcs = joint_trellis.fill_trellis(
            joint, string, Context(room.notes.shares, room.notes.shifts), math.exp(-beam.width),
            room.trellis, room.arcs, scratch, room.bounds[: n_rows + 1], scales, tops,
        )  # fmt: skip
    return n_arcs


@leaf
def path_sizes(
    joint: Joint, trellis: Trellis, node: int, n_units: int, n_labels: int
) -> tuple[int, int]:
    """The numbers of units and labels after those of the path to a node are added."""
    while node > 0:
        unit = trellis.units[node]
        n_units, n_labels = n_units + 1, n_labels + joint.written[unit + 1] - joint.written[unit]
        node = trellis.before[node]
    return n_units, n_labels


@leaf
def write_path(joint: Joint, trellis: Trellis, node: int, units: Array, labels: Array) -> None:
    """Write the units of the path to a node, and their labels, at the ends of two arrays."""
    n_units, n_labels = len(units), len(labels)
    while node > 0:
        unit = trellis.units[node]
        n_units -= 1
        units[n_units] = unit
        for place in range(joint.written[unit + 1] - 1, joint.written[unit] - 1, -1):
            n_labels -= 1
            labels[n_labels] = joint.labels[place]
        node = trellis.before[node]
