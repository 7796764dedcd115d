"""Training of given data and weights: memory is checked, an optimiser runs, weights are polished.

>>> from glyphone.data.records import Sequence
>>> from glyphone.learners.sequences.observations import observe_tests
>>> from glyphone.learners.crf.features.weights import weights_of
>>> import numpy as np
>>> tests, data = Tests.learn(observe_tests([Sequence(("a", "b"))], "*:%x[0,0]"), np.array([0, 1]))
>>> options = TrainingOptions(rho1=0.1, max_iter=3)
>>> space = weights_of(data, 2, (2, 1), "all")
>>> found, ended = solve(data, space, tests, options, report=print)
owl-qn: 8 weights, 16 numbers for each of some 3, and slopes, 0.0 MB
iteration 1: objective 0.7, 8 weights, ...
iteration 2: objective 0.6, 8 weights, ...
iteration 3: objective 0.6, 7 weights, ...
>>> ended
'max_iter'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from glyphone.learners.crf.chain.model import best_labels
from glyphone.learners.crf.features.numbering import Tests
from glyphone.learners.crf.features.weights import drop_unused_pairs, restrict_space
from glyphone.learners.crf.kernels.arrays import Data, Space
from glyphone.learners.crf.training.loop import TrainingOptions, train_weights
from glyphone.learners.crf.training.memory import check_memory
from glyphone.learners.crf.training.objective import Problem
from glyphone.learners.optimization.loop import STOPPED, TrainingProgress, Watcher
from glyphone.learners.optimization.weights import NO_WEIGHTS, Weights


def solve(
    data: Data, space: Space, tests: Tests, options: TrainingOptions, *,
    report: Callable[[Any], None], start: Weights = NO_WEIGHTS, held_out: Data | None = None,
    history: list[TrainingProgress] | None = None,
) -> tuple[Weights, str]:  # fmt: skip
    """The weights, and why training ended; progress is added to the history.

    Training ends by the error on `held_out` data, if given, with these tests by their numbers.
    """
    problem = Problem.of(
        data, space, rho1=options.rho1, rho2=options.rho2, jobs=options.jobs
    )  # fmt: skip
    limit = None if options.memory is None else 1e9 * options.memory
    occurrences = len(data.unigram_tests) + len(data.bigram_tests)
    size = {"weights": problem.size, "occurrences": occurrences, "jobs": options.jobs}
    report(check_memory(options.optimizer, limit, **size))

    def error_of(weights: Weights) -> float:
        assert held_out is not None
        smaller = drop_unused_pairs(restrict_space(space, weights.numbers))
        return float((best_labels(weights.values, smaller, held_out) != held_out.labels).mean())

    watcher = Watcher(
        options.patience,
        None if held_out is None else error_of,
        report,
        [] if history is None else history,
    )
    found, ended = train_weights(problem, tests, start, options, watcher)
    if options.polish and ended != STOPPED:
        found, last = polish_weights(problem, tests, found, options.polish, watcher)
        ended = last if last == STOPPED else ended
    return found, ended


def polish_weights(
    problem: Problem, tests: Tests, found: Weights, iterations: int, watcher: Watcher
) -> tuple[Weights, str]:
    """The weights that are not zero after some iterations without rho1; why they ended.

    rho1 finds which weights matter, but makes those smaller, too. The weights are those with the
    lowest error on held-out sequences, which may be those found before; without such, the last.
    """
    numbers = found.numbers
    smaller = replace(problem, space=restrict_space(problem.space, numbers), rho1=0.0)

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
    options = TrainingOptions(optimizer="lbfgs", rho1=0.0, max_iter=iterations, tol=0.0)
    better, ended = train_weights(smaller, tests, start, options, after)
    return whole(better), ended
