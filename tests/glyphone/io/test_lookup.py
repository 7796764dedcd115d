"""apply --lexicon and --unknown: who answered, what was not known, and what a resumed run needs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glyphone.data.errors import FormatError
from glyphone.data.records import Pair
from glyphone.io.lookup import lexicon_first
from glyphone.io.messages import SHOWN
from glyphone.training.train import train
from tests.glyphone.support import Ran, glyphone

WORDS = "ab ba aab abb a b bab".split()
PAIRS = [Pair(tuple(word), tuple(word.upper())) for word in WORDS]
MODEL = train(PAIRS).model


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    train(PAIRS).save("m.glyphone")
    Path("lex.tsv").write_text("ba\tA\t1\nba\tB B\t3\nßb\tB\t1\n", encoding="utf-8")
    Path("words").write_text("ba\nab\nßb\naß b\nßß\n", encoding="utf-8")
    return tmp_path


def run(*words: str) -> Ran:
    return glyphone("apply", "m.glyphone", "words", *words)


def test_without_either_no_column_more() -> None:
    ran = run()
    assert ran.code == 1
    assert [line.count("\t") for line in ran.out.splitlines()] == [2, 2]


def test_the_source_of_each_answer_is_a_column() -> None:
    ran = run("--lexicon", "lex.tsv", "--nbest", "2")
    rows = [line.split("\t") for line in ran.out.splitlines()]
    assert [(row[0], row[1], row[3]) for row in rows if row[3] == "lexicon"] == [
        ("ba", "A", "lexicon"), ("ba", "B B", "lexicon"), ("ßb", "B", "lexicon")
    ]  # fmt: skip
    assert rows[0][2] == "0.5"
    assert next(row[0] for row in rows if row[3] == "model") == "ab"
    weighted = run("--lexicon", "lex.tsv", "--weight-column", "3")
    assert weighted.out.splitlines()[0] == "ba\tB B\t0.75\tlexicon"


def test_unknown_symbols_are_marked() -> None:
    skipped = [line.split("\t") for line in run("--unknown", "skip").out.splitlines()]
    assert [row[0] for row in skipped] == ["ba", "ab", "ßb", "aß b"]
    assert [row[3:] for row in skipped] == [[], [], ["unknown:ß"], ["unknown:ß \\s"]]
    assert skipped[3][1:3] == skipped[1][1:3]
    passed = run("--unknown", "pass", "--lexicon", "lex.tsv").out.splitlines()
    assert passed[2] == "ßb\tB\t1\tlexicon"
    row = passed[3].split("\t")
    assert (row[1], row[3:]) == ("A ß   B", ["model", "unknown:ß \\s"])
    assert passed[4].split("\t")[1] == "ß ß"


def test_objects_say_the_same() -> None:
    ran = run("--unknown", "skip", "--lexicon", "lex.tsv", "--format", "jsonl")
    found = [json.loads(line)["hypotheses"][0] for line in ran.out.splitlines()]
    assert [best["source"] for best in found] == ["lexicon", "model", "lexicon", "model"]
    assert [best.get("unknown") for best in found] == [None, None, None, ["ß", " "]]
    assert found[2]["spans"] == [[0, 2]]
    assert "source" not in run("--format", "jsonl").out


def test_lines_that_the_model_cannot_write_are_told() -> None:
    Path("lex.tsv").write_text("ba\tA\nab\tQ\nbad\nab\t\n", encoding="utf-8")
    ran = run("--lexicon", "lex.tsv", "--unknown", "pass")
    assert ran.code == 0
    assert "lex.tsv: line 2: item 'ab': 'Q' U+0051" in ran.err
    assert "lex.tsv: line 3: item 'bad': column 2 is missing" in ran.err
    assert ran.err.endswith("3 entries of lex.tsv are left out\n")
    assert ran.out.splitlines()[1].split("\t")[3] == "model"
    Path("lex.tsv").write_text("ab\tQ\n" * (SHOWN + 5) + "a\tA\n", encoding="utf-8")
    ran = run("--lexicon", "lex.tsv")
    assert ran.err.count("lex.tsv: line") == SHOWN
    assert f"{SHOWN + 5} entries of lex.tsv are left out, of which {SHOWN} are shown\n" in ran.err
    for content, message in (("", "holds no entries"), ("ab\tQ\n", "none of 1 lines")):
        Path("lex.tsv").write_text(content)
        assert run("--lexicon", "lex.tsv").code == 2
        with pytest.raises(FormatError, match=message):
            lexicon_first(MODEL, "lex.tsv")


def test_wrong_files() -> None:
    assert run("--lexicon", "words").err.startswith("glyphone: words: line 1: item 'ba': column 2")
    ran = run("--weight-column", "3")
    assert (ran.code, "name one with --lexicon" in ran.err) == (2, True)
    ran = run("--lexicon", "lex.tsv", "-o", "lex.tsv")
    assert (ran.code, "must be different files" in ran.err) == (2, True)
    assert Path("lex.tsv").read_text(encoding="utf-8").startswith("ba\tA")
    ran = glyphone("apply", "m.glyphone", "lex.tsv", "--lexicon", "lex.tsv", "-o", "lex.tsv")
    assert (ran.code, "must be different files" in ran.err) == (2, True)
    assert glyphone("apply", "m.glyphone", "lex.tsv", "--lexicon", "lex.tsv").code == 0
    ran = glyphone("apply", "m.glyphone", "-", "--lexicon", "-")
    assert (ran.code, "must be different files" in ran.err) == (2, True)


def test_a_run_is_resumed_with_the_same_lexicon_and_way(monkeypatch: pytest.MonkeyPatch) -> None:
    from glyphone.batch import run as batch_run

    def stopped(*_: object) -> object:
        raise KeyboardInterrupt("SIGINT")

    options = ["-o", "out", "--lexicon", "lex.tsv", "--unknown", "skip"]
    answer = batch_run.answer_block
    monkeypatch.setattr(batch_run, "answer_block", stopped)
    assert run(*options).code == 130
    monkeypatch.setattr(batch_run, "answer_block", answer)
    for other in ([*options[:-1], "pass"], options[:2], [*options, "--weight-column", "3"]):
        ran = run(*other, "--resume")
        assert (ran.code, "contents of the model" in ran.err) == (2, True)
    assert run(*options, "--resume").code == 1
    assert len(Path("out").read_text(encoding="utf-8").splitlines()) == 4
