"""The objectives of logistic regression: the likelihood, or a utility of expected counts.

Jansche (2005) puts probabilities g(lam * x.theta), g(u) = 1 / (1 + exp(-u)), in the place of
decisions, so that the counts that a utility is of, and the utility with them, become smooth:

    hits = sum of p_i over positives;   false alarms = sum of p_i over negatives
    d utility / d z_i = lam * p_i * (1 - p_i) * d utility / d count of the class of i

The parameters are an intercept and a slope for each column, in units of its standard deviation
around its mean. Sparse columns are never centred in memory: the intercept takes the means up.

>>> from glyphone.learners.utility.rational import parse_utility
>>> X, positive = np.array([[0.0], [1], [2], [3]]), np.array([1.0, 0, 1, 1])
>>> rows = WeightedRows.of(X, positive, np.ones(4), scale=False)
>>> f = Utility(parse_utility("f", alpha=0.5), sharpness=1.0)
>>> round(f(rows, np.array([20.0, 15.0]))[0], 6)
0.857143
>>> round(log_likelihood(rows, np.array([0.3472, 0.5666]))[0], 5)
-2.11198
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse, special

from glyphone.learners.utility.rational import Rational

Array = Any


@dataclass(frozen=True, eq=False)
class WeightedRows:
    """Rows of numbers, dense or sparse, which of them are positive (1 or 0), and their weights."""

    X: Array
    positive: Array
    weights: Array
    means: Array
    scales: Array

    @classmethod
    def of(cls, X: Array, positive: Array, weights: Array, *, scale: bool = True) -> WeightedRows:
        """Rows with the means and deviations of their columns, or without."""
        k = X.shape[1]
        if not scale:
            return cls(X, positive, weights, np.zeros(k), np.ones(k))
        shares = weights / weights.sum()
        means = X.T @ shares
        squares = (X.multiply(X) if sparse.issparse(X) else X * X).T @ shares
        variances = squares - means**2
        # A column that is constant but for rounding has no information, and its slope stays 0.
        scales = np.sqrt(np.where(variances > 1e-12 * squares, variances, np.inf))
        return cls(X, positive, weights, means, scales)

    def own_units(self, theta: Array) -> tuple[float, Array]:
        """Intercept and slopes in the units of the columns themselves."""
        slopes = theta[1:] / self.scales
        return float(theta[0] - self.means @ slopes), slopes

    def scores(self, theta: Array) -> Array:
        """z = x.theta of each row."""
        intercept, slopes = self.own_units(theta)
        return self.X @ slopes + intercept

    def gradient(self, by_score: Array) -> Array:
        """The derivatives by the parameters, given those by the scores."""
        total = by_score.sum()
        return np.concatenate([[total], (self.X.T @ by_score - self.means * total) / self.scales])


def log_likelihood(rows: WeightedRows, theta: Array) -> tuple[float, Array]:
    """The log-likelihood of the classes, and its gradient."""
    z = rows.scores(theta)
    logs = rows.positive * z - np.logaddexp(0, z)
    by_score = rows.weights * (rows.positive - special.expit(z))
    return float(rows.weights @ logs), rows.gradient(by_score)


@dataclass(frozen=True)
class Utility:
    """A utility of expected counts, and its gradient; lam is the `sharpness`."""

    utility: Rational
    sharpness: float

    def __call__(self, rows: WeightedRows, theta: Array) -> tuple[float, Array]:
        p = special.expit(self.sharpness * rows.scores(theta))
        weights, hit = rows.weights, rows.positive * rows.weights
        hits, positives = float(hit @ p), float(hit.sum())
        value = self.utility(
            hits=hits,
            false_alarms=float(weights @ p) - hits,
            positives=positives,
            negatives=float(weights.sum()) - positives,
        )
        by_count = value.by_hits * hit + value.by_false_alarms * (weights - hit)
        return value.number, rows.gradient(self.sharpness * p * (1 - p) * by_count)
