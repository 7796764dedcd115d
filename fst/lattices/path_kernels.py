"""Kernels: single paths of a lattice: the best one, that of a given output, and its spans.

>>> from glyphone.fst.lattices.string_kernels import string_lattice
>>> lattice = string_lattice(np.array([5, 7]))
>>> arcs, cost, _ = trace_output(lattice, np.array([5, 7], np.int32))
>>> begins, ends = output_spans(lattice, arcs)
>>> arcs.tolist(), begins.tolist(), ends.tolist()
([0, 1], [0, 1], [1, 2])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.fst.lattices.arrays import Lattice

kernel_arrays = sibling(__name__, "glyphone.data.kernels.arrays")
string_kernels = sibling(__name__, "glyphone.fst.lattices.string_kernels")
lattice_sums = sibling(__name__, "glyphone.fst.lattices.sum_kernels")
backward_sums, log_add = lattice_sums.backward_sums, lattice_sums.log_add

Array = Any
INFINITY = np.inf


@kernel
def best_path(lattice: Lattice) -> Lattice:
    """The lattice of the best path alone; of equal arcs the first, and an end before them."""
    best, _ = backward_sums(lattice)
    arcs = np.empty(lattice.n_states, np.int64)
    n_arcs, state = 0, 0
    while lattice.finals[state] > best[state]:
        chosen, least = lattice.offsets[state], INFINITY
        for arc in range(chosen, lattice.offsets[state + 1]):
            total = lattice.costs[arc] + best[lattice.targets[arc]]
            if total < least:
                chosen, least = arc, total
        arcs[n_arcs] = chosen
        state = lattice.targets[chosen]
        n_arcs += 1
    path: Lattice = string_kernels.blank_lattice(n_arcs + 1, n_arcs)
    for k in range(n_arcs):
        arc = arcs[k]
        path.offsets[k], path.targets[k], path.finals[k] = k, k + 1, INFINITY
        path.labels[k], path.costs[k] = lattice.labels[arc], lattice.costs[arc]
        path.begins[k], path.ends[k] = lattice.begins[arc], lattice.ends[arc]
    path.offsets[n_arcs] = path.offsets[n_arcs + 1] = n_arcs
    path.finals[n_arcs] = lattice.finals[state]
    return path


@kernel
def trace_output(lattice: Lattice, output: Array) -> tuple[Array, float, float]:
    """The best path with a given output: its arcs, its cost, and the mass of all such paths.

    Without such a path the cost is infinite.

    Row k has the states that k labels of the output lead to; each is filled from the row before
    it and from epsilons in itself. A cell is a state in a row: the best arc into it, and the cell
    that this arc comes from.
    """
    costs, masses = (
        np.full((2, lattice.n_states), INFINITY),
        np.full((2, lattice.n_states), INFINITY),
    )
    into = np.full((2, lattice.n_states, 2), -1)
    cells = np.empty((64, 2), np.int64)
    costs[0, 0] = masses[0, 0] = 0.0
    low, high, n_cells = 0, 0, 0
    end, end_cost, end_mass = -1, INFINITY, INFINITY
    for k in range(len(output) + 1):
        next_low, next_high = lattice.n_states, -1
        state = low
        while state <= high:
            so_far, mass = costs[k % 2, state], masses[k % 2, state]
            costs[k % 2, state] = masses[k % 2, state] = INFINITY
            if so_far < INFINITY:
                if n_cells == len(cells):
                    cells = kernel_arrays.doubled_rows(cells)
                cells[n_cells, 0] = into[k % 2, state, 0]
                cells[n_cells, 1] = into[k % 2, state, 1]
                if k == len(output):
                    end_mass = log_add(end_mass, mass + lattice.finals[state])
                    if so_far + lattice.finals[state] < end_cost:
                        end, end_cost = n_cells, so_far + lattice.finals[state]
                for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
                    step = int(lattice.labels[arc] != 0)
                    if step and (k == len(output) or lattice.labels[arc] != output[k]):
                        continue
                    target, row = lattice.targets[arc], (k + step) % 2
                    masses[row, target] = log_add(masses[row, target], mass + lattice.costs[arc])
                    if so_far + lattice.costs[arc] < costs[row, target]:
                        costs[row, target] = so_far + lattice.costs[arc]
                        into[row, target, 0], into[row, target, 1] = arc, n_cells
                    if step:
                        next_low, next_high = min(next_low, target), max(next_high, target)
                    else:
                        high = max(high, target)
                n_cells += 1
            state += 1
        low, high = next_low, next_high
    arcs = np.empty(lattice.n_states, np.int64)
    first = len(arcs)
    while end > 0:
        first -= 1
        arcs[first] = cells[end, 0]
        end = cells[end, 1]
    return arcs[first:], end_cost, end_mass


@kernel
def output_spans(lattice: Lattice, arcs: Array) -> tuple[Array, Array]:
    """The input symbols that each output of a path comes from: begins and ends.

    The path falls into groups; a group begins where an arc both reads and writes and the group
    before has read and written too. So symbols that are read silently go with the output before
    them, and labels that are written without reading go with the last symbol read.
    """
    begins, ends = np.empty(len(arcs), np.int64), np.empty(len(arcs), np.int64)
    n = write_output_spans(lattice, arcs, begins, ends)
    return begins[:n], ends[:n]


@leaf
def write_output_spans(lattice: Lattice, arcs: Array, begins: Array, ends: Array) -> int:
    """Write the input symbols that each output of a path comes from; return the number of
    outputs."""
    first, n = 0, 0
    begin, end = -1, -1
    for arc in arcs:
        reads, writes = lattice.begins[arc] >= 0, lattice.labels[arc] != 0
        if reads and writes and begin >= 0 and n > first:
            first, begin = n, -1
        if reads:
            begin = lattice.begins[arc] if begin == -1 else begin
            end = lattice.ends[arc]
        if writes:
            n += 1
        for k in range(first, n):
            begins[k], ends[k] = max(begin, 0), max(end, 0)
    return n
