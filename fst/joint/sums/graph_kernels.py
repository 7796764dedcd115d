"""Kernels: all that a joint model makes of a string, exactly, as a graph whose arcs add up.

A node is an n-gram state after some symbols. It has an arc for each unit that its state adds
something for, and goes on to the node of the state that it backs off to, instead of copying what
that has: of a model of thousands of characters a string has a hundred times as few arcs so. See
`glyphone.fst.joint.sums.lists` for what arcs weigh. If node s backs off to node f,

    moves(s) = sum over arcs of weight(arc) rest(target) + backoff(s) moves(f)
    rest(s) = moves(s) + P(</s> | s)   at the end of the string, else moves(s)

so that rest(start) is the mass of all that may be made of the string.

Rows are those of `glyphone.fst.joint.kernels.trellis`. The arcs from one row to another are a
group; those of a node stand together there, in the order of what they write.

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.joint.sums.array_kernels import made_of
>>> from glyphone.fst.joint.sums.lists import lists_of
>>> from glyphone.fst.joint.training import fit_joint
>>> joint = fit_joint([Pair(("a",), ("x",)), Pair(("a", "b"), ("x", "y"))]).model.joint
>>> string, room, made = np.array([1, 2], np.int32), room_of(joint, 4, 99), made_of(joint)
>>> graph = graph_of(joint, lists_of(joint), string, -1, room, made)
>>> graph.bounds[:4].tolist(), round(math.exp(-total(graph)), 3)
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
from glyphone.fst.joint.sums.lists import Lists

backoff_arrays = sibling(__name__, "glyphone.fst.joint.sums.array_kernels")
joint_kernels = sibling(__name__, "glyphone.fst.joint.kernels.trellis")
rows_before = sibling(__name__, "glyphone.fst.joint.kernels.arrays").rows_before
room_of = backoff_arrays.room_of
chunk_of, first_arc = joint_kernels.chunk_of, joint_kernels.first_arc

Array = Any
# Fewer nodes than one in so many states are looked for one by one.
SEVERAL = 16
# More than any state backs off, one after another.
CHAIN = 64


@kernel
def graph_of(
    joint: Joint, lists: Lists, string: Array, alike: int, room: Graph, made: Array
) -> Graph:
    """The graph of a string, in a room that may be used again when it is done with.

    What is in the room is the graph of a string with the first `alike` symbols of this one, or
    nothing if that is -1: what these lead to is not looked for again.
    """
    n_rows = (len(string) + 1) * joint.layers
    if n_rows > len(room.scales):
        room, alike = room_of(joint, 2 * n_rows, len(room.states)), -1
    while connect(joint, lists, string, (alike + 1) * joint.layers, room, made) == NO_ROOM:
        room, alike = room_of(joint, len(room.scales), 2 * len(room.states)), -1
        made[:] = -1
    weigh(lists, room, joint.layers)
    return room


@inlined
def start_of(graph: Graph) -> int:
    """The node that all paths begin at: those that it backs off to stand before it."""
    return int(graph.bounds[1]) - 1


@inlined
def total(graph: Graph) -> float:
    """-ln of the mass of all outputs."""
    rest = graph.rests[start_of(graph)]
    return graph.scales[0] - math.log(rest) if rest > 0 else np.inf


@leaf
def connect(joint: Joint, lists: Lists, string: Array, kept: int, graph: Graph, made: Array) -> int:
    """All nodes that the start leads to, and their arcs; NO_ROOM if they are too many.

    The first rows, so many as are `kept`, are there already.
    """
    groups, bounds, leaving, layers = graph.groups, graph.bounds, graph.leaving, joint.layers
    states, n_rows, n_made = graph.states, (len(string) + 1) * layers, len(made)
    graph.sizes[0], row = n_rows, max(1, kept)
    if kept == 0:
        leaving[0, 0] = graph.before[1, 0] = graph.before[1, 1] = graph.before[1, 2] = 0
        bounds[1] = chained(
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
            unmark(made, row % n_made, states, bounds[before], bounds[before + 1])
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
                n_hits = find(lists, graph, made, source % n_made, first, last, low, high, layer)
                n = lead(
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
        unmark(made, other % n_made, states, bounds[other], bounds[other + 1])
    return int(n)


@leaf
def unmark(made: Array, slot: int, states: Array, first: int, last: int) -> None:
    for node in range(first, last):
        made[slot, states[node]] = -1


@leaf
def find(
    lists: Lists,
    graph: Graph,
    made: Array,
    slot: int,
    first: int,
    last: int,
    low: int,
    high: int,
    silent: int,
) -> int:
    """Puts into `hits` which nodes of a row have arcs of the states number low to high, and which
    of these they are. Returns how many there are."""
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
def lead(
    lists: Lists,
    graph: Graph,
    made: Array,
    slot: int,
    n_hits: int,
    place: int,
    n: int,
    base: int,
    chunk: int,
) -> int:
    """Gives the nodes that were hit their arcs, node k at place + k, and makes the nodes of a row
    that these lead to. Returns how many nodes there are then, or NO_ROOM."""
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
            n = chained(reached[k], n, made, slot, states, behind, backs, behind_state, backoffs)
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
                n = chained(state, n, made, slot, states, behind, backs, behind_state, backoffs)
            nodes[base + target] = made[slot, state]
    return n


@leaf
def chained(
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
    """Makes the node of a state behind those that it backs off to; returns how many there are."""
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
def weigh(lists: Lists, graph: Graph, layers: int) -> None:
    """What may follow each node, from the last row to the first."""
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
