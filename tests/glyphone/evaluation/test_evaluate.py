"""Evaluation: hand-made answers with known figures."""

from __future__ import annotations

import json
from typing import Any

import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.evaluation.evaluate import evaluate, top_ranks
from glyphone.fst.interface.codec import Side
from tests.glyphone.evaluation.support import ALPHABET, Parrot, check_schema, pairs


def test_figures_by_hand() -> None:
    model = Parrot(
        {
            "one": [("a b", 0.9), ("b", 0.1)],  # right
            "two": [("a a", 0.55), ("b b", 0.3), ("a b b", 0.15)],  # right in third place
            "six": [("tʃ", 0.35)],  # never right
        }
    )
    tested = pairs("one: b b b", "two: a b b", "one: a b", "six: a tʃ b", "gap: a a", "gap: b")
    found = evaluate(model, tested)
    assert (found.items, found.references, found.failed, found.nbest) == (4, 6, 1, 10)
    assert found.wer == 0.75
    assert found.accuracy == 0.25
    # two: a a for a b b is 2 edits in 3; six: 2 in 3; gap: nothing for the shorter, 1 in 1.
    assert found.per == pytest.approx((0 + 2 + 2 + 1) / (2 + 3 + 3 + 1))
    # two: LCS 1, P 1/2, R 1/3; six: LCS 1, P 1, R 1/3.
    assert found.mean_f == pytest.approx((1 + 0.4 + 0.5 + 0) / 4)
    assert found.mrr == pytest.approx((1 + 1 / 3 + 0 + 0) / 4)
    # one: of its two references the first answer is one, and the second none.
    assert found.map_ref == pytest.approx(((1 + 1 / 2) / 2 + 0 + 0 + 0) / 4)
    assert found.calibration_error == pytest.approx((0.1 + 0.55 + 0.35) / 3)
    assert found.brier == pytest.approx((0.1**2 + 0.55**2 + 0.35**2) / 3)
    assert found.top_n == {1: 0.25, 2: 0.25, 3: 0.5, 5: 0.5, 10: 0.5}
    assert found.unknown == {}
    assert found.confusions() == [(("b", ""), 2), (("a", ""), 1), (("b", "a"), 1)]
    assert [verdict.item.text for verdict in found.worst(9)] == ["two", "six"]
    assert [item.text for item, _ in found.failures()] == ["gap"]


def test_fewer_answers_see_less() -> None:
    model = Parrot({"a": [("b", 0.6), ("a", 0.4)]})
    assert evaluate(model, pairs("a: a"), nbest=1).mrr == 0.0
    assert evaluate(model, pairs("a: a"), nbest=2).mrr == 0.5
    with pytest.raises(GlyphoneError, match="ask for one or more"):
        evaluate(model, pairs("a: a"), nbest=0)


def test_of_references_equally_near_the_longer_counts_in_any_order() -> None:
    model = Parrot({"a": [("a b", 1.0)]})
    rows = ["a: a", "a: a b b"]
    for order in (rows, rows[::-1]):
        found = evaluate(model, pairs(*order))
        assert found.per == pytest.approx(1 / 3)
        assert found.mean_f == pytest.approx(4 / 5)


def test_the_nearest_reference_by_each_distance() -> None:
    # By substitutions a a is 1 from b a and 2 from a a a a; by insertions alone both are 2 away.
    model = Parrot({"a": [("a a", 1.0)]})
    found = evaluate(model, pairs("a: b a", "a: a a a a"))
    assert found.per == 1 / 2
    assert found.mean_f == pytest.approx(2 * 1 * (1 / 2) / (1 + 1 / 2))


def test_case_and_normal_form_are_the_models() -> None:
    model = Parrot(
        {"Ñu": [("ñ", 1.0)], "ñu": [("ñ", 1.0)]},
        target=Side(Writing("token", case="lower"), ALPHABET),
    )
    found = evaluate(model, pairs("Ñu: N\u0303", "N\u0303u: ñ", "ñu: Ñ"))
    # Both cases are words of their own; both ways to write Ñ are not.
    assert model.heard == ["Ñu", "ñu"]
    assert (found.items, found.wer, found.repeated) == (2, 0.0, ((1, 0),))


def test_sides_cut_into_other_units() -> None:
    letters = Parrot({"ab": [("ñb", 1.0)]}, target=Side(Writing(), ALPHABET))
    tokens = [Pair(("ab",), ("n\u0303", "b"))]
    assert evaluate(letters, tokens).accuracy == 1.0


def test_unknown_reference_symbols_are_simply_wrong() -> None:
    model = Parrot({"a": [("a b", 1.0)]})
    found = evaluate(model, pairs("a: a z z", "a: y", "a: a z z"))
    assert found.unknown == {"z": 2, "y": 1}
    assert found.per == pytest.approx(2 / 3)


def test_an_empty_output_and_a_missing_one() -> None:
    model = Parrot({"a": [("", 1.0)], "b": []})
    found = evaluate(model, pairs("a: a b", "b: a"))
    assert (found.per, found.mean_f, found.failed) == (1.0, 0.0, 1)
    assert "within the budget" in str(found.failures()[0][1])
    assert found.calibration_error == 1.0


@pytest.mark.parametrize("rows", [[], [Pair(("a",), ())], [Pair(("a",), (" ",))]])
def test_nothing_to_evaluate(rows: list[Pair]) -> None:
    with pytest.raises(GlyphoneError, match=r"nothing to evaluate|reference is empty"):
        evaluate(Parrot({}), rows)


def test_confusions_are_sorted_by_frequency() -> None:
    model = Parrot({word: [("a a", 1.0)] for word in "xyz"})
    found = evaluate(model, pairs("x: a b", "y: b b", "z: tʃ"))
    assert found.confusions() == [(("b", "a"), 3), (("", "a"), 1), (("tʃ", "a"), 1)]


def test_as_dict_and_str() -> None:
    model = Parrot({"a": [("b", 0.5)], "b": [("b", 0.5)]})
    found = evaluate(model, pairs("a: a", "b: b"), seed=3)
    whole = json.loads(json.dumps(found.as_dict(errors=1), allow_nan=False))
    check_schema(whole)
    assert whole["errors"] == [
        {"input": "a", "reference": ["a"], "output": ["b"], "edits": 1, "posterior": 0.5}
    ]
    text = str(found)
    assert "word error rate" in text and "50.00 %" in text and "seed 3" in text
    assert "1  a          b" in text.splitlines()[-1]


def test_tops() -> None:
    assert [top_ranks(1), top_ranks(4), top_ranks(10)] == [[1], [1, 2, 3, 4], [1, 2, 3, 5, 10]]


def test_same_seed_same_intervals() -> None:
    model = Parrot({str(k): [("a" if k % 3 else "b", 0.7)] for k in range(50)})
    rows = [Pair((str(k),), ("a",)) for k in range(50)]

    def intervals(seed: int) -> Any:
        return evaluate(model, rows, seed=seed).intervals

    assert intervals(1) == intervals(1) != intervals(2)
