"""Forward and backward, gradients and decoding, each beside every labelling written out."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from glyphone.data.kernels import exponentials, jit
from glyphone.learners.crf.kernels import decoding as crf_decoding
from glyphone.learners.crf.kernels import gradient as gradient_kernels
from glyphone.learners.crf.kernels import sums as crf_sums
from glyphone.learners.crf.kernels.arrays import room_of
from glyphone.learners.crf.training.objective import Problem
from glyphone.learners.optimization.parts import sequence_parts
from glyphone.learners.optimization.weights import NO_WEIGHTS, Weights
from tests.learners.crf.twins import EVERY, TIERS, Case, check_decoding, smaller

Array = Any
CASES = [
    Case.drawn(1),
    Case.drawn(2, kind="attested"),
    Case.drawn(3, kind="seen", share=0.5),
    Case.drawn(4, kind="attested", share=0.1, labels=4, lengths=(5, 3)),
    Case.drawn(5, bare=True),
    Case.drawn(6, bare=True, kind="attested", share=0.1, labels=4, lengths=(5,)),
    Case.drawn(7, labels=1),
]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize("tier", TIERS)
def test_sums_over_labels(case: Case, dense: bool, tier: Any) -> None:
    room = room_of(case.space, case.data)
    for space, weights in ((case.space, case.weights), smaller(case)):
        for s in range(len(case.data.bounds) - 1):
            n = case.length(s)
            if n == 0:
                continue
            log_z = tier(crf_sums).expect_from_weights(weights, space, case.data, s, dense, room)
            assert log_z == pytest.approx(case.log_z(s), abs=1e-10)
            shares = case.probabilities(s)
            for t, y in itertools.product(range(n), range(space.n_labels)):
                wanted = math.fsum(p for path, p in shares.items() if path[t] == y)
                assert room.nodes[t, y] == pytest.approx(wanted, abs=1e-10)
            edges = case.data.edges[case.data.bounds[s] : case.data.bounds[s + 1]]
            for edge in range(edges.max() + 1):
                kept = room.kept[edge]
                chosen = room.chosen[edge, :kept] if kept >= 0 else range(len(space.befores))
                for k, p in enumerate(chosen):
                    pair = space.befores[p], space.afters[p]
                    wanted = math.fsum(
                        share
                        for path, share in shares.items()
                        for t in np.flatnonzero(edges == edge).tolist()
                        if path[t - 1 : t + 1] == pair
                    )
                    assert room.edges[edge, k] == pytest.approx(wanted, abs=1e-10)


def test_few_weights_are_kept_by_themselves() -> None:
    case = CASES[3]
    space, weights = smaller(case)
    room = room_of(space, case.data)
    crf_sums.expect_from_weights(weights, space, case.data, 0, False, room)
    assert (room.kept >= 0).any()
    crf_sums.expect_from_weights(weights, space, case.data, 0, True, room)
    assert (room.kept < 0).all()


@pytest.mark.parametrize("case", CASES)
def test_gradient_is_expected_less_counted(case: Case) -> None:
    problem = Problem.of(case.data, case.space, rho1=0.7, rho2=0.3)
    gradient = np.empty(problem.size)
    value = problem.smooth_objective(case.space)(case.weights, gradient)
    penalty = 0.15 * case.weights @ case.weights
    assert value == pytest.approx(case.surprise(case.weights) + penalty, abs=1e-9)
    wanted = case.expected() - case.counted() + 0.3 * case.weights
    assert gradient == pytest.approx(wanted, abs=1e-9)
    numbers = np.flatnonzero(case.weights)
    found = problem.objective(Weights(numbers, case.weights[numbers]))
    assert found == pytest.approx(value + 0.7 * np.abs(case.weights).sum(), abs=1e-9)


@pytest.mark.parametrize("case", CASES[:3])
def test_gradient_is_that_of_differences(case: Case) -> None:
    problem = Problem.of(case.data, case.space, rho1=0.0, rho2=0.5)
    function, gradient = problem.smooth_objective(case.space), np.empty(problem.size)
    function(case.weights, gradient)
    for k in np.random.default_rng(0).permutation(problem.size)[:12].tolist():
        around = []
        for step in (1e-5, -1e-5):
            weights = case.weights.copy()
            weights[k] += step
            around.append(function(weights, np.empty(problem.size)))
        assert gradient[k] == pytest.approx((around[0] - around[1]) / 2e-5, abs=1e-6)


@pytest.mark.parametrize("case", CASES)
def test_slopes_of_weights_that_are_not_in_memory(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glyphone.learners.crf.training.objective.SLAB", 7)
    problem = Problem.of(case.data, case.space, rho1=0.5, rho2=0.0, jobs=2)
    numbers = np.flatnonzero(case.weights)
    steep = problem.steep_weights(Weights(numbers, case.weights[numbers]), 0.2)
    wanted = case.expected() - case.counted()
    assert steep.numbers.tolist() == np.flatnonzero(np.abs(wanted) > 0.2).tolist()
    assert steep.values == pytest.approx(wanted[steep.numbers], abs=1e-10)


def test_sums_do_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glyphone.learners.optimization.parts.FEWEST", 2)
    case = Case.drawn(8, lengths=(3, 0, 2, 4, 1, 5, 2))
    found = []
    for jobs in (1, 3):
        problem = Problem.of(case.data, case.space, rho1=0.5, rho2=0.1, jobs=jobs)
        assert len(sequence_parts(problem.data.bounds, problem.size)) > 3
        gradient = np.empty(problem.size)
        found.append(
            (problem.smooth_objective(case.space)(case.weights, gradient), gradient.tolist())
        )
    assert found[0] == found[1]
    assert found[0][1] == pytest.approx(case.expected() - case.counted() + 0.1 * case.weights)


def masks(case: Case, seed: int) -> Array:
    """Labels that there may be, one at least at each position."""
    random = np.random.default_rng(seed)
    mask = random.random((len(case.data.labels), case.space.n_labels)) < 0.6
    mask[np.arange(len(mask)), random.integers(0, case.space.n_labels, len(mask))] = True
    return mask


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("masked", [False, True])
def test_best_labels_and_posteriors(case: Case, tier: Any, masked: bool) -> None:
    space, weights = smaller(case)
    mask = masks(case, 1) if masked else EVERY
    check_decoding(case, tier(crf_decoding), space, weights, mask)


def test_equal_labellings_are_told_in_order() -> None:
    case = Case.drawn(1, lengths=(2,), share=0.0)
    space, weights = smaller(case)
    room, best = room_of(space, case.data), np.ones(2, np.int32)
    crf_decoding.write_best_labels(weights, space, case.data, EVERY, room, best)
    assert best.tolist() == [0, 0]
    paths, _ = crf_decoding.n_best(weights, space, case.data, 0, 3, EVERY, room)
    assert paths.tolist() == [[0, 0], [1, 0], [2, 0]]


@pytest.mark.parametrize("tier", TIERS)
def test_exponentials(tier: Any) -> None:
    drawn = np.random.default_rng(0).normal(size=50, scale=30)
    values = np.array([0.0, 1.0, -1.0, 699.9, -699.9, -np.inf, -1e9, 1e9, *drawn])
    found, halves = values.copy(), np.zeros(100)
    tier(exponentials).write_exp(found, halves, halves.view(np.int64))
    assert found[0] == 1.0 and found[5] == found[6] == 0.0
    assert found[7] == pytest.approx(math.exp(exponentials.LIMIT))
    wanted = np.exp(np.delete(values, [5, 6, 7]))
    assert np.abs(np.delete(found, [5, 6, 7]) / wanted - 1).max() < 1e-15


def test_long_sequences_keep_their_range() -> None:
    case = Case.drawn(9, lengths=(10_000,), labels=2)
    weights = 20 * case.weights
    problem = Problem.of(case.data, case.space, rho1=0.5, rho2=0.0)
    gradient = np.empty(problem.size)
    assert np.isfinite(problem.smooth_objective(case.space)(weights, gradient))
    assert np.isfinite(gradient).all()
    room = room_of(case.space, case.data)
    jit.compiled(crf_sums).expect_from_weights(weights, case.space, case.data, 0, False, room)
    assert room.nodes.sum(axis=1) == pytest.approx(1.0)


def test_nothing_is_surprising_where_nothing_is() -> None:
    case = Case.drawn(1, lengths=(0, 0))
    problem = Problem.of(case.data, case.space, rho1=0.5, rho2=0.0)
    assert problem.objective(NO_WEIGHTS) == 0.0
    assert len(problem.steep_weights(NO_WEIGHTS, 0.0).numbers) == 0


def test_places_of_weights() -> None:
    case = Case.drawn(3, kind="seen")
    for family, n in ((case.space.unigrams, 3), (case.space.bigrams, len(case.space.befores))):
        for test, cell in itertools.product(range(4), range(-1, n)):
            wanted = case.weight(family, test, cell)[0]
            assert gradient_kernels.weight_place(family, test, cell, n) == wanted
