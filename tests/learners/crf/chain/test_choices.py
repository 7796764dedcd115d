"""Tokens with a choice of labels: the same twins, and the same as all labels where all may be."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.learners.crf.chain.choices import Choices, space_of_choices
from glyphone.learners.crf.estimator import SequenceCRF
from glyphone.learners.crf.features.weights import size_of, weights_of
from glyphone.learners.crf.kernels import choice_decoding, choice_gradient, choice_sums
from glyphone.learners.crf.kernels.arrays import room_of
from glyphone.learners.crf.training.gradient_descent import GradientDescent
from glyphone.learners.crf.training.loop import TrainingOptions, train_weights
from glyphone.learners.crf.training.objective import Problem
from glyphone.learners.optimization.loop import Watcher
from glyphone.learners.optimization.weights import NO_WEIGHTS, Weights
from tests.learners.crf.test_estimator import DEV, TRAIN, WIDE
from tests.learners.crf.training.test_loop import RHO1, named, problem_of, slopes, tsuruoka
from tests.learners.crf.twins import EVERY, TIERS, Case, check_decoding, smaller

Array = Any
LENGTHS = (4, 0, 1, 3, 5, 2)
CASES = [
    Case.drawn(1, choice=True),
    Case.drawn(2, choice=True, lengths=LENGTHS, tests=7),
    Case.drawn(3, choice=True, bare=True, share=0.6),
    Case.drawn(4, choice=True, labels=1),
    Case.drawn(5, choice=True, tests=30, lengths=(3, 3, 3)),
]


def test_weights_that_may_be() -> None:
    """A test that goes with one choice has weights of it alone, and they are fewer so."""
    for case in CASES[:3] + CASES[4:]:
        n, data = case.space.n_labels, case.data
        families = (case.space.unigrams, n), (case.space.bigrams, n * n)
        for (family, n_cells), bigrams in zip(families, (False, True), strict=True):
            starts = data.bigram_starts if bigrams else data.unigram_starts
            tests = data.bigram_tests if bigrams else data.unigram_tests
            owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
            for test in range(len(family.firsts)):
                there = owners[tests == test]
                kinds = {
                    (int(data.chosen[t - 1]) if bigrams else 0, int(data.chosen[t])) for t in there
                }
                n_own = family.lasts[test] - family.firsts[test]
                if len(kinds) == 1:
                    ((before, after),) = kinds
                    widths = np.diff(data.choice_starts)
                    assert n_own == widths[after] * (widths[before] if bigrams else 1)
                else:
                    assert n_own == n_cells
    case = CASES[4]
    assert size_of(case.space) < size_of(weights_of(case.data, 3, (30, 30), "all"))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("some", [False, True])
@pytest.mark.parametrize("tier", TIERS)
def test_sums_over_choices(case: Case, some: bool, tier: Any) -> None:
    space, weights = smaller(case) if some else (case.space, case.weights)
    room = room_of(case.space, case.data)
    for s in range(len(case.data.bounds) - 1):
        n, may = case.length(s), case.may(s)
        if n == 0:
            continue
        log_z = tier(choice_sums).expect_from_weights(weights, space, case.data, s, some, room)
        assert log_z == pytest.approx(case.log_z(s), abs=1e-10)
        shares = case.probabilities(s)
        for t in range(n):
            for j, y in enumerate(may[t]):
                wanted = math.fsum(p for path, p in shares.items() if path[t] == y)
                assert room.nodes[t, j] == pytest.approx(wanted, abs=1e-10)
            for k, pair in enumerate(itertools.product(may[t - 1], may[t]) if t else ()):
                wanted = math.fsum(p for path, p in shares.items() if path[t - 1 : t + 1] == pair)
                assert room.edges[t, k] == pytest.approx(wanted, abs=1e-10)


@pytest.mark.parametrize("case", CASES)
def test_gradient_is_expected_less_counted(case: Case) -> None:
    problem = Problem.of(case.data, case.space, rho1=0.7, rho2=0.3)
    gradient = np.empty(problem.size)
    value = problem.smooth_objective(case.space)(case.weights, gradient)
    penalty = 0.15 * case.weights @ case.weights
    assert value == pytest.approx(case.surprise(case.weights) + penalty, abs=1e-9)
    wanted = case.expected() - case.counted()
    assert gradient == pytest.approx(wanted + 0.3 * case.weights, abs=1e-9)
    numbers = np.flatnonzero(case.weights)
    found = Weights(numbers, case.weights[numbers])
    penalty += 0.7 * np.abs(case.weights).sum()
    assert problem.objective(found) == pytest.approx(case.surprise(case.weights) + penalty)
    steep = problem.steep_weights(found, 0.2)
    assert steep.numbers.tolist() == np.flatnonzero(np.abs(wanted) > 0.2).tolist()
    assert steep.values == pytest.approx(wanted[steep.numbers], abs=1e-10)


@pytest.mark.parametrize("case", CASES[:3])
def test_stochastic_descent_is_that_of_its_authors(case: Case) -> None:
    descent = GradientDescent(problem_of(case), NO_WEIGHTS, eta=0.5, decay=0.8, seed=3)
    for _ in range(3):
        descent.iterate()
    found = np.zeros(len(case.weights))
    found[descent.current_weights().numbers] = descent.current_weights().values
    assert found == pytest.approx(tsuruoka(case, 3, 0.5, 0.8, 3), abs=1e-10)


@pytest.mark.parametrize("case", CASES[:3])
def test_conditions_of_the_minimum(case: Case) -> None:
    watcher, options = (
        Watcher(5, None, lambda progress: None),
        TrainingOptions(max_iter=400, tol=1e-9),
    )
    found, _ = train_weights(problem_of(case), named(case), NO_WEIGHTS, options, watcher)
    dense, gradient = slopes(case, found)
    there = dense != 0.0
    assert 0 < there.sum() < len(dense)
    assert (np.abs(gradient[~there]) <= RHO1 + 1e-3).all()
    assert gradient[there] == pytest.approx(-RHO1 * np.sign(dense[there]), abs=1e-3)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("masked", [False, True])
def test_best_labels_and_posteriors(case: Case, tier: Any, masked: bool) -> None:
    mask = EVERY
    if masked:
        n = len(case.data.labels)
        mask = np.random.default_rng(1).random((n, case.space.n_labels)) < 0.5
        mask[np.arange(n), case.data.labels] = True
    check_decoding(case, tier(choice_decoding), *smaller(case), mask)


def test_labels_that_are_no_choice_are_impossible() -> None:
    case = CASES[0]
    data = case.data._replace(labels=(case.data.labels + 1) % 3)
    found, room = np.zeros(len(data.bounds) - 1), room_of(case.space, data)
    places = np.arange(9).reshape(3, 3)
    space, weights = smaller(case)
    choice_gradient.write_surprises(weights, space, data, 0, len(found), places, room, found)
    for s in range(len(found)):
        inside = all(
            y in may
            for y, may in zip(
                data.labels[data.bounds[s] : data.bounds[s + 1]], case.may(s), strict=True
            )
        )
        assert np.isfinite(found[s]) == inside


def test_what_was_not_seen_may_have_any_label() -> None:
    choices = Choices.learn(["a", "b", "a"], np.array([0, 2, 1]), 3)
    data = Case.drawn(1, lengths=(2,)).data
    put = choices.add_to(data, choices.numbers_for(["?", "b"]))
    assert np.diff(put.choice_starts)[put.chosen].tolist() == [3, 1]
    assert space_of_choices(put, 3, (4, 4)).n_labels == 3


def test_estimators_with_choices(tmp_path: Any) -> None:
    from glyphone.models.learners import file as learner_file

    for options in ({}, {"optimizer": "sgd", "max_iter": 15, "tol": 0.0, "polish": 3}):
        learner = SequenceCRF(templates=WIDE, choices="u:%x[0,0]", rho1=0.1, **options)
        learner.fit(TRAIN, dev=DEV)
        assert learner.score(DEV) > 0.97
        whole = SequenceCRF(templates=WIDE, max_iter=1).fit(TRAIN)
        assert learner.n_weights_ < whole.n_weights_ / 2
        (shares,) = learner.predict_marginals([("p", "c", "q")])
        assert (shares[0] > 0).sum() == 1 and (shares[1] > 0).sum() == 2
        assert (shares[2] > 0).all()
        learner_file.save(learner, tmp_path / "model.glyphone")
        again = learner_file.load(tmp_path / "model.glyphone")
        assert again.predict_nbest(DEV, n=3) == learner.predict_nbest(DEV, n=3)
        assert learner.log_probability([("p",)], [("c",)]) == [-math.inf]
    for wrong in ({"optimizer": "bcd"}, {"weights": "seen"}):
        with pytest.raises(GlyphoneError, match="choices go with all weights"):
            SequenceCRF(templates=WIDE, choices="u:%x[0,0]", **wrong).fit(TRAIN)
