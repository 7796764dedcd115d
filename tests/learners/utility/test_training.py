"""Training for a utility: derivatives by differences, the toy of the paper, maxima, edge cases."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from glyphone.data.errors import GlyphoneError
from glyphone.learners.utility.objectives import Utility, WeightedRows, log_likelihood
from glyphone.learners.utility.rational import UTILITIES, parse_utility
from glyphone.learners.utility.training import UtilityOptions, climb_from, most_likely, train_starts

Array = Any
TOY = np.array([[0.0], [1], [2], [3]])
TOY_POSITIVE = np.array([1.0, 0, 1, 1])
WRITTEN = [
    *UTILITIES,
    "hits / (hits + misses + 2 * false_alarms)",
    "(hits / positives) * (rejections / negatives)",
    "-(misses + 0.1 * false_alarms**2) / (positives + negatives)",
    "hits ** 3 * false_alarms ** 0",
]


def rows(seed: int, *, dense: bool = True, n: int = 60, k: int = 5) -> WeightedRows:
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, k)) * (random.random((n, k)) < 0.5) + np.arange(k)[::-1] * dense
    positive = (random.random(n) < 0.3).astype(float)
    weights = random.integers(0, 3, n).astype(float)
    return WeightedRows.of(X if dense else sparse.csr_array(X), positive, weights)


def differences(function: Any, theta: Array, step: float = 1e-5) -> Array:
    found = np.empty(len(theta))
    for j in range(len(theta)):
        up, down = theta.copy(), theta.copy()
        up[j] += step
        down[j] -= step
        found[j] = (function(up)[0] - function(down)[0]) / (2 * step)
    return found


@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize("written", WRITTEN)
def test_gradients(written: str, dense: bool) -> None:
    data, random = rows(1, dense=dense), np.random.default_rng(2)
    for alpha, sharpness in itertools.product((0.25, 0.5, 0.75), (1.0, 3.0)):
        objective = Utility(parse_utility(written, alpha=alpha), sharpness)
        theta = random.normal(size=6)
        gradient = objective(data, theta)[1]
        wanted = differences(lambda theta, f=objective: f(data, theta), theta)
        assert gradient == pytest.approx(wanted, abs=1e-8, rel=1e-6)
    theta = random.normal(size=6)
    wanted = differences(lambda theta: log_likelihood(data, theta), theta)
    assert log_likelihood(data, theta)[1] == pytest.approx(wanted, abs=1e-6)


def test_a_utility_by_the_letter() -> None:
    data, theta = rows(3), np.random.default_rng(4).normal(size=6)
    p = 1 / (1 + np.exp(-2 * data.scores(theta)))
    hits = (p * data.weights * data.positive).sum()
    wanted = hits / (0.2 * (data.weights * data.positive).sum() + 0.8 * (p * data.weights).sum())
    assert Utility(parse_utility("f", alpha=0.2), 2.0)(data, theta)[0] == pytest.approx(wanted)


def test_sparse_and_dense_rows_are_alike() -> None:
    random = np.random.default_rng(5)
    X = random.normal(size=(40, 4)) * (random.random((40, 4)) < 0.3)
    positive, weights = (random.random(40) < 0.4).astype(float), random.random(40)
    theta = random.normal(size=5)
    full, thin = (WeightedRows.of(x, positive, weights) for x in (X, sparse.csr_array(X)))
    f = Utility(parse_utility("f"), 1.0)
    assert thin.scores(theta) == pytest.approx(full.scores(theta))
    assert f(thin, theta)[1] == pytest.approx(f(full, theta)[1])
    intercept, slopes = full.own_units(theta)
    standard = (X - full.means) / full.scales
    assert X @ slopes + intercept == pytest.approx(standard @ theta[1:] + theta[0])


def test_scores_beyond_exponentials() -> None:
    data = WeightedRows.of(TOY, TOY_POSITIVE, np.ones(4), scale=False)
    value, gradient = Utility(parse_utility("f"), 1.0)(data, np.array([900.0, -2000.0]))
    assert value == pytest.approx(2 / (1 + 3))
    assert np.isfinite(gradient).all()


def test_the_toy_of_the_paper() -> None:
    data = WeightedRows.of(TOY, TOY_POSITIVE, np.ones(4), scale=False)
    likely = most_likely(data, C=np.inf, max_iter=100, tol=1e-9)
    assert likely.theta == pytest.approx([0.3472, 0.5666], abs=1e-4)
    assert log_likelihood(data, likely.theta)[0] == pytest.approx(-2.11198, abs=1e-5)
    half, quarter = (Utility(parse_utility("f", alpha=alpha), 1.0) for alpha in (0.5, 0.25))
    assert half(data, np.array([20.0, 15.0]))[0] == pytest.approx(0.857143, abs=1e-6)
    assert quarter(data, np.array([-20.0, 15.0]))[0] == pytest.approx(0.886903, abs=1e-6)


@pytest.mark.parametrize(
    ("alpha", "maxima"), [(0.5, {0.857, 0.8, 0.5}), (0.25, {0.889, 0.8, 0.667})]
)
def test_one_start_is_not_enough(alpha: float, maxima: set[float]) -> None:
    data, random = (
        WeightedRows.of(TOY, TOY_POSITIVE, np.ones(4), scale=False),
        np.random.default_rng(0),
    )
    options = UtilityOptions(parse_utility("f", alpha=alpha), pull=0.0, tol=1e-6)
    likely = most_likely(data, C=np.inf, max_iter=100, tol=1e-6)
    begins = [5 * random.normal(size=2) for _ in range(40)]
    rounded = [round(climb_from(data, options, begin, likely).utility, 3) for begin in begins]
    assert max(rounded) == max(maxima)
    assert {value for value in rounded if rounded.count(value) > 2} <= maxima
    assert maxima <= set(rounded)


def test_hard_f_of_the_toy() -> None:
    f = {alpha: parse_utility("f", alpha=alpha) for alpha in (0.25, 0.5)}
    every = {"hits": 3.0, "false_alarms": 1.0, "positives": 3.0, "negatives": 1.0}
    two = {**every, "hits": 2.0, "false_alarms": 0.0}
    found = [f[alpha](**counts).number for counts in (every, two) for alpha in (0.5, 0.25)]
    assert found == pytest.approx([6 / 7, 4 / 5, 4 / 5, 8 / 9])


@pytest.mark.parametrize(
    ("hits", "decided", "half", "three_quarters"),
    [(24, 33, 0.3636, 0.2909), (85, 229, 0.5183, 0.6464), (85, 211, 0.5484, 0.6693),
     (95, 330, 0.4429, 0.6061), (99, 408, 0.3905, 0.5617)],
)  # fmt: skip
def test_the_table_of_the_paper(
    hits: int, decided: int, half: float, three_quarters: float
) -> None:
    counts: dict[str, float] = {
        "hits": hits, "false_alarms": decided - hits, "positives": 99, "negatives": 309,
    }  # fmt: skip
    for alpha, wanted in ((0.5, half), (0.75, three_quarters)):
        assert parse_utility("f", alpha=alpha)(**counts).number == pytest.approx(wanted, abs=5e-5)


def test_stages_of_sharpness_go_on_from_each_other() -> None:
    data, utility = rows(6, n=200), parse_utility("f")
    data.positive[:] = data.X[:, 0] * data.X[:, 1] > 16
    sharp = train_starts(
        data, UtilityOptions(utility, sharpness=(1.0, 2, 5, 10)), np.random.RandomState(0)
    )
    soft = train_starts(data, UtilityOptions(utility), np.random.RandomState(0))
    at = Utility(utility, 10.0)
    assert at(data, sharp[0].theta)[0] > at(data, soft[0].theta)[0]
    assert sharp[0].steps > soft[0].steps


def test_a_strong_pull_moves_only_the_threshold() -> None:
    data = rows(7, n=200)
    likely = most_likely(data, C=1.0, max_iter=500, tol=1e-8)
    strong = train_starts(
        data, UtilityOptions(parse_utility("f"), pull=1e6), np.random.RandomState(0)
    )[0].theta
    assert strong[1:] == pytest.approx(likely.theta[1:], abs=1e-4)
    assert strong[0] > likely.theta[0] + 0.3


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("hits / missed", r"no number named 'missed' \(did you mean misses\?\)"),
        ("hits +", r"the utility 'hits \+' is no expression"),
        ("max(hits, 1)", r"has 'max\(hits, 1\)' in it"),
        ("hits ** misses", r"has 'hits \*\* misses' in it"),
        ("hits.real", "has 'hits.real' in it"),
    ],
)
def test_utilities_are_refused(written: str, message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        parse_utility(written)


@pytest.mark.parametrize("written", ["1 / (hits - hits)", "hits ** 999999", "1e200 * 1e200 * hits"])
def test_utilities_that_are_no_numbers(written: str) -> None:
    counts = {"hits": 20.0, "false_alarms": 1.0, "positives": 30.0, "negatives": 70.0}
    message = "is no number of 20 hits and 1 false alarms, with 30 positives and 70 negatives"
    with pytest.raises(GlyphoneError, match=message):
        parse_utility(written)(**counts)


def test_nothing_found_is_of_no_precision() -> None:
    precision = parse_utility("hits / (hits + false_alarms)")
    nothing = precision(hits=0.0, false_alarms=0.0, positives=3.0, negatives=4.0)
    assert nothing == (0.0, 0.0, 0.0)
