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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.extras import need_package

# Types of pyarrow's; the package may be absent.
Table = Any
Schema = Any

# The first bytes of a file of Parquet.
MAGIC = b"PAR1"


def import_pyarrow(module: str = "pyarrow") -> Any:
    """pyarrow, or a module of it."""
    return need_package(module, to="read or write Parquet", extra="parquet")


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
        file = open_file(path)
        names = [column_of(file.schema_arrow, column, path, option) for column in columns]
        return cls(path, file, tuple(names))

    @classmethod
    def of_lists(cls, path: str, columns: Sequence[str], option: str) -> ParquetReading:
        """An opened file and columns with lists of text; all of them if none is named."""
        file = open_file(path)
        schema = file.schema_arrow
        given = columns or [name for name in schema.names if is_text_list(schema.field(name).type)]
        if not given:
            remedy = "write the tokens of each sentence into a column, as a list of strings"
            raise FormatError("no column holds lists of text", path=path, remedy=remedy)
        names = [
            column_of(schema, name, path, option, is_right=is_text_list, kind="lists of text")
            for name in given
        ]
        return cls(path, file, tuple(names))

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
        batches = self.file.iter_batches(size, row_groups=groups, use_threads=False)
        while True:
            with file_errors(self.path):
                batch = next(batches, None)
            if batch is None:
                return
            if skip < batch.num_rows:
                yield batch.slice(skip)
            skip = max(0, skip - batch.num_rows)

    def cells(self, table: Table) -> list[list[Any]]:
        """The items of a table, by column: text or lists of it, None where nothing is filled in.

        Bytes that are not UTF-8 are lone surrogates.
        """
        return [cells_of_column(table.column(column)) for column in self.columns]


def open_file(path: str) -> Any:
    parquet = import_pyarrow("pyarrow.parquet")
    with file_errors(path):
        with open(path, "rb") as stream:
            magic = stream.read(len(MAGIC))
        if magic != MAGIC:
            remedy = "name one; text is read and written as tsv or jsonl"
            raise FormatError("is no file of Parquet", path=path, remedy=remedy)
        # Without a buffer of its own size a whole column of a row group is read at once.
        return parquet.ParquetFile(path, buffer_size=1 << 20, pre_buffer=False)


def is_text(kind: Any) -> bool:
    """Whether a type is one of strings."""
    types = import_pyarrow("pyarrow.types")
    if types.is_dictionary(kind):
        return is_text(kind.value_type)
    # A column where nothing is filled in has no type of its own.
    return str(kind) in ("string", "large_string", "string_view", "null")


def is_text_list(kind: Any) -> bool:
    """Whether a type is one of lists of strings."""
    types = import_pyarrow("pyarrow.types")
    return (types.is_list(kind) or types.is_large_list(kind)) and is_text(kind.value_type)


def column_of(
    schema: Schema,
    column: str | int | None,
    path: str,
    option: str,
    *,
    is_right: Callable[[Any], bool] = is_text,
    kind: str = "text",
) -> str:
    """The name of a column, whose type has to be of a kind."""
    names = schema.names
    listed = f"name one with {option}: {', '.join(names)}"
    if isinstance(column, int):
        if column > len(names):
            remedy = f"name another with {option}"
            message = f"column {column} is missing: {len(names)} found"
            raise FormatError(message, path=path, remedy=remedy)
        column = names[column - 1]
    if column is None:
        raise GlyphoneError("which column holds the items?", path=path, remedy=listed)
    if column not in names:
        raise FormatError(f"no column named {column!r}", path=path, remedy=listed)
    if names.count(column) > 1:
        remedy = "rename all but one"
        raise FormatError(f"several columns are called {column!r}", path=path, remedy=remedy)
    type_of_column = schema.field(column).type
    if not is_right(type_of_column):
        message = f"column {column!r} holds {type_of_column}, not {kind}"
        raise FormatError(message, path=path, remedy=f"name another with {option}")
    return str(column)


def cells_of_column(column: Any) -> list[Any]:
    pa = import_pyarrow()
    text, binary = pa.large_string(), pa.large_binary()
    if is_text_list(column.type):
        text, binary = pa.large_list(text), pa.large_list(binary)
    return [decode_cell(cell) for cell in column.cast(text).cast(binary).to_pylist()]


def decode_cell(cell: Any) -> Any:
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "surrogateescape")
    return cell if cell is None else [*map(decode_cell, cell)]


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
