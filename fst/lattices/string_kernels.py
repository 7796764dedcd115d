"""Kernels: the lattice of a string, and the labels that a lattice may go on with.

>>> string_lattice(np.array([5, 7])).labels
array([5, 7], dtype=int32)
"""

# Kernels name no types beyond arrays: numba infers them.
from __future__ import annotations

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf
from glyphone.fst.lattices.arrays import INFINITY, Array, Lattice

EVERY = -1  # all bits


@leaf
def label_bit(label: int) -> int:
    """The bit of a label; labels that are 63 apart share one."""
    return 1 << (label % 63)


@kernel
def next_label_bits(lattice: Lattice) -> Array:
    """For each state the bits of the labels that may come next, all bits if an output may end
    there."""
    found = np.empty(lattice.n_states, np.int64)
    write_next_label_bits(lattice, found)
    return found


@leaf
def write_next_label_bits(lattice: Lattice, found: Array) -> None:
    """Write for each state the bits of the labels that may come next, all bits if an output may
    end."""
    found[:] = 0
    for state in range(lattice.n_states - 1, -1, -1):
        if lattice.finals[state] < INFINITY:
            found[state] = EVERY
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            label = int(lattice.labels[arc])
            found[state] |= found[lattice.targets[arc]] if label == 0 else label_bit(label)


@kernel
def string_lattice(string: Array) -> Lattice:
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
    """A lattice of `n_states` states and `n_arcs` arcs whose arrays are not filled yet."""
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
