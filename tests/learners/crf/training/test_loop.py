"""Optimisers: where they end is the minimum, by its conditions; how, by plain twins."""

from __future__ import annotations

import os
import signal
from typing import Any

import numpy as np
import pytest

from glyphone.learners.crf.features import numbering
from glyphone.learners.crf.training import working_set
from glyphone.learners.crf.training.gradient_descent import GradientDescent
from glyphone.learners.crf.training.loop import TrainingOptions, train_weights
from glyphone.learners.crf.training.objective import Problem
from glyphone.learners.crf.training.solve import polish_weights
from glyphone.learners.crf.training.working_set import WorkingSet
from glyphone.learners.optimization.loop import LAST, STOPPED, WATCHED, TrainingProgress, Watcher
from glyphone.learners.optimization.weights import NO_WEIGHTS, Weights
from tests.learners.crf.twins import Case

Array = Any
RHO1, RHO2 = 0.3, 0.05
LENGTHS = (4, 3, 0, 5, 1, 4, 3, 2)
CASES = [
    Case.drawn(1, lengths=LENGTHS),
    Case.drawn(2, lengths=LENGTHS, kind="attested"),
    Case.drawn(3, lengths=LENGTHS, kind="seen"),
    Case.drawn(4, lengths=LENGTHS, bare=True),
]


def problem_of(case: Case, **penalties: float) -> Problem:
    return Problem.of(case.data, case.space, **{"rho1": RHO1, "rho2": RHO2, **penalties})


def named(case: Case) -> numbering.Tests:
    unigrams = {f"*{k}": k for k in range(len(case.space.unigrams.firsts))}
    bare = len(case.space.bigrams.firsts) == 1
    return numbering.Tests(unigrams, {"b": 0} if bare else dict(unigrams))


def minimum(case: Case, optimizer: str, **options: Any) -> tuple[Weights, list[TrainingProgress]]:
    penalties = options.pop("penalties", {})
    watcher = Watcher(5, None, lambda progress: None)
    chosen = TrainingOptions(
        optimizer=optimizer, **{"max_iter": 400, "tol": 1e-9, **penalties, **options}
    )
    found, _ = train_weights(
        problem_of(case, **penalties), named(case), NO_WEIGHTS, chosen, watcher
    )
    return found, watcher.history


def slopes(case: Case, weights: Weights, rho2: float = RHO2) -> tuple[Array, Array]:
    """All weights, and the gradient there of what has one."""
    dense = np.zeros(len(case.weights))
    dense[weights.numbers] = weights.values
    gradient = np.empty_like(dense)
    Problem.of(case.data, case.space, rho1=0.0, rho2=rho2).smooth_objective(case.space)(
        dense, gradient
    )
    return dense, gradient


@pytest.mark.parametrize("optimizer", ["owl-qn", "bcd"])
@pytest.mark.parametrize("case", CASES)
def test_conditions_of_the_minimum(case: Case, optimizer: str) -> None:
    """Karush, Kuhn and Tucker: |g| <= rho1 at zeros, g + rho1 sign(theta) = 0 elsewhere."""
    found, _ = minimum(case, optimizer)
    dense, gradient = slopes(case, found)
    there = dense != 0.0
    assert 0 < there.sum() < len(dense)
    assert (np.abs(gradient[~there]) <= RHO1 + 1e-3).all()
    assert gradient[there] == pytest.approx(-RHO1 * np.sign(dense[there]), abs=1e-3)


@pytest.mark.parametrize("case", CASES)
def test_optimisers_agree(case: Case) -> None:
    objectives = []
    for optimizer in ("owl-qn", "bcd"):
        found, history = minimum(case, optimizer)
        objectives.append(problem_of(case).objective(found))
        assert history[-1].objective == pytest.approx(objectives[-1], rel=1e-9)
    assert objectives[0] == pytest.approx(objectives[1], rel=1e-4)
    plain = problem_of(case, rho2=0.0)
    best = plain.objective(minimum(case, "owl-qn", penalties={"rho2": 0.0})[0])
    steps, _ = minimum(case, "sgd", penalties={"rho2": 0.0}, max_iter=60, tol=0.0)
    assert best <= plain.objective(steps) <= 1.03 * best


def test_only_some_weights_take_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights that were left out at first come in where they must, and the end is the same."""
    case = CASES[0]
    whole = problem_of(case).objective(minimum(case, "owl-qn")[0])
    monkeypatch.setattr(working_set, "LIKELY", 1.0)
    problem = problem_of(case)
    start = Weights(np.arange(3), np.full(3, 2.0))
    taken = WorkingSet(problem, start)
    first = len(taken.numbers)
    for _ in range(60):
        if taken.iterate()[1]:
            break
    assert taken.may_end()
    assert len(taken.numbers) < problem.size and len(taken.numbers) != first
    assert problem.objective(taken.current_weights()) == pytest.approx(whole, rel=1e-6)


def test_lbfgs_ends_where_the_gradient_is_zero() -> None:
    for case in CASES:
        found, history = minimum(case, "lbfgs", penalties={"rho1": 0.0})
        _, gradient = slopes(case, found)
        assert np.abs(gradient).max() < 1e-2
        values = [progress.objective for progress in history]
        assert (np.diff(values) <= 0.0).all()


def true_in(case: Case, s: int) -> list[int]:
    """The weights of all tests that are true in a sequence."""
    data, found = case.data, dict[int, None]()
    first, last = data.bounds[s], data.bounds[s + 1]
    for family, starts, tests in (
        (case.space.unigrams, data.unigram_starts, data.unigram_tests),
        (case.space.bigrams, data.bigram_starts, data.bigram_tests),
    ):
        for test in tests[starts[first] : starts[last]].tolist():
            found |= dict.fromkeys(range(family.firsts[test], family.lasts[test]))
    return [*found]


def tsuruoka(case: Case, epochs: int, eta: float, decay: float, seed: int) -> Array:
    """Stochastic descent as its authors write it, weight by weight."""
    n = len(case.data.bounds) - 1
    theta, paid, due, i = np.zeros(len(case.weights)), np.zeros(len(case.weights)), 0.0, 0
    random = np.random.default_rng(seed)
    for _ in range(epochs):
        for s in random.permutation(n).tolist():
            step = eta * decay ** (i / n)
            due, i = due + step * RHO1 / n, i + 1
            now = Case(case.data, case.space, theta)
            part = dict.fromkeys(true_in(case, s), 0.0)
            for path, share in now.probabilities(s).items():
                for k, _ in now.parts(s, path):
                    part[k] += share
            for k, _ in now.parts(s, now.gold(s)):
                part[k] -= 1.0
            for k, slope in part.items():
                theta[k] -= step * slope
                z = theta[k]
                if z > 0:
                    theta[k] = max(0.0, z - (due + paid[k]))
                elif z < 0:
                    theta[k] = min(0.0, z + (due - paid[k]))
                paid[k] += theta[k] - z
    return theta


@pytest.mark.parametrize("case", CASES)
def test_stochastic_descent_is_that_of_its_authors(case: Case) -> None:
    problem = problem_of(case)
    descent = GradientDescent(problem, NO_WEIGHTS, eta=0.5, decay=0.8, seed=3)
    for _ in range(3):
        descent.iterate()
    wanted = tsuruoka(case, 3, 0.5, 0.8, 3)
    found = np.zeros(problem.size)
    found[descent.current_weights().numbers] = descent.current_weights().values
    assert found == pytest.approx(wanted, abs=1e-10)
    assert 0 < np.count_nonzero(wanted) < problem.size


def test_stochastic_descent_tells_the_surprise_that_it_meets() -> None:
    case = Case.drawn(5, lengths=(3,))
    descent = GradientDescent(problem_of(case), NO_WEIGHTS, eta=0.5, decay=0.8, seed=0)
    before = case.surprise(np.zeros(len(case.weights)))
    objective, _ = descent.iterate()
    assert objective == pytest.approx(
        before + RHO1 * np.abs(descent.current_weights().values).sum()
    )


def test_blocks_move_when_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[0]
    wanted, _ = minimum(case, "bcd", max_iter=4, tol=0.0)
    monkeypatch.setattr("glyphone.learners.crf.training.coordinate_descent.STRETCH", 1)
    found, _ = minimum(case, "bcd", max_iter=4, tol=0.0)
    assert found.numbers.tolist() == wanted.numbers.tolist()
    assert found.values.tolist() == wanted.values.tolist()


def test_a_start_that_was_learnt_before() -> None:
    case = CASES[1]
    found, _ = minimum(case, "owl-qn")
    best = problem_of(case).objective(found)
    for optimizer in ("owl-qn", "bcd"):
        watcher = Watcher(5, None, lambda progress: None)
        again, _ = train_weights(
            problem_of(case),
            named(case),
            found,
            TrainingOptions(optimizer=optimizer, tol=1e-6),
            watcher,
        )
        assert len(watcher.history) < 8
        assert problem_of(case).objective(again) == pytest.approx(best, rel=1e-5)
    descent = GradientDescent(problem_of(case), found, eta=0.5, decay=0.8, seed=3)
    assert descent.current_weights().numbers.tolist() == found.numbers.tolist()
    assert descent.current_weights().values.tolist() == found.values.tolist()


def test_polish_makes_weights_larger_and_none_more() -> None:
    case = CASES[0]
    found, _ = minimum(case, "owl-qn")
    problem, watcher = problem_of(case), Watcher(5, None, lambda progress: None)
    better, _ = polish_weights(problem, named(case), found, 8, watcher)
    assert len(watcher.history) == 8
    assert {*better.numbers.tolist()} <= {*found.numbers.tolist()}
    dense, gradient = slopes(case, better)
    before, slope = slopes(case, found)
    assert np.abs(dense).sum() > np.abs(before).sum()
    there = found.numbers
    assert np.abs(gradient[there]).sum() < 0.5 * np.abs(slope[there]).sum()


def test_polish_is_kept_only_where_it_helps() -> None:
    case = CASES[0]
    found, _ = minimum(case, "owl-qn")
    errors = iter([0.1, 0.3, 0.2, 0.1, 0.4])
    watcher = Watcher(1, lambda weights: next(errors), lambda progress: None)
    better, _ = polish_weights(problem_of(case), named(case), found, 4, watcher)
    again, _ = polish_weights(
        problem_of(case), named(case), found, 3, Watcher(5, None, lambda progress: None)
    )
    # The third is as good as what there was, and the fourth is not.
    assert better.values == pytest.approx(again.values)


def test_the_weights_of_the_lowest_error_are_kept() -> None:
    errors = iter([0.5, 0.2, 0.2, 0.3, 0.4, 0.1])
    kept: list[Weights] = []

    def error_of(weights: Weights) -> float:
        kept.append(weights)
        return next(errors)

    watcher = Watcher(3, error_of, lambda progress: None)
    found, ended = train_weights(
        problem_of(CASES[0]),
        named(CASES[0]),
        NO_WEIGHTS,
        TrainingOptions(optimizer="sgd", tol=0.0),
        watcher,
    )
    assert ended == WATCHED and [p.error for p in watcher.history] == [0.5, 0.2, 0.2, 0.3, 0.4]
    assert found is kept[2]


@pytest.mark.parametrize("optimizer", ["owl-qn", "sgd", "bcd"])
def test_a_stop_signal_ends_training_with_what_there_is(optimizer: str) -> None:
    def tell(progress: TrainingProgress) -> None:
        if progress.iteration == 3:
            os.kill(os.getpid(), signal.SIGTERM)

    case, watcher = CASES[0], Watcher(5, None, tell)
    before = signal.getsignal(signal.SIGTERM)
    found, ended = train_weights(
        problem_of(case),
        named(case),
        NO_WEIGHTS,
        TrainingOptions(optimizer=optimizer, tol=0.0),
        watcher,
    )
    assert ended == STOPPED and len(watcher.history) == 3
    assert signal.getsignal(signal.SIGTERM) is before
    wanted, _ = minimum(case, optimizer, max_iter=3, tol=0.0)
    assert found.values.tolist() == wanted.values.tolist()


def test_training_ends_at_the_last_iteration() -> None:
    watcher = Watcher(5, None, lambda progress: None)
    options = TrainingOptions(max_iter=2)
    _, ended = train_weights(problem_of(CASES[0]), named(CASES[0]), NO_WEIGHTS, options, watcher)
    assert ended == LAST
    assert "iteration 2: objective" in str(watcher.history[-1])
