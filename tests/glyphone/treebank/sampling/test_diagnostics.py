"""R-hat and effective sizes of chains with known values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from glyphone.treebank.sampling.diagnostics import Estimate, effective_size, rhat


def autoregressive(coefficient: float, *, chains: int, length: int) -> np.ndarray:
    random = np.random.default_rng(3)
    values = np.zeros((chains, length))
    values[:, 0] = random.normal(size=chains)
    noise = math.sqrt(1 - coefficient**2) * random.normal(size=(chains, length))
    for place in range(1, length):
        values[:, place] = coefficient * values[:, place - 1] + noise[:, place]
    return values


@pytest.mark.parametrize("coefficient", [0.0, 0.5, 0.9])
def test_effective_size_is_that_of_theory(coefficient: float) -> None:
    """A chain with correlations r^t is worth n (1 - r) / (1 + r) draws."""
    values = autoregressive(coefficient, chains=4, length=5000)
    expected = values.size * (1 - coefficient) / (1 + coefficient)
    assert effective_size(values) == pytest.approx(expected, rel=0.15)


def test_effective_size_is_seen_in_the_means() -> None:
    """The variance of means of chains is that of a draw over the size of each."""
    values = autoregressive(0.8, chains=2000, length=200)
    by_means = values.var() / values.mean(axis=1).var()
    assert effective_size(values) / 2000 == pytest.approx(by_means, rel=0.1)


def test_to_and_fro_is_worth_no_more_than_all() -> None:
    assert effective_size(np.tile([1.0, -1.0], (2, 50)) + 0.01 * np.arange(100)) <= 200
    assert effective_size(autoregressive(-0.9, chains=2, length=400)) == 800


def test_chains_that_differ_are_worth_little() -> None:
    values = autoregressive(0.0, chains=3, length=300)
    apart = values + 20 * np.arange(3)[:, None]
    assert effective_size(apart) < 10
    stuck = np.array([[0.0] * 50, [1.0] * 50])
    assert effective_size(stuck) < 3 and rhat(stuck) == math.inf


def test_too_few_draws_are_nan() -> None:
    constant = np.ones((2, 5))
    assert (rhat(constant), effective_size(constant)) == (1.0, 10.0)
    assert math.isnan(rhat(constant[:, :1])) and math.isnan(effective_size(constant[:, :1]))
    alone = autoregressive(0.0, chains=1, length=300)
    assert math.isnan(rhat(alone)) and effective_size(alone) > 200


def test_rhat() -> None:
    alike = autoregressive(0.0, chains=4, length=500)
    assert rhat(alike) == pytest.approx(1.0, abs=0.02)
    assert rhat(alike + np.arange(4)[:, None]) > 1.5


def test_estimates() -> None:
    found = Estimate.of(np.array([np.arange(101.0), np.arange(101.0)]))
    assert (found.mean, found.low, found.high) == pytest.approx((50.0, 2.025, 97.975))
    assert found.rhat == pytest.approx(1.0, abs=0.01)
    assert found.effective < 20
