"""Posteriors of outputs that are near the best, and of others."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from glyphone.fst.ensembles.reranking.posteriors import MISSING, log_probabilities, missing_of


def near_and_far(totals: dict[Any, float], near: set[Any], temperature: float) -> dict[Any, float]:
    """Shares of what is near among 95 %, and of the rest among 5 %, none above any near one."""
    found = dict[Any, float]()
    for part, whole in ((near, 1 - MISSING), (totals.keys() - near, MISSING)):
        weights = {y: math.exp(totals[y] / temperature) for y in part}
        most = min(found.values(), default=1.0)
        for y, weight in weights.items():
            found[y] = min(whole * weight / sum(weights.values()), most)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_shares_beside_their_twin(seed: int) -> None:
    random = np.random.default_rng(seed)
    sizes = random.integers(0, 6, 20)
    near = np.minimum(random.integers(0, 4, 20), sizes)
    firsts = np.concatenate([[0], np.cumsum(sizes)])
    totals = random.normal(0, 4, firsts[-1])
    found = np.exp(log_probabilities(totals, firsts, near, MISSING))
    for item in range(20):
        rows = range(firsts[item], firsts[item + 1])
        wanted = near_and_far(
            {k: float(totals[k]) for k in rows}, {*rows[: near[item]]}, temperature=1.0
        )
        assert found[firsts[item] : firsts[item + 1]] == pytest.approx([wanted[k] for k in rows])
        assert found[firsts[item] : firsts[item + 1]].sum() <= 1 + 1e-9


def test_more_outputs_leave_those_before_as_they_are() -> None:
    totals, near = np.array([1.0, 0.0, -1.0, 3.0]), np.array([2])
    few = log_probabilities(totals[:2], np.array([0, 2]), near, 0.2)
    many = log_probabilities(totals, np.array([0, 4]), near, 0.2)
    assert many[:2].tolist() == few.tolist()
    assert (many[2:] <= few.min()).all()
    nothing = log_probabilities(totals, np.array([0, 4]), near, 0.0)
    assert np.isneginf(nothing[2:]).all()


def test_what_is_missing() -> None:
    right = np.array([True, False, False, False, False, True])
    assert missing_of(np.array([0, 2, 4, 5, 6]), right) == pytest.approx(2.5 / 5)
    assert 0 < missing_of(np.array([0, 2]), np.array([False, True])) < 0.5
