"""Slices of an evaluation: by length, by origin, and with a lexicon before the model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.evaluation.evaluate import evaluate
from glyphone.evaluation.slices import Slice
from glyphone.fst.interface.codec import Side
from tests.glyphone.evaluation.support import ALPHABET, Parrot, pairs
from tests.glyphone.support import Ran, glyphone

WORDS = (
    "cha\ttʃ a\tspa\nÑa\tɲ a\tspa\nca\ts a\tfra\nca\tk a\tfra\nb\tp\t\ncabbacha\tk a b b a tʃ a\n"
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("test.tsv").write_text(WORDS, encoding="utf-8")


def run(toy: Path, *words: str) -> Ran:
    return glyphone("evaluate", f"{toy}:PLAIN", "test.tsv", *words)


def slices(ran: Ran, by: str) -> list[dict[str, Any]]:
    assert ran.code == 0, ran.err
    return [row for row in json.loads(ran.out)["slices"] if row["by"] == by]


def told(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(row["slice"], row["words"], row["accuracy"]) for row in rows]


def by(rows: tuple[Slice, ...], kind: str) -> list[tuple[str, int]]:
    return [(row.name, row.words) for row in rows if row.by == kind]


def test_lengths_are_those_of_composed_letters_or_of_tokens() -> None:
    words = ["n\u0303" * 5, "a" * 6, "a" * 8, "a" * 9, "a" * 12, "a" * 13, "a" * 40]
    says = {word: [("a", 1.0)] for word in words}
    found = evaluate(Parrot(says), [Pair((word,), ("a",)) for word in words])
    assert by(found.slices, "length") == [("1-5", 1), ("6-8", 2), ("9-12", 2), ("13+", 2)]
    tokens = Side(Writing("token"), {})
    model = Parrot({"tʃʃʃʃʃʃ a": [("a", 1.0)]}, source=tokens)
    found = evaluate(model, [Pair(("tʃʃʃʃʃʃ", "a"), ("a",))])
    assert by(found.slices, "length") == [("1-5", 1)]


def test_figures_of_a_slice_are_those_of_its_words_alone() -> None:
    rows = ["one: a b", "two: b b", "fourteen letters: a a b", "gap: a"]
    model = Parrot({"one": [("a b", 0.5)], "two": [("a", 0.5)], "fourteen letters": [("a b", 0.5)]})
    found = evaluate(model, pairs(*rows), origins=["x", "x", "y", ""], seed=5)
    alone = evaluate(model, pairs(*rows[:2]), seed=5)
    [x] = [row for row in found.slices if row.name == "x"]
    assert (x.words, x.failed) == (2, 0)
    for name, value in x.figures.items():
        assert value == getattr(alone, name)
        assert x.intervals[name] == alone.intervals[name]
    assert by(found.slices, "origin") == [("x", 2), ("", 1), ("y", 1)]
    [short, long] = [row for row in found.slices if row.by == "length"]
    assert (short.words, short.failed, long.name, long.figures["per"]) == (3, 1, "13+", 1 / 3)


def test_a_word_with_several_origins_counts_in_each() -> None:
    model = Parrot({"a": [("a", 1.0)]})
    found = evaluate(model, pairs("a: a", "a: b", "a: a b"), origins=["x", "", "y"])
    assert by(found.slices, "origin") == [("x", 1), ("y", 1)]
    assert by(evaluate(model, pairs("a: a")).slices, "origin") == []


def test_too_many_origins_are_no_origins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glyphone.evaluation.slices.MOST_ORIGINS", 20)
    n = 21
    model = Parrot({str(k): [("a", 1.0)] for k in range(n)})
    rows = [Pair((str(k),), ("a",)) for k in range(n)]
    origins = [str(k) for k in range(n)]
    with pytest.raises(GlyphoneError, match=f"{n} different origins .*give 20"):
        evaluate(model, rows, origins=origins)
    assert model.heard == []  # it does not take long to find out
    assert len(evaluate(model, rows, origins=[*origins[1:], "1"]).slices) == n


def test_origins_in_a_column(toy: Path) -> None:
    ran = run(toy, "--json", "--slice-column", "3")
    assert told(slices(ran, "origin")) == [("", 2, 0.5), ("spa", 2, 1.0), ("fra", 1, 1.0)]
    assert told(slices(ran, "length")) == [("1-5", 4, 0.75), ("6-8", 1, 1.0)]
    for row in json.loads(ran.out)["slices"]:
        for name, (low, high) in row["intervals"].items():
            assert low <= row[name] <= high
    page = run(toy, "--slice-column", "3").out
    lines = [line.split() for line in page.splitlines()]
    assert ["origin", "not", "told", "2", "50.00", "%"] in [line[:6] for line in lines]
    assert ["letters", "6-8", "1", "100.00", "%"] in [line[:5] for line in lines]


def test_origins_in_a_file(toy: Path) -> None:
    Path("origins").write_text("N\u0303a\tspa\nca\tfra\nnobody\tx\ncha\n", encoding="utf-8")
    rows = slices(run(toy, "--json", "--slices", "origins"), "origin")
    assert told(rows) == [("", 3, pytest.approx(2 / 3)), ("fra", 1, 1.0), ("spa", 1, 1.0)]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--slice-column", "9"], "test.tsv: no line has anything in column 9"),
        (["--slices", "none"], "none: No such file"),
        (["--slices", "other"], "other: has no word of the test file (write WORD<TAB>ORIGIN"),
        (["--slices", "words"], "words: no line has anything in column 2"),
        (["--slices", "other", "--slice-column", "3"], "origins come from two places"),
        (["--slices", "other", "--failures", "other"], "failed items need a file of their own"),
        (["--lexicon", "lex", "--failures", "lex"], "failed items need a file of their own"),
        (["--weight-column", "3"], "name one with --lexicon"),
    ],
)
def test_wrong_slices(toy: Path, words: list[str], message: str) -> None:
    for name, text in {"other": "nobody\tx\n", "words": "cha\n", "lex": "ca\ts a\n"}.items():
        Path(name).write_text(text)
    ran = run(toy, *words)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert Path("other").read_text() == "nobody\tx\n"


def test_what_is_read_twice_is_a_file(toy: Path) -> None:
    ran = glyphone("evaluate", f"{toy}:PLAIN", "-", "--slice-column", "3", stdin=WORDS.encode())
    assert (ran.code, "cannot be read twice for --slice-column" in ran.err) == (2, True)


def test_with_a_lexicon_and_without(toy: Path) -> None:
    # Of b the lexicon knows better than the model, and of cha worse.
    Path("test.tsv").write_text(WORDS.replace("b\tp", "b\tk"), encoding="utf-8")
    Path("lex.tsv").write_text("b\tk\t1\nCHA\tk\t2\nCHA\ttʃ a\t1\n", encoding="utf-8")
    plain = run(toy, "--json")
    assert slices(plain, "source") == slices(plain, "alone") == []
    ran = run(toy, "--json", "--lexicon", "lex.tsv", "--weight-column", "3")
    whole = json.loads(ran.out)
    assert (whole["items"], whole["accuracy"], whole["mrr"]) == (5, 0.8, 0.9)
    assert told(slices(ran, "source")) == [("lexicon", 2, 0.5), ("model", 3, 1.0)]
    [alone] = slices(ran, "alone")
    without = json.loads(plain.out)
    assert (alone["words"], alone["accuracy"], without["accuracy"]) == (5, 0.8, 0.8)
    for name in ("accuracy", "per", "mean_f", "mrr", "map_ref"):
        assert (alone[name], alone["intervals"][name]) == (
            without[name],
            without["intervals"][name],
        )
    page = run(toy, "--lexicon", "lex.tsv").out
    for part in ("answer of  lexicon  ", "answer of  model  ", "without    lexicon  "):
        assert part in page, page


@pytest.mark.parametrize(("unit", "title"), [("token", "phone"), ("codepoint", "character")])
def test_errors_are_called_after_what_the_model_writes(unit: Any, title: str) -> None:
    model = Parrot({"a": [("b", 1.0)]}, target=Side(Writing(unit), ALPHABET))
    found = evaluate(model, pairs("a: a"))
    assert f"{title} error rate  " in str(found)
    assert (found.as_dict()["target_unit"], found.as_dict()["source_unit"]) == (unit, "codepoint")
    assert ({"phone", "character"} & set(str(found).split())) == {title}
