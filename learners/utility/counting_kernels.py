"""Kernels: how many of independent labels are 1, and the expected F score of the first k of them.

Let S be the number of ones. Leaving label i out of the distribution of S turns the convolution
with (1-p, p) round: from the lower end where p <= 1/2 and from the upper end where p > 1/2, so that
no error grows. With the labels in a fixed order and F = A / (alpha*S + (1-alpha)*k),

    M_k(s) = sum_{i<=k} p_i P(S without i = s-1)                  expected hits where S = s
    E[F of the first k] = sum_s M_k(s) / (alpha*s + (1-alpha)*k)

which is the formula of Dembczynski, Waegeman, Cheng and Hüllermeier (2011). Only the middle of the
distribution is kept, some 18 standard deviations of S, at most 9 * sqrt(n): the time is
O(n * sqrt(n)). The tails weigh less than (n+1) * NOTHING in all, below rounding.

>>> first, masses = ones_distribution(np.array([0.5, 0.5]))
>>> first, masses.tolist()
(0, [0.25, 0.5, 0.25])
>>> expected_f_scores(np.array([0.5, 0.5]), 0.5, first, masses).round(6).tolist()
[0.25, 0.416667, 0.583333]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel

Array = Any
NOTHING = 1e-20


@kernel
def ones_distribution(probabilities: Array) -> tuple[int, Array]:
    """The probabilities of first, first + 1, ... ones, and this first number."""
    n = len(probabilities)
    now, then = np.zeros(n + 2), np.zeros(n + 2)
    now[0] = 1.0
    first, last = 0, 0
    for i in range(n):
        p = probabilities[i]
        q = 1.0 - p
        last += 1
        now[last] = 0.0
        then[first] = now[first] * q
        for s in range(first + 1, last + 1):
            then[s] = now[s] * q + now[s - 1] * p
        now, then = then, now
        while now[last] < NOTHING:
            last -= 1
        while now[first] < NOTHING:
            first += 1
    return first, now[first : last + 1].copy()


@kernel
def without_label(p: float, masses: Array, found: Array) -> None:
    """found[s + 1] = p * the probability of first + s ones among the others."""
    width, one = len(masses), 0.0
    if p <= 0.5:
        scale, back = 1.0 / (1.0 - p), p / (1.0 - p)
        for s in range(width):
            one = masses[s] * scale - back * one
            found[s + 1] = p * one
        found[0] = 0.0
    else:
        scale, back = 1.0 / p, (1.0 - p) / p
        for s in range(width - 1, -1, -1):
            one = masses[s] * scale - back * one
            found[s] = p * one
        found[width] = 0.0


@kernel
def expected_f_scores(probabilities: Array, alpha: float, first: int, masses: Array) -> Array:
    """The expected F scores of deciding for the first 0, 1, .. n labels."""
    n, width = len(probabilities), len(masses)
    hits, more = np.zeros(width + 1), np.zeros(width + 1)
    found, some = np.zeros(n + 1), 0
    if first == 0:
        found[0] = masses[0]
        some = 1  # no hits where nothing is true
    for i in range(n):
        without_label(probabilities[i], masses, more)
        base = alpha * first + (1.0 - alpha) * (i + 1)
        # Two sums, so that no addition waits for the one before it.
        even, odd = 0.0, 0.0
        hits += more
        for s in range(some, width - 1, 2):
            even += hits[s] / (base + alpha * s)
            odd += hits[s + 1] / (base + alpha * (s + 1))
        if (width - some) % 2:
            even += hits[width - 1] / (base + alpha * (width - 1))
        found[i + 1] = even + odd
    return found
