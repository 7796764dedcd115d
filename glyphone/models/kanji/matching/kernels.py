"""Kernels: the readings that two lattices have in common.

A lattice of a name is a distribution over its readings. That of two of them together,

    sum over readings r of P(r | A) P(r | B)

is the mass of their intersection, over all paths and not over the best ones alone. Here `begins`
are not the symbol that an arc reads, but the label that is reported to the user.

>>> from glyphone.fst.lattices.string_kernels import string_lattice
>>> one, other = (report_labels(string_lattice(np.array(labels))) for labels in ([5, 7], [5, 6]))
>>> compare_lattices(one, lattice_acceptor(one), 1, 100)[1].labels.tolist()
[5, 7]
>>> compare_lattices(one, lattice_acceptor(other), 1, 100)[0]
inf
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.fst.joint.kernels.arrays import Beam, Joint
from glyphone.fst.lattices.arrays import Lattice, Machine
from glyphone.fst.lattices.nbest_kernels import NBest

kernel_arrays = sibling(__name__, "glyphone.data.kernels.arrays")
joint_arrays = sibling(__name__, "glyphone.fst.joint.kernels.arrays")
joint_ends = sibling(__name__, "glyphone.fst.joint.kernels.ends")
joint_trellis = sibling(__name__, "glyphone.fst.joint.kernels.trellis")
joint_lattices = sibling(__name__, "glyphone.fst.joint.kernels.lattices")
lattice_sums = sibling(__name__, "glyphone.fst.lattices.sum_kernels")
composition_kernels = sibling(__name__, "glyphone.fst.lattices.composition_kernels")
string_kernels = sibling(__name__, "glyphone.fst.lattices.string_kernels")
nbest_kernels = sibling(__name__, "glyphone.fst.lattices.nbest_kernels")
write_row = kernel_arrays.write_row

Array = Any
# Nodes of a name; for more of them a trellis is filled again.
ROOM = 1 << 16


@kernel
def relabel_arcs(lattice: Lattice, labels: Array, reported: Array) -> Lattice:
    """A lattice with other labels, and with the labels that are reported for them."""
    found: Lattice = Lattice(
        lattice.n_states,
        lattice.offsets,
        labels.astype(np.int32),
        lattice.costs,
        lattice.targets,
        reported.astype(np.int64),
        lattice.ends,
        lattice.finals,
    )
    return found


@kernel
def report_labels(lattice: Lattice) -> Lattice:
    """A lattice in which the label of each arc is the one that is reported."""
    return relabel_arcs(lattice, lattice.labels, lattice.labels)


@kernel
def part_lattice(lattice: Lattice, begin: int, end: int, space: int, spaced: bool) -> Lattice:
    """The readings of the symbols from begin to end of a name; the rest of the name is silent.

    So the mass of a reading of the part is the sum over all readings of the rest. Spaces are not
    written; they are reported if `spaced`.
    """
    places = np.zeros(lattice.n_states, np.int64)  # how many symbols have been read
    labels, reported = lattice.labels.copy(), lattice.labels.copy()
    for state in range(lattice.n_states):
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            target = lattice.targets[arc]
            places[target] = lattice.ends[arc] if lattice.ends[arc] >= 0 else places[state]
            inside = begin < places[target] <= end
            if not inside or labels[arc] == space:
                labels[arc] = 0
            if not inside or (labels[arc] != reported[arc] and not spaced):
                reported[arc] = 0
    return relabel_arcs(lattice, labels, reported)


@kernel
def lattice_acceptor(lattice: Lattice) -> Machine:
    """A lattice as a machine that reads what it writes."""
    order = np.empty(len(lattice.labels), np.int64)
    for state in range(lattice.n_states):
        low, high = lattice.offsets[state], lattice.offsets[state + 1]
        order[low:high] = low + np.argsort(lattice.labels[low:high], kind="mergesort")
    machine: Machine = Machine(
        np.zeros(1, np.int64),
        lattice.offsets,
        lattice.labels[order],
        lattice.labels[order],
        lattice.costs[order],
        lattice.targets[order],
        lattice.finals,
        string_kernels.next_label_bits(lattice),
    )
    return machine


@kernel
def machine_of_key(keys: Machine, key: Array) -> Machine:
    """The machine of all strings that a transducer turns into a key.

    A state is one of the transducer and how much of the key is written. They are infinitely many
    readings, but few states: arcs that do not go on with the key are not made.
    """
    n_states = len(keys.offsets) - 1
    numbers = np.full(n_states * (len(key) + 1), -1, np.int64)
    agenda = np.empty(len(numbers), np.int64)
    arcs, costs, n_arcs = np.empty((64, 2), np.int64), np.empty((64, 1)), 0
    offsets, finals = np.zeros(len(numbers) + 1, np.int64), np.full(len(numbers), np.inf)
    reads = np.zeros(len(numbers), np.int64)
    agenda[0], numbers[keys.starts[0]], n_found, number = keys.starts[0], 0, 1, 0
    while number < n_found:
        state, place = agenda[number] % n_states, agenda[number] // n_states
        if place == len(key):
            finals[number] = keys.finals[state]
        if finals[number] < np.inf:
            reads[number] = string_kernels.EVERY
        for arc in range(keys.offsets[state], keys.offsets[state + 1]):
            writes = keys.olabels[arc] != 0
            if writes and (place == len(key) or key[place] != keys.olabels[arc]):
                continue
            target = (place + int(writes)) * n_states + keys.targets[arc]
            if numbers[target] < 0:
                numbers[target], agenda[n_found] = n_found, target
                n_found += 1
            if n_arcs == len(arcs):
                arcs, costs = kernel_arrays.doubled_rows(arcs), kernel_arrays.doubled_rows(costs)
            label = np.int64(keys.ilabels[arc])
            reads[number] |= string_kernels.EVERY if label == 0 else string_kernels.label_bit(label)
            write_row(arcs, n_arcs, (label, numbers[target]))
            costs[n_arcs, 0] = keys.weights[arc]
            n_arcs += 1
        number += 1
        offsets[number] = n_arcs
    labels = arcs[:n_arcs, 0].astype(np.int32)
    machine: Machine = Machine(
        np.zeros(1, np.int64),
        offsets[: n_found + 1],
        labels,
        labels,
        costs[:n_arcs, 0].copy(),
        arcs[:n_arcs, 1].copy(),
        finals[:n_found],
        reads[:n_found],
    )
    return machine


@kernel
def compare_lattices(one: Lattice, other: Machine, n: int, budget: int) -> tuple[float, NBest]:
    """-ln of the mass of the strings that one writes and the other reads, and the n best of them by
    the labels that `one` reports.
    """
    both = composition_kernels.compose(one, other, 0)
    if both.n_states <= 0:
        return np.inf, no_answers()
    return lattice_sums.backward_sums(both)[1][0], best_reported(both, n, budget)


@kernel
def no_answers() -> NBest:
    """No answers at all."""
    none: NBest = nbest_kernels.NBest(
        np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0), np.empty(0), False
    )
    return none


@kernel
def best_reported(lattice: Lattice, n: int, budget: int) -> NBest:
    """The n best strings of reported labels, by the sums over their paths."""
    labels = np.maximum(lattice.begins, 0)
    found: NBest = nbest_kernels.n_best(relabel_arcs(lattice, labels, labels), n, budget, True)
    return found


@kernel
def total_cost(lattice: Lattice) -> float:
    """-ln of the mass of all paths of a lattice."""
    mass: float = lattice_sums.backward_sums(lattice)[1][0]
    return mass


@kernel
def total_costs(joint: Joint, symbols: Array, bounds: Array, width: float) -> Array:
    """-ln P(x) of each string symbols[bounds[i]:bounds[i + 1]], summed within a beam.

    Where a beam loses all paths, a wider one is tried.
    """
    found = np.empty(len(bounds) - 1)
    trellis = joint_arrays.trellis_room(ROOM)
    arcs, scratch = joint_arrays.arc_room(0), joint_arrays.trellis_scratch(joint)
    for item in range(len(found)):
        string = symbols[bounds[item] : bounds[item + 1]]
        context = joint_trellis.context_of(joint, string, np.inf)
        beam = Beam(width, np.inf)
        while True:
            trellis, arcs, _, nodes, scales = joint_lattices.string_trellis(
                joint, string, context, beam.width, trellis, arcs, scratch
            )
            ends = np.ones(nodes[-1] - nodes[len(scales) - joint.layers])
            _, _, found[item], _ = joint_ends.best_end(joint, trellis, nodes, scales, ends)
            if found[item] < np.inf or beam.width == np.inf:
                break
            beam = joint_lattices.wider_beam(beam)
    return found
