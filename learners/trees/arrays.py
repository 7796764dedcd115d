"""A finished tree as flat arrays, with all that prediction needs; `applying_kernels` apply it.

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
>>> tree.children(0), tree.depths().tolist(), tree.errors().tolist()
(range(1, 3), [0, 1, 1], [2.0, 0.0, 0.0])
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

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
        """The number of nodes above each; ways up are doubled until all are at the root."""
        found, above = (self.parents >= 0).astype(np.int64), self.parents
        while (below := above >= 0).any():
            found[below] += found[above[below]]
            above = np.where(below, above[above], -1)
        return found

    def errors(self) -> Array:
        """The weight of rows at each node of another class than it decides for."""
        nodes = np.repeat(np.arange(len(self.nodes)), np.diff(self.starts))
        right = self.classes == self.decisions[nodes]
        return self.totals - np.bincount(nodes[right], self.counts[right], len(self.nodes))


def tree_to_record(tree: Tree) -> dict[str, Any]:
    """A tree as lists and numbers, for JSON, with the types of its arrays."""
    return {
        name: {"type": value.dtype.name, "shape": list(value.shape), "data": value.ravel().tolist()}
        if isinstance(value, np.ndarray)
        else value
        for name, value in tree._asdict().items()
    }


def tree_from_record(record: Mapping[str, Any]) -> Tree:
    """The tree that `tree_to_record` wrote.

    >>> record = tree_to_record(Tree(*[np.zeros((0, 3), np.uint8)] * 9, n_classes=2, smoothing=0.5))
    >>> tree_from_record(record).tables.shape, tree_from_record(record).n_classes
    ((0, 3), 2)
    """
    fields: dict[str, Any] = {
        name: np.array(value["data"], value["type"]).reshape(value["shape"])
        if isinstance(value, Mapping)
        else value
        for name, value in record.items()
    }
    return Tree(**fields)
