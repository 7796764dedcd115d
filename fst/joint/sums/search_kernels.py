"""Kernels: the n best outputs of a joint model by the sum over their paths, found for certain.

All units have to write one symbol each, as a reading does of a character. The search is that of
`glyphone.fst.lattices.nbest_kernels`, best first over prefixes of outputs with the mass of all
their completions, in a graph whose arcs nobody copies (`glyphone.fst.joint.sums.graph_kernels`).
Hundreds of symbols may follow a prefix, of which few are ever looked at, so that all are
weighed, and the next best one is put on the heap when the one before it comes off.

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.joint.sums.lists import arc_lists
>>> from glyphone.fst.joint.training import fit_joint
>>> pairs = [Pair(("a",), (phone,), weight) for phone, weight in [("x", 3.0), ("y", 1.0)]]
>>> joint = fit_joint(pairs).model.joint
>>> string, lists = np.array([1], np.int32), arc_lists(joint)
>>> made = graph_arrays.node_table(joint)
>>> graph = graph_kernels.string_graph(joint, lists, string, -1, graph_room(joint, 4, 64), made)
>>> found = n_best(lists, graph, 2, 100, symbol_values(joint))
>>> found.labels.tolist(), found.posteriors.round(2).tolist()
([1, 2], [0.64, 0.36])
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, leaf, sibling
from glyphone.fst.joint.kernels.arrays import Joint
from glyphone.fst.joint.sums.array_kernels import BASE, PLACE, Graph
from glyphone.fst.joint.sums.lists import ArcLists
from glyphone.fst.lattices.nbest_kernels import END, NBest
from glyphone.fst.lattices.prefix_kernels import LABEL, PARENT

doubled_rows = sibling(__name__, "glyphone.data.kernels.arrays").doubled_rows
graph_arrays = sibling(__name__, "glyphone.fst.joint.sums.array_kernels")
graph_kernels = sibling(__name__, "glyphone.fst.joint.sums.graph_kernels")
first_arc = sibling(__name__, "glyphone.fst.joint.kernels.trellis").first_arc
prefix_kernels = sibling(__name__, "glyphone.fst.lattices.prefix_kernels")
nbest_kernels = sibling(__name__, "glyphone.fst.lattices.nbest_kernels")
graph_room = graph_arrays.graph_room
plant_prefix, push_prefix, sift_heap = (
    prefix_kernels.plant_prefix,
    prefix_kernels.push_prefix,
    prefix_kernels.sift_heap,
)

Array = Any
# The columns of `spans`: where the members of a prefix stand, and the symbols that may follow it.
MEMBERS, MEMBERS_END, NEXT, NEXT_END = 0, 1, 2, 3


@kernel
def symbol_values(joint: Joint) -> Array:
    """Sums over the symbols of one prefix, all 0, which every search leaves so.

    values[0, label - END] is the mass of a symbol, values[1, label - END] whether it has been
    touched.
    """
    most = 0
    for label in joint.labels:
        most = max(most, label)
    return np.zeros((2, most + 1 - END))


@kernel
def n_best(lists: ArcLists, graph: Graph, n: int, budget: int, values: Array) -> NBest:
    """The n best distinct outputs; their costs are -ln of the sum over their paths.

    After `budget` arcs the answers are the outputs found so far or, if there is none, the output
    that takes the best symbol after each prefix.
    """
    tree, spans, heap = (
        np.zeros((64, 4), np.int64),
        np.zeros((64, 4), np.int64),
        np.zeros(64, np.int64),
    )
    # Masses of members are told in units of e to the -logs, those of symbols in e to the -bases.
    priorities, logs, bases = np.zeros(64), np.zeros(64), np.zeros(64)
    nodes, masses, n_members = np.zeros(256, np.int64), np.ones(256), 1
    labels, weights, n_next = np.empty(4096, np.int32), np.empty(4096), 0
    touched, found = np.empty(values.shape[1], np.int32), np.empty(16, np.int64)
    n_found, n_prefixes, size, spent, truncated = 0, 1, 0, 0, False
    nodes[0] = graph_kernels.start_node(graph)
    priorities[0], spans[0, MEMBERS_END] = graph_kernels.total_cost(graph), 1
    prefix = 0 if n > 0 and priorities[0] < np.inf else -1
    while prefix >= 0 and not (truncated and n_found > 0):
        parent, label, at_end = tree[prefix, PARENT], tree[prefix, LABEL], False
        if prefix > 0 and label == END:
            if n_found == len(found):
                found = doubled_rows(found)
            found[n_found] = prefix
            n_found, at_end = n_found + 1, True
        elif prefix > 0:
            spans[prefix, MEMBERS] = n_members
            nodes, masses, n_members = prefix_members(
                lists, graph, nodes, masses, spans[parent, MEMBERS], spans[parent, MEMBERS_END],
                n_members, label,
            )  # fmt: skip
            spans[prefix, MEMBERS_END] = n_members
            top = masses[spans[prefix, MEMBERS] : n_members].max()
            masses[spans[prefix, MEMBERS] : n_members] /= top
            logs[prefix] = logs[parent] - math.log(top)
        if not at_end:
            first, last = spans[prefix, MEMBERS], spans[prefix, MEMBERS_END]
            base, n_touched, n_arcs = weigh_symbols(
                lists, graph, values, nodes, masses, first, last, touched
            )
            while n_next + n_touched > len(labels):
                labels, weights = doubled_rows(labels), doubled_rows(weights)
            spans[prefix, NEXT], spans[prefix, NEXT_END] = n_next, n_next + n_touched
            whole = 0.0
            for symbol in touched[:n_touched]:
                whole += values[0, symbol - END]
            for symbol in touched[:n_touched]:
                value = values[0, symbol - END]
                labels[n_next], weights[n_next] = symbol, value * (value > lists.least * whole)
                values[0, symbol - END] = values[1, symbol - END] = 0.0
                n_next += 1
            bases[prefix], spent = logs[prefix] + base, spent + n_arcs
            if spent > budget:
                truncated, size = True, 0
        if n_prefixes + 2 > len(tree):
            tree, spans, heap = doubled_rows(tree), doubled_rows(spans), doubled_rows(heap)
            priorities, logs, bases = (
                doubled_rows(priorities),
                doubled_rows(logs),
                doubled_rows(bases),
            )
        # The next best beside what has come off the heap, and the best behind it.
        for before, open_ended in ((parent, prefix > 0 and not truncated), (prefix, not at_end)):
            first, last = spans[before, NEXT], spans[before, NEXT_END]
            best = best_symbol(labels, weights, first, last) if open_ended else -1
            if best >= 0:
                plant_prefix(tree, n_prefixes, before, labels[best])
                priorities[n_prefixes] = bases[before] - math.log(weights[best])
                weights[best] = 0.0
                push_prefix(heap, size, n_prefixes, priorities, tree)
                n_prefixes, size = n_prefixes + 1, size + 1
        prefix = -1
        if size > 0 and n_found < n:
            prefix, size = heap[0], size - 1
            sift_heap(heap, size, priorities, tree)
    answers: NBest = nbest_kernels.spell_outputs(
        found[:n_found], tree, priorities, priorities, priorities[0], truncated
    )
    return answers


@leaf
def best_symbol(labels: Array, weights: Array, first: int, last: int) -> int:
    """The place of the symbol of the greatest weight, of equals that with the least number; -1 if
    all are 0."""
    best = -1
    for place in range(first, last):
        if weights[place] > 0 and (
            best < 0
            or weights[place] > weights[best]
            or (weights[place] == weights[best] and labels[place] < labels[best])
        ):
            best = place
    return best


@kernel
def prefix_members(
    lists: ArcLists,
    graph: Graph,
    nodes: Array,
    masses: Array,
    first: int,
    last: int,
    n: int,
    label: int,
) -> tuple[Array, Array, int]:
    """The members of a prefix, from `n` on, that follow those of its parent, first to last; their
    masses, and the new number of members."""
    begin = n
    for member in range(first, last):
        node, mass = nodes[member], masses[member]
        row = row_of_node(graph.bounds, node)
        while node >= 0:
            for k in range(1, graph.leaving[row, 0] + 1):
                group = graph.leaving[row, k]
                place = graph.groups[group, PLACE] + node - graph.bounds[row]
                limit = graph.ranges[place, 1]
                arc = first_arc(lists.labels, graph.ranges[place, 0], limit, label)
                while arc < limit and lists.labels[arc] == label:
                    target, other = (
                        graph.nodes[graph.groups[group, BASE] + lists.targets[arc]],
                        begin,
                    )
                    while other < n and nodes[other] != target:
                        other += 1
                    if other == len(nodes):
                        nodes, masses = doubled_rows(nodes), doubled_rows(masses)
                    if other == n:
                        nodes[n], masses[n] = target, 0.0
                        n += 1
                    masses[other] += mass * lists.weights[arc]
                    arc += 1
            mass *= graph.backoffs[node]
            node = graph.behind[node]
    return nodes, masses, n


@leaf
def weigh_symbols(
    lists: ArcLists,
    graph: Graph,
    values: Array,
    nodes: Array,
    masses: Array,
    first: int,
    last: int,
    touched: Array,
) -> tuple[float, int, int]:
    """Write the masses of all completions by their next symbol into its value, END for none.

    Returns -ln of the unit of these masses, the number of symbols touched, and the number of arcs
    that were added up.
    """
    unit, n_touched, n_arcs = np.inf, 0, 0
    for member in range(first, last):
        unit = min(unit, graph.references[row_of_node(graph.bounds, nodes[member])])
    for member in range(first, last):
        node, row = nodes[member], row_of_node(graph.bounds, nodes[member])
        mass = masses[member] * math.exp(unit - graph.references[row])
        if mass * graph.ends[node] > 0:
            if values[1, 0] == 0:
                touched[n_touched], values[1, 0] = END, 1.0
                n_touched += 1
            values[0, 0] += mass * graph.ends[node]
        while node >= 0:
            for k in range(1, graph.leaving[row, 0] + 1):
                group = graph.leaving[row, k]
                place = graph.groups[group, PLACE] + node - graph.bounds[row]
                base, factor = graph.groups[group, BASE], mass * graph.factors[group]
                for arc in range(graph.ranges[place, 0], graph.ranges[place, 1]):
                    rest = graph.rests[graph.nodes[base + lists.targets[arc]]]
                    brought = factor * lists.weights[arc] * rest
                    value = lists.labels[arc] - END
                    if values[1, value] == 0 and brought != 0:
                        touched[n_touched], values[1, value] = value + END, 1.0
                        n_touched += 1
                    values[0, value] += brought
                n_arcs += graph.ranges[place, 1] - graph.ranges[place, 0]
            mass *= graph.backoffs[node]
            node = graph.behind[node]
    return unit, n_touched, n_arcs


@inlined
def row_of_node(bounds: Array, node: int) -> int:
    """The row that a node stands in."""
    row = 0
    while bounds[row + 1] <= node:
        row += 1
    return row
