"""Kernels: pairs to lattices of alignments, their sums and their best paths.

A state (i, j, g) has read i source and j target symbols, the last g units without any source. A
move reads s source and t target symbols as one unit; if s = 0, it needs g < `gap` and leads to
(i, j + t, g + 1), else it leads to (i + s, j + t, 0). States are numbered by cell, i * (p + 1) + j
for p target symbols, and g, which is a topological order.

Sums are taken over probabilities, or over costs (negative natural logarithms) where the pair is
so long that its probability is no normal number.

>>> times(plus(0.25, 0.25, SUMS), 0.5, SUMS), times(plus(3.0, 2.0, BEST), 1.0, BEST)
(0.25, 3.0)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling

lattice_sums = sibling(__name__, "glyphone.fst.lattices.sum_kernels")
find_slot = sibling(__name__, "glyphone.data.kernels.arrays").find_slot

Array = Any
INFINITY = np.inf
SUMS, LOG_SUMS, BEST = 0, 1, 2
# A sum over paths below this is taken again over costs: what underflows is no part of a larger.
SMALLEST = 1e-250


class Corpus(NamedTuple):
    """Pairs end to end; item k has the source symbols source_bounds[k] to source_bounds[k + 1].

    `source_chunks[q, s - 1]` is the chunk of the s symbols from place q on, -1 if unknown.
    """

    source_bounds: Array
    target_bounds: Array
    source_chunks: Array
    target_chunks: Array
    weights: Array


class UnitTable(NamedTuple):
    """A hash table from source chunk * width + target chunk to one of `size` units."""

    keys: Array
    ids: Array
    width: int
    size: int


class Moves(NamedTuple):
    """(s, t) of every move, in the order of ties, and bounds of the states that they reach."""

    steps: Array
    gap: int
    deletions: bool
    longest_source: int
    longest_target: int


@kernel
def times(a: float, b: float, mode: int) -> float:
    """The weight of two steps one after the other: a product, or a sum of costs."""
    return a * b if mode == SUMS else a + b


@kernel
def plus(a: float, b: float, mode: int) -> float:
    """The weight of two alternatives: a sum, a sum in logarithms, or the least cost."""
    if mode == SUMS:
        return a + b
    return min(a, b) if mode == BEST else lattice_sums.log_add(a, b)


@kernel
def band(i: int, n: int, p: int, moves: Moves) -> tuple[int, int]:
    """The least and the most target symbols that can be read after i of n source symbols."""
    low = max(0, p - (n - i) * moves.longest_target - (n - i + 1) * moves.gap)
    high = min(p, i * moves.longest_target + (i + 1) * moves.gap)
    if not moves.deletions:
        longest = moves.longest_source
        low = max(low, (i + longest - 1) // longest)
        high = min(high, p - (n - i + longest - 1) // longest)
    return low, high


@kernel
def pair_sizes(corpus: Corpus, item: int) -> tuple[int, int]:
    """The numbers of source and target symbols of a pair."""
    bounds, others = corpus.source_bounds, corpus.target_bounds
    return bounds[item + 1] - bounds[item], others[item + 1] - others[item]


@kernel
def pair_chunks(corpus: Corpus, item: int) -> tuple[Array, Array]:
    """The chunks from every place of the two sides of a pair."""
    begin, end = corpus.source_bounds[item], corpus.source_bounds[item + 1]
    start, stop = corpus.target_bounds[item], corpus.target_bounds[item + 1]
    return corpus.source_chunks[begin:end], corpus.target_chunks[start:stop]


@kernel
def unit_table(sorted_keys: Array, width: int) -> UnitTable:
    """The hash table in which unit k has the k-th key."""
    size = 16
    while size < 2 * len(sorted_keys):
        size *= 2
    keys, ids = np.full(size, -1, np.int64), np.empty(size, np.int32)
    for number in range(len(sorted_keys)):
        place = find_slot(keys, sorted_keys[number])
        keys[place], ids[place] = sorted_keys[number], number
    return UnitTable(keys, ids, width, len(sorted_keys))


@kernel
def larger_keys(keys: Array) -> Array:
    """A hash table of keys of twice the size."""
    result = np.full(2 * len(keys), -1, np.int64)
    for key in keys:
        if key != -1:
            result[find_slot(result, key)] = key
    return result


@kernel
def collect_keys(corpus: Corpus, counted: Array, moves: Moves, width: int) -> Array:
    """The sorted keys of all units that the chunks of a pair can make, wherever they stand."""
    keys, found = np.full(1024, -1, np.int64), 0
    steps = moves.steps
    for item in range(len(counted)):
        if not counted[item]:
            continue
        xs, ys = pair_chunks(corpus, item)
        for m in range(len(steps)):
            s, t = steps[m, 0], steps[m, 1]
            for i in range(len(xs) - s + 1 if s > 0 else 1):
                row = np.int64(xs[i, s - 1]) * width if s > 0 else np.int64(0)
                for j in range(len(ys) - t + 1 if t > 0 else 1):
                    key = row + ys[j, t - 1] if t > 0 else row
                    place = find_slot(keys, key)
                    if keys[place] == -1:
                        keys[place] = key
                        found += 1
                        if 2 * found > len(keys):
                            keys = larger_keys(keys)
    return np.sort(keys[keys != -1])


@kernel
def add_bags(corpus: Corpus, counted: Array, table: UnitTable, moves: Moves, counts: Array) -> None:
    """Add the number of times that two chunks of a pair, and a chunk and the n or p empty ones,
    meet."""
    keys, numbers, steps = table.keys, table.ids, moves.steps
    for item in range(len(counted)):
        if not counted[item]:
            continue
        xs, ys = pair_chunks(corpus, item)
        for m in range(len(steps)):
            s, t = steps[m, 0], steps[m, 1]
            amount = corpus.weights[item]
            if s == 0:
                amount *= len(ys)
            if t == 0:
                amount *= len(xs)
            for i in range(len(xs) - s + 1 if s > 0 else 1):
                row = np.int64(xs[i, s - 1]) * table.width if s > 0 else np.int64(0)
                for j in range(len(ys) - t + 1 if t > 0 else 1):
                    key = row + ys[j, t - 1] if t > 0 else row
                    counts[numbers[find_slot(keys, key)]] += amount


@kernel
def write_unit_ids(ids: Array, corpus: Corpus, table: UnitTable, moves: Moves, item: int) -> None:
    """Write to ids[m, cell] the unit that leads into a cell by move m; `table.size` if unknown."""
    keys, numbers, steps = table.keys, table.ids, moves.steps
    xs, ys = pair_chunks(corpus, item)
    n, p = len(xs), len(ys)
    for m in range(len(steps)):
        s, t = steps[m, 0], steps[m, 1]
        for i in range(s, n + 1):
            low, high = band(i, n, p, moves)
            x = np.int64(xs[i - s, s - 1]) if s > 0 else np.int64(0)
            for j in range(max(low, t), high + 1):
                y = np.int64(ys[j - t, t - 1]) if t > 0 else np.int64(0)
                number = table.size
                if x >= 0 and y >= 0:
                    key = x * table.width + y
                    place = find_slot(keys, key)
                    if keys[place] == key:
                        number = numbers[place]
                ids[m, i * (p + 1) + j] = number


@kernel
def forward_sums(ids: Array, values: Array, moves: Moves, n: int, p: int, mode: int) -> Array:
    """The sums over all paths from the start to each state, [cell, g]; in `mode` BEST, the least
    costs."""
    zero, one = (0.0, 1.0) if mode == SUMS else (INFINITY, 0.0)
    before = np.full(((n + 1) * (p + 1), moves.gap + 1), zero)
    before[0, 0] = one
    for i in range(n + 1):
        low, high = band(i, n, p, moves)
        for j in range(low, high + 1):
            cell = i * (p + 1) + j
            for m in range(len(moves.steps)):
                s, t = moves.steps[m, 0], moves.steps[m, 1]
                if s > i or t > j:
                    continue
                past, value = cell - s * (p + 1) - t, values[ids[m, cell]]
                if s > 0:
                    for g in range(moves.gap + 1):
                        through = times(before[past, g], value, mode)
                        before[cell, 0] = plus(before[cell, 0], through, mode)
                else:
                    for g in range(moves.gap):
                        through = times(before[past, g], value, mode)
                        before[cell, g + 1] = plus(before[cell, g + 1], through, mode)
    return before


@kernel
def add_posteriors(
    ids: Array, values: Array, moves: Moves, n: int, p: int, mode: int,
    weight: float, counts: Array,
) -> float:  # fmt: skip
    """Add the expected counts of the units of a pair; return its sum over all paths."""
    before = forward_sums(ids, values, moves, n, p, mode)
    total: float = before[-1, 0]
    for g in range(1, moves.gap + 1):
        total = plus(total, before[-1, g], mode)
    if (mode == SUMS and total < SMALLEST) or total == INFINITY:
        return total
    # Over all paths from each state to the end, with the counts taken on the way back.
    after = np.full(before.shape, 0.0 if mode == SUMS else INFINITY)
    after[-1] = 1.0 if mode == SUMS else 0.0
    scale = weight / total if mode == SUMS else weight
    for i in range(n, -1, -1):
        low, high = band(i, n, p, moves)
        for j in range(high, low - 1, -1):
            cell = i * (p + 1) + j
            for m in range(len(moves.steps)):
                s, t = moves.steps[m, 0], moves.steps[m, 1]
                if s > i or t > j:
                    continue
                past, unit = cell - s * (p + 1) - t, ids[m, cell]
                value, count = values[unit], 0.0
                for g in range(moves.gap + (s > 0)):
                    rest = times(value, after[cell, 0 if s > 0 else g + 1], mode)
                    after[past, g] = plus(after[past, g], rest, mode)
                    through = times(before[past, g], rest, mode)
                    count += through if mode == SUMS else math.exp(total - through)
                counts[unit] += scale * count
    return total


@kernel
def most_cells(corpus: Corpus, usable: Array, first: int, last: int) -> int:
    """The most cells of any usable pair."""
    most = 1
    for item in range(first, last):
        n, p = pair_sizes(corpus, item)
        if usable[item]:
            most = max(most, (n + 1) * (p + 1))
    return most


@kernel
def add_soft_counts(
    corpus: Corpus, usable: Array, table: UnitTable, moves: Moves, values: Array, costs: Array,
    first: int, last: int, counts: Array,
) -> float:  # fmt: skip
    """Add the expected counts of the pairs first to last; return their log likelihood."""
    scratch = np.empty((len(moves.steps), most_cells(corpus, usable, first, last)), np.int32)
    log_likelihood: float = 0.0
    for item in range(first, last):
        if not usable[item]:
            continue
        n, p = pair_sizes(corpus, item)
        weight, ids = corpus.weights[item], scratch[:, : (n + 1) * (p + 1)]
        write_unit_ids(ids, corpus, table, moves, item)
        total = add_posteriors(ids, values, moves, n, p, SUMS, weight, counts)
        if total >= SMALLEST:
            log_likelihood += weight * math.log(total)
            continue
        cost = add_posteriors(ids, costs, moves, n, p, LOG_SUMS, weight, counts)
        if cost < INFINITY:
            log_likelihood -= weight * cost
    return log_likelihood
