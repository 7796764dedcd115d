"""Kernels: the best output of each string by one joint model, or the outputs that it proposes.

Where the best output has enough of the mass of all outputs, it is the answer; elsewhere other
models of an ensemble judge the outputs that are near it. Both come from one trellis.

>>> NO_ROOM, SEVERAL
(-2, -3)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.fst.joint.kernels.arrays import Beam, Joint, TrellisScratch
from glyphone.fst.joint.kernels.best import SEVERAL, DecodingRoom
from glyphone.fst.joint.kernels.trellis import NO_ROOM
from glyphone.fst.lattices.block_kernels import NO_PATH, OK, TRUNCATED
from glyphone.fst.lattices.nbest_kernels import NBest

block_kernels = sibling(__name__, "glyphone.fst.lattices.block_kernels")
joint_best = sibling(__name__, "glyphone.fst.joint.kernels.best")
joint_decoding = sibling(__name__, "glyphone.fst.joint.kernels.decoding")
joint_lattices = sibling(__name__, "glyphone.fst.joint.kernels.lattices")
joint_pairs = sibling(__name__, "glyphone.fst.joint.kernels.pairs")
joint_proposals = sibling(__name__, "glyphone.fst.joint.kernels.proposals")
nbest_kernels = sibling(__name__, "glyphone.fst.lattices.nbest_kernels")

Array = Any


@kernel
def answer_or_propose(
    joint: Joint, symbols: Array, bounds: Array, sure: float, most: int, margin: float,
    beam: Beam, budget: int, with_spans: bool, scratch: TrellisScratch,
) -> tuple[Array, ...]:  # fmt: skip
    """For each string its best output, if the share of that is `sure` or more, else proposals.

    Proposals are up to `most` outputs within the margin of the best, in nats; they have no spans.
    The posterior of the first output of each string is its share of the mass of all outputs. The
    arrays are the fields of a Block.
    """
    room = joint_best.decoding_room(joint, joint_lattices.ROOM)
    block = block_kernels.new_block(len(bounds) - 1, len(symbols))
    item = 0
    while item < len(bounds) - 1:
        string = symbols[bounds[item] : bounds[item + 1]]
        last, cost, n_arcs, n_nodes, n_ends = joint_best.best_last_node(
            joint, string, beam, room, scratch
        )
        if last == NO_ROOM:
            room = joint_best.decoding_room(joint, 2 * len(room.tops))
            continue
        units = np.empty(0, np.int32)
        answers = nbest_kernels.NBest(
            np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0), np.empty(0), False
        )
        has_path = last >= 0 and not joint.summed
        if has_path:
            units, answers = best_answer(joint, room, last, cost, n_arcs, n_nodes, n_ends)
        elif last >= 0 or last == SEVERAL:
            _, answers = joint_decoding.n_best_outputs(joint, string, 1, beam, budget, scratch)
        is_sure = len(answers.costs) > 0 and answers.posteriors[0] >= sure
        if len(answers.costs) > 0 and not is_sure:
            nodes = room.bounds[: (len(string) + 1) * joint.layers + 1]
            answers = near_outputs(
                joint, room, n_arcs, nodes, most, margin, budget, answers.posteriors[0]
            )
        status = TRUNCATED if answers.truncated else OK
        block = block_kernels.add_answers(
            block, item, status if len(answers.costs) else NO_PATH, answers
        )
        if with_spans and is_sure:
            if has_path:
                low, high = block.offsets[block.firsts[item]], block.offsets[block.firsts[item + 1]]
                begins, ends = block.begins[low:high], block.ends[low:high]
                joint_lattices.write_unit_spans(joint, string, units, begins, ends)
            else:
                lattice, _ = joint_decoding.n_best_outputs(joint, string, 1, beam, budget, scratch)
                block_kernels.write_spans(block, item, lattice)
        item += 1
    decoded: tuple[Array, ...] = block_kernels.block_arrays(block, with_spans)
    return decoded


@kernel
def best_answer(
    joint: Joint, room: DecodingRoom, last: int, cost: float, n_arcs: int, n_nodes: int, n_ends: int
) -> tuple[Array, NBest]:
    """The units of the best path of a filled trellis, which ends at node `last`, and its output."""
    n_units, n_labels = joint_best.path_sizes(joint, room.trellis, last, 0, 0)
    units, labels = np.empty(n_units, np.int32), np.empty(n_labels, np.int32)
    joint_best.write_path(joint, room.trellis, last, units, labels)
    share = joint_pairs.output_share(
        joint, room.trellis, room.arcs, n_arcs, n_nodes, room.ends[:n_ends], labels
    )
    answers: NBest = nbest_kernels.NBest(
        np.array([0, n_labels]), labels, np.full(1, cost), np.full(1, min(1.0, share)), False
    )
    return units, answers


@kernel
def near_outputs(
    joint: Joint, room: DecodingRoom, n_arcs: int, nodes: Array, most: int, margin: float,
    budget: int, share: float,
) -> NBest:  # fmt: skip
    """Up to `most` outputs of a filled trellis within the margin; the first has the share."""
    lattice = joint_proposals.near_lattice(joint, room.trellis, room.arcs, n_arcs, nodes, margin)
    answers = nbest_kernels.best_within(lattice, most, budget)
    n = len(answers.costs)
    while n > 1 and answers.costs[n - 1] > answers.costs[0] + margin:
        n -= 1
    answers.posteriors[0] = share
    kept: NBest = nbest_kernels.NBest(
        answers.offsets[: n + 1], answers.labels[: answers.offsets[n]], answers.costs[:n],
        answers.posteriors[:n], answers.truncated,
    )  # fmt: skip
    return kept
