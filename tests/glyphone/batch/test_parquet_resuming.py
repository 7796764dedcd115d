"""Batches over Parquet that are stopped: the same bytes however often, and what is refused."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from glyphone.batch import arrow as batch_arrow
from glyphone.batch import parquet
from glyphone.batch import run as batch_run
from glyphone.batch.job import Job
from glyphone.batch.journal import Journal
from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.fst.transducers.model import TransducerModel
from tests.glyphone.batch.support import lines, wait_for_lines
from tests.glyphone.support import command, glyphone

pa = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def source_of(n: int, path: Path) -> Path:
    words = lines(n).split("\n")[:n]
    pq.write_table(pa.table({"id": list(range(n)), "name": words}), path, row_group_size=11)
    return path


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Job:
    """A job of ten parts, the last of which is not full."""
    monkeypatch.setattr(parquet, "ROWS", 7)
    source = str(source_of(66, tmp_path / "in.parquet"))
    output = str(tmp_path / "out.parquet")
    return Job(source=source, output=output, format="parquet", column="name", model="toy.far:PLAIN")


def results(job: Job) -> tuple[bytes, bytes]:
    return Path(job.output).read_bytes(), Path(job.errors_path).read_bytes()


def stopping(number: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is interrupted when it is called for so many times."""
    calls = iter(range(number))

    def interrupted(*arguments: Any) -> Any:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return function(*arguments)

    return interrupted


def stopped(model: TransducerModel, job: Job, number: int = 3, what: str = "write_table") -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch_arrow, what, stopping(number, getattr(batch_arrow, what)))
        with pytest.raises(KeyboardInterrupt):
            batch_run.run_job(model, job, jobs=1, resume=Journal.beside(job.output).path.exists())


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_run_stopped_anywhere_and_resumed_writes_the_same_bytes(
    plain: TransducerModel, job: Job, tmp_path: Path, jobs: int
) -> None:
    failed = batch_run.run_job(plain, job)
    whole = results(job)
    for number in range(10):
        Path(job.output).unlink()
        stopped(plain, job, number)
        if number < 9:
            stopped(plain, job, 1)
        # What was cut short by a crash.
        (tmp_path / "out.parquet.parts" / f"part-{number + 1:06}.parquet").write_bytes(b"PAR")
        with open(job.errors_path, "ab") as file:
            file.write(b"garbage")
        assert not Path(job.output).exists()
        assert batch_run.run_job(plain, job, jobs=jobs, resume=True) == failed
        assert results(job) == whole
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["in.parquet", "out.parquet", "out.parquet.errors.tsv"]


def test_a_run_stopped_before_its_parts_are_joined(plain: TransducerModel, job: Job) -> None:
    failed = batch_run.run_job(plain, job)
    whole = results(job)
    stopped(plain, job, 0, "join_parts")
    Path(job.output).write_bytes(b"an older result")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "answer_items", stopping(0, parquet.answer_items))
        assert batch_run.run_job(plain, job, resume=True) == failed
    assert results(job) == whole


def test_what_is_done_is_not_read_again(plain: TransducerModel, job: Job) -> None:
    stopped(plain, job, 4)
    asked = []
    with pytest.MonkeyPatch.context() as patch:

        def answer(*arguments: Any) -> Any:
            asked.append(arguments[1][0][0])
            return real(*arguments)

        real = parquet.answer_items
        patch.setattr(parquet, "answer_items", answer)
        batch_run.run_job(plain, job, jobs=1, resume=True)
    assert asked == [29, 36, 43, 50, 57, 64]


def test_without_resume_a_stopped_run_begins_anew(plain: TransducerModel, job: Job) -> None:
    stopped(plain, job, 9)
    source_of(8, Path(job.source))
    batch_run.run_job(plain, job)
    assert pq.read_table(job.output).column("id").to_pylist() == list(range(8))
    assert not Path(f"{job.output}.parts").exists()


def test_what_is_finished_is_left_alone(
    plain: TransducerModel, job: Job, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = batch_run.run_job(plain, job)
    whole = results(job)
    source_of(8, Path(job.source))
    assert batch_run.run_job(plain, job, resume=True) == failed
    assert "is finished" in capsys.readouterr().err
    assert results(job) == whole


def test_other_input_is_refused(plain: TransducerModel, job: Job) -> None:
    stopped(plain, job)
    content = Path(job.source).read_bytes()
    source_of(67, Path(job.source))
    with pytest.raises(GlyphoneError, match=r"not what it was .*start anew without --resume"):
        batch_run.run_job(plain, job, resume=True)
    Path(job.source).write_bytes(content)
    batch_run.run_job(plain, job, resume=True)


def test_other_settings_are_refused(plain: TransducerModel, job: Job) -> None:
    stopped(plain, job)
    with pytest.raises(GlyphoneError, match="other settings: --errors was "):
        batch_run.run_job(plain, replace(job, errors=f"{job.output}.other"), resume=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "ROWS", 8)
        with pytest.raises(GlyphoneError, match="rows of a part was 7, and is 8"):
            batch_run.run_job(plain, job, resume=True)


def test_a_part_that_is_gone_is_told(plain: TransducerModel, job: Job) -> None:
    stopped(plain, job)
    (Path(f"{job.output}.parts") / "part-000001.parquet").unlink()
    with pytest.raises(FormatError, match=r"part-000001\.parquet: is missing.*start anew"):
        batch_run.run_job(plain, job, resume=True)


def test_nothing_of_others_is_removed_with_the_parts(plain: TransducerModel, job: Job) -> None:
    folder = Path(f"{job.output}.parts")
    folder.mkdir()
    (folder / "notes").write_text("mine")
    batch_run.run_job(plain, job)
    assert [path.name for path in folder.iterdir()] == ["notes"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_killed_in_the_middle(toy: Path, tmp_path: Path) -> None:
    n = 4 * parquet.ROWS + 5
    words = (lines(5000).split("\n")[:5000] * (n // 5000 + 1))[:n]
    source, output = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"name": words}), source)
    arguments = ["apply", f"{toy}:PLAIN", source, "--column", "name", "--jobs", "1", "-o"]
    run = subprocess.Popen(command(*arguments, output), stderr=subprocess.DEVNULL)
    wait_for_lines(run, output)
    os.kill(run.pid, signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL
    left = Journal.beside(str(output)).read()
    assert left is not None and parquet.ROWS <= left.lines < n
    assert not output.exists()
    resumed = glyphone(*arguments, output, "--resume")
    whole = glyphone(*arguments, tmp_path / "whole.parquet")
    assert resumed.code == whole.code == 1
    assert resumed.err.replace("out.", "whole.") == whole.err
    for ending in ("", ".errors.tsv"):
        one, other = ((tmp_path / f"{name}.parquet{ending}") for name in ("out", "whole"))
        assert one.read_bytes() == other.read_bytes()
    assert pq.read_table(output).column("name").to_pylist() == words
