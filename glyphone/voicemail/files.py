"""Findings in the messages of a file, in order, on all cores; failed lines go to a side file.

JSON Lines have an object for each message (`findings.findings_row`). TSV is a list of callbacks:
the line, the caller's name or phrase, the numbers, and the least probability of these. Rows of
Parquet get the columns `caller`, `numbers`, `probability` and `error`. With a list of customers
there is a column `customers`, too, with those that the caller may be.

>>> from glyphone.voicemail.callers.model import Caller
>>> from glyphone.voicemail.records.candidates import NumberCandidate
>>> number = NumberCandidate(3, 4, "5550123", score=0.9, kept=True)
>>> caller = Caller((0, 2), (1, 2), 0.99, 0.9, 0.8)
>>> tsv_line(Findings(Transcript.of("it's Pat call 555-0123"), caller, (number,)), 7)
'7\\tPat\\t555-0123\\t0.8\\n'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

from glyphone.batch.driver import Task, Worked, run_task
from glyphone.batch.job import Files, check_column, check_files
from glyphone.batch.sinks import TextSink
from glyphone.batch.sources import Lines
from glyphone.data.errors import ItemError
from glyphone.data.lines import LineBlock, is_text
from glyphone.data.processes import map_in_processes
from glyphone.fst.storage.container import checksum
from glyphone.io import rows
from glyphone.io.formats import PARQUET
from glyphone.io.messages import Failure
from glyphone.voicemail.customers import CustomerFinder, CustomerList
from glyphone.voicemail.findings import Findings, findings_json
from glyphone.voicemail.model import BLOCK, VoicemailModel, to_contents
from glyphone.voicemail.records.transcripts import Transcript, parse_transcript

if TYPE_CHECKING:
    from glyphone.batch.parquet import AddedColumns, Row

NumberedFindings = tuple[int, Findings]


class MessageFinder(Protocol):
    """A model that finds callers and numbers in messages."""

    def find(self, messages: Sequence[Transcript]) -> list[Findings]: ...


@dataclass(frozen=True, kw_only=True)
class VoicemailFiles(Files):
    """Input lines are `text` or JSON; output has a `format`; Parquet reads one `column`. Callers
    are looked for among `customers`, if there are any."""

    text: bool = False
    format: str = "jsonl"
    column: str | None = None
    customers: CustomerList | None = None

    def settings(self, fingerprint: str) -> dict[str, Any]:
        return {**super().settings(fingerprint), "--text": self.text, "--column": self.column}


def run_files(
    model: VoicemailModel, job: VoicemailFiles, *, jobs: int | None = None, resume: bool = False
) -> int:
    """Does the job, and returns how many lines failed."""
    customers = None if job.customers is None else job.customers.path
    check_files(
        job,
        resume=resume,
        read=[job.model, customers],
        what="model, input, customers, output, errors and journal",
    )
    check_column(job, job.column)
    settings = job.settings(checksum(to_contents(model)))
    finder: MessageFinder = model
    if job.customers is not None:
        finder = customer_finder = CustomerFinder.of(model, job.customers)
        settings |= customer_finder.settings
    make = rows_task if job.format == PARQUET else text_task
    return run_task(make(finder, job, settings), jobs=jobs, resume=resume)


def text_task(finder: MessageFinder, job: VoicemailFiles, settings: dict[str, Any]) -> Task:
    return Task(
        files=job,
        settings=settings,
        source=Lines(job.source, BLOCK),
        sink=TextSink(job.output),
        work=lambda block: work_block(finder, block, job),
        workers=map_in_processes,
    )


def rows_task(finder: MessageFinder, job: VoicemailFiles, settings: dict[str, Any]) -> Task:
    """The task that adds callers and numbers to rows of Parquet."""
    from glyphone.batch import parquet
    from glyphone.batch.arrow import ParquetReading, import_pyarrow

    pa = import_pyarrow()
    added = [
        ("caller", pa.string()),
        ("numbers", pa.list_(pa.string())),
        ("probability", pa.float64()),
        ("error", pa.string()),
    ]
    if job.customers is not None:
        parts = [("name", pa.string()), ("lines", pa.list_(pa.int64()))]
        one = pa.struct([*parts, ("probability", pa.float64())])
        added.insert(3, ("customers", pa.list_(one)))

    def work(given: Sequence[Row]) -> AddedColumns:
        lines = [(number, cell) for number, (cell,) in given]
        good, failures = find_in_lines(finder, lines, text=job.text)
        callbacks = [callback_cells(findings) for _, findings in good]
        names = ("caller", "numbers", "probability")
        columns: dict[str, list[Any]] = {
            name: [row[k] for row in callbacks] for k, name in enumerate(names)
        }
        if job.customers is not None:
            columns["customers"] = [[*map(asdict, one.customers or ())] for _, one in good]
        return parquet.AddedColumns(columns, failures)

    adding = parquet.Adding(ParquetReading.of(job.source, [job.column]), added, work)
    return parquet.parquet_task(job, settings, adding)


def work_block(finder: MessageFinder, block: LineBlock, job: VoicemailFiles) -> Worked:
    """The findings in a block of lines, as text."""
    good, failures = find_in_lines(finder, enumerate(block.lines, block.first_line), text=job.text)
    write = FORMATS[job.format]
    return Worked("".join(write(findings, number) for number, findings in good), failures)


def find_in_lines(
    finder: MessageFinder, lines: Iterable[tuple[int, str]], *, text: bool
) -> tuple[list[NumberedFindings], list[Failure]]:
    """Findings by line number, and the lines that failed, both in order."""
    messages: list[tuple[int, Transcript]] = []
    good: list[NumberedFindings] = []
    failures: list[Failure] = []
    for number, line in lines:
        try:
            messages.append((number, parse_line(line, text=text)))
        except ItemError as error:
            error.stage = error.stage or "reading"
            failures.append((number, line, error))
    findings = find_each(finder, [message for _, message in messages])
    for (number, message), one in zip(messages, findings, strict=True):
        if isinstance(one, ItemError):
            failures.append((number, message.text, one))
        else:
            good.append((number, one))
    return good, sorted(failures, key=lambda failure: failure[0])


def parse_line(line: str, *, text: bool) -> Transcript:
    if not is_text(line):
        raise ItemError("is not UTF-8", remedy="re-encode it")
    return Transcript.of(line) if text else parse_transcript(line)


def find_each(finder: MessageFinder, messages: list[Transcript]) -> Iterator[Findings | ItemError]:
    """The findings in each message, or an error; a block that fails is halved to find the item."""
    if not messages:
        return
    try:
        yield from finder.find(messages)
    except Exception as error:
        if len(messages) == 1:
            text = f"{type(error).__name__}: {error}"
            yield error if isinstance(error, ItemError) else ItemError(text, stage="voicemail")
            return
        middle = len(messages) // 2
        yield from find_each(finder, messages[:middle])
        yield from find_each(finder, messages[middle:])


def jsonl_line(findings: Findings, line: int) -> str:
    return findings_json(findings) + "\n"


def tsv_line(findings: Findings, line: int) -> str:
    """A row of TSV: id or line, caller, numbers, least probability, customers if there is a
    list."""
    caller, numbers, least = callback_cells(findings)
    cells = [*rows.escape_outputs([caller, ", ".join(numbers)])]
    cells.append("" if least is None else f"{least:.6g}")
    if findings.customers is not None:
        told = (f"{one.name} {one.probability:.4g}" for one in findings.customers)
        cells += rows.escape_outputs(["; ".join(told)])
    return "\t".join([findings.transcript.id or str(line), *cells]) + "\n"


def callback_cells(findings: Findings) -> tuple[str, list[str], float | None]:
    """The caller, the distinct numbers, and the least probability of these, None without any."""
    numbers = dict.fromkeys(one.display for one in findings.numbers)
    shares = [one.score for one in findings.numbers]
    caller = findings.caller
    if caller.phrase is not None:
        shares.append(caller.name_probability if caller.name else caller.phrase_probability)
    return findings.name or findings.phrase, [*numbers], min(shares, default=None)


FORMATS: dict[str, Callable[[Findings, int], str]] = {"jsonl": jsonl_line, "tsv": tsv_line}
