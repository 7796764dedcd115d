"""Curves of ranked pairs against counts by brute force, ties and unknown pairs included."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError
from glyphone.evaluation.pairs import (
    NO,
    UNKNOWN,
    YES,
    PairCurve,
    all_pairs,
    label_pairs,
    mean_of_curves,
)

# Few different scores, so that there are ties.
SCORED = st.lists(
    st.tuples(st.sampled_from((0.0, 0.25, 0.5, 0.75, 1.0)), st.sampled_from((YES, NO, UNKNOWN))),
    max_size=12,
)


def points(
    rows: list[tuple[float, int]], missed: int
) -> list[tuple[int, Fraction, Fraction, Fraction]]:
    """For every threshold n, precision, recall and F1, counted pair by pair."""
    decided = [(score, label) for score, label in rows if label != UNKNOWN]
    positives = sum(label == YES for _, label in decided) + missed
    found = []
    for threshold in sorted({score for score, _ in decided}, reverse=True):
        taken = [label for score, label in decided if score >= threshold]
        right = taken.count(YES)
        precision, recall = Fraction(right, len(taken)), Fraction(right, max(positives, 1))
        both = precision + recall
        f = 2 * precision * recall / both if both else Fraction(0)
        found.append((len(taken), precision, recall, f))
    return found


@given(SCORED, st.integers(0, 3))
def test_figures_equal_those_counted_pair_by_pair(
    rows: list[tuple[float, int]], missed: int
) -> None:
    positives = sum(label == YES for _, label in rows) + missed
    curve = PairCurve.of([s for s, _ in rows], [label for _, label in rows], positives=positives)
    expected = points(rows, missed)
    assert curve.counts.tolist() == [n for n, *_ in expected]
    for given_values, column in ((curve.precision, 1), (curve.recall, 2), (curve.f(), 3)):
        assert given_values == pytest.approx([float(one[column]) for one in expected])
    assert curve.best().f == pytest.approx(max((float(one[3]) for one in expected), default=0.0))
    before, mean = Fraction(0), Fraction(0)
    for _, precision, recall, _ in expected:
        mean += (recall - before) * precision
        before = recall
    assert curve.mean_precision == pytest.approx(float(mean))


@given(SCORED, st.randoms(use_true_random=False))
def test_the_order_of_ties_gains_nothing(
    rows: list[tuple[float, int]], chance: random.Random
) -> None:
    mixed = chance.sample(rows, len(rows))
    one, other = (PairCurve.of([s for s, _ in x], [y for _, y in x]) for x in (rows, mixed))
    assert one.as_dict() == other.as_dict()


@given(SCORED)
def test_unknown_pairs_leave(rows: list[tuple[float, int]]) -> None:
    decided = [row for row in rows if row[1] != UNKNOWN]
    one, other = (PairCurve.of([s for s, _ in x], [y for _, y in x]) for x in (rows, decided))
    assert one.as_dict() == other.as_dict()


@given(SCORED)
def test_f_of_precision_and_of_recall(rows: list[tuple[float, int]]) -> None:
    curve = PairCurve.of([s for s, _ in rows], [label for _, label in rows])
    for beta in (0.5, 2.0):
        p, r = curve.precision, curve.recall
        below = np.maximum(beta**2 * p + r, 1e-300)
        assert curve.f(beta) == pytest.approx((1 + beta**2) * p * r / below)


def test_a_constant_measure_takes_all_pairs_or_none() -> None:
    curve = PairCurve.of([0.5] * 10, [YES] + [NO] * 9)
    assert (curve.best().pairs, curve.mean_precision) == (10, 0.1)


def test_rounding_makes_no_order() -> None:
    sums = [0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1]
    assert sums[0] != sums[1]
    curve = PairCurve.of(sums, [YES, NO])
    assert curve.counts.tolist() == [2] and curve.at(curve.best().score).pairs == 2


def test_infinite_scores_are_scores() -> None:
    curve = PairCurve.of([np.inf, np.inf, 1.0, -np.inf], [YES, NO, YES, NO])
    assert curve.counts.tolist() == [2, 3, 4]


def test_a_point_by_its_score() -> None:
    curve = PairCurve.of([0.9, 0.5, 0.5], [YES, YES, NO])
    assert [curve.at(score).pairs for score in (1.0, 0.9, 0.6, 0.5, 0.0)] == [0, 1, 1, 3, 3]


def test_nothing_ranked() -> None:
    curve = PairCurve.of([], [], positives=3)
    assert (curve.best().pairs, curve.best().f, curve.mean_precision) == (0, 0.0, 0.0)
    assert mean_of_curves([curve, PairCurve.of([1.0], [YES])]) == (0.5, 0.5)


def test_what_is_no_ranking_is_refused() -> None:
    with pytest.raises(GlyphoneError, match="pair 1 is not a number"):
        PairCurve.of([0.5, float("nan")], [YES, NO])
    with pytest.raises(GlyphoneError, match="beside"):
        PairCurve.of([0.5], [YES, NO])
    with pytest.raises(GlyphoneError, match="more than all 0"):
        PairCurve.of([0.5], [YES], positives=0)
    with pytest.raises(GlyphoneError, match="both right and unknown"):
        label_pairs([(0, 1)], {(0, 1)}, {(1, 0)})


def test_labels_of_all_pairs() -> None:
    assert all_pairs(3) == [(0, 1), (0, 2), (1, 2)]
    assert label_pairs(all_pairs(3), {(2, 1)}, {(0, 1)}).tolist() == [UNKNOWN, NO, YES]


def test_figures_are_fit_for_json() -> None:
    curve = PairCurve.of([0.9, 0.1], [YES, NO])
    assert json.loads(json.dumps(curve.as_dict()))["f1"]["f"] == 1.0
