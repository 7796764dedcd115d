"""A file of pairs of names matched, or two names.

>>> MatchJob(source="pairs.tsv", output="matches.tsv").errors_path
'matches.tsv.errors.tsv'
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from glyphone.batch.driver import Files, Task, Worked, run_task
from glyphone.batch.job import check_files
from glyphone.batch.sinks import TextSink
from glyphone.batch.sources import Numbered
from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.lexicons.tsv import split_columns
from glyphone.data.lines import open_text_output
from glyphone.data.writing import Writing
from glyphone.evaluation.scoring_files import finite_or_none
from glyphone.fst.interface.model import Model
from glyphone.io import rows
from glyphone.io.messages import Failure, failure_text
from glyphone.models.kanji.matching.matcher import BLOCK, READINGS, Match, Matcher, Unmatched
from glyphone.models.kanji.model import KanjiModel

AS_TYPED = Writing(normal_form="none")


@dataclass(frozen=True, kw_only=True)
class MatchJob(Files):
    """Pairs of names, and where matches and failed pairs go; columns count from 1.

    `names` are a pair alone; without them pairs are the lines of a file. Of each match so many
    `readings` are listed; pairs whose score is below `least` are left out.
    """

    names: tuple[str, str] | None = None
    first_column: int = 1
    second_column: int = 2
    readings: int = READINGS
    least: float = 0.0

    def settings(self, fingerprint: str) -> dict[str, Any]:
        return {
            **super().settings(fingerprint),
            "columns": [self.first_column, self.second_column],
            "--readings": self.readings,
            "--least": self.least,
        }


def match_file(model: Model, job: MatchJob, *, resume: bool = False) -> int:
    """Matches every pair and returns how many lines and pairs failed."""
    if not isinstance(model, KanjiModel):
        remedy = "name one that `glyphone train --kind channel` has made"
        raise GlyphoneError(f"{model.name} is no model of Japanese names", remedy=remedy)
    matcher = Matcher(model, job.readings)
    if job.names:
        match = matcher(*job.names)
        with open_text_output(job.output) as output:
            output.write(match_rows([(1, match)], job))
        return 0
    check_files(job, resume=resume, what="pairs, matches, errors and journal")
    task = Task(
        files=job,
        settings=job.settings(model.fingerprint()),
        source=Numbered(job.source, BLOCK),
        sink=TextSink(job.output),
        work=lambda lines: match_lines(matcher, lines, job),
        items="pairs",
        failure_row=failure_text(job.source),
    )
    return run_task(task, jobs=1, resume=resume)


def match_lines(matcher: Matcher, lines: Sequence[tuple[int, str]], job: MatchJob) -> Worked:
    """The matches of lines, as text; a line that has no two names is a failure."""
    numbers: list[int] = []
    pairs: list[tuple[str, str]] = []
    failures: list[Failure] = []
    for number, line in lines:
        columns = line.split("\t")
        try:
            sides = split_columns(columns, AS_TYPED, AS_TYPED, job.first_column, job.second_column)
        except ItemError as error:
            error.stage = "reading"
            failures.append((number, line, error))
            continue
        numbers.append(number)
        pairs.append(("".join(sides[0]), "".join(sides[1])))
    good: list[tuple[int, Match]] = []
    for number, found in zip(numbers, matcher.matches(pairs), strict=True):
        if isinstance(found, Unmatched):
            failures.append((number, found.error.item or "", found.error))
        else:
            good.append((number, found))
    return Worked(match_rows(good, job), sorted(failures, key=lambda failure: failure[0]))


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
