"""The classifier of candidates: features, decisions, training, its file."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.kernels import jit
from glyphone.voicemail.generator.generate import generate
from glyphone.voicemail.numbers import choice_kernels
from glyphone.voicemail.numbers import file as number_file
from glyphone.voicemail.numbers.cues import Cues
from glyphone.voicemail.numbers.decisions import DecisionOptions, decide, spans_of
from glyphone.voicemail.numbers.features import NumberFeatures, digit_shape
from glyphone.voicemail.numbers.model import NumberModel
from glyphone.voicemail.numbers.reasons import explain_candidates
from glyphone.voicemail.numbers.training import (
    NumberTrainingOptions,
    collect_examples,
    feature_matrix,
    fit_weights,
    train,
)
from glyphone.voicemail.records.candidates import NumberCandidate
from glyphone.voicemail.records.messages import Message
from tests.glyphone.voicemail.numbers import plain_features


@cache
def trained() -> NumberModel:
    return train(generate(400, seed=1, part="train"))


def test_most_numbers_of_other_messages_are_found() -> None:
    messages = list(generate(150, seed=2, part="train"))
    found = trained().find([message.words for message in messages])
    wanted = {
        (message.id, number.begin, number.end, number.digits)
        for message in messages
        for number in message.numbers
        if number.digits is not None
    }
    kept = {
        (message.id, *one.span, one.digits)
        for message, row in zip(messages, found, strict=True)
        for one in row
        if one.kept
    }
    assert len(wanted) > 60
    assert 2 * len(wanted & kept) / (len(wanted) + len(kept)) > 0.85


def test_every_rejected_candidate_has_a_reason() -> None:
    [row] = trained().find(
        ["i will be there at ten thirty call me at five five five one two one two".split()]
    )
    assert [(one.digits, one.kept, one.reason) for one in row if one.maximal] == [
        ("1030", False, "looks like time"),
        ("5551212", True, ""),
    ]
    assert all(0 <= one.score <= 1 and one.kept == (one.reason == "") for one in row)


def test_features_equal_the_plain_twin() -> None:
    """By kernels and by name, of messages of all sorts."""
    words = [one.words for one in generate(25, seed=3)]
    words += [one.words for one in generate(15, seed=4, part="varied")] + [()]
    finder, features = NumberModel({}, 0.0).finder, NumberFeatures.of(Cues.read())
    found = finder.propose(words)
    numbers, firsts = features.find_features(found)
    names = [*map(features.name_of, numbers.tolist())]
    rows = [names[a:b] for a, b in itertools.pairwise(firsts.tolist())]
    plain = [
        plain_features.features(row, found.readings_of(k), said, features.cues)
        for k, (row, said) in enumerate(zip(found.candidates, words, strict=True))
    ]
    assert [*map(sorted, rows)] == [sorted(row) for message in plain for row in message]
    assert len(rows) > 40 and all(len(set(row)) == len(row) for row in rows)
    assert [features.numbers[name] for name in names] == numbers.tolist()


def test_there_are_no_features_of_nothing() -> None:
    features = NumberFeatures.of(Cues.read())
    numbers, firsts = features.find_features(NumberModel({}, 0.0).finder.propose([[]]))
    assert len(numbers) == 0 and firsts.tolist() == [0]
    assert "no such feature" not in features.numbers


@pytest.mark.parametrize(
    ("digits", "expected"),
    [
        ("5551212", "NXXXXXX"),
        ("1551212", "7"),
        ("2125550143", "NXXNXXXXXX"),
        ("0125550143", "10"),
        ("2121550143", "10"),
        ("12125550143", "1NXXNXXXXXX"),
        ("22125550143", "11"),
        ("", "0"),
        ("5" * 20, "13"),
    ],
)
def test_shapes(digits: str, expected: str) -> None:
    assert digit_shape(digits) == expected


def choices(candidates: Sequence[NumberCandidate]) -> Iterator[tuple[int, ...]]:
    """Every choice of candidates that share no word."""
    for size in range(len(candidates) + 1):
        for chosen in itertools.combinations(range(len(candidates)), size):
            pairs = itertools.combinations(chosen, 2)
            if not any(candidates[a].overlaps(candidates[b]) for a, b in pairs):
                yield chosen


def best_choice(candidates: list[NumberCandidate], scores: list[float], threshold: float) -> float:
    """The greatest value of any choice."""
    return max(sum(scores[k] - threshold for k in chosen) for chosen in choices(candidates))


def drawn(draws: random.Random) -> list[NumberCandidate]:
    begins = sorted(draws.randint(0, 9) for _ in range(draws.randint(0, 7)))
    return [NumberCandidate(begin, begin + draws.randint(1, 5), "5551212") for begin in begins]


@pytest.mark.parametrize("kernels", [choice_kernels, jit.compiled(choice_kernels)])
def test_probabilities_are_shares_of_all_choices(kernels: Any) -> None:
    draws = random.Random(5)
    messages = [drawn(draws) for _ in range(60)]
    weights = [[draws.gauss(0, 2) for _ in row] for row in messages]
    found, total = kernels.marginals(
        *spans_of(messages)[:2],
        np.array([*itertools.chain(*weights)]),
        spans_of(messages)[2],
    )
    expected, logarithms = [], 0.0
    for row, heavy in zip(messages, weights, strict=True):
        masses = {chosen: math.exp(sum(heavy[k] for k in chosen)) for chosen in choices(row)}
        whole = sum(masses.values())
        logarithms += math.log(whole)
        expected += [
            sum(mass for chosen, mass in masses.items() if k in chosen) / whole
            for k in range(len(row))
        ]
    assert len(expected) > 150
    assert found == pytest.approx(expected)
    assert total == pytest.approx(logarithms)


def test_decisions_are_the_best_of_all_choices() -> None:
    draws = random.Random(3)
    for _ in range(300):
        candidates = drawn(draws)
        scores, threshold = [draws.random() for _ in candidates], draws.choice([0.2, 0.5, 0.8])
        [found] = decide([candidates], scores, DecisionOptions(threshold=threshold))
        kept = [one for one in found if one.kept]
        assert not any(a.overlaps(b) for a, b in itertools.combinations(kept, 2))
        value = sum(one.score - threshold for one in kept)
        assert value == pytest.approx(best_choice(candidates, scores, threshold))


def test_expected_f_keeps_more_where_recall_counts_more() -> None:
    apart = [NumberCandidate(10 * k, 10 * k + 7, "5551212") for k in range(4)]
    scores = [0.9, 0.55, 0.3, 0.15]
    n_kept = [
        sum(one.kept for one in decide([apart], scores, DecisionOptions(alpha=alpha))[0])
        for alpha in (0.05, 0.5, 1.0)
    ]
    assert n_kept == sorted(n_kept) and n_kept[0] < n_kept[-1] == 4


def test_a_number_that_was_corrected_is_not_kept() -> None:
    first = NumberCandidate(0, 7, "5551213", replaced_by=1)
    [found] = decide([[first, NumberCandidate(9, 16, "5551212")]], [0.9, 0.9], DecisionOptions())
    assert [one.reason for one in found] == ["replaced by a correction", ""]
    [alone] = decide([[first, NumberCandidate(9, 16, "5551212")]], [0.9, 0.1], DecisionOptions())
    assert [one.kept for one in alone] == [True, False]


@pytest.mark.parametrize("options", [{"threshold": 0.0}, {"threshold": 1.0}, {"alpha": 0.0}])
def test_refuses_to_decide_by(options: dict[str, float]) -> None:
    with pytest.raises(GlyphoneError, match=r"is 0\.0|is 1\.0"):
        DecisionOptions(**options)


def test_comes_back_from_its_file(tmp_path: Path) -> None:
    model, path = trained(), tmp_path / "numbers.glyphone"
    number_file.save(model, path)
    again = number_file.load(path)
    assert (again.weights, again.bias, again.deciding) == (
        model.weights,
        model.bias,
        model.deciding,
    )
    words = "call me at five five five one two one two".split()
    assert again.find([words]) == model.find([words])
    number_file.save(again, tmp_path / "again.glyphone")
    assert path.read_bytes() == (tmp_path / "again.glyphone").read_bytes()


@pytest.mark.parametrize(
    ("key", "value"),
    [("features", ["a"]), ("bias", math.inf), ("format", 9), ("deciding", {"threshold": 2})],
)
def test_refuses_a_file_that_makes_no_sense(tmp_path: Path, key: str, value: object) -> None:
    contents = number_file.to_contents(NumberModel({"a": 1.0, "b": 2.0}, 0.5))
    contents.manifest[key] = value  # type: ignore[index]
    with pytest.raises(FormatError):
        number_file.from_contents(contents)


def test_the_same_messages_give_the_same_model() -> None:
    one, other = (train(generate(80, seed=4, part="train")) for _ in range(2))
    assert one.weights == other.weights


def test_learns_from_nothing_of_one_kind() -> None:
    with pytest.raises(GlyphoneError, match="nothing to learn"):
        train([Message(id="a", words=("hello",))])


def test_rare_features_are_left_out() -> None:
    few = train(generate(80, seed=4, part="train"), learning=NumberTrainingOptions(least=30))
    many = train(generate(80, seed=4, part="train"), learning=NumberTrainingOptions(least=2))
    assert few.weights.keys() < many.weights.keys()


def test_scores_equal_the_learner() -> None:
    model = NumberModel({"is=maximal": 1.5, "shape=NXXXXXX": 1.0}, -0.5)
    [row] = model.find(["five five five one two one two".split()])
    [one] = [one for one in row if one.maximal]
    assert one.score == pytest.approx(1 / (1 + np.exp(-2.0)))


def test_an_explanation_adds_up_to_the_score() -> None:
    words = "call me at five five five one two one two before ten thirty".split()
    reasons, [row] = explain_candidates(trained(), words), trained().find([words])
    assert [one.candidate.span for one in reasons] == [one.span for one in row]
    weighed = {chosen: math.exp(sum(reasons[k].score for k in chosen)) for chosen in choices(row)}
    for place, (one, candidate) in enumerate(zip(reasons, row, strict=True)):
        with_it = sum(mass for chosen, mass in weighed.items() if place in chosen)
        assert candidate.score == pytest.approx(with_it / sum(weighed.values()))
        assert one.candidate.reason == candidate.reason
        weights = [abs(weight) for _, weight in one.weights]
        assert weights == sorted(weights, reverse=True)
    assert {reading.label for reading in reasons[0].readings} >= {"time"}


def test_weights_are_the_likeliest() -> None:
    """No small step from what was learnt makes what is right likelier."""
    features, known, right = collect_examples(generate(60, seed=5, part="train"))
    kept = np.unique(known.numbers)
    rows = feature_matrix(known.numbers, known.firsts, kept)
    learning = NumberTrainingOptions(steps=500)
    weights = fit_weights(rows, known, right, learning)

    def loss(weights: Any) -> float:
        scores = rows @ weights[:-1] + weights[-1]
        _, mass = choice_kernels.marginals(known.begins, known.ends, scores, known.bounds)
        size = weights[:-1] @ weights[:-1] / (2 * learning.C)
        return float(mass - scores[right].sum() + size)

    assert len(features.numbers) > len(kept) > 100
    draws = np.random.default_rng(0)
    for _ in range(20):
        step = 0.05 * draws.standard_normal(len(weights))
        assert loss(weights + step) > loss(weights)


def test_is_kept_with_others_in_one_file() -> None:
    model = NumberModel({"a": 1.0}, 0.5)
    contents = number_file.to_contents(model, "numbers/")
    assert [*contents.arrays] == ["numbers/weights"]
    assert number_file.from_contents(contents, "numbers/").weights == {"a": 1.0}
