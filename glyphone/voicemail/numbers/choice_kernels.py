"""Kernels: choices among candidates of messages, of which no two may share a word.

Candidates are taken in the order of their ends, so that the best sum of gains of the first n is
that of the first n - 1, or the n-th and the best of those that end before it begins (weighted
interval scheduling). With sums in the place of the best, a set of candidates being as likely as

    exp(sum of the scores of its members),

the recursion gives the probability of each candidate in a random set. It is 1 / (1 + exp(-score))
for a candidate that shares no words with others.

>>> begins, ends, bounds = np.array([0, 3, 9]), np.array([7, 7, 12]), np.array([0, 3])
>>> choose_candidates(begins, ends, np.array([2.0, 1.0, -0.5]), bounds).tolist()
[True, False, False]
>>> found, total = marginals(begins, ends, np.log([2.0, 1.0, 3.0]), bounds)
>>> found.round(3).tolist(), round(math.exp(total), 3)
([0.5, 0.25, 0.75], 16.0)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling

log_add = sibling(__name__, "glyphone.fst.lattices.sum_kernels").log_add

Array = Any
LEFT_OUT = -1


@kernel
def order_candidates(begins: Array, ends: Array) -> tuple[Array, Array, Array]:
    """Candidates by end, then begin; by begin; and how many end at or before the begin of each
    candidate of the first order."""
    by_begin = np.argsort(begins, kind="mergesort")
    by_end = by_begin[np.argsort(ends[by_begin], kind="mergesort")]
    earlier = np.zeros(len(begins), np.int64)
    for step in range(len(begins)):
        earlier[step] = count_below(ends, by_end, begins[by_end[step]] + 1)
    return by_end, by_begin, earlier


@kernel
def count_below(values: Array, order: Array, least: int) -> int:
    """The number of values below `least`; `order` sorts the values."""
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        if values[order[middle]] < least:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def choose_candidates(begins: Array, ends: Array, gains: Array, bounds: Array) -> Array:
    """A mask of the candidates of each message with the greatest sum of gains that share no words;
    of equally good choices the one that ends first."""
    found = np.zeros(len(begins), np.bool_)
    for k in range(len(bounds) - 1):
        first, n = bounds[k], bounds[k + 1] - bounds[k]
        if n == 0:
            continue
        by_end, _, earlier = order_candidates(begins[first : first + n], ends[first : first + n])
        values = np.zeros(n + 1)
        for step in range(n):
            gain = gains[first + by_end[step]]
            with_it = values[earlier[step]] + gain
            better = gain >= 0 and with_it > values[step]
            values[step + 1] = with_it if better else values[step]
            if not better:
                earlier[step] = LEFT_OUT
        step = n
        while step > 0:
            if earlier[step - 1] == LEFT_OUT:
                step -= 1
            else:
                found[first + by_end[step - 1]] = True
                step = earlier[step - 1]
    return found


@kernel
def marginals(begins: Array, ends: Array, scores: Array, bounds: Array) -> tuple[Array, float]:
    """The probability of each candidate, and the sum over messages of the logarithm of the mass of
    all sets."""
    found, total = np.zeros(len(begins)), 0.0
    for k in range(len(bounds) - 1):
        first, n = bounds[k], bounds[k + 1] - bounds[k]
        if n == 0:
            continue
        mine, stops = begins[first : first + n], ends[first : first + n]
        by_end, by_begin, earlier = order_candidates(mine, stops)
        # Costs of all sets of the candidates that end first, and of those that begin last.
        before, behind = np.zeros(n + 1), np.zeros(n + 1)
        for step in range(n):
            cost = before[earlier[step]] - scores[first + by_end[step]]
            before[step + 1] = log_add(before[step], cost)
        for step in range(n - 1, -1, -1):
            one = by_begin[step]
            cost = behind[count_below(mine, by_begin, stops[one])] - scores[first + one]
            behind[step] = log_add(behind[step + 1], cost)
        for step in range(n):
            one = by_end[step]
            after = behind[count_below(mine, by_begin, stops[one])]
            cost = before[earlier[step]] + after - scores[first + one]
            found[first + one] = math.exp(before[n] - cost)
        total -= before[n]
    return found, total
