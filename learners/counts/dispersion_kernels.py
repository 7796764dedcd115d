"""The dispersion g of beta-binomials that makes counts likeliest, for all words of a class at once.

Given p, with a + b = (1 - g) / g, a = p (a + b), and n tokens in each document,

    ln L = sum over documents of sum_{j<n} ln((b + j) / (a + b + j))
         + sum over presences of sum_{j<x} ln((a + j) / (b + n - 1 - j))

up to terms that do not depend on g. The first sum needs the lengths of documents only, and changes
so slowly with them that those of `groups` stand for all. Smoothing adds documents that have each
word once, as it does where p is estimated; without, nothing would bound the dispersion of a word
that is never seen. A grid over ln g finds the hill, and golden sections its top; where that is the
least g of all, the word is as well a binomial.

>>> lengths, times = np.array([10.0, 20.0, 2.0]), np.array([5.0, 5.0, 1.0])
>>> counts, sizes = np.array([3.0, 1.0, 9.0]), np.array([10.0, 10.0, 20.0])
>>> p, starts = np.array([14 / 152, 1 / 152]), np.array([0, 3, 3])
>>> most_likely(p, starts, counts, sizes, lengths, times, (1.0, 2.0)).round(3).tolist()
[0.325, 0.193]
>>> groups(np.array([100.0, 101.0, 102.0, 500.0]))
(array([101., 500.]), array([3., 1.]))
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel

Array = Any
# The ends of the grid in ln g, and its stride.
LEAST, MOST, STRIDE = -12.0, -0.01, 1.5
SECTIONS, GOLDEN = 12, 0.6180339887498949
# Lengths are in one group that are within an eighth of each other, or so.
FINENESS = 8.0


def groups(lengths: Array) -> tuple[Array, Array]:
    """The mean lengths of documents about as long, and how many these are, without empty ones."""
    some = lengths[lengths > 0]
    _, places, times = np.unique(
        np.round(FINENESS * np.log(some)), return_inverse=True, return_counts=True
    )
    return np.bincount(places, weights=some) / times, times.astype(float)


@kernel
def log_likelihood(
    log_g: float, p: float, counts: Array, sizes: Array, lengths: Array, times: Array,
    more: tuple[float, float],
) -> float:  # fmt: skip
    """ln L of one word."""
    g = np.exp(log_g)
    both = (1.0 - g) / g
    a, b = p * both, (1.0 - p) * both
    found, start = 0.0, math.lgamma(both) - math.lgamma(b)
    for i in range(len(lengths)):
        n = lengths[i]
        found += times[i] * (start + math.lgamma(b + n) - math.lgamma(both + n))
    for e in range(len(counts)):
        for j in range(int(counts[e])):
            found += np.log((a + j) / (b + sizes[e] - 1.0 - j))
    found += more[0] * np.log(a / (b + more[1] - 1.0))
    return float(found)


@kernel
def most_likely(
    p: Array, starts: Array, counts: Array, sizes: Array, lengths: Array, times: Array,
    more: tuple[float, float],
) -> Array:  # fmt: skip
    """g of each word w, which occurs counts[e] times among sizes[e] tokens for e from starts[w].

    There are times[i] documents of lengths[i] tokens, those of smoothing among them; `more` says
    how many these are, and their tokens. All words that never occur have the same p.
    """
    found, unseen = np.empty(len(p)), -1.0
    for w in range(len(p)):
        x, n = counts[starts[w] : starts[w + 1]], sizes[starts[w] : starts[w + 1]]
        if len(x) == 0 and unseen >= 0.0:
            found[w] = unseen
            continue
        best, highest = LEAST, log_likelihood(LEAST, p[w], x, n, lengths, times, more)
        for k in range(1, int((MOST - LEAST) / STRIDE) + 2):
            log_g = min(LEAST + k * STRIDE, MOST)
            value = log_likelihood(log_g, p[w], x, n, lengths, times, more)
            if value > highest:
                best, highest = log_g, value
        low, high = max(best - STRIDE, LEAST), min(best + STRIDE, MOST)
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        at_left = log_likelihood(left, p[w], x, n, lengths, times, more)
        at_right = log_likelihood(right, p[w], x, n, lengths, times, more)
        for _ in range(SECTIONS):
            if at_left < at_right:
                low, left, at_left = left, right, at_right
                right = low + GOLDEN * (high - low)
                at_right = log_likelihood(right, p[w], x, n, lengths, times, more)
            else:
                high, right, at_right = right, left, at_left
                left = high - GOLDEN * (high - low)
                at_left = log_likelihood(left, p[w], x, n, lengths, times, more)
        found[w] = 0.0 if low == LEAST else np.exp((low + high) / 2.0)
        if len(x) == 0:
            unseen = found[w]
    return found
