"""Kernels of a binary hierarchy over classes (Brown, Della Pietra, deSouza, Lai and Mercer 1992).

Of all pairs of classes, the one is merged whose merging loses least of the log-likelihood, which is
the average mutual information of neighbours times the length of the text, but for a constant. A
table has the loss of every pair: where i and j become one, the losses of other pairs change by
their terms with i and j, so that C classes take O(C^3) steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling

exchange_kernels = sibling(__name__, "glyphone.learners.clusters.exchange_kernels")
entropy_term = exchange_kernels.entropy_term

Array = Any


@leaf
def lost_term(n: int, m: int, logs: Array) -> float:
    """f(n) + f(m) - f(n + m)."""
    if n == 0 or m == 0:
        return 0.0
    found: float = entropy_term(n, logs) + entropy_term(m, logs) - entropy_term(n + m, logs)
    return found


@leaf
def lost_beside(rows: Array, columns: Array, a: int, b: int, other: int, logs: Array) -> float:
    """The part of the loss of merging a and b that is in their bigrams with another class."""
    return lost_term(rows[a, other], rows[b, other], logs) + lost_term(
        columns[a, other], columns[b, other], logs
    )


@leaf
def lost_by_merging(
    rows: Array, columns: Array, sizes: Array, there: Array, a: int, b: int, logs: Array
) -> float:
    """The loss of log-likelihood where two classes are merged."""
    inside = rows[a, a] + rows[a, b] + rows[b, a] + rows[b, b]
    found: float = (
        entropy_term(rows[a, a], logs) + entropy_term(rows[a, b], logs)
        + entropy_term(rows[b, a], logs) + entropy_term(rows[b, b], logs)
        - entropy_term(inside, logs) - 2 * lost_term(sizes[a], sizes[b], logs)
    )  # fmt: skip
    for other in range(len(sizes)):
        if there[other] and other != a and other != b:
            found += lost_beside(rows, columns, a, b, other, logs)
    return found


@leaf
def merge_counts(rows: Array, columns: Array, sizes: Array, a: int, b: int) -> None:
    """Add the counts of class b to those of class a; those of b are left."""
    for other in range(len(sizes)):
        rows[a, other] += rows[b, other]
        columns[other, a] = rows[a, other]
    for other in range(len(sizes)):
        rows[other, a] += rows[other, b]
        columns[a, other] = rows[other, a]
    columns[a, a] = rows[a, a]
    sizes[a] += sizes[b]


@kernel
def merge_classes(counts: Array, totals: Array, logs: Array) -> tuple[Array, Array]:
    """Pairs of classes in the order of their merging, and what each lost.

    The last class, that of the boundary, is merged with none. Of a pair, the first has the lower
    number and stands for both from then on. Of pairs that lose as much, the first is merged.
    """
    rows, columns, sizes = counts.copy(), counts.T.copy(), totals.copy()
    n = len(sizes) - 1
    there = np.ones(n + 1, np.bool_)
    lost = np.full((n, n), np.inf)
    for a in range(n):
        for b in range(a + 1, n):
            lost[a, b] = lost_by_merging(rows, columns, sizes, there, a, b, logs)
    pairs, losses = np.empty((n - 1, 2), np.int64), np.empty(n - 1)
    for step in range(n - 1):
        i, j = 0, 0
        best = np.inf
        for a in range(n):
            for b in range(a + 1, n):
                if there[a] and there[b] and lost[a, b] < best:
                    best, i, j = lost[a, b], a, b
        pairs[step, 0], pairs[step, 1], losses[step] = i, j, best
        there[i] = False
        for a in range(n):
            for b in range(a + 1, n):
                if there[a] and there[b] and a != j and b != j:
                    lost[a, b] -= lost_beside(rows, columns, a, b, i, logs)
                    lost[a, b] -= lost_beside(rows, columns, a, b, j, logs)
        there[j] = False
        merge_counts(rows, columns, sizes, i, j)
        for a in range(n):
            for b in range(a + 1, n):
                if there[a] and there[b]:
                    lost[a, b] += lost_beside(rows, columns, a, b, i, logs)
        there[i] = True
        for other in range(n):
            if there[other] and other != i:
                a, b = min(i, other), max(i, other)
                lost[a, b] = lost_by_merging(rows, columns, sizes, there, a, b, logs)
    return pairs, losses
