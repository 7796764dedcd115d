"""Kernels: lattices out of arcs in any order, without the states that lead to no end.

>>> arcs = np.array([[0, 1, 5, 0, 1], [0, 2, 6, 0, 1]])  # source, target, label, begin, end
>>> trimmed_lattice(arcs, np.zeros(2), np.array([np.inf, 0.0, np.inf])).labels
array([5], dtype=int32)
"""

# Kernels name no types beyond arrays: numba infers them.
from __future__ import annotations

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, leaf, sibling
from glyphone.fst.lattices.arrays import (
    CYCLIC,
    INFINITY,
    Array,
    Lattice,
    LatticeDraft,
    OrderingRoom,
)

blank_lattice = sibling(__name__, "glyphone.fst.lattices.string_kernels").blank_lattice
# Marks of a state that has no number yet.
NOT_YET, USEFUL = -2, -1


@leaf
def group_rows(column: Array, offsets: Array, rows: Array) -> None:
    """Write row numbers grouped by a column, in a stable order, and the offset of each group.

    `offsets` is longer by two than there are groups; its last element is left over.
    """
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


@kernel
def ordering_room(n_states: int, n_arcs: int) -> OrderingRoom:
    """Room to order `n_states` states and `n_arcs` arcs."""
    return OrderingRoom(
        np.empty(n_states + 2, np.int64),
        np.empty(n_states + 2, np.int64),
        np.empty(n_states + 2, np.int64),
        np.empty(n_states + 2, np.int64),
        np.empty(n_arcs, np.int64),
        np.empty(n_arcs, np.int64),
    )


@kernel
def lattice_draft(n_states: int, n_arcs: int) -> LatticeDraft:
    """An empty draft with room for `n_states` states and `n_arcs` arcs."""
    return LatticeDraft(
        np.empty((n_arcs, 5), np.int64),
        np.empty(n_arcs),
        np.empty(n_states),
        ordering_room(n_states, n_arcs),
        blank_lattice(n_states, n_arcs),
    )


@kernel
def trimmed_lattice(arcs: Array, costs: Array, finals: Array) -> Lattice:
    """The lattice of those arcs that lead to an end, in topological order; all states are
    accessible."""
    n_states, n_arcs = len(finals), len(arcs)
    order, lattice = ordering_room(n_states, n_arcs), blank_lattice(n_states, n_arcs)
    return finish_draft(LatticeDraft(arcs, costs, finals, order, lattice), n_states, n_arcs)


@inlined
def finish_draft(draft: LatticeDraft, n_states: int, n_arcs: int) -> Lattice:
    """The trimmed lattice of the first states and arcs of a draft, in its room."""
    found = draft.lattice
    n_useful, n_ordered, n_kept = write_useful_part(
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
def write_useful_part(
    arcs: Array, costs: Array, finals: Array, room: OrderingRoom, found: Lattice
) -> tuple[int, int, int]:
    """Write the states and arcs that lead to an end, in topological order.

    Returns the number of useful states, the number of those that could be put in order, and the
    number of their arcs.
    """
    n_states, n_arcs = len(finals), len(arcs)
    into, waiting = room.into[: n_states + 2], room.waiting[:n_states]
    agenda, order = room.agenda, room.places[:n_states]
    by_group, kept = room.by_group[:n_arcs], room.kept
    group_rows(arcs[:, 1], into, by_group)
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
    group_rows(arcs[:, 0], outof, by_group)
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
