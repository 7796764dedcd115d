"""`glyphone train --kind crf` from lexicons, and what its file is good for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import glyphone
from glyphone.cli import main

from .test_model import LEXICON

ROWS = "".join(f"{word}\t{' '.join(sounds)}\n" for word, sounds in LEXICON.items())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "train.tsv").write_text(ROWS, encoding="utf-8")
    (tmp_path / "dev.tsv").write_text("cacho\tk a S o\nhocico\to s i k o\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def learn(*more: str) -> int:
    options = ["--kind", "crf", "--templates", "3-grm", "--rho1", "0.05", "--jobs", "1"]
    return main(["train", "train.tsv", "-o", "spa.glyphone", *options, *more])


def test_from_a_lexicon_to_answers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Fitting a temperature would decode so often that kernels are compiled.
    assert learn("--dev", "dev.tsv", "--no-calibrate") == 0
    assert "word error" in capsys.readouterr().out
    model = glyphone.load("spa.glyphone")
    told = model.description["training"]
    assert (told["kind"], told["templates"], told["optimizer"]) == ("crf", "3-grm", "sgd")
    (folder / "in.txt").write_text("chico\nqqq\n", encoding="utf-8")
    assert main(["apply", "spa.glyphone", "in.txt", "--nbest", "2", "--format", "jsonl"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "S i k o" in json.dumps(rows)
    assert main(["evaluate", "spa.glyphone", "train.tsv"]) == 0
    assert main(["explain", "spa.glyphone", "chico"]) == 0
    assert "[" in capsys.readouterr().out


def test_the_same_seed_gives_the_same_bytes_with_any_jobs(folder: Path) -> None:
    found = set()
    for jobs in ("1", "2", "1"):
        assert learn("--jobs", jobs) == 0
        found.add((folder / "spa.glyphone").read_bytes())
    assert len(found) == 1


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--templates", "6-grm"], "no set of templates"),
        (["--order", "3"], "option of a conditional random field"),
        (["--optimizer", "bcd"], "not bcd"),
        (["--memory", "0"], "would fit"),
    ],
)
def test_what_cannot_be(
    folder: Path, more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert learn(*more) == 2
    assert message in capsys.readouterr().err
