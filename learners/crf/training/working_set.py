"""Quasi-Newton descent where most weights are zero and stay so: only some of them are in memory.

Of millions of weights few are ever not zero. Those take part that are not, and those where the
objective falls as they leave zero, with |slope| > rho1, or nearly so. Every now and then, and
before training ends, the slopes of all others are looked at, a slab of them at a time, and the set
is made anew (as grafting does, Perkins, Lacker and Theiler 2003, and the active sets of coordinate
descent). Where it ends no weight that was left out could make the objective smaller, and so it is
at the minimum over all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.learners.crf.features.weights import restricted, trimmed
from glyphone.learners.crf.kernels.arrays import Weights
from glyphone.learners.crf.training.objective import Function, Problem
from glyphone.learners.crf.training.quasi_newton import Descent

Array = Any
# Shares of rho1 at which a weight takes part, and at which one that does not should.
LIKELY, SURE = 0.9, 1.0 + 1e-6
# Steps after which all slopes are looked at: often at first, where much changes.
LOOKS, EVERY = frozenset([1, 2, 4, 8, 16]), 25


class WorkingSet:
    """OWL-QN over a part of the weights, L-BFGS over all of them if rho1 is 0."""

    def __init__(self, problem: Problem, start: Weights) -> None:
        self.problem, self.n_steps = problem, 0
        if problem.rho1:
            steep = problem.steep(start, LIKELY * problem.rho1)
            self.numbers = np.union1d(start.numbers, steep.numbers)
        else:
            self.numbers = np.arange(problem.size)
        self.descent = Descent(self._function(), self._spread(start), rho1=problem.rho1)

    def iterate(self) -> tuple[float, str]:
        """One step; the objective then, and why there cannot be another."""
        ended = self.descent.step()
        self.n_steps += 1
        look = ended or self.n_steps in LOOKS or self.n_steps % EVERY == 0
        if look and not self.settled():
            ended = ""
        return self.descent.objective, ended

    def settled(self) -> bool:
        """Whether no weight is missing; if one is, the set is made anew."""
        if len(self.numbers) == self.problem.size:
            return True
        now, rho1 = self.now(), self.problem.rho1
        steep = self.problem.steep(now, LIKELY * rho1)
        sure = steep.numbers[np.abs(steep.values) > SURE * rho1]
        missing = np.setdiff1d(sure, self.numbers, assume_unique=True)
        if len(missing):
            self._renew(np.union1d(now.numbers, steep.numbers), now)
        return not len(missing)

    def now(self) -> Weights:
        """The weights that are not zero."""
        there = np.flatnonzero(self.descent.weights)
        return Weights(self.numbers[there], self.descent.weights[there])

    def _renew(self, numbers: Array, now: Weights) -> None:
        _, old, new = np.intersect1d(
            self.numbers, numbers, assume_unique=True, return_indices=True
        )  # fmt: skip
        self.numbers = numbers
        self.descent.moved(self._function(), self._spread(now), old, new)

    def _function(self) -> Function:
        return self.problem.smooth(trimmed(restricted(self.problem.space, self.numbers)))

    def _spread(self, some: Weights) -> Array:
        """Weights in their places among those that take part."""
        found = np.zeros(len(self.numbers))
        found[np.searchsorted(self.numbers, some.numbers)] = some.values
        return found
