"""Kernels that apply a tree: where rows of codes end, and the class probabilities there.

>>> tree = Tree(
...     nodes=np.array([[0, 0, 0], [-1, 0, 0], [-1, 0, 0]], np.int32),
...     decisions=np.array([0, 0, 1], np.int32), parents=np.array([-1, 0, 0], np.int32),
...     tables=np.array([1, 2, 0], np.uint8), widths=np.array([3]), totals=np.array([5.0, 3, 2]),
...     starts=np.array([0, 2, 3, 4]), classes=np.array([0, 1, 0, 1], np.int32),
...     counts=np.array([3.0, 2, 3, 2]), n_classes=2, smoothing=0.0)
>>> end_nodes(tree, np.array([[1], [0], [2]], np.uint8)).tolist()
[2, 1, 0]
>>> class_distribution(tree, 0).tolist()
[0.6, 0.4]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel
from glyphone.learners.trees.arrays import ATTRIBUTE, BEFORE, OFFSET, Tree

Array = Any


@kernel
def end_nodes(tree: Tree, codes: Array) -> Array:
    """The nodes where rows of codes end."""
    # One loop over two arrays: handing a tree to a function for each row takes longer than that.
    nodes, tables, found = tree.nodes, tree.tables, np.empty(len(codes), np.int32)
    for i in range(len(codes)):
        node = 0
        attribute = nodes[0, ATTRIBUTE]
        while attribute >= 0:
            branch = tables[nodes[node, OFFSET] + codes[i, attribute]]
            if branch == 0:
                break
            node = nodes[node, BEFORE] + branch
            attribute = nodes[node, ATTRIBUTE]
        found[i] = node
    return found


@kernel
def class_distribution(tree: Tree, node: int) -> Array:
    """The class probabilities of a node."""
    found, share = np.zeros(tree.n_classes), 1.0
    while node >= 0:
        total = tree.totals[node] + tree.smoothing
        for x in range(tree.starts[node], tree.starts[node + 1]):
            found[tree.classes[x]] += share * tree.counts[x] / total
        share *= tree.smoothing / total
        node = tree.parents[node] if share > 0 else -1
    return found + share / tree.n_classes


@kernel
def class_shares(tree: Tree, nodes: Array, wanted: Array) -> Array:
    """The probability of class wanted[i] at nodes[i]."""
    found = np.zeros(len(nodes))
    for i in range(len(nodes)):
        node, share = nodes[i], 1.0
        while node >= 0 and share > 0:
            total = tree.totals[node] + tree.smoothing
            first, last = tree.starts[node], tree.starts[node + 1]
            x = first + np.searchsorted(tree.classes[first:last], wanted[i])
            if x < last and tree.classes[x] == wanted[i]:
                found[i] += share * tree.counts[x] / total
            share *= tree.smoothing / total
            node = tree.parents[node]
        found[i] += share / tree.n_classes
    return found


@kernel
def best_classes(tree: Tree) -> Array:
    """The most probable class of each node, the first of several."""
    found = np.empty(len(tree.nodes), np.int32)
    for node in range(len(tree.nodes)):
        found[node] = np.argmax(class_distribution(tree, node))
    return found


@kernel
def add_shares(tree: Tree, nodes: Array, weight: float, votes: Array) -> None:
    """votes[i, c] += weight * p(c | nodes[i])."""
    starts, classes, counts, totals = tree.starts, tree.classes, tree.counts, tree.totals
    for i in range(len(nodes)):
        node = nodes[i]
        if tree.smoothing > 0.0:
            votes[i] += weight * class_distribution(tree, node)
        else:
            for x in range(starts[node], starts[node + 1]):
                votes[i, classes[x]] += weight * counts[x] / totals[node]
