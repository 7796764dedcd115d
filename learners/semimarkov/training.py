"""Training of semi-Markov fields: the objective and its descent.

    l(theta) + rho1 |theta|_1 + rho2 / 2 |theta|_2^2,    l = sum over sentences of ln Z - score

It is convex: training begins at zero, and nothing is random.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.learners.optimization.descent import DenseDescent, best_weights
from glyphone.learners.optimization.loop import STOPPED, Watcher, run_optimizer, stop_signals
from glyphone.learners.optimization.parts import PartSums
from glyphone.learners.optimization.quasi_newton import dot_product
from glyphone.learners.semimarkov import sum_kernels
from glyphone.learners.semimarkov.arrays import Data, Features, Room, States, room_of, work_of

Array = Any
# Of each feature in a right segment, the curvature of the objective; about, for it is 0.25 at most.
CURVATURE = 0.1


@dataclass(frozen=True, eq=False)
class SegmentProblem:
    """Sentences with segments that are right, the weights there are, the penalty on squares."""

    data: Data
    features: Features
    states: States
    rho2: float
    jobs: int = 1

    @property
    def size(self) -> int:
        """The number of weights."""
        return len(self.features.codes)

    @cached_property
    def sums(self) -> PartSums[Room]:
        """Slopes of parts of the sentences, and arrays to compute them in."""
        make = partial(room_of, self.features, self.states, self.data)
        return PartSums(self.data.bounds, self.size, make, jobs=self.jobs)

    def objective(self, weights: Array, gradient: Array) -> float:
        """The objective without rho1; its slopes are written to `gradient`."""
        kernels = jit.tier(sum_kernels, work_of(self.features, self.data))

        def surprise(room: Room, begin: int, end: int, slopes: Array) -> float:
            found: float = kernels.add_gradient(
                weights, self.features, self.states, self.data, begin, end, room, slopes
            )
            return found

        found = self.sums.sum_parts(surprise, gradient)
        gradient += self.rho2 * weights
        return found + self.rho2 / 2 * dot_product(weights, weights)


def fit_weights(
    problem: SegmentProblem, watcher: Watcher, counts: Array, *, rho1: float, max_iter: int,
    tol: float,
) -> tuple[Array, str]:  # fmt: skip
    """The weights where training ends, and why; a stop signal ends it too.

    Some features are those of every token, as the preceding class, others of one: without rho1,
    steps are measured by about how steep the slopes of a weight change, by its `counts`.
    """
    scales = None if rho1 else 1 / np.sqrt(problem.rho2 + CURVATURE * counts)
    descent = DenseDescent(problem.objective, np.zeros(problem.size), rho1=rho1, scales=scales)
    try:
        with stop_signals():
            ended = run_optimizer(descent, watcher, max_iter=max_iter, tol=tol)
    except KeyboardInterrupt:
        ended = STOPPED
    return best_weights(descent, watcher), ended
