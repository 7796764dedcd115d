"""Training of latent-dynamic fields: the objective, and the best of several starts.

    l(theta) + rho1 |theta|_1 + rho2 / 2 sum (m^2 + apart sum (theta - m)^2)

with l = sum over sequences of log Z - log Z_y; the first sum is over tests and the n-grams of
labels that they go with, the second over the ways to give these states, and m is the mean over
them. So all that the states of a label share costs as little as in a chain, and how they differ
costs by itself.

There are many minima, for states of a label can change places and roles. Weights begin at those of
the chain whose labels have one state each, and differ from them by chance; of several starts, each
of which takes some steps, the one with the lowest objective goes on to the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
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
from glyphone.learners.optimization.parts import PartSums

Array = Any


@dataclass(frozen=True, eq=False)
class LatentProblem:
    """Sequences with labels, the weights there are, and penalties on squares."""

    data: Data
    shape: Shape
    grams: Grams
    rho2: float
    apart: float = 1.0
    jobs: int = 1

    @property
    def size(self) -> int:
        """The number of weights."""
        return size_of(self.shape, self.grams)

    @cached_property
    def sums(self) -> PartSums[Room]:
        """Slopes of parts of the sequences, and arrays to compute them in."""
        make = partial(room_of, self.shape, self.data)
        return PartSums(self.data.bounds, self.size, make, jobs=self.jobs)

    def objective(self, weights: Array, gradient: Array) -> float:
        """The objective without rho1; its slopes are written to `gradient`."""
        kernels = jit.tier(sum_kernels, arcs_of(self.shape, self.data))

        def surprise(room: Room, begin: int, end: int, slopes: Array) -> float:
            found: float = kernels.add_gradient(
                weights, self.shape, self.grams, self.data, begin, end, room, slopes
            )
            return found

        found = self.sums.sum_parts(surprise, gradient)
        penalty: float = kernels.add_penalty(
            weights, self.shape.states, self.grams, self.rho2, self.apart, gradient
        )
        return found + penalty

    def of_one_state(self) -> LatentProblem:
        """The problem of the chain whose labels have one state each."""
        grams = self.grams._replace(firsts=self.grams.starts[:-1].astype(np.int64))
        return replace(self, shape=self.shape._replace(states=1), grams=grams)

    def for_all_states(self, weights: Array) -> Array:
        """The weights of that chain, given to all states of its labels."""
        of = np.repeat(self.grams.sizes, np.diff(self.grams.starts)).astype(np.int64)
        return np.repeat(weights, self.shape.states**of)


@dataclass(frozen=True)
class StartOptions:
    """Starts: how many, how far their weights are from a chain's, and how many steps each tries."""

    starts: int
    spread: float
    trial: int
    seed: int


@dataclass(frozen=True, eq=False)
class Attempt:
    """A descent, and its progress."""

    descent: DenseDescent
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
    several = problem.shape.states > 1
    starts, ended = options.starts if several else 1, STOPPED
    trial = min(options.trial, max_iter) if starts > 1 else 0
    begin = np.zeros(problem.size)
    try:
        with stop_signals():
            if several:
                begin = problem.for_all_states(chain_weights(problem, rho1, max_iter, tol))
            for start in range(starts):
                draw = np.random.default_rng([options.seed, start])
                noise = draw.normal(0.0, options.spread, problem.size) if several else 0.0
                descent = DenseDescent(problem.objective, begin + noise, rho1=rho1)
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
            attempts.append(
                Attempt(DenseDescent(problem.objective, begin, rho1=rho1), watcher_of())
            )
    return min(attempts, key=lambda one: one.objective), ended


def chain_weights(problem: LatentProblem, rho1: float, max_iter: int, tol: float) -> Array:
    """The weights of the chain whose labels have one state each, after at most so many steps."""
    chain = problem.of_one_state()
    descent = DenseDescent(chain.objective, np.zeros(chain.size), rho1=rho1)
    run_optimizer(descent, Watcher(max_iter, None, lambda _: None), max_iter=max_iter, tol=tol)
    return descent.weights
