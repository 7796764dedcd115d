"""The paths of a lattice that are nearly as good as the best one, to be looked at.

>>> import numpy as np
>>> two = Lattice(2, np.array([0, 2, 2]), np.array([1, 2]), np.array([0.0, 3.0]), np.array([1, 1]),
...               np.array([0, 0]), np.array([1, 1]), np.array([np.inf, 0.0]))
>>> within(two, 1.0).labels.tolist(), len(within(two, 3.0).labels)
([1], 2)
"""

from __future__ import annotations

import math

import numpy as np

from glyphone.fst.lattices import kernels as lattice_kernels
from glyphone.fst.lattices.kernels import Lattice

# Costs are sums in another order than the best one's.
_ROUNDING = 1e-9


def within(lattice: Lattice, beam: float) -> Lattice:
    """The arcs and ends of all paths that cost at most `beam` more than the best."""
    if math.isinf(beam):
        return lattice
    n = lattice.n_states
    before, after = np.full(n, np.inf), np.array(lattice.finals, np.float64)
    before[0] = 0.0
    sources = np.repeat(np.arange(n), np.diff(lattice.offsets))
    for state in range(n):  # which are in topological order
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            target = lattice.targets[arc]
            before[target] = min(before[target], before[state] + lattice.costs[arc])
    for state in range(n - 1, -1, -1):
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            after[state] = min(after[state], lattice.costs[arc] + after[lattice.targets[arc]])
    limit = after[0] + beam + _ROUNDING * (1 + abs(after[0]))
    near = before[sources] + lattice.costs + after[lattice.targets] <= limit
    columns = (sources, lattice.targets, lattice.labels, lattice.begins, lattice.ends)
    rows = np.stack([column[near] for column in columns], axis=1).astype(np.int64)
    finals = np.where(before + lattice.finals <= limit, lattice.finals, np.inf)
    found: Lattice = lattice_kernels.trimmed(rows, lattice.costs[near], finals)
    return found
