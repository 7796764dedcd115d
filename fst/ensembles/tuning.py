"""The reranker of an ensemble and the settings that depend on it, by cross-validation on lists.

Trials have shares of the models alone, or features of whole outputs as well: of several levels,
with several penalties, and without or with tolerance for words that defy them. Each trial is fitted
to two thirds of the lists and measured on the others. These lists give also the reach of late
judges, and the temperature at which posteriors are calibrated: a reranker is too sure of words that
it has learnt from.

>>> from glyphone.fst.ensembles.reranking.model import lists_without_paths
>>> scores, firsts = np.array([[0.0], [-1.0]] * 9), np.arange(0, 19, 2)
>>> right = np.array([True, False] * 9)
>>> found = tune_reranker(lists_without_paths(firsts, scores), right, reranker=False, seed=0)
>>> bool(found.ranker.shares[0] > 0.5), found.report["lists"], found.report["wer"]
(True, 9, 0.0)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from glyphone.data import progress
from glyphone.fst.ensembles.jury import fit_reach, totals_within_reach
from glyphone.fst.ensembles.reranking.feature_kernels import ALL, NOTHING, TIERS
from glyphone.fst.ensembles.reranking.fitting import (
    count_errors,
    fit_reranker,
    fit_shares,
    fit_temperature,
)
from glyphone.fst.ensembles.reranking.model import (
    Reranker,
    select_lists,
)
from glyphone.fst.ensembles.reranking.posteriors import missing_of
from glyphone.fst.ensembles.reranking.training_kernels import CandidateLists

# Trials of features of whole outputs: level, penalty and tolerance.
TRIALS = (
    *((level, penalty, 0.0) for level in (TIERS, ALL) for penalty in (4.0, 16.0)),
    *((ALL, penalty, 0.0) for penalty in (1.0, 64.0)),
    *((ALL, penalty, 1.0) for penalty in (0.25, 1.0, 4.0, 16.0)),
)
PLAIN = (NOTHING, 0.0, 0.0)
# Features must save so many standard deviations of the number of errors, or they are chance.
WORTH = 0.5

Array = Any


class TunedReranker(NamedTuple):
    """A reranker, the settings of an ensemble for it, and the figures of cross-validation."""

    ranker: Reranker
    temperature: float
    missing: float
    reach: float
    report: dict[str, Any]


@progress.step("fitting shares of members")
def tune_reranker(
    lists: CandidateLists,
    right: Array,
    *,
    late_columns: Sequence[int] = (),
    reranker: bool | None,
    seed: int,
) -> TunedReranker:
    """The reranker for lists, in which `late_columns` are those of late judges.

    It has features of outputs if `reranker` is True; None leaves that to cross-validation.
    """
    n = len(lists.firsts) - 1
    tests = np.random.default_rng(seed).random(n) < 1 / 3
    # Very few lists may have no third; a single list is both fitted to and measured on.
    tests[-1], tests[0] = True, n == 1
    parts = (~tests, tests) if n > 1 else (tests, tests)
    (some, some_rows), (others, rows) = (
        select_lists(lists, np.flatnonzero(part)) for part in parts
    )
    plain = fit_shares(some, right[some_rows])
    trials = {PLAIN: plain}
    tried = TRIALS if reranker is not False and n > 1 else ()
    for trial in progress.steps(tried, "trying features of outputs"):
        trials[trial] = fit_trial(some, right[some_rows], plain, trial, seed)
    found = {key: count_errors(one, others, right[rows]) for key, one in trials.items()}
    allowed = [key for key in found if key != PLAIN]
    if not reranker:
        limit = found[PLAIN] - WORTH * math.sqrt(found[PLAIN])
        allowed = [key for key in allowed if found[key] < limit]
    best = min(allowed, key=lambda key: (found[key], key), default=PLAIN)
    missing = missing_of(lists.firsts, right)
    totals, shares = trials[best].totals(others), trials[best].shares
    reach = fit_reach(totals, others, right[rows], shares, late_columns)
    totals = totals_within_reach(totals, others, shares, late_columns, reach)
    temperature = fit_temperature(totals, others.firsts, right[rows], missing=missing)
    ranker = fit_shares(lists, right)
    if best != PLAIN:
        ranker = fit_trial(lists, right, ranker, best, seed)
    report = {
        "lists": n,
        **dict(zip(("level", "penalty", "tolerance"), best, strict=True)),
        "wer": found[best] / (len(others.firsts) - 1),
        "wer_without_features": found[PLAIN] / (len(others.firsts) - 1),
        "temperature": temperature,
        "missing": missing,
    }
    return TunedReranker(ranker, temperature, missing, reach, report)


def fit_trial(
    lists: CandidateLists, right: Array, start: Reranker, trial: tuple[int, float, float], seed: int
) -> Reranker:
    """A reranker with the features of a trial."""
    level, penalty, tolerance = trial
    settings: Any = {"level": level, "penalty": penalty, "tolerance": tolerance, "seed": seed}
    return fit_reranker(lists, right, start, **settings)
