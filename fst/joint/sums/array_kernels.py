"""Room for the graphs of `glyphone.fst.joint.sums.graph_kernels`, and what stands where in it.

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.joint.training import fit_joint
>>> joint = fit_joint([Pair(("a",), ("x",))]).model.joint
>>> room_of(joint, 3, 10).bounds.shape, made_of(joint).shape == (2, len(joint.backoffs))
((4,), True)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel
from glyphone.fst.joint.kernels.arrays import Joint

Array = Any
# Nodes that there is room for in the beginning.
ROOM = 1 << 12
# What is told of a group of arcs: the row that it leads to, and its places in ranges and nodes.
ROW, PLACE, BASE = 0, 1, 2


class Graph(NamedTuple):
    """Row r has the nodes bounds[r] to bounds[r + 1], each behind that which it backs off to, told
    in `behind`, or -1; there are sizes[0] rows.

    leaving[r, 0] groups leave row r: leaving[r, 1] and so on. The i-th node of the row has in group
    g the arcs ranges[k, 0] to ranges[k, 1] of the lists, with k = groups[g, PLACE] + i, and what
    these tell to be the t-th target is the node nodes[groups[g, BASE] + t].

    Rests are divided by the greatest of their row, whose -ln is in `scales`; moves and ends are
    told in units of e to the -references[r], and factors[g] makes these of rests that g leads to.
    before[r] has what there was before row r: groups, ranges and nodes of groups.
    """

    sizes: Array
    bounds: Array
    scales: Array
    references: Array
    leaving: Array
    before: Array
    states: Array
    behind: Array
    backoffs: Array
    ends: Array
    rests: Array
    groups: Array
    factors: Array
    ranges: Array
    nodes: Array
    hits: Array


@kernel
def made_of(joint: Joint) -> Array:
    """Which node each state is in a row, or -1, for as many rows as arcs may lead across."""
    return np.full(((joint.longest + 1) * joint.layers, len(joint.backoffs)), -1, np.int32)


@kernel
def room_of(joint: Joint, n_rows: int, size: int) -> Graph:
    """Room for some rows, and for some nodes with their arcs."""
    return Graph(
        np.zeros(1, np.int64),
        np.zeros(n_rows + 1, np.int64),
        np.empty(n_rows),
        np.empty(n_rows),
        np.zeros((n_rows, joint.longest + 2), np.int64),
        np.zeros((n_rows + 1, 3), np.int64),
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        np.empty(size),
        np.empty(size),
        np.empty(size),
        np.empty((size, 3), np.int64),
        np.empty(size),
        np.empty((4 * size, 2), np.int32),
        np.empty(4 * size, np.int32),
        np.empty((size, 2), np.int32),
    )
