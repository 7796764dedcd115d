"""The job of a batch: its input, its output, and their formats.

>>> Files(output="out.tsv").errors_path
'out.tsv.errors.tsv'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glyphone.batch.journal import Journal
from glyphone.data.errors import GlyphoneError
from glyphone.fst.interface.unknown_symbols import Unknown
from glyphone.io.formats import PARQUET, result_format
from glyphone.io.paths import check_distinct, default_errors_path, is_stream


@dataclass(frozen=True, kw_only=True)
class Files:
    """Where items are read, where rows and failures go, in which form and by which model."""

    source: str = "-"
    output: str = "-"
    errors: str | None = None
    model: str = ""
    format: str = "tsv"

    @property
    def errors_path(self) -> str:
        """Failed items go beside the output, or with it to the terminal's other channel."""
        return self.errors or default_errors_path(self.output)

    def settings(self, fingerprint: str) -> dict[str, Any]:
        """The settings that a run must share with the one that it continues."""
        return {
            "model": self.model,
            "contents of the model": fingerprint,
            "--errors": self.errors_path,
            "--format": self.format,
        }


@dataclass(frozen=True, kw_only=True)
class Job(Files):
    """A model, its input, and the files for results.

    Words of a `lexicon` are looked up in it before the model is asked; what a dictionary to
    `promote` has goes to the top of what the model finds. Items stand in a column: in text the
    first or that of a number from 1, and what else is in the line is kept only if it was asked for
    by number; in Parquet that of a name.
    """

    n: int = 1
    column: str | None = None
    lexicon: str | None = None
    weight_column: int | None = None
    provenance_column: int | None = None
    promote: str | None = None
    unknown: Unknown = "fail"

    @property
    def number(self) -> int | None:
        """The number of the column, from 1, in a file of text."""
        if self.column is None:
            return None
        if not self.column.isdecimal() or int(self.column) < 1:
            remedy = "columns of text have numbers, from 1"
            raise GlyphoneError(f"--column {self.column} is no column of text", remedy=remedy)
        return int(self.column)

    def settings(self, fingerprint: str) -> dict[str, Any]:
        return {**super().settings(fingerprint), "--nbest": self.n, "--column": self.column}


def check_job(job: Job, *, resume: bool) -> None:
    """Refuses what cannot be applied, before anything is written."""
    for column, what in ((job.weight_column, "weights"), (job.provenance_column, "provenances")):
        if column and not job.lexicon:
            remedy = "name one with --lexicon"
            raise GlyphoneError(f"there is no lexicon to have {what}", remedy=remedy)
    check_files(
        job,
        resume=resume,
        read=[job.lexicon, job.promote],
        what="input, output, errors, journal, lexicon and dictionary",
        options="-o, --errors, --lexicon and --promote",
        shared=True,
    )
    if job.format != PARQUET:
        _ = job.number
    elif job.n != 1:
        remedy = "leave out --nbest, or work on text"
        raise GlyphoneError("a row of Parquet has room for one answer", remedy=remedy)


def check_files(
    files: Files,
    *,
    resume: bool,
    read: Sequence[str | None] = (),
    what: str = "model, input, output, errors and journal",
    options: str = "-o and --errors",
    shared: bool = False,
) -> None:
    """Refuses files that are named twice or are of the wrong form, before anything is written."""
    if files.format == PARQUET:
        check_parquet(files)
    elif result_format(None, files.source, files.output) == PARQUET:
        remedy = "leave out --format, and name files of one kind"
        raise GlyphoneError(f"Parquet is not read or written as {files.format}", remedy=remedy)
    if resume and is_stream(files.output):
        raise GlyphoneError("--resume needs a file to go on with", remedy="write to one with -o")
    journal = None if is_stream(files.output) else str(Journal.beside(files.output).path)
    check_distinct(
        read=[files.source, *read],
        written=[files.output, files.errors_path, journal],
        what=what,
        options=options,
        shared=shared,
    )


def check_column(files: Files, column: str | None) -> None:
    """Refuses a column of a name where there are no columns with names."""
    if column is not None and files.format != PARQUET:
        remedy = "leave it out, or read a file of Parquet"
        raise GlyphoneError(f"--column {column} is no column of text", remedy=remedy)


def check_parquet(files: Files) -> None:
    for path, what in ((files.source, "read from a file"), (files.output, "written to a file")):
        if Path(path).is_dir():
            raise GlyphoneError("is a directory", path=path, remedy="name a file in it")
        if is_stream(path):
            raise GlyphoneError(f"Parquet is {what}", path=path, remedy="name one, out with -o")
