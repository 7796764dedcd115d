"""Evaluation with stress and without it: what is stress, and where it is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glyphone.evaluation.evaluate import evaluate
from glyphone.evaluation.verdicts import judge_without_stress
from tests.glyphone.evaluation.support import Parrot, pairs
from tests.glyphone.support import glyphone
from tests.sources import put_cmudict


def test_stress_by_hand() -> None:
    """Word and phone error with and without stress; second answers have no part in either."""
    model = Parrot(
        {
            "one": [("P AA1 T AH0", 0.9)],  # right in both
            "two": [("P AA0 T AH1", 0.6), ("P AA1 T AH0", 0.4)],  # right without stress
            "six": [("P AH1 T IH0", 0.5)],  # wrong in both
        }
    )
    tested = pairs("one: P AA1 T AH0", "two: P AA1 T AH0", "six: P AA1 T AH0", "gap: AH2")
    found = evaluate(model, tested)
    assert (found.wer, found.wer_without_stress) == (3 / 4, 2 / 4)
    assert found.per == pytest.approx((0 + 2 + 2 + 1) / (4 + 4 + 4 + 1))
    assert found.per_without_stress == pytest.approx((0 + 0 + 2 + 1) / (4 + 4 + 4 + 1))
    for name in ("wer", "per"):
        name += "_without_stress"
        low, high = found.intervals[name]
        assert 0 <= low < getattr(found, name) < high <= 1
        assert found.as_dict()["intervals"][name] == [low, high]
        assert found.as_dict()[name] == getattr(found, name)
    assert found.model == model.name
    rows = [" ".join(line.split()) for line in str(found).splitlines()]
    assert any(row.startswith("word error rate 75.00 %") for row in rows)
    assert any(row.startswith("word error rate without stress 50.00 %") for row in rows)


@pytest.mark.parametrize(
    ("reference", "output", "wer", "per"),
    [
        ("ˈ a b", "a ˈ b", 0.0, 0.0),
        ("ˈa b", "a ˌb", 0.0, 0.0),
        ("a ˌ b", "a b b", 1.0, 1 / 2),
        ("AA1 b", "AA b", 0.0, 0.0),
        ("AA1 b", "AA2 a", 1.0, 1 / 2),
        ("ˈ", "a", 1.0, 1.0),
        ("ˈ", "ˌ", 0.0, 0.0),
        # Nothing here is stress: tones, vowels of other lists, and consonants.
        ("a1 b", "a b", None, None),
        ("AA3 b", "AA b", None, None),
        ("ao1 b", "ao b", None, None),
        ("T1 b", "T b", None, None),
        ("' b", "b", None, None),
        # What counts is whether the references have it.
        ("a b", "ˈ a b", None, None),
    ],
)
def test_what_is_stress(reference: str, output: str, wer: float | None, per: float | None) -> None:
    model = Parrot({"x": [(output, 1.0)]})
    found = evaluate(model, pairs(f"x: {reference}"))
    assert (found.wer_without_stress, found.per_without_stress) == (wer, per)
    told = {key for key in {**found.as_dict(), **found.intervals} if "without_stress" in key}
    assert told == ({"wer_without_stress", "per_without_stress"} if wer is not None else set())
    assert ("without stress" in str(found)) == (wer is not None)


def test_references_that_differ_in_stress_alone_are_one_without_it() -> None:
    model = Parrot({"x": [("AH0 b", 1.0)]})
    found = evaluate(model, pairs("x: AH1 b", "x: AH2 b", "x: a"))
    assert (found.wer, found.wer_without_stress, found.references) == (1.0, 0.0, 3)
    bare = judge_without_stress(
        [verdict.item for verdict in found.verdicts], [verdict.answer for verdict in found.verdicts]
    )
    assert [verdict.item.references for verdict in bare] == [(("AH", "b"), ("a",))]


def test_a_model_of_a_named_lexicon_with_stress_tells_stress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vowels = {"a": "AA1", "e": "EH0", "i": "IH2"}
    words = [f"{x}{a}{y}{b}" for x in "ptk" for a in "aei" for y in "bdg" for b in "aei"]
    entries = [(word, [vowels.get(letter, letter.upper()) for letter in word]) for word in words]
    put_cmudict(monkeypatch, tmp_path / "sources", entries)
    monkeypatch.chdir(tmp_path)
    assert glyphone("train", "cmudict-stress", "--kind", "joint", "-o", "m").code == 0
    ran = glyphone("apply", "m", "-", stdin=b"tabe\n")
    assert ran.out.split("\t")[1] == "T AA1 B EH0"
    ran = glyphone("evaluate", "m", "cmudict-stress:train", "--json")
    found = json.loads(ran.out)
    assert (found["wer"], found["wer_without_stress"], found["per_without_stress"]) == (0, 0, 0)
    assert set(found["intervals"]) >= {"wer_without_stress", "per_without_stress"}
    ran = glyphone("evaluate", "m", "cmudict-stress:train")
    assert "without stress" in ran.out
    # Without stress in the references there is nothing to tell.
    ran = glyphone("evaluate", "m", "cmudict:train", "--json")
    assert (ran.code, json.loads(ran.out)["wer"]) == (0, 1.0)
    assert "without_stress" not in ran.out
