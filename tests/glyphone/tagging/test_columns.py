"""`glyphone train --kind crf` with patterns, and `glyphone tag`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glyphone.batch import parquet
from glyphone.cli import main
from glyphone.tagging import files as tagging_files
from tests.glyphone.batch.support import same_however_often_stopped
from tests.glyphone.support import glyphone

TRAIN = """la DET B-NP
casa NOUN I-NP
ve VERB O

Ana PROPN B-NP
come VERB O
la DET B-NP
sopa NOUN I-NP

"""
PATTERNS = "U1:%x[0,0]\nU2:%x[0,1]\nU3:%x[-1,1]/%x[0,1]\nB\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "train.conll").write_text(TRAIN * 4, encoding="utf-8")
    (tmp_path / "dev.conll").write_text(TRAIN, encoding="utf-8")
    (tmp_path / "patterns").write_text(PATTERNS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def learn(*more: str, train: str = "train.conll") -> int:
    patterns = ["--kind", "crf", "--patterns", "patterns", "--rho1", "0.1", "--jobs", "1"]
    return main(["train", train, *patterns, "-o", "np.glyphone", *more])


def test_from_columns_to_columns(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert learn("--dev", "dev.conll") == 0
    report = capsys.readouterr().out
    assert "labels     3" in report and "objective" in report
    figures = [line.split() for line in report.splitlines()]
    assert ["tokens", "7", "100.00", "%"] in [row[:4] for row in figures]
    assert ["all", "3", "3", "100.00", "%"] in [row[:5] for row in figures]
    (folder / "in.conll").write_text("Eva PROPN\nve VERB\nla DET\nluna NOUN\n", encoding="utf-8")
    assert main(["tag", "np.glyphone", "in.conll"]) == 0
    out = capsys.readouterr().out
    assert out == "Eva\tPROPN\tB-NP\nve\tVERB\tO\nla\tDET\tB-NP\nluna\tNOUN\tI-NP\n\n"


def test_training_goes_on_from_a_model(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert learn("--iterations", "3") == 0
    begun = capsys.readouterr().out
    (folder / "np.glyphone").rename(folder / "old.glyphone")
    assert learn("--iterations", "3", "--resume", "old.glyphone") == 0
    gone_on = capsys.readouterr().out

    def objective(report: str) -> float:
        return next(float(x.split()[1]) for x in report.splitlines() if x.startswith("objective"))

    assert objective(gone_on) < objective(begun)


def test_tags_that_are_of_no_phrases_have_an_accuracy_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("pos", "more"):
        (folder / f"{name}.conll").write_text("la x DET\nve y VERB\n\n" * 3, encoding="utf-8")
    assert learn("--dev", "more.conll", train="pos.conll") == 0
    report = capsys.readouterr().out
    figures = [line.split()[:3] for line in report.splitlines()]
    assert ["tokens", "6", "100.00"] in figures and ["all"] not in [row[:1] for row in figures]
    assert ["DET", "3", "3"] in figures and ["VERB", "3", "3"] in figures


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--templates", "5-grm"], "no option of tagger named"),
        (["--resume", "patterns"], "patterns"),
        (["--memory", "0"], "more than the 0.0 MB there are"),
        (["--optimizer", "lbfgs"], "lbfgs is for rho1=0"),
    ],
)
def test_what_cannot_be(
    folder: Path, more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert learn(*more) == 2
    assert message in capsys.readouterr().err
    assert not (folder / "np.glyphone").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no sentence in it"),
        ("la\nve\n", "a token alone, and no label"),
        ("la DET B\nve VERB\n", "line 2"),
    ],
)
def test_bad_columns(
    folder: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.conll").write_text(text, encoding="utf-8")
    assert learn(train="bad.conll") == 2
    assert message in capsys.readouterr().err


def test_patterns_belong_to_their_kind(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["train", "train.conll", "-o", "x.glyphone", "--patterns", "patterns"]
    assert main([*given, "--kind", "tree"]) == 2
    told = capsys.readouterr().err
    assert "no option of tree named 'patterns'" in told and "a kind that has it: tagger)" in told
    resumed = ["train", "train.conll", "-o", "x.glyphone", "--kind", "crf", "--resume", "y"]
    assert main(resumed) == 2
    assert "the same file of patterns" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", ["wapiti", "crfsuite"])
def test_taggers_of_other_tools(
    folder: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert learn() == 0
    (folder / "in.conll").write_text("Eva PROPN\nve VERB\nla DET\nluna NOUN\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["tag", "np.glyphone", "in.conll"]) == 0
    wanted = capsys.readouterr().out
    assert main(["convert", "np.glyphone", f"np.{suffix}"]) == 0
    assert f"np.{suffix}: 3 labels, " in capsys.readouterr().err
    own = [] if suffix == "wapiti" else ["--patterns", "patterns"]
    assert main(["convert", f"np.{suffix}", "back.glyphone", *own]) == 0
    capsys.readouterr()
    assert main(["tag", "back.glyphone", "in.conll"]) == 0
    assert capsys.readouterr().out == wanted
    assert main(["convert", f"np.{suffix}", "back.arpa", *own]) == 2
    assert "no name of a file of a tagger" in capsys.readouterr().err


def test_a_model_of_crfsuite_has_no_patterns(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "x.crfsuite").write_text("", encoding="utf-8")
    assert main(["convert", "x.crfsuite", "x.glyphone"]) == 2
    assert "has no patterns (name the file of them with --patterns)" in capsys.readouterr().err


def test_patterns_in_stages_and_memory(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A later file adds what looks at more; how much memory is needed is told before each."""
    (folder / "more").write_text("U4:%x[-1,0]%x[0,0]\n", encoding="utf-8")
    assert learn() == 0
    plain = capsys.readouterr()
    assert plain.err.count("owl-qn: ") == 1 and "iteration" not in plain.err
    given = ["--kind", "crf", "--patterns", "patterns", "more", "--rho1", "0.1", "--jobs", "1"]
    assert main(["train", "train.conll", *given, "-o", "two.glyphone", "--weights-of", "all"]) == 0
    assert capsys.readouterr().err.count("owl-qn: ") == 2
    (folder / "in.conll").write_text("Eva PROPN\nve VERB\n", encoding="utf-8")
    assert main(["tag", "two.glyphone", "in.conll"]) == 0
    assert capsys.readouterr().out == "Eva\tPROPN\tB-NP\nve\tVERB\tO\n\n"


def test_tagging_stopped_anywhere_and_resumed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tagging_files, "BLOCK", 2)
    assert learn() == 0
    sentences = ["Eva PROPN", "ve VERB", "", "-DOCSTART- x", "la DET", "luna NOUN more", "", ""]
    (folder / "in.conll").write_text("\n".join(sentences * 3) + "\nEva\tPROPN", encoding="utf-8")
    for form, rows in (("tsv", 11), ("jsonl", 4)):
        output, words = folder / f"out.{form}", ("tag", "np.glyphone", "in.conll", "--jobs", "1")
        assert same_however_often_stopped(*words, "--format", form, output=output) == 7
        assert output.read_text().count("\n") == rows
        _, *failed = Path(f"{output}.errors.tsv").read_text().splitlines()
        assert [row.split("\t")[0] for row in failed] == ["6", "14", "22"]
        assert "3 columns where 2 are named" in failed[0]


def test_a_stream_of_sentences(folder: Path) -> None:
    assert learn() == 0
    given = b"Eva PROPN\nve VERB\n\n\nla DET\n"
    ran = glyphone("tag", "np.glyphone", "-", stdin=given)
    assert (ran.code, ran.out) == (0, "Eva\tPROPN\tB-NP\nve\tVERB\tO\n\nla\tDET\tB-NP\n\n")
    ran = glyphone("tag", "np.glyphone", "-", "--format", "jsonl", stdin=given)
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert rows[0] == {
        "tokens": ["Eva", "ve"], "columns": [["PROPN", "VERB"]], "labels": ["B-NP", "O"]
    }  # fmt: skip
    for empty in (b"", b"\n\n", b"-DOCSTART-\n"):
        ran = glyphone("tag", "np.glyphone", "-", stdin=empty)
        assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_rows_of_parquet(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    pa = pytest.importorskip("pyarrow")
    monkeypatch.setattr(parquet, "ROWS", 2)
    assert learn() == 0
    tokens = [["Eva", "ve", "la", "luna"], ["la"], [], None, ["la", None], ["la", "casa"]]
    tags = [["PROPN", "VERB", "DET", "NOUN"], ["DET"], [], ["DET"], ["DET", "X"], ["DET"]]
    table = {"id": [*range(6)], "tokens": tokens, "pos": tags, "flat": ["x"] * 6}
    pq.write_table(pa.table(table), "in.parquet")
    words = ("tag", "np.glyphone", "in.parquet")
    ran = glyphone(*words, "-o", "out.parquet")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "3 of 6 sentences failed; see out.parquet.errors.tsv\n"
    found = pq.read_table("out.parquet")
    assert found.column_names == ["id", "tokens", "pos", "flat", "labels", "error"]
    good, short, empty, null, hole, uneven = found.to_pylist()
    assert good["labels"] == ["B-NP", "O", "B-NP", "I-NP"] and good["error"] is None
    assert (short["labels"], empty["labels"]) == (["B-NP"], [])
    assert "is null" in null["error"] and null["labels"] is None
    assert "column 'tokens' has a null" in hole["error"]
    assert "column 'pos' has 1 values for 2 tokens" in uneven["error"]
    named = glyphone(*words, "--columns", "tokens,pos", "-o", "same.parquet")
    assert (named.code, pq.read_table("same.parquet").equals(found)) == (1, True)
    assert same_however_often_stopped(*words, output=folder / "x.parquet") == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--columns tokens,flat", "column 'flat' holds string, not lists of text"),
        ("--columns tokens,tag", "column"),
        ("--columns tokens --format tsv", "Parquet is not read or written as tsv"),
    ],
)
def test_columns_that_are_no_lists_of_text(folder: Path, options: str, message: str) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    pa = pytest.importorskip("pyarrow")
    assert learn() == 0
    pq.write_table(pa.table({"tokens": [["la"]], "flat": ["la"]}), "in.parquet")
    ran = glyphone("tag", "np.glyphone", "in.parquet", "-o", "out.parquet", *options.split())
    assert (ran.code, message in ran.err) == (2, True)
    pq.write_table(pa.table({"flat": ["la"]}), "in.parquet")
    ran = glyphone("tag", "np.glyphone", "in.parquet", "-o", "out.parquet")
    assert (ran.code, "no column holds lists of text" in ran.err) == (2, True)
    ran = glyphone("tag", "np.glyphone", "dev.conll", "--columns", "tokens")
    assert (ran.code, "columns of text have no names" in ran.err) == (2, True)
