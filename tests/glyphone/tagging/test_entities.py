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
