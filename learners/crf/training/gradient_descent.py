"""Stochastic gradient descent with a cumulative penalty (Tsuruoka, Tsujii and Ananiadou 2009).

Each step is for one sequence and changes the weights of tests that are true in it. Weights are then
pulled towards zero, and not beyond it, by the penalty due since the beginning, less the penalty
paid. With z the weight after a step, u the penalty due and q the penalty paid, signed,

    theta = max(0, z - (u + q))  if z > 0,    min(0, z + (u - q))  if z < 0,    q += theta - z.

So theta - q changes by steps alone, and theta is that sum of all steps, u nearer to zero: one
number for each weight, and for each test the penalty due when it was last true. rho2 is ignored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.learners.crf.kernels import choice_gradient
from glyphone.learners.crf.kernels import gradient_descent as crf_gradient_descent
from glyphone.learners.crf.kernels.arrays import Family, Space, room_of
from glyphone.learners.crf.training.objective import Problem
from glyphone.learners.optimization.quasi_newton import dot_product
from glyphone.learners.optimization.weights import NO_WEIGHTS, Weights

Array = Any
# Sequences between two checks for a stop signal.
STRETCH = 256
# To begin L-BFGS: times through all sequences, the length of a step at first, its decay in each.
START_TIMES, START_ETA, START_DECAY = 3, 0.2, 0.5


def families_of(space: Space) -> tuple[Family, Family]:
    return space.unigrams, space.bigrams


class GradientDescent:
    """The sums of all steps, and the penalty due; `eta` is the length of the first step."""

    def __init__(
        self, problem: Problem, start: Weights, *, eta: float, decay: float, seed: int
    ) -> None:
        self.problem, self.eta, self.decay = problem, eta, decay
        space, n = problem.space, [len(some.firsts) for some in families_of(problem.space)]
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
        """One pass through all sequences, in another order each time.

        The objective is summed on the way. After each pass steps are `decay` times as long.
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
            except ZeroDivisionError:  # weights have diverged, so that scores overflow
                return np.inf, ""
            self.due += problem.rho1 / n * float(etas.sum())
            self.n_steps += len(part)
        return float(surprise + problem.rho1 * np.abs(self.current_weights().values).sum()), ""

    def current_weights(self) -> Weights:
        """The weights that are not zero."""
        kernels = jit.tier(crf_gradient_descent, len(self.sums))
        n = sum(kernels.count_active(self.sums, family) for family in families_of(self.space))
        numbers, values, n_found = np.empty(n, np.int64), np.empty(n), 0
        for family in families_of(self.space):
            n_found = kernels.collect_weights(self.sums, family, numbers, values, n_found)
        return Weights(numbers, values)

    def may_end(self) -> bool:
        return True


def first_weights(problem: Problem, *, seed: int) -> Weights:
    """Weights for L-BFGS to begin with, by some steps of stochastic descent, without rho1.

    Each of these goes once through the sequences for the cost of one step of L-BFGS, and the first
    lead further: of a hundred steps to an objective some thirty are saved. Where they end above the
    objective at zero, there are no weights.

    >>> from glyphone.data.records import Sequence
    >>> from glyphone.learners.crf.features.numbering import Tests
    >>> from glyphone.learners.sequences.observations import observe_tests
    >>> from glyphone.learners.crf.features.weights import weights_of
    >>> seen = observe_tests([Sequence(("a", "b"))], "u:%x[0,0]")
    >>> tests, data = Tests.learn(seen, np.array([0, 1]))
    >>> space = weights_of(data, 2, (2, 0), "all")
    >>> first_weights(Problem.of(data, space, rho1=0.0, rho2=0.1), seed=0).values.round(2).tolist()
    [0.17, -0.17, -0.17, 0.17]
    >>> len(first_weights(Problem.of(data, space, rho1=0.0, rho2=1e3), seed=0).values)
    0
    """
    descent, met = (
        GradientDescent(problem, NO_WEIGHTS, eta=START_ETA, decay=START_DECAY, seed=seed),
        np.inf,
    )
    for _ in range(START_TIMES):
        met, _ = descent.iterate()
    found = descent.current_weights()
    # The objective that is met on the way is above that at its end.
    worth = met + problem.rho2 / 2 * dot_product(found.values, found.values)
    return found if worth < problem.objective(NO_WEIGHTS) else NO_WEIGHTS
