"""Kernels: all outputs of a joint model for a string, exactly, as a graph whose arcs add up.

A node is an n-gram state after some symbols. It has an arc for each unit that its state adds
something for, and goes on to the node of the state that it backs off to, instead of copying its
arcs: of a model of thousands of characters a string has a hundred times as few arcs so. See
`glyphone.fst.joint.sums.lists` for what arcs weigh. If node s backs off to node f,

    moves(s) = sum over arcs of weight(arc) rest(target) + backoff(s) moves(f)
    rest(s) = moves(s) + P(</s> | s)   at the end of the string, else moves(s)

so that rest(start) is the mass of all that may be made of the string.

Rows are those of `glyphone.fst.joint.kernels.trellis`. The arcs from one row to another are a
group; those of a node stand together there, in the order of what they write.

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.joint.sums.array_kernels import node_table
>>> from glyphone.fst.joint.sums.lists import arc_lists
>>> from glyphone.fst.joint.training import fit_joint
>>> joint = fit_joint([Pair(("a",), ("x",)), Pair(("a", "b"), ("x", "y"))]).model.joint
>>> string, room, made = np.array([1, 2], np.int32), graph_room(joint, 4, 99), node_table(joint)
>>> graph = string_graph(joint, arc_lists(joint), string, -1, room, made)
>>> graph.bounds[:4].tolist(), round(math.exp(-total_cost(graph)), 3)
([0, 2, 5, 9], 0.309)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, leaf, sibling
from glyphone.fst.joint.kernels.arrays import Joint
from glyphone.fst.joint.kernels.trellis import NO_ROOM
from glyphone.fst.joint.sums.array_kernels import BASE, PLACE, ROW, Graph
from glyphone.fst.joint.sums.lists import ArcLists

graph_arrays = sibling(__name__, "glyphone.fst.joint.sums.array_kernels")
joint_trellis = sibling(__name__, "glyphone.fst.joint.kernels.trellis")
rows_before = sibling(__name__, "glyphone.fst.joint.kernels.arrays").rows_before
graph_room = graph_arrays.graph_room
chunk_of, first_arc = joint_trellis.chunk_of, joint_trellis.first_arc

Array = Any
# Fewer nodes than one in so many states are looked for one by one.
SEVERAL = 16
# More than any state backs off, one after another.
CHAIN = 64


@kernel
def string_graph(
    joint: Joint, lists: ArcLists, string: Array, alike: int, room: Graph, made: Array
) -> Graph:
    """The graph of a string, in a room that may be used again after it.

    The room has the graph of a string with the same first `alike` symbols, or nothing if that is
    -1; the rows of these are not made again.
    """
    n_rows = (len(string) + 1) * joint.layers
    if n_rows > len(room.scales):
        room, alike = graph_room(joint, 2 * n_rows, len(room.states)), -1
    while connect_nodes(joint, lists, string, (alike + 1) * joint.layers, room, made) == NO_ROOM:
        room, alike = graph_room(joint, len(room.scales), 2 * len(room.states)), -1
        made[:] = -1
    weigh_nodes(lists, room, joint.layers)
    return room


@inlined
def start_node(graph: Graph) -> int:
    """The node that all paths begin at; the nodes that it backs off to stand before it."""
    return int(graph.bounds[1]) - 1


@inlined
def total_cost(graph: Graph) -> float:
    """-ln of the mass of all outputs."""
    rest = graph.rests[start_node(graph)]
    return graph.scales[0] - math.log(rest) if rest > 0 else np.inf


@leaf
def connect_nodes(
    joint: Joint, lists: ArcLists, string: Array, kept: int, graph: Graph, made: Array
) -> int:
    """Make all nodes that the start leads to, and their arcs; return the number of nodes, or
    NO_ROOM if there are too many.

    The first `kept` rows are there already.
    """
    groups, bounds, leaving, layers = graph.groups, graph.bounds, graph.leaving, joint.layers
    states, n_rows, n_made = graph.states, (len(string) + 1) * layers, len(made)
    graph.sizes[0], row = n_rows, max(1, kept)
    if kept == 0:
        leaving[0, 0] = graph.before[1, 0] = graph.before[1, 1] = graph.before[1, 2] = 0
        bounds[1] = chain_state(
            lists.start, 0, made, 0, states, graph.behind, graph.backoffs, lists.behind,
            lists.backoffs,
        )  # fmt: skip
    n, n_groups = bounds[row], graph.before[row, 0]
    n_ranges, n_nodes = graph.before[row, 1], graph.before[row, 2]
    for other in range(max(0, row - n_made), row):
        for node in range(bounds[other], bounds[other + 1]):
            made[other % n_made, states[node]] = node
    for other in range(row):
        while leaving[other, 0] > 0 and leaving[other, leaving[other, 0]] >= n_groups:
            leaving[other, 0] -= 1
    while row < n_rows:
        end, layer, before = row // layers, row % layers, row - n_made
        leaving[row, 0] = 0
        if before >= 0:
            unmark_states(made, row % n_made, states, bounds[before], bounds[before + 1])
        nearest, farthest = rows_before(row, layers, joint.longest)
        for source in range(farthest, nearest + 1):
            first, last = bounds[source], bounds[source + 1]
            chunk = chunk_of(joint.longer, joint.n_labels, string, source // layers, end)
            low, high = lists.firsts[chunk], lists.firsts[chunk + 1]
            if first == last or low == high:
                continue
            width = lists.spans[chunk + 1] - lists.spans[chunk]
            enough = (
                n_groups < len(groups)
                and n_ranges + last - first <= len(graph.ranges)
                and n_nodes + width <= len(graph.nodes)
            )
            if enough:
                groups[n_groups, ROW], groups[n_groups, PLACE] = row, n_ranges
                groups[n_groups, BASE] = n_nodes
                leaving[source, 0] += 1
                leaving[source, leaving[source, 0]] = n_groups
                for node in range(n_ranges, n_ranges + last - first):
                    graph.ranges[node, 0] = graph.ranges[node, 1] = 0
                n_hits = find_hits(
                    lists, graph, made, source % n_made, first, last, low, high, layer
                )
                n = lead_hits(
                    lists, graph, made, row % n_made, n_hits, n_ranges - first, n, n_nodes, chunk
                )
                n_groups, n_ranges = n_groups + 1, n_ranges + last - first
                n_nodes, enough = n_nodes + width, n != NO_ROOM
            if not enough:
                return NO_ROOM
        row += 1
        bounds[row] = n
        graph.before[row, 0], graph.before[row, 1] = n_groups, n_ranges
        graph.before[row, 2] = n_nodes
    for other in range(max(0, row - n_made), row):
        unmark_states(made, other % n_made, states, bounds[other], bounds[other + 1])
    return int(n)


@leaf
def unmark_states(made: Array, slot: int, states: Array, first: int, last: int) -> None:
    """Set the entries of the states of some nodes in the table of a row to -1."""
    for node in range(first, last):
        made[slot, states[node]] = -1


@leaf
def find_hits(
    lists: ArcLists,
    graph: Graph,
    made: Array,
    slot: int,
    first: int,
    last: int,
    low: int,
    high: int,
    silent: int,
) -> int:
    """Write to `hits` the nodes of a row that have arcs from the states number low to high, and the
    numbers of these states; return how many there are."""
    states, listing, hits, n = graph.states, lists.sources, graph.hits, 0
    if silent or SEVERAL * (last - first) < high - low:
        for node in range(first, last):
            state = states[node]
            k = lists.silent[state] if silent else first_arc(listing, low, high, state)
            if 0 <= k < high and listing[k] == state:
                hits[n, 0], hits[n, 1] = node, k
                n += 1
        return n
    for k in range(low, high):
        node = made[slot, listing[k]]
        if node >= 0:
            hits[n, 0], hits[n, 1] = node, k
            n += 1
    return n


@leaf
def lead_hits(
    lists: ArcLists,
    graph: Graph,
    made: Array,
    slot: int,
    n_hits: int,
    place: int,
    n: int,
    base: int,
    chunk: int,
) -> int:
    """Write the arcs of the nodes that were hit, node k at place + k, and make the nodes of a row
    that they lead to.

    Returns the new number of nodes, or NO_ROOM.
    """
    states, behind, backs = graph.states, graph.behind, graph.backoffs
    ranges, hits, nodes = graph.ranges, graph.hits, graph.nodes
    behind_state, backoffs, reached = lists.behind, lists.backoffs, lists.reached
    first, last = lists.spans[chunk], lists.spans[chunk + 1]
    room = len(states) - CHAIN
    # Where no more is reached than there are units, one state that has been hit knows most of them.
    eager = last - first <= lists.units[chunk]
    for k in range(first, last):
        node = made[slot, reached[k]]
        if eager and node < 0:
            if n > room:
                return NO_ROOM
            n = chain_state(
                reached[k], n, made, slot, states, behind, backs, behind_state, backoffs
            )
            node = made[slot, reached[k]]
        nodes[base + k - first] = node
    for hit in range(n_hits):
        node, begin = place + hits[hit, 0], lists.begins[hits[hit, 1]]
        ranges[node, 0], ranges[node, 1] = begin, lists.begins[hits[hit, 1] + 1]
        if eager:
            continue
        for arc in range(begin, ranges[node, 1]):
            target = lists.targets[arc]
            state = reached[first + target]
            if nodes[base + target] >= 0:
                continue
            if n > room:
                return NO_ROOM
            if made[slot, state] < 0:
                n = chain_state(state, n, made, slot, states, behind, backs, behind_state, backoffs)
            nodes[base + target] = made[slot, state]
    return n


@leaf
def chain_state(
    state: int,
    n: int,
    made: Array,
    slot: int,
    states: Array,
    behind: Array,
    backs: Array,
    behind_state: Array,
    backoffs: Array,
) -> int:
    """Make the node of a state after those that it backs off to; return the new number of nodes."""
    depth, last = 0, state
    while last >= 0 and made[slot, last] < 0:
        last = behind_state[last]
        depth += 1
    node = made[slot, last] if last >= 0 else -1
    for place in range(n + depth - 1, n - 1, -1):
        states[place], backs[place], behind[place] = state, backoffs[state], place - 1
        made[slot, state] = place
        state = behind_state[state]
    behind[n] = node
    return n + depth


@leaf
def weigh_nodes(lists: ArcLists, graph: Graph, layers: int) -> None:
    """Write the rests of all nodes, from the last row to the first."""
    scales, rests, ranges, groups = graph.scales, graph.rests, graph.ranges, graph.groups
    nodes, targets, weights = graph.nodes, lists.targets, lists.weights
    n_rows = graph.sizes[0]
    for row in range(n_rows - 1, -1, -1):
        first, last, at_end = graph.bounds[row], graph.bounds[row + 1], row >= n_rows - layers
        for node in range(first, last):
            rests[node] = 0.0
            graph.ends[node] = lists.ends[graph.states[node]] if at_end else 0.0
        # What ends there is told as it is.
        reference = 0.0 if at_end else np.inf
        for k in range(1, graph.leaving[row, 0] + 1):
            group = graph.leaving[row, k]
            into, place, base = groups[group, ROW], groups[group, PLACE], groups[group, BASE]
            graph.factors[group] = 0.0
            if scales[into] < np.inf:
                reference = scales[into] if reference == np.inf else reference
                graph.factors[group] = math.exp(reference - scales[into])
            for node in range(last - first):
                mass = 0.0
                for arc in range(ranges[place + node, 0], ranges[place + node, 1]):
                    mass += weights[arc] * rests[nodes[base + targets[arc]]]
                rests[first + node] += mass * graph.factors[group]
        graph.references[row] = 0.0 if reference == np.inf else reference
        for node in range(first, last):
            if graph.behind[node] >= 0:
                # Rests are still without their ends.
                rests[node] += graph.backoffs[node] * rests[graph.behind[node]]
        top = 0.0
        for node in range(first, last):
            rests[node] = max(0.0, rests[node]) + graph.ends[node]
            top = max(top, rests[node])
        scales[row] = graph.references[row] - math.log(top) if top > 0 else np.inf
        for node in range(first, last):
            rests[node] = rests[node] / top if top > 0 else 0.0
