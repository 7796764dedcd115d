"""Kernels: strings through a joint model and then through a machine, in one lattice.

A string that the machine refuses is no output, so that posteriors are shares of the rest; several
outputs of the joint model that it writes alike are one.

See `glyphone.fst.composed.model` for an example.
"""

from __future__ import annotations

import math
from typing import Any

from glyphone.data.kernels.jit import inlined, kernel, sibling
from glyphone.fst.composed.arrays import Behind
from glyphone.fst.joint.kernels.arrays import Arcs, Beam, Joint, Trellis, TrellisScratch
from glyphone.fst.joint.kernels.trellis import NO_ROOM
from glyphone.fst.lattices.arrays import CYCLIC, Lattice
from glyphone.fst.lattices.block_kernels import CYCLE, NO_PATH, OK, TRUNCATED

block_kernels = sibling(__name__, "glyphone.fst.lattices.block_kernels")
composed_best = sibling(__name__, "glyphone.fst.composed.best_kernels")
joint_arrays = sibling(__name__, "glyphone.fst.joint.kernels.arrays")
joint_trellis = sibling(__name__, "glyphone.fst.joint.kernels.trellis")
joint_lattices = sibling(__name__, "glyphone.fst.joint.kernels.lattices")
composition_kernels = sibling(__name__, "glyphone.fst.lattices.composition_kernels")
letters_kernels = sibling(__name__, "glyphone.fst.composed.letters_kernels")
nbest_kernels = sibling(__name__, "glyphone.fst.lattices.nbest_kernels")

Array = Any


@inlined
def beam_lattice(
    joint: Joint,
    behind: Behind,
    string: Array,
    beam: Beam,
    trellis: Trellis,
    arcs: Arcs,
    scratch: TrellisScratch,
) -> tuple[Trellis, Arcs, Lattice]:
    """The room, and the lattice of the composed outputs for all outputs of the joint model within a
    beam."""
    context = joint_trellis.context_of(joint, string, beam.reach)
    trellis, arcs, n_arcs, bounds, _ = joint_lattices.string_trellis(
        joint, string, context, beam.width, trellis, arcs, scratch
    )
    found = joint_lattices.trellis_lattice(joint, trellis, arcs, n_arcs, bounds)
    for stage in range(len(behind.machine.starts)):
        if found.n_states > 0:
            found = composition_kernels.compose(found, behind.machine, stage)
    if found.n_states > 0 and len(behind.letters.tokens):
        found = letters_kernels.weighted_lattice(found, behind.letters)
    return trellis, arcs, found


@kernel
def output_lattice(joint: Joint, behind: Behind, string: Array, beam: Beam) -> Lattice:
    """The lattice of all outputs of a string within a beam, or a wider one if there are none."""
    room = joint_lattices.ROOM
    trellis, arcs = joint_arrays.trellis_room(room), joint_arrays.arc_room(room)
    scratch = joint_arrays.trellis_scratch(joint)
    while True:
        trellis, arcs, found = beam_lattice(joint, behind, string, beam, trellis, arcs, scratch)
        if found.n_states != 0 or math.isinf(beam.width):
            return found
        beam = joint_lattices.wider_beam(beam)


@kernel
def decode(
    joint: Joint,
    behind: Behind,
    symbols: Array,
    bounds: Array,
    n: int,
    beam: Beam,
    budget: int,
    with_spans: bool,
    scratch: TrellisScratch,
) -> tuple[Array, ...]:
    """The n best outputs of each string symbols[bounds[i]:bounds[i + 1]]: the fields of a Block."""
    room = composed_best.composition_room(joint, joint_lattices.ROOM)
    trellis, arcs = room.trellises.trellis, room.trellises.arcs
    block = block_kernels.new_block(len(bounds) - 1, len(symbols))
    alone = n == 1 and not with_spans
    item, why = 0, composed_best.SEVERAL
    while item < len(bounds) - 1:
        if alone:
            item, why = composed_best.answer_strings(
                joint, behind, symbols, bounds, item, beam, room, scratch, block
            )
        if item < len(bounds) - 1 and why == NO_ROOM:
            room = composed_best.composition_room(joint, 2 * len(room.finals))
            block = block_kernels.roomy_block(block, item, 1, len(block.labels) + 1)
        elif item < len(bounds) - 1:
            string, near = symbols[bounds[item] : bounds[item + 1]], beam
            while True:
                trellis, arcs, found = beam_lattice(
                    joint, behind, string, near, trellis, arcs, scratch
                )
                if found.n_states > 0:
                    answers = nbest_kernels.best_within(found, n, budget)
                    if len(answers.costs) >= n or answers.truncated or math.isinf(near.width):
                        status = TRUNCATED if answers.truncated else OK
                        block = block_kernels.add_answers(block, item, status, answers)
                        if with_spans:
                            block_kernels.write_spans(block, item, found)
                        break
                elif found.n_states == CYCLIC or math.isinf(near.width):
                    block.statuses[item] = CYCLE if found.n_states == CYCLIC else NO_PATH
                    block.firsts[item + 1] = block.firsts[item]
                    break
                near = joint_lattices.wider_beam(near)
            item += 1
    decoded: tuple[Array, ...] = block_kernels.block_arrays(block, with_spans)
    return decoded
