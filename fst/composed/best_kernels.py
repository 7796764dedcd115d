"""Kernels: the best outputs of strings through a model and a machine, without a search for others.

A lattice has one best path, mostly. Its output is then the best, and the share of the output is
found by going along it through the lattice. Where several paths are as good as each other, which
comes first is for `search.n_best` to say. All is done in room that is there already, as in
`glyphone.fst.joint.kernels.best`.

>>> from glyphone.fst.lattices.kernels import lattice_of
>>> room = paths_of(8)
>>> lattice = lattice_of(np.array([5, 7], np.int32))
>>> best(lattice, room)[0], room.output[:2].tolist(), share_of(lattice, 2, room)
(2, [5, 7], 1.0)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, leaf, sibling
from glyphone.fst.composed.arrays import Behind
from glyphone.fst.joint.kernels.arrays import Beam, Joint, Scratch
from glyphone.fst.joint.kernels.best import SEVERAL
from glyphone.fst.joint.kernels.best import Room as Trellises
from glyphone.fst.joint.kernels.trellis import NO_ROOM
from glyphone.fst.lattices.block_kernels import OK, Block
from glyphone.fst.lattices.composition_kernels import Products
from glyphone.fst.lattices.kernels import Draft, Lattice

composition = sibling(__name__, "glyphone.fst.lattices.composition_kernels")
joint_best = sibling(__name__, "glyphone.fst.joint.kernels.best")
joint_lattices = sibling(__name__, "glyphone.fst.joint.kernels.lattices")
lattice_sums = sibling(__name__, "glyphone.fst.lattices.sum_kernels")
letters_kernels = sibling(__name__, "glyphone.fst.composed.letters_kernels")
lattices = sibling(__name__, "glyphone.fst.lattices.kernels")

Array = Any
# Costs that differ by less are equal: sums in another order round to it.
ALIKE = 1e-9


class Paths(NamedTuple):
    """Room for costs and masses of states, for an output, and for the shares of its beginnings.

    Entry k is a state's: the share of all paths that come to it with the first places[k] symbols of
    the output. The entries of a state are a chain from `heads` on by `nexts`.
    """

    costs: Array
    masses: Array
    output: Array
    heads: Array
    nexts: Array
    places: Array
    shares: Array


class Room(NamedTuple):
    """Room for all that is found out about one string; compositions take turns."""

    trellises: Trellises
    places: Array
    finals: Array
    draft: Draft
    one: Products
    other: Products
    paths: Paths


@kernel
def paths_of(size: int) -> Paths:
    return Paths(
        np.empty(size),
        np.empty(size),
        np.empty(size, np.int32),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size),
    )


@kernel
def room_of(joint: Joint, size: int) -> Room:
    """Room for strings of about so many rows, nodes, states and arcs, a power of two."""
    return Room(
        joint_best.room_of(joint, size),
        np.empty(size, np.int64),
        np.empty(size),
        lattices.draft_of(size, size),
        composition.products_of(size, size),
        composition.products_of(size, size),
        paths_of(size),
    )


@leaf
def best_each(
    joint: Joint,
    behind: Behind,
    symbols: Array,
    bounds: Array,
    item: int,
    beam: Beam,
    room: Room,
    scratch: Scratch,
    block: Block,
) -> tuple[int, int]:
    """Answers strings, from number `item` on, with their best outputs.

    Returns the number of the first that is not answered, and why: NO_ROOM, or SEVERAL are as good,
    or none is left.
    """
    paths = room.paths
    while item < len(bounds) - 1:
        string = symbols[bounds[item] : bounds[item + 1]]
        n, cost, share = answered(joint, behind, string, beam, room, scratch)
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
def answered(
    joint: Joint, behind: Behind, string: Array, beam: Beam, room: Room, scratch: Scratch
) -> tuple[int, float, float]:
    """How long the best output is, or NO_ROOM or SEVERAL; its cost and its share."""
    n_states, n_arcs = spelt(joint, string, beam, room, scratch)
    if n_arcs == NO_ROOM:
        return NO_ROOM, 0.0, 0.0
    lattice = lattices.finished(room.draft, n_states, n_arcs)
    for stage in range(len(behind.machine.starts) + int(len(behind.letters.tokens) > 0)):
        if lattice.n_states <= 0:
            break
        if lattice.n_states > len(room.one.next_bits):
            return NO_ROOM, 0.0, 0.0
        products = room.one if stage % 2 == 0 else room.other
        n_states, n_arcs = through(lattice, behind, stage, products)
        if n_arcs == lattices.NO_ROOM:
            return NO_ROOM, 0.0, 0.0
        lattice = lattices.finished(products.draft, n_states, n_arcs)
    if lattice.n_states <= 0:
        return SEVERAL, 0.0, 0.0
    n, cost = best(lattice, room.paths)
    share = share_of(lattice, n, room.paths) if n >= 0 else 0.0
    return (n if share >= 0.0 else NO_ROOM), cost, share


@inlined
def through(lattice: Lattice, behind: Behind, stage: int, products: Products) -> tuple[int, int]:
    """How many states and arcs a lattice has behind a transducer, or at last the letter model."""
    if stage < len(behind.machine.starts):
        n_states, n_arcs = composition.product(lattice, behind.machine, stage, products)
    else:
        n_states, n_arcs = letters_kernels.spread(lattice, behind.letters, products)
    return n_states, n_arcs


@inlined
def spelt(joint: Joint, string: Array, beam: Beam, room: Room, scratch: Scratch) -> tuple[int, int]:
    """How many states and arcs the joint model's lattice of a string has, NO_ROOM arcs if too many.

    They are in the room for its draft.
    """
    space, n_rows = room.trellises, (len(string) + 1) * joint.layers
    if n_rows > len(space.tops):
        return 0, NO_ROOM
    n_units = joint_best.filled(joint, string, beam, space, scratch)
    if n_units == NO_ROOM:
        return 0, NO_ROOM
    nodes = space.bounds[: n_rows + 1]
    n_nodes = nodes[n_rows]
    places, finals, draft = room.places[:n_nodes], room.finals[:n_nodes], room.draft
    joint_lattices.place_nodes(joint, space.trellis, nodes, places, finals)
    n_units = joint_lattices.cut(space.arcs, n_units, finals, space.trellis.ties)
    n_states, n_arcs = joint_lattices.size_of(joint, space.arcs, n_units, n_nodes)
    if max(n_states, n_arcs) > len(draft.costs):
        return 0, NO_ROOM
    joint_lattices.spell(
        joint, space.arcs, n_units, places, finals,
        draft.arcs[:n_arcs], draft.costs[:n_arcs], draft.finals[:n_states],
    )  # fmt: skip
    return n_states, n_arcs


@leaf
def best(lattice: Lattice, paths: Paths) -> tuple[int, float]:
    """How long the output of the best path is, which is written down; SEVERAL if there are more."""
    costs, output = paths.costs, paths.output
    lattice_sums.sum_up(lattice, costs, paths.masses)
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
def share_of(lattice: Lattice, n_labels: int, paths: Paths) -> float:
    """The share of all paths that write an output; below 0 if there is too little room."""
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
