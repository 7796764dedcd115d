"""Kernels: the best outputs of strings through a model and a machine, without a search for others.

A lattice has one best path, mostly. Its output is then the best, and the share of the output is
found by going along it through the lattice. Where several paths are equally good,
`nbest_kernels.n_best` decides which comes first. The kernels work in room that is there already, as
in `glyphone.fst.joint.kernels.best`.

>>> from glyphone.fst.lattices.string_kernels import string_lattice
>>> room = path_room(8)
>>> lattice = string_lattice(np.array([5, 7], np.int32))
>>> write_best_output(lattice, room)[0], room.output[:2].tolist(), output_share(lattice, 2, room)
(2, [5, 7], 1.0)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, leaf, sibling
from glyphone.fst.composed.arrays import Behind
from glyphone.fst.joint.kernels.arrays import Beam, Joint, TrellisScratch
from glyphone.fst.joint.kernels.best import SEVERAL
from glyphone.fst.joint.kernels.best import DecodingRoom as Trellises
from glyphone.fst.joint.kernels.trellis import NO_ROOM
from glyphone.fst.lattices.arrays import Lattice, LatticeDraft
from glyphone.fst.lattices.block_kernels import OK, Block
from glyphone.fst.lattices.composition_kernels import ProductRoom

composition_kernels = sibling(__name__, "glyphone.fst.lattices.composition_kernels")
joint_best = sibling(__name__, "glyphone.fst.joint.kernels.best")
joint_lattices = sibling(__name__, "glyphone.fst.joint.kernels.lattices")
lattice_sums = sibling(__name__, "glyphone.fst.lattices.sum_kernels")
letters_kernels = sibling(__name__, "glyphone.fst.composed.letters_kernels")
trimming_kernels = sibling(__name__, "glyphone.fst.lattices.trimming_kernels")

Array = Any
# Costs that differ by less are equal: sums in another order round to it.
ALIKE = 1e-9


class PathRoom(NamedTuple):
    """Room for costs and masses of states, for an output, and for the shares of its beginnings.

    Entry k belongs to a state: the share of all paths that come to it with the first places[k]
    symbols of the output. The entries of a state are a chain from `heads` on by `nexts`.
    """

    costs: Array
    masses: Array
    output: Array
    heads: Array
    nexts: Array
    places: Array
    shares: Array


class CompositionRoom(NamedTuple):
    """Room for the trellis and the lattices of one string; compositions take turns in `one` and
    `other`."""

    trellises: Trellises
    places: Array
    finals: Array
    draft: LatticeDraft
    one: ProductRoom
    other: ProductRoom
    paths: PathRoom


@kernel
def path_room(size: int) -> PathRoom:
    """Room for lattices of up to `size` states, and for as many labels and entries."""
    return PathRoom(
        np.empty(size),
        np.empty(size),
        np.empty(size, np.int32),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size),
    )


@kernel
def composition_room(joint: Joint, size: int) -> CompositionRoom:
    """Room for strings of about so many rows, nodes, states and arcs, a power of two."""
    return CompositionRoom(
        joint_best.decoding_room(joint, size),
        np.empty(size, np.int64),
        np.empty(size),
        trimming_kernels.lattice_draft(size, size),
        composition_kernels.product_room(size, size),
        composition_kernels.product_room(size, size),
        path_room(size),
    )


@leaf
def answer_strings(
    joint: Joint,
    behind: Behind,
    symbols: Array,
    bounds: Array,
    item: int,
    beam: Beam,
    room: CompositionRoom,
    scratch: TrellisScratch,
    block: Block,
) -> tuple[int, int]:
    """Write the best outputs of strings into the block, from string `item` on.

    Returns the number of the first string without an answer and the reason: NO_ROOM, or SEVERAL
    outputs are equally good or none is left; OK if all have one.
    """
    paths = room.paths
    while item < len(bounds) - 1:
        string = symbols[bounds[item] : bounds[item + 1]]
        n, cost, share = answer_string(joint, behind, string, beam, room, scratch)
        if n < 0:
            return item, n
        first = block.firsts[item]
        begin = block.offsets[first]
        if begin + n > len(block.labels):
            return item, NO_ROOM
        for place in range(n):
            block.labels[begin + place] = paths.output[place]
        block.costs[first], block.posteriors[first] = cost, share
        block.offsets[first + 1] = begin + n
        block.statuses[item], block.firsts[item + 1] = OK, first + 1
        item += 1
    return item, OK


@inlined
def answer_string(
    joint: Joint,
    behind: Behind,
    string: Array,
    beam: Beam,
    room: CompositionRoom,
    scratch: TrellisScratch,
) -> tuple[int, float, float]:
    """The length of the best output, or NO_ROOM or SEVERAL; its cost and its share."""
    n_states, n_arcs = write_joint_lattice(joint, string, beam, room, scratch)
    if n_arcs == NO_ROOM:
        return NO_ROOM, 0.0, 0.0
    lattice = trimming_kernels.finish_draft(room.draft, n_states, n_arcs)
    for stage in range(len(behind.machine.starts) + int(len(behind.letters.tokens) > 0)):
        if lattice.n_states <= 0:
            break
        if lattice.n_states > len(room.one.next_bits):
            return NO_ROOM, 0.0, 0.0
        products = room.one if stage % 2 == 0 else room.other
        n_states, n_arcs = compose_stage(lattice, behind, stage, products)
        if n_arcs == composition_kernels.NO_ROOM:
            return NO_ROOM, 0.0, 0.0
        lattice = trimming_kernels.finish_draft(products.draft, n_states, n_arcs)
    if lattice.n_states <= 0:
        return SEVERAL, 0.0, 0.0
    n, cost = write_best_output(lattice, room.paths)
    share = output_share(lattice, n, room.paths) if n >= 0 else 0.0
    return (n if share >= 0.0 else NO_ROOM), cost, share


@inlined
def compose_stage(
    lattice: Lattice, behind: Behind, stage: int, products: ProductRoom
) -> tuple[int, int]:
    """The numbers of states and arcs of a lattice composed with a transducer, or at last with the
    letter model."""
    if stage < len(behind.machine.starts):
        n_states, n_arcs = composition_kernels.write_product(
            lattice, behind.machine, stage, products
        )
    else:
        n_states, n_arcs = letters_kernels.write_weighted_product(lattice, behind.letters, products)
    return n_states, n_arcs


@inlined
def write_joint_lattice(
    joint: Joint, string: Array, beam: Beam, room: CompositionRoom, scratch: TrellisScratch
) -> tuple[int, int]:
    """Write the joint model's lattice of a string into the draft; return its numbers of states and
    arcs, NO_ROOM arcs if there are too many."""
    space, n_rows = room.trellises, (len(string) + 1) * joint.layers
    if n_rows > len(space.tops):
        return 0, NO_ROOM
    n_units = joint_best.fill_string_trellis(joint, string, beam, space, scratch)
    if n_units == NO_ROOM:
        return 0, NO_ROOM
    nodes = space.bounds[: n_rows + 1]
    n_nodes = nodes[n_rows]
    places, finals, draft = room.places[:n_nodes], room.finals[:n_nodes], room.draft
    joint_lattices.place_nodes(joint, space.trellis, nodes, places, finals)
    n_units = joint_lattices.keep_useful_arcs(space.arcs, n_units, finals, space.trellis.ties)
    n_states, n_arcs = joint_lattices.lattice_size(joint, space.arcs, n_units, n_nodes)
    if max(n_states, n_arcs) > len(draft.costs):
        return 0, NO_ROOM
    joint_lattices.write_spelling(
        joint, space.arcs, n_units, places, finals,
        draft.arcs[:n_arcs], draft.costs[:n_arcs], draft.finals[:n_states],
    )  # fmt: skip
    return n_states, n_arcs


@leaf
def write_best_output(lattice: Lattice, paths: PathRoom) -> tuple[int, float]:
    """Write the output of the best path; return its length and its cost, SEVERAL if there are
    more."""
    costs, output = paths.costs, paths.output
    lattice_sums.write_backward_sums(lattice, costs, paths.masses)
    n, state = 0, 0
    while True:
        least, chosen, rivals = lattice.finals[state], -1, 0
        if least - costs[state] < ALIKE:
            rivals += 1
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            total = lattice.costs[arc] + costs[lattice.targets[arc]]
            if total - costs[state] < ALIKE:
                rivals += 1
            if total < least:
                least, chosen = total, arc
        if rivals != 1:
            return SEVERAL, 0.0
        if chosen < 0:
            return n, costs[0]
        if lattice.labels[chosen] != 0:
            output[n] = lattice.labels[chosen]
            n += 1
        state = lattice.targets[chosen]


@leaf
def output_share(lattice: Lattice, n_labels: int, paths: PathRoom) -> float:
    """The share of all paths that write the output; below 0 if there is too little room."""
    output, masses, heads = paths.output, paths.masses, paths.heads
    nexts, places, shares = paths.nexts, paths.places, paths.shares
    heads[: lattice.n_states] = -1
    heads[0], nexts[0], places[0], shares[0], n, found = 0, -1, 0, 1.0, 1, 0.0
    for state in range(lattice.n_states):
        entry = heads[state]
        while entry >= 0:
            if n + lattice.offsets[state + 1] - lattice.offsets[state] > len(places):
                return -1.0
            place, share = places[entry], shares[entry]
            if place == n_labels:
                found += share * math.exp(masses[state] - lattice.finals[state])
            for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
                label, target = lattice.labels[arc], lattice.targets[arc]
                if label != 0 and (place == n_labels or label != output[place]):
                    continue
                gone = masses[state] - lattice.costs[arc] - masses[target]
                if not gone > -np.inf:  # nor a difference of infinities
                    continue
                beyond = place + int(label != 0)
                other = heads[target]
                while other >= 0 and places[other] != beyond:
                    other = nexts[other]
                if other < 0:
                    places[n], shares[n], nexts[n] = beyond, 0.0, heads[target]
                    heads[target] = other = n
                    n += 1
                shares[other] += share * math.exp(gone)
            entry = nexts[entry]
    return min(1.0, found)
