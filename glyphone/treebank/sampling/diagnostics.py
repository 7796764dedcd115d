"""Diagnostics of chains: R-hat, near 1 if they have converged, and effective sample sizes.

Of m chains of n draws, with W the mean variance within chains and B/n that of their means,

    V = W (n - 1) / n + B / n,    R-hat = sqrt(V / W)                     (Gelman and Rubin 1992)
    r_t = 1 - (W - mean autocovariance of lag t) / V
    effective size = m n / (2 (r_0 + r_1 + ...) - 1),

where the sum runs over pairs r_2k + r_2k+1 while these are above 0, none taken as larger than the
one before (Geyer 1992; Gelman et al., Bayesian Data Analysis, 3rd edition, 11.5). Draws with
negative autocorrelation are worth more than independent ones; the effective size is at most m n.

>>> values = np.random.default_rng(1).normal(size=(2, 500))
>>> round(rhat(values), 2), 700 < effective_size(values) <= 1000
(1.0, True)
>>> effective_size(values.repeat(10, axis=1)) < 1500
True
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """The posterior of a number: its mean, a 95 % interval, R-hat and the effective sample size."""

    mean: float
    low: float
    high: float
    rhat: float
    effective: float

    @classmethod
    def of(cls, values: Floats) -> Estimate:
        """The estimate from draws, a row for each chain."""
        low, high = np.quantile(values, [0.025, 0.975])
        mean = float(values.mean())
        return cls(mean, float(low), float(high), rhat(values), effective_size(values))


def rhat(values: Floats) -> float:
    """R-hat of draws, a row for each chain; nan for less than two chains or draws.

    >>> round(rhat(np.array([[1.0, 2.0, 1.0, 2.0], [2.0, 1.0, 2.0, 1.0]])), 3)
    0.866
    """
    chains, length = values.shape
    if chains < 2 or length < 2:
        return math.nan
    within, total = chain_variances(values)
    if within == 0.0:
        return 1.0 if total == 0.0 else math.inf
    return math.sqrt(total / within)


def effective_size(values: Floats) -> float:
    """The count of independent draws with the same variance of the mean; all if nothing varies."""
    chains, length = values.shape
    if length < 2:
        return math.nan
    within, total = chain_variances(values)
    if total == 0.0:
        return float(values.size)
    apart = values - values.mean(axis=1, keepdims=True)
    twice = 0.0
    before = math.inf
    for lag in range(0, length - 1, 2):
        pair = 0.0
        for later in (lag, lag + 1):
            products = (apart[:, : length - later] * apart[:, later:]).sum() / (chains * length)
            # The sums above have length - 1 degrees of freedom, as W has.
            pair += 1.0 - (within - products * length / (length - 1)) / total
        if pair <= 0.0:
            break
        before = min(before, pair)
        twice += 2.0 * before
    return float(values.size / max(twice - 1.0, 1.0))


def chain_variances(values: Floats) -> tuple[float, float]:
    """W, the mean variance within chains, and V, the estimate of the variance of all draws."""
    length = values.shape[1]
    within = float(values.var(axis=1, ddof=1).mean())
    between = float(values.mean(axis=1).var(ddof=1)) if len(values) > 1 else 0.0
    return within, within * (length - 1) / length + between
