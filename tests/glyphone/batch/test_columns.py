"""Batches over a column of a text file: what is kept beside it, and lines that are no good."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glyphone.batch import run as batch_run
from glyphone.data.errors import ItemError
from glyphone.fst.interface.answers import Answers
from glyphone.fst.transducers.model import TransducerModel
from tests.glyphone.batch.support import job_in, results, written
from tests.glyphone.support import Ran, glyphone

TABLE = "1\tcha\tx\n2\n3\tÑa\t\n4\tzz\ty\n5\t\tz\n"


def rows_of(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines()]


def test_the_other_columns_are_kept(plain: TransducerModel, tmp_path: Path) -> None:
    job = job_in(tmp_path, column="2")
    written(tmp_path / "in", TABLE)
    assert batch_run.run_job(plain, job) == 2
    found, failures = (rows_of(content.decode()) for content in results(job))
    assert found == [
        ["1", "cha", "x", "tʃ a", "1"],
        ["3", "Ña", "", "ɲ a", "1"],
        ["5", "", "z", "", "1"],
    ]
    assert [row[:2] for row in failures[1:]] == [["2", ""], ["4", "zz"]]
    assert failures[1][6] == "column 2 is missing: 1 found"


def test_without_a_column_the_first_one_is_taken_and_kept_alone(
    plain: TransducerModel, tmp_path: Path
) -> None:
    written(tmp_path / "in", "cha\tx\n")
    for column, row in ((None, "cha\ttʃ a\t1\n"), ("1", "cha\tx\ttʃ a\t1\n")):
        job = job_in(tmp_path, column=column)
        batch_run.run_job(plain, job)
        assert results(job)[0].decode() == row


def test_objects_have_the_columns(plain: TransducerModel, tmp_path: Path) -> None:
    job = job_in(tmp_path, column="2", format="jsonl")
    written(tmp_path / "in", TABLE)
    assert batch_run.run_job(plain, job) == 2
    found = [json.loads(line) for line in results(job)[0].decode().splitlines()]
    assert [(row["input"], row["columns"]) for row in found] == [
        ("cha", ["1", "cha", "x"]), ("Ña", ["3", "Ña", ""]), ("", ["5", "", "z"])
    ]  # fmt: skip
    assert [row["hypotheses"][0]["spans"] for row in found] == [
        [[0, 2], [2, 3]],
        [[0, 1], [1, 2]],
        [],
    ]


def test_a_line_that_cannot_be_written_again_fails(plain: TransducerModel, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"cha\t\xff\ncha\tx\0\nch\xff\tx\n")
    job = job_in(tmp_path, column="1")
    assert batch_run.run_job(plain, job) == 2
    assert results(job)[0] == "cha\tx\0\ttʃ a\t1\n".encode()
    failures = rows_of(results(job)[1].decode())
    assert [row[0] for row in failures[1:]] == ["1", "3"]
    assert failures[1][6:] == ["is in a line that is not UTF-8", "re-encode it"]
    # What is not written again need not be text.
    job = job_in(tmp_path)
    assert batch_run.run_job(plain, job) == 1


@pytest.mark.usefixtures("small_blocks")
def test_where_every_line_fails(plain: TransducerModel, tmp_path: Path) -> None:
    written(tmp_path / "in", "a\n" * 20)
    job = job_in(tmp_path, column="2", format="jsonl")
    assert batch_run.run_job(plain, job) == 20
    assert results(job)[0] == b""


def test_an_item_without_an_answer_is_a_failure(
    plain: TransducerModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(
        self: TransducerModel, texts: list[str], *, n: int = 1, spans: bool = False
    ) -> Answers:
        failures = {1: ItemError("no")}
        return Answers(["x"], [0.0], [1.0], [0, 1, 1, 1], frozenset([2]), failures)

    monkeypatch.setattr(TransducerModel, "answer", nothing)
    written(tmp_path / "in", "a\nb\na\n")
    job = job_in(tmp_path)
    assert batch_run.run_job(plain, job) == 2
    failures = rows_of(results(job)[1].decode())
    assert [(row[0], row[6]) for row in failures[1:]] == [
        ("2", "no"), ("3", "no answer within the budget")
    ]  # fmt: skip


def run(toy: Path, folder: Path, *words: str) -> Ran:
    written(folder / "in", TABLE)
    return glyphone("apply", f"{toy}:PLAIN", folder / "in", *words)


@pytest.mark.parametrize("column", ["0", "name", "-1", "²"])
def test_columns_of_text_have_numbers(toy: Path, tmp_path: Path, column: str) -> None:
    ran = run(toy, tmp_path, f"--column={column}")
    assert (ran.code, ran.out) == (2, "")
    assert f"--column {column} is no column of text (columns of text have numbers" in ran.err


def test_a_run_is_resumed_with_the_same_column(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> object:
        raise KeyboardInterrupt("SIGINT")

    output = str(tmp_path / "out")
    answer = batch_run.answer_block
    monkeypatch.setattr(batch_run, "answer_block", stopped)
    assert run(toy, tmp_path, "-o", output, "--column", "2").code == 130
    monkeypatch.setattr(batch_run, "answer_block", answer)
    ran = run(toy, tmp_path, "-o", output, "--resume")
    assert (ran.code, "--column was 2, and is None" in ran.err) == (2, True)
    assert run(toy, tmp_path, "-o", output, "--column", "2", "--resume").code == 1
    assert len((tmp_path / "out").read_text(encoding="utf-8").splitlines()) == 3
