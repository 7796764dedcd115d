"""Kernels: the least cost of the paths of a lattice, and the mass of all together.

    best(s) = min over paths from s to an end of the cost
    mass(s) = -ln sum over the same paths of exp(-cost)

>>> from glyphone.fst.lattices.string_kernels import string_lattice
>>> best, mass = backward_sums(string_lattice(np.array([5, 7])))
>>> float(best[0]), float(mass[0])
(0.0, 0.0)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf
from glyphone.fst.lattices.arrays import Lattice

Array = Any
INFINITY = np.inf


@leaf
def log_add(a: float, b: float) -> float:
    """-ln(exp(-a) + exp(-b))."""
    if a > b:
        a, b = b, a
    return a if b == INFINITY else a - math.log1p(math.exp(a - b))


@kernel
def backward_sums(lattice: Lattice) -> tuple[Array, Array]:
    """The best cost and the mass, as -ln, from every state to the ends."""
    best, mass = np.empty(lattice.n_states), np.empty(lattice.n_states)
    write_backward_sums(lattice, best, mass)
    return best, mass


@leaf
def write_backward_sums(lattice: Lattice, best: Array, mass: Array) -> None:
    """Write the best cost and the mass, as -ln, from every state to the ends."""
    for state in range(lattice.n_states - 1, -1, -1):
        best[state] = mass[state] = lattice.finals[state]
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            target, cost = lattice.targets[arc], lattice.costs[arc]
            best[state] = min(best[state], cost + best[target])
            mass[state] = log_add(mass[state], cost + mass[target])


@kernel
def forward_sums(lattice: Lattice) -> Array:
    """The mass, as -ln, of all paths from the start to every state."""
    mass = np.full(lattice.n_states, INFINITY)
    mass[0] = 0.0
    for state in range(lattice.n_states):
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            target = lattice.targets[arc]
            mass[target] = log_add(mass[target], mass[state] + lattice.costs[arc])
    return mass
