"""The loop of training: an optimiser, its progress, and the conditions of its end.

Training ends where the objective hardly falls over five iterations, where the error on other
items has not been below its lowest for `patience` iterations, at the last iteration, or at a
stop signal. Weights are then those of the lowest error; without other items, the last.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError
from glyphone.learners.optimization.quasi_newton import CONVERGED
from glyphone.learners.optimization.weights import Weights

WINDOW = 5
STOPPED, WATCHED, LAST = "stop signal", "dev error", "max_iter"


@dataclass(frozen=True)
class TrainingProgress:
    """The state after an iteration; `error` is that of held-out sequences, as learners count it."""

    iteration: int
    objective: float
    active: int
    error: float | None
    seconds: float

    def __str__(self) -> str:
        error = "" if self.error is None else f", dev error {100 * self.error:.2f} %"
        return (
            f"iteration {self.iteration}: objective {self.objective:,.1f}, "
            f"{self.active:,} weights{error}, {self.seconds:.1f} s"
        )


class Optimizer(Protocol):
    """An optimiser, which finds better weights in iterations."""

    def iterate(self) -> tuple[float, str]:
        """The objective after one more iteration, and why it is the last, or an empty string."""

    def current_weights(self) -> Weights:
        """The weights as they are."""

    def may_end(self) -> bool:
        """Whether training may end where the objective hardly falls."""


@dataclass(eq=False)
class Watcher:
    """Keeps the progress, and the weights with the lowest error on held-out sequences."""

    patience: int
    error_of: Callable[[Weights], float] | None
    report: Callable[[TrainingProgress], None]
    history: list[TrainingProgress] = field(default_factory=list)
    best: tuple[float, Weights] | None = None
    since: int = 0
    began: float = field(default_factory=time.monotonic)

    def __call__(self, objective: float, now: Weights) -> bool:
        """Adds an iteration to the history; whether to stop."""
        if not np.isfinite(objective):
            remedy = "raise rho1 or rho2; for sgd, take a smaller eta"
            raise GlyphoneError(f"the objective has become {objective}", remedy=remedy)
        error = None if self.error_of is None else self.error_of(now)
        seconds = time.monotonic() - self.began
        self.history.append(
            TrainingProgress(len(self.history) + 1, objective, len(now.numbers), error, seconds)
        )
        self.report(self.history[-1])
        if error is None:
            return False
        self.since += 1
        if self.best is None or error < self.best[0]:
            self.since = 0
        # Of equally good weights the later ones: more of them are zero.
        if self.best is None or error <= self.best[0]:
            self.best = error, now
        return self.since >= self.patience


def run_optimizer(optimizer: Optimizer, watcher: Watcher, *, max_iter: int, tol: float) -> str:
    """Iterates until the end; returns its reason."""
    before: list[float] = []
    for _ in progress.steps(range(max_iter), "fitting weights, iterations at most"):
        objective, ended = optimizer.iterate()
        if watcher(objective, optimizer.current_weights()):
            return WATCHED
        if ended:
            return ended
        before.append(objective)
        if len(before) > WINDOW and before[-1 - WINDOW] - objective < tol * abs(objective):
            if optimizer.may_end():
                return CONVERGED
            before.clear()
    return LAST


@contextmanager
def stop_signals() -> Iterator[None]:
    """Turns SIGTERM into KeyboardInterrupt, where signals can be handled.

    An interrupt that comes as a kernel returns is raised by numba as the cause of a SystemError.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except SystemError as error:
        cause = error.__cause__
        while cause is not None and not isinstance(cause, KeyboardInterrupt):
            cause = cause.__cause__
        if cause is None:
            raise
        raise KeyboardInterrupt from error
    finally:
        signal.signal(signal.SIGTERM, before)
