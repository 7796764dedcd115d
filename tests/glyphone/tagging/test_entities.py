"""`glyphone train --kind entities`, and the pipeline that its file is for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glyphone.cli import main
from tests.glyphone.tagging.samples import SENTENCES


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "train.conll").write_text(SENTENCES * 5, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_from_columns_to_a_pipeline(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "dev.conll").write_text(SENTENCES, encoding="utf-8")
    train = ["train", "train.conll", "--kind", "entities", "--dev", "dev.conll"]
    assert main([*train, "-o", "ner.glyphone"]) == 0
    report = capsys.readouterr().out
    assert "kinds      LOC, PER" in report
    figures = [line.split()[:5] for line in report.splitlines()]
    assert ["all", "4", "4", "100.00", "%"] in figures
    (folder / "ner.toml").write_text(
        '[[stages]]\nuse = "glyphone.entities.v1"\nmodel = "ner.glyphone"\n', encoding="utf-8"
    )
    (folder / "in.txt").write_text("Eva vive en Quito\n", encoding="utf-8")
    assert main(["run", "ner.toml", "in.txt", "--format", "jsonl"]) == 0
    found = json.loads(capsys.readouterr().out)["candidates"]
    assert [(one["text"], one["value"]) for one in found] == [("Eva", "PER"), ("Quito", "LOC")]


def test_segments_from_columns_to_columns(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The semi-Markov field: columns are looked at, `tag` and `evaluate` take its file."""
    (folder / "dev.conll").write_text(SENTENCES, encoding="utf-8")
    train = ["train", "train.conll", "--kind", "entities", "--learner", "semi-markov"]
    options = ["--max-length", "3", "--filter", "1e-4", "--rho2", "0.1", "--jobs", "1"]
    assert main([*train, *options, "--dev", "dev.conll", "-o", "ner.glyphone"]) == 0
    report = capsys.readouterr().out
    assert "kinds       LOC, PER" in report and "too long    0 phrases" in report
    assert "100.00 % of phrases" in report
    assert ["all", "4", "4", "100.00", "%"] in [line.split()[:5] for line in report.splitlines()]
    (folder / "in.conll").write_text("Eva PROPN\nvive VERB\nen ADP\nLima PROPN\n", encoding="utf-8")
    assert main(["tag", "ner.glyphone", "in.conll"]) == 0
    labels = [line.split("\t")[2] for line in capsys.readouterr().out.split("\n") if line]
    assert labels == ["B-PER", "O", "O", "B-LOC"]
    assert main(["evaluate", "ner.glyphone", "dev.conll", "--nbest", "2"]) == 0
    assert "sentences among 2 best" in capsys.readouterr().out
    assert main(["convert", "ner.glyphone", "ner.wapiti"]) == 2
    assert "holds a SemiMarkovCRF, no tagger with patterns" in capsys.readouterr().err
    assert main([*train, "--filter", "0", "--iterations", "2", "-o", "all.glyphone"]) == 0
    report = capsys.readouterr().out
    assert "candidates  100.0 % of spans" in report and "after 2 iterations" in report


def test_options_of_the_other_learner(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train = ["train", "train.conll", "--kind", "entities", "-o", "x.glyphone"]
    assert main([*train, "--max-length", "3"]) == 2
    assert "the two-phase recogniser has no --max-length" in capsys.readouterr().err
    assert main([*train, "--learner", "markov"]) == 2
    assert "no learner of entities named 'markov'" in capsys.readouterr().err
    assert not (folder / "x.glyphone").exists()


def test_the_recogniser_in_two_phases_tags(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "train.conll", "--kind", "entities", "-o", "ner.glyphone"]) == 0
    (folder / "in.conll").write_text("Eva\nvive\nen\nQuito\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["tag", "ner.glyphone", "in.conll"]) == 0
    assert capsys.readouterr().out == "Eva\tB-PER\nvive\tO\nen\tO\nQuito\tB-LOC\n\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no sentence in it"),
        ("Ana B-PER\nve\n", "line 2"),
        ("Ana O\nPaz I-PER\n", "line 2"),
    ],
)
def test_bad_columns_are_told_by_line(
    folder: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.conll").write_text(text, encoding="utf-8")
    assert main(["train", "bad.conll", "--kind", "entities", "-o", "x.glyphone"]) == 2
    assert message in capsys.readouterr().err
    assert not (folder / "x.glyphone").exists()


def test_iob1_is_read_if_asked_for(folder: Path) -> None:
    text = SENTENCES.replace("B-", "I-") * 3
    (folder / "old.conll").write_text(text, encoding="utf-8")
    train = ["train", "old.conll", "--kind", "entities", "-o", "x.glyphone"]
    assert main(train) == 2
    assert main([*train, "--scheme", "iob1"]) == 0


def test_stdin_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "-", "--kind", "entities", "-o", "x.glyphone"]) == 2
    assert "save them to a file" in capsys.readouterr().err


def test_options_of_other_kinds_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train = ["train", "train.conll", "--kind", "entities", "-o", "x.glyphone"]
    for option, name in (("--order", "order"), ("--weight-column", "weight_column")):
        assert main([*train, option, "3"]) == 2
        assert f"no option of entities named '{name}'" in capsys.readouterr().err


def test_lines_between_documents_may_be_short(folder: Path) -> None:
    (folder / "docs.conll").write_text(f"-DOCSTART-\n\n{SENTENCES * 3}", encoding="utf-8")
    assert main(["train", "docs.conll", "--kind", "entities", "-o", "x.glyphone"]) == 0
