"""Kernels: strings through transducers to lattices.

A machine holds the transducers of a cascade end to end in flat arrays, arcs sorted by state and
input label, label 0 for epsilon. A lattice is acyclic, trimmed and numbered in topological order,
state 0 first. Costs are negative natural logarithms.

>>> lattice_of(np.array([5, 7])).labels
array([5, 7], dtype=int32)
"""

# Kernels name no types beyond arrays: numba infers them.
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.jit import inlined, kernel, sibling

growing = sibling(__name__, "glyphone.fst.growing")
put = growing.put
slot = sibling(__name__, "glyphone.fst.hashing").slot

Array = Any
INFINITY = np.inf
CYCLIC = -1
# States and arcs that a composition has room for, at first.
ROOM, NO_ROOM = 512, -2
EVERY = -1  # all bits


class Machine(NamedTuple):
    """One or more transducers in flat arrays; `starts[k]` is where the k-th begins.

    reads[state] has a bit for each label that it reads, see `bit_of`, and all bits where a path
    may end or go on without reading.
    """

    starts: Array
    offsets: Array
    ilabels: Array
    olabels: Array
    weights: Array
    targets: Array
    finals: Array
    reads: Array


class Lattice(NamedTuple):
    """An acyclic automaton whose arcs know which input symbols they read: begins to ends, or -1.

    Of a lattice that could not be made `n_states` is 0 if there is no path, CYCLIC if there are
    infinitely many.
    """

    n_states: int
    offsets: Array
    labels: Array
    costs: Array
    targets: Array
    begins: Array
    ends: Array
    finals: Array


@kernel
def bit_of(label: int) -> int:
    """The bit of a label, which some labels may share."""
    return 1 << (label % 63)


@kernel
def written(lattice: Lattice) -> Array:
    """For each state a bit for each label that may come next, all where it may be none."""
    found = np.zeros(lattice.n_states, np.int64)
    for state in range(lattice.n_states - 1, -1, -1):
        if lattice.finals[state] < INFINITY:
            found[state] = EVERY
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            label = int(lattice.labels[arc])
            found[state] |= found[lattice.targets[arc]] if label == 0 else bit_of(label)
    return found


@kernel
def lattice_of(string: Array) -> Lattice:
    """The lattice of one string."""
    n = len(string)
    offsets = np.minimum(np.arange(n + 2), n)
    positions = np.arange(n)
    finals = np.full(n + 1, INFINITY)
    finals[n] = 0.0
    return Lattice(
        n + 1,
        offsets,
        string.astype(np.int32),
        np.zeros(n),
        positions + 1,
        positions,
        positions + 1,
        finals,
    )


@kernel
def rehashed(keys: Array, values: Array) -> tuple[Array, Array]:
    larger_keys = np.full(2 * len(keys), -1, np.int64)
    larger_values = np.empty(2 * len(keys), np.int64)
    for place in range(len(keys)):
        if keys[place] != -1:
            target = slot(larger_keys, keys[place])
            larger_keys[target] = keys[place]
            larger_values[target] = values[place]
    return larger_keys, larger_values


@inlined
def first_arc(ilabels: Array, low: int, high: int, label: int) -> int:
    """The first of some sorted arcs whose input label is not below `label`."""
    while low < high:
        middle = (low + high) >> 1
        if ilabels[middle] < label:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def compose(lattice: Lattice, machine: Machine, stage: int) -> Lattice:
    """The lattice of all outputs of one transducer for the strings of a lattice."""
    room = ROOM
    while True:
        states, finals = np.empty((room, 4), np.int64), np.empty(room)
        arcs, costs = np.empty((room, 5), np.int64), np.empty(room)
        n_states, n_arcs = product(lattice, machine, stage, states, arcs, costs)
        if n_arcs != NO_ROOM:
            break
        room *= 4
    for state in range(n_states):
        finals[state] = lattice.finals[states[state, 0]] + machine.finals[states[state, 1]]
    return trimmed(arcs[:n_arcs], costs[:n_arcs], finals[:n_states])


@kernel
def product(
    lattice: Lattice, machine: Machine, stage: int, states: Array, arcs: Array, costs: Array
) -> tuple[int, int]:
    """The numbers of states and arcs of a composition; NO_ROOM arcs if there are too many.

    A state of the product is (p, q, filter). Filter 1 follows an epsilon of the transducer, when
    an epsilon of the lattice may no longer be taken: of all orders of epsilons one is left. States
    where nothing that comes next is read are not made. Nothing grows here: numba counts references
    to an array that a loop may replace at each use, which took two thirds of the time.
    """
    offsets, ilabels, n_machine = machine.offsets, machine.ilabels, len(machine.offsets) - 1
    blocked, next_bits = 0, written(lattice)
    for label in lattice.labels:
        if label == 0:
            blocked = 1

    keys, values = np.full(4 * len(states), -1, np.int64), np.empty(4 * len(states), np.int64)
    first, last = np.full(lattice.n_states, -1, np.int64), np.full(lattice.n_states, -1, np.int64)

    start = machine.starts[stage]
    put(states, 0, (0, start, 0, -1))
    place = slot(keys, start * 2)
    keys[place], values[place] = start * 2, 0
    first[0] = last[0] = 0
    n_states, n_arcs = 1, 0

    for p in range(lattice.n_states):
        state = first[p]
        while state != -1:
            q, mode = states[state, 1], states[state, 2]
            # Move -1 reads nothing: the epsilons of the transducer; the others are the lattice's.
            for move in range(-1, lattice.offsets[p + 1] - lattice.offsets[p]):
                above = lattice.offsets[p] + move
                label = 0 if move == -1 else lattice.labels[above]
                stays = move != -1 and label == 0  # an epsilon of the lattice
                if stays and mode == 1:
                    continue
                low, high = 0, 1
                if not stays:
                    limit = offsets[q + 1]
                    low = first_arc(ilabels, offsets[q], limit, label)
                    high = first_arc(ilabels, low, limit, label + 1)
                if max(n_states, n_arcs) + high - low > len(arcs):
                    return 0, NO_ROOM
                for arc in range(low, high):
                    if not stays and machine.weights[arc] == INFINITY:
                        continue
                    next_p = p if move == -1 else lattice.targets[above]
                    next_q = q if stays else machine.targets[arc]
                    if next_bits[next_p] & machine.reads[next_q] == 0:
                        continue
                    next_mode = blocked if move == -1 else 0
                    key = (next_p * n_machine + next_q) * 2 + next_mode
                    place = slot(keys, key)
                    if keys[place] == -1:
                        keys[place], values[place] = key, n_states
                        put(states, n_states, (next_p, next_q, next_mode, -1))
                        if first[next_p] == -1:
                            first[next_p] = n_states
                        else:
                            states[last[next_p], 3] = n_states
                        last[next_p] = n_states
                        n_states += 1
                    output = 0 if stays else machine.olabels[arc]
                    begin = -1 if move == -1 else lattice.begins[above]
                    end = -1 if move == -1 else lattice.ends[above]
                    put(arcs, n_arcs, (state, values[place], output, begin, end))
                    price = 0.0 if stays else machine.weights[arc]
                    costs[n_arcs] = price if move == -1 else price + lattice.costs[above]
                    n_arcs += 1
            state = states[state, 3]
    return n_states, n_arcs


@kernel
def grouped(column: Array, n_groups: int) -> tuple[Array, Array]:
    """Rows grouped by a column, in a stable order: (offsets of the groups, row numbers)."""
    offsets = np.zeros(n_groups + 1, np.int64)
    for group in column:
        offsets[group + 1] += 1
    for group in range(n_groups):
        offsets[group + 1] += offsets[group]
    rows = np.empty(len(column), np.int64)
    filled = offsets[:-1].copy()
    for row in range(len(column)):
        rows[filled[column[row]]] = row
        filled[column[row]] += 1
    return offsets, rows


@kernel
def trimmed(arcs: Array, costs: Array, finals: Array) -> Lattice:
    """The lattice of arcs of accessible states: those that lead to an end, in topological order."""
    n_states = len(finals)
    into, rows = grouped(arcs[:, 1], n_states)
    useful = np.zeros(n_states, np.int64)
    agenda = np.empty(n_states, np.int64)
    n_useful = 0
    for state in range(n_states):
        if finals[state] < INFINITY:
            useful[state] = 1
            agenda[n_useful] = state
            n_useful += 1
    place = 0
    while place < n_useful:
        state = agenda[place]
        place += 1
        for row in rows[into[state] : into[state + 1]]:
            source = arcs[row, 0]
            if not useful[source]:
                useful[source] = 1
                agenda[n_useful] = source
                n_useful += 1
    if not useful[0]:
        n_useful = 0

    waiting = np.zeros(n_states, np.int64)
    for row in range(len(arcs)):
        if useful[arcs[row, 0]] and useful[arcs[row, 1]]:
            waiting[arcs[row, 1]] += 1
    outof, rows = grouped(arcs[:, 0], n_states)
    order = np.full(n_states, -1, np.int64)
    n_ordered = 0
    if n_useful and waiting[0] == 0:
        agenda[0] = 0
        n_ordered = 1
    offsets = np.zeros(n_useful + 1, np.int64)
    kept = np.empty(len(arcs), np.int64)
    n_kept, place = 0, 0
    while place < n_ordered:
        state = agenda[place]
        order[state] = place
        place += 1
        for row in rows[outof[state] : outof[state + 1]]:
            target = arcs[row, 1]
            if useful[target]:
                kept[n_kept] = row
                n_kept += 1
                waiting[target] -= 1
                if waiting[target] == 0:
                    agenda[n_ordered] = target
                    n_ordered += 1
        offsets[place] = n_kept

    kept = kept[:n_kept]
    return Lattice(
        n_useful if n_ordered == n_useful else CYCLIC,
        offsets,
        arcs[kept, 2].astype(np.int32),
        costs[kept],
        order[arcs[kept, 1]],
        arcs[kept, 3],
        arcs[kept, 4],
        finals[agenda[:n_ordered]],
    )
