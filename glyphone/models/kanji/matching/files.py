"""A file of pairs of names matched, or two names.

To rows of Parquet columns are added: `score`, `log_odds`, `order`, `extent`, `writing`, `readings`
with their probabilities, `why`, `unknown` kanji, and `error`.

>>> MatchJob(source="pairs.tsv", output="matches.tsv").errors_path
'matches.tsv.errors.tsv'
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from glyphone.batch.driver import Task, Worked, run_task
from glyphone.batch.job import Files, check_files
from glyphone.batch.sinks import TextSink
from glyphone.batch.sources import Numbered
from glyphone.data.errors import GlyphoneError
from glyphone.data.lines import open_text_output
from glyphone.data.processes import map_in_processes
from glyphone.data.writing import Writing
from glyphone.evaluation.scoring_files import finite_or_none
from glyphone.fst.interface.model import Model
from glyphone.io import rows
from glyphone.io.formats import PARQUET
from glyphone.io.lexicon import split_lines
from glyphone.io.messages import Failure, failure_text
from glyphone.models.kanji.matching.matcher import BLOCK, READINGS, Match, Matcher, Unmatched
from glyphone.models.kanji.model import KanjiModel

if TYPE_CHECKING:
    from glyphone.batch.parquet import AddedColumns, Row

AS_TYPED = Writing(normal_form="none")


@dataclass(frozen=True, kw_only=True)
class MatchJob(Files):
    """Pairs of names, and where matches and failed pairs go; columns count from 1, or have names in
    Parquet.

    `names` are a pair alone; without them pairs are the lines of a file. Of each match so many
    `readings` are listed; pairs whose score is below `least` are left out.
    """

    names: tuple[str, str] | None = None
    first_column: int | str = 1
    second_column: int | str = 2
    readings: int = READINGS
    least: float = 0.0

    @property
    def numbers(self) -> tuple[int, int]:
        """The numbers of the columns in a file of text."""
        first, second = self.first_column, self.second_column
        if isinstance(first, int) and isinstance(second, int):
            return first, second
        name = first if isinstance(first, str) else second
        remedy = "columns of text have numbers, from 1"
        raise GlyphoneError(f"{name!r} is no column of text", remedy=remedy)

    def settings(self, fingerprint: str) -> dict[str, Any]:
        return {
            **super().settings(fingerprint),
            "columns": [self.first_column, self.second_column],
            "--readings": self.readings,
            "--least": self.least,
        }


def match_file(
    model: Model, job: MatchJob, *, jobs: int | None = None, resume: bool = False
) -> int:
    """Matches every pair and returns how many lines and pairs failed."""
    matcher = matcher_of(model, job.readings)
    if job.names:
        check_names(job)
        match = matcher(*job.names)
        with open_text_output(job.output) as output:
            output.write(match_rows([(1, match)], job))
        return 0
    check_files(job, resume=resume, what="pairs, matches, errors and journal")
    if job.format == PARQUET and job.least:
        remedy = "leave out --least, and look at the column `score`"
        raise GlyphoneError("rows of Parquet are all kept", remedy=remedy)
    make = rows_task if job.format == PARQUET else text_task
    return run_task(make(matcher, job), jobs=jobs, resume=resume)


def matcher_of(model: Model, readings: int = READINGS) -> Matcher:
    """The matcher of a model; GlyphoneError if the model is none of Japanese names."""
    if not isinstance(model, KanjiModel):
        remedy = "name one that `glyphone train --kind channel` has made"
        raise GlyphoneError(f"{model.name} is no model of Japanese names", remedy=remedy)
    return Matcher(model, readings)


def check_names(job: MatchJob) -> None:
    """Refuses options of files where two names are given."""
    if job.format == PARQUET:
        remedy = "write the names into two columns of one, or leave out --format"
        raise GlyphoneError("two names are no file of Parquet", remedy=remedy)


def text_task(matcher: Matcher, job: MatchJob) -> Task:
    columns = job.numbers

    def work(lines: Sequence[tuple[int, str]]) -> Worked:
        given = [(number, line, line.split("\t")) for number, line in lines]
        matches, failures = match_lines(matcher, given, *columns)
        return Worked(match_rows(matches, job), failures)

    return Task(
        files=job,
        settings=job.settings(matcher.model.fingerprint()),
        source=Numbered(job.source, BLOCK),
        sink=TextSink(job.output),
        work=work,
        items="pairs",
        failure_row=failure_text(job.source),
        workers=map_in_processes,
    )


def rows_task(matcher: Matcher, job: MatchJob) -> Task:
    """The task that adds matches to rows of Parquet."""
    from glyphone.batch import parquet
    from glyphone.batch.arrow import ParquetReading, import_pyarrow

    pa = import_pyarrow()
    reading = pa.struct([("reading", pa.string()), ("probability", pa.float64())])
    added = [
        ("score", pa.float64()),
        ("log_odds", pa.float64()),
        ("order", pa.string()),
        ("extent", pa.string()),
        ("writing", pa.string()),
        ("readings", pa.list_(reading)),
        ("why", pa.string()),
        ("unknown", pa.list_(pa.string())),
        ("error", pa.string()),
    ]

    def work(given: Sequence[Row]) -> AddedColumns:
        lines = [(number, "\t".join(cells), list(cells)) for number, cells in given]
        matches, failures = match_lines(matcher, lines)
        rows = [structure_of(match) for _, match in matches]
        columns = {name: [row[name] for row in rows] for name, _ in added if name != "error"}
        return parquet.AddedColumns(columns, failures)

    columns = (job.first_column, job.second_column)
    rows = ParquetReading.of(job.source, columns, "--first-column and --second-column")
    return parquet.parquet_task(
        job,
        job.settings(matcher.model.fingerprint()),
        parquet.Adding(rows, added, work),
        items="pairs",
        workers=map_in_processes,
    )


def structure_of(match: Match) -> dict[str, Any]:
    """The columns that a match adds to a row of Parquet."""
    readings = [{"reading": text, "probability": share} for text, share in match.readings]
    return {
        "score": match.score,
        "log_odds": match.log_odds,
        "order": match.order,
        "extent": match.extent,
        "writing": match.writing,
        "readings": readings,
        "why": match.why,
        "unknown": match.unknown,
    }


def match_lines(
    matcher: Matcher,
    lines: Sequence[tuple[int, str, list[str]]],
    first_column: int = 1,
    second_column: int = 2,
) -> tuple[list[tuple[int, Match]], list[Failure]]:
    """The matches of lines by their numbers, and the lines that failed, in order.

    A line comes with its number, its text and its columns.
    """
    pairs, failures = split_lines(lines, AS_TYPED, AS_TYPED, first_column, second_column)
    names = [("".join(pair.source), "".join(pair.target)) for _, pair in pairs]
    matches: list[tuple[int, Match]] = []
    for (number, _), match in zip(pairs, matcher.matches(names), strict=True):
        if isinstance(match, Unmatched):
            failures.append((number, match.error.item or "", match.error))
        else:
            matches.append((number, match))
    return matches, sorted(failures, key=lambda failure: failure[0])


def match_rows(matches: Sequence[tuple[int, Match]], job: MatchJob) -> str:
    """The rows of matches that agree enough."""
    write = FORMATS[job.format]
    return "".join(write(line, match) for line, match in matches if match.score >= job.least)


def as_tsv(line: int, match: Match) -> str:
    """`first, second, score, log odds, order, extent, writing, readings, why`.

    A column more is `unknown:` with kanji that the model does not know.
    """
    columns = [
        match.first.translate(rows.ESCAPES),
        match.second.translate(rows.ESCAPES),
        f"{match.score:.4g}",
        f"{match.log_odds:.4g}",
        match.order,
        match.extent,
        match.writing,
        "; ".join(f"{reading} {share:.3g}" for reading, share in match.readings),
        match.why,
        *([f"unknown:{rows.list_symbols(match.unknown)}"] if match.unknown else []),
    ]
    return "\t".join(columns) + "\n"


def as_jsonl(line: int, match: Match) -> str:
    """A match as an object, with the parts of the names; null for log odds that are infinite."""
    row = {"line": line, **asdict(match), "log_odds": finite_or_none(match.log_odds)}
    return json.dumps(row, ensure_ascii=False) + "\n"


FORMATS = {"tsv": as_tsv, "jsonl": as_jsonl}
