"""Stochastic gradient descent with a cumulative penalty (Tsuruoka, Tsujii and Ananiadou 2009).

Each step is for one sequence and changes the weights of what is true in it. Weights are then pulled
towards zero, and not beyond it, by what has come due since the beginning, less what they have paid.
With z the weight after a step, u what is due and q what it has paid, signed,

    theta = max(0, z - (u + q))  if z > 0,    min(0, z + (u - q))  if z < 0,    q += theta - z.

So theta - q changes by steps alone, and theta is that sum of all steps, u nearer to zero: one
number for each weight, and for each test what was due when it was last true. rho2 has no part.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.learners.crf.kernels import choice_gradient
from glyphone.learners.crf.kernels import gradient_descent as crf_gradient_descent
from glyphone.learners.crf.kernels.arrays import Family, Space, Weights, room_of
from glyphone.learners.crf.training.objective import Problem

Array = Any
# Sequences between two looks at whether to stop.
STRETCH = 256


def families(space: Space) -> tuple[Family, Family]:
    return space.unigrams, space.bigrams


class GradientDescent:
    """The sums of all steps, and what is due; `eta` is a step's length at first."""

    def __init__(
        self, problem: Problem, start: Weights, *, eta: float, decay: float, seed: int
    ) -> None:
        self.problem, self.eta, self.decay = problem, eta, decay
        space, n = problem.space, [len(some.firsts) for some in families(problem.space)]
        self.space = space._replace(
            unigrams=space.unigrams._replace(dues=np.zeros(n[0])),
            bigrams=space.bigrams._replace(dues=np.zeros(n[1])),
        )
        self.random = np.random.default_rng(seed)
        self.sums = np.zeros(problem.size)
        self.sums[start.numbers] = start.values
        self.due, self.n_steps = 0.0, 0
        choice = len(problem.data.choices) > 0
        self.kernels = choice_gradient if choice else crf_gradient_descent
        self.room = room_of(space, problem.data)

    def iterate(self) -> tuple[float, str]:
        """Once through all sequences, in another order each time.

        The objective is the one met on the way. After it steps are `decay` times as long.
        """
        problem, n = self.problem, len(self.problem.data.bounds) - 1
        order, surprise = self.random.permutation(n), 0.0
        for first in range(0, n, STRETCH):
            part = order[first : first + STRETCH]
            etas = self.eta * self.decay ** ((self.n_steps + np.arange(len(part))) / n)
            kernels = jit.tier(self.kernels, problem.work * len(part) // n)
            try:
                surprise += kernels.descend(
                    self.sums, self.space, problem.data, problem.places, self.room, part, etas,
                    self.due, problem.rho1 / n,
                )  # fmt: skip
            except ZeroDivisionError:  # weights have run away: all labels are beyond any number
                return np.inf, ""
            self.due += problem.rho1 / n * float(etas.sum())
            self.n_steps += len(part)
        return float(surprise + problem.rho1 * np.abs(self.now().values).sum()), ""

    def now(self) -> Weights:
        """The weights that are not zero."""
        kernels = jit.tier(crf_gradient_descent, len(self.sums))
        n = sum(kernels.active(self.sums, family) for family in families(self.space))
        numbers, values, n_found = np.empty(n, np.int64), np.empty(n), 0
        for family in families(self.space):
            n_found = kernels.collected(self.sums, family, numbers, values, n_found)
        return Weights(numbers, values)

    def settled(self) -> bool:
        return True
