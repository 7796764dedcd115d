"""A transducer on every line of a file: constant memory, input order, all cores, resumable."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tqdm import tqdm

from glyphone import rows
from glyphone.data.errors import GlyphoneError
from glyphone.data.lines import (
    Block,
    TextOutput,
    first_column,
    open_text_output,
    read_blocks,
    read_lines,
)
from glyphone.fst.answering import Answering
from glyphone.fst.answers import in_order
from glyphone.fst.unknowns import Unknown, lenient
from glyphone.journal import Journal, Progress
from glyphone.lexicon_files import beside, check_distinct, tell

# Other verbs ask for it here.
from glyphone.lexicon_files import is_stream as is_stream
from glyphone.lookup import lexicon_first

BLOCK = 4096


@dataclass(frozen=True, kw_only=True)
class Job:
    """What is applied to what, and where the results go.

    Words of a `lexicon` are looked up in it before the model is asked.
    """

    source: str = "-"
    output: str = "-"
    errors: str | None = None
    model: str = ""
    n: int = 1
    format: str = "tsv"
    lexicon: str | None = None
    weight_column: int | None = None
    unknown: Unknown = "fail"

    @property
    def errors_path(self) -> str:
        """Failed items go beside the output, or with it to the terminal's other channel."""
        return self.errors or beside(self.output)

    def settings(self, model: Answering) -> dict[str, Any]:
        """What must be the same for a run to be a continuation of another."""
        return {
            "model": self.model,
            "contents of the model": model.fingerprint(),
            "--errors": self.errors_path,
            "--nbest": self.n,
            "--format": self.format,
        }


@dataclass(frozen=True)
class Written:
    """A block of lines as the text of its answers and of its failures."""

    answers: str
    failures: str
    failed: int


def run(model: Answering, job: Job, *, jobs: int | None = None, resume: bool = False) -> int:
    """Does the job and returns how many items failed, in earlier parts of it too."""
    check(job, resume=resume)
    model = lenient(model, job.unknown)
    if job.lexicon:
        model, refused = lexicon_first(model, job.lexicon, weight_column=job.weight_column)
        tell(refused, f"entries of {job.lexicon} are left out")
    journal = None if is_stream(job.output) else Journal.beside(job.output)
    done = Progress(job.settings(model))
    if journal is not None and resume:
        left = journal.read()
        if left is None and Path(job.output).exists():
            print(f"{job.output} is finished: no journal lies beside it", file=sys.stderr)
            return failures_in(job.errors_path)
        done = continued(left, done, journal)
    if job.source == "-" and sys.stdin is not None and sys.stdin.isatty():
        jobs = 1  # a person waits for each answer
    if journal is not None:
        journal.write(done)
    with ExitStack() as stack:
        output = stack.enter_context(open_text_output(job.output, resume_at=done.output_size))
        errors = (
            stack.enter_context(open_text_output(job.errors_path, resume_at=done.errors_size))
            if job.errors_path
            else None
        )
        if errors is not None and not done.errors_size:
            errors.write(rows.ERROR_HEADER)
        with progress_bar(job, done) as bar:
            blocks = remaining(read_blocks(job.source, lines=BLOCK), done, job)
            for block, written in in_order(lambda b: answer(model, b, job), blocks, jobs=jobs):
                output.write(written.answers)
                if errors is not None:
                    errors.write(written.failures)
                elif written.failures:
                    print(written.failures, end="", file=sys.stderr)
                done = after(done, block, written, output, errors)
                if journal is not None:
                    journal.write(done)
                bar.update(len(block.lines))
    if journal is not None:
        journal.remove()
    if done.failed:
        where = f"; see {job.errors_path}" if job.errors_path.strip("-") else ""
        print(f"{done.failed} of {done.lines} items failed{where}", file=sys.stderr)
    return done.failed


def check(job: Job, *, resume: bool) -> None:
    if resume and is_stream(job.output):
        raise GlyphoneError("--resume needs a file to go on with", remedy="write to one with -o")
    if job.weight_column and not job.lexicon:
        remedy = "name one with --lexicon"
        raise GlyphoneError("there is no lexicon to have weights", remedy=remedy)
    journal = None if is_stream(job.output) else str(Journal.beside(job.output).path)
    check_distinct(
        read=[job.source, job.lexicon],
        written=[job.output, job.errors_path, journal],
        what="input, output, errors, journal and lexicon",
        options="-o, --errors and --lexicon",
        shared=True,
    )


def failures_in(errors_path: str) -> int:
    """How many items a finished run has failed on."""
    return max(0, sum(1 for _ in read_lines(errors_path)) - 1) if os.path.exists(errors_path) else 0


def continued(left: Progress | None, anew: Progress, journal: Journal) -> Progress:
    """Where a stopped run ended, if it was the same run."""
    if left is None:
        return anew
    for name, now in anew.settings.items():
        before = left.settings.get(name)
        if before != now:
            raise GlyphoneError(
                f"the stopped run had other settings: {name} was {before}, and is {now}",
                path=journal.path,
                remedy="resume with the same ones, or start anew without --resume",
            )
    return left


def progress_bar(job: Job, done: Progress) -> tqdm[Any]:
    """A bar on a terminal, nothing elsewhere."""
    return tqdm(
        desc=job.model,
        initial=done.lines,
        unit=" items",
        unit_scale=True,
        disable=not sys.stderr.isatty(),
        file=sys.stderr,
    )


def remaining(blocks: Iterator[Block], done: Progress, job: Job) -> Iterator[Block]:
    """The blocks after those that are done; their checksum must be what it was."""
    last = 0
    for block in blocks:
        if not block.lines:  # a byte order mark and nothing else
            continue
        last = block.first_line + len(block.lines) - 1
        if last > done.lines and block.first_line > done.lines:
            yield block
        elif last > done.lines or (last == done.lines and block.crc != done.crc):
            raise changed(job)
    if last < done.lines:
        raise changed(job)


def changed(job: Job) -> GlyphoneError:
    return GlyphoneError(
        "the input is not what it was when the run was stopped",
        path=job.source,
        remedy="restore it, or start anew without --resume",
    )


def after(
    done: Progress, block: Block, written: Written, output: TextOutput, errors: TextOutput | None
) -> Progress:
    """Progress with a block more; what it wrote is on disk when this returns."""
    output.flush()
    if errors is not None:
        errors.flush()
    return replace(
        done,
        lines=done.lines + len(block.lines),
        crc=block.crc,
        output_size=output.tell(),
        errors_size=0 if errors is None else errors.tell(),
        failed=done.failed + written.failed,
    )


def answer(model: Answering, block: Block, job: Job) -> Written:
    items = [first_column(line) for line in block.lines]
    answers = model.answer(items, n=job.n, spans=job.format == "jsonl")
    failures = "".join(
        rows.error_row(block.first_line + item, items[item], answers.failures[item])
        for item in sorted(answers.failures)
    )
    return Written(rows.FORMATS[job.format](items, answers), failures, len(answers.failures))
