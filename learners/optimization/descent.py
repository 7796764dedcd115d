"""Quasi-Newton descent as an optimiser of the loop of training, over weights that are in memory.

>>> def square(x, gradient):
...     gradient[:] = 2 * (x - 3)
...     return float(((x - 3) ** 2).sum())
>>> watcher = Watcher(patience=5, error_of=None, report=str)
>>> descent = DenseDescent(square, np.zeros(1), rho1=0.0)
>>> run_optimizer(descent, watcher, max_iter=9, tol=0.0)
'converged'
>>> best_weights(descent, watcher).round(3).tolist()
[3.0]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.learners.optimization.loop import Watcher
from glyphone.learners.optimization.loop import run_optimizer as run_optimizer
from glyphone.learners.optimization.quasi_newton import Descent, Function
from glyphone.learners.optimization.weights import Weights

Array = Any


class DenseDescent:
    """Descent of all weights of an objective.

    With `scales` it is that of weights divided by these, which makes slopes equally steep where
    scales are low for the steep ones; there is no rho1 then.
    """

    def __init__(
        self, objective: Function, weights: Array, *, rho1: float, scales: Array | None = None
    ) -> None:
        self.scales = scales
        if scales is None:
            self.descent = Descent(objective, weights, rho1=rho1)
            return

        def scaled(some: Array, gradient: Array) -> float:
            found = objective(some * scales, gradient)
            gradient *= scales
            return found

        self.descent = Descent(scaled, weights / scales, rho1=0.0)

    @property
    def weights(self) -> Array:
        """The weights as they are."""
        return self.descent.weights * (1.0 if self.scales is None else self.scales)

    def iterate(self) -> tuple[float, str]:
        """The objective after one more step, and why it is the last, or an empty string."""
        ended = self.descent.step()
        return self.descent.objective, ended

    def current_weights(self) -> Weights:
        """The weights that are not zero."""
        weights = self.weights
        there = np.flatnonzero(weights)
        return Weights(there, weights[there])

    def may_end(self) -> bool:
        return True


def best_weights(descent: DenseDescent, watcher: Watcher) -> Array:
    """The weights of the lowest error on held-out sequences, if there are any, or the last."""
    last = descent.weights
    return last if watcher.best is None else dense_weights(watcher.best[1], len(last))


def dense_weights(some: Weights, size: int) -> Array:
    """All weights of so many, those of zero too."""
    found = np.zeros(size)
    found[some.numbers] = some.values
    return found
