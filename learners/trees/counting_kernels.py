"""Kernels: the rows of a node, counted by class, by value and class, and put to its branches.

>>> measure, logs = Measure(gini=False, ratio=True, min_leaf=2.0), np.zeros(1)
>>> codes, classes = np.array([[3], [1], [3]], np.uint8), np.array([7, 7, 8])
>>> rows, room = Rows(codes, classes, np.ones(3), np.array([5])), np.zeros(3, np.int32)
>>> node = node_of(rows, np.arange(3), np.full(9, -1), room, np.zeros(3), measure, logs)
>>> table, sizes, codes = contingency_table(rows.codes, 0, node, np.full(5, -1), np.zeros(6))
>>> codes.tolist(), table.tolist(), node.counts.tolist()
([1, 3], [[1.0, 0.0], [1.0, 1.0]], [2.0, 1.0])
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.learners.trees.split_kernels import Measure

total_impurity = sibling(__name__, "glyphone.learners.trees.split_kernels").total_impurity

Array = Any


class Rows(NamedTuple):
    """Training rows; the codes of column a are below widths[a], the last for unknown."""

    codes: Array
    classes: Array
    weights: Array
    widths: Array


class Node(NamedTuple):
    """The rows of a node: their classes, numbered anew, their weights, and sums of these."""

    rows: Array
    classes: Array
    weights: Array
    counts: Array
    total: float
    base: float


@kernel
def node_of(
    rows: Rows, chosen: Array, local: Array, here: Array, weights: Array, measure: Measure,
    logs: Array,
) -> Node:  # fmt: skip
    """The rows of a node with their sums; `local`, -1 for every class, is left as it was."""
    n, n_present, total = len(chosen), 0, 0.0
    counts, present = np.zeros(min(n, len(local))), np.empty(min(n, len(local)), np.int32)
    for i in range(n):
        c, weight = rows.classes[chosen[i]], rows.weights[chosen[i]]
        if local[c] < 0:
            local[c] = n_present
            present[n_present] = c
            n_present += 1
        here[i], weights[i] = local[c], weight
        counts[local[c]] += weight
        total += weight
    for c in range(n_present):
        local[present[c]] = -1
    counts = counts[:n_present]
    base = total_impurity(counts, total, logs, measure.gini)
    return Node(chosen, here[:n], weights[:n], counts, total, base)


@kernel
def contingency_table(
    codes: Array, a: int, node: Node, places: Array, cells: Array
) -> tuple[Array, Array, Array]:
    """The rows of each value by class, those of each value, and the values, sorted.

    `places`, -1 for every code, is left as it was.
    """
    n, n_classes, n_values = len(node.rows), len(node.counts), 0
    raw = cells[: min(n, len(places)) * n_classes].reshape((-1, n_classes))
    present = np.empty(min(n, len(places)), np.int64)
    for i in range(n):
        code = codes[node.rows[i], a]
        v = places[code]
        if v < 0:
            v = places[code] = n_values
            present[v] = code
            raw[v] = 0.0
            n_values += 1
        raw[v, node.classes[i]] += node.weights[i]
    for v in range(n_values):
        places[present[v]] = -1
    order = np.argsort(present[:n_values], kind="mergesort")
    table, sizes = np.empty((n_values, n_classes)), np.zeros(n_values)
    for v in range(n_values):
        for c in range(n_classes):
            table[v, c] = raw[order[v], c]
            sizes[v] += table[v, c]
    return table, sizes, present[order]


@kernel
def sort_by_branch(
    codes: Array, a: int, branches: Array, n_branches: int, order: Array, other: Array
) -> Array:
    """Sort `order` by branch, in place, and return where each branch begins and ends in it."""
    ends = np.zeros(n_branches + 1, np.int64)
    for i in range(len(order)):
        ends[branches[codes[order[i], a]]] += 1
    for b in range(n_branches):
        ends[b + 1] += ends[b]
    places = ends.copy()
    for i in range(len(order)):
        b = branches[codes[order[i], a]] - 1
        other[places[b]] = order[i]
        places[b] += 1
    order[:] = other[: len(order)]
    return ends


@kernel
def shuffle_attributes(turn: Array, max_attributes: int, seed: int) -> int:
    """Shuffle attributes where not all are asked; return the next seed (Park and Miller 1988)."""
    if max_attributes >= 0:
        for x in range(len(turn) - 1):
            seed = seed * 48271 % 2147483647
            y = x + seed % (len(turn) - x)
            turn[x], turn[y] = turn[y], turn[x]
    return seed


@kernel
def count_classes(
    rows: Rows, order: Array, firsts: Array, lasts: Array, n_classes: int
) -> tuple[Array, Array, Array]:
    """The numbers of rows of each class at nodes, zeros left out, as in a finished tree."""
    sums, used, n_nodes = np.zeros(n_classes), 0, len(firsts)
    starts = np.zeros(n_nodes + 1, np.int64)
    classes, counts = np.empty(n_nodes + n_classes, np.int32), np.empty(n_nodes + n_classes)
    for node in range(n_nodes):
        first = used
        if used + n_classes > len(classes):
            classes = np.concatenate((classes, np.empty(len(classes) + n_classes, np.int32)))
            counts = np.concatenate((counts, np.empty(len(counts) + n_classes)))
        for i in range(firsts[node], lasts[node]):
            c = rows.classes[order[i]]
            if sums[c] == 0.0:
                classes[used] = c
                used += 1
            sums[c] += rows.weights[order[i]]
        classes[first:used] = np.sort(classes[first:used])
        for x in range(first, used):
            counts[x] = sums[classes[x]]
            sums[classes[x]] = 0.0
        starts[node + 1] = used
    return starts, classes[:used].copy(), counts[:used].copy()
