"""Kernels: blocks of strings decoded with a joint model, and blocks of pairs scored by it.

>>> BUDGET
200000
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import Flag, inlined, kernel, sibling
from glyphone.fst.joint.kernels.arrays import Beam, Joint, TrellisScratch
from glyphone.fst.joint.kernels.best import BestPaths
from glyphone.fst.joint.kernels.trellis import NO_ROOM
from glyphone.fst.lattices.arrays import Lattice
from glyphone.fst.lattices.block_kernels import NO_PATH, OK, TRUNCATED, Block
from glyphone.fst.lattices.nbest_kernels import NBest

block_kernels = sibling(__name__, "glyphone.fst.lattices.block_kernels")
joint_arrays = sibling(__name__, "glyphone.fst.joint.kernels.arrays")
joint_best = sibling(__name__, "glyphone.fst.joint.kernels.best")
joint_ends = sibling(__name__, "glyphone.fst.joint.kernels.ends")
joint_trellis = sibling(__name__, "glyphone.fst.joint.kernels.trellis")
joint_lattices = sibling(__name__, "glyphone.fst.joint.kernels.lattices")
nbest_kernels = sibling(__name__, "glyphone.fst.lattices.nbest_kernels")

Array = Any
# States that a search for the rank of one output may look at.
BUDGET = 200_000


@inlined
def n_best_outputs(
    joint: Joint,
    string: Array,
    n: int,
    beam: Beam,
    budget: int,
    scratch: TrellisScratch,
) -> tuple[Lattice, NBest]:
    """The n best outputs and the lattice that they are from, wider than the beam where it has too
    few.

    Posteriors are shares of the widest lattice that was searched.
    """
    answers = nbest_kernels.NBest(
        np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0), np.empty(0), False
    )
    room = joint_lattices.ROOM
    trellis, arcs = joint_arrays.trellis_room(room), joint_arrays.arc_room(room)
    while True:
        context = joint_trellis.context_of(joint, string, beam.reach)
        trellis, arcs, n_arcs, nodes, _ = joint_lattices.string_trellis(
            joint, string, context, beam.width, trellis, arcs, scratch
        )
        found = joint_lattices.trellis_lattice(joint, trellis, arcs, n_arcs, nodes)
        if found.n_states > 0:
            answers = nbest_kernels.best_within(found, n, budget, joint.summed)
        if len(answers.costs) >= n or answers.truncated or math.isinf(beam.width):
            return found, answers
        beam = joint_lattices.wider_beam(beam)


@kernel
def decode(
    joint: Joint,
    symbols: Array,
    bounds: Array,
    n: int,
    beam: Beam,
    budget: int,
    with_spans: Flag,
    scratch: TrellisScratch,
) -> tuple[Array, ...]:
    """The n best outputs of each string symbols[bounds[i]:bounds[i + 1]]: the fields of a Block."""
    room = joint_best.decoding_room(joint, joint_lattices.ROOM)
    block = block_kernels.new_block(len(bounds) - 1, len(symbols))
    paths = joint_best.best_paths_room(joint, len(bounds) - 1, len(symbols))
    item, why = 0, joint_best.SEVERAL
    while item < len(bounds) - 1:
        begin = item
        if n == 1 and not joint.summed:
            item, why = joint_best.answer_strings(
                joint, symbols, bounds, item, beam, room, scratch, block, paths
            )
        if with_spans is not None:
            write_spans(joint, symbols, bounds, begin, item, paths, block)
        if item < len(bounds) - 1 and why == NO_ROOM:
            room = joint_best.decoding_room(joint, 2 * len(room.tops))
            block = block_kernels.roomy_block(block, item, 1, len(block.labels) + 1)
        elif item < len(bounds) - 1:
            string = symbols[bounds[item] : bounds[item + 1]]
            block = add_answers(joint, string, n, beam, budget, with_spans, scratch, block, item)
            paths.bounds[item + 1] = paths.bounds[item]
            item += 1
    decoded: tuple[Array, ...] = block_kernels.block_arrays(block, with_spans is not None)
    return decoded


@kernel
def add_answers(
    joint: Joint,
    string: Array,
    n: int,
    beam: Beam,
    budget: int,
    with_spans: Flag,
    scratch: TrellisScratch,
    block: Block,
    item: int,
) -> Block:
    """The block with the n best outputs of string `item`."""
    found, answers = n_best_outputs(joint, string, n, beam, budget, scratch)
    status = TRUNCATED if answers.truncated else OK
    block = block_kernels.add_answers(
        block, item, status if len(answers.costs) else NO_PATH, answers
    )
    if with_spans is not None:
        block_kernels.write_spans(block, item, found)
    return block


@kernel
def write_spans(
    joint: Joint,
    symbols: Array,
    bounds: Array,
    begin: int,
    end: int,
    paths: BestPaths,
    block: Block,
) -> None:
    """Write the spans of the answers to strings `begin` to `end`, by the units of their paths."""
    for item in range(begin, end):
        string = symbols[bounds[item] : bounds[item + 1]]
        units = paths.units[paths.bounds[item] : paths.bounds[item + 1]]
        low, high = block.offsets[block.firsts[item]], block.offsets[block.firsts[item + 1]]
        if low < high:
            begins, ends = block.begins[low:high], block.ends[low:high]
            joint_lattices.write_unit_spans(joint, string, units, begins, ends)


@kernel
def output_rank(output: Array, answers: NBest) -> int:
    """The rank of an output among answers, from 1; 0 if it is none of them."""
    for k in range(len(answers.costs)):
        if np.array_equal(answers.labels[answers.offsets[k] : answers.offsets[k + 1]], output):
            return k + 1
    return 0


@kernel
def score_pairs(
    joint: Joint,
    xs: Array,
    x_bounds: Array,
    ys: Array,
    y_bounds: Array,
    depth: int,
) -> tuple[Array, Array, Array, Array]:
    """For each pair the cost of its best path, -ln P(x, y), -ln P(x), and the rank of the output.

    The rank is that among the `depth` best outputs, or 0.
    """
    n = len(x_bounds) - 1
    costs, masses, totals = np.empty(n), np.empty(n), np.empty(n)
    ranks = np.zeros(n, np.int64)
    room = joint_lattices.ROOM
    trellis, other = joint_arrays.trellis_room(room), joint_arrays.trellis_room(room)
    arcs = joint_arrays.arc_room(room if depth else 0)
    scratch = joint_arrays.trellis_scratch(joint)
    for item in range(n):
        string = xs[x_bounds[item] : x_bounds[item + 1]]
        output = ys[y_bounds[item] : y_bounds[item + 1]]
        context = joint_trellis.context_of(joint, string, np.inf)
        trellis, arcs, n_arcs, nodes, scales = joint_lattices.string_trellis(
            joint, string, context, np.inf, trellis, arcs, scratch
        )
        ends = np.ones(nodes[-1] - nodes[len(scales) - joint.layers])
        _, _, totals[item], _ = joint_ends.best_end(joint, trellis, nodes, scales, ends)
        other, last, costs[item], masses[item], _ = joint_lattices.pair_trellis(
            joint, string, output, context, other
        )
        if last >= 0 and depth > 0:
            found = joint_lattices.trellis_lattice(joint, trellis, arcs, n_arcs, nodes)
            ranks[item] = output_rank(
                output, nbest_kernels.n_best(found, depth, BUDGET, joint.summed)
            )
    return costs, masses, totals, ranks


@kernel
def best_units(
    joint: Joint, xs: Array, x_bounds: Array, ys: Array, y_bounds: Array
) -> tuple[Array, Array]:
    """The units of the best path of each pair, end to end, and the place where each path begins; a
    pair without a path has no units."""
    n = len(x_bounds) - 1
    units, bounds = np.empty(len(xs) + len(ys), np.int32), np.zeros(n + 1, np.int64)
    trellis = joint_arrays.trellis_room(joint_lattices.ROOM)
    for item in range(n):
        string = xs[x_bounds[item] : x_bounds[item + 1]]
        output = ys[y_bounds[item] : y_bounds[item + 1]]
        context = joint_trellis.context_of(joint, string, np.inf)
        trellis, last, _, _, _ = joint_lattices.pair_trellis(
            joint, string, output, context, trellis
        )
        path = joint_ends.path_units(trellis, max(last, 0))
        bounds[item + 1] = bounds[item] + len(path)
        units[bounds[item] : bounds[item + 1]] = path
    return units[: bounds[n]], bounds
