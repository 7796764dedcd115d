"""Training of the weights of a chain: options, the optimiser that they name, and its loop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.learners.crf.features.numbering import Tests
from glyphone.learners.crf.training.coordinate_descent import CoordinateDescent
from glyphone.learners.crf.training.gradient_descent import GradientDescent, first_weights
from glyphone.learners.crf.training.memory import OPTIMIZERS
from glyphone.learners.crf.training.objective import Problem
from glyphone.learners.crf.training.working_set import WorkingSet
from glyphone.learners.optimization.loop import (
    STOPPED,
    Optimizer,
    Watcher,
    run_optimizer,
    stop_signals,
)
from glyphone.learners.optimization.weights import Weights


@dataclass(frozen=True, kw_only=True)
class TrainingOptions:
    """Options of training; see `SequenceCRF` for each."""

    optimizer: str = "owl-qn"
    rho1: float = 0.5
    rho2: float = 1e-5
    max_iter: int = 200
    tol: float = 1e-4
    patience: int = 5
    polish: int = 0
    eta: float = 0.8
    decay: float = 0.85
    memory: float | None = None
    jobs: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if self.optimizer not in OPTIMIZERS:
            raise UnknownName("optimizer", self.optimizer, OPTIMIZERS)
        for name, least in (
            ("rho1", 0.0), ("rho2", 0.0), ("max_iter", 1), ("tol", 0.0), ("patience", 1),
            ("polish", 0), ("jobs", 1), ("memory", 0.0),
        ):  # fmt: skip
            value = getattr(self, name)
            if value is not None and not least <= value < np.inf:
                raise GlyphoneError(f"{name} is {value}", remedy=f"give {least} or more")
        if self.optimizer == "lbfgs" and self.rho1:
            remedy = 'take rho1=0, or optimizer="owl-qn"'
            raise GlyphoneError(f"lbfgs is for rho1=0, not {self.rho1}", remedy=remedy)
        if not 0.0 < self.eta < np.inf or not 0.0 < self.decay <= 1.0:
            message = f"eta is {self.eta} and decay is {self.decay}"
            raise GlyphoneError(message, remedy="eta is above 0, decay above 0 and at most 1")


def optimizer_of(
    problem: Problem, tests: Tests, start: Weights, options: TrainingOptions
) -> Optimizer:
    if options.optimizer == "sgd":
        return GradientDescent(
            problem, start, eta=options.eta, decay=options.decay, seed=options.seed
        )
    if options.optimizer == "bcd":
        return CoordinateDescent(problem, start, tests)
    if options.optimizer == "lbfgs" and not len(start.numbers):
        start = first_weights(problem, seed=options.seed)
    return WorkingSet(problem, start)


def train_weights(
    problem: Problem, tests: Tests, start: Weights, options: TrainingOptions, watcher: Watcher
) -> tuple[Weights, str]:
    """Better weights, and why training ended."""
    optimizer: Optimizer | None = None
    try:
        with stop_signals():
            optimizer = optimizer_of(problem, tests, start, options)
            ended = run_optimizer(optimizer, watcher, max_iter=options.max_iter, tol=options.tol)
    except KeyboardInterrupt:
        ended = STOPPED
    last = start if optimizer is None else optimizer.current_weights()
    return last if watcher.best is None else watcher.best[1], ended
