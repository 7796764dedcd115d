"""Trees of words: those of single letters put together, and all that follows from their leaves.

The root asks for the letter. Nodes are numbered level by level, the children of a node side by
side, so that which are whose follows from how many each has. What many nodes ask in the same way
stands once among the tables. Counts of inner nodes are sums of those of leaves.

>>> letters = np.array([0, 1, 2, 0], np.uint8)
>>> leaves = Leaves(np.array([0, 1, 3]), np.array([0, 1, 2]), np.array([2.0, 3.0, 1.0]))
>>> tree = build_tree(np.array([0, -1, -1]), np.array([0]), [letters], leaves, widths=np.array([4]),
...     firsts=np.array([0, 0, 1, 3]), smoothing=1.0)
>>> tree.nodes.tolist(), tree.totals.tolist(), tree.decisions.tolist()
([[0, 0, 0], [-1, 0, -1], [-1, 0, -1]], [6.0, 2.0, 4.0], [1, 0, 1])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from glyphone.learners.trees.arrays import ATTRIBUTE, BEFORE, LEAF, OFFSET, Tree
from glyphone.models.trees.shares import best_units

Array = Any


class Leaves(NamedTuple):
    """Leaf k has counts[x] rows of unit classes[x], for x from starts[k] to starts[k + 1]."""

    starts: Array
    classes: Array
    counts: Array


def combine_trees(
    trees: Sequence[Tree], firsts: Array, *, centre: int, widths: Array, smoothing: float
) -> Tree:
    """One tree of the trees of letters 1, 2, ..., whose classes are the units of each letter."""
    root = np.zeros(widths[centre], trees[0].tables.dtype)
    root[1 : len(trees) + 1] = np.arange(1, len(trees) + 1)
    # First all nodes as they come: the root, then tree after tree.
    bounds = 1 + np.cumsum([0, *(len(tree.nodes) for tree in trees)])
    attributes = np.concatenate([[centre], *(tree.nodes[:, ATTRIBUTE] for tree in trees)])
    # The root shares its table with no other node, so that a file can leave it out.
    offers, places = [root], dict[bytes, int]()
    forms = np.zeros(bounds[-1], np.int64)
    children: list[Sequence[int]] = [bounds[:-1].tolist()]
    for tree, shift in zip(trees, bounds.tolist(), strict=False):
        for node, leaf in enumerate(tree.leaves.tolist()):
            children.append(range(0))
            if not leaf:
                table = tree.table(node)
                if table.tobytes() not in places:
                    places[table.tobytes()] = len(offers)
                    offers.append(table)
                forms[shift + node] = places[table.tobytes()]
                own = tree.children(node)
                children[-1] = range(shift + own.start, shift + own.stop)
    order = [0]
    for node in order:  # which grows
        order.extend(children[node])
    inner = attributes[order] != LEAF
    starts, classes, counts = [0], list[Array](), list[Array]()
    letters = np.searchsorted(bounds, order, side="right")
    for node, letter in zip(
        np.array(order)[~inner].tolist(), letters[~inner].tolist(), strict=True
    ):
        tree, own = trees[letter - 1], node - int(bounds[letter - 1])
        first, last = tree.starts[own], tree.starts[own + 1]
        classes.append(tree.classes[first:last] + firsts[letter])
        counts.append(tree.counts[first:last])
        starts.append(starts[-1] + int(last - first))
    # Counts are what a file has: what was boosted has counts that are no whole numbers.
    rounded = np.concatenate(counts).astype(np.float32).astype(np.float64)
    leaves = Leaves(np.array(starts), np.concatenate(classes), rounded)
    asked = np.array(order)[inner]
    return build_tree(
        attributes[order], forms[asked], offers, leaves,
        widths=widths, firsts=firsts, smoothing=smoothing,
    )  # fmt: skip


def build_tree(
    attributes: Array,
    forms: Array,
    tables: Sequence[Array],
    leaves: Leaves,
    *,
    widths: Array,
    firsts: Array,
    smoothing: float,
) -> Tree:
    """A tree of what its nodes ask about, which table each inner node has, and its leaves."""
    n, inner = len(attributes), attributes != LEAF
    offsets, branches = np.cumsum([0, *map(len, tables)]), np.concatenate(tables)
    sizes = np.maximum.reduceat(branches, offsets[:-1]).astype(np.int64)[forms]
    nodes = np.full((n, 3), -1, np.int32)
    nodes[:, ATTRIBUTE], nodes[:, OFFSET] = attributes, 0
    nodes[inner, OFFSET], nodes[inner, BEFORE] = offsets[forms], np.cumsum(sizes) - sizes
    parents = np.concatenate([[-1], np.repeat(np.flatnonzero(inner), sizes)]).astype(np.int32)
    tree = Tree(
        nodes, np.zeros(n, np.int32), parents, branches, widths, np.zeros(n),
        np.zeros(n + 1, np.int64), np.zeros(0, np.int32), np.zeros(0), int(firsts[-1]), smoothing,
    )  # fmt: skip
    tree = with_counts(tree, leaves)
    return tree._replace(decisions=best_units(tree, firsts))


def with_counts(tree: Tree, leaves: Leaves) -> Tree:
    """A tree with the counts of all nodes, each the sum of those of its children."""
    nodes = np.repeat(np.flatnonzero(tree.leaves), np.diff(leaves.starts))
    found: list[tuple[Array, Array, Array]] = [(nodes, leaves.classes, leaves.counts)]
    depths = tree.depths()
    waiting: tuple[Array, Array, Array] = found[0]
    for depth in range(int(depths.max()), 0, -1):
        nodes, classes, counts = waiting
        here = depths[nodes] == depth
        keys = tree.parents[nodes[here]].astype(np.int64) * tree.n_classes + classes[here]
        distinct, places = np.unique(keys, return_inverse=True)
        sums = np.bincount(places, counts[here], len(distinct))
        found.append((distinct // tree.n_classes, distinct % tree.n_classes, sums))
        owners, others, totals = found[-1]
        waiting = (
            np.concatenate([nodes[~here], owners]),
            np.concatenate([classes[~here], others]),
            np.concatenate([counts[~here], totals]),
        )
    owners, classes, counts = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.lexsort((classes, owners))
    starts = np.searchsorted(owners[order], np.arange(len(tree.nodes) + 1))
    return tree._replace(
        starts=starts,
        classes=classes[order].astype(np.int32),
        counts=counts[order],
        totals=np.bincount(owners, counts, len(tree.nodes)),
    )


def leaves_of(tree: Tree) -> Leaves:
    """The counts of a tree's leaves, in the order of nodes."""
    sizes = np.diff(tree.starts)
    at_leaves = np.repeat(tree.leaves, sizes)
    starts = np.concatenate([[0], np.cumsum(sizes[tree.leaves])])
    return Leaves(starts, tree.classes[at_leaves], tree.counts[at_leaves])
