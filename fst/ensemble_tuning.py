"""The reranker and the temperature of an ensemble, chosen by cross-validation on lists.

What is tried: shares of the models alone, and features of whole outputs, as far as they may go and
held back more or less. Each trial is fitted to two thirds of the lists and judged by the others.

>>> from glyphone.fst.reranker import no_paths
>>> scores, firsts = np.array([[0.0], [-1.0]] * 9), np.arange(0, 19, 2)
>>> right = np.array([True, False] * 9)
>>> ranker, temperature, report = tuned(no_paths(firsts, scores), right, reranker=False, seed=0)
>>> bool(ranker.shares[0] > 0.5), report["lists"], report["wer"]
(True, 9, 0.0)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.fst.ensemble_posteriors import missing_of
from glyphone.fst.reranker import (
    Reranker,
    chosen,
    errors,
    fit_reranker,
    fit_shares,
    fit_temperature,
)
from glyphone.fst.reranker_features import ALL, NOTHING, TIERS
from glyphone.fst.reranker_kernels import Lists

# What features of whole outputs are tried: how far they go, and how strongly they are held back.
TRIALS = ((TIERS, 4.0), (TIERS, 16.0), (ALL, 4.0), (ALL, 16.0), (ALL, 64.0))
# Features must save so many standard deviations of the number of errors, or they are chance.
WORTH = 0.5

Array = Any


def tuned(
    lists: Lists, right: Array, *, reranker: bool | None, seed: int
) -> tuple[Reranker, float, dict[str, Any]]:
    """The reranker for lists, the temperature for it, and what cross-validation said of both.

    Whether it has features is left to that, unless a `reranker` is asked for or not.
    """
    n = len(lists.firsts) - 1
    tests = np.random.default_rng(seed).random(n) < 1 / 3
    # Of very few lists there may be no third; one alone is both fitted to and judged by.
    tests[-1], tests[0] = True, n == 1
    parts = (~tests, tests) if n > 1 else (tests, tests)
    (some, some_rows), (others, rows) = (chosen(lists, np.flatnonzero(part)) for part in parts)
    plain = fit_shares(some, right[some_rows])
    trials: dict[tuple[int, float], Reranker] = {(NOTHING, 0.0): plain}
    for level, penalty in TRIALS if reranker is not False and n > 1 else ():
        trials[level, penalty] = fit_reranker(
            some, right[some_rows], plain, level=level, penalty=penalty, seed=seed
        )
    found = {key: errors(trial, others, right[rows]) for key, trial in trials.items()}
    allowed = [key for key in found if key[0] != NOTHING]
    if not reranker:
        limit = found[NOTHING, 0.0] - WORTH * math.sqrt(found[NOTHING, 0.0])
        allowed = [key for key in allowed if found[key] < limit]
    level, penalty = min(allowed, key=lambda key: (found[key], key), default=(NOTHING, 0.0))
    missing = missing_of(lists.firsts, right)
    temperature = fit_temperature(trials[level, penalty], others, right[rows], missing=missing)
    ranker = fit_shares(lists, right)
    if level != NOTHING:
        ranker = fit_reranker(lists, right, ranker, level=level, penalty=penalty, seed=seed)
    report = {
        "lists": n,
        "level": level,
        "penalty": penalty,
        "wer": found[level, penalty] / (len(others.firsts) - 1),
        "wer_without_features": found[NOTHING, 0.0] / (len(others.firsts) - 1),
        "temperature": temperature,
        "missing": missing,
    }
    return ranker, temperature, report
