"""The distribution over the units of its letter at each node of a tree over words.

The first question of a tree is which letter it is about, so that every other node belongs to one
letter and knows its units alone. What it expects of them is drawn towards what the node above does,

    p(u | node) = (count(u) + m * p(u | parent)) / (total + m)

with a uniform distribution above the nodes of whole letters. Of units that are as probable, within
a millionth, the first is taken to be a millionth more so: then all searches agree which is best.

>>> tree = Tree(
...     nodes=np.array([[0, 0, 0], [-1, 3, 1]], np.int32), decisions=np.zeros(2, np.int32),
...     parents=np.array([-1, 0], np.int32), tables=np.array([0, 1, 0], np.uint8),
...     widths=np.array([3]), totals=np.array([4.0, 4]), starts=np.array([0, 2, 4]),
...     classes=np.array([0, 1, 0, 1], np.int32), counts=np.array([3.0, 1, 3, 1]), n_classes=2,
...     smoothing=2.0)
>>> rows, shares = smooth_shares(tree, np.array([0, 0, 2]))
>>> rows.tolist(), [round(float(share), 3) for share in shares]
([-1, 0], [0.667, 0.333])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.learners.trees.arrays import ATTRIBUTE, BEFORE, OFFSET, Tree

Array = Any
# The share of a probability within which another is as good: more than 32 bits round off.
ALIKE = 1e-6


def node_letters(tree: Tree) -> Array:
    """The letter that each node of a tree is about, which its first question asks for."""
    letters = np.zeros(len(tree.nodes), np.int64)
    codes = np.flatnonzero(tree.table(0))
    letters[int(tree.nodes[0, BEFORE]) + tree.table(0)[codes].astype(np.int64)] = codes
    for nodes in nodes_by_depth(tree)[2:]:
        letters[nodes] = letters[tree.parents[nodes]]
    return letters


def nodes_by_depth(tree: Tree) -> list[Array]:
    """The nodes of each depth."""
    depths = tree.depths()
    order = np.argsort(depths, kind="stable")
    return np.split(order, np.cumsum(np.bincount(depths))[:-1])


def ends_of(tree: Tree) -> Array:
    """The nodes where a letter may end: leaves, and where a known value has no branch."""
    may_end = tree.leaves.copy()
    attributes, offsets = tree.nodes[~may_end, ATTRIBUTE], tree.nodes[~may_end, OFFSET]
    without = np.concatenate([[0], np.cumsum(tree.tables == 0)])
    may_end[~may_end] = without[offsets + tree.widths[attributes] - 1] > without[offsets]
    may_end[0] = False
    return may_end


def smooth_shares(tree: Tree, firsts: Array) -> tuple[Array, Array]:
    """Where the distribution of each node begins, -1 for none, and these distributions."""
    letters = node_letters(tree)
    sizes = np.diff(firsts)[letters]
    sizes[0] = 0
    begins = np.cumsum(sizes) - sizes
    counted = np.repeat(np.arange(len(begins)), np.diff(tree.starts))
    below = counted > 0
    places = begins[counted] + tree.classes - firsts[letters[counted]]
    shares = np.zeros(int(sizes.sum()))
    shares[places[below]] = tree.counts[below]
    for depth, nodes in enumerate(nodes_by_depth(tree)[1:]):
        spread = sizes[nodes]
        inside = np.arange(spread.sum()) - np.repeat(np.cumsum(spread) - spread, spread)
        here = np.repeat(begins[nodes], spread) + inside
        above = 1 / np.repeat(spread, spread)
        if depth:
            above = shares[np.repeat(begins[tree.parents[nodes]], spread) + inside]
        totals = np.repeat(tree.totals[nodes], spread)
        shares[here] = (shares[here] + tree.smoothing * above) / (totals + tree.smoothing)
    kept = ends_of(tree)
    is_kept = np.repeat(kept, sizes)
    rows = np.where(kept, np.cumsum(sizes * kept) - sizes * kept, -1)
    kept_shares = shares[is_kept]
    favour_first(kept_shares, rows[kept], sizes[kept])
    return rows, kept_shares.astype(np.float32)


def favour_first(shares: Array, begins: Array, sizes: Array) -> None:
    """Of units that are as probable, the first becomes a little more so."""
    greatest = np.maximum.reduceat(shares, begins)
    alike = shares >= np.repeat(greatest * (1 - ALIKE), sizes)
    several = np.add.reduceat(alike.astype(np.int64), begins) > 1
    places = np.where(alike, np.arange(len(shares)), len(shares))
    first = np.minimum.reduceat(places, begins)
    shares[first[several]] = greatest[several] * (1 + ALIKE)


def best_units(tree: Tree, firsts: Array) -> Array:
    """The best unit of each node where a letter may end; of other nodes, that of most rows."""
    nodes = np.repeat(np.arange(len(tree.nodes)), np.diff(tree.starts))
    order = np.lexsort((tree.classes, -tree.counts, nodes))
    units = tree.classes[order][tree.starts[:-1]]
    rows, shares = smooth_shares(tree, firsts)
    ends = np.flatnonzero(rows >= 0)
    letters = node_letters(tree)[ends]
    units[ends] = firsts[letters] + best_places(shares, rows[ends], np.diff(firsts)[letters])
    return units.astype(np.int32)


def best_places(shares: Array, begins: Array, sizes: Array) -> Array:
    """The place of the greatest of each stretch of shares, the first of several."""
    greatest = np.repeat(np.maximum.reduceat(shares, begins), sizes)
    places = np.where(shares == greatest, np.arange(len(shares)), len(shares))
    return np.minimum.reduceat(places, begins) - begins
