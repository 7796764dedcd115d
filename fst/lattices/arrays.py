"""Arrays that kernels read and fill: transducers, lattices, and room for lattices in the making.

A machine holds the transducers of a cascade end to end in flat arrays, arcs sorted by state and
input label, label 0 for epsilon. A lattice is acyclic, trimmed and numbered in topological order,
state 0 first. Costs are negative natural logarithms.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any
INFINITY = np.inf
CYCLIC = -1
# States and arcs that a composition has room for, at first.
ROOM, NO_ROOM = 512, -2


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

    If no lattice could be made, `n_states` is 0 where there is no path, and CYCLIC where there are
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


class OrderingRoom(NamedTuple):
    """Room for counts and orders of the states and arcs of a lattice before it is in order."""

    into: Array
    waiting: Array
    agenda: Array
    places: Array
    by_group: Array
    kept: Array


class LatticeDraft(NamedTuple):
    """Room for a lattice in the making.

    It has rows of source, target, label, begin and end of an arc, the costs of arcs, the costs of
    final states, and the finished lattice.
    """

    arcs: Array
    costs: Array
    finals: Array
    order: OrderingRoom
    lattice: Lattice
