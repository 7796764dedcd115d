"""Kernels: a tree is grown node by node, the first child first.

The rows of a node are order[firsts[node]:lasts[node]]; those of its children lie in that same
stretch, one after the other, and so the rows of any node can be found when the tree is finished.
`befores[node] + b` is the child of branch b = 1, 2, ..., and tables[offsets[node] + code] is the
branch of a value, 0 for none.

An attribute is chosen by its gain or, among those whose gain is not below the average, by its
gain ratio (Quinlan 1993).

>>> rows = Rows(np.array([[0], [1], [0], [1]], np.uint8), np.array([0, 1, 0, 1]), np.ones(4),
...     np.array([3]))
>>> questions = Questions(np.zeros(0, np.int64), np.zeros((0, 3), np.bool_))
>>> settings = Settings(SUBSETS, 4.0, -1, -1, 0)
>>> grown = grow_nodes(rows, np.arange(4), 2, tree_splits.ENTROPY, settings, questions, np.zeros(1),
...     np.zeros(8, np.uint8))
>>> grown.order.tolist(), grown.befores.tolist(), grown.tables.tolist()
([0, 2, 1, 3], [0, -1, -1], [1, 2, 0])
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.learners.trees.counting_kernels import Node, Rows
from glyphone.learners.trees.halving_kernels import Questions
from glyphone.learners.trees.split_kernels import MARGIN, Measure

tree_splits = sibling(__name__, "glyphone.learners.trees.split_kernels")
tree_counts = sibling(__name__, "glyphone.learners.trees.counting_kernels")
tree_halves = sibling(__name__, "glyphone.learners.trees.halving_kernels")
split_quality = tree_splits.split_quality

Array = Any
SUBSETS, BINARY, VALUES, QUESTIONS = 0, 1, 2, 3
LEAST_GAIN = 1e-9


class Settings(NamedTuple):
    """`max_depth` and `max_attributes` are -1 for no limit."""

    splits: int
    min_split: float
    max_depth: int
    max_attributes: int
    seed: int


class Grown(NamedTuple):
    """The nodes of a tree; attributes[node] is -1 at a leaf."""

    attributes: Array
    befores: Array
    offsets: Array
    parents: Array
    firsts: Array
    lasts: Array
    totals: Array
    errors: Array
    tables: Array
    order: Array


@kernel
def grow_nodes(
    rows: Rows, chosen: Array, n_classes: int, measure: Measure, settings: Settings,
    questions: Questions, logs: Array, tables: Array,
) -> Grown:  # fmt: skip
    """A tree for the `chosen` rows. `tables` is room of the right type, which may be outgrown."""
    n, used, n_nodes = len(chosen), 0, 1
    room = 2 * n + 1
    order, other = chosen.copy(), np.empty_like(chosen)
    attributes, befores = np.full(room, -1, np.int32), np.full(room, -1, np.int32)
    offsets, parents = np.zeros(room, np.int64), np.full(room, -1, np.int32)
    firsts, lasts = np.empty(room, np.int64), np.empty(room, np.int64)
    totals, errors = np.empty(room), np.empty(room)
    depths, stack = np.zeros(room, np.int32), np.zeros(room, np.int32)
    widest = rows.widths.max()
    branches = np.zeros((len(rows.widths), widest), np.int32)
    local, here, weights = np.full(n_classes, -1), np.empty(n, np.int32), np.empty(n)
    places, cells = np.full(widest, -1), np.empty(min(n, widest) * n_classes)
    turn = np.arange(len(rows.widths))
    firsts[0], lasts[0], n_stack, seed = 0, n, 1, settings.seed
    while n_stack > 0:
        n_stack -= 1
        k = stack[n_stack]
        first, last = firsts[k], lasts[k]
        node = tree_counts.node_of(rows, order[first:last], local, here, weights, measure, logs)
        totals[k] = node.total
        errors[k] = node.total - node.counts.max()
        pure = len(node.counts) < 2 or node.total < settings.min_split
        if pure or depths[k] == settings.max_depth:
            continue
        seed = tree_counts.shuffle_attributes(turn, settings.max_attributes, seed)
        a, n_branches = choose_split(
            rows, node, measure, settings, questions, logs, turn, places, cells, branches
        )
        if a < 0:
            continue
        width = rows.widths[a]
        if used + width > len(tables):
            bigger = np.zeros(2 * len(tables) + width, tables.dtype)
            bigger[:used] = tables[:used]
            tables = bigger
        for code in range(width):
            tables[used + code] = branches[a, code]
        attributes[k], befores[k], offsets[k] = a, n_nodes - 1, used
        used += width
        ends = tree_counts.sort_by_branch(
            rows.codes, a, branches[a], n_branches, order[first:last], other
        )
        for b in range(n_branches):
            child = n_nodes + b
            firsts[child] = first + ends[b]
            lasts[child] = first + ends[b + 1]
            parents[child], depths[child] = k, depths[k] + 1
            stack[n_stack + n_branches - 1 - b] = child
        n_nodes += n_branches
        n_stack += n_branches
    return Grown(
        attributes[:n_nodes].copy(), befores[:n_nodes].copy(), offsets[:n_nodes].copy(),
        parents[:n_nodes].copy(), firsts[:n_nodes].copy(), lasts[:n_nodes].copy(),
        totals[:n_nodes].copy(), errors[:n_nodes].copy(), tables[:used].copy(), order,
    )  # fmt: skip


@kernel
def choose_split(
    rows: Rows, node: Node, measure: Measure, settings: Settings, questions: Questions,
    logs: Array, turn: Array, places: Array, cells: Array, branches: Array,
) -> tuple[int, int]:  # fmt: skip
    """The attribute that is asked, -1 if none, and how many branches there are."""
    n = len(turn)
    kept, ratios, numbers = np.zeros(n), np.zeros(n), np.zeros(n, np.int64)
    n_kept, least = 0, LEAST_GAIN * node.total
    limit = n if settings.max_attributes < 0 else settings.max_attributes
    for x in range(n):
        if x >= limit and n_kept > 0:
            break
        a = turn[x]
        table, sizes, codes = tree_counts.contingency_table(rows.codes, a, node, places, cells)
        if len(sizes) < 2:
            continue
        found, gain, info = split_candidate(
            table, sizes, codes, a, node, measure, settings.splits, questions, logs,
            branches[a, : rows.widths[a]],
        )  # fmt: skip
        if found > 0 and gain > least:
            kept[a], numbers[a] = gain, found
            ratios[a] = gain / info if measure.ratio else gain / node.base
            n_kept += 1
    if n_kept == 0:
        return -1, 0
    bar, best = kept.sum() / n_kept * (1 - LEAST_GAIN) if measure.ratio else 0.0, -1
    for a in range(n):
        eligible = numbers[a] > 0 and kept[a] >= bar
        if eligible and (best < 0 or ratios[a] > ratios[best] + MARGIN):
            best = a
    return best, numbers[best]


@kernel
def split_candidate(
    table: Array, sizes: Array, codes: Array, a: int, node: Node, measure: Measure, splits: int,
    questions: Questions, logs: Array, branches: Array,
) -> tuple[int, float, float]:  # fmt: skip
    """The best groups of one attribute's values, written to `branches`: how many, and how good."""
    asked, gain, info = tree_halves.best_question(
        table, sizes, node.counts, node.total, node.base, measure, logs, codes, a, questions
    )
    found, groups = 2 if asked >= 0 else 0, np.zeros(len(sizes), np.int64)
    n, other, divisor = 0, 0.0, 1.0
    if splits == BINARY:
        n, other, divisor = tree_halves.best_halves(
            table, sizes, node.counts, node.total, node.base, measure, logs, groups
        )
    elif splits == SUBSETS:
        n, other, divisor = tree_splits.split_by_subsets(
            table, sizes, node.total, node.base, measure, logs, groups
        )
    elif splits == VALUES:
        n, other, divisor = tree_splits.split_by_values(
            table, sizes, node.total, node.base, measure, logs, groups
        )
    best = split_quality(gain, info, node.base, measure.ratio) if asked >= 0 else -1.0
    if n > 0 and split_quality(other, divisor, node.base, measure.ratio) >= best - MARGIN:
        branches[:] = 0
        for v in range(len(codes)):
            branches[codes[v]] = groups[v] + 1
        return n, other, divisor
    if asked >= 0:
        for code in range(len(branches)):
            branches[code] = 1 if questions.members[asked, code] else 2
    return found, gain, info
