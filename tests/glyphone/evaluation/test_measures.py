"""Measures: kernels against recursion, figures against their definitions."""

from __future__ import annotations

import math
import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.kernels import jit
from glyphone.evaluation import distance_kernels, measures
from glyphone.evaluation.measures import Outcomes, figures

words = st.text("abc", max_size=6)


def recursive_distance(one: str, other: str, price: int) -> int:
    @cache
    def distance(i: int, j: int) -> int:
        if i == 0 or j == 0:
            return i + j
        pair = distance(i - 1, j - 1) + (0 if one[i - 1] == other[j - 1] else price)
        return min(pair, distance(i - 1, j) + 1, distance(i, j - 1) + 1)

    return distance(len(one), len(other))


def all_alignments(one: str, other: str) -> list[list[tuple[str, str]]]:
    """Every alignment; of two that differ, the one that ends in a pair comes first, then the one
    that ends in a deletion."""
    if not one and not other:
        return [[]]
    found = []
    if one and other:
        last = (one[-1], other[-1])
        found += [[*path, last] for path in all_alignments(one[:-1], other[:-1])]
    if one:
        found += [[*path, (one[-1], "")] for path in all_alignments(one[:-1], other)]
    if other:
        found += [[*path, ("", other[-1])] for path in all_alignments(one, other[:-1])]
    return found


def cost(path: list[tuple[str, str]]) -> int:
    return sum(one != other for one, other in path)


@settings(deadline=None)
@given(st.lists(st.tuples(words, words), max_size=5), st.sampled_from([1, 2]))
def test_distances_against_recursion(pairs: list[tuple[str, str]], price: int) -> None:
    expected = [recursive_distance(*pair, price) for pair in pairs]
    assert measures.edit_distances(pairs, substitution=price).tolist() == expected
    for kernels in (distance_kernels, jit.compiled(distance_kernels)):
        for (one, other), value in zip(pairs, expected, strict=True):
            codes = (np.array([ord(letter) for letter in word], np.int64) for word in (one, other))
            assert kernels.distance(*codes, price) == value


@settings(deadline=None, max_examples=60)
@given(st.text("ab", max_size=4), st.text("ab", max_size=4))
def test_alignment_is_the_first_of_the_cheapest(one: str, other: str) -> None:
    expected = min(all_alignments(one, other), key=cost)
    assert measures.alignment(one, other) == expected
    assert cost(expected) == measures.edit_distance(one, other)
    codes = [np.array([ord(letter) for letter in word], np.int64) for word in (one, other)]
    assert np.array_equal(
        distance_kernels.align(*codes), jit.compiled(distance_kernels).align(*codes)
    )


def test_symbols_are_compared_whole() -> None:
    assert measures.edit_distance(("tʃ", "a"), ("t", "ʃ", "a")) == 2
    assert measures.alignment(("tʃ", "a"), ("t", "ʃ", "a")) == [("", "t"), ("tʃ", "ʃ"), ("a", "a")]


@pytest.mark.parametrize(
    ("candidate", "reference", "common", "expected"),
    [
        ("abcd", "afcde", 3, 2 * (3 / 4) * (3 / 5) / (3 / 4 + 3 / 5)),
        ("abc", "abc", 3, 1.0),
        ("abc", "xyz", 0, 0.0),
        ("", "xyz", 0, 0.0),
        ("aab", "ab", 2, 2 * (2 / 3) * 1 / (2 / 3 + 1)),
    ],
)
def test_f_score(candidate: str, reference: str, common: int, expected: float) -> None:
    indels = int(measures.edit_distances([(candidate, reference)], substitution=2)[0])
    assert len(candidate) + len(reference) - indels == 2 * common
    assert measures.f_score(len(candidate), len(reference), indels) == pytest.approx(expected)


def test_figures_by_hand() -> None:
    outcomes = Outcomes.of(
        [
            (1, 0, 4, 1.0, 0.95),
            (3, 2, 5, 0.75, 0.95),
            (0, 3, 3, 0.0, 0.31),
            (0, 2, 2, 0.0, math.nan),
        ]
    )
    found = {name: float(value) for name, value in figures(outcomes.sums()).items()}
    assert found == pytest.approx(
        {
            "wer": 3 / 4,
            "per": 7 / 14,
            "accuracy": 1 / 4,
            "mean_f": 1.75 / 4,
            "mrr": (1 + 1 / 3) / 4,
            "map_ref": 1 / 4,
            "calibration_error": (abs(0.95 + 0.95 - 1) + 0.31) / 3,
            "brier": (0.05**2 + 0.95**2 + 0.31**2) / 3,
        }
    )
    assert [measures.top_n(outcomes.ranks, n) for n in (1, 2, 3)] == [0.25, 0.25, 0.5]
    rows = measures.reliability(outcomes)
    assert [(b.low, b.high, b.count) for b in rows] == [(0.3, 0.4, 1), (0.9, 1.0, 2)]
    assert [b.posterior for b in rows] == pytest.approx([0.31, 0.95])
    assert [b.accuracy for b in rows] == [0.0, 0.5]


@pytest.mark.parametrize(
    ("correct", "references", "expected"),
    [
        ([True], 1, 1.0),
        ([False, True], 1, 0.0),  # only as many answers count as there are references
        ([True, True], 2, 1.0),
        ([True, False, True], 2, (1 + 1 / 2) / 2),
        ([False, True, True], 3, (0 + 1 / 2 + 2 / 3) / 3),
        ([True], 3, (1 + 1 / 2 + 1 / 3) / 3),  # fewer answers than references
        ([], 2, 0.0),
    ],
)
def test_average_precision(correct: list[bool], references: int, expected: float) -> None:
    assert measures.average_precision(correct, references) == pytest.approx(expected)


def test_average_precisions_are_told_or_those_of_one_reference() -> None:
    rows = [(1, 0, 3, 1.0, 1.0), (2, 1, 3, 0.5, 1.0)]
    assert figures(Outcomes.of(rows).sums())["map_ref"] == 0.5
    told = Outcomes.of(rows, precisions=[0.75, 0.5])
    assert figures(told.sums())["map_ref"] == 0.625
    assert measures.intervals(told)["map_ref"] == (0.5, 0.75)


def test_posteriors_at_the_edges_of_bins() -> None:
    posteriors = np.array([0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999, 1.0])
    assert measures.bin_of(posteriors).tolist() == [0, 1, 3, 5, 7, 9, 9, 9]
    assert Outcomes.of([(1, 0, 1, 1.0, 1.0 + 1e-12)]).posteriors.tolist() == [1.0]


def test_nothing_answered_is_nothing_claimed() -> None:
    outcomes = Outcomes.of([(0, 2, 2, 0.0, math.nan)])
    found = figures(outcomes.sums())
    names = ("wer", "per", "calibration_error", "brier")
    assert [float(found[name]) for name in names] == [1.0, 1.0, 0.0, 0.0]
    assert measures.reliability(outcomes) == ()


def invented(n: int, *, shift: float = 0.0, seed: int = 0) -> Outcomes:
    """Answers right as often as they say, up to a shift."""
    generator = np.random.default_rng(seed)
    truth = generator.uniform(0.0, 1.0 - shift, n)
    correct = generator.random(n) < truth
    return Outcomes(
        correct.astype(np.int64),
        np.where(correct, 0, 1),
        np.full(n, 4),
        np.where(correct, 1.0, 0.75),
        truth + shift,
    )


def test_calibration_of_invented_answers() -> None:
    honest = figures(invented(50_000).sums())["calibration_error"]
    boasting = figures(invented(50_000, shift=0.2).sums())["calibration_error"]
    assert honest < 0.01
    assert boasting == pytest.approx(0.2, abs=0.01)
    for row in measures.reliability(invented(50_000, shift=0.2)):
        assert row.posterior - row.accuracy == pytest.approx(0.2, abs=0.03)


def test_calibration_error_is_what_the_table_says() -> None:
    outcomes = invented(300, shift=0.1)
    table = measures.reliability(outcomes)
    expected = sum(b.count * abs(b.posterior - b.accuracy) for b in table) / 300
    assert figures(outcomes.sums())["calibration_error"] == pytest.approx(expected)


def test_intervals_depend_on_the_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = invented(500)
    found = measures.intervals(outcomes, seed=1)
    assert measures.intervals(outcomes, seed=1) == found
    assert measures.intervals(outcomes, seed=2) != found
    monkeypatch.setattr(measures, "_CHUNK", 1100)
    again = measures.intervals(outcomes, seed=1)
    for name, ends in found.items():
        assert again[name] == pytest.approx(ends)


def test_intervals_are_those_of_a_plain_bootstrap() -> None:
    outcomes = invented(60)
    generator = np.random.default_rng(5)
    shares, rates = [], []
    for _ in range(200):
        drawn = generator.integers(60, size=60)
        shares.append(outcomes.correct[drawn].mean())
        rates.append(outcomes.edits[drawn].sum() / outcomes.lengths[drawn].sum())
    found = measures.intervals(outcomes, seed=5, resamples=200)
    assert found["accuracy"] == pytest.approx(tuple(np.quantile(shares, [0.025, 0.975])))
    assert found["per"] == pytest.approx(tuple(np.quantile(rates, [0.025, 0.975])))


def test_intervals_are_as_wide_as_they_should_be() -> None:
    outcomes = invented(4000)
    low, high = measures.intervals(outcomes)["accuracy"]
    share = outcomes.correct.mean()
    width = 1.96 * math.sqrt(share * (1 - share) / 4000)
    assert (low, high) == pytest.approx((share - width, share + width), abs=0.003)


@pytest.mark.parametrize("n", [1, 7])
def test_where_all_is_right_there_is_no_doubt(n: int) -> None:
    found = measures.intervals(Outcomes.of([(1, 0, 3, 1.0, 1.0)] * n))
    assert found["wer"] == found["per"] == found["calibration_error"] == (0.0, 0.0)
    assert found["accuracy"] == found["mean_f"] == found["mrr"] == (1.0, 1.0)


def test_long_sequences() -> None:
    chooser = random.Random(0)
    one = [chooser.randrange(30) for _ in range(150)]
    assert measures.edit_distance(one, [*one[1:], 99]) == 2
    assert measures.edit_distances([(one, one[::2])], substitution=2).tolist() == [75]
