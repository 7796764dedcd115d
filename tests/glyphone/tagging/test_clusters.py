"""`glyphone train --kind clusters`, and `--clusters` for what is trained on columns."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from glyphone.cli import main
from glyphone.learners.clusters.files import read_clusters
from glyphone.models.learners import file as learner_file
from tests.glyphone.tagging.samples import SENTENCES

TEXT = "el señor Paz vive en Lima\n\nAna viaja a Quito\n"
TRAIN = ["train", "text.txt", "--kind", "clusters", "-o", "classes.tsv"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "text.txt").write_text(TEXT * 5, encoding="utf-8")
    (tmp_path / "train.conll").write_text(SENTENCES * 5, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_text_becomes_a_file_of_classes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TRAIN, "--classes", "4", "--min-count", "1"]) == 0
    report = capsys.readouterr().out
    rows = {
        line.rpartition("  ")[0].strip(): line.split()[-1] for line in report.splitlines() if line
    }
    assert (rows["tokens"], rows["words"], rows["classes"]) == ("50", "10", "4")
    assert {"log-likelihood", "perplexity"} <= rows.keys()
    found = read_clusters("classes.tsv")
    assert len(found.bits) == 10 and found.counts["Paz"] == 5


def test_columns_are_read_by_their_name_or_if_told(folder: Path) -> None:
    assert main(["train", "train.conll", "--kind", "clusters", "-o", "one.tsv"]) == 0
    (folder / "other.gz").write_bytes(gzip.compress((folder / "train.conll").read_bytes()))
    told = ["train", "other.gz", "--kind", "clusters", "--read", "columns", "-o", "two.tsv"]
    assert main(told) == 0
    assert (folder / "one.tsv").read_bytes() == (folder / "two.tsv").read_bytes()
    assert read_clusters("one.tsv").counts["Paz"] == 5
    assert main([*told[:-1], "text.tsv", "--read", "text"]) == 0
    assert "NOUN" in read_clusters("text.tsv").bits


def test_stdin_is_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO((TEXT * 5).encode())

    monkeypatch.setattr("sys.stdin", Stdin)
    assert main(["train", "-", "--kind", "clusters", "-o", "piped.tsv"]) == 0
    assert main([*TRAIN]) == 0
    assert (folder / "piped.tsv").read_bytes() == (folder / "classes.tsv").read_bytes()


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (b"", [], "no word to learn from"),
        (b"la casa\nni\xf1o\n", [], "line 2: item 'ni"),
        (b"la casa\n", ["--dev", "x"], "classes are not measured"),
        (b"la casa\n", ["--order", "3"], "no option of clusters named 'order'"),
    ],
)
def test_bad_input_is_told(
    folder: Path,
    text: bytes,
    options: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / "text.txt").write_bytes(text)
    assert main([*TRAIN, *options]) == 2
    assert message in capsys.readouterr().err
    assert not (folder / "classes.tsv").exists()


def test_recognisers_carry_their_classes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(TRAIN) == 0
    train = ["train", "train.conll", "--kind", "entities", "--clusters", "classes.tsv"]
    assert main([*train, "-o", "ner.glyphone"]) == 0
    (folder / "classes.tsv").unlink()
    recognizer = learner_file.load("ner.glyphone")
    assert recognizer.clusters.bits["Paz"]
    assert main(["evaluate", "ner.glyphone", "train.conll"]) == 0
    (folder / "ner.toml").write_text(
        '[[stages]]\nuse = "glyphone.entities.v1"\nmodel = "ner.glyphone"\n', encoding="utf-8"
    )
    (folder / "in.txt").write_text("Ana vive en Quito\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["run", "ner.toml", "in.txt", "--format", "jsonl"]) == 0
    assert '"value": "LOC"' in capsys.readouterr().out


def test_patterns_name_classes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TRAIN, "--classes", "4"]) == 0
    (folder / "patterns").write_text('U:%m[0,cluster,"^.."]\nB\n', encoding="utf-8")
    train = ["train", "train.conll", "--kind", "crf", "--patterns", "patterns", "--jobs", "1"]
    assert main([*train, "--clusters", "classes.tsv", "-o", "x.glyphone"]) == 0
    (folder / "in.conll").write_text("Paz N\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["tag", "x.glyphone", "in.conll"]) == 0
    assert len(capsys.readouterr().out.split()) == 3
    assert main([*train, "-o", "y.glyphone"]) == 2
    assert "there is no column 'cluster'" in capsys.readouterr().err
