"""A file of pairs scored, in order or the most surprising first.

To rows of Parquet columns are added: `log_probability`, `posterior`, `rank`, `alignment` and
`error`.

>>> ScoreJob(source="eng.tsv", output="scores.tsv").errors_path
'scores.tsv.errors.tsv'
"""

from __future__ import annotations

import heapq
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from glyphone.alignments.rows import alignment_text
from glyphone.batch.driver import Task, Worked, run_task
from glyphone.batch.job import Files, check_files
from glyphone.batch.sinks import TextSink
from glyphone.batch.sources import Numbered
from glyphone.data.errors import GlyphoneError
from glyphone.data.writing import Unit
from glyphone.evaluation.scoring import (
    BLOCK,
    DEPTH,
    ScoredPair,
    UnscoredPair,
    by_surprise,
    score_block,
)
from glyphone.fst.interface.model import Model
from glyphone.io import rows
from glyphone.io.formats import PARQUET
from glyphone.io.lexicon import file_writing, split_lines
from glyphone.io.messages import Failure, failure_text

if TYPE_CHECKING:
    from glyphone.batch.parquet import AddedColumns, Row


@dataclass(frozen=True, kw_only=True)
class ScoreJob(Files):
    """Pairs, how they are read, and where scores and failed items go.

    Columns count from 1; the model's own units are the default. An `audit` sorts by surprise, and
    `top` keeps as many of it.
    """

    source_column: int = 1
    target_column: int = 2
    source_unit: Unit | None = None
    target_unit: Unit | None = None
    depth: int = DEPTH
    audit: bool = False
    top: int | None = None

    def settings(self, fingerprint: str) -> dict[str, Any]:
        return {
            **super().settings(fingerprint),
            "columns": [self.source_column, self.target_column],
            "units": [self.source_unit, self.target_unit],
            "--depth": self.depth,
        }


def score_file(
    model: Model, job: ScoreJob, *, jobs: int | None = None, resume: bool = False
) -> int:
    """Scores every pair and returns how many lines and pairs failed."""
    check_job(job, resume=resume)
    make = rows_task if job.format == PARQUET else text_task
    return run_task(make(model, job), jobs=jobs, resume=resume)


def check_job(job: ScoreJob, *, resume: bool) -> None:
    if job.top is not None and not job.audit:
        remedy = "ask for an audit, which sorts by surprise"
        raise GlyphoneError("only of what is sorted are there top pairs", remedy=remedy)
    if job.audit and (resume or job.format == PARQUET):
        remedy = "leave out --audit, and sort the scores"
        message = "an audit writes nothing before its end, and in an order of its own"
        raise GlyphoneError(message, remedy=remedy)
    check_files(job, resume=resume, what="pairs, scores, errors and journal")


def text_task(model: Model, job: ScoreJob) -> Task:
    def write(one: ScoredPair) -> str:
        return FORMATS[job.format](model, one.number, one, audit=job.audit)

    def work(lines: Sequence[tuple[int, str]]) -> Worked:
        given = [(number, line, line.split("\t")) for number, line in lines]
        scored, failures = score_lines(model, given, job, job.source_column, job.target_column)
        return Worked(scored if job.audit else "".join(map(write, scored)), failures)

    return Task(
        files=job,
        settings=job.settings(model.fingerprint()),
        source=Numbered(job.source, BLOCK),
        sink=Audit(job.output, write, job.top) if job.audit else TextSink(job.output),
        work=work,
        items="pairs",
        failure_row=failure_text(job.source),
    )


def rows_task(model: Model, job: ScoreJob) -> Task:
    """The task that adds scores to rows of Parquet."""
    from glyphone.batch import parquet
    from glyphone.batch.arrow import ParquetReading, import_pyarrow

    pa = import_pyarrow()
    added = [
        ("log_probability", pa.float64()),
        ("posterior", pa.float64()),
        ("rank", pa.int64()),
        ("alignment", pa.string()),
        ("error", pa.string()),
    ]

    def work(given: Sequence[Row]) -> AddedColumns:
        lines = [(number, "\t".join(cells), list(cells)) for number, cells in given]
        scored, failures = score_lines(model, lines, job)
        columns: dict[str, list[Any]] = {
            "log_probability": [pair.log_probability for pair in scored],
            "posterior": [pair.posterior for pair in scored],
            "rank": [pair.rank for pair in scored],
            "alignment": [alignment_text(pair.alignment) for pair in scored],
        }
        return parquet.AddedColumns(columns, failures)

    columns = (job.source_column, job.target_column)
    reading = ParquetReading.of(job.source, columns, "--source-column and --target-column")
    adding = parquet.Adding(reading, added, work)
    return parquet.parquet_task(job, job.settings(model.fingerprint()), adding, items="pairs")


@dataclass
class Audit(TextSink):
    """Pairs that are written after the last, the most surprising first, at most `top` of them."""

    write_one: Callable[[ScoredPair], str]
    top: int | None
    found: list[ScoredPair] = field(default_factory=list)

    def write(self, rows: Iterable[ScoredPair]) -> None:  # type: ignore[override]
        self.found += rows
        if self.top is not None:
            self.found = heapq.nsmallest(self.top, self.found, key=by_surprise)

    def finish(self) -> None:
        for one in sorted(self.found, key=by_surprise):
            self.output.write(self.write_one(one))


def score_lines(
    model: Model,
    lines: Sequence[tuple[int, str, list[str]]],
    job: ScoreJob,
    source_column: int = 1,
    target_column: int = 2,
) -> tuple[list[ScoredPair], list[Failure]]:
    """The pairs of lines as the model judges them, by the numbers of these, and those that failed.

    A line comes with its number and columns.
    """
    source = file_writing(model.source.writing, job.source_unit)
    target = file_writing(model.target.writing, job.target_unit)
    pairs, failures = split_lines(lines, source, target, source_column, target_column)
    scored: list[ScoredPair] = []
    for result in score_block(model, pairs, job.depth) if pairs else ():
        if isinstance(result, UnscoredPair):
            word = model.source.writing.join(result.pair.source)
            failures.append((result.number, word, result.error))
        else:
            scored.append(result)
    return scored, sorted(failures, key=lambda failure: failure[0])


def as_tsv(model: Model, line: int, one: ScoredPair, *, audit: bool) -> str:
    """`word, pronunciation, ln P, posterior, rank, units`; audits add surprise, best and line."""
    word, output = sides(model, one)
    columns = [
        word.translate(rows.ESCAPES),
        output.translate(rows.ESCAPES),
        f"{one.log_probability:.6g}",
        f"{one.posterior:.6g}",
        "" if one.rank is None else str(one.rank),
        alignment_text(one.alignment),
    ]
    if audit:
        best = "" if one.best is None else one.best.translate(rows.ESCAPES)
        columns += [f"{one.surprise:.6g}", best, str(line)]
    return "\t".join(columns) + "\n"


def as_jsonl(model: Model, line: int, one: ScoredPair, *, audit: bool) -> str:
    """A scored pair as an object; null where a number is infinite, or where there is none."""
    word, output = sides(model, one)
    row = {
        "line": line,
        "source": word,
        "target": output,
        "log_probability": finite_or_none(one.log_probability),
        "posterior": one.posterior,
        "rank": one.rank,
        "alignment": one.alignment.units,
    }
    if audit:
        row |= {"surprise": finite_or_none(one.surprise), "best": one.best}
    return json.dumps(row, ensure_ascii=False) + "\n"


def sides(model: Model, one: ScoredPair) -> tuple[str, str]:
    source, target = model.source.writing, model.target.writing
    return source.join(one.pair.source), target.join(one.pair.target)


def finite_or_none(number: float) -> float | None:
    return number if math.isfinite(number) else None


FORMATS: dict[str, Callable[..., str]] = {"tsv": as_tsv, "jsonl": as_jsonl}
