"""Kernel: the outputs that a joint model proposes to an ensemble: those near the best one.

To list ten outputs of an easy word, most of which nobody believes, takes a lattice many times as
wide as to find those that may win. So only outputs within a margin of the best, in nats, are
proposed, unless fewer were then found than there must be.

>>> arcs = joint_arrays.arc_room(2)  # from node 0 to node 1, one half as probable as the other
>>> arcs.sources[:], arcs.targets[:], arcs.units[:], arcs.probs[:] = 0, 1, (7, 8), (0.4, 0.2)
>>> nothing = np.empty(2)
>>> keep_near_arcs(arcs, 2, 0.7, np.array([np.inf, 0.0]), np.array([np.inf, np.inf]), nothing)
2
>>> keep_near_arcs(arcs, 2, 0.6, np.array([np.inf, 0.0]), np.array([np.inf, np.inf]), nothing)
1
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.fst.joint.kernels.arrays import Arcs, Beam, Joint, Trellis, TrellisScratch
from glyphone.fst.lattices.arrays import Lattice
from glyphone.fst.lattices.block_kernels import NO_PATH, OK, TRUNCATED

block_kernels = sibling(__name__, "glyphone.fst.lattices.block_kernels")
joint_arrays = sibling(__name__, "glyphone.fst.joint.kernels.arrays")
joint_trellis = sibling(__name__, "glyphone.fst.joint.kernels.trellis")
joint_lattices = sibling(__name__, "glyphone.fst.joint.kernels.lattices")
nbest_kernels = sibling(__name__, "glyphone.fst.lattices.nbest_kernels")

Array = Any
# Sums of the same costs in another order differ by less.
ROUNDING = 1e-6


@kernel
def near_lattice(
    joint: Joint, trellis: Trellis, arcs: Arcs, n_arcs: int, bounds: Array, margin: float
) -> Lattice:
    """The lattice of the paths of a filled trellis that are within a margin of the best, in
    nats."""
    places, finals = np.empty(bounds[-1], np.int64), np.empty(bounds[-1])
    joint_lattices.place_nodes(joint, trellis, bounds, places, finals)
    reached, costs = np.full(bounds[-1], np.inf), np.empty(n_arcs)
    n_arcs = keep_near_arcs(arcs, n_arcs, margin, finals.copy(), reached, costs)
    found: Lattice = joint_lattices.spelling_lattice(
        joint, arcs, n_arcs, places, np.where(reached < np.inf, finals, np.inf)
    )
    return found


@leaf
def keep_near_arcs(
    arcs: Arcs, n_arcs: int, margin: float, rests: Array, reached: Array, costs: Array
) -> int:
    """Keep the arcs of paths within a margin of the best; return their number.

    `rests` are costs to end at nodes, and become costs of the best way from a node to the end;
    `reached` becomes the cost of the best way to each node.
    """
    for arc in range(n_arcs - 1, -1, -1):
        costs[arc] = -math.log(arcs.probs[arc]) if arcs.probs[arc] > 0 else np.inf
        source, rest = arcs.sources[arc], costs[arc] + rests[arcs.targets[arc]]
        rests[source] = min(rests[source], rest)
    reached[0], n, most = 0.0, 0, rests[0] + margin + ROUNDING
    for arc in range(n_arcs):
        source, target = arcs.sources[arc], arcs.targets[arc]
        cost = reached[source] + costs[arc]
        if cost + rests[target] > most:
            continue
        reached[target] = min(reached[target], cost)
        arcs.sources[n], arcs.targets[n] = source, target
        arcs.units[n], arcs.probs[n] = arcs.units[arc], arcs.probs[arc]
        n += 1
    return n


@kernel
def propose_outputs(
    joint: Joint, symbols: Array, bounds: Array, least: int, most: int, margin: float,
    beam: Beam, budget: int, scratch: TrellisScratch,
) -> tuple[Array, ...]:  # fmt: skip
    """For each string up to `most` outputs within the margin, and at least `least` if there are so
    many.

    They are the fields of a Block.
    """
    block = block_kernels.new_block(len(bounds) - 1, len(symbols))
    room = joint_lattices.ROOM
    trellis, arcs = joint_arrays.trellis_room(room), joint_arrays.arc_room(room)
    none = nbest_kernels.NBest(
        np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0), np.empty(0), False
    )
    for item in range(len(bounds) - 1):
        string, near = symbols[bounds[item] : bounds[item + 1]], beam
        while True:
            context = joint_trellis.context_of(joint, string, near.reach)
            trellis, arcs, n_arcs, nodes, _ = joint_lattices.string_trellis(
                joint, string, context, near.width, trellis, arcs, scratch
            )
            if least == 1:
                found = near_lattice(joint, trellis, arcs, n_arcs, nodes, margin)
            else:
                found = joint_lattices.trellis_lattice(joint, trellis, arcs, n_arcs, nodes)
            answers = none
            if found.n_states > 0:
                answers = nbest_kernels.best_within(found, most, budget)
            n = len(answers.costs)
            if n >= least or answers.truncated or math.isinf(near.width):
                break
            near = joint_lattices.wider_beam(near)
        while n > least and answers.costs[n - 1] > answers.costs[0] + margin:
            n -= 1
        kept = nbest_kernels.NBest(
            answers.offsets[: n + 1], answers.labels[: answers.offsets[n]], answers.costs[:n],
            answers.posteriors[:n], answers.truncated,
        )  # fmt: skip
        status = TRUNCATED if answers.truncated else OK
        block = block_kernels.add_answers(block, item, status if n else NO_PATH, kept)
    found_fields: tuple[Array, ...] = block_kernels.block_arrays(block, False)
    return found_fields
