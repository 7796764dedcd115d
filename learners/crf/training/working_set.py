"""Quasi-Newton descent where most weights are zero and stay so: only some of them are in memory.

Of millions of weights few are ever not zero. The working set has these, and weights by which the
objective falls as they leave zero, with |slope| > rho1, or nearly so. At some steps, and before
training ends, the slopes of all other weights are computed, a slab of them at a time, and the set
is chosen again (as grafting does, Perkins, Lacker and Theiler 2003, and the active sets of
coordinate descent). At the end no weight outside could make the objective smaller, and so it is at
the minimum over all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.learners.crf.features.weights import drop_unused_pairs, restrict_space
from glyphone.learners.crf.training.objective import Problem
from glyphone.learners.optimization.quasi_newton import Descent, Function
from glyphone.learners.optimization.weights import Weights

Array = Any
# Shares of rho1: slopes at which a weight joins the set, and at which one outside it must.
LIKELY, SURE = 0.9, 1.0 + 1e-6
# Steps after which all slopes are computed: often at first, where much changes.
LOOKS, EVERY = frozenset([1, 2, 4, 8, 16]), 25


class WorkingSet:
    """OWL-QN over a part of the weights, L-BFGS over all of them if rho1 is 0."""

    def __init__(self, problem: Problem, start: Weights) -> None:
        self.problem, self.n_steps = problem, 0
        if problem.rho1:
            steep = problem.steep_weights(start, LIKELY * problem.rho1)
            self.numbers = np.union1d(start.numbers, steep.numbers)
        else:
            self.numbers = np.arange(problem.size)
        self.descent = Descent(
            self._smooth_objective(), self._dense_weights(start), rho1=problem.rho1
        )

    def iterate(self) -> tuple[float, str]:
        """One step; the objective after it, and why it is the last, or an empty string."""
        ended = self.descent.step()
        self.n_steps += 1
        look = ended or self.n_steps in LOOKS or self.n_steps % EVERY == 0
        if look and not self.may_end():
            ended = ""
        return self.descent.objective, ended

    def may_end(self) -> bool:
        """Whether no weight is missing from the set; if one is, the set is chosen again."""
        if len(self.numbers) == self.problem.size:
            return True
        now, rho1 = self.current_weights(), self.problem.rho1
        steep = self.problem.steep_weights(now, LIKELY * rho1)
        sure = steep.numbers[np.abs(steep.values) > SURE * rho1]
        missing = np.setdiff1d(sure, self.numbers, assume_unique=True)
        if len(missing):
            self._change_set(np.union1d(now.numbers, steep.numbers), now)
        return not len(missing)

    def current_weights(self) -> Weights:
        """The weights that are not zero."""
        there = np.flatnonzero(self.descent.weights)
        return Weights(self.numbers[there], self.descent.weights[there])

    def _change_set(self, numbers: Array, now: Weights) -> None:
        _, old, new = np.intersect1d(
            self.numbers, numbers, assume_unique=True, return_indices=True
        )  # fmt: skip
        self.numbers = numbers
        self.descent.change_weights(self._smooth_objective(), self._dense_weights(now), old, new)

    def _smooth_objective(self) -> Function:
        return self.problem.smooth_objective(
            drop_unused_pairs(restrict_space(self.problem.space, self.numbers))
        )

    def _dense_weights(self, some: Weights) -> Array:
        """Weights in their places in the set, with zeros between."""
        found = np.zeros(len(self.numbers))
        found[np.searchsorted(self.numbers, some.numbers)] = some.values
        return found
