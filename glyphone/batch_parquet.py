"""A transducer on every row of a Parquet file: the same rows, with what was answered beside them.

The columns `output`, `posterior` and `error` are added, and `truncated` for what a budget cut
short; with a lexicon `source`, and if unknown symbols are copied or left out `unknown`. A row that
fails has an error and no output, and is listed in the file of errors, too.

A Parquet file is none before its end is written, and cannot be cut back. So the work lies in parts
of its own, in the folder OUTPUT.parts, as long as it is not finished; they are joined at the end,
and the folder is removed. What is there whole counts when a stopped run goes on.

>>> [part_of("out.parquet", number).as_posix() for number in (0, 12)]
['out.parquet.parts/part-000000.parquet', 'out.parquet.parts/part-000012.parquet']
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from glyphone import parquet_files, rows
from glyphone.batch import failure_rows, progress_bar
from glyphone.batch_cells import Cells, answers_to
from glyphone.batch_job import Job
from glyphone.batch_resuming import begun, changed, failures_in, summed_up
from glyphone.data.errors import FormatError, ItemError
from glyphone.data.lines import open_text_output
from glyphone.data.parallel import in_order
from glyphone.fst.answering import Answering
from glyphone.fst.answers import Answers
from glyphone.journal import Journal, Progress
from glyphone.parquet_files import Reading, Schema, Table, arrow

# Of a part, and of a row group of the result: some megabytes of names.
ROWS = 1 << 14


@dataclass(frozen=True)
class Answered:
    """Rows with their answers, and the failures among them as text."""

    table: Table
    failures: str
    failed: int


def run(model: Answering, job: Job, *, jobs: int | None = None, resume: bool = False) -> int:
    """Does the job and returns how many rows failed, in earlier parts of it too."""
    reading = Reading.of(job.source, job.column)
    schema = schema_of(reading, job)
    journal = Journal.beside(job.output)
    anew = Progress({**job.settings(model), "rows of a part": ROWS}, crc=reading.checksum())
    done = begun(job, anew, journal, resume=resume)
    if done is None:
        remove_parts(job.output)
        return failures_in(job.errors_path)
    if done.crc != anew.crc:
        raise changed(job)
    if not done.lines:
        remove_parts(job.output)
    make_folder(job.output)
    parts = parts_of(job.output, done.lines)
    journal.write(done)
    with (
        open_text_output(job.errors_path, resume_at=done.errors_size) as errors,
        progress_bar(job, done, total=reading.rows) as bar,
    ):
        if not done.errors_size:
            errors.write(rows.ERROR_HEADER)
            errors.flush()
        tables = reading.tables(ROWS, skip=done.lines)
        for (_, table), answered in in_order(
            lambda work: answer(model, reading, *work, job), tables, jobs=jobs
        ):
            parts.append(part_of(job.output, len(parts)))
            parquet_files.write(answered.table, parts[-1])
            errors.write(answered.failures)
            errors.flush()
            done = replace(
                done,
                lines=done.lines + table.num_rows,
                output_size=len(parts),
                errors_size=errors.tell(),
                failed=done.failed + answered.failed,
            )
            journal.write(done)
            bar.update(table.num_rows)
    parquet_files.join(parts, Path(job.output), schema)
    journal.remove()
    remove_parts(job.output)
    return summed_up(done, job)


def added(job: Job) -> list[tuple[str, Any]]:
    """The columns that are added, with their types."""
    pa = arrow()
    columns = [
        ("output", pa.string()),
        ("posterior", pa.float64()),
        ("error", pa.string()),
        ("truncated", pa.bool_()),
    ]
    columns += [("source", pa.string())] if job.lexicon else []
    return columns + ([("unknown", pa.string())] if job.unknown != "fail" else [])


def schema_of(reading: Reading, job: Job) -> Schema:
    schema = reading.schema
    for name, kind in added(job):
        if name in schema.names:
            message = f"has a column {name!r} already"
            raise FormatError(message, path=reading.path, remedy="rename it in the input")
        schema = schema.append(arrow().field(name, kind))
    return schema


def answer(model: Answering, reading: Reading, first: int, table: Table, job: Job) -> Answered:
    """A table with its answers; `first` is the number of its first row."""
    texts = reading.texts(table)
    refusals: dict[int, ItemError] = {
        number: ItemError("there is nothing: the item is null", remedy="fill it in")
        for number, text in enumerate(texts)
        if text is None
    }
    cells = Cells([text or "" for text in texts], refusals)
    answers = answers_to(model, cells, n=1, spans=False)
    columns = columns_of(answers, len(texts))
    for name, kind in added(job):
        table = table.append_column(arrow().field(name, kind), [arrow().array(columns[name], kind)])
    failures = failure_rows(first, cells.items, answers)
    return Answered(table, failures, len(answers.failures))


def columns_of(answers: Answers, size: int) -> dict[str, Sequence[Any]]:
    """What there is to add to each row; nothing but the error where there is no answer."""
    places = [None if k in answers.failures else answers.firsts[k] for k in range(size)]
    errors = [None if k is not None else "" for k in places]
    for number, error in answers.failures.items():
        errors[number] = rows.printable(str(error))
    return {
        "output": [None if k is None else answers.outputs[k] for k in places],
        "posterior": [None if k is None else answers.posteriors[k] for k in places],
        "error": errors,
        "truncated": [k in answers.truncated for k in range(size)],
        "source": [
            None if k is None or answers.sources is None else answers.sources[number]
            for number, k in enumerate(places)
        ],
        "unknown": [
            rows.listed(answers.unknown[number]) if number in answers.unknown else None
            for number in range(size)
        ],
    }


def folder_of(output: str) -> Path:
    return Path(f"{output}.parts")


def part_of(output: str, number: int) -> Path:
    return folder_of(output) / f"part-{number:06}.parquet"


def parts_of(output: str, done: int) -> list[Path]:
    """The parts that a stopped run has written; FormatError if one is missing."""
    parts = [part_of(output, number) for number in range(-(-done // ROWS))]
    for part in parts:
        if not part.exists():
            message = "is missing, though the stopped run had written it"
            raise FormatError(message, path=part, remedy="start anew without --resume")
    return parts


def make_folder(output: str) -> None:
    with parquet_files.told(folder_of(output)):
        folder_of(output).mkdir(exist_ok=True)


def remove_parts(output: str) -> None:
    """Removes what an unfinished run has left; a folder with anything else in it stays."""
    folder = folder_of(output)
    for part in [*folder.glob("part-*.parquet"), *folder.glob("part-*.parquet.new")]:
        part.unlink()
    with suppress(OSError):
        folder.rmdir()
