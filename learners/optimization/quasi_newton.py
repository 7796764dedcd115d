"""OWL-QN (Andrew and Gao 2007), which finds weights that are zero; L-BFGS where rho1 is 0.

OWL-QN takes the steps of L-BFGS within an orthant, for zeros the one that the gradient leads into,
and sets weights to zero that would leave it.

>>> def square(x, gradient):
...     gradient[:] = 2 * (x - [3, 0.1])
...     return float(((x - [3, 0.1]) ** 2).sum())
>>> descent = Descent(square, np.zeros(2), rho1=1.0)
>>> [descent.step() for _ in range(3)]
['', '', 'converged']
>>> descent.weights.round(6).tolist()
[2.5, 0.0]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.learners.optimization import quasi_newton_kernels

Array = Any
# The value of a function of weights, its gradient written to the second array.
Function = Callable[[Array, Array], float]
# Steps that are remembered: more do not help OWL-QN, whose orthants change; L-BFGS needs a third
# fewer steps with twice as many.
HISTORY, LONGER = 5, 10
MOST_STEPS = 40
ENOUGH = 1e-4
SMALL = 1e-5

CONVERGED, STUCK = "converged", "no step"


class Descent:
    """Weights in descent: their values, the gradient, and the last steps."""

    def __init__(self, function: Function, weights: Array, *, rho1: float) -> None:
        self.rho1, self.history = rho1, HISTORY if rho1 else LONGER
        self.steps: list[Array] = []
        self.turns: list[Array] = []
        self.start_at(function, weights)

    def start_at(self, function: Function, weights: Array) -> None:
        self.function, self.weights = function, weights
        self.gradient, self.new, self.new_gradient, self.pseudo, self.direction = (
            np.empty_like(weights) for _ in range(5)
        )
        self.objective = self._objective_at(weights, self.gradient)

    def step(self) -> str:
        """One step; the reason why there is none, or an empty string."""
        kernels = jit.tier(quasi_newton_kernels, len(self.weights))
        norm = kernels.pseudo_gradient(self.weights, self.gradient, self.rho1, self.pseudo)
        if norm <= SMALL * max(1.0, math.sqrt(dot_product(self.weights, self.weights))):
            return CONVERGED
        np.negative(self.pseudo, out=self.direction)
        self._set_direction()
        if self.rho1:
            kernels.drop_upward_parts(self.direction, self.pseudo)
        first = not self.steps
        size = 1 / math.sqrt(dot_product(self.direction, self.direction)) if first else 1.0
        for _ in range(MOST_STEPS):
            promised = kernels.take_step(
                self.weights, self.direction, size, self.pseudo, self.rho1, self.new
            )
            found = self._objective_at(self.new, self.new_gradient)
            if found < self.objective + ENOUGH * promised:
                break
            size *= 0.1 if first else 0.5
        else:
            return STUCK
        self._remember_step()
        self.weights, self.new = self.new, self.weights
        self.gradient, self.new_gradient = self.new_gradient, self.gradient
        self.objective = found
        return ""

    def change_weights(self, function: Function, weights: Array, old: Array, new: Array) -> None:
        """Continues with other weights: weight old[k] becomes new[k], others have no history."""

        def carried(some: Array) -> Array:
            found = np.zeros_like(weights)
            found[new] = some[old]
            return found

        pairs = [(carried(s), carried(y)) for s, y in zip(self.steps, self.turns, strict=True)]
        pairs = [(s, y) for s, y in pairs if dot_product(s, y) > 0.0]
        self.steps, self.turns = [s for s, _ in pairs], [y for _, y in pairs]
        self.start_at(function, weights)

    def _objective_at(self, weights: Array, gradient: Array) -> float:
        penalty = self.rho1 * float(np.abs(weights).sum()) if self.rho1 else 0.0
        try:
            return self.function(weights, gradient) + penalty
        except ZeroDivisionError:  # the step is so large that scores overflow
            return math.inf

    def _remember_step(self) -> None:
        """Keeps the step and the change of the gradient, no more than `history` of them."""
        full = len(self.steps) == self.history
        step = self.steps.pop(0) if full else np.empty_like(self.weights)
        turn = self.turns.pop(0) if full else np.empty_like(self.weights)
        np.subtract(self.new, self.weights, out=step)
        np.subtract(self.new_gradient, self.gradient, out=turn)
        if dot_product(step, turn) > 0.0:  # a flat stretch has no curvature
            self.steps.append(step)
            self.turns.append(turn)

    def _set_direction(self) -> None:
        """Sets the direction by the inverse Hessian of the last steps (Nocedal 1980)."""
        direction, shares = self.direction, []
        kernels = jit.tier(quasi_newton_kernels, len(direction) * len(self.steps))
        for step, turn in zip(reversed(self.steps), reversed(self.turns), strict=True):
            share = dot_product(step, direction) / dot_product(step, turn)
            kernels.add_scaled(direction, -share, turn)
            shares.append(share)
        if self.steps:
            step, turn = self.steps[-1], self.turns[-1]
            direction *= dot_product(step, turn) / dot_product(turn, turn)
        for step, turn, share in zip(self.steps, self.turns, reversed(shares), strict=True):
            kernels.add_scaled(
                direction, share - dot_product(turn, direction) / dot_product(step, turn), step
            )


def dot_product(some: Array, others: Array) -> float:
    """The sum of products, the same whatever threads there are."""
    found: float = jit.tier(quasi_newton_kernels, len(some)).dot_product(some, others)
    return found
