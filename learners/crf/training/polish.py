"""The last polish: a few iterations without rho1, for the weights that are not zero.

rho1 finds which weights matter, but makes those smaller, too. Of the iterations the best on other
sequences is kept, which may be none; without other sequences, the last.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from glyphone.learners.crf.features.observations import Tests
from glyphone.learners.crf.features.weights import restricted
from glyphone.learners.crf.kernels.arrays import Weights
from glyphone.learners.crf.training.loop import Options, Watcher, trained
from glyphone.learners.crf.training.objective import Problem


def polished(
    problem: Problem, tests: Tests, found: Weights, iterations: int, watcher: Watcher
) -> tuple[Weights, str]:
    """The weights that are not zero, made better; why that ended."""
    numbers = found.numbers
    smaller = replace(problem, space=restricted(problem.space, numbers), rho1=0.0)

    def whole(some: Weights) -> Weights:
        return Weights(numbers[some.numbers], some.values)

    error_of = watcher.error_of
    after = replace(
        watcher,
        error_of=None if error_of is None else lambda some: error_of(whole(some)),
        best=None
        if error_of is None
        else (error_of(found), Weights(np.arange(len(numbers)), found.values)),
        since=0,
        patience=iterations,
    )
    start = Weights(np.arange(len(numbers)), found.values)
    options = Options(optimizer="lbfgs", rho1=0.0, max_iter=iterations, tol=0.0)
    better, ended = trained(smaller, tests, start, options, after)
    return whole(better), ended
