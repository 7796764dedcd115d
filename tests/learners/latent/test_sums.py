"""Sums over hidden paths, and slopes, beside every path written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glyphone.data.kernels import jit
from glyphone.data.records import Sequence
from glyphone.learners.crf.estimator import SequenceCRF
from glyphone.learners.latent import sum_kernels
from glyphone.learners.latent.arrays import Shape, room_of
from glyphone.learners.latent.estimator import LatentCRF
from glyphone.learners.latent.training import LatentProblem
from tests.learners.latent.twins import Case

SHAPES = [Shape(2, 1, 1), Shape(2, 3, 1), Shape(3, 2, 1), Shape(2, 2, 2), Shape(3, 1, 2)]
TIERS = [lambda module: module, jit.compiled]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tier", TIERS)
def test_sums_are_those_of_all_paths(shape: Shape, tier: Any) -> None:
    case = Case.drawn(1, shape)
    kernels, room = tier(sum_kernels), room_of(shape, case.data)
    model, data = case.model, case.data
    parts = (model.weights, shape, model.grams, data, 0, len(case.sentences), room)
    surprises = np.zeros(len(case.sentences))
    kernels.write_surprises(*parts, surprises)
    shares = np.zeros((len(data.labels), shape.n_labels * shape.states))
    kernels.write_probabilities(*parts, shares)
    for s, sentence in enumerate(case.sentences):
        first, last = data.bounds[s], data.bounds[s + 1]
        labels = tuple(data.labels[first:last].tolist())
        if not sentence.tokens:
            assert surprises[s] == 0.0
            continue
        assert np.exp(-surprises[s]) == pytest.approx(case.labellings(s)[labels], rel=1e-9)
        expected = np.zeros((last - first, shape.n_labels, shape.states))
        for path, share in case.paths(s).items():
            for t, (label, state) in enumerate(path):
                expected[t, label, state] += share
        assert np.allclose(shares[first:last], expected.reshape(last - first, -1), atol=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tier", TIERS)
def test_slopes_are_finite_differences(
    shape: Shape, tier: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "tier", lambda module, work: tier(module))
    case = Case.drawn(2, shape, lengths=(5, 1, 0, 3))
    problem = LatentProblem(case.data, shape, case.model.grams, 0.3, 2.0)
    weights, slopes = case.model.weights, np.zeros(problem.size)
    problem.objective(weights, slopes)
    empty, step = np.zeros(problem.size), 1e-6
    for k in range(0, problem.size, 3):
        moved = np.zeros(problem.size)
        moved[k] = step
        above, below = (problem.objective(weights + x, empty) for x in (moved, -moved))
        assert slopes[k] == pytest.approx((above - below) / (2 * step), rel=1e-5, abs=1e-7)


def test_objective_does_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glyphone.learners.optimization.parts.FEWEST", 2)
    shape = Shape(3, 2, 1)
    case = Case.drawn(3, shape, lengths=(3, 4, 2, 5, 1, 0, 3))
    found = []
    for jobs in (1, 3):
        problem = LatentProblem(case.data, shape, case.model.grams, 0.1, jobs=jobs)
        assert len(problem.sums.parts) > 3
        slopes = np.zeros(problem.size)
        found.append((problem.objective(case.model.weights, slopes), slopes.tolist()))
    assert found[0] == found[1]


def test_one_state_is_a_chain() -> None:
    draw = np.random.default_rng(5)
    sentences = [draw.choice([*"abcd"], 6).tolist() for _ in range(20)]
    labels = [draw.choice([*"xyz"], 6).tolist() for _ in range(20)]
    options = {"templates": "*0:%x[0,0]\nu-1:%x[-1,0]\nB", "tol": 0.0, "max_iter": 500}
    latent = LatentCRF(states=1, spread=0.0, starts=1, rho2=0.5, **options).fit(sentences, labels)
    chain = SequenceCRF(optimizer="lbfgs", rho1=0.0, rho2=0.5, weights="seen", **options)
    chain.fit(sentences, labels)
    objectives = [one.history_[-1]["objective"] for one in (latent, chain)]
    assert objectives[0] == pytest.approx(objectives[1], abs=1e-6)
    assert latent.predict(sentences) == chain.predict(sentences)
    for one, other in zip(
        latent.predict_marginals(sentences), chain.predict_marginals(sentences), strict=True
    ):
        assert np.allclose(one, other, atol=1e-4)


def test_long_and_extreme_sequences_stay_finite() -> None:
    shape = Shape(2, 2, 2)
    case = Case.drawn(4, shape, lengths=(3,), scale=60.0)
    sentence = Sequence(("a", "b", "c") * 1667)
    data = case.model.data([sentence], "*0:%x[0,0]\nu-1:%x[-1,0]\nb+1:%x[1,0]\nB")
    shares = case.model.state_probabilities(data)
    assert np.allclose(shares.sum(axis=(1, 2)), 1.0)
    assert case.model.best(data).labels.shape == (5001,)
