"""Batches that were stopped: whether they may go on, and from where.

>>> continue_run(None, Progress({"--nbest": 1}), Journal.beside("out.tsv")).lines
0
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from glyphone.batch.job import Files
from glyphone.batch.journal import Journal, Progress
from glyphone.data.errors import GlyphoneError
from glyphone.data.lines import read_lines


def begin_run(files: Files, anew: Progress, journal: Journal, *, resume: bool) -> Progress | None:
    """Where a run begins: anew, or where the stopped one ended; None if that is finished."""
    if not resume:
        return anew
    left = journal.read()
    if left is None and Path(files.output).exists():
        print(f"{files.output} is finished: no journal lies beside it", file=sys.stderr)
        return None
    return continue_run(left, anew, journal)


def continue_run(left: Progress | None, anew: Progress, journal: Journal) -> Progress:
    """Where a stopped run ended, if it was the same run."""
    if left is None:
        return anew
    for name, now in anew.settings.items():
        before = left.settings.get(name)
        if before != now:
            raise GlyphoneError(
                f"the stopped run had other settings: {name} was {before}, and is {now}",
                path=journal.path,
                remedy="resume with the same ones, or start anew without --resume",
            )
    return left


def failures_in(errors_path: str) -> int:
    """How many items a finished run has failed on."""
    return max(0, sum(1 for _ in read_lines(errors_path)) - 1) if os.path.exists(errors_path) else 0


def changed_input(path: str) -> GlyphoneError:
    return GlyphoneError(
        "the input is not what it was when the run was stopped",
        path=path,
        remedy="restore it, or start anew without --resume",
    )


def summed_up(done: Progress, files: Files, items: str) -> int:
    """How many items failed in earlier parts; prints the number, too."""
    if done.failed:
        where = f"; see {files.errors_path}" if files.errors_path.strip("-") else ""
        print(f"{done.failed} of {done.items} {items} failed{where}", file=sys.stderr)
    return done.failed
