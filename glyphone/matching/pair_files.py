"""Two names, or a file of pairs of names, compared.

To rows of Parquet columns are added: `probability`, `links`, `left_of_first`, `left_of_second`,
`readings` and `error`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from glyphone.batch.driver import Chunk, Task, Worked, run_task
from glyphone.batch.job import Files, check_files
from glyphone.batch.sinks import TextSink
from glyphone.batch.sources import TextSource
from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.lines import open_text_output
from glyphone.data.processes import map_in_processes
from glyphone.io.formats import PARQUET
from glyphone.io.messages import Failure, failure_text
from glyphone.matching import rows
from glyphone.matching.comparer import Comparer, NameMatch
from glyphone.matching.tables import Cells, Column, checked_cells, checked_name, read_cells

if TYPE_CHECKING:
    from glyphone.batch.parquet import AddedColumns, Row

BLOCK = 1024
OPTIONS = "--first-column and --second-column"


@dataclass(frozen=True, kw_only=True)
class PairJob(Files):
    """Pairs of names, and where matches and failed pairs go; pairs whose probability is below
    `least` are left out."""

    columns: tuple[Column, Column] = (1, 2)
    least: float = 0.0

    def settings(self, fingerprint: str) -> dict[str, Any]:
        return {
            **super().settings(fingerprint),
            "columns": [*self.columns],
            "--threshold": self.least,
        }


@dataclass(frozen=True)
class PairRows(TextSource):
    """Rows of text with two names; the items of a chunk are their cells."""

    columns: tuple[Column, Column]
    rows: int

    def all_chunks(self) -> Iterator[Chunk]:
        found, crc = read_cells(self.path, self.columns, OPTIONS), 0
        while block := [*islice(found, self.rows)]:
            for row in block:
                crc = zlib.crc32(f"{row.text}\n".encode("utf-8", "surrogateescape"), crc)
            yield Chunk(block, block[-1].line, crc, len(block))


def match_names(comparer: Comparer, first: str, second: str, job: Files) -> None:
    """Compare two names, and write the row."""
    if job.format == PARQUET:
        remedy = "write the names into two columns of one, or leave out --format"
        raise GlyphoneError("two names are no file of Parquet", remedy=remedy)
    names = checked_name(first, "first name"), checked_name(second, "second name")
    (match,) = comparer.matches([names])
    with open_text_output(job.output) as output:
        output.write(rows.FORMATS[job.format](match))


def match_pairs(
    comparer: Comparer,
    fingerprint: str,
    job: PairJob,
    *,
    jobs: int | None = None,
    resume: bool = False,
) -> int:
    """Compare every pair of a file, and return how many failed."""
    check_files(job, resume=resume, what="pairs, matches, errors and journal")
    if job.format == PARQUET and job.least:
        remedy = "leave out --threshold, and look at the column `probability`"
        raise GlyphoneError("rows of Parquet are all kept", remedy=remedy)
    make = rows_task if job.format == PARQUET else text_task
    return run_task(make(comparer, job.settings(fingerprint), job), jobs=jobs, resume=resume)


def text_task(comparer: Comparer, settings: dict[str, Any], job: PairJob) -> Task:
    def work(block: Sequence[Cells]) -> Worked:
        matches, failures = match_rows(comparer, block)
        write = rows.FORMATS[job.format]
        numbered = job.format == "jsonl"
        kept = [(line, match) for line, match in matches if match.probability >= job.least]
        text = "".join(write(one, {"line": line} if numbered else None) for line, one in kept)
        return Worked(text, failures)

    return Task(
        files=job,
        settings=settings,
        source=PairRows(job.source, job.columns, BLOCK),
        sink=TextSink(job.output),
        work=work,
        items="pairs",
        failure_row=failure_text(job.source),
        workers=map_in_processes,
    )


def rows_task(comparer: Comparer, settings: dict[str, Any], job: PairJob) -> Task:
    """The task that adds matches to rows of Parquet."""
    from glyphone.batch import parquet
    from glyphone.batch.arrow import ParquetReading, import_pyarrow

    names = [name for name, _ in rows.match_columns()]

    def work(given: Sequence[Row]) -> AddedColumns:
        block = [Cells(number, cells, "\t".join(cells)) for number, cells in given]
        matches, failures = match_rows(comparer, block)
        found = [rows.structure_of(match) for _, match in matches]
        return parquet.AddedColumns(rows.columns_of(found, names), failures)

    reading = ParquetReading.of(job.source, job.columns, OPTIONS)
    added = [*rows.match_columns(), ("error", import_pyarrow().string())]
    return parquet.parquet_task(
        job,
        settings,
        parquet.Adding(reading, added, work),
        items="pairs",
        workers=map_in_processes,
    )


def match_rows(
    comparer: Comparer, block: Sequence[Cells]
) -> tuple[list[tuple[int, NameMatch]], list[Failure]]:
    """The matches of rows by their lines, and the rows that are no pairs, in order."""
    pairs: list[tuple[int, tuple[str, str]]] = []
    failures: list[Failure] = []
    for row in block:
        try:
            first, second = checked_cells(row, 2)
            pairs.append((row.line, (first, second)))
        except ItemError as error:
            failures.append((row.line, row.text, error))
    found = comparer.matches([pair for _, pair in pairs])
    return [(line, one) for (line, _), one in zip(pairs, found, strict=True)], failures
