"""Kernels: what a joint model makes of a string, exactly, with backing off told by single arcs.

A node is an n-gram state after some symbols. It has an arc for each unit that its state lists, and
for all others goes on to the node of the state that it backs off to, instead of copying their arcs:
of a model of thousands of characters a string has a hundred times as few of them so. If node s
fails to node f, and unit u brings V(f, u) to f, listed or not,

    moves(s) = sum over arcs of P(u | s) rest(target)
               + backoff(s) (moves(f) - sum over the arcs of s of V(f, u))
    rest(s) = moves(s) + P(</s> | s)   at the end of the string, else moves(s)

so that rest(start) is the mass of all that may be made of the string.

Rows are those of `glyphone.fst.joint_kernels`. The arcs from one row to another are a group; those
of a node stand together there, in the order of units.

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.joint_training import fit_joint
>>> joint = fit_joint([Pair(("a",), ("x",)), Pair(("a", "b"), ("x", "y"))]).model.joint
>>> string, room, marks = np.array([1, 2], np.int32), room_of(64), marks_of(joint)
>>> graph = graph_of(joint, lists_of(joint), string, room, marks)
>>> graph.bounds.tolist(), round(math.exp(-total(graph)), 3)
([0, 2, 5, 9], 0.309)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.jit import inlined, kernel, leaf, sibling
from glyphone.fst.failure_lists import Lists
from glyphone.fst.failure_lists import lists_of as lists_of
from glyphone.fst.joint_arrays import Joint
from glyphone.fst.joint_kernels import NO_ROOM

bit_of = sibling(__name__, "glyphone.fst.joint_arrays").bit_of
joint_kernels = sibling(__name__, "glyphone.fst.joint_kernels")
chunk_of, first_arc, step = joint_kernels.chunk_of, joint_kernels.first_arc, joint_kernels.step

Array = Any
# Nodes that there is room for in the beginning.
ROOM = 1 << 12
# Of so many states one is looked for alone.
SEVERAL = 16
# More than any state backs off, one after another.
CHAIN = 64
# What is told of a group of arcs: the row that it leads to, and its place in `firsts`.
ROW, PLACE = 0, 1


class Graph(NamedTuple):
    """Row r has the nodes bounds[r] to bounds[r + 1], each behind that which it `fails` to, or -1.

    leaving[r, 0] groups leave row r: leaving[r, 1] and so on. The arcs of the i-th node of the row
    in group g are firsts[k + i] to firsts[k + i + 1] with k = groups[g, PLACE]. `labels` has the
    first symbol that an arc writes, or 0.

    Rests are divided by the greatest of their row, whose -ln is in `scales`; moves, ends, and what
    an arc `brought` to them, are told in units of e to the -references[r].
    """

    bounds: Array
    scales: Array
    references: Array
    leaving: Array
    states: Array
    fails: Array
    backoffs: Array
    moves: Array
    ends: Array
    rests: Array
    groups: Array
    firsts: Array
    units: Array
    labels: Array
    targets: Array
    probs: Array
    brought: Array


class Marks(NamedTuple):
    """What is kept from one string to the next.

    made[state] is the node of a state in the row that is being made, left[state] the place of one
    in the row that arcs come from; both are -1 at other times. listed[unit] is an arc of a unit, if
    it is.
    """

    made: Array
    left: Array
    listed: Array


@kernel
def marks_of(joint: Joint) -> Marks:
    n_states = len(joint.backoffs)
    return Marks(
        np.full(n_states, -1, np.int32),
        np.full(n_states, -1, np.int32),
        np.zeros(joint.end, np.int32),
    )


@kernel
def room_of(size: int) -> Graph:
    """Room for some nodes, and for some arcs each."""
    return Graph(
        np.zeros(1, np.int64),
        np.empty(1),
        np.empty(1),
        np.empty((1, 1), np.int64),
        np.empty(size, np.int32),
        np.empty(size, np.int32),
        np.empty(size),
        np.empty(size),
        np.empty(size),
        np.empty(size),
        np.empty((size, 2), np.int64),
        np.empty(4 * size, np.int32),
        np.empty(4 * size, np.int32),
        np.empty(4 * size, np.int32),
        np.empty(4 * size, np.int32),
        np.empty(4 * size),
        np.empty(4 * size),
    )


@kernel
def graph_of(joint: Joint, lists: Lists, string: Array, room: Graph, marks: Marks) -> Graph:
    """The graph of a string, in a room that may be used again when it is done with."""
    n_rows = (len(string) + 1) * joint.layers
    while True:
        graph = Graph(
            np.zeros(n_rows + 1, np.int64), np.full(n_rows, np.inf), np.zeros(n_rows),
            np.zeros((n_rows, joint.longest + 2), np.int64), room.states, room.fails,
            room.backoffs, room.moves, room.ends, room.rests, room.groups, room.firsts, room.units,
            room.labels, room.targets, room.probs, room.brought,
        )  # fmt: skip
        if connect(joint, lists, string, graph, marks) != NO_ROOM:
            weigh(joint, graph, marks.listed)
            return graph
        room = room_of(2 * len(room.states))


@inlined
def start_of(graph: Graph) -> int:
    """The node that all paths begin at: those that it fails to stand before it."""
    return int(graph.bounds[1]) - 1


@inlined
def total(graph: Graph) -> float:
    """-ln of the mass of all outputs."""
    rest = graph.rests[start_of(graph)]
    return graph.scales[0] - math.log(rest) if rest > 0 else np.inf


@leaf
def connect(joint: Joint, lists: Lists, string: Array, graph: Graph, marks: Marks) -> int:
    """All nodes that the start leads to, and their arcs; NO_ROOM if they are too many."""
    states, fails, backs, made = graph.states, graph.fails, graph.backoffs, marks.made
    backoffs, backoff_states = joint.backoffs, joint.backoff_states
    groups, firsts, bounds, leaving = graph.groups, graph.firsts, graph.bounds, graph.leaving
    layers, n_groups, n_firsts, n_arcs = joint.layers, 0, 0, 0
    n = chained(joint.start, 0, made, states, fails, backs, backoffs, backoff_states)
    bounds[1], enough = n, True
    unmark(made, states, 0, n)
    for row in range(1, len(graph.scales)):
        end, layer = row // layers, row % layers
        # What reads nothing goes on from the row before.
        nearest = row - 1 if layer else end * layers - 1
        farthest = row - 1 if layer else max(0, end - joint.longest) * layers
        for source in range(farthest, nearest + 1):
            first, last = bounds[source], bounds[source + 1]
            chunk = chunk_of(joint.longer, joint.n_labels, string, source // layers, end)
            low, high = lists.firsts[chunk], lists.firsts[chunk + 1]
            if first == last or low == high or not enough:
                continue
            enough = n_groups < len(groups) and n_firsts + last - first < len(firsts)
            if enough:
                groups[n_groups, ROW], groups[n_groups, PLACE] = row, n_firsts
                leaving[source, 0] += 1
                leaving[source, leaving[source, 0]] = n_groups
                n_groups += 1
                find(lists.states, low, high, states, first, last, marks.left, firsts, n_firsts)
                n, n_arcs = lead(joint, lists, graph, made, n_firsts, last - first, n, n_arcs)
                n_firsts += last - first + 1
                enough = n_arcs != NO_ROOM
        bounds[row + 1] = n
        unmark(made, states, bounds[row], n)
        if not enough:
            return NO_ROOM
    return n


@leaf
def unmark(marks: Array, states: Array, first: int, last: int) -> None:
    for node in range(first, last):
        marks[states[node]] = -1


@leaf
def find(
    listing: Array,
    low: int,
    high: int,
    states: Array,
    first: int,
    last: int,
    left: Array,
    firsts: Array,
    place: int,
) -> None:
    """Puts the place in listing[low:high] of the state of each node, or -1, behind a place."""
    if SEVERAL * (last - first) < high - low:
        for node in range(first, last):
            k = first_arc(listing, low, high, states[node])
            firsts[place + node - first] = k if k < high and listing[k] == states[node] else -1
        return
    for node in range(first, last):
        left[states[node]] = node
        firsts[place + node - first] = -1
    for k in range(low, high):
        node = left[listing[k]]
        if node >= 0:
            firsts[place + node - first] = k
    for node in range(first, last):
        left[states[node]] = -1


@leaf
def lead(
    joint: Joint,
    lists: Lists,
    graph: Graph,
    made: Array,
    place: int,
    size: int,
    n: int,
    n_arcs: int,
) -> tuple[int, int]:
    """Makes the arcs of a group of some size, which are where `find` has found them in the lists,
    and the nodes that they lead to.

    Returns how many nodes there are, and how many arcs, or NO_ROOM.
    """
    offsets, listed, probs, targets = lists.offsets, lists.units, lists.probs, lists.targets
    states, fails, backs, firsts = graph.states, graph.fails, graph.backoffs, graph.firsts
    units, labels, arc_targets, arc_probs = graph.units, graph.labels, graph.targets, graph.probs
    backoffs, backoff_states = joint.backoffs, joint.backoff_states
    for k in range(place, place + size):
        found = firsts[k]
        firsts[k] = n_arcs
        if found < 0:
            continue
        for arc in range(offsets[found], offsets[found + 1]):
            if n_arcs == len(units) or n + CHAIN > len(states):
                return n, NO_ROOM
            unit, target = listed[arc], targets[arc]
            if made[target] < 0:
                n = chained(target, n, made, states, fails, backs, backoffs, backoff_states)
            units[n_arcs], arc_targets[n_arcs], arc_probs[n_arcs] = unit, made[target], probs[arc]
            labels[n_arcs] = lists.labels[arc]
            n_arcs += 1
    firsts[place + size] = n_arcs
    return n, n_arcs


@leaf
def chained(
    state: int,
    n: int,
    made: Array,
    states: Array,
    fails: Array,
    backs: Array,
    backoffs: Array,
    backoff_states: Array,
) -> int:
    """Makes the node of a state behind those that it fails to; returns how many there are then."""
    depth, behind = 0, state
    while made[behind] < 0:
        depth += 1
        if behind == 0 or backoffs[behind] == 0:
            break
        behind = backoff_states[behind]
    node = made[behind]
    for place in range(n + depth - 1, n - 1, -1):
        states[place], backs[place], fails[place] = state, backoffs[state], place - 1
        made[state] = place
        state = backoff_states[state]
    fails[n] = node
    return n + depth


@leaf
def weigh(joint: Joint, graph: Graph, listed: Array) -> None:
    """What may follow each node, from the last row to the first."""
    scales, moves, ends, rests = graph.scales, graph.moves, graph.ends, graph.rests
    fails, backs, n_rows, bit = graph.fails, graph.backoffs, len(scales), bit_of(len(joint.firsts))
    for row in range(n_rows - 1, -1, -1):
        first, last, at_end = graph.bounds[row], graph.bounds[row + 1], row >= n_rows - joint.layers
        for node in range(first, last):
            moves[node], ends[node], rests[node] = 0.0, 0.0, 0.0
            if at_end:
                ends[node], _ = step(
                    joint.masks, joint.offsets, joint.tokens, joint.probs, joint.backoff_states,
                    joint.backoffs, graph.states[node], joint.end, bit,
                )  # fmt: skip
        # What ends there is told as it is.
        reference = 0.0 if at_end else np.inf
        for k in range(1, graph.leaving[row, 0] + 1):
            group = graph.leaving[row, k]
            into, place = graph.groups[group, ROW], graph.groups[group, PLACE] - first
            if scales[into] == np.inf:
                factor = 0.0
            else:
                reference = scales[into] if reference == np.inf else reference
                factor = math.exp(reference - scales[into])
            bring(
                graph.firsts, graph.units, graph.targets, graph.probs, graph.brought, moves, rests,
                fails, backs, listed, place, first, last, factor,
            )  # fmt: skip
        graph.references[row] = 0.0 if reference == np.inf else reference
        top = 0.0
        for node in range(first, last):
            if fails[node] >= 0:
                moves[node] += backs[node] * max(0.0, moves[fails[node]] - rests[node])
            rests[node] = moves[node] + ends[node]
            top = max(top, rests[node])
        if top > 0:
            scales[row] = graph.references[row] - math.log(top)
            for node in range(first, last):
                rests[node] /= top


@leaf
def bring(
    firsts: Array,
    units: Array,
    targets: Array,
    probs: Array,
    brought: Array,
    moves: Array,
    rests: Array,
    fails: Array,
    backs: Array,
    listed: Array,
    place: int,
    first: int,
    last: int,
    factor: float,
) -> None:
    """Adds what a group brings to the moves of its nodes, and, to what stands for their rests so
    far, what its units bring to the nodes that these fail to."""
    for node in range(first, last):
        for arc in range(firsts[place + node], firsts[place + node + 1]):
            brought[arc] = probs[arc] * rests[targets[arc]] * factor
            moves[node] += brought[arc]
            unit, fail, weight = units[arc], fails[node], 1.0
            if fail < 0:
                listed[unit] = arc
            while fail >= 0:
                low, high = firsts[place + fail], firsts[place + fail + 1]
                other = listed[unit]
                if other < low or other >= high or units[other] != unit:
                    other = first_arc(units, low, high, unit)
                if other < high and units[other] == unit:
                    rests[node] += weight * brought[other]
                    break
                weight *= backs[fail]
                fail = fails[fail]
