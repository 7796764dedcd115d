"""A file of pairs scored, in order or the most surprising first.

>>> ScoreJob(path="eng.tsv", output="scores.tsv").errors_path
'scores.tsv.errors.tsv'
"""

from __future__ import annotations

import heapq
import json
import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass

from glyphone import rows
from glyphone.alignment_rows import alignment_text
from glyphone.data.errors import GlyphoneError
from glyphone.data.lexicon import numbered_lexicon
from glyphone.data.lines import open_text_output
from glyphone.data.records import Pair
from glyphone.data.writing import Unit
from glyphone.fst.answering import Answering
from glyphone.io.messages import Failure, list_failures, progress, say, unread
from glyphone.io.paths import beside, check_distinct
from glyphone.lexicon_files import file_writing
from glyphone.scoring import DEPTH, Judged, Unjudged, by_surprise, scored


@dataclass(frozen=True, kw_only=True)
class ScoreJob:
    """Pairs, how they are read, and where scores and failed items go.

    Columns count from 1; the model's own units are the default. An `audit` sorts by surprise, and
    `top` keeps as many of it.
    """

    path: str = "-"
    output: str = "-"
    errors: str | None = None
    source_column: int = 1
    target_column: int = 2
    source_unit: Unit | None = None
    target_unit: Unit | None = None
    format: str = "tsv"
    depth: int = DEPTH
    audit: bool = False
    top: int | None = None

    @property
    def errors_path(self) -> str:
        """Failed items go beside the output, or to stderr."""
        return self.errors or beside(self.output)


def score_file(model: Answering, job: ScoreJob, *, jobs: int | None = None) -> int:
    """Scores every pair and returns how many lines and pairs failed."""
    check(job)
    failures: list[Failure] = []
    write = FORMATS[job.format]
    with open_text_output(job.errors_path) if job.errors_path else nullcontext() as errors:
        with open_text_output(job.output) as output:
            good = judged_lines(model, job, failures, jobs)
            found: Iterable[tuple[int, Judged]] = good
            if job.audit and job.top is not None:
                found = heapq.nsmallest(job.top, good, key=lambda entry: by_surprise(entry[1]))
            elif job.audit:
                found = sorted(good, key=lambda entry: by_surprise(entry[1]))
            for line, one in found:
                output.write(write(model, line, one, audit=job.audit))
        list_failures(failures, job.path, errors)
    if failures and job.errors_path:
        say(f"{len(failures)} pairs failed; see {job.errors_path}")
    return len(failures)


def check(job: ScoreJob) -> None:
    if job.top is not None and not job.audit:
        remedy = "ask for an audit, which sorts by surprise"
        raise GlyphoneError("only of what is sorted are there top pairs", remedy=remedy)
    check_distinct(
        read=[job.path],
        written=[job.output, job.errors_path],
        what="pairs, scores and errors",
        options="-o and --errors",
    )


def judged_lines(
    model: Answering,
    job: ScoreJob,
    failures: list[Failure],
    jobs: int | None,
) -> Iterator[tuple[int, Judged]]:
    """Each pair that could be judged, with its line; the others go to `failures`."""
    lines: list[int] = []
    judged = scored(model, pairs_of(model, job, lines, failures), depth=job.depth, jobs=jobs)
    for one in progress(judged, job.path):
        line = lines[one.number]
        if isinstance(one, Unjudged):
            failures.append((line, model.source.writing.join(one.pair.source), one.error))
        else:
            yield line, one


def pairs_of(
    model: Answering,
    job: ScoreJob,
    lines: list[int],
    failures: list[Failure],
) -> Iterator[Pair]:
    """The pairs of the file, whose lines are noted; a line that is none is a failure."""
    entries = numbered_lexicon(
        job.path,
        source=file_writing(model.source.writing, job.source_unit),
        target=file_writing(model.target.writing, job.target_unit),
        source_column=job.source_column,
        target_column=job.target_column,
        on_error=lambda error: failures.append(unread(error)),
    )
    for line, pair in entries:
        lines.append(line)
        yield pair


def as_tsv(model: Answering, line: int, one: Judged, *, audit: bool) -> str:
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


def as_jsonl(model: Answering, line: int, one: Judged, *, audit: bool) -> str:
    """The same as an object; null where a number is infinite, or where there is nothing."""
    word, output = sides(model, one)
    row = {
        "line": line,
        "source": word,
        "target": output,
        "log_probability": finite(one.log_probability),
        "posterior": one.posterior,
        "rank": one.rank,
        "alignment": one.alignment.units,
    }
    if audit:
        row |= {"surprise": finite(one.surprise), "best": one.best}
    return json.dumps(row, ensure_ascii=False) + "\n"


def sides(model: Answering, one: Judged) -> tuple[str, str]:
    source, target = model.source.writing, model.target.writing
    return source.join(one.pair.source), target.join(one.pair.target)


def finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


FORMATS: dict[str, Callable[..., str]] = {"tsv": as_tsv, "jsonl": as_jsonl}
