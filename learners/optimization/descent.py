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
    """Descent of all weights of an objective."""

    def __init__(self, objective: Function, weights: Array, *, rho1: float) -> None:
        self.descent = Descent(objective, weights, rho1=rho1)

    def iterate(self) -> tuple[float, str]:
        """The objective after one more step, and why it is the last, or an empty string."""
        ended = self.descent.step()
        return self.descent.objective, ended

    def current_weights(self) -> Weights:
        """The weights that are not zero."""
        there = np.flatnonzero(self.descent.weights)
        return Weights(there, self.descent.weights[there])

    def may_end(self) -> bool:
        return True


def best_weights(descent: DenseDescent, watcher: Watcher) -> Array:
    """The weights of the lowest error on held-out sequences, if there are any, or the last."""
    last = descent.descent.weights
    return last if watcher.best is None else dense_weights(watcher.best[1], len(last))


def dense_weights(some: Weights, size: int) -> Array:
    """All weights of so many, those of zero too."""
    found = np.zeros(size)
    found[some.numbers] = some.values
    return found
