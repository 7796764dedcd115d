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

from glyphone.data.kernels.jit import inlined, kernel, leaf, sibling

slot = sibling(__name__, "glyphone.data.kernels.arrays").slot

Array = Any
INFINITY = np.inf
CYCLIC = -1
# States and arcs that a composition has room for, at first.
ROOM, NO_ROOM = 512, -2
EVERY = -1  # all bits
# What is known of a state before it has a number.
NOT_YET, USEFUL = -2, -1


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


@leaf
def bit_of(label: int) -> int:
    """The bit of a label, which some labels may share."""
    return 1 << (label % 63)


@kernel
def written(lattice: Lattice) -> Array:
    """For each state a bit for each label that may come next, all where it may be none."""
    found = np.empty(lattice.n_states, np.int64)
    mark_written(lattice, found)
    return found


@leaf
def mark_written(lattice: Lattice, found: Array) -> None:
    found[:] = 0
    for state in range(lattice.n_states - 1, -1, -1):
        if lattice.finals[state] < INFINITY:
            found[state] = EVERY
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            label = int(lattice.labels[arc])
            found[state] |= found[lattice.targets[arc]] if label == 0 else bit_of(label)


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


@kernel
def grouped(column: Array, n_groups: int) -> tuple[Array, Array]:
    """Rows grouped by a column, in a stable order: (offsets of the groups, row numbers)."""
    offsets, rows = np.empty(n_groups + 2, np.int64), np.empty(len(column), np.int64)
    group(column, offsets, rows)
    return offsets[:-1], rows


@leaf
def group(column: Array, offsets: Array, rows: Array) -> None:
    """The same in arrays that are there, `offsets` longer by two than there are groups."""
    # While rows are put in their places, a group's offset stands one further to the right.
    offsets[:] = 0
    for value in column:
        offsets[value + 2] += 1
    for place in range(2, len(offsets)):
        offsets[place] += offsets[place - 1]
    for row in range(len(column)):
        place = column[row] + 1
        rows[offsets[place]] = row
        offsets[place] += 1


class Order(NamedTuple):
    """Room for what is to be known of states and arcs before a lattice is in order."""

    into: Array
    waiting: Array
    agenda: Array
    places: Array
    by_group: Array
    kept: Array


class Draft(NamedTuple):
    """Room for a lattice as it is made: rows of source, target, label, begin and end of an arc,
    its costs, those of states that are ends, and the lattice that becomes of them."""

    arcs: Array
    costs: Array
    finals: Array
    order: Order
    lattice: Lattice


@kernel
def order_of(n_states: int, n_arcs: int) -> Order:
    return Order(
        np.empty(n_states + 2, np.int64),
        np.empty(n_states + 2, np.int64),
        np.empty(n_states + 2, np.int64),
        np.empty(n_states + 2, np.int64),
        np.empty(n_arcs, np.int64),
        np.empty(n_arcs, np.int64),
    )


@kernel
def room_of(n_states: int, n_arcs: int) -> Lattice:
    return Lattice(
        n_states,
        np.empty(n_states + 1, np.int64),
        np.empty(n_arcs, np.int32),
        np.empty(n_arcs),
        np.empty(n_arcs, np.int64),
        np.empty(n_arcs, np.int64),
        np.empty(n_arcs, np.int64),
        np.empty(n_states),
    )


@kernel
def draft_of(n_states: int, n_arcs: int) -> Draft:
    return Draft(
        np.empty((n_arcs, 5), np.int64),
        np.empty(n_arcs),
        np.empty(n_states),
        order_of(n_states, n_arcs),
        room_of(n_states, n_arcs),
    )


@kernel
def trimmed(arcs: Array, costs: Array, finals: Array) -> Lattice:
    """The lattice of arcs of accessible states: those that lead to an end, in topological order."""
    n_states, n_arcs = len(finals), len(arcs)
    order, lattice = order_of(n_states, n_arcs), room_of(n_states, n_arcs)
    return finished(Draft(arcs, costs, finals, order, lattice), n_states, n_arcs)


@inlined
def finished(draft: Draft, n_states: int, n_arcs: int) -> Lattice:
    """The same of the first states and arcs of a draft, in its room."""
    found = draft.lattice
    n_useful, n_ordered, n_kept = trim(
        draft.arcs[:n_arcs], draft.costs[:n_arcs], draft.finals[:n_states], draft.order, found
    )
    return Lattice(
        n_useful if n_ordered == n_useful else CYCLIC,
        found.offsets[: n_useful + 1],
        found.labels[:n_kept],
        found.costs[:n_kept],
        found.targets[:n_kept],
        found.begins[:n_kept],
        found.ends[:n_kept],
        found.finals[:n_ordered],
    )


@leaf
def trim(
    arcs: Array, costs: Array, finals: Array, room: Order, found: Lattice
) -> tuple[int, int, int]:
    """Writes the useful part of a lattice.

    Returns how many states are useful, how many of them could be put in order, and how many arcs
    these have.
    """
    n_states, n_arcs = len(finals), len(arcs)
    into, waiting = room.into[: n_states + 2], room.waiting[:n_states]
    agenda, order = room.agenda, room.places[:n_states]
    by_group, kept = room.by_group[:n_arcs], room.kept
    group(arcs[:, 1], into, by_group)
    waiting[:], order[:] = 0, NOT_YET
    n_useful = 0
    for state in range(n_states):
        if finals[state] < INFINITY:
            order[state] = USEFUL
            agenda[n_useful] = state
            n_useful += 1
    place = 0
    while place < n_useful:
        state = agenda[place]
        place += 1
        for row in by_group[into[state] : into[state + 1]]:
            source = arcs[row, 0]
            waiting[state] += 1
            if order[source] == NOT_YET:
                order[source] = USEFUL
                agenda[n_useful] = source
                n_useful += 1
    if order[0] == NOT_YET:
        n_useful = 0

    outof, n_ordered, n_kept, place = into, 0, 0, 0
    group(arcs[:, 0], outof, by_group)
    found.offsets[0] = 0
    if n_useful and waiting[0] == 0:
        agenda[0] = 0
        n_ordered = 1
    while place < n_ordered:
        state = agenda[place]
        order[state], found.finals[place] = place, finals[state]
        place += 1
        for row in by_group[outof[state] : outof[state + 1]]:
            target = arcs[row, 1]
            if order[target] != NOT_YET:
                kept[n_kept] = row
                n_kept += 1
                waiting[target] -= 1
                if waiting[target] == 0:
                    agenda[n_ordered] = target
                    n_ordered += 1
        found.offsets[place] = n_kept
    for k in range(n_kept):
        row = kept[k]
        found.labels[k], found.costs[k] = arcs[row, 2], costs[row]
        found.targets[k] = order[arcs[row, 1]]
        found.begins[k], found.ends[k] = arcs[row, 3], arcs[row, 4]
    return n_useful, n_ordered, n_kept
