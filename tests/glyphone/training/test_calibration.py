"""Temperatures: the search finds them, and log loss never gets worse."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from glyphone.data.records import Pair
from glyphone.evaluation.evaluate import evaluate
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.training import fit_joint
from glyphone.training.calibration import (
    LEAST,
    MOST,
    STEPS,
    calibrate,
    fit_temperature,
    golden_section,
    log_loss,
)
from glyphone.training.train import train

# Each letter is x or y, in different shares, so that answers are often wrong.
WORDS = ["ab", "ba", "aab", "abb", "a", "b", "bab", "aba", "bb", "aa", "aabb", "abab"]
PAIRS = [
    Pair(tuple(word), tuple("xy"[(7 * k + 3 * place) % 5 > 2] for place in range(len(word))))
    for k, word in enumerate(WORDS * 3)
]


@pytest.fixture(scope="module")
def model() -> JointModel:
    return fit_joint(PAIRS[:24]).model


def test_the_search(model: JointModel) -> None:
    assert golden_section(lambda x: abs(x - 0.7), -1, 2, steps=30)[0] == pytest.approx(0.7, 1e-4)
    calls: list[float] = []
    golden_section(lambda x: calls.append(x) or x, 0, 1, steps=12)  # type: ignore[func-returns-value]
    assert len(calls) == 12


def test_no_temperature_of_a_grid_is_better(model: JointModel) -> None:
    dev = PAIRS[24:]
    found = calibrate(model, dev)

    def loss(temperature: float) -> float:
        outcome = evaluate(replace(model, temperature=temperature), dev, nbest=1)
        posteriors = np.array([verdict.answer.posterior for verdict in outcome.verdicts])
        right = np.array([verdict.answer.rank == 1 for verdict in outcome.verdicts])
        return log_loss(posteriors, right)

    grid = np.exp(np.linspace(math.log(LEAST), math.log(MOST), 40)).tolist()
    assert found.loss <= min(map(loss, grid)) + 1e-3
    assert found.loss == pytest.approx(loss(found.temperature))
    assert found.loss_before == pytest.approx(loss(1.0))
    assert found.loss < found.loss_before - 0.01
    assert fit_temperature(replace(model, temperature=3.0), dev) == found.temperature
    warmed = evaluate(replace(model, temperature=found.temperature), dev)
    assert found.error == pytest.approx(warmed.calibration_error, abs=1e-6)


def test_dev_words_are_decoded_once_at_each_temperature(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[float] = []
    blocks = JointModel.blocks

    def counted(model: JointModel, *arguments: Any, **options: Any) -> Any:
        decoded.append(model.temperature)
        return blocks(model, *arguments, **options)

    monkeypatch.setattr(JointModel, "blocks", counted)
    trained = train(PAIRS[:24], kind="joint", dev=PAIRS[24:])
    assert trained.calibration is not None
    # Once at 1, in the search, and with ten answers a word for the figures.
    assert decoded[0] == 1.0 and decoded[-1] == trained.calibration.temperature
    assert len({*decoded[:-1]}) == len(decoded[:-1]) == 1 + STEPS


def test_words_without_answers_claim_nothing(model: JointModel) -> None:
    found = calibrate(model, [Pair(("ß",), ("x",))])
    assert (found.temperature, found.words, found.error) == (1.0, 0, 0.0)
