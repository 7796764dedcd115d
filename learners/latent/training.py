"""Training of latent-dynamic fields: the objective, and the best of several starts.

    l(theta) + rho1 |theta|_1 + rho2 / 2 |theta|_2^2,    l = sum over sequences of log Z - log Z_y

It has many minima, for states of a label can change places and roles. Weights begin at numbers
drawn by chance; of several starts, each of which takes some steps, the one with the lowest
objective goes on to the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.learners.latent import sum_kernels
from glyphone.learners.latent.arrays import Data, Grams, Room, Shape, arcs_of, room_of, size_of
from glyphone.learners.optimization.descent import DenseDescent, best_weights
from glyphone.learners.optimization.loop import (
    STOPPED,
    Watcher,
    run_optimizer,
    stop_signals,
)
from glyphone.learners.optimization.parts import RoomPool, sequence_parts
from glyphone.learners.optimization.quasi_newton import dot_product

Array = Any


@dataclass(frozen=True, eq=False)
class LatentProblem:
    """Sequences with labels, the weights there are, and the penalty on squares."""

    data: Data
    shape: Shape
    grams: Grams
    rho2: float
    jobs: int = 1

    @property
    def size(self) -> int:
        """The number of weights."""
        return size_of(self.shape, self.grams)

    @cached_property
    def rooms(self) -> RoomPool[Room]:
        """Arrays to compute in, one set for each thread."""
        return RoomPool(lambda: room_of(self.shape, self.data), self.jobs)

    @cached_property
    def parts(self) -> list[tuple[int, int]]:
        return sequence_parts(self.data.bounds, self.size)

    @cached_property
    def sums(self) -> Array:
        """Slopes of the sequences of each part."""
        return np.zeros((len(self.parts), self.size))

    def objective(self, weights: Array, gradient: Array) -> float:
        """The objective without rho1; its slopes are written to `gradient`."""
        kernels = jit.tier(sum_kernels, arcs_of(self.shape, self.data))
        self.sums[:] = 0.0

        def one(room: Room, part: int) -> float:
            found: float = kernels.add_gradient(
                weights, self.shape, self.grams, self.data, *self.parts[part], room,
                self.sums[part],
            )  # fmt: skip
            return found

        found = sum(self.rooms.map(one, range(len(self.parts))))
        np.multiply(weights, self.rho2, out=gradient)
        for row in self.sums:
            gradient += row
        return float(found + self.rho2 / 2 * dot_product(weights, weights))


class LatentDescent(DenseDescent):
    """Quasi-Newton descent from weights drawn by chance."""

    def __init__(self, problem: LatentProblem, *, rho1: float, spread: float, seed: Any) -> None:
        draw = np.random.default_rng(seed)
        weights = draw.normal(0.0, spread, problem.size) if spread else np.zeros(problem.size)
        super().__init__(problem.objective, weights, rho1=rho1)


@dataclass(frozen=True)
class StartOptions:
    """Starts: how many, how far their weights are from zero, and how many steps each tries."""

    starts: int
    spread: float
    trial: int
    seed: int


@dataclass(frozen=True, eq=False)
class Attempt:
    """A descent, and its progress."""

    descent: LatentDescent
    watcher: Watcher

    @property
    def objective(self) -> float:
        return self.descent.descent.objective

    def weights(self) -> Array:
        """The weights of the lowest error on held-out sequences, if there are any, or the last."""
        return best_weights(self.descent, self.watcher)


def fit_weights(
    problem: LatentProblem, options: StartOptions, *, rho1: float, max_iter: int, tol: float,
    watcher_of: Callable[[], Watcher], report: Callable[[str], None],
) -> tuple[Attempt, str]:  # fmt: skip
    """The best start, trained to the end, and why that came."""
    attempts: list[Attempt] = []
    trial, ended = min(options.trial, max_iter) if options.starts > 1 else 0, STOPPED
    try:
        with stop_signals():
            for start in range(options.starts):
                descent = LatentDescent(
                    problem, rho1=rho1, spread=options.spread, seed=[options.seed, start]
                )
                attempts.append(Attempt(descent, watcher_of()))
                run_optimizer(descent, attempts[-1].watcher, max_iter=trial, tol=tol)
                if trial:
                    report(f"start {start + 1}: objective {attempts[-1].objective:,.1f}")
                attempts = [min(attempts, key=lambda one: one.objective)]
            (chosen,) = attempts
            ended = run_optimizer(
                chosen.descent, chosen.watcher, max_iter=max_iter - trial, tol=tol
            )
    except KeyboardInterrupt:
        if not attempts:
            raise
    return min(attempts, key=lambda one: one.objective), ended
