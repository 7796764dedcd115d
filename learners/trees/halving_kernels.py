"""Kernels: two groups of values, found by their order or by a question.

Two classes: the best two groups are neighbours in the order of the first class's share (Breiman,
Friedman, Olshen and Stone 1984). More classes: in the order of the first principal component of
the class shares they nearly are (Coppersmith, Hong and Hosking 1999), and then single values change
sides while that is better. Where there are few values, all ways to make two groups are tried.

>>> from glyphone.learners.trees.split_kernels import ENTROPY, total_impurity
>>> table, groups = np.array([[4.0, 0], [0, 2], [3, 1]]), np.zeros(3, np.int64)
>>> counts, logs = table.sum(axis=0), np.zeros(1)
>>> base = total_impurity(counts, 10.0, logs, False)
>>> found = best_halves(table, table.sum(axis=1), counts, 10.0, base, ENTROPY, logs, groups)
>>> groups.tolist()
[0, 1, 0]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.learners.trees.split_kernels import MARGIN, PASSES, POWERS, Measure

tree_splits = sibling(__name__, "glyphone.learners.trees.split_kernels")
total_impurity, xlogx = tree_splits.total_impurity, tree_splits.xlogx

Array = Any
FEW = 8


class Questions(NamedTuple):
    """members[q, v]: whether value v is in set q, which is asked about columns[q]."""

    columns: Array
    members: Array


@kernel
def principal_component(table: Array, sizes: Array, counts: Array, total: float) -> Array:
    """The first principal component of the class shares of each value, weighted by its rows."""
    n, n_classes = table.shape
    shares = np.empty((n, n_classes))
    farthest, most = 0, -1.0
    for v in range(n):
        distance = 0.0
        for c in range(n_classes):
            shares[v, c] = table[v, c] / sizes[v] - counts[c] / total
            distance += sizes[v] * shares[v, c] * shares[v, c]
        if distance > most:
            farthest, most = v, distance
    axis, found = shares[farthest].copy(), np.zeros(n)
    for _ in range(POWERS if n_classes > 2 else 1):
        moved, norm = np.zeros(n_classes), 0.0
        for v in range(n):
            found[v] = 0.0
            for c in range(n_classes):
                found[v] += shares[v, c] * axis[c]
            for c in range(n_classes):
                moved[c] += sizes[v] * found[v] * shares[v, c]
        for c in range(n_classes):
            norm += moved[c] * moved[c]
        if norm <= 0.0:
            break
        axis = moved / np.sqrt(norm)
    return found


@kernel
def best_halves(
    table: Array, sizes: Array, counts: Array, total: float, base: float, measure: Measure,
    logs: Array, groups: Array,
) -> tuple[int, float, float]:  # fmt: skip
    """The best cut through the order of values; as in `glyphone.learners.trees.split_kernels`."""
    n, n_classes = table.shape
    if n_classes > 2 and n <= FEW:
        size, best = try_all_halves(table, sizes, counts, total, base, measure, logs, groups)
        return 2 if size > 0 else 0, best, halves_divisor(size, total, logs)
    order = np.argsort(principal_component(table, sizes, counts, total), kind="mergesort")
    ones, others = np.zeros(n_classes), counts.copy()
    size, best, cut = 0.0, -1.0, -1
    for x in range(n - 1):
        size += sizes[order[x]]
        ones += table[order[x]]
        others -= table[order[x]]
        if size >= measure.min_leaf and total - size >= measure.min_leaf:
            kept = base - total_impurity(ones, size, logs, measure.gini)
            kept -= total_impurity(others, total - size, logs, measure.gini)
            if kept > best + MARGIN * base:
                best, cut = kept, x
    if cut < 0:
        return 0, 0.0, 1.0
    for x in range(n):
        groups[order[x]] = x > cut
    size, best = settle_values(table, sizes, counts, total, base, best, measure, logs, groups)
    if groups[0] == 1:
        for v in range(n):
            groups[v] = 1 - groups[v]
    return 2, best, halves_divisor(size, total, logs)


@kernel
def halves_divisor(size: float, total: float, logs: Array) -> float:
    """The divisor of the gain of two groups in the gain ratio."""
    found: float = xlogx(total, logs) - xlogx(size, logs) - xlogx(total - size, logs)
    return found


@kernel
def try_all_halves(
    table: Array, sizes: Array, counts: Array, total: float, base: float, measure: Measure,
    logs: Array, groups: Array,
) -> tuple[float, float]:  # fmt: skip
    """The best of all two groups, each differing in one value from the one before (Gray 1953)."""
    n, n_classes = table.shape
    sides, there, size = np.zeros(n, np.int64), np.zeros(n_classes), 0.0
    best, best_size = -1.0, 0.0
    for step in range(1, 1 << (n - 1)):
        v = 1
        while step & 1 == 0:
            step >>= 1
            v += 1
        sides[v] = 1 - sides[v]
        sign = 1.0 if sides[v] else -1.0
        there += sign * table[v]
        size += sign * sizes[v]
        if size >= measure.min_leaf and total - size >= measure.min_leaf:
            kept = base - total_impurity(there, size, logs, measure.gini)
            kept -= total_impurity(counts - there, total - size, logs, measure.gini)
            if kept > best + MARGIN * base:
                best, best_size = kept, size
                groups[:] = sides
    return best_size, best


@kernel
def settle_values(
    table: Array, sizes: Array, counts: Array, total: float, base: float, best: float,
    measure: Measure, logs: Array, groups: Array,
) -> tuple[float, float]:  # fmt: skip
    """Moves values to the other group while that is better; returns the rows of group 0 and the
    gain.
    """
    n, n_classes = table.shape
    ones, size = np.zeros(n_classes), 0.0
    for v in range(n):
        if groups[v] == 0:
            ones += table[v]
            size += sizes[v]
    for _ in range(PASSES if n_classes > 2 else 0):
        changed = False
        for v in range(n):
            sign = 1.0 if groups[v] else -1.0
            moved = size + sign * sizes[v]
            if moved < measure.min_leaf or total - moved < measure.min_leaf:
                continue
            there = ones + sign * table[v]
            kept = base - total_impurity(there, moved, logs, measure.gini)
            kept -= total_impurity(counts - there, total - moved, logs, measure.gini)
            if kept > best + MARGIN * base:
                best, size, ones, changed = kept, moved, there, True
                groups[v] = 1 - groups[v]
        if not changed:
            break
    return size, best


@kernel
def best_question(
    table: Array, sizes: Array, counts: Array, total: float, base: float, measure: Measure,
    logs: Array, codes: Array, column: int, questions: Questions,
) -> tuple[int, float, float]:  # fmt: skip
    """The best question about a column, -1 if none; row v of the table is that of codes[v]."""
    best, best_kept, best_size = -1, 0.0, 0.0
    for q in range(len(questions.columns)):
        if questions.columns[q] != column:
            continue
        ones, size = np.zeros(len(counts)), 0.0
        for v in range(len(sizes)):
            if questions.members[q, codes[v]]:
                ones += table[v]
                size += sizes[v]
        if size >= measure.min_leaf and total - size >= measure.min_leaf:
            kept = base - total_impurity(ones, size, logs, measure.gini)
            kept -= total_impurity(counts - ones, total - size, logs, measure.gini)
            if kept > best_kept + MARGIN * base:
                best, best_kept, best_size = q, kept, size
    return best, best_kept, halves_divisor(best_size, total, logs)
