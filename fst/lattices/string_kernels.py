"""Kernels: the lattice of a string, and the labels that a lattice may go on with.

>>> lattice_of(np.array([5, 7])).labels
array([5, 7], dtype=int32)
"""

# Kernels name no types beyond arrays: numba infers them.
from __future__ import annotations

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf
from glyphone.fst.lattices.arrays import INFINITY, Array, Lattice

EVERY = -1  # all bits


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
    lattice = blank_lattice(n + 1, n)
    for place in range(n):
        lattice.offsets[place] = lattice.begins[place] = place
        lattice.targets[place] = lattice.ends[place] = place + 1
        lattice.labels[place], lattice.costs[place] = string[place], 0.0
        lattice.finals[place] = INFINITY
    lattice.offsets[n] = lattice.offsets[n + 1] = n
    lattice.finals[n] = 0.0
    return lattice


@kernel
def blank_lattice(n_states: int, n_arcs: int) -> Lattice:
    """A lattice of so many states and arcs, whose arrays are yet to be filled."""
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
