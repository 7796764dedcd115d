"""Parquet in and out by pyarrow, a bounded number of rows at a time.

Errors of pyarrow become our own. It comes with the extra `parquet`, and is
imported only when it is asked for.

>>> with file_errors("names.parquet"):
...     raise OSError("the disk is full")
Traceback (most recent call last):
glyphone.data.errors.FormatError: names.parquet: the disk is full (check the file and the disk)
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from glyphone.data.errors import FormatError, GlyphoneError, NotInstalled, UnknownName

# Types of pyarrow's; the package may be absent.
Table = Any
Schema = Any


def import_pyarrow(module: str = "pyarrow") -> Any:
    """pyarrow, or a module of it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise NotInstalled(
            "Parquet needs the package pyarrow", remedy="pip install 'glyphone[parquet]'"
        ) from error


@contextmanager
def file_errors(path: str | Path) -> Iterator[None]:
    """Errors of pyarrow and of the system in this block become a GlyphoneError with the path."""
    try:
        yield
    except FileNotFoundError as error:
        remedy = "check the name, and that its directory exists"
        raise FormatError("No such file or directory", path=path, remedy=remedy) from error
    except (OSError, ValueError, NotImplementedError) as error:  # pyarrow has them, too
        reason = str(error.args[-1] if error.args else error).split("\n")[0].rstrip(".")
        raise FormatError(reason, path=path, remedy="check the file and the disk") from error


@dataclass(frozen=True, eq=False)
class ParquetReading:
    """A Parquet file and the columns that hold items."""

    path: str
    file: Any
    columns: tuple[str, ...]

    @classmethod
    def of(
        cls, path: str, columns: Sequence[str | int | None], option: str = "--column"
    ) -> ParquetReading:
        """An opened file; an error names its columns if there is no such one, or none with text.

        A column has a name, or a number from 1; the `option` names it.
        """
        parquet = import_pyarrow("pyarrow.parquet")
        with file_errors(path):
            # Without a buffer of its own size a whole column of a row group is read at once.
            file = parquet.ParquetFile(path, buffer_size=1 << 20, pre_buffer=False)
        found = [column_of(file.schema_arrow, column, path, option) for column in columns]
        return cls(path, file, tuple(found))

    @property
    def rows(self) -> int:
        return int(self.file.metadata.num_rows)

    @property
    def schema(self) -> Schema:
        return self.file.schema_arrow

    def checksum(self) -> int:
        """The checksum of the footer, which holds the sizes and offsets of all row groups."""
        with file_errors(self.path), open(self.path, "rb") as stream:
            stream.seek(-8, os.SEEK_END)
            length = int.from_bytes(stream.read(4), "little")
            stream.seek(-8 - length, os.SEEK_END)
            return zlib.crc32(stream.read(length))

    def tables(self, size: int, *, skip: int = 0) -> Iterator[tuple[int, Table]]:
        """The rows after the first ones in tables of a size, each with its first row, from 1."""
        first, held, waiting = skip + 1, 0, list[Any]()
        for batch in self.batches(size, skip):
            while batch.num_rows:
                waiting.append(batch.slice(0, size - held))
                held += waiting[-1].num_rows
                batch = batch.slice(waiting[-1].num_rows)
                if held == size:
                    yield first, self.table(waiting)
                    first, held, waiting = first + size, 0, []
        if held:
            yield first, self.table(waiting)

    def table(self, batches: list[Any]) -> Table:
        # One dictionary for all row groups, or there would be several in one of ours.
        return import_pyarrow().Table.from_batches(batches, schema=self.schema).unify_dictionaries()

    def batches(self, size: int, skip: int) -> Iterator[Any]:
        """The batches that pyarrow reads; row groups that are skipped are not read."""
        metadata, group = self.file.metadata, 0
        while group < metadata.num_row_groups and skip >= metadata.row_group(group).num_rows:
            skip -= metadata.row_group(group).num_rows
            group += 1
        groups = list(range(group, metadata.num_row_groups))
        found = self.file.iter_batches(size, row_groups=groups, use_threads=False)
        while True:
            with file_errors(self.path):
                batch = next(found, None)
            if batch is None:
                return
            if skip < batch.num_rows:
                yield batch.slice(skip)
            skip = max(0, skip - batch.num_rows)

    def texts(self, table: Table) -> list[list[str | None]]:
        """The items of a table, by column; bytes that are not UTF-8 are lone surrogates."""
        return [texts_of(table.column(column)) for column in self.columns]


def column_of(schema: Schema, column: str | int | None, path: str, option: str) -> str:
    """The name of a column of text."""
    names = schema.names
    if isinstance(column, int):
        if column > len(names):
            remedy = f"name another with {option}"
            message = f"column {column} is missing: {len(names)} found"
            raise FormatError(message, path=path, remedy=remedy)
        column = names[column - 1]
    if column is None:
        remedy = f"name one with {option}: {', '.join(names)}"
        raise GlyphoneError("which column holds the items?", path=path, remedy=remedy)
    if column not in names:
        raise UnknownName("column", str(column), names, path=path)
    if names.count(column) > 1:
        remedy = "rename all but one"
        raise FormatError(f"several columns are called {column!r}", path=path, remedy=remedy)
    kind = schema.field(column).type
    if not is_text(kind):
        message = f"column {column!r} holds {kind}, not text"
        raise FormatError(message, path=path, remedy=f"name another with {option}")
    return str(column)


def texts_of(column: Any) -> list[str | None]:
    pa = import_pyarrow()
    found = column.cast(pa.large_string()).cast(pa.large_binary())
    return [
        None if item is None else item.decode("utf-8", "surrogateescape")
        for item in found.to_pylist()
    ]


def is_text(kind: Any) -> bool:
    """Whether a type is one of strings."""
    types = import_pyarrow("pyarrow.types")
    if types.is_dictionary(kind):
        return is_text(kind.value_type)
    # A column where nothing is filled in has no type of its own.
    return str(kind) in ("string", "large_string", "string_view", "null")


def write_table(table: Table, path: Path) -> None:
    """A file that is there whole or not at all."""
    draft = path.with_name(f"{path.name}.new")
    with file_errors(path):
        import_pyarrow("pyarrow.parquet").write_table(
            table, draft, row_group_size=max(1, table.num_rows)
        )
        os.replace(draft, path)


def join_parts(parts: list[Path], path: Path, schema: Schema) -> None:
    """The parts as one file, a row group for each; it is there whole or not at all."""
    parquet = import_pyarrow("pyarrow.parquet")
    draft = path.with_name(f"{path.name}.new")
    with file_errors(path), parquet.ParquetWriter(draft, schema) as writer:
        for part in parts:
            with file_errors(part):
                table = parquet.ParquetFile(part, pre_buffer=False).read(use_threads=False)
            writer.write_table(table, row_group_size=max(1, table.num_rows))
    with file_errors(path):
        os.replace(draft, path)
