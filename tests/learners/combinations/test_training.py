"""Grafting beside the minimum over all products made as columns; ways that training ends."""

from __future__ import annotations

import os
import signal
from typing import Any

import numpy as np
import pytest
import sklearn
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from glyphone.data.kernels import jit
from glyphone.learners.combinations.estimator import CombinationClassifier
from glyphone.learners.combinations.training import Round
from glyphone.learners.optimization.loop import STOPPED, stop_signals
from tests.learners.combinations import twins

Array = Any


@pytest.mark.parametrize("most", [0.5, 1.0, 3.0])
@pytest.mark.parametrize(("degree", "n_labels"), [(1, 3), (2, 2), (2, 3), (3, 2), (3, 4)])
def test_the_objective_is_that_of_enumeration(degree: int, n_labels: int, most: float) -> None:
    X, y, weights = twins.drawn(10 + degree, n_labels=n_labels, most=most)
    learner = CombinationClassifier(degree=degree, rho1=0.4, batch=3).fit(X, y, weights)
    assert learner.objective_ == pytest.approx(
        twins.least_objective(X, y, weights, degree, 0.4), abs=1e-3
    )
    logs = learner.predict_log_proba(X)[np.arange(len(y)), y]
    penalty = 0.4 * (abs(learner.weights_).sum() + np.abs(learner.intercept_).sum())
    assert penalty - weights @ logs == pytest.approx(learner.objective_)


def test_plain_kernels_find_the_minimum_too(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, _ = twins.drawn(3, n=25, n_features=4)
    found = []
    for tier in (lambda module: module, jit.compiled):
        monkeypatch.setattr(jit, "tier", lambda module, work, tier=tier: tier(module))
        found.append(CombinationClassifier(rho1=0.5).fit(X, y))
    plain, machine = found
    assert plain.objective_ == pytest.approx(machine.objective_, abs=1e-9)
    assert plain.products_.tolist() == machine.products_.tolist()


def l1_regression(C: float) -> LogisticRegression:
    """That of liblinear; scikit-learn 1.8 has another name for its penalty."""
    old = tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 8)
    penalty: dict[str, Any] = {"penalty": "l1"} if old else {"l1_ratio": 1.0}
    fixed: dict[str, Any] = {"fit_intercept": False, "tol": 1e-7, "max_iter": 10_000}
    return LogisticRegression(C=C, solver="liblinear", **fixed, **penalty)


@pytest.mark.parametrize("rho1", [5.0, 20.0])
def test_exclusive_or(rho1: float) -> None:
    """The minimum is that of liblinear over all products, and much better than without them."""
    (X, y), (asked, right) = twins.exclusive_or(0, 2000), twins.exclusive_or(1, 2000)
    learner = CombinationClassifier(rho1=rho1).fit(X, y)
    columns = twins.all_products(X, 2)[1]
    every = l1_regression(1 / rho1).fit(columns, y)
    z = columns @ every.coef_[0]
    least = np.logaddexp(0, np.where(y == 1, -z, z)).sum() + rho1 * np.abs(every.coef_).sum()
    assert learner.objective_ == pytest.approx(least, abs=1e-3)
    assert learner.score(asked, right) > 0.94
    assert CombinationClassifier(degree=1, rho1=rho1).fit(X, y).score(asked, right) < 0.55


def test_slopes_are_those_of_a_minimum() -> None:
    X, y = twins.zipfian(1, n=1000, n_features=60)
    rho1, tol = 5.0, 1e-2
    learner = CombinationClassifier(rho1=rho1).fit(X, y)
    factors, columns = twins.all_products(X, 2)
    alphas = (y == 1) - learner.predict_proba(X)[:, 1]
    slopes = dict(zip(factors, columns.T @ alphas, strict=True))
    active = {
        tuple(f for f in row if f >= 0): weight
        for row, weight in zip(
            learner.products_.tolist(), learner.weights_.toarray()[:, 0], strict=True
        )
    }
    assert len(active) > 20
    for product, slope in slopes.items():
        if product in active:
            assert slope == pytest.approx(rho1 * np.sign(active[product]), abs=tol)
        else:
            assert abs(slope) <= rho1 + tol


def test_parity_of_three() -> None:
    (X, y), (asked, right) = twins.exclusive_or(2, 1500, 3), twins.exclusive_or(3, 1500, 3)
    X, asked = X[:, :12], asked[:, :12]
    scores = [
        CombinationClassifier(degree=degree, rho1=5.0).fit(X, y).score(asked, right)
        for degree in (1, 2, 3)
    ]
    assert max(scores[:2]) < 0.6
    assert scores[2] > 0.93


def test_batches_end_at_one_minimum() -> None:
    X, y = twins.zipfian(2, n=500, n_features=40)
    few, many = (CombinationClassifier(rho1=2.0, batch=b).fit(X, y) for b in (1, 1000))
    assert few.objective_ == pytest.approx(many.objective_, abs=1e-3)
    assert len(few.history_) > 2 * len(many.history_)


def test_so_many_weights_at_most() -> None:
    X, y = twins.zipfian(3, n=500, n_features=40)
    learner = CombinationClassifier(rho1=2.0, max_active=10).fit(X, y)
    n_active = learner.weights_.nnz + np.count_nonzero(learner.intercept_)
    assert learner.ended_ == "max_active"
    assert n_active <= 10


def test_too_few_iterations_are_told() -> None:
    X, y = twins.zipfian(3, n=500, n_features=40)
    with pytest.warns(ConvergenceWarning, match="max_iter = 6 iterations; give more"):
        learner = CombinationClassifier(rho1=2.0, max_iter=6).fit(X, y)
    assert learner.ended_ == "max_iter"
    assert learner.n_iter_ == 6


def test_an_interrupt_keeps_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = twins.exclusive_or(4, 500)
    rounds = []

    def report(_: CombinationClassifier, one: Round) -> None:
        rounds.append(one)
        if one.objective < 300:
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(CombinationClassifier, "_report", report)
    learner = CombinationClassifier(rho1=2.0).fit(X, y)
    assert learner.ended_ == STOPPED
    assert learner.objective_ == pytest.approx(rounds[-1].objective)
    assert learner.score(X, y) > 0.8


def test_an_interrupt_in_a_kernel_is_an_interrupt() -> None:
    within = SystemError("a helper of numba")
    within.__cause__ = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt), stop_signals():
        raise SystemError("a kernel") from within
    with pytest.raises(SystemError, match="another fault"), stop_signals():
        raise SystemError("another fault")


def test_progress_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    X, y = twins.exclusive_or(5, 100)
    CombinationClassifier(rho1=5.0, verbose=True).fit(X, y)
    first = capsys.readouterr().err.splitlines()[0]
    assert first.startswith("iteration 0: objective 69.315, 0 weights, 0 products looked at,")
