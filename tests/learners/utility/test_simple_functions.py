"""Simple functions against all label vectors; their states, beams and values of any shape."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.learners.utility.simple_functions import (
    BoundaryError,
    FScore,
    Hamming,
    ZeroOne,
    expected_value,
    state_distributions,
)

Array = Any


def f_score(z: Array, y: Array, alpha: float) -> float:
    if z.sum() + y.sum() == 0:
        return 1.0
    hits = float((z & y).sum())
    return hits and hits / float(alpha * y.sum() + (1 - alpha) * z.sum())


def boundary_error(z: Array, y: Array, window: int) -> float:
    starts = range(len(z) - window + 1)
    wrong = [z[i : i + window].any() != y[i : i + window].any() for i in starts]
    return float(np.mean(wrong)) if wrong else 0.0


def brute_force(z: Array, table: Array, utility: Any) -> float:
    """The sum over all labels, whose probabilities hang on one label before or on none."""
    found = 0.0
    for labels in itertools.product((0, 1), repeat=len(z)):
        y, before, mass = np.array(labels, dtype=bool), 0, 1.0
        for row, label in zip(table.reshape(len(z), -1), labels, strict=True):
            p = row[before % len(row)]
            mass, before = mass * (p if label else 1 - p), label
        found += mass * utility(z, y)
    return found


@pytest.mark.parametrize("shape", [(), (2,)])
@pytest.mark.parametrize("n", [1, 2, 5, 8, 9])
def test_expectations(n: int, shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(n)
    table, z = random.random((n, *shape)), random.random(n) < 0.5
    for beta in (0.25, 0.5, 1, 2, 4):
        alpha = beta / (1 + beta)
        wanted = brute_force(z, table, lambda z, y, a=alpha: f_score(z, y, a))
        assert expected_value(FScore(alpha), z, table) == pytest.approx(wanted, abs=1e-14)
    right = brute_force(z, table, lambda z, y: float((z == y).all()))
    assert expected_value(ZeroOne(), z, table) == pytest.approx(right, abs=1e-14)
    wrong = brute_force(z, table, lambda z, y: float((z != y).sum()))
    assert expected_value(Hamming(), z, table) == pytest.approx(wrong, abs=1e-13)
    for window in (1, 2, 3):
        loss = brute_force(z, table, lambda z, y, k=window: boundary_error(z, y, k))
        assert expected_value(BoundaryError(window), z, table) == pytest.approx(loss, abs=1e-13)


@pytest.mark.parametrize(("n", "states"), list(enumerate([3, 7, 13, 22, 34, 50, 70, 95], start=1)))
def test_there_are_as_many_states_as_the_bound_allows(n: int, states: int) -> None:
    counts = [
        sum(
            len(masses) for masses in state_distributions(FScore(0.5), np.array(z), np.full(n, 0.3))
        )
        for z in itertools.product((0, 1), repeat=n)
    ]
    assert max(counts) == states == (2 * n**3 + 15 * n**2 + 34 * n + 24) // 24
    alternating = np.arange(n) % 2
    last = [len(m) for m in state_distributions(FScore(0.5), 1 - alternating, np.full(n, 0.3))]
    assert sum(last) == states


def test_beams_are_lower_bounds() -> None:
    random = np.random.default_rng(2)
    for n in (4, 10, 20):
        p = random.random(n)
        z = p > 0.4
        exact = expected_value(FScore(0.5), z, p)
        beams = [
            expected_value(FScore(0.5), z, p, beam=beam) for beam in (1, 2 * n, 4 * n, n * n + 4)
        ]
        assert beams == sorted(beams)
        assert beams[-1] == pytest.approx(exact, abs=1e-14)
        assert exact - beams[2] < 4e-5
        assert beams[0] < exact


@dataclass(frozen=True)
class Ones:
    """Its values are arrays: the number of ones, and its square."""

    def start(self, z: Array) -> int:
        return 0

    def transition(self, state: int, z: Array, i: int, y: int) -> int:
        return state + y

    def value(self, state: int, z: Array) -> Array:
        return np.array([state, state**2])


def test_values_may_be_arrays() -> None:
    p = np.array([0.2, 0.5, 0.9])
    mean, square = expected_value(Ones(), [0, 0, 0], p)
    assert mean == pytest.approx(p.sum())
    assert square - mean**2 == pytest.approx((p * (1 - p)).sum())


def test_options_are_refused() -> None:
    with pytest.raises(GlyphoneError, match="alpha is 2"):
        FScore(2)
    with pytest.raises(GlyphoneError, match="window is 0"):
        BoundaryError(0)
    with pytest.raises(GlyphoneError, match="beam is 0"):
        expected_value(Hamming(), [1], [0.5], beam=0)
    with pytest.raises(GlyphoneError, match="at 0: nan is no probability"):
        expected_value(Hamming(), [1], [float("nan")])
