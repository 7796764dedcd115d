"""The trees of a model in flat arrays, as the kernels want them: nodes, and what each node expects.

Trees stand end to end. Those of a model have the same units; see `glyphone.models.trees.shares` for
what a node expects of them.

>>> tree = Tree(
...     nodes=np.array([[0, 0, 0], [-1, 3, 1]], np.int32), decisions=np.zeros(2, np.int32),
...     parents=np.array([-1, 0], np.int32), tables=np.array([0, 1, 0], np.uint8),
...     widths=np.array([3]), totals=np.array([4.0, 4]), starts=np.array([0, 2, 4]),
...     classes=np.array([0, 1, 0, 1], np.int32), counts=np.array([3.0, 1, 3, 1]), n_classes=2,
...     smoothing=0.0)
>>> units = Units.of([((1,), ()), ((1,), (5,))], n_labels=2)
>>> trees = trees_of([tree], units, left=0, right=0, previous=0)
>>> trees.shares.tolist(), trees.bests.tolist()
([0.75, 0.25], [-1, 0])
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.fst.alignment.units import Units
from glyphone.fst.joint.kernels.arrays import chunk_bit
from glyphone.learners.trees.arrays import BEFORE, OFFSET, Tree
from glyphone.models.trees.shares import best_places, node_letters, smooth_shares

Array = Any
# More chunks than these no lexicon has examples for.
MOST_PREVIOUS = 8
MOST_TREES = 10_000
# A state has a number of 32 bits.
MOST_STATES = 2**31


class Trees(NamedTuple):
    """Trees end to end; see `Tree` for nodes and tables. `roots` has the first node of each tree.

    shares[rows[node] + k] is the probability, to the power of 1 / temperature, of the k-th unit of
    the node's letter; rows[node] is -1 where no letter ends. Of one tree these are powers already;
    of several the mean is raised to `exponent`. At a node bests[node] is the best unit, and
    prices[node] its -ln P; norms[node] is what the powers add up to.

    The units of a letter are firsts[letter] to firsts[letter + 1], at most `most`, those that write
    s symbols from sizes[letter, s] on; masks[letter] has bits of what they write first. Unit u
    writes labels[written[u]:written[u + 1]], at most `widest` of them, heads[u] first, which is
    chunk chunks[u]. A state has the last `previous` chunks, the nearest as the lowest digit, in
    numbers to the `base`.
    """

    nodes: Array
    tables: Array
    roots: Array
    rows: Array
    shares: Array
    bests: Array
    prices: Array
    norms: Array
    exponent: float
    firsts: Array
    sizes: Array
    masks: Array
    most: int
    written: Array
    labels: Array
    heads: Array
    widest: int
    chunks: Array
    base: int
    left: int
    right: int
    previous: int


def trees_of(
    trees: Sequence[Tree],
    units: Units,
    *,
    left: int,
    right: int,
    previous: int,
    temperature: float = 1.0,
) -> Trees:
    """The arrays of the trees of a model, for kernels."""
    firsts = units.firsts[: units.n_labels + 1]
    chunks, n_chunks = chunks_of(units)
    nodes, tables, rows, shares, roots = join_trees(trees, firsts)
    alone = len(trees) == 1
    bests, prices, norms = summarize_nodes(
        nodes, rows, shares, letters_of(trees), firsts, temperature
    )
    if alone and temperature != 1.0:
        shares = (shares.astype(np.float64) ** (1 / temperature)).astype(np.float32)
    return Trees(
        nodes=nodes,
        tables=tables,
        roots=roots,
        rows=rows,
        shares=shares,
        bests=bests,
        prices=prices,
        norms=norms,
        exponent=1.0 if alone else 1 / temperature,
        firsts=firsts,
        sizes=sizes_of(units),
        masks=masks_of(units),
        most=int(np.diff(firsts).max()),
        written=np.cumsum([0, *map(len, units.targets)]),
        labels=np.array([label for row in units.targets for label in row], np.int32),
        heads=np.array([row[0] if row else 0 for row in units.targets], np.int32),
        widest=max(map(len, units.targets)),
        chunks=chunks if previous else np.zeros_like(chunks),
        base=n_chunks + 1,
        left=left,
        right=right,
        previous=previous,
    )


def chunks_of(units: Units) -> tuple[Array, int]:
    """The number from 1 of the target of each unit, and the number of distinct targets."""
    distinct = sorted(set(units.targets), key=lambda chunk: (len(chunk), chunk))
    numbers = {chunk: number for number, chunk in enumerate(distinct, 1)}
    return np.array([numbers[chunk] for chunk in units.targets], np.int64), len(distinct)


def check_states(units: Units, previous: int) -> None:
    """Refuses more chunks in a state than its number has room for."""
    base = chunks_of(units)[1] + 1
    if base**previous >= MOST_STATES:
        most = int(math.log(MOST_STATES - 1, base))
        raise GlyphoneError(
            f"{previous} of {base - 1} different chunks are too many to look back at",
            remedy=f"set previous to {most} or less",
        )


def widths_of(units: Units, *, left: int, right: int, previous: int) -> Array:
    """How many codes each column of a row has, one more than there are values, for unknown ones."""
    letters, chunks = units.n_labels + 1, chunks_of(units)[1] + 2
    return np.array([letters] * (left + 1 + right) + [chunks] * previous, np.int64)


def sizes_of(units: Units) -> Array:
    """Which unit is the first of a letter to write s symbols or more, for s up to one too many."""
    lengths = np.array([*map(len, units.targets)])
    letters = np.arange(units.n_labels)[:, None]
    width = int(lengths.max()) + 1
    keys = units.chunks * (width + 1) + lengths
    return np.searchsorted(keys, letters * (width + 1) + np.arange(width + 1)).astype(np.int64)


def masks_of(units: Units) -> Array:
    """The first labels that the units of each letter write, as bits that some labels share."""
    masks = np.zeros(units.n_labels, np.int64)
    for (letter,), target in zip(units.sources, units.targets, strict=True):
        masks[letter] |= chunk_bit(target[0]) if target else 0
    return masks


def join_trees(trees: Sequence[Tree], firsts: Array) -> tuple[Array, Array, Array, Array, Array]:
    """Nodes, tables, rows and shares of all trees, and their roots."""
    nodes, tables, rows, shares, roots = [], [], [], [], []
    n_nodes = n_cells = n_shares = 0
    for tree in trees:
        roots.append(n_nodes)
        own, inner = tree.nodes.copy(), ~tree.leaves
        own[inner, OFFSET] += n_cells
        own[inner, BEFORE] += n_nodes
        begins, probs = smooth_shares(tree, firsts)
        nodes.append(own)
        tables.append(tree.tables)
        rows.append(np.where(begins < 0, begins, begins + n_shares))
        shares.append(probs)
        n_nodes, n_shares = n_nodes + len(own), n_shares + len(probs)
        n_cells += len(tree.tables)
    columns = map(np.concatenate, (nodes, tables, rows, shares))
    return (*columns, np.array(roots, np.int64))  # type: ignore[return-value]


def letters_of(trees: Sequence[Tree]) -> Array:
    """The letter that each node is about; 0 for roots."""
    return np.concatenate([node_letters(tree) for tree in trees])


def summarize_nodes(
    nodes: Array, rows: Array, shares: Array, letters: Array, firsts: Array, temperature: float
) -> tuple[Array, Array, Array]:
    """The best unit of each node, its cost, and what the powers of all its shares add up to."""
    bests, prices = np.full(len(nodes), -1, np.int32), np.zeros(len(nodes))
    norms = np.ones(len(nodes))
    ends = np.flatnonzero(rows >= 0)
    begins, sizes = rows[ends], np.diff(firsts)[letters[ends]]
    places = best_places(shares, begins, sizes)
    bests[ends] = places + firsts[letters[ends]]
    prices[ends] = -np.log(shares[begins + places].astype(np.float64))
    norms[ends] = np.add.reduceat(shares.astype(np.float64) ** (1 / temperature), begins)
    return bests, prices, norms
