"""Batches: rows and failures, the same bytes for any number of threads, and no file lost."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from glyphone.batch import run as batch_run
from glyphone.batch.job import Job
from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.fst.transducers.model import TransducerModel
from tests.glyphone.batch.support import ENDINGS, job_in, lines, results, written
from tests.glyphone.support import GOOD_AND_BAD, GOOD_AND_BAD_ROWS


def test_rows_and_failures(plain: TransducerModel, tmp_path: Path) -> None:
    job = job_in(tmp_path)
    written(tmp_path / "in", GOOD_AND_BAD)
    assert batch_run.run_job(plain, job) == 3
    rows, failures = (content.decode() for content in results(job))
    assert rows == GOOD_AND_BAD_ROWS
    header, *failed = [row.split("\t") for row in failures.splitlines()]
    assert header == batch_run.rows.ERROR_HEADER.rstrip("\n").split("\t")
    assert [row[:6] for row in failed] == [
        ["4", "zz", "PLAIN", "0", "z", "U+007A"],
        ["7", "a\\x00", "", "1", "\\x00", "U+0000"],
        ["9", "zz", "PLAIN", "0", "z", "U+007A"],
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.tsv", "in", "out.tsv"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("last", ["", "\n"])
def test_line_ends_and_byte_order_marks(
    plain: TransducerModel, tmp_path: Path, end: str, mark: str, last: str
) -> None:
    job = job_in(tmp_path)
    text = GOOD_AND_BAD.strip("\n") + last
    written(tmp_path / "in", mark + text.replace("\n", end))
    assert batch_run.run_job(plain, job) == 3
    assert results(job)[0].decode() == GOOD_AND_BAD_ROWS


@pytest.mark.parametrize("text", ["", "\ufeff"])
def test_an_empty_file_has_no_rows(plain: TransducerModel, tmp_path: Path, text: str) -> None:
    job = job_in(tmp_path)
    written(tmp_path / "in", text)
    assert batch_run.run_job(plain, job) == 0
    assert results(job) == (b"", batch_run.rows.ERROR_HEADER.encode())


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("kind", ENDINGS)
@pytest.mark.parametrize("options", [{}, {"n": 3}, {"format": "jsonl"}])
def test_the_number_of_threads_changes_nothing(
    plain: TransducerModel, tmp_path: Path, kind: str, options: dict[str, Any]
) -> None:
    written(tmp_path / "in", lines(200))
    job = job_in(tmp_path, kind, **options)
    seen = set()
    for jobs in (1, 4, 9):
        batch_run.run_job(plain, job, jobs=jobs)
        seen.add(results(job))
    assert len(seen) == 1
    if kind == "gzip":
        ((rows, failures),) = seen
        uncompressed = job_in(tmp_path, **options)
        batch_run.run_job(plain, uncompressed)
        assert results(uncompressed) == (gzip.decompress(rows), gzip.decompress(failures))


def test_compressed_input(plain: TransducerModel, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(gzip.compress(GOOD_AND_BAD.encode()))
    job = job_in(tmp_path)
    batch_run.run_job(plain, job)
    assert results(job)[0].decode() == GOOD_AND_BAD_ROWS


def test_an_item_of_a_megabyte(plain: TransducerModel, tmp_path: Path) -> None:
    written(tmp_path / "in", "cha" * 350_000 + "\nab\n" + "q" * 1_000_000 + "\n")
    job = job_in(tmp_path)
    assert batch_run.run_job(plain, job) == 1
    first, second = results(job)[0].decode().splitlines()
    assert first.split("\t")[1] == " ".join(["tʃ a"] * 350_000)
    assert second == "ab\ta b\t1"


@pytest.mark.parametrize("link", [None, os.link, os.symlink])
@pytest.mark.parametrize("role", ["output", "errors"])
def test_the_input_is_never_written_over(
    plain: TransducerModel, tmp_path: Path, link: Callable[[Path, Path], None] | None, role: str
) -> None:
    source, other = tmp_path / "in", tmp_path / "other"
    written(source, "cha\n")
    if link is not None:
        link(source, other)
    same = str(source if link is None else other)
    paths = {"output": str(tmp_path / "out"), role: same}
    with pytest.raises(GlyphoneError, match="must be different files"):
        batch_run.run_job(plain, Job(source=str(source), **paths))
    assert source.read_text() == "cha\n"


def test_output_errors_and_journal_are_different_files(
    plain: TransducerModel, tmp_path: Path
) -> None:
    source, output = written(tmp_path / "out.journal", "cha\n"), str(tmp_path / "out")
    for job in (Job(source=source, output=output), Job(output=output, errors=output)):
        with pytest.raises(GlyphoneError, match="must be different files"):
            batch_run.run_job(plain, job)


def test_a_device_gets_neither_journal_nor_errors_beside_it(
    plain: TransducerModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = written(tmp_path / "in", GOOD_AND_BAD)
    assert batch_run.run_job(plain, Job(source=source, output=os.devnull)) == 3
    assert not Path(f"{os.devnull}.errors.tsv").exists()
    assert "3 of 9 items failed\n" in capsys.readouterr().err
    assert batch_run.run_job(plain, Job(source=source, output=os.devnull, errors=os.devnull)) == 3


def test_failures_go_to_stderr_where_there_is_no_file_for_them(
    plain: TransducerModel, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    batch_run.run_job(plain, Job(source=written(tmp_path / "in", GOOD_AND_BAD)))
    out, err = capfd.readouterr()
    assert out == GOOD_AND_BAD_ROWS
    assert [line.split("\t")[0] for line in err.splitlines()] == [
        "4", "7", "9", "3 of 9 items failed",
    ]  # fmt: skip


def test_where_no_file_can_be_written(plain: TransducerModel, tmp_path: Path) -> None:
    source = written(tmp_path / "in", "cha\n")
    for output in (tmp_path, tmp_path / "nowhere" / "out"):
        with pytest.raises(FormatError):
            batch_run.run_job(plain, Job(source=source, output=str(output)))
