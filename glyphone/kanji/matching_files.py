"""A file of pairs of names matched, or two names.

>>> MatchJob(path="pairs.tsv", output="matches.tsv").errors_path
'matches.tsv.errors.tsv'
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass

from glyphone import rows
from glyphone.data.errors import GlyphoneError
from glyphone.data.lexicon import numbered_lexicon
from glyphone.data.lines import open_text_output
from glyphone.data.writing import Writing
from glyphone.fst.answering import Answering
from glyphone.io.messages import Failure, list_failures, progress, say, unread
from glyphone.io.paths import beside, check_distinct
from glyphone.kanji.matching import READINGS, Match, Matcher, Unmatched
from glyphone.kanji.model import KanjiModel
from glyphone.score_files import finite

AS_TYPED = Writing(normal_form="none")


@dataclass(frozen=True, kw_only=True)
class MatchJob:
    """Pairs of names, and where matches and failed pairs go; columns count from 1.

    `names` are a pair alone; without them pairs are the lines of a file. Of each match so many
    `readings` are told; pairs whose score is below `least` are left out.
    """

    path: str = "-"
    names: tuple[str, str] | None = None
    output: str = "-"
    errors: str | None = None
    first_column: int = 1
    second_column: int = 2
    format: str = "tsv"
    readings: int = READINGS
    least: float = 0.0

    @property
    def errors_path(self) -> str:
        """Failed pairs go beside the output, or to stderr."""
        return self.errors or beside(self.output)


def match_file(model: Answering, job: MatchJob) -> int:
    """Matches every pair and returns how many lines and pairs failed."""
    if not isinstance(model, KanjiModel):
        remedy = "name one that `glyphone train --kind channel` has made"
        raise GlyphoneError(f"{model.name} is no model of Japanese names", remedy=remedy)
    check_distinct(
        read=[None if job.names else job.path],
        written=[job.output, job.errors_path],
        what="pairs, matches and errors",
        options="-o and --errors",
    )
    failures: list[Failure] = []
    write = FORMATS[job.format]
    with open_text_output(job.errors_path) if job.errors_path else nullcontext() as errors:
        with open_text_output(job.output) as output:
            for line, match in matched_lines(model, job, failures):
                if match.score >= job.least:
                    output.write(write(line, match))
        list_failures(failures, job.path, errors)
    if failures and job.errors_path:
        say(f"{len(failures)} pairs failed; see {job.errors_path}")
    return len(failures)


def matched_lines(
    model: KanjiModel, job: MatchJob, failures: list[Failure]
) -> Iterator[tuple[int, Match]]:
    """Each pair of names with its line; what is none goes to `failures`, or is raised if alone."""
    matcher = Matcher(model, job.readings)
    if job.names:
        yield 1, matcher(*job.names)
        return
    lines: deque[int] = deque()
    pairs = pairs_of(job, lines, failures)
    for found in progress(matcher.matches(pairs), job.path):
        line = lines.popleft()
        if isinstance(found, Unmatched):
            failures.append((line, found.error.item or "", found.error))
        else:
            yield line, found


def pairs_of(
    job: MatchJob, lines: deque[int], failures: list[Failure]
) -> Iterator[tuple[str, str]]:
    """The pairs as they are typed, whose lines are noted; a line that is none is a failure."""
    entries = numbered_lexicon(
        job.path,
        source=AS_TYPED,
        target=AS_TYPED,
        source_column=job.first_column,
        target_column=job.second_column,
        on_error=lambda error: failures.append(unread(error)),
    )
    for line, pair in entries:
        lines.append(line)
        yield "".join(pair.source), "".join(pair.target)


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
        *([f"unknown:{rows.listed(match.unknown)}"] if match.unknown else []),
    ]
    return "\t".join(columns) + "\n"


def as_jsonl(line: int, match: Match) -> str:
    """The same as an object, with the parts of the names; null for log odds that are infinite."""
    row = {"line": line, **asdict(match), "log_odds": finite(match.log_odds)}
    return json.dumps(row, ensure_ascii=False) + "\n"


FORMATS = {"tsv": as_tsv, "jsonl": as_jsonl}
