"""Jobs in a folder, their input and their results, for tests of batches."""

from __future__ import annotations

import random
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest import mock

from glyphone.batch.job import Job
from glyphone.batch.journal import Journal, Progress
from tests.glyphone.support import glyphone

WORDS = ["cha", "Ñacha", "", "zz", "ca\tcol", "b\0b", "ab ab", "n\u0303a"]
ENDINGS = {"plain": ("out.tsv", "bad.tsv"), "gzip": ("out.tsv.gz", "bad.tsv.gz")}


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


def wait_for_lines(run: subprocess.Popen[bytes], output: Path) -> None:
    """Returns when a process has noted its first lines as done; it must not end before."""
    journal = Journal.beside(str(output))
    while not ((done := journal.read()) and done.lines):
        with suppress(subprocess.TimeoutExpired):
            raise AssertionError(f"ended with {run.wait(timeout=0.005)} before its first lines")


def same_however_often_stopped(*words: str | Path, output: Path) -> int:
    """Stops `glyphone WORDS -o OUTPUT` before each entry of its journal, and resumes it.

    The files must be those of the run that nobody stopped. Returns how many chunks there were.
    """
    words = (*words, "-o", output)
    whole = glyphone(*words)
    expected = contents(output)
    chunks = 0
    while True:
        output.unlink()
        if not stopped(*words, entry=chunks + 1):
            assert contents(output) == expected
            return chunks
        if not output.name.endswith(".parquet"):
            # A crash may leave half a chunk behind what is in the journal.
            for path in (output, Path(f"{output}.errors.tsv")):
                with path.open("ab") as file:
                    file.write(b"\x1f\x8bgarbage")
        ran = glyphone(*words, "--resume")
        assert (ran.code, ran.out, ran.err) == (whole.code, whole.out, whole.err)
        assert contents(output) == expected
        chunks += 1


def stopped(*words: str | Path, entry: int) -> bool:
    """Runs a verb; it is interrupted when its journal is to have so many entries and one more."""
    entries = iter(range(entry))
    write = Journal.write

    def interrupted(journal: Journal, progress: Progress) -> None:
        if next(entries, None) is None:
            raise KeyboardInterrupt
        write(journal, progress)

    with mock.patch.object(Journal, "write", interrupted):
        ran = glyphone(*words)
    assert (ran.code == 130) == ("stopped by SIGINT" in ran.err)
    return ran.code == 130


def contents(output: Path) -> dict[str, bytes]:
    """The files of a run, by name; a journal or parts among them would be told, too."""
    return {
        path.name: path.read_bytes() if path.is_file() else b"a folder"
        for path in sorted(output.parent.iterdir())
        if path.name.startswith(output.name)
    }
