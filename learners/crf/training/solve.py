"""All of training once it is known what there is to learn from: memory, optimiser, polish.

>>> from glyphone.learners.crf.features.observations import Sequence, observed
>>> from glyphone.learners.crf.features.weights import weights_of
>>> import numpy as np
>>> tests, data = Tests.learnt(observed([Sequence(("a", "b"))], "*:%x[0,0]"), np.array([0, 1]))
>>> options = Options(rho1=0.1, max_iter=3)
>>> space = weights_of(data, 2, (2, 1), "all")
>>> found, ended = solved(data, space, tests, NO_WEIGHTS, options, tell=print)
owl-qn: 8 weights, 16 numbers for each of some 3, and slopes, 0.0 MB
iteration 1: objective 0.7, 8 weights, ...
iteration 2: objective 0.6, 8 weights, ...
iteration 3: objective 0.6, 7 weights, ...
>>> ended
'max_iter'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glyphone.learners.crf.chain.model import best_labels
from glyphone.learners.crf.features.observations import Tests
from glyphone.learners.crf.features.weights import restricted, trimmed
from glyphone.learners.crf.kernels.arrays import NO_WEIGHTS, Data, Space, Weights
from glyphone.learners.crf.training.loop import STOPPED, Options, Progress, Watcher, trained
from glyphone.learners.crf.training.memory import check
from glyphone.learners.crf.training.objective import Problem
from glyphone.learners.crf.training.polish import polished

__all__ = ["NO_WEIGHTS", "solved"]


def solved(
    data: Data, space: Space, tests: Tests, start: Weights, options: Options, *,
    tell: Callable[[Any], None], held_out: Data | None = None,
    history: list[Progress] | None = None,
) -> tuple[Weights, str]:  # fmt: skip
    """The weights, and why training ended; progress goes into the history.

    The error on what is `held_out`, with the same tests by the same numbers, ends training.
    """
    problem = Problem.of(
        data, space, rho1=options.rho1, rho2=options.rho2, jobs=options.jobs
    )  # fmt: skip
    limit = None if options.memory is None else 1e9 * options.memory
    occurrences = len(data.unigram_tests) + len(data.bigram_tests)
    size = {"weights": problem.size, "occurrences": occurrences, "jobs": options.jobs}
    tell(check(options.optimizer, limit, **size))

    def error_of(weights: Weights) -> float:
        assert held_out is not None
        smaller = trimmed(restricted(space, weights.numbers))
        return float((best_labels(weights.values, smaller, held_out) != held_out.labels).mean())

    watcher = Watcher(
        options.patience,
        None if held_out is None else error_of,
        tell,
        [] if history is None else history,
    )
    found, ended = trained(problem, tests, start, options, watcher)
    if options.polish and ended != STOPPED:
        found, last = polished(problem, tests, found, options.polish, watcher)
        ended = last if last == STOPPED else ended
    return found, ended
