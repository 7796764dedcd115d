"""The shape k of negative binomials, zero-inflated or not, for all words of a class at once.

Given k, the rest has a solution: mu is the mean m of all counts, or with zero inflation solves

    mean of the counts above 0 = mu / (1 - (1 + mu / k)^-k),   z = 1 - m / mu

where that z is above 0. So the likelihood is a function of ln k alone: a grid finds the hill, and
golden sections its top.

>>> counts = np.array([1.0, 1.0, 2.0, 5.0])
>>> most_likely(np.array([0, 4]), counts, 20.0, False).round(2).tolist()
[[0.45, 0.18, 0.0]]
>>> most_likely(np.array([0, 4]), counts, 20.0, True).round(2).tolist()
[[0.85, 0.44, 0.47]]
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel

Array = Any
LEAST, MOST, STRIDE = -12.0, 13.8, 1.72
SECTIONS, GOLDEN = 20, 0.6180339887498949
BISECTIONS = 40
# Factors that are multiplied one by one, which loses no digits to a great k.
FEW = 64


@kernel
def mean_of(m: float, k: float) -> float:
    """The mean mu of a negative binomial whose counts above 0 have mean m; 0 if none has."""
    low, high = 0.0, m
    for _ in range(BISECTIONS):
        mu = (low + high) / 2.0
        if mu < -m * np.expm1(-k * np.log1p(mu / k)):
            low = mu
        else:
            high = mu
    return (low + high) / 2.0


@kernel
def profile_likelihood(
    log_k: float, counts: Array, total: float, documents: float, inflated: bool
) -> tuple[float, float, float]:
    """The greatest likelihood for one k, with mu and z."""
    k, mu, z, n = np.exp(log_k), total / documents, 0.0, len(counts)
    if inflated:
        topical = mean_of(total / n, k)
        if topical > mu:
            mu, z = topical, 1.0 - mu / topical
    absent = k * np.log1p(mu / k)
    found = total * np.log(mu) + n * (np.log1p(-z) - absent)
    found += (documents - n) * np.log(z + (1.0 - z) * np.exp(-absent))
    for x in counts:
        if x > FEW:
            found += math.lgamma(k + x) - math.lgamma(k) - x * np.log(k + mu)
            continue
        for j in range(int(x)):
            found += np.log((k + j) / (k + mu))
    return found, mu, z


@kernel
def most_likely(starts: Array, counts: Array, documents: float, inflated: bool) -> Array:
    """mu, k and z of each word w, which occurs counts[starts[w]:starts[w + 1]] times.

    A word that never occurs counts as Poisson: its counts say nothing about k.
    """
    found = np.empty((len(starts) - 1, 3))
    for w in range(len(found)):
        here = counts[starts[w] : starts[w + 1]]
        total = here.sum()
        if total == 0.0:
            found[w, 0], found[w, 1], found[w, 2] = 0.0, np.exp(MOST), 0.0
            continue
        best, highest = MOST, profile_likelihood(MOST, here, total, documents, inflated)[0]
        for g in range(int((MOST - LEAST) / STRIDE) + 1):
            value = profile_likelihood(LEAST + g * STRIDE, here, total, documents, inflated)[0]
            if value > highest:
                best, highest = LEAST + g * STRIDE, value
        low, high = max(best - STRIDE, LEAST), min(best + STRIDE, MOST)
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        at_left = profile_likelihood(left, here, total, documents, inflated)[0]
        at_right = profile_likelihood(right, here, total, documents, inflated)[0]
        for _ in range(SECTIONS):
            if at_left < at_right:
                low, left, at_left = left, right, at_right
                right = low + GOLDEN * (high - low)
                at_right = profile_likelihood(right, here, total, documents, inflated)[0]
            else:
                high, right, at_right = right, left, at_left
                left = high - GOLDEN * (high - low)
                at_left = profile_likelihood(left, here, total, documents, inflated)[0]
        best = MOST if high == MOST else (low + high) / 2.0
        found[w, 1] = np.exp(best)
        _, found[w, 0], found[w, 2] = profile_likelihood(best, here, total, documents, inflated)
    return found
