"""A finished tree as flat arrays, and kernels that apply it: all that prediction needs.

A node asks about one column; the branch of value v is tables[offsets + v], 0 for none, and branch
b leads to the node `before` + b. A row whose value has no branch stays where it is. Values are
coded 0, 1, ... in each column, and the last code of a column stands for all unknown ones.

Class probabilities of a node are counts of rows, or m-estimates towards those of its parent:

    p(c | node) = (count(c) + m * p(c | parent)) / (total + m)

where the root has the uniform distribution above it, and m is the tree's `smoothing`.

>>> tree = Tree(
...     nodes=np.array([[0, 0, 0], [-1, 0, 0], [-1, 0, 0]], np.int32),
...     decisions=np.array([0, 0, 1], np.int32), parents=np.array([-1, 0, 0], np.int32),
...     tables=np.array([1, 2, 0], np.uint8), widths=np.array([3]), totals=np.array([5.0, 3, 2]),
...     starts=np.array([0, 2, 3, 4]), classes=np.array([0, 1, 0, 1], np.int32),
...     counts=np.array([3.0, 2, 3, 2]), n_classes=2, smoothing=0.0)
>>> ends(tree, np.array([[1], [0], [2]], np.uint8)).tolist()
[2, 1, 0]
>>> distribution(tree, 0).tolist()
[0.6, 0.4]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel

Array = Any
ATTRIBUTE, OFFSET, BEFORE = 0, 1, 2
LEAF = -1


class Tree(NamedTuple):
    """nodes[k]: the column that node k asks about or LEAF, where its table begins, and `before`.

    The rows of class classes[x] at node k are counts[x], for x from starts[k] to starts[k + 1];
    all that come there weigh totals[k]. decisions[k] is the class that node k decides for.
    Children follow their parents.
    """

    nodes: Array
    decisions: Array
    parents: Array
    tables: Array
    widths: Array
    totals: Array
    starts: Array
    classes: Array
    counts: Array
    n_classes: int
    smoothing: float

    @property
    def leaves(self) -> Array:
        return self.nodes[:, ATTRIBUTE] == LEAF

    def table(self, node: int) -> Array:
        """The branch of each code at an inner node, 0 for none."""
        attribute, offset, _ = self.nodes[node].tolist()
        return self.tables[offset : offset + self.widths[attribute]]

    def children(self, node: int) -> range:
        """The children of a node, by branch."""
        if self.nodes[node, ATTRIBUTE] == LEAF:
            return range(0)
        first = int(self.nodes[node, BEFORE]) + 1
        return range(first, first + int(self.table(node).max()))

    def depths(self) -> Array:
        """How many nodes are above each; ways up are doubled until all are at the root."""
        found, above = (self.parents >= 0).astype(np.int64), self.parents
        while (below := above >= 0).any():
            found[below] += found[above[below]]
            above = np.where(below, above[above], -1)
        return found

    def errors(self) -> Array:
        """How many rows at each node are of another class than it decides for."""
        nodes = np.repeat(np.arange(len(self.nodes)), np.diff(self.starts))
        right = self.classes == self.decisions[nodes]
        return self.totals - np.bincount(nodes[right], self.counts[right], len(self.nodes))


@kernel
def ends(tree: Tree, codes: Array) -> Array:
    """The nodes where rows of codes come to their ends."""
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
def distribution(tree: Tree, node: int) -> Array:
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
def shares(tree: Tree, nodes: Array, wanted: Array) -> Array:
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
def decided(tree: Tree) -> Array:
    """The most probable class of each node, the first of several."""
    found = np.empty(len(tree.nodes), np.int32)
    for node in range(len(tree.nodes)):
        found[node] = np.argmax(distribution(tree, node))
    return found


@kernel
def add_shares(tree: Tree, nodes: Array, weight: float, votes: Array) -> None:
    """votes[i, c] += weight * p(c | nodes[i])."""
    starts, classes, counts, totals = tree.starts, tree.classes, tree.counts, tree.totals
    for i in range(len(nodes)):
        node = nodes[i]
        if tree.smoothing > 0.0:
            votes[i] += weight * distribution(tree, node)
        else:
            for x in range(starts[node], starts[node + 1]):
                votes[i, classes[x]] += weight * counts[x] / totals[node]


def plain(tree: Tree) -> dict[str, Any]:
    """A tree as lists and numbers, for JSON, with the types of its arrays."""
    return {
        name: {"type": value.dtype.name, "shape": list(value.shape), "data": value.ravel().tolist()}
        if isinstance(value, np.ndarray)
        else value
        for name, value in tree._asdict().items()
    }


def from_plain(record: Mapping[str, Any]) -> Tree:
    """The tree that `plain` wrote.

    >>> record = plain(Tree(*[np.zeros((0, 3), np.uint8)] * 9, n_classes=2, smoothing=0.5))
    >>> from_plain(record).tables.shape, from_plain(record).n_classes
    ((0, 3), 2)
    """
    fields: dict[str, Any] = {
        name: np.array(value["data"], value["type"]).reshape(value["shape"])
        if isinstance(value, Mapping)
        else value
        for name, value in record.items()
    }
    return Tree(**fields)
