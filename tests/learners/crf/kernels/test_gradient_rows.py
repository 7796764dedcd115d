"""Weights side by side: the gradient over a wider space, and where L-BFGS begins, beside twins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glyphone.learners.crf.features import layout as features_layout
from glyphone.learners.crf.features.numbering import data_of
from glyphone.learners.crf.features.weights import cells_of_weights, size_of, weights_of
from glyphone.learners.crf.kernels import gradient_rows
from glyphone.learners.crf.kernels import sums as crf_sums
from glyphone.learners.crf.training import gradient_descent
from glyphone.learners.crf.training.gradient_descent import first_weights
from glyphone.learners.crf.training.objective import Problem
from glyphone.learners.optimization.quasi_newton import Descent
from glyphone.learners.optimization.weights import NO_WEIGHTS
from glyphone.learners.sequences.observations import ObservedTests
from tests.learners.crf.twins import TIERS, Case

Array = Any
N_TESTS = 30
CASES = [
    Case.drawn(1, kind="seen"),
    Case.drawn(2, kind="seen", lengths=(6, 0, 1, 5)),
    Case.drawn(3, kind="seen", labels=1),
    Case.drawn(4, kind="attested", bare=True),
]


def drawn(seed: int) -> Case:
    """Positions with up to nine tests, some more often true than others, of five labels."""
    random = np.random.default_rng(seed)
    bounds, often = np.array([0, 7, 7, 12]), 1.0 / np.arange(1, N_TESTS + 1)
    rows = np.array([random.choice(N_TESTS, 9, False, often / often.sum()) for _ in range(12)])
    rows[random.random(rows.shape) < 0.1] = -1
    none, labels = np.full((12, 1), -1), random.integers(0, 5, 12).astype(np.int32)
    seen = ObservedTests(bounds, rows, [f"u{k}" for k in range(N_TESTS)])
    data = data_of(seen.bounds, rows, none, labels)
    space = weights_of(data, 5, (N_TESTS, 0), "seen")
    return Case(data, space, random.normal(size=size_of(space)))


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(("share", "often"), [(0.0, 0), (0.7, 0), (0.25, 1), (2.0, 0)])
def test_rows_are_gathered_and_scattered(
    tier: Any, share: float, often: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(features_layout, "SHARE", share)
    monkeypatch.setattr(features_layout, "OFTEN", often)
    case, module = drawn(0), tier(gradient_rows)
    (tests, labels), _ = cells_of_weights(case.space, np.arange(len(case.weights)))
    dense = np.zeros((N_TESTS, 5))
    dense[tests, labels] = case.weights
    wide, places = features_layout.widen_space(case.space, case.data)
    data, weights, target = (
        features_layout.arrange_data(case.data, wide),
        *np.zeros((2, size_of(wide))),
    )
    assert len(data.rows) and (len(data.singles) > 0) == (share > 0.0)
    weights[places] = case.weights
    nodes, wanted = np.empty((7, 5)), np.zeros((N_TESTS, 5))
    for s, (first, last) in enumerate([(0, 7), (7, 7), (7, 12)]):
        module.gather_rows(weights, wide, data, s, nodes)
        for t in range(first, last):
            begin, end = case.data.unigram_starts[t : t + 2]
            of = case.data.unigram_tests[begin:end]
            assert nodes[t - first] == pytest.approx(dense[of].sum(axis=0))
            wanted[of] += nodes[t - first]
        module.scatter_rows(target, wide, data, s, nodes)
    assert target[places] == pytest.approx(wanted[tests, labels])


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_the_gradient_is_the_same_over_a_wider_space(
    case: Case, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(features_layout, "SHARE", share)
    monkeypatch.setattr(features_layout, "OFTEN", 0)
    assert size_of(features_layout.widen_space(case.space, case.data)[0]) >= size_of(case.space)
    gradient = np.empty(len(case.weights))
    problem = Problem.of(case.data, case.space, rho1=0.0, rho2=0.1)
    value = problem.smooth_objective(case.space)(case.weights, gradient)
    penalty = 0.05 * case.weights @ case.weights
    assert value == pytest.approx(case.surprise(case.weights) + penalty, abs=1e-9)
    wanted = case.expected() - case.counted() + 0.1 * case.weights
    assert gradient == pytest.approx(wanted, abs=1e-9)


def test_only_tests_that_are_true_often_are_widened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features_layout, "OFTEN", 1)
    case = drawn(1)
    wide, _ = features_layout.widen_space(case.space, case.data)
    longer = np.flatnonzero(
        (wide.unigrams.lasts - wide.unigrams.firsts)
        > (case.space.unigrams.lasts - case.space.unigrams.firsts)
    )
    often = np.bincount(case.data.unigram_tests) >= 5
    assert len(longer) and often[longer].all() and not often.all()
    assert size_of(wide) - size_of(case.space) <= len(case.data.unigram_tests)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("n", [1, 3, 4, 9])
def test_rows_times_factors(tier: Any, n: int) -> None:
    random = np.random.default_rng(n)
    row, factors, rows = random.normal(size=3), random.normal(size=n), random.normal(size=(n, 3))
    wanted = row + factors @ rows
    tier(crf_sums).add_rows(row, factors, rows)
    assert row == pytest.approx(wanted)


def test_a_beginning_is_nearer_to_the_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case.drawn(2, lengths=(4, 3, 0, 5, 1, 4, 3, 2), kind="seen")
    problem = Problem.of(case.data, case.space, rho1=0.0, rho2=0.05)
    start = first_weights(problem, seed=0)
    again = first_weights(problem, seed=0)
    assert start.values.tolist() == again.values.tolist()
    assert problem.objective(start) < problem.objective(NO_WEIGHTS)
    ends = []
    for some in (start, NO_WEIGHTS):
        weights = np.zeros(problem.size)
        weights[some.numbers] = some.values
        descent = Descent(problem.smooth_objective(problem.space), weights, rho1=0.0)
        while not descent.step():
            pass
        ends.append(descent.objective)
    assert ends[0] == pytest.approx(ends[1], rel=1e-6)
    monkeypatch.setattr(gradient_descent, "START_ETA", 1e3)
    assert len(first_weights(problem, seed=0).numbers) == 0
