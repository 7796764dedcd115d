"""Kernels: two rows of units aligned, and the score of the alignment.

Units i and j of two rows are worth s(i, j) w(i) w(j) together: their similarity, which a table of
units tells, times their weights. The best alignment that keeps the order of units
(Meta-Levenshtein, Moreau, Yvon and Cappé 2008) has the total D(n, m), with D(i, 0) = D(0, j) = 0:

    D(i, j) = max  D(i-1, j), D(i, j-1)                                  a unit without partner
                   D(i-1, j-1) + worth(i, j)
    swapped:       D(i-2, j-2) + worth(i, j-1) + worth(i-1, j)           A B, B A
    extended:      D(i-3, j-2) + worth(i, j-1) + worth(i-2, j)           A B C, C A
                   D(i-2, j-3) + worth(i-1, j) + worth(i, j-2)           A B, B C A

Without an order, the best alignment one to one is an assignment (Kuhn 1955, by shortest augmenting
paths), and `closest` gives each unit of the first row its most similar unit of the second.

>>> worth = np.array([[0.9, 0.0], [0.0, 0.2], [0.0, 0.6]])
>>> abc_ca = np.array([[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]])
>>> [round(float(assigned_total(table, 3, 2)), 9) for table in (worth, abc_ca)]
[1.5, 2.0]
>>> best = np.zeros((4, 3))
>>> [float(swapping_total(abc_ca, 3, 2, extended, best)) for extended in (False, True)]
[1.0, 2.0]
>>> row = lambda n: UnitRows(np.array([0, n]), np.arange(n), np.ones(n), np.array([n**0.5]))
>>> [float(ordered_total(table, row(3), 0, row(2), 0, np.empty(3))) for table in (worth, abc_ca)]
[1.5, 1.0]
>>> [float(closest_total(worth, row(3), 0, row(2), 0, least)) for least in (0.5, 0.7)]
[1.5, 0.9]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf

Array = Any
CLOSEST, ASSIGNED, ORDERED, SWAPPED, EXTENDED = range(5)
COSINE, OVERLAP, MEAN = range(3)


class UnitRows(NamedTuple):
    """Names as rows of units: those of row i stand in units[bounds[i]:bounds[i + 1]].

    `weights` are those of each unit at its place, and `norms` the Euclidean lengths of the rows.
    """

    bounds: Array
    units: Array
    weights: Array
    norms: Array


class Way(NamedTuple):
    """How rows are aligned and scored; `closest` asks for more similarity than `threshold`."""

    alignment: int
    score: int
    threshold: float


class Room(NamedTuple):
    """Room for two rows: similarities, worths, all totals, a row of totals."""

    similar: Array
    worth: Array
    best: Array
    row: Array


@leaf
def ordered_total(
    table: Array, first: UnitRows, x: int, second: UnitRows, y: int, best: Array
) -> float:
    """The total of the best alignment that keeps the order; `best` is room for a row of D."""
    begin, m = second.bounds[y], second.bounds[y + 1] - second.bounds[y]
    for j in range(m + 1):
        best[j] = 0.0
    for i in range(first.bounds[x], first.bounds[x + 1]):
        row, weight = table[first.units[i]], first.weights[i]
        left = corner = 0.0
        for j in range(m):
            above = best[j + 1]
            worth = row[second.units[begin + j]] * weight * second.weights[begin + j]
            left = max(left, above, corner + worth)
            best[j + 1] = left
            corner = above
    return best[m]


@leaf
def swapping_total(worth: Array, n: int, m: int, extended: bool, best: Array) -> float:
    """The total of the best alignment that keeps the order, but for swaps of neighbours, or also
    over one unit; `best` is room for D, whose first row and first column are 0."""
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            total = max(best[i - 1, j], best[i, j - 1], best[i - 1, j - 1] + worth[i - 1, j - 1])
            if i >= 2 and j >= 2:
                swap = worth[i - 1, j - 2] + worth[i - 2, j - 1]
                total = max(total, best[i - 2, j - 2] + swap)
            if extended and i >= 3 and j >= 2:
                swap = worth[i - 1, j - 2] + worth[i - 3, j - 1]
                total = max(total, best[i - 3, j - 2] + swap)
            if extended and i >= 2 and j >= 3:
                swap = worth[i - 2, j - 1] + worth[i - 1, j - 3]
                total = max(total, best[i - 2, j - 3] + swap)
            best[i, j] = total
    return best[n, m]


@kernel
def assigned_total(worth: Array, n: int, m: int) -> float:
    """The total of the best alignment one to one."""
    if n > m:
        worth, n, m = worth.T, m, n
    # Potentials of rows and columns; row 0 and column 0 stand for none.
    rows, columns = np.zeros(n + 1), np.zeros(m + 1)
    partner, before = np.zeros(m + 1, np.int64), np.zeros(m + 1, np.int64)
    for row in range(1, n + 1):
        partner[0], column = row, 0
        nearest, seen = np.full(m + 1, np.inf), np.zeros(m + 1, np.bool_)
        while True:
            seen[column] = True
            at, step, next_column = partner[column], np.inf, 0
            for j in range(1, m + 1):
                if not seen[j]:
                    cost = -worth[at - 1, j - 1] - rows[at] - columns[j]
                    if cost < nearest[j]:
                        nearest[j], before[j] = cost, column
                    if nearest[j] < step:
                        step, next_column = nearest[j], j
            for j in range(m + 1):
                if seen[j]:
                    rows[partner[j]] += step
                    columns[j] -= step
                else:
                    nearest[j] -= step
            column = next_column
            if partner[column] == 0:
                break
        while column:
            partner[column] = partner[before[column]]
            column = before[column]
    total = 0.0
    for j in range(1, m + 1):
        if partner[j]:
            total += worth[partner[j] - 1, j - 1]
    return total


@leaf
def closest_total(
    table: Array, first: UnitRows, x: int, second: UnitRows, y: int, threshold: float
) -> float:
    """The total where each unit of the first row has its most similar one, the first of equals."""
    total = 0.0
    for i in range(first.bounds[x], first.bounds[x + 1]):
        row, most, place = table[first.units[i]], threshold, -1
        for j in range(second.bounds[y], second.bounds[y + 1]):
            if row[second.units[j]] > most:
                most, place = row[second.units[j]], j
        if place >= 0:
            total += most * first.weights[i] * second.weights[place]
    return total


@leaf
def all_alike(table: Array, first: UnitRows, x: int, second: UnitRows, y: int) -> bool:
    """Whether units are alike place by place."""
    begin, low = first.bounds[x], second.bounds[y]
    if first.bounds[x + 1] - begin != second.bounds[y + 1] - low:
        return False
    for i in range(first.bounds[x + 1] - begin):
        if table[first.units[begin + i], second.units[low + i]] < 1.0:
            return False
    return True


@leaf
def write_worth(
    table: Array, first: UnitRows, x: int, second: UnitRows, y: int, worth: Array
) -> None:
    begin, low = first.bounds[x], second.bounds[y]
    for i in range(first.bounds[x + 1] - begin):
        row, weight = table[first.units[begin + i]], first.weights[begin + i]
        for j in range(second.bounds[y + 1] - low):
            worth[i, j] = row[second.units[low + j]] * weight * second.weights[low + j]


@kernel
def score_rows(
    table: Array, first: UnitRows, x: int, second: UnitRows, y: int, way: Way, room: Room
) -> float:
    """The score of row x of the first and row y of the second; table[u, v] says how alike units
    are."""
    n, m = first.bounds[x + 1] - first.bounds[x], second.bounds[y + 1] - second.bounds[y]
    if n == 0 or m == 0:
        return 0.0
    scale = first.norms[x] * second.norms[y]
    if way.score == OVERLAP:
        scale = float(min(n, m))
    elif way.score == MEAN:
        scale = float(n)
    if scale == 0.0:
        return 1.0 if all_alike(table, first, x, second, y) else 0.0
    if way.alignment == CLOSEST:
        return closest_total(table, first, x, second, y, way.threshold) / scale
    if way.alignment == ORDERED:
        total = ordered_total(table, first, x, second, y, room.row)
    else:
        write_worth(table, first, x, second, y, room.worth)
        if way.alignment == ASSIGNED:
            total = assigned_total(room.worth, n, m)
        else:
            total = swapping_total(room.worth, n, m, way.alignment == EXTENDED, room.best)
    return total / scale


@kernel
def room_for(first: UnitRows, second: UnitRows) -> Room:
    n, m = longest_row(first), longest_row(second)
    return Room(
        np.empty((n, m), np.float32), np.empty((n, m)), np.zeros((n + 1, m + 1)), np.empty(m + 1)
    )


@leaf
def longest_row(rows: UnitRows) -> int:
    longest = 0
    for i in range(len(rows.norms)):
        longest = max(longest, rows.bounds[i + 1] - rows.bounds[i])
    return longest


@kernel
def score_block(first: UnitRows, second: UnitRows, table: Array, way: Way, found: Array) -> None:
    """found[x, y] = the score of row x of the first and row y of the second."""
    room = room_for(first, second)
    for x in range(len(first.norms)):
        for y in range(len(second.norms)):
            found[x, y] = score_rows(table, first, x, second, y, way, room)


@kernel
def score_pairs(
    first: UnitRows, second: UnitRows, pairs: Array, values: Array, places: Array, way: Way
) -> Array:
    """The scores of pairs of rows, whose units are numbered from 0 on in each row.

    The units of pair p, in the order of the first row and then of the second, are as alike as
    values[places[...]] says, place by place from 0 on through all pairs.
    """
    room = room_for(first, second)
    found, place = np.empty(len(pairs)), 0
    for p in range(len(pairs)):
        x, y = pairs[p, 0], pairs[p, 1]
        for i in range(first.bounds[x + 1] - first.bounds[x]):
            for j in range(second.bounds[y + 1] - second.bounds[y]):
                room.similar[i, j] = values[places[place]]
                place += 1
        found[p] = score_rows(room.similar, first, x, second, y, way, room)
    return found


@kernel
def unit_pairs(first: UnitRows, second: UnitRows, pairs: Array, width: int) -> Array:
    """u * width + v of all pairs of units of pairs of rows, in the order of `score_pairs`."""
    size = 0
    for p in range(len(pairs)):
        x, y = pairs[p, 0], pairs[p, 1]
        n = first.bounds[x + 1] - first.bounds[x]
        size += n * (second.bounds[y + 1] - second.bounds[y])
    found, place = np.empty(size, np.int64), 0
    for p in range(len(pairs)):
        x, y = pairs[p, 0], pairs[p, 1]
        for i in range(first.bounds[x], first.bounds[x + 1]):
            for k in range(second.bounds[y], second.bounds[y + 1]):
                found[place] = first.units[i] * width + second.units[k]
                place += 1
    return found
