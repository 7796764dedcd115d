"""Batches over Parquet: the rows of a file with columns beside them.

A row that fails has an error and nothing in the other columns, and is listed in the file of
errors, too. `glyphone apply` adds the columns `output`, `posterior` and `error`, and `truncated`
for what a budget cut short; with a lexicon `source`, and if unknown symbols are copied or left out
`unknown`.

A Parquet file is none before its end is written, and cannot be cut back. So the work lies in parts
of its own, in the folder OUTPUT.parts, as long as it is not finished; they are joined at the end,
and the folder is removed. Whole parts count when a stopped run goes on.

>>> [part_of("out.parquet", number).as_posix() for number in (0, 12)]
['out.parquet.parts/part-000000.parquet', 'out.parquet.parts/part-000012.parquet']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from glyphone.batch import arrow as batch_arrow
from glyphone.batch.arrow import ParquetReading, Schema, Table, import_pyarrow
from glyphone.batch.cells import Cells, answers_to
from glyphone.batch.driver import Chunk, Task, Worked
from glyphone.batch.job import Files, Job
from glyphone.batch.journal import Progress
from glyphone.batch.resuming import changed_input
from glyphone.batch.run import failures_of
from glyphone.data.errors import FormatError, ItemError
from glyphone.fst.interface.answers import Answers
from glyphone.fst.interface.model import Model
from glyphone.io import rows
from glyphone.io.messages import Failure

# Of a part, and of a row group of the result: some megabytes of names.
ROWS = 1 << 14

# A row with something in every column that is read: its number, and the text of each column, or a
# list of texts.
Row = tuple[int, tuple[Any, ...]]
# A name and a type of pyarrow's.
Column = tuple[str, Any]


@dataclass(frozen=True)
class AddedColumns:
    """Columns of a verb beside the rows that it was given, and the rows that failed.

    In each column are as many values as there were rows; those of a row that failed are left out.
    """

    columns: Mapping[str, Sequence[Any]]
    failures: Sequence[Failure] = ()


@dataclass(frozen=True)
class RowSource:
    """The rows of a file, so many at a time; the items of a chunk are its first row and a table."""

    reading: ParquetReading
    rows: int

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"rows of a part": self.rows}

    @property
    def total(self) -> int | None:
        return self.reading.rows

    def chunks(self, done: Progress) -> Iterator[Chunk]:
        """The rows after those that are done; GlyphoneError if it is not the same file."""
        crc = self.reading.checksum()
        if done.lines and done.crc != crc:
            raise changed_input(self.reading.path)
        for first, table in self.reading.tables(self.rows, skip=done.lines):
            size = table.num_rows
            yield Chunk((first, table), first + size - 1, crc, size)


@dataclass
class PartSink:
    """Parts of a Parquet file, joined when all are there; rows are tables."""

    path: str
    schema: Schema
    parts: list[Path] = field(default_factory=list)

    def open(self, done: Progress) -> None:
        if not done.lines:
            remove_parts(self.path)
        with batch_arrow.file_errors(folder_of(self.path)):
            folder_of(self.path).mkdir(exist_ok=True)
        self.parts = parts_of(self.path, done.output_size)

    def write(self, rows: Table) -> None:
        self.parts.append(part_of(self.path, len(self.parts)))
        batch_arrow.write_table(rows, self.parts[-1])

    def flush(self) -> int:
        return len(self.parts)

    def finish(self) -> None:
        batch_arrow.join_parts(self.parts, Path(self.path), self.schema)

    def close(self) -> None:
        """Nothing: each part is there whole or not at all."""

    def discard(self) -> None:
        remove_parts(self.path)


@dataclass(frozen=True)
class Adding:
    """Tables with the columns that `work` has for their rows.

    `added` are the columns and their types, `error` among them; `missing` has the values that rows
    have in them that fail, where it is not null.
    """

    reading: ParquetReading
    added: Sequence[Column]
    work: Callable[[Sequence[Row]], AddedColumns]
    missing: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def schema(self) -> Schema:
        schema = self.reading.schema
        for name, kind in self.added:
            if name in schema.names:
                message = f"has a column {name!r} already"
                raise FormatError(message, path=self.reading.path, remedy="rename it in the input")
            schema = schema.append(import_pyarrow().field(name, kind))
        return schema

    def __call__(self, chunk: tuple[int, Table]) -> Worked:
        """A table, which begins with the row `first`, with the columns added to it."""
        first, table = chunk
        cells = list(zip(*self.reading.cells(table), strict=True))
        given = [(number, cell) for number, cell in enumerate(cells, first) if None not in cell]
        answered = self.work(given)
        empty = [
            (number, "", ItemError("there is nothing: the item is null", remedy="fill it in"))
            for number, cell in enumerate(cells, first)
            if None in cell
        ]
        failures = sorted([*answered.failures, *empty], key=lambda failure: failure[0])
        errors = {number: rows.printable_field(str(error)) for number, _, error in failures}
        places = [number - first for number, _ in given if number not in errors]
        for name, kind in self.added:
            values = [self.missing.get(name)] * len(cells)
            if name == "error":
                values = [errors.get(number) for number in range(first, first + len(cells))]
            else:
                for place, value in zip(places, answered.columns[name], strict=True):
                    values[place] = value
            column = import_pyarrow().array(values, kind)
            table = table.append_column(import_pyarrow().field(name, kind), [column])
        return Worked(table, failures)


def parquet_task(
    files: Files,
    settings: Mapping[str, Any],
    adding: Adding,
    **options: Any,
) -> Task:
    """The task that adds columns to the rows of a file."""
    return Task(
        files=files,
        settings=settings,
        source=RowSource(adding.reading, ROWS),
        sink=PartSink(files.output, adding.schema),
        work=adding,
        **options,
    )


def task_of(model: Model, job: Job, settings: Mapping[str, Any]) -> Task:
    """The task of `glyphone apply`."""
    reading = ParquetReading.of(job.source, [job.column])
    adding = Adding(
        reading,
        answer_columns(job),
        lambda given: answer_items(model, given, job),
        {"truncated": False},
    )
    return parquet_task(job, settings, adding)


def answer_columns(job: Job) -> list[Column]:
    """The columns that `glyphone apply` adds."""
    pa = import_pyarrow()
    columns = [
        ("output", pa.string()),
        ("posterior", pa.float64()),
        ("error", pa.string()),
        ("truncated", pa.bool_()),
    ]
    columns += [("source", pa.string())] if job.lexicon else []
    return columns + ([("unknown", pa.string())] if job.unknown != "fail" else [])


def answer_items(model: Model, given: Sequence[Row], job: Job) -> AddedColumns:
    """The answers to items, as columns."""
    items = [text for _, (text,) in given]
    answers = answers_to(model, Cells(items, {}), n=1, spans=False)
    failures = failures_of([number for number, _ in given], items, answers)
    return AddedColumns(columns_of(answers, len(items)), failures)


def columns_of(answers: Answers, size: int) -> dict[str, Sequence[Any]]:
    """The columns that are added for each item that has an answer."""
    good = [item for item in range(size) if item not in answers.failures]
    places = [answers.firsts[item] for item in good]
    sources, unknown = answers.sources, answers.unknown
    return {
        "output": [answers.outputs[k] for k in places],
        "posterior": [answers.posteriors[k] for k in places],
        "truncated": [item in answers.truncated for item in good],
        "source": [None if sources is None else sources[item] for item in good],
        "unknown": [rows.list_symbols(unknown[item]) if item in unknown else None for item in good],
    }


def folder_of(output: str) -> Path:
    return Path(f"{output}.parts")


def part_of(output: str, number: int) -> Path:
    return folder_of(output) / f"part-{number:06}.parquet"


def parts_of(output: str, count: int) -> list[Path]:
    """The parts that a stopped run has written; FormatError if one is missing."""
    parts = [part_of(output, number) for number in range(count)]
    for part in parts:
        if not part.exists():
            message = "is missing, though the stopped run had written it"
            raise FormatError(message, path=part, remedy="start anew without --resume")
    return parts


def remove_parts(output: str) -> None:
    """Removes what an unfinished run has left; a folder with anything else in it stays."""
    folder = folder_of(output)
    for part in [*folder.glob("part-*.parquet"), *folder.glob("part-*.parquet.new")]:
        part.unlink()
    with suppress(OSError):
        folder.rmdir()
