"""Kernels: how the values of one attribute are best put into groups, one branch for each.

table[v, c] counts the rows of value v and class c, and sizes[v] those of value v. With n rows,

    base = n * H(class)        kept = base - sum over groups g of n_g * H(class | g)
    gain = kept / n            gain ratio = kept / (n * H(group))          H in bits

A function here fills `groups`, the group of each value, and returns how many there are, 0 if fewer
than two of them have `min_leaf` rows, the impurity that they take away (`kept`), and the divisor of
the gain ratio. With `gini`, impurity 1 - sum p * p takes the place of class entropies H(class).

>>> table, groups = np.array([[4.0, 0], [3, 0], [0, 2]]), np.zeros(3, np.int64)
>>> logs = np.array([x * math.log2(x) if x else 0 for x in range(10)])
>>> base = total_impurity(table.sum(axis=0), 9.0, logs, False)
>>> sizes = table.sum(axis=1)
>>> n_groups, kept, info = split_by_subsets(table, sizes, 9.0, base, ENTROPY, logs, groups)
>>> groups.tolist(), bool(kept == info == base)
([0, 0, 1], True)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel

Array = Any
# Qualities that differ by less are a tie, which the values that come first win.
MARGIN = 1e-12
# More values than these begin as one group for each majority class: pairs grow with the square.
MOST_GROUPS = 128
# The order of values by their principal component has settled after so many multiplications.
POWERS = 16
# How often all values are asked whether they would rather be in the other of two groups.
PASSES = 4


class Measure(NamedTuple):
    """The quality of groups: a gain in entropy or `gini` impurity, or the `ratio` of gains."""

    gini: bool
    ratio: bool
    min_leaf: float


ENTROPY = Measure(gini=False, ratio=True, min_leaf=2.0)


@inlined
def xlogx(x: float, logs: Array) -> float:
    """x * log2(x), looked up where x is a whole number and in the table."""
    whole = int(x)
    if whole == x and whole < len(logs):
        return logs[whole]  # type: ignore[no-any-return]
    return x * math.log2(x) if x > 0 else 0.0


@kernel
def total_impurity(counts: Array, size: float, logs: Array, gini: bool) -> float:
    """The impurity of rows, times how many there are."""
    found = 0.0
    if gini:
        for c in range(len(counts)):
            found += counts[c] * counts[c]
        return size - found / size
    for c in range(len(counts)):
        found += xlogx(counts[c], logs)
    return xlogx(size, logs) - found


@kernel
def cost_of_both(one: Array, other: Array, size: float, logs: Array, gini: bool) -> float:
    """The impurity of two groups as one, times the number of their rows."""
    found = 0.0
    if gini:
        for c in range(len(one)):
            found += (one[c] + other[c]) * (one[c] + other[c])
        return size - found / size
    for c in range(len(one)):
        found += xlogx(one[c] + other[c], logs)
    return xlogx(size, logs) - found


@inlined
def split_quality(kept: float, info: float, base: float, ratio: bool) -> float:
    """The gain ratio of groups, or the share of the impurity that they take away."""
    return kept / info if ratio else kept / base


@kernel
def are_large(sizes: Array, alive: Array, n_alive: int, min_leaf: float) -> bool:
    """Whether two groups have `min_leaf` rows or more."""
    n = 0
    for x in range(n_alive):
        n += sizes[alive[x]] >= min_leaf
    return n >= 2


@kernel
def split_by_values(
    table: Array, sizes: Array, total: float, base: float, measure: Measure, logs: Array,
    groups: Array,
) -> tuple[int, float, float]:  # fmt: skip
    """A group for each value: their number, 0 if too few are large, the gain and its divisor."""
    n = len(sizes)
    kept, info = base, xlogx(total, logs)
    for v in range(n):
        groups[v] = v
        kept -= total_impurity(table[v], sizes[v], logs, measure.gini)
        info -= xlogx(sizes[v], logs)
    enough = are_large(sizes, groups, n, measure.min_leaf)
    return n if enough else 0, kept, info


@kernel
def first_groups(table: Array, sizes: Array, groups: Array) -> int:
    """Make a group of each value or, if those are many, of each majority class; return their
    number.
    """
    n, n_classes = table.shape
    if n <= MOST_GROUPS:
        for v in range(n):
            groups[v] = v
        return int(n)
    n_groups, of_class = 0, np.full(n_classes, -1)
    for v in range(n):
        majority = np.argmax(table[v])
        g = of_class[majority]
        if g < 0:
            g = of_class[majority] = n_groups
            n_groups += 1
            table[g], sizes[g] = table[v], sizes[v]
        else:
            table[g] += table[v]
            sizes[g] += sizes[v]
        groups[v] = g
    return n_groups


@kernel
def split_by_subsets(
    table: Array, sizes: Array, total: float, base: float, measure: Measure, logs: Array,
    groups: Array,
) -> tuple[int, float, float]:  # fmt: skip
    """C4.5: the pair whose union is best becomes one, while that makes it better.

    The loss of a union is kept for each pair, and only that of the new group is computed anew.
    `table` and `sizes` are changed.
    """
    n, gini, ratio = first_groups(table, sizes, groups), measure.gini, measure.ratio
    costs, alive, into = np.empty(n), np.arange(n), np.arange(n)
    losses, drops = np.empty((n, n)), np.empty((n, n))
    kept, info = base, xlogx(total, logs)
    for i in range(n):
        costs[i] = total_impurity(table[i], sizes[i], logs, gini)
        kept -= costs[i]
        info -= xlogx(sizes[i], logs)
        for j in range(i):
            price_union(table, sizes, costs, j, i, logs, gini, losses, drops)
    n_alive = n
    while n_alive > 2:
        best, x, y = best_union(losses, drops, alive, n_alive, kept, info, base, ratio)
        no_better = best <= split_quality(kept, info, base, ratio) + MARGIN
        if no_better and are_large(sizes, alive, n_alive, measure.min_leaf):
            break
        i, j = alive[x], alive[y]
        kept -= losses[i, j]
        info -= drops[i, j]
        table[i] += table[j]
        sizes[i] += sizes[j]
        costs[i] = total_impurity(table[i], sizes[i], logs, gini)
        into[j] = i
        n_alive -= 1
        for z in range(y, n_alive):
            alive[z] = alive[z + 1]
        for z in range(n_alive):
            if z != x:
                price_union(
                    table, sizes, costs, min(i, alive[z]), max(i, alive[z]), logs, gini, losses,
                    drops,
                )  # fmt: skip
    for x in range(n_alive):
        costs[alive[x]] = x
    for v in range(len(groups)):
        g = groups[v]
        while into[g] != g:
            g = into[g]
        groups[v] = int(costs[g])
    enough = n_alive > 1 and are_large(sizes, alive, n_alive, measure.min_leaf)
    return n_alive if enough else 0, kept, info


@kernel
def price_union(
    table: Array, sizes: Array, costs: Array, i: int, j: int, logs: Array, gini: bool,
    losses: Array, drops: Array,
) -> None:  # fmt: skip
    """Write the losses of the union of two groups: of the gain and of its divisor."""
    size = sizes[i] + sizes[j]
    losses[i, j] = cost_of_both(table[i], table[j], size, logs, gini) - costs[i] - costs[j]
    drops[i, j] = xlogx(size, logs) - xlogx(sizes[i], logs) - xlogx(sizes[j], logs)


@kernel
def best_union(
    losses: Array, drops: Array, alive: Array, n_alive: int, kept: float, info: float,
    base: float, ratio: bool,
) -> tuple[float, int, int]:  # fmt: skip
    """The best quality after a union, and of which two."""
    best, best_x, best_y = -math.inf, 0, 1
    for x in range(n_alive):
        i = alive[x]
        for y in range(x + 1, n_alive):
            j = alive[y]
            found = split_quality(kept - losses[i, j], info - drops[i, j], base, ratio)
            if found > best + MARGIN:
                best, best_x, best_y = found, x, y
    return best, best_x, best_y
