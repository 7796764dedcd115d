"""Files of pairs of names, and `glyphone match`."""

from __future__ import annotations

import argparse
import gzip
import json
import math
from pathlib import Path

import pytest

from glyphone.batch import parquet
from glyphone.cli import match
from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.fst.rules.cascade import cascade
from glyphone.fst.transducers.model import TransducerModel
from glyphone.models.kanji.file import save
from glyphone.models.kanji.matching import files as matching_files
from glyphone.models.kanji.matching.files import MatchJob, match_file
from glyphone.models.kanji.matching.matcher import Matcher
from tests.glyphone.batch.support import same_however_often_stopped
from tests.glyphone.models.kanji.matching.twins import small_model

PAIRS = "山田太郎\tYamada Taro\n\n☃\tYamada\n山田\n大谷\tおおたに\n山田\tたかはし\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("models") / "names.glyphone"
    save(small_model(), path)
    return str(path)


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    match.add_arguments(parser)
    return match.run(parser.parse_args(words))


def test_two_names(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("山田太郎", "Tarō Yamada", "--model", model) == 0
    (row,) = capsys.readouterr().out.splitlines()
    first, second, score, odds, order, extent, writing, readings, why = row.split("\t")
    assert (first, second, order, extent) == ("山田太郎", "Tarō Yamada", "swapped", "whole")
    assert 0 < float(score) <= 1
    assert float(odds) > 0
    assert (writing, why) == ("other script", "")
    assert readings.startswith("やまだ たろう ")


def test_a_name_that_is_none_is_fatal_alone(model: str) -> None:
    with pytest.raises(ItemError, match="no letter of romaji"):
        run("山田", "☃", "--model", model)


def test_a_file(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs, out = tmp_path / "pairs.tsv", tmp_path / "out.tsv.gz"
    pairs.write_text(PAIRS, encoding="utf-8")
    assert run(str(pairs), "--model", model, "-o", str(out)) == 1
    with gzip.open(out, "rt", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    assert [row[:2] for row in rows] == [
        ["山田太郎", "Yamada Taro"],
        ["大谷", "おおたに"],
        ["山田", "たかはし"],
    ]
    assert rows[2][2:4] == ["0", "-inf"]
    assert rows[2][8] == "no reading is shared"
    _, *failed = Path(f"{out}.errors.tsv").read_text(encoding="utf-8").splitlines()
    assert [row.split("\t")[:5] for row in failed] == [
        ["3", "☃", "first name", "0", "☃"],
        ["4", "山田", "reading", "", ""],
    ]
    assert "2 of 5 pairs failed; see" in capsys.readouterr().err


def test_json_lines(model: str, tmp_path: Path) -> None:
    pairs, out = tmp_path / "pairs.tsv", tmp_path / "out.jsonl"
    pairs.write_text("x\tYamada Jiro\t山田 太郎\nx\tおの\t小野\n", encoding="utf-8")
    columns = ("--first-column", "2", "--second-column", "3")
    options = (*columns, "--format", "jsonl", "--readings", "1", "-o", str(out))
    assert run(str(pairs), "--model", model, *options) == 0
    first, second = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert (first["line"], first["log_odds"], first["readings"]) == (1, None, [])
    assert first["why"] == "given name differs, surname agrees"
    assert [part["second"] for part in first["parts"]] == ["山田", "太郎"]
    assert (second["line"], [reading for reading, _ in second["readings"]]) == (2, ["おの"])


def test_only_what_agrees(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(PAIRS, encoding="utf-8")
    assert run(str(pairs), "--model", model, "--least", "0.01") == 1
    told = capsys.readouterr()
    assert [row.split("\t")[0] for row in told.out.splitlines()] == ["山田太郎", "大谷"]
    assert f"{pairs}: line 3: item '☃': first name" in told.err
    with pytest.raises(SystemExit):
        run(str(pairs), "--least", "2")


def test_it_has_to_be_a_model_of_japanese_names() -> None:
    toy = TransducerModel.of(cascade(letters="a", phones="b", rules="a -> b"), name="toy")
    with pytest.raises(GlyphoneError, match="toy is no model of Japanese names"):
        match_file(toy, MatchJob(names=("a", "b")))


def test_a_file_is_not_written_over(model: str, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(PAIRS, encoding="utf-8")
    with pytest.raises(GlyphoneError, match="must be different files"):
        run(str(pairs), "--model", model, "-o", str(pairs))
    assert pairs.read_text(encoding="utf-8") == PAIRS


def test_a_run_stopped_anywhere_and_resumed(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching_files, "BLOCK", 2)
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(PAIRS, encoding="utf-8")
    words = ("match", pairs, "--model", model, "--least", "0.01")
    assert same_however_often_stopped(*words, output=tmp_path / "out") == 3


def test_rows_of_parquet(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    pa = pytest.importorskip("pyarrow")
    monkeypatch.setattr(parquet, "ROWS", 2)
    pairs, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    rows = [("山田太郎", "Yamada Taro"), ("☃", "Yamada"), ("山田", None), ("山田", "たかはし")]
    first, second = zip(*rows, strict=True)
    pq.write_table(pa.table({"id": [1, 2, 3, 4], "one": first, "other": second}), pairs)
    words = (str(pairs), "--model", model, "--first-column", "2", "--second-column", "3")
    assert run(*words, "-o", str(out)) == 1
    assert f"2 of 4 pairs failed; see {out}.errors.tsv" in capsys.readouterr().err
    table = pq.read_table(out)
    assert table.column_names == [
        "id", "one", "other", "score", "log_odds", "order", "extent", "writing", "readings", "why",
        "unknown", "error",
    ]  # fmt: skip
    good, unreadable, null, other = table.to_pylist()
    alone = Matcher(small_model())("山田太郎", "Yamada Taro")
    assert (good["score"], good["order"], good["error"]) == (alone.score, "same", None)
    readings = [(row["reading"], row["probability"]) for row in good["readings"]]
    assert readings == [*alone.readings] and good["unknown"] == []
    assert "no letter of romaji" in unreadable["error"] and unreadable["score"] is None
    assert "is null" in null["error"]
    assert (other["log_odds"], other["why"]) == (-math.inf, "no reading is shared")
    with pytest.raises(GlyphoneError, match="rows of Parquet are all kept"):
        run(*words, "-o", str(out), "--least", "0.5")
    with pytest.raises(GlyphoneError, match="two names are no file of Parquet"):
        run("山田", "やまだ", "--model", model, "-o", str(out))
    assert same_however_often_stopped("match", *words, output=tmp_path / "x.parquet") == 2


def test_the_number_of_workers_changes_nothing(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching_files, "BLOCK", 2)
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(PAIRS, encoding="utf-8")
    written = set()
    for jobs in ("1", "3"):
        out = tmp_path / jobs
        assert run(str(pairs), "--model", model, "-o", str(out), "--jobs", jobs) == 1
        written.add(out.read_bytes() + Path(f"{out}.errors.tsv").read_bytes())
    assert len(written) == 1
