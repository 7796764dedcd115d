"""Growing a tree from rows of codes: options, grow, prune, count.

>>> codes, classes = np.array([[0, 1], [1, 1], [0, 0], [1, 0]]), np.array([0, 1, 0, 1])
>>> tree = grow_tree(codes, classes, np.array([3, 3]), 2)
>>> tree.nodes[:, 0].tolist(), tree.decisions.tolist()
([0, -1, -1], [0, 0, 1])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.kernels import jit
from glyphone.learners.trees import applying_kernels, growing_kernels, pruning_kernels
from glyphone.learners.trees import counting_kernels as tree_counting_kernels
from glyphone.learners.trees import pruning as tree_pruning
from glyphone.learners.trees.arrays import ATTRIBUTE, BEFORE, OFFSET, Tree
from glyphone.learners.trees.columns import code_type
from glyphone.learners.trees.counting_kernels import Rows
from glyphone.learners.trees.growing_kernels import Grown, Settings
from glyphone.learners.trees.halving_kernels import Questions
from glyphone.learners.trees.split_kernels import Measure

Array = Any
CRITERIA = ("gain_ratio", "gain", "gini")
SPLITS = ("subsets", "binary", "values", "questions")
UNSEEN = ("stop", "largest")
# Entropies of so many rows are looked up; the table stays in a processor's cache.
LOGS = 1 << 16
# A row and column takes part in some ten steps of growing.
STEPS = 10


@dataclass(frozen=True, kw_only=True)
class GrowingOptions:
    """Options of a tree; see `glyphone.learners.trees.estimator.SymbolicTree`."""

    criterion: str = "gain_ratio"
    splits: str = "subsets"
    min_leaf: float = 2.0
    min_split: float | None = None
    max_depth: int | None = None
    max_attributes: int | None = None
    confidence: float | None = 0.25
    ccp_alpha: float = 0.0
    smoothing: float = 0.0
    unseen: str = "stop"
    seed: int = 0

    def __post_init__(self) -> None:
        for kind, known in (("criterion", CRITERIA), ("splits", SPLITS), ("unseen", UNSEEN)):
            if getattr(self, kind) not in known:
                raise UnknownName(kind, str(getattr(self, kind)), known)
        for name, least in (
            ("min_leaf", 0), ("min_split", 0), ("max_depth", 0), ("max_attributes", 1),
            ("ccp_alpha", 0), ("smoothing", 0),
        ):  # fmt: skip
            value = getattr(self, name)
            if value is not None and (isinstance(value, str) or not value >= least):
                raise GlyphoneError(f"{name} is {value}", remedy=f"it must be {least} or more")
        if self.confidence is not None and not 0 < self.confidence < 1:
            raise GlyphoneError(
                f"confidence is {self.confidence}",
                remedy="it must be between 0 and 1; None does not prune",
            )

    @property
    def measure(self) -> Measure:
        gini, ratio = self.criterion == "gini", self.criterion == "gain_ratio"
        return Measure(gini, ratio, float(self.min_leaf))

    @property
    def settings(self) -> Settings:
        min_split = 2 * self.min_leaf if self.min_split is None else self.min_split
        depth, attributes = (
            -1 if x is None else int(x) for x in (self.max_depth, self.max_attributes)
        )
        seed = 1 + self.seed % 2147483646  # seeds of the generator of the kernels
        return Settings(SPLITS.index(self.splits), float(min_split), depth, attributes, seed)


def grow_tree(
    codes: Array,
    classes: Array,
    widths: Array,
    n_classes: int,
    *,
    weights: Array | None = None,
    options: GrowingOptions | None = None,
    questions: Sequence[tuple[int, Array]] = (),
) -> Tree:
    """A tree for rows of codes, pruned; the codes of column a are below widths[a] - 1.

    A question is a column and codes in it. Rows of weight 0 are ignored.
    """
    options = options or GrowingOptions()
    whole = grow_unpruned(codes, classes, widths, n_classes, weights, options, questions)
    rows, found = whole
    leaves = found.attributes < 0
    if options.confidence is not None:
        leaves = tree_pruning.pessimistic_leaves(found, leaves, options.confidence)
    if options.ccp_alpha > 0:
        leaves = tree_pruning.cost_complexity_leaves(found, leaves, options.ccp_alpha)
    return finish_tree(rows, found, leaves, n_classes, options)


def choose_alpha(
    codes: Array,
    classes: Array,
    widths: Array,
    n_classes: int,
    *,
    weights: Array,
    options: GrowingOptions,
    questions: Sequence[tuple[int, Array]] = (),
    folds: int = 5,
    groups: Array | None = None,
) -> float:
    """The `ccp_alpha` of the fewest errors, by cross-validation over parts drawn with the seed.

    Rows of the same group, of one word for instance, are never in different parts.
    """
    random = np.random.default_rng(options.seed)
    of, n = (np.arange(len(codes)), len(codes)) if groups is None else (groups, groups.max() + 1)
    parts = (random.permutation(n) % folds)[of]
    trees, n_rows = [], float(weights.sum())
    for part in range(folds):
        inside = np.where(parts == part, 0.0, weights)
        out = (parts == part) & (weights > 0)
        if not (inside > 0).any() or not out.any():
            continue
        rows, found = grow_unpruned(codes, classes, widths, n_classes, inside, options, questions)
        tree = finish_tree(rows, found, found.attributes < 0, n_classes, options)
        ends = jit.tier(applying_kernels, int(out.sum())).end_nodes(tree, codes[out])
        count = jit.tier(pruning_kernels, len(ends)).count_mistakes
        arrays = (tree.parents, tree.decisions, ends, rows.classes[out], weights[out])
        trees.append((found, *count(*arrays)))
    return tree_pruning.best_alpha(trees) / n_rows


def grow_unpruned(
    codes: Array,
    classes: Array,
    widths: Array,
    n_classes: int,
    weights: Array | None,
    options: GrowingOptions,
    questions: Sequence[tuple[int, Array]],
) -> tuple[Rows, Grown]:
    """The rows, and the tree that has grown from them."""
    widths = np.asarray(widths, np.int64)
    kernels = jit.tier(growing_kernels, STEPS * codes.size)
    classes = np.asarray(classes, np.int32)
    weights = np.ones(len(codes)) if weights is None else np.asarray(weights, np.float64)
    chosen = np.flatnonzero(weights > 0).astype(np.int32)
    rows = Rows(np.ascontiguousarray(codes, code_type(widths)), classes, weights, widths)
    asked = question_table(widths, options.splits, questions)
    counts = np.arange(min(len(codes) + 1, LOGS), dtype=np.float64)
    logs = counts * np.log2(np.maximum(counts, 1))
    room: Array = np.zeros(1024, code_type(widths))
    found = kernels.grow_nodes(
        rows, chosen, n_classes, options.measure, options.settings, asked, logs, room
    )
    return rows, Grown(*found)


def question_table(widths: Array, splits: str, questions: Sequence[tuple[int, Array]]) -> Questions:
    """The table of questions; where only questions may be asked, each value is one."""
    every = list(questions)
    if splits == "questions":
        every += [(a, np.array([v])) for a, width in enumerate(widths) for v in range(width - 1)]
    members = np.zeros((len(every), widths.max()), np.bool_)
    for row, (_, codes) in zip(members, every, strict=True):
        row[codes] = True
    return Questions(np.array([column for column, _ in every], np.int64), members)


def finish_tree(
    rows: Rows, found: Grown, leaves: Array, n_classes: int, options: GrowingOptions
) -> Tree:
    """The finished tree that is left of a grown one, some nodes of which are leaves."""
    kept = tree_pruning.reached_nodes(found, leaves)
    numbers = np.cumsum(kept) - 1
    inner = kept & ~leaves
    old = np.flatnonzero(kept)
    nodes = np.full((len(old), 3), -1, np.int32)
    asks = inner[old]
    nodes[asks, ATTRIBUTE] = found.attributes[inner]
    nodes[asks, BEFORE] = numbers[found.befores[inner] + 1] - 1
    spans = np.where(asks, rows.widths[found.attributes[old]], 0)
    begins = np.cumsum(spans) - spans
    nodes[:, OFFSET] = begins
    places = np.arange(spans.sum()) + np.repeat(found.offsets[old] - begins, spans)
    tables = found.tables[places]
    parents = found.parents[old]
    parents[1:] = numbers[parents[1:]]
    kernels = jit.tier(tree_counting_kernels, STEPS * len(rows.classes))
    starts, classes, counts = kernels.count_classes(
        rows, found.order, found.firsts[old], found.lasts[old], n_classes
    )
    tree = Tree(
        nodes, np.zeros(len(old), np.int32), parents.astype(np.int32), tables, rows.widths,
        found.totals[old], starts, classes, counts, n_classes, float(options.smoothing),
    )  # fmt: skip
    if options.unseen == "largest":
        tree = tree._replace(tables=fill_tables(tree))
    applied = jit.tier(applying_kernels, STEPS * len(nodes))
    return tree._replace(decisions=applied.best_classes(tree))


def fill_tables(tree: Tree) -> Array:
    """Tables in which values that were not seen take the branch of most rows."""
    tables = tree.tables.copy()
    for node in np.flatnonzero(~tree.leaves).tolist():
        children, table = tree.children(node), tree._replace(tables=tables).table(node)
        totals = tree.totals[children.start : children.stop]
        table[table == 0] = 1 + np.argmax(totals)
    return tables
