"""The driver of batches: order, failures, and input that is not what it was."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from glyphone.batch.driver import Task, Worked, run_task
from glyphone.batch.job import Files
from glyphone.batch.journal import Journal
from glyphone.batch.sinks import TextSink
from glyphone.batch.sources import Numbered
from glyphone.data.errors import FormatError, GlyphoneError, ItemError
from glyphone.data.processes import map_in_processes
from glyphone.io import rows
from tests.glyphone.batch.support import same_however_often_stopped


def work(lines: Sequence[tuple[int, str]]) -> Worked:
    """Lines in capitals; those with a question mark fail."""
    failures = [
        (n, line, ItemError("is odd", remedy="mend it")) for n, line in lines if "?" in line
    ]
    return Worked("".join(f"{line.upper()}\n" for _, line in lines if "?" not in line), failures)


def task_in(folder: Path, lines: int = 3, **options: Any) -> Task:
    files = Files(source=str(folder / "in"), output=str(folder / "out"))
    return Task(
        files=files,
        settings={"--depth": 1},
        source=Numbered(files.source, lines),
        sink=TextSink(files.output),
        work=work,
        items="lines",
        **options,
    )


def text_of(n: int) -> list[str]:
    return [f"a{k}?" if k % 5 == 3 else "" if k % 5 == 4 else f"a{k}" for k in range(n)]


@pytest.mark.parametrize("workers", [{}, {"workers": map_in_processes}])
@pytest.mark.parametrize("jobs", [1, 3])
def test_rows_and_failures_are_in_the_order_of_the_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], jobs: int, workers: dict[str, Any]
) -> None:
    text = text_of(50)
    (tmp_path / "in").write_text("\n".join(text) + "\n")
    second_done = multiprocessing.Event()
    if jobs == 1:
        second_done.set()

    def work_out_of_order(lines: Sequence[tuple[int, str]]) -> Worked:
        """Lines in capitals; the first chunk is done after the second one."""
        first_line, _ = lines[0]
        assert first_line > 1 or second_done.wait(timeout=60)
        done = work(lines)
        if first_line > 1:
            second_done.set()
        return done

    task = replace(task_in(tmp_path, **workers), work=work_out_of_order)
    assert run_task(task, jobs=jobs) == 10
    good = [line for line in text if line and "?" not in line]
    assert (tmp_path / "out").read_text() == "".join(f"A{line[1:]}\n" for line in good)
    head, *failed = (tmp_path / "out.errors.tsv").read_text().splitlines()
    assert head + "\n" == rows.ERROR_HEADER
    expected = [f"{n}\t{line}" for n, line in enumerate(text, 1) if "?" in line]
    assert [row[: row.index("\t\t")] for row in failed] == expected
    assert failed[0].endswith("\tis odd\tmend it")
    told = f"10 of 40 lines failed; see {tmp_path / 'out.errors.tsv'}\n"
    assert capsys.readouterr().err == told
    assert len(list(tmp_path.iterdir())) == 3


def test_failures_are_told_as_a_verb_tells_them_where_no_file_is_for_them(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in").write_text("a\nb?\n")
    task = task_in(
        tmp_path, failure_row=lambda line, item, error: f"{line}: {item} {error.message}\n"
    )
    files = replace(task.files, output="-")
    assert run_task(replace(task, files=files, sink=TextSink("-"))) == 1
    assert capfd.readouterr() == ("A\n", "2: b? is odd\n1 of 2 lines failed\n")


@pytest.mark.parametrize("text", ["", "\ufeff", "\n\n\n\n"])
def test_nothing_in_and_nothing_out(tmp_path: Path, text: str) -> None:
    (tmp_path / "in").write_text(text)
    assert run_task(task_in(tmp_path)) == 0
    assert (tmp_path / "out").read_bytes() == b""
    assert (tmp_path / "out.errors.tsv").read_text() == rows.ERROR_HEADER


def test_an_error_of_the_work_leaves_a_run_to_resume(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("a\nb\nc\nd\ne\n")

    def broken(lines: Sequence[tuple[int, str]]) -> Worked:
        if lines[0][0] == 4:
            raise GlyphoneError("the disk is gone")
        return work(lines)

    task = task_in(tmp_path)
    with pytest.raises(GlyphoneError, match="the disk is gone"):
        run_task(replace(task, work=broken))
    left = Journal.beside(task.files.output).read()
    assert left is not None and (left.lines, left.items, left.failed) == (3, 3, 0)
    assert (tmp_path / "out").read_text() == "A\nB\nC\n"
    with pytest.raises(GlyphoneError, match="--depth was 1, and is 2"):
        run_task(replace(task, settings={"--depth": 2}), resume=True)
    with pytest.raises(GlyphoneError, match="is not what it was"):
        run_task(replace(task, source=Numbered(task.files.source, 2)), resume=True)
    assert run_task(task, resume=True) == 0
    assert (tmp_path / "out").read_text() == "A\nB\nC\nD\nE\n"


def test_input_that_cannot_be_read_leaves_files_as_they_are(tmp_path: Path) -> None:
    for name in ("out", "out.errors.tsv"):
        (tmp_path / name).write_text("of before")
    with pytest.raises(FormatError, match="No such file"):
        run_task(task_in(tmp_path))
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "out": "of before",
        "out.errors.tsv": "of before",
    }


def test_output_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("a\n")
    task = task_in(tmp_path)
    gone = replace(task.files, output=str(tmp_path / "none" / "out"))
    with pytest.raises(FormatError, match="cannot be written"):
        run_task(replace(task, files=gone, sink=TextSink(gone.output)))


@pytest.mark.usefixtures("few_english_words")
def test_parts_of_a_named_lexicon_are_resumed(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glyphone.evaluation.scoring_files.BLOCK", 40)
    output = tmp_path / "out.tsv"
    assert same_however_often_stopped("score", f"{toy}:PLAIN", "cmudict:dev", output=output) == 3
