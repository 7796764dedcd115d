"""Sums over segmentations, probabilities and slopes, beside every segmentation written out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from glyphone.data.kernels import jit
from glyphone.data.records import Sequence
from glyphone.learners.crf.estimator import SequenceCRF
from glyphone.learners.semimarkov import search_kernels, sum_kernels
from glyphone.learners.semimarkov.arrays import (
    States,
    lists_for,
    one_state,
    packed_states,
    room_of,
)
from glyphone.learners.semimarkov.estimator import SemiMarkovCRF
from glyphone.learners.semimarkov.training import SegmentProblem
from tests.learners.semimarkov.twins import TEMPLATES, Case, split_states, weights_in

TIERS = [lambda module: module, jit.compiled]
WITHOUT_PRECEDING = TEMPLATES.partition("preceding")[0]
CASES = [
    (TEMPLATES, packed_states(2), 1.0),
    (TEMPLATES, split_states(2), 1.0),
    (TEMPLATES, packed_states(2), 0.4),
    (WITHOUT_PRECEDING, one_state(2), 1.0),
    (WITHOUT_PRECEDING, one_state(2), 0.4),
]


@pytest.mark.parametrize(("templates", "states", "share"), CASES)
@pytest.mark.parametrize("tier", TIERS)
def test_sums_are_those_of_all_segmentations(
    templates: str, states: States, share: float, tier: Any
) -> None:
    case = Case.drawn(1, templates=templates, share=share)
    data, model = case.data, case.model
    kernels, n = tier(sum_kernels), len(case.sentences)
    parts = (
        model.weights,
        model.features,
        states,
        data,
        0,
        n,
        room_of(model.features, states, data),
    )
    surprises, shares = np.zeros(n), np.zeros((len(data.begins), 3))
    kernels.write_surprises(*parts, surprises)
    kernels.write_probabilities(*parts, shares)
    for s, sentence in enumerate(case.sentences):
        if not sentence.tokens:
            assert surprises[s] == 0.0
            continue
        ways = case.ways(s)
        assert np.exp(-surprises[s]) == pytest.approx(ways[case.gold(s)], rel=1e-9)
        expected = Counter[tuple[int, int, int]]()
        for way, probability in ways.items():
            for segment in way:
                expected[segment] += probability
        first = data.bounds[s]
        for last in range(len(sentence.tokens)):
            for j in range(data.firsts[first + last], data.firsts[first + last + 1]):
                for y in range(3):
                    segment = (int(data.begins[j] - first), last + 1, y)
                    assert shares[j, y] == pytest.approx(expected.pop(segment, 0.0), abs=1e-12)
        assert not expected


def test_weights_are_those_seen() -> None:
    """Of each class with each feature that it has in a right segment, and no others."""
    case = Case.drawn(2, lengths=(4, 0, 5, 6, 3))
    seen = {
        weight
        for s, sentence in enumerate(case.sentences)
        for weight in weights_in(sentence, case.gold(s), TEMPLATES)
    }
    assert case.weights.keys() == seen


@pytest.mark.parametrize("templates", [TEMPLATES, WITHOUT_PRECEDING])
@pytest.mark.parametrize("tier", TIERS)
def test_slopes_are_finite_differences(
    templates: str, tier: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "tier", lambda module, work: tier(module))
    case = Case.drawn(3, lengths=(5, 1, 0, 6), templates=templates, share=0.7)
    problem = SegmentProblem(case.data, case.model.features, case.model.states, 0.3)
    weights, slopes = case.model.weights, np.zeros(problem.size)
    problem.objective(weights, slopes)
    empty, step = np.zeros(problem.size), 1e-6
    for k in range(0, problem.size, 2):
        moved = np.zeros(problem.size)
        moved[k] = step
        above, below = (problem.objective(weights + x, empty) for x in (moved, -moved))
        assert slopes[k] == pytest.approx((above - below) / (2 * step), rel=1e-5, abs=1e-7)


def test_objective_does_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glyphone.learners.optimization.parts.FEWEST", 2)
    case = Case.drawn(4, lengths=(3, 4, 2, 5, 1, 0, 3))
    found = []
    for jobs in (1, 3):
        problem = SegmentProblem(case.data, case.model.features, case.model.states, 0.1, jobs)
        assert len(problem.sums.parts) > 3
        slopes = np.zeros(problem.size)
        found.append((problem.objective(case.model.weights, slopes), slopes.tolist()))
    assert found[0] == found[1]


def test_segments_of_one_token_are_a_chain() -> None:
    draw = np.random.default_rng(5)
    sentences = [draw.choice([*"abcd"], 6).tolist() for _ in range(20)]
    labels = [draw.choice(["O", "B-x", "B-y"], 6).tolist() for _ in range(20)]
    options = {"tol": 0.0, "max_iter": 500, "rho1": 0.0, "rho2": 0.5}
    segments = SemiMarkovCRF(
        templates="begin word\nend word-1\neach word+1", max_length=1, filter=None, **options
    ).fit(sentences, labels)
    chain = SequenceCRF(
        templates="u0:%x[0,0]\nu-1:%x[-1,0]\nu+1:%x[1,0]", optimizer="lbfgs", weights="seen",
        **options,
    ).fit(sentences, labels)  # fmt: skip
    objectives = [one.history_[-1]["objective"] for one in (segments, chain)]
    assert objectives[0] == pytest.approx(objectives[1], abs=1e-6)
    assert segments.predict(sentences) == chain.predict(sentences)
    assert segments.log_probability(sentences, labels) == pytest.approx(
        chain.log_probability(sentences, labels), abs=1e-3
    )


def test_packing_halves_the_ways_to_segments() -> None:
    case = Case.drawn(6, lengths=(6,))
    sentence = Sequence(("a", "b", "c") * 20, {"tag": ("N",) * 60})
    data, model = case.model.data([sentence])[0], case.model
    counts, nodes = [], []
    for states in (packed_states(2), split_states(2)):
        lists = lists_for(model.features, states, tokens=60, n=1)
        found = np.zeros(len(data.begins), np.int32)
        search_kernels.write_best_segments(
            model.weights, model.features, states, data, 0, 1,
            room_of(model.features, states, data), lists, found,
        )  # fmt: skip
        reached = (lists.counts[:61] > 0).sum(axis=1)
        nodes.append(int(reached.sum()))
        counts.append(int(reached[data.begins].sum()))
    assert nodes[0] <= 60 * 3 + 1
    assert 0.5 < counts[0] / counts[1] < 0.65
    assert nodes[0] < 0.65 * nodes[1]


def test_long_and_extreme_sentences_stay_finite() -> None:
    case = Case.drawn(7, lengths=(6, 6), scale=60.0)
    sentence = Sequence(("a", "b", "c") * 1667, {"tag": ("N",) * 5001})
    data, _ = case.model.data([sentence])
    shares = case.model.class_probabilities(data)
    lasts = np.repeat(np.arange(5001), np.diff(data.firsts))
    over = np.zeros(5002)
    np.add.at(over, data.begins, shares.sum(axis=1))
    np.subtract.at(over, lasts + 1, shares.sum(axis=1))
    assert np.allclose(np.cumsum(over)[:-1], 1.0)
    assert case.model.best([sentence])
