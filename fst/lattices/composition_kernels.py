"""Kernels: all outputs of a transducer for the strings of a lattice, as another lattice.

>>> from glyphone.fst.lattices.string_kernels import string_lattice
>>> from glyphone.fst.transducers.model import TransducerModel
>>> from glyphone.fst.rules.cascade import cascade
>>> machine = TransducerModel.of(cascade(letters="a b", phones="x y", rules="a b -> x y")).machine
>>> compose(string_lattice(np.array([1, 2])), machine, 0).n_states
3
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, leaf, sibling
from glyphone.fst.lattices.arrays import INFINITY, NO_ROOM, ROOM, Lattice, LatticeDraft, Machine

write_row = sibling(__name__, "glyphone.data.kernels.arrays").write_row
find_slot = sibling(__name__, "glyphone.data.kernels.arrays").find_slot
string_kernels = sibling(__name__, "glyphone.fst.lattices.string_kernels")
trimming_kernels = sibling(__name__, "glyphone.fst.lattices.trimming_kernels")

Array = Any


@inlined
def first_arc(ilabels: Array, low: int, high: int, label: int) -> int:
    """The first of some sorted arcs whose input label is not below `label`."""
    while low < high and label > 0:
        middle = (low + high) >> 1
        if ilabels[middle] < label:
            low = middle + 1
        else:
            high = middle
    return low


class ProductRoom(NamedTuple):
    """Room for a composition: its states, a hash table of their numbers, the first and last state
    over each state of the lattice, bits of the labels that may come next there, and the draft of
    the result.

    The table is empty, `keys` being -1, before and after.
    """

    states: Array
    keys: Array
    values: Array
    firsts: Array
    next_bits: Array
    draft: LatticeDraft


@kernel
def product_room(n_above: int, room: int) -> ProductRoom:
    """Room for `room` states and arcs, a power of two, over a lattice of `n_above` states."""
    return ProductRoom(
        np.empty((room, 5), np.int64),
        np.full(4 * room, -1, np.int64),
        np.empty(4 * room, np.int64),
        np.empty((n_above, 2), np.int64),
        np.empty(n_above, np.int64),
        trimming_kernels.lattice_draft(room, room),
    )


@kernel
def compose(lattice: Lattice, machine: Machine, stage: int) -> Lattice:
    """The lattice of all outputs of one transducer for the strings of a lattice."""
    room = ROOM
    while True:
        products = product_room(lattice.n_states, room)
        n_states, n_arcs = write_product(lattice, machine, stage, products)
        if n_arcs != NO_ROOM:
            break
        room *= 4
    found: Lattice = trimming_kernels.finish_draft(products.draft, n_states, n_arcs)
    return found


@leaf
def write_product(
    lattice: Lattice, machine: Machine, stage: int, products: ProductRoom
) -> tuple[int, int]:
    """Write the draft of a composition; return its numbers of states and arcs, NO_ROOM arcs if
    there are too many.

    A state of the product is (p, q, filter). Filter 1 follows an epsilon of the transducer, when an
    epsilon of the lattice may no longer be taken: of all orders of epsilons one is left. States
    that read no label which may come next are not made. Those with one p are a chain, whose first
    and last are in `firsts`.
    """
    offsets, ilabels, n_machine = machine.offsets, machine.ilabels, len(machine.offsets) - 1
    states, keys, values = products.states, products.keys, products.values
    arcs, costs, finals = products.draft.arcs, products.draft.costs, products.draft.finals
    firsts, next_bits = products.firsts[: lattice.n_states], products.next_bits[: lattice.n_states]
    string_kernels.write_next_label_bits(lattice, next_bits)
    blocked = 0
    for label in lattice.labels:
        if label == 0:
            blocked = 1
    firsts[:] = -1
    start = machine.starts[stage]
    place = find_slot(keys, start * 2)
    write_row(states, 0, (0, start, 0, -1, place))
    keys[place], values[place] = start * 2, 0
    firsts[0, 0] = firsts[0, 1] = 0
    n_states, n_arcs = 1, 0

    for p in range(lattice.n_states):
        state = firsts[p, 0]
        while state != -1:
            q, mode = states[state, 1], states[state, 2]
            # Move -1 reads nothing: the epsilons of the transducer; the others are the lattice's.
            for move in range(-1, lattice.offsets[p + 1] - lattice.offsets[p]):
                above = lattice.offsets[p] + move
                label = 0 if move == -1 else lattice.labels[above]
                stays = move != -1 and label == 0  # an epsilon of the lattice
                if stays and mode == 1:
                    continue
                arc, limit = 0, 1
                if not stays:
                    limit = offsets[q + 1]
                    arc = first_arc(ilabels, offsets[q], limit, label)
                while arc < limit and (stays or ilabels[arc] == label):
                    here = arc
                    arc += 1
                    if not stays and machine.weights[here] == INFINITY:
                        continue
                    if max(n_states, n_arcs) == len(arcs):
                        return 0, NO_ROOM
                    next_p = p if move == -1 else lattice.targets[above]
                    next_q = q if stays else machine.targets[here]
                    if next_bits[next_p] & machine.reads[next_q] == 0:
                        continue
                    next_mode = blocked if move == -1 else 0
                    key = (next_p * n_machine + next_q) * 2 + next_mode
                    place = find_slot(keys, key)
                    if keys[place] == -1:
                        keys[place], values[place] = key, n_states
                        write_row(states, n_states, (next_p, next_q, next_mode, -1, place))
                        if firsts[next_p, 0] == -1:
                            firsts[next_p, 0] = n_states
                        else:
                            states[firsts[next_p, 1], 3] = n_states
                        firsts[next_p, 1] = n_states
                        n_states += 1
                    output = 0 if stays else machine.olabels[here]
                    begin = -1 if move == -1 else lattice.begins[above]
                    end = -1 if move == -1 else lattice.ends[above]
                    write_row(arcs, n_arcs, (state, values[place], output, begin, end))
                    price = 0.0 if stays else machine.weights[here]
                    costs[n_arcs] = price if move == -1 else price + lattice.costs[above]
                    n_arcs += 1
            state = states[state, 3]
    for state in range(n_states):
        finals[state] = lattice.finals[states[state, 0]] + machine.finals[states[state, 1]]
        keys[states[state, 4]] = -1
    return n_states, n_arcs
