"""Batches: the same bytes for any number of threads, however often they are stopped."""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from glyphone import batch, catalog
from glyphone.batch import Job
from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.fst.model import Model
from glyphone.journal import Journal

from .support import GOOD_AND_BAD, GOOD_AND_BAD_ROWS, command, process

WORDS = ["cha", "Ñacha", "", "zz", "ca\tcol", "b\0b", "ab ab", "n\u0303a"]
ENDINGS = {"plain": ("out.tsv", "bad.tsv"), "gzip": ("out.tsv.gz", "bad.tsv.gz")}


@pytest.fixture(scope="session")
def model(toy: Path) -> Model:
    return catalog.load(f"{toy}:PLAIN")


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "BLOCK", 7)


def lines(n: int) -> str:
    chooser = random.Random(n)
    return "".join(f"{chooser.choice(WORDS)}{chooser.choice(['', 'a'])}\n" for _ in range(n))


def written(path: Path, text: str) -> str:
    path.write_bytes(text.encode())
    return str(path)


def job_in(folder: Path, kind: str = "plain", **options: Any) -> Job:
    output, errors = (str(folder / name) for name in ENDINGS[kind])
    return Job(source=str(folder / "in"), output=output, errors=errors, **options)


def results(job: Job) -> tuple[bytes, bytes]:
    return Path(job.output).read_bytes(), Path(job.errors_path).read_bytes()


def stop_at(number: int) -> Callable[[Model, Any, Job], batch.Written]:
    """What answers until the block of this number, and is then interrupted."""
    blocks = iter(range(number))
    answer = batch.answer

    def interrupted(model: Model, block: Any, job: Job) -> batch.Written:
        if next(blocks, None) is None:
            raise KeyboardInterrupt
        return answer(model, block, job)

    return interrupted


def test_rows_and_failures(model: Model, tmp_path: Path) -> None:
    job = job_in(tmp_path)
    written(tmp_path / "in", GOOD_AND_BAD)
    assert batch.run(model, job) == 3
    rows, failures = (content.decode() for content in results(job))
    assert rows == GOOD_AND_BAD_ROWS
    header, *failed = [row.split("\t") for row in failures.splitlines()]
    assert header == batch.rows.ERROR_HEADER.rstrip("\n").split("\t")
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
    model: Model, tmp_path: Path, end: str, mark: str, last: str
) -> None:
    job = job_in(tmp_path)
    text = GOOD_AND_BAD.strip("\n") + last
    written(tmp_path / "in", mark + text.replace("\n", end))
    assert batch.run(model, job) == 3
    assert results(job)[0].decode() == GOOD_AND_BAD_ROWS


@pytest.mark.parametrize("text", ["", "\ufeff"])
def test_an_empty_file_has_no_rows(model: Model, tmp_path: Path, text: str) -> None:
    job = job_in(tmp_path)
    written(tmp_path / "in", text)
    assert batch.run(model, job) == 0
    assert results(job) == (b"", batch.rows.ERROR_HEADER.encode())


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("kind", ENDINGS)
@pytest.mark.parametrize("options", [{}, {"n": 3}, {"format": "jsonl"}])
def test_the_number_of_threads_changes_nothing(
    model: Model, tmp_path: Path, kind: str, options: dict[str, Any]
) -> None:
    written(tmp_path / "in", lines(200))
    job = job_in(tmp_path, kind, **options)
    seen = set()
    for jobs in (1, 4, 9):
        batch.run(model, job, jobs=jobs)
        seen.add(results(job))
    assert len(seen) == 1
    if kind == "gzip":
        ((rows, failures),) = seen
        plain = job_in(tmp_path, **options)
        batch.run(model, plain)
        assert results(plain) == (gzip.decompress(rows), gzip.decompress(failures))


def test_compressed_input(model: Model, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(gzip.compress(GOOD_AND_BAD.encode()))
    job = job_in(tmp_path)
    batch.run(model, job)
    assert results(job)[0].decode() == GOOD_AND_BAD_ROWS


def test_an_item_of_a_megabyte(model: Model, tmp_path: Path) -> None:
    written(tmp_path / "in", "cha" * 350_000 + "\nab\n" + "q" * 1_000_000 + "\n")
    job = job_in(tmp_path)
    assert batch.run(model, job) == 1
    first, second = results(job)[0].decode().splitlines()
    assert first.split("\t")[1] == " ".join(["tʃ a"] * 350_000)
    assert second == "ab\ta b\t1"


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("kind", ENDINGS)
def test_a_run_stopped_anywhere_and_resumed_writes_the_same_bytes(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, jobs: int
) -> None:
    written(tmp_path / "in", lines(70))
    job = job_in(tmp_path, kind)
    failed = batch.run(model, job)
    whole = results(job)
    for stop in range(11):
        for path in (job.output, job.errors_path):
            Path(path).write_bytes(b"from another run, and longer than everything" * 1000)
        resume = False
        for stop_again in (stop, 2, 0):
            with monkeypatch.context() as patch:
                patch.setattr(batch, "answer", stop_at(stop_again))
                try:
                    done = batch.run(model, job, jobs=jobs, resume=resume)
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
            assert batch.run(model, job, jobs=jobs, resume=True) == failed
        assert results(job) == whole
        assert not Journal.beside(job.output).path.exists()


@pytest.fixture
def stopped(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_blocks: None
) -> Job:
    """A job that was stopped after 3 of 10 blocks."""
    written(tmp_path / "in", lines(70))
    job = job_in(tmp_path, model="toy.far:PLAIN")
    with monkeypatch.context() as patch:
        patch.setattr(batch, "answer", stop_at(3))
        with pytest.raises(KeyboardInterrupt):
            batch.run(model, job, jobs=1)
    return job


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "x" + text,  # in what is done
        lambda text: text[:20],  # shorter than what is done
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "",
    ],
)
def test_changed_input_is_refused(model: Model, stopped: Job, change: Callable[[str], str]) -> None:
    before = results(stopped)
    path = Path(stopped.source)
    text = path.read_bytes().decode()
    written(path, change(text))
    with pytest.raises(GlyphoneError, match=r"not what it was .*start anew without --resume"):
        batch.run(model, stopped, resume=True)
    assert results(stopped) == before
    written(path, text)
    batch.run(model, stopped, resume=True)
    assert not Journal.beside(stopped.output).path.exists()


def test_input_that_has_grown_is_done_to_its_end(model: Model, stopped: Job) -> None:
    with open(stopped.source, "a") as file:
        file.write("cha\n")
    batch.run(model, stopped, resume=True)
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
    model: Model, stopped: Job, options: dict[str, Any], setting: str
) -> None:
    before = results(stopped)
    with pytest.raises(GlyphoneError, match=f"other settings: {setting}"):
        batch.run(model, replace(stopped, **options), resume=True)
    assert results(stopped) == before


def test_a_model_compiled_anew_from_other_rules_is_refused(toy: Path, stopped: Job) -> None:
    other = catalog.load(f"{toy}:PARTIAL")
    with pytest.raises(GlyphoneError, match="contents of the model was"):
        batch.run(other, stopped, resume=True)


def test_an_output_that_has_lost_bytes_is_refused(model: Model, stopped: Job) -> None:
    os.truncate(stopped.output, 3)
    with pytest.raises(FormatError, match=r"has 3 bytes where .*start the run anew"):
        batch.run(model, stopped, resume=True)


def test_without_resume_a_stopped_run_begins_anew(model: Model, stopped: Job) -> None:
    written(Path(stopped.source), "cha\n")
    batch.run(model, stopped)
    assert results(stopped)[0].decode() == "cha\ttʃ a\t1\n"


def test_a_damaged_journal_is_refused(model: Model, stopped: Job) -> None:
    Journal.beside(stopped.output).path.write_text("{")
    with pytest.raises(FormatError, match="not a journal"):
        batch.run(model, stopped, resume=True)


def test_resuming_what_is_finished_does_nothing(
    model: Model, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path / "in", GOOD_AND_BAD)
    job = job_in(tmp_path)
    batch.run(model, job)
    before = results(job)
    written(tmp_path / "in", "cha\n")
    assert batch.run(model, job, resume=True) == 3
    assert "is finished" in capsys.readouterr().err
    assert results(job) == before


def test_resuming_what_was_never_started_starts_it(model: Model, tmp_path: Path) -> None:
    written(tmp_path / "in", GOOD_AND_BAD)
    job = job_in(tmp_path)
    assert batch.run(model, job, resume=True) == 3
    assert results(job)[0].decode() == GOOD_AND_BAD_ROWS


def test_stdout_cannot_be_resumed(model: Model) -> None:
    with pytest.raises(GlyphoneError, match="--resume needs a file"):
        batch.run(model, Job(), resume=True)


@pytest.mark.parametrize("link", [None, os.link, os.symlink])
@pytest.mark.parametrize("role", ["output", "errors"])
def test_the_input_is_never_written_over(
    model: Model, tmp_path: Path, link: Callable[[Path, Path], None] | None, role: str
) -> None:
    source, other = tmp_path / "in", tmp_path / "other"
    written(source, "cha\n")
    if link is not None:
        link(source, other)
    same = str(source if link is None else other)
    paths = {"output": str(tmp_path / "out"), role: same}
    with pytest.raises(GlyphoneError, match="must be different files"):
        batch.run(model, Job(source=str(source), **paths))
    assert source.read_text() == "cha\n"


def test_output_errors_and_journal_are_different_files(model: Model, tmp_path: Path) -> None:
    source, output = written(tmp_path / "out.journal", "cha\n"), str(tmp_path / "out")
    for job in (Job(source=source, output=output), Job(output=output, errors=output)):
        with pytest.raises(GlyphoneError, match="must be different files"):
            batch.run(model, job)


def test_a_device_gets_neither_journal_nor_errors_beside_it(
    model: Model, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = written(tmp_path / "in", GOOD_AND_BAD)
    assert batch.run(model, Job(source=source, output=os.devnull)) == 3
    assert not Path(f"{os.devnull}.errors.tsv").exists()
    assert "3 of 9 items failed\n" in capsys.readouterr().err
    assert batch.run(model, Job(source=source, output=os.devnull, errors=os.devnull)) == 3


def test_failures_go_to_stderr_where_there_is_no_file_for_them(
    model: Model, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    batch.run(model, Job(source=written(tmp_path / "in", GOOD_AND_BAD)))
    out, err = capfd.readouterr()
    assert out == GOOD_AND_BAD_ROWS
    assert [line.split("\t")[0] for line in err.splitlines()] == [
        "4", "7", "9", "3 of 9 items failed",
    ]  # fmt: skip


def test_where_no_file_can_be_written(model: Model, tmp_path: Path) -> None:
    source = written(tmp_path / "in", "cha\n")
    for output in (tmp_path, tmp_path / "nowhere" / "out"):
        with pytest.raises(FormatError):
            batch.run(model, Job(source=source, output=str(output)))


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_signals(toy: Path, tmp_path: Path, number: signal.Signals) -> None:
    # Tests that run in the background are deaf to SIGINT, and so would be what they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    text = lines(2 * batch.BLOCK + 5).encode()
    output = tmp_path / "out.tsv"
    words = ["apply", f"{toy}:PLAIN", "-", "-o", output, "--jobs", "1"]
    run = subprocess.Popen(command(*words), stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert run.stdin is not None
    # The first block is answered, and the run waits for the rest of the second.
    run.stdin.write(text[: len(text) * 3 // 4])
    run.stdin.flush()
    journal = Journal.beside(str(output))
    while not ((done := journal.read()) and done.lines):
        assert run.poll() is None
    run.send_signal(number)
    assert run.wait() == (-number if number == signal.SIGKILL else 128 + number)
    _, err = run.communicate()
    told = "" if number == signal.SIGKILL else f"glyphone: stopped by {number.name}\n"
    assert err.decode() == told

    source = tmp_path / "in"
    source.write_bytes(text)
    with open(source, "rb") as stdin:
        resumed = process(*words, "--resume", stdin=stdin)
    whole = process("apply", f"{toy}:PLAIN", source, "-o", tmp_path / "whole.tsv")
    assert resumed.returncode == whole.returncode == 1
    for ending in ("", ".errors.tsv"):
        names = (f"out.tsv{ending}", f"whole.tsv{ending}")
        one, other = ((tmp_path / name).read_bytes() for name in names)
        assert one == other
    assert resumed.stderr.replace("out.tsv", "whole.tsv") == whole.stderr
