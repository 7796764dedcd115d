"""Parameters that maximise a utility, from maximum likelihood on and from random starts.

Expected F is not concave, and its supremum is often at infinity, so every start ends at a maximum
of its own or at a cap of steps. The maximum-likelihood solution, with the L2 penalty of
scikit-learn's LogisticRegression, is the first start and also the point that a penalty pulls to:

    utility(theta) - pull / positives * |theta - theta_ML|^2, without the intercept

With a strong pull, only the threshold is moved; with none, the utility decides all. Each start is
sharpened in stages: one value of lam begins where the one before ends.

>>> from glyphone.learners.utility.rational import parse_utility
>>> X, positive = np.array([[0.0], [1], [2], [3]]), np.array([1.0, 0, 1, 1])
>>> rows = WeightedRows.of(X, positive, np.ones(4), scale=False)
>>> most_likely(rows, C=np.inf, max_iter=100, tol=1e-8).theta.round(3).tolist()
[0.347, 0.567]
>>> options = UtilityOptions(parse_utility("f", alpha=0.25), restarts=19, pull=0.0)
>>> starts = train_starts(rows, options, np.random.RandomState(0))
>>> round(max(start.utility for start in starts), 3)
0.889
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize

from glyphone.data import progress
from glyphone.learners.utility.objectives import Utility, WeightedRows, log_likelihood
from glyphone.learners.utility.rational import Rational

Array = Any
Objective = Callable[[Array], tuple[float, Array]]


@dataclass(frozen=True)
class UtilityOptions:
    """The utility, and options of training: see the classifier for each."""

    utility: Rational
    sharpness: tuple[float, ...] = (1.0,)
    pull: float = 1.0
    C: float = 1.0
    restarts: int = 0
    max_iter: int = 500
    tol: float = 1e-8


@dataclass(frozen=True, eq=False)
class TrainedStart:
    """The end of one start: parameters, utility less the penalty, and steps."""

    theta: Array
    utility: float
    steps: int
    converged: bool


def train_starts(rows: WeightedRows, options: UtilityOptions, random: Any) -> list[TrainedStart]:
    """The ends of maximum likelihood and of each random start."""
    likely = most_likely(rows, C=options.C, max_iter=options.max_iter, tol=options.tol)
    k = len(likely.theta)
    begins = [likely.theta, *(random.standard_normal(k) for _ in range(options.restarts))]
    return [climb_from(rows, options, begin, likely) for begin in begins]


def climb_from(
    rows: WeightedRows, options: UtilityOptions, begin: Array, likely: TrainedStart
) -> TrainedStart:
    """The end of one start; the steps of maximum likelihood count too."""
    strength = options.pull / float(rows.positive @ rows.weights)
    end = TrainedStart(begin, 0.0, likely.steps, True)
    for sharpness in options.sharpness:
        utility = Utility(options.utility, sharpness)

        def objective(theta: Array, utility: Utility = utility) -> tuple[float, Array]:
            value, gradient = utility(rows, theta)
            away = theta - likely.theta
            away[0] = 0.0
            return value - strength * (away @ away), gradient - 2 * strength * away

        further = maximise(objective, end.theta, max_iter=options.max_iter, tol=options.tol)
        end = TrainedStart(
            further.theta, further.utility, end.steps + further.steps, further.converged
        )
    return end


def most_likely(rows: WeightedRows, *, C: float, max_iter: int, tol: float) -> TrainedStart:
    """Maximum likelihood with a penalty |theta|^2 / 2C, without the intercept."""
    total = float(rows.weights.sum())

    def objective(theta: Array) -> tuple[float, Array]:
        value, gradient = log_likelihood(rows, theta)
        slopes = theta.copy()
        slopes[0] = 0.0
        # A mean, so that a gradient is small or not whatever the number of rows.
        return (value - slopes @ slopes / (2 * C)) / total, (gradient - slopes / C) / total

    return maximise(objective, np.zeros(rows.X.shape[1] + 1), max_iter=max_iter, tol=tol)


def maximise(objective: Objective, begin: Array, *, max_iter: int, tol: float) -> TrainedStart:
    """A maximum by L-BFGS."""

    def downwards(theta: Array) -> tuple[float, Array]:
        value, gradient = objective(theta)
        return -value, -gradient

    options = {"maxiter": max_iter, "gtol": tol, "ftol": tol * 1e-3}
    with progress.step("maximising utility, iterations at most", max_iter) as fitting:
        found = optimize.minimize(
            downwards,
            begin,
            jac=True,
            method="L-BFGS-B",
            options=options,
            callback=lambda _: fitting.advance(),
        )
    return TrainedStart(found.x, -float(found.fun), int(found.nit), bool(found.success))
