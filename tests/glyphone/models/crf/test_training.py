"""`glyphone train --kind crf` from lexicons, and what its file is good for."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

import glyphone
from glyphone.cli import main
from glyphone.data.lexicons.splits import point_of_word
from glyphone.data.records import Alignment
from glyphone.models.crf.training import CrfOptions, split_watched
from tests.glyphone.models.crf.test_model import LEXICON

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


def test_words_that_are_watched_end_training(folder: Path) -> None:
    assert learn() == learn("--watched", "0.3", "--iterations", "60", "-o", "watched.glyphone") == 0
    told = glyphone.load("watched.glyphone").description["training"]
    assert told["watched"] == 0.3 and told["ended"] == "dev error"
    assert told["iterations done"] < 60
    # No letter is lost by it.
    models = [glyphone.load(f"{name}.glyphone") for name in ("spa", "watched")]
    assert models[0].source.symbols.keys() == models[1].source.symbols.keys()


def test_watched_words_have_nothing_new() -> None:
    """Of those that fall into the share; all others are learnt from."""
    words = ["".join(letters) for letters in product("abcdef", repeat=2)] + ["axe"]
    rows = [Alignment(tuple(((x,), (x,)) for x in word)) for word in words]
    for seed in range(5):
        options = CrfOptions(watched=0.7, seed=seed)
        learnt, watched = split_watched(rows, options)
        assert sorted([*learnt, *watched]) == sorted(row.units for row in rows)
        units = {unit for row in learnt for unit in row}
        assert all(units.issuperset(row) for row in watched) and rows[-1].units in learnt
        asked = sum(point_of_word(tuple(word), seed=seed) < 0.7 for word in words)
        assert 0 < len(watched) <= asked < len(words)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--templates", "6-grm"], "no set of templates"),
        (["--order", "3"], "no option of crf named 'order'"),
        (["--optimizer", "bcd"], "not bcd"),
        (["--memory", "0"], "would fit"),
        (["--watched", "1"], "watched is 1.0"),
        (["--watched", "1e-9"], "none can be watched"),
    ],
)
def test_what_cannot_be(
    folder: Path, more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert learn(*more) == 2
    assert message in capsys.readouterr().err
