"""A transducer on every line of a file: constant memory, input order, all cores, resumable.

What a job is stands in `glyphone.batch_job`; Parquet has a module of its own, `batch_parquet`.

>>> import tempfile
>>> from pathlib import Path
>>> from glyphone import catalog
>>> source, output = (Path(tempfile.mkdtemp()) / name for name in ("names.tsv", "out.tsv"))
>>> _ = source.write_text("1\\tcasa\\n", encoding="utf-8")
>>> job = Job(source=str(source), output=str(output), column="2")
>>> run(catalog.load("spa.letter_to_sound:CASTILIAN"), job)
0
>>> output.read_text(encoding="utf-8")
'1\\tcasa\\tˈ k a s a\\t1\\n'
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from tqdm import tqdm

from glyphone import rows
from glyphone.batch_cells import answers_to, cells_of
from glyphone.batch_job import PARQUET, check
from glyphone.batch_job import Job as Job
from glyphone.batch_resuming import begun, changed, failures_in, summed_up
from glyphone.data.lines import Block, TextOutput, open_text_output, read_blocks
from glyphone.data.parallel import in_order
from glyphone.fst.answering import Answering
from glyphone.fst.answers import Answers
from glyphone.fst.unknowns import lenient
from glyphone.io.messages import tell

# Other verbs ask for it here.
from glyphone.io.paths import is_stream as is_stream
from glyphone.journal import Journal, Progress
from glyphone.lookup import lexicon_first, promoting

BLOCK = 4096


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
    if job.promote:
        model, refused = promoting(model, job.promote)
        tell(refused, f"entries of {job.promote} are left out")
    if job.lexicon:
        model, refused = lexicon_first(
            model,
            job.lexicon,
            weight_column=job.weight_column,
            provenance_column=job.provenance_column,
        )
        tell(refused, f"entries of {job.lexicon} are left out")
    if job.format == PARQUET:
        from glyphone import batch_parquet

        return batch_parquet.run(model, job, jobs=jobs, resume=resume)
    journal = None if is_stream(job.output) else Journal.beside(job.output)
    done = Progress(job.settings(model))
    if journal is not None:
        begin = begun(job, done, journal, resume=resume)
        if begin is None:
            return failures_in(job.errors_path)
        done = begin
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
    return summed_up(done, job)


def progress_bar(job: Job, done: Progress, *, total: int | None = None) -> tqdm[Any]:
    """A bar on a terminal, nothing elsewhere."""
    tqdm.monitor_interval = 0  # or a thread would watch it, beside which nothing can be forked
    return tqdm(
        desc=job.model,
        initial=done.lines,
        total=total,
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
    cells = cells_of(block.lines, job.number)
    answers = answers_to(model, cells, n=job.n, spans=job.format == "jsonl")
    failures = failure_rows(block.first_line, cells.items, answers)
    if job.column is None:
        written = rows.FORMATS[job.format](cells.items, answers)
    elif job.format == "jsonl":
        written = rows.as_jsonl(cells.items, answers, columns=[x.split("\t") for x in block.lines])
    else:
        written = rows.as_tsv(block.lines, answers)
    return Written(written, failures, len(answers.failures))


def failure_rows(first: int, items: Sequence[str], answers: Answers) -> str:
    """The failures of a block as rows, with the numbers of their lines."""
    return "".join(
        rows.error_row(first + item, items[item], answers.failures[item])
        for item in sorted(answers.failures)
    )
