"""Training of semi-Markov fields: the objective and its descent.

    l(theta) + rho1 |theta|_1 + rho2 / 2 |theta|_2^2,    l = sum over sentences of ln Z - score

It is convex: training begins at zero, and nothing is random.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.learners.optimization.descent import DenseDescent, best_weights
from glyphone.learners.optimization.loop import STOPPED, Watcher, run_optimizer, stop_signals
from glyphone.learners.optimization.parts import RoomPool, sequence_parts
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
    def rooms(self) -> RoomPool[Room]:
        """Arrays to compute in, one set for each thread."""
        return RoomPool(lambda: room_of(self.features, self.states, self.data), self.jobs)

    @cached_property
    def parts(self) -> list[tuple[int, int]]:
        return sequence_parts(self.data.bounds, self.size)

    @cached_property
    def sums(self) -> Array:
        """Slopes of the sentences of each part."""
        return np.zeros((len(self.parts), self.size))

    def objective(self, weights: Array, gradient: Array) -> float:
        """The objective without rho1; its slopes are written to `gradient`."""
        kernels = jit.tier(sum_kernels, work_of(self.features, self.data))
        self.sums[:] = 0.0

        def one(room: Room, part: int) -> float:
            found: float = kernels.add_gradient(
                weights, self.features, self.states, self.data, *self.parts[part], room,
                self.sums[part],
            )  # fmt: skip
            return found

        found = sum(self.rooms.map(one, range(len(self.parts))))
        np.multiply(weights, self.rho2, out=gradient)
        for row in self.sums:
            gradient += row
        return float(found + self.rho2 / 2 * dot_product(weights, weights))


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
