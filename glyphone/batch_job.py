"""What a batch is to do: what is read, what is written, and in which form.

>>> format_of(None, "names.parquet", "out.parquet"), format_of(None, "names.tsv", "-")
('parquet', 'tsv')
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glyphone.data.errors import GlyphoneError
from glyphone.fst.answering import Answering
from glyphone.fst.unknowns import Unknown
from glyphone.io.paths import beside, check_distinct, is_stream
from glyphone.journal import Journal

PARQUET = "parquet"


@dataclass(frozen=True, kw_only=True)
class Job:
    """What is applied to what, and where the results go.

    Words of a `lexicon` are looked up in it before the model is asked; what a dictionary to
    `promote` has goes to the top of what the model finds. Items stand in a column: in text the
    first or that of a number from 1, and what else is in the line is kept only if it was asked for
    by number; in Parquet that of a name.
    """

    source: str = "-"
    output: str = "-"
    errors: str | None = None
    model: str = ""
    n: int = 1
    format: str = "tsv"
    column: str | None = None
    lexicon: str | None = None
    weight_column: int | None = None
    provenance_column: int | None = None
    promote: str | None = None
    unknown: Unknown = "fail"

    @property
    def errors_path(self) -> str:
        """Failed items go beside the output, or with it to the terminal's other channel."""
        return self.errors or beside(self.output)

    @property
    def number(self) -> int | None:
        """The number of the column, from 1, in a file of text."""
        if self.column is None:
            return None
        if not self.column.isdecimal() or int(self.column) < 1:
            remedy = "columns of text have numbers, from 1"
            raise GlyphoneError(f"--column {self.column} is no column of text", remedy=remedy)
        return int(self.column)

    def settings(self, model: Answering) -> dict[str, Any]:
        """What must be the same for a run to be a continuation of another."""
        return {
            "model": self.model,
            "contents of the model": model.fingerprint(),
            "--errors": self.errors_path,
            "--nbest": self.n,
            "--format": self.format,
            "--column": self.column,
        }


def format_of(given: str | None, source: str, output: str) -> str:
    """The form of the results: what was asked for, or what the names of the files say."""
    named = any(path.lower().endswith(f".{PARQUET}") for path in (source, output))
    return given or (PARQUET if named else "tsv")


def check(job: Job, *, resume: bool) -> None:
    """Refuses what cannot be done, before anything is written."""
    if job.format == PARQUET:
        check_parquet(job)
    else:
        if format_of(None, job.source, job.output) == PARQUET:
            remedy = "leave out --format, and name files of one kind"
            raise GlyphoneError(f"Parquet is not read or written as {job.format}", remedy=remedy)
        _ = job.number
    if resume and is_stream(job.output):
        raise GlyphoneError("--resume needs a file to go on with", remedy="write to one with -o")
    for column, what in ((job.weight_column, "weights"), (job.provenance_column, "provenances")):
        if column and not job.lexicon:
            remedy = "name one with --lexicon"
            raise GlyphoneError(f"there is no lexicon to have {what}", remedy=remedy)
    journal = None if is_stream(job.output) else str(Journal.beside(job.output).path)
    check_distinct(
        read=[job.source, job.lexicon, job.promote],
        written=[job.output, job.errors_path, journal],
        what="input, output, errors, journal, lexicon and dictionary",
        options="-o, --errors, --lexicon and --promote",
        shared=True,
    )


def check_parquet(job: Job) -> None:
    for path, what in ((job.source, "read from a file"), (job.output, "written to a file")):
        if Path(path).is_dir():
            raise GlyphoneError("is a directory", path=path, remedy="name a file in it")
        if is_stream(path):
            raise GlyphoneError(f"Parquet is {what}", path=path, remedy="name one, out with -o")
    if job.n != 1:
        remedy = "leave out --nbest, or work on text"
        raise GlyphoneError("a row of Parquet has room for one answer", remedy=remedy)
