"""Kernels: edit distances and alignments of many pairs of symbol sequences.

    d(i, j) = min of  d(i-1, j-1) + (0 if one[i] = other[j], else price)    a pair
                      d(i-1, j) + 1                                         a deletion
                      d(i, j-1) + 1                                         an insertion

With price 1 this is Levenshtein's distance; with price 2 a substitution is worth a deletion and an
insertion, and what is left is (|one| + |other| - d) / 2, the length of the longest common
subsequence.

>>> distance(np.array([1, 2, 3]), np.array([1, 3, 3, 4]), 1)
2
>>> align(np.array([1, 2]), np.array([2])).tolist()
[[0, -1], [1, 0]]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel

Array = Any


@kernel
def distance(one: Array, other: Array, price: int) -> int:
    """The edit distance of two sequences, a substitution at a price."""
    first, n, m = 0, len(one), len(other)
    # A common beginning or end costs nothing in some best alignment.
    while first < min(n, m) and one[first] == other[first]:
        first += 1
    while min(n, m) > first and one[n - 1] == other[m - 1]:
        n, m = n - 1, m - 1
    row = np.arange(m - first + 1)
    for i in range(first, n):
        diagonal = row[0]
        row[0] += 1
        for j in range(1, m - first + 1):
            cost = min(row[j], row[j - 1]) + 1
            pair = diagonal if one[i] == other[first + j - 1] else diagonal + price
            diagonal = row[j]
            row[j] = min(cost, pair)
    return int(row[m - first])


@kernel
def distances(labels: Array, bounds: Array, ones: Array, others: Array, price: int) -> Array:
    """Distances of pairs among sequences; sequence k is labels[bounds[k]:bounds[k + 1]]."""
    found = np.zeros(len(ones), np.int64)
    for k in range(len(ones)):
        one = labels[bounds[ones[k]] : bounds[ones[k] + 1]]
        other = labels[bounds[others[k]] : bounds[others[k] + 1]]
        found[k] = distance(one, other, price)
    return found


@kernel
def align(one: Array, other: Array) -> Array:
    """The places that a best alignment by Levenshtein's distance brings together, -1 for none.

    It is traced from the end: where several ways cost the same, a pair goes before a deletion and
    a deletion before an insertion.
    """
    n, m = len(one), len(other)
    costs = np.zeros((n + 1, m + 1), np.int32)
    costs[:, 0] = np.arange(n + 1)
    costs[0, :] = np.arange(m + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            pair = costs[i - 1, j - 1] + (one[i - 1] != other[j - 1])
            costs[i, j] = min(pair, costs[i - 1, j] + 1, costs[i, j - 1] + 1)
    places = np.full((n + m, 2), -1, np.int64)
    k = n + m
    while n or m:
        k -= 1
        if n and m and costs[n, m] == costs[n - 1, m - 1] + (one[n - 1] != other[m - 1]):
            n, m = n - 1, m - 1
            places[k, 0], places[k, 1] = n, m
        elif n and costs[n, m] == costs[n - 1, m] + 1:
            n -= 1
            places[k, 0] = n
        else:
            m -= 1
            places[k, 1] = m
    return places[k:]
