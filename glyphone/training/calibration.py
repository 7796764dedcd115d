"""Calibration: a temperature for posteriors, fitted on words that were not trained on.

With p_T(w) the posterior of the best answer to the word w at temperature T, the fitted T minimises

    -(1 / n) sum over w of ln p_T(w) where that answer is right, ln(1 - p_T(w)) where it is not

(Guo et al. 2017, "On Calibration of Modern Neural Networks"), searched by golden section on ln T
between ln 0.3 and ln 4. Which answer is best does not depend on T.

>>> from glyphone.fst.joint.training import fit_joint
>>> lexicon = {"ab": "xb", "ba": "bx", "a": "y", "aa": "xy"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> calibrate(fit_joint(pairs).model, pairs).temperature < 1  # all right: it can be surer
True
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from glyphone.data import progress
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.evaluation import measures
from glyphone.evaluation.measures import Outcomes
from glyphone.evaluation.verdicts import Item, gather_items
from glyphone.fst.interface.answers import Answers
from glyphone.fst.joint.model import JointModel

LEAST, MOST = 0.3, 4.0
# Golden section narrows the range of ln T, 2.6, by 0.618 each time: to 0.01 here.
STEPS = 12
# No answer is worse than certainly wrong by more than this many nats.
SUREST = 1e-6

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Calibration:
    """A temperature, and log loss and expected calibration error at 1 and at it."""

    temperature: float
    words: int
    loss_before: float
    loss: float
    error_before: float
    error: float


def fit_temperature(model: JointModel, pairs: Iterable[Pair], *, jobs: int | None = None) -> float:
    """The temperature at which the posteriors of best answers fit how often these are right."""
    return calibrate(model, pairs, jobs=jobs).temperature


def calibrate(model: JointModel, pairs: Iterable[Pair], *, jobs: int | None = None) -> Calibration:
    """The best temperature for some pairs; 1 if no word has an answer, or if nothing is gained.

    The words are decoded once at temperature 1, and once at each temperature that is tried.
    """
    items, _ = gather_items(pairs, model.source.writing, model.target.writing)

    def decode(temperature: float) -> list[Answers]:
        warmed = replace(model, temperature=temperature)
        found = list(warmed.blocks((item.text for item in items), jobs=jobs))
        decoding.advance()
        return found

    def loss_at(log_temperature: float) -> float:
        temperature = math.exp(log_temperature)
        posteriors[temperature] = best_posteriors(decode(temperature))
        return log_loss(posteriors[temperature], right)

    with progress.step("fitting a temperature", 1 + STEPS) as decoding:
        plain = decode(1.0)
        right = best_are_right(plain, items, model.target.writing)
        posteriors = {1.0: best_posteriors(plain)}
        loss_before = log_loss(posteriors[1.0], right)
        chosen, loss = golden_section(loss_at, math.log(LEAST), math.log(MOST), steps=STEPS)
    temperature = math.exp(chosen)
    if not loss < loss_before:
        temperature, loss = 1.0, loss_before
    return Calibration(
        temperature,
        int(np.isfinite(posteriors[1.0]).sum()),
        loss_before,
        loss,
        calibration_error(posteriors[1.0], right),
        calibration_error(posteriors[temperature], right),
    )


def best_are_right(
    blocks: Sequence[Answers], items: Sequence[Item], target: Writing
) -> NDArray[np.bool_]:
    """Whether the best answer to each item is one of its references."""
    best = [
        target.split(answers.outputs[first]).symbols if first < last else None
        for answers in blocks
        for first, last in pairwise(answers.firsts)
    ]
    rows = zip(best, items, strict=True)
    return np.array([output in item.references for output, item in rows], np.bool_)


def best_posteriors(blocks: Sequence[Answers]) -> Floats:
    """The posterior of the best answer to each item, NaN where there is none."""
    rows = [
        answers.posteriors[first] if first < last else math.nan
        for answers in blocks
        for first, last in pairwise(answers.firsts)
    ]
    return np.array(rows, np.float64)


def log_loss(posteriors: Floats, right: NDArray[np.bool_]) -> float:
    """The mean surprise at whether answers are right; 0 if there are no answers.

    >>> round(log_loss(np.array([0.5, 0.5, np.nan]), np.array([True, False, False])), 3)
    0.693
    """
    answered = ~np.isnan(posteriors)
    if not answered.any():
        return 0.0
    given = np.where(right, posteriors, 1 - posteriors)[answered]
    return float(-np.log(np.clip(given, SUREST, 1)).mean())


def calibration_error(posteriors: Floats, right: NDArray[np.bool_]) -> float:
    """The expected calibration error, as in `glyphone.evaluation.measures`."""
    rows = zip(right.tolist(), posteriors.tolist(), strict=True)
    outcomes = Outcomes.of((int(good), 0, 1, float(good), p) for good, p in rows)
    return float(measures.figures(outcomes.sums())["calibration_error"])


def golden_section(
    function: Callable[[float], float], low: float, high: float, *, steps: int
) -> tuple[float, float]:
    """The place where a function with one valley is least, and its value there.

    >>> place, value = golden_section(lambda x: (x - 1) ** 2, -2, 5, steps=20)
    >>> round(place, 2)
    1.0
    """
    share = (math.sqrt(5) - 1) / 2
    left, right = high - share * (high - low), low + share * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(steps - 2):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - share * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + share * (high - low)
            at_right = function(right)
    return (left, at_left) if at_left <= at_right else (right, at_right)
