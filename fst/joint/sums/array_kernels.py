"""Room for the graphs of `glyphone.fst.joint.sums.graph_kernels`, and the columns of its arrays.

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.joint.training import fit_joint
>>> joint = fit_joint([Pair(("a",), ("x",))]).model.joint
>>> graph_room(joint, 3, 10).bounds.shape, node_table(joint).shape == (2, len(joint.backoffs))
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
    """Row r has the nodes bounds[r] to bounds[r + 1], each after the node that it backs off to,
    which is in `behind`, or -1; there are sizes[0] rows.

    leaving[r, 0] groups leave row r: leaving[r, 1] and so on. The i-th node of the row has in group
    g the arcs ranges[k, 0] to ranges[k, 1] of the lists, with k = groups[g, PLACE] + i, and the
    t-th target in these is the node nodes[groups[g, BASE] + t].

    Rests are divided by the greatest of their row, whose -ln is in `scales`; moves and ends are in
    units of e to the -references[r], into which factors[g] converts the rests that g leads to.
    before[r] has the numbers of groups, ranges and nodes of groups before row r.
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
def node_table(joint: Joint) -> Array:
    """The node of each state in a row, or -1, for as many rows as arcs may lead across."""
    return np.full(((joint.longest + 1) * joint.layers, len(joint.backoffs)), -1, np.int32)


@kernel
def graph_room(joint: Joint, n_rows: int, size: int) -> Graph:
    """Room for a graph of `n_rows` rows and about `size` nodes with their arcs."""
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
