"""Batches that are stopped: the same bytes however often, and what cannot be resumed."""

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

from glyphone.batch import run as batch_run
from glyphone.batch.driver import Worked
from glyphone.batch.job import Job
from glyphone.batch.journal import Journal
from glyphone.catalog import names as catalog_names
from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.fst.transducers.model import TransducerModel
from tests.glyphone.batch.support import (
    ENDINGS,
    job_in,
    lines,
    results,
    wait_for_lines,
    written,
)
from tests.glyphone.support import GOOD_AND_BAD, GOOD_AND_BAD_ROWS, command, glyphone


def stop_at(number: int) -> Callable[[TransducerModel, Any, Job], Worked]:
    """A model that answers until the block of this number, and is then interrupted."""
    blocks = iter(range(number))
    answer = batch_run.answer_block

    def interrupted(model: TransducerModel, block: Any, job: Job) -> Worked:
        if next(blocks, None) is None:
            raise KeyboardInterrupt
        return answer(model, block, job)

    return interrupted


@pytest.fixture
def stopped(
    plain: TransducerModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_blocks: None
) -> Job:
    """A job that was stopped after 3 of 10 blocks."""
    written(tmp_path / "in", lines(70))
    job = job_in(tmp_path, model="toy.far:PLAIN")
    with monkeypatch.context() as patch:
        patch.setattr(batch_run, "answer_block", stop_at(3))
        with pytest.raises(KeyboardInterrupt):
            batch_run.run_job(plain, job, jobs=1)
    return job


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("kind", ENDINGS)
def test_a_run_stopped_anywhere_and_resumed_writes_the_same_bytes(
    plain: TransducerModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, jobs: int
) -> None:
    written(tmp_path / "in", lines(70))
    job = job_in(tmp_path, kind)
    failed = batch_run.run_job(plain, job)
    whole = results(job)
    for stop in range(11):
        for path in (job.output, job.errors_path):
            Path(path).write_bytes(b"from another run, and longer than everything" * 1000)
        resume = False
        for stop_again in (stop, 2, 0):
            with monkeypatch.context() as patch:
                patch.setattr(batch_run, "answer_block", stop_at(stop_again))
                try:
                    done = batch_run.run_job(plain, job, jobs=jobs, resume=resume)
                except KeyboardInterrupt:
                    assert Journal.beside(job.output).path.exists()
                    resume = True
                else:
                    assert done == failed
                    resume = False
                    break
        if resume:
            # What stands behind the last journal entry was cut short by a crash.
            for path in (job.output, job.errors_path):
                with open(path, "ab") as file:
                    file.write(b"\x1f\x8bgarbage")
            assert batch_run.run_job(plain, job, jobs=jobs, resume=True) == failed
        assert results(job) == whole
        assert not Journal.beside(job.output).path.exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "x" + text,  # in what is done
        lambda text: text[:20],  # shorter than what is done
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "",
    ],
)
def test_changed_input_is_refused(
    plain: TransducerModel, stopped: Job, change: Callable[[str], str]
) -> None:
    before = results(stopped)
    path = Path(stopped.source)
    text = path.read_bytes().decode()
    written(path, change(text))
    with pytest.raises(GlyphoneError, match=r"not what it was .*start anew without --resume"):
        batch_run.run_job(plain, stopped, resume=True)
    assert results(stopped) == before
    written(path, text)
    batch_run.run_job(plain, stopped, resume=True)
    assert not Journal.beside(stopped.output).path.exists()


def test_input_that_has_grown_is_done_to_its_end(plain: TransducerModel, stopped: Job) -> None:
    with open(stopped.source, "a") as file:
        file.write("cha\n")
    batch_run.run_job(plain, stopped, resume=True)
    assert results(stopped)[0].endswith("cha\ttʃ a\t1\n".encode())


@pytest.mark.parametrize(
    ("options", "setting"),
    [
        ({"n": 2}, "--nbest was 1, and is 2"),
        ({"format": "jsonl"}, "--format was tsv, and is jsonl"),
        ({"errors": None}, "--errors was "),
        ({"model": "other.far:PLAIN"}, "model was toy.far:PLAIN, and is other.far:PLAIN"),
    ],
)
def test_other_settings_are_refused(
    plain: TransducerModel, stopped: Job, options: dict[str, Any], setting: str
) -> None:
    before = results(stopped)
    with pytest.raises(GlyphoneError, match=f"other settings: {setting}"):
        batch_run.run_job(plain, replace(stopped, **options), resume=True)
    assert results(stopped) == before


def test_a_model_compiled_anew_from_other_rules_is_refused(toy: Path, stopped: Job) -> None:
    other = catalog_names.load(f"{toy}:PARTIAL")
    with pytest.raises(GlyphoneError, match="contents of the model was"):
        batch_run.run_job(other, stopped, resume=True)


def test_an_output_that_has_lost_bytes_is_refused(plain: TransducerModel, stopped: Job) -> None:
    os.truncate(stopped.output, 3)
    with pytest.raises(FormatError, match=r"has 3 bytes where .*start the run anew"):
        batch_run.run_job(plain, stopped, resume=True)


def test_without_resume_a_stopped_run_begins_anew(plain: TransducerModel, stopped: Job) -> None:
    written(Path(stopped.source), "cha\n")
    batch_run.run_job(plain, stopped)
    assert results(stopped)[0].decode() == "cha\ttʃ a\t1\n"


def test_a_damaged_journal_is_refused(plain: TransducerModel, stopped: Job) -> None:
    Journal.beside(stopped.output).path.write_text("{")
    with pytest.raises(FormatError, match="not a journal"):
        batch_run.run_job(plain, stopped, resume=True)


def test_resuming_what_is_finished_does_nothing(
    plain: TransducerModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path / "in", GOOD_AND_BAD)
    job = job_in(tmp_path)
    batch_run.run_job(plain, job)
    before = results(job)
    written(tmp_path / "in", "cha\n")
    assert batch_run.run_job(plain, job, resume=True) == 3
    assert "is finished" in capsys.readouterr().err
    assert results(job) == before


def test_resuming_what_was_never_started_starts_it(plain: TransducerModel, tmp_path: Path) -> None:
    written(tmp_path / "in", GOOD_AND_BAD)
    job = job_in(tmp_path)
    assert batch_run.run_job(plain, job, resume=True) == 3
    assert results(job)[0].decode() == GOOD_AND_BAD_ROWS


def test_stdout_cannot_be_resumed(plain: TransducerModel) -> None:
    with pytest.raises(GlyphoneError, match="--resume needs a file"):
        batch_run.run_job(plain, Job(), resume=True)


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_signals(toy: Path, tmp_path: Path, number: signal.Signals) -> None:
    text = lines(2 * batch_run.BLOCK + 5).encode()
    output = tmp_path / "out.tsv"
    words = ["apply", f"{toy}:PLAIN", "-", "-o", output, "--jobs", "1"]
    run = subprocess.Popen(command(*words), stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert run.stdin is not None
    # The first block is answered, and the run waits for the rest of the second.
    run.stdin.write(text[: len(text) * 3 // 4])
    run.stdin.flush()
    wait_for_lines(run, output)
    run.send_signal(number)
    assert run.wait() == (-number if number == signal.SIGKILL else 128 + number)
    _, err = run.communicate()
    told = "" if number == signal.SIGKILL else f"glyphone: stopped by {number.name}\n"
    assert err.decode() == told

    source = tmp_path / "in"
    source.write_bytes(text)
    resumed = glyphone(*words, "--resume", stdin=text)
    whole = glyphone("apply", f"{toy}:PLAIN", source, "-o", tmp_path / "whole.tsv")
    assert resumed.code == whole.code == 1
    for ending in ("", ".errors.tsv"):
        names = (f"out.tsv{ending}", f"whole.tsv{ending}")
        one, other = ((tmp_path / name).read_bytes() for name in names)
        assert one == other
    assert resumed.err.replace("out.tsv", "whole.tsv") == whole.err
