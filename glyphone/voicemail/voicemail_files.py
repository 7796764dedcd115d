"""Messages of a file and what is found in each, in order, on all cores; failed lines go aside.

JSON Lines have an object for each message (`findings.row_of`). TSV is a list of whom to call back:
the line, the caller's name or phrase, the numbers, and the least probability of these.

>>> from glyphone.voicemail.caller import Caller
>>> from glyphone.voicemail.records import NumberCandidate
>>> number = NumberCandidate(3, 4, "5550123", score=0.9, kept=True)
>>> caller = Caller((0, 2), (1, 2), 0.99, 0.9, 0.8)
>>> as_tsv(Found(Transcript.of("it's Pat call 555-0123"), caller, (number,)), 7)
'7\\tPat\\t555-0123\\t0.8\\n'
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace

from glyphone import rows
from glyphone.batch import progress_bar
from glyphone.batch_job import Job
from glyphone.batch_resuming import summed_up
from glyphone.data.errors import ItemError
from glyphone.data.lines import Block, is_text, open_text_output, read_blocks
from glyphone.io.paths import check_distinct
from glyphone.journal import Progress
from glyphone.voicemail.findings import Found, line_of
from glyphone.voicemail.model import BLOCK, VoicemailModel
from glyphone.voicemail.transcripts import Transcript, transcript_of
from glyphone.voicemail.workers import in_processes


@dataclass(frozen=True, kw_only=True)
class VoicemailFiles(Job):
    """What is read, as lines of `text` or of JSON, and what is written."""

    text: bool = False
    format: str = "jsonl"


@dataclass(frozen=True)
class Written:
    """A block of lines as the text of what was found, and of what failed."""

    found: str
    failures: str
    failed: int


def run(model: VoicemailModel, job: VoicemailFiles, *, jobs: int | None = None) -> int:
    """Does the job; how many lines failed."""
    check_distinct(
        read=[job.source, job.model],
        written=[job.output, job.errors_path],
        what="model, input, output and errors",
        options="-o and --errors",
    )
    if job.source == "-" and sys.stdin is not None and sys.stdin.isatty():
        jobs = 1  # a person waits for each answer
    done = Progress({})
    with ExitStack() as stack:
        output = stack.enter_context(open_text_output(job.output))
        errors = None
        if job.errors_path:
            errors = stack.enter_context(open_text_output(job.errors_path))
            errors.write(rows.ERROR_HEADER)
        bar = stack.enter_context(progress_bar(job, done))
        blocks = read_blocks(job.source, lines=BLOCK)
        for block, written in in_processes(lambda one: worked(model, one, job), blocks, jobs=jobs):
            output.write(written.found)
            output.flush()
            if errors is not None:
                errors.write(written.failures)
            else:
                print(written.failures, end="", file=sys.stderr)
            failed = done.failed + written.failed
            done = replace(done, lines=done.lines + len(block.lines), failed=failed)
            bar.update(len(block.lines))
    return summed_up(done, job)


def worked(model: VoicemailModel, block: Block, job: VoicemailFiles) -> Written:
    """What is found in a block of lines."""
    lines: list[int] = []
    messages: list[Transcript] = []
    failures = []
    for number, line in enumerate(block.lines, block.first_line):
        try:
            messages.append(read(line, text=job.text))
            lines.append(number)
        except ItemError as error:
            error.stage = error.stage or "reading"
            failures.append(rows.error_row(number, line, error))
    found = list(tried(model, messages))
    written = FORMATS[job.format]
    out = []
    for number, message, one in zip(lines, messages, found, strict=True):
        if isinstance(one, ItemError):
            failures.append(rows.error_row(number, message.text, one))
        else:
            out.append(written(one, number))
    return Written("".join(out), "".join(failures), len(failures))


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
    """Whom to call back, and where; a number that is said twice is there once."""
    numbers = dict.fromkeys(one.display for one in found.numbers)
    shares = [one.score for one in found.numbers]
    caller = found.caller
    if caller.phrase is not None:
        shares.append(caller.name_probability if caller.name else caller.phrase_probability)
    least = f"{min(shares):.6g}" if shares else ""
    cells = rows.escaped([found.name or found.phrase, ", ".join(numbers)])
    return "\t".join([found.transcript.id or str(line), *cells, least]) + "\n"


FORMATS: dict[str, Callable[[Found, int], str]] = {"jsonl": as_jsonl, "tsv": as_tsv}
