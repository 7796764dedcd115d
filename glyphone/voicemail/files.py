"""Messages of a file and what is found in each, in order, on all cores; failed lines go aside.

JSON Lines have an object for each message (`findings.row_of`). TSV is a list of whom to call back:
the line, the caller's name or phrase, the numbers, and the least probability of these. To rows of
Parquet the same is added as columns, `caller`, `numbers` and `probability`, and `error`.

>>> from glyphone.voicemail.callers.model import Caller
>>> from glyphone.voicemail.records.candidates import NumberCandidate
>>> number = NumberCandidate(3, 4, "5550123", score=0.9, kept=True)
>>> caller = Caller((0, 2), (1, 2), 0.99, 0.9, 0.8)
>>> as_tsv(Found(Transcript.of("it's Pat call 555-0123"), caller, (number,)), 7)
'7\\tPat\\t555-0123\\t0.8\\n'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from glyphone.batch.driver import Files, Task, Worked, drive
from glyphone.batch.job import PARQUET, check_column, check_files
from glyphone.batch.sinks import TextSink
from glyphone.batch.sources import Lines
from glyphone.data.errors import ItemError
from glyphone.data.lines import Block, is_text
from glyphone.data.processes import in_processes
from glyphone.fst.storage.container import checksum
from glyphone.io import rows
from glyphone.io.messages import Failure
from glyphone.voicemail.findings import Found, line_of
from glyphone.voicemail.model import BLOCK, VoicemailModel, to_contents
from glyphone.voicemail.records.transcripts import Transcript, transcript_of

if TYPE_CHECKING:
    from glyphone.batch.parquet import Beside, Row

Numbered = tuple[int, Found]


@dataclass(frozen=True, kw_only=True)
class VoicemailFiles(Files):
    """What is read, as lines of `text` or of JSON, and what is written; Parquet has columns."""

    text: bool = False
    format: str = "jsonl"
    column: str | None = None

    def settings(self, fingerprint: str) -> dict[str, Any]:
        return {**super().settings(fingerprint), "--text": self.text, "--column": self.column}


def run(
    model: VoicemailModel, job: VoicemailFiles, *, jobs: int | None = None, resume: bool = False
) -> int:
    """Does the job; how many lines failed."""
    check_files(job, resume=resume, read=[job.model])
    check_column(job, job.column)
    make = rows_task if job.format == PARQUET else text_task
    return drive(make(model, job), jobs=jobs, resume=resume)


def text_task(model: VoicemailModel, job: VoicemailFiles) -> Task:
    return Task(
        files=job,
        settings=job.settings(checksum(to_contents(model))),
        source=Lines(job.source, BLOCK),
        sink=TextSink(job.output),
        work=lambda block: worked(model, block, job),
        workers=in_processes,
    )


def rows_task(model: VoicemailModel, job: VoicemailFiles) -> Task:
    """The task that adds callers and numbers to rows of Parquet."""
    from glyphone.batch import parquet
    from glyphone.batch.arrow import Reading, arrow

    pa = arrow()
    added = [
        ("caller", pa.string()),
        ("numbers", pa.list_(pa.string())),
        ("probability", pa.float64()),
        ("error", pa.string()),
    ]

    def work(given: Sequence[Row]) -> Beside:
        lines = [(number, cell) for number, (cell,) in given]
        good, failures = found_in(model, lines, text=job.text)
        callbacks = [callback(found) for _, found in good]
        names = ("caller", "numbers", "probability")
        columns = {name: [row[k] for row in callbacks] for k, name in enumerate(names)}
        return parquet.Beside(columns, failures)

    adding = parquet.Adding(Reading.of(job.source, [job.column]), added, work)
    return parquet.task(job, job.settings(checksum(to_contents(model))), adding)


def worked(model: VoicemailModel, block: Block, job: VoicemailFiles) -> Worked:
    """What is found in a block of lines, as text."""
    good, failures = found_in(model, enumerate(block.lines, block.first_line), text=job.text)
    write = FORMATS[job.format]
    return Worked("".join(write(found, number) for number, found in good), failures)


def found_in(
    model: VoicemailModel, lines: Iterable[tuple[int, str]], *, text: bool
) -> tuple[list[Numbered], list[Failure]]:
    """What is found in lines, by their numbers, and the lines that failed, in order."""
    messages: list[tuple[int, Transcript]] = []
    good: list[Numbered] = []
    failures: list[Failure] = []
    for number, line in lines:
        try:
            messages.append((number, read(line, text=text)))
        except ItemError as error:
            error.stage = error.stage or "reading"
            failures.append((number, line, error))
    found = tried(model, [message for _, message in messages])
    for (number, message), one in zip(messages, found, strict=True):
        if isinstance(one, ItemError):
            failures.append((number, message.text, one))
        else:
            good.append((number, one))
    return good, sorted(failures, key=lambda failure: failure[0])


def read(line: str, *, text: bool) -> Transcript:
    if not is_text(line):
        raise ItemError("is not UTF-8", remedy="re-encode it")
    return Transcript.of(line) if text else transcript_of(line)


def tried(model: VoicemailModel, messages: list[Transcript]) -> Iterator[Found | ItemError]:
    """What is found in messages; where a block fails, those that it fails on are searched."""
    if not messages:
        return
    try:
        yield from model.find(messages)
    except Exception as error:
        if len(messages) == 1:
            told = f"{type(error).__name__}: {error}"
            yield error if isinstance(error, ItemError) else ItemError(told, stage="voicemail")
            return
        middle = len(messages) // 2
        yield from tried(model, messages[:middle])
        yield from tried(model, messages[middle:])


def as_jsonl(found: Found, line: int) -> str:
    return line_of(found) + "\n"


def as_tsv(found: Found, line: int) -> str:
    """Whom to call back, and where."""
    caller, numbers, least = callback(found)
    cells = rows.escaped([caller, ", ".join(numbers)])
    share = "" if least is None else f"{least:.6g}"
    return "\t".join([found.transcript.id or str(line), *cells, share]) + "\n"


def callback(found: Found) -> tuple[str, list[str], float | None]:
    """The caller, the numbers, and the least probability of these, if there are any.

    A number that is said twice is there once.
    """
    numbers = dict.fromkeys(one.display for one in found.numbers)
    shares = [one.score for one in found.numbers]
    caller = found.caller
    if caller.phrase is not None:
        shares.append(caller.name_probability if caller.name else caller.phrase_probability)
    return found.name or found.phrase, [*numbers], min(shares, default=None)


FORMATS: dict[str, Callable[[Found, int], str]] = {"jsonl": as_jsonl, "tsv": as_tsv}
