"""Kernels: products whose slope is above a limit, of all that there are (Okanohara and Tsujii 2009,
algorithm 2).

The slope of a product, for a label y, is a sum over rows:

    v = sum_i alpha_i,y x_i,a x_i,b

Rows come with the largest residues first. Of rows that are still to come, the positive residues
times the values of feature a are t+_a, and the negative ones t-_a. Values are divided by the
greatest ones of their columns, m_a, so that no product is above any of its factors; and so

    t + max(t-_a, t-_b) <= v / (m_a m_b) <= t + min(t+_a, t+_b)

where t is the sum so far. Where neither bound is beyond the limit the product is left out, and for
ever, because bounds only narrow. Live products, which are not, are in a hash table.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.learners.combinations.arrays import Rows

doubled_rows = sibling(__name__, "glyphone.data.kernels.arrays").doubled_rows
find_slot = sibling(__name__, "glyphone.data.kernels.arrays").find_slot
larger_table = sibling(__name__, "glyphone.data.kernels.arrays").larger_table

Array = Any
# Whether the slopes of products with a feature may be above the limit, or below its negative.
ABOVE, BELOW = 1, 2


@leaf
def add_bounds(rows: Rows, alphas: Array, above: Array, below: Array) -> None:
    """Add the positive and the negative parts of the slopes of all features, by labels."""
    for i in range(len(alphas)):
        for e in range(rows.starts[i], rows.starts[i + 1]):
            f, value = rows.columns[e], rows.values[e]
            for y in range(alphas.shape[1]):
                share = alphas[i, y] * value
                if share > 0.0:
                    above[f, y] += share
                else:
                    below[f, y] += share


@leaf
def write_signs(
    above: Array, below: Array, greatest: Array, others: float, limit: float, signs: Array
) -> None:
    """Write ABOVE and BELOW of each feature but the last, the constant one; `others` is the most
    that a product of other features can be."""
    for f in range(len(above) - 1):
        most = limit / (greatest[f] * others)
        for y in range(above.shape[1]):
            signs[f, y] = (ABOVE if above[f, y] > most else 0) | (
                BELOW if below[f, y] < -most else 0
            )


@kernel
def steep_products(
    rows: Rows,
    alphas: Array,
    order: Array,
    greatest: Array,
    limit: float,
    degree: int,
    base: int,
    above: Array,
    below: Array,
    signs: Array,
) -> tuple[Array, Array, int, int]:
    """The numbers of live weights (-1 in free slots) and their sums; how many times a product
    occurred, and how many of those it was added to a sum.

    Sums beyond the limit are slopes, divided by the greatest values of the factors; others are not
    complete. `above` and `below` are bounds, used up here, `signs` those of `write_signs`.
    """
    n_scored = alphas.shape[1]
    keys, sums = np.full(1024, -1, np.int64), np.zeros(1024)
    longest = 1
    for i in range(len(order)):
        longest = max(longest, rows.starts[i + 1] - rows.starts[i])
    live = np.empty(longest, np.int64)
    high, low, most = np.empty(longest), np.empty(longest), np.empty(longest)
    values = np.empty(longest)
    used, seen, added = 0, 0, 0
    for i in order:
        for y in range(n_scored):
            alpha, count = alphas[i, y], 0
            for e in range(rows.starts[i], rows.starts[i + 1]):
                f = rows.columns[e]
                if signs[f, y]:
                    live[count], values[count], most[count] = f, rows.values[e], greatest[f]
                    high[count], low[count] = above[f, y], below[f, y]
                    count += 1
            for a in range(count):
                of_a = signs[live[a], y]
                for b in range(a + 1, count):
                    of_b = of_a & signs[live[b], y]
                    if not of_b:
                        continue
                    pair = (live[a] + 1) * base + live[b] + 1
                    upper, lower = min(high[a], high[b]), max(low[a], low[b])
                    share = alpha * values[a] * values[b]
                    own = limit / (most[a] * most[b])
                    if 2 * used >= len(keys):
                        keys, sums = larger_table(keys, sums)
                    seen += 1
                    key = (pair if degree == 2 else pair * base) * n_scored + y
                    new = add_share(keys, sums, key, share, upper, lower, own)
                    used, added = used + max(new, 0), added + (new >= 0)
                    for c in range(b + 1, count if degree == 3 else 0):
                        if not of_b & signs[live[c], y]:
                            continue
                        if 2 * used >= len(keys):
                            keys, sums = larger_table(keys, sums)
                        seen += 1
                        key = (pair * base + live[c] + 1) * n_scored + y
                        new = add_share(
                            keys, sums, key, share * values[c], min(upper, high[c]),
                            max(lower, low[c]), own / most[c],
                        )  # fmt: skip
                        used, added = used + max(new, 0), added + (new >= 0)
            use_up(rows, i, y, alpha, above, below)
    return keys, sums, seen, added


@leaf
def add_share(
    keys: Array, sums: Array, key: int, share: float, upper: float, lower: float, limit: float
) -> int:
    """Add a share to the sum of a product unless its slope is within the limit; 1 if the product
    is new in the table, 0 if it was there, -1 if it is left out."""
    slot = find_slot(keys, key)
    new = keys[slot] == -1
    so_far = 0.0 if new else sums[slot]
    if so_far + upper <= limit and so_far + lower >= -limit:
        return -1
    keys[slot], sums[slot] = key, so_far + share
    return int(new)


@leaf
def use_up(rows: Rows, i: int, y: int, alpha: float, above: Array, below: Array) -> None:
    """Take a row out of the bounds, which are those of the rows that are still to come."""
    bounds = above if alpha > 0.0 else below
    for e in range(rows.starts[i], rows.starts[i + 1]):
        bounds[rows.columns[e], y] -= alpha * rows.values[e]
