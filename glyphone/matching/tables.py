"""Rows of files with names in columns: TSV, CSV with a header, Parquet.

A column has a number, from 1, or a name. CSV and Parquet have names of columns; TSV has them in its
first line if a column is asked for by name. Files are told apart by the ends of their names.

>>> import tempfile
>>> from pathlib import Path
>>> path = Path(tempfile.mkdtemp()) / "customers.csv"
>>> _ = path.write_text('id,name\\n1,"Paz, Ana"\\n2\\n', encoding="utf-8")
>>> [(line, cells) for line, cells, _ in read_cells(str(path), ["name"])]
[(2, ('Paz, Ana',)), (3, None)]
>>> next(read_cells(str(path), ["town"]))
Traceback (most recent call last):
glyphone.data.errors.FormatError: /.../customers.csv: no column named 'town' \
(name one with --column: id, name)
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from glyphone.data.errors import FormatError, GlyphoneError, ItemError
from glyphone.data.lines import is_text, read_lines
from glyphone.io.formats import PARQUET

# A number from 1, or a name.
Column = int | str
COLUMN = "--column"
# A name with more letters is none, and takes long to compare.
LONGEST = 500
DELIMITERS = ",;\t"


class Cells(NamedTuple):
    """The cells of the columns that were asked for, and the row as text; no cells if one of them
    is missing."""

    line: int
    cells: tuple[str, ...] | None
    text: str


def format_of(path: str) -> str:
    """
    >>> format_of("x.CSV.gz"), format_of("x.parquet"), format_of("-")
    ('csv', 'parquet', 'tsv')
    """
    ending = path.lower().removesuffix(".gz").rpartition(".")[2]
    return ending if ending in ("csv", PARQUET) else "tsv"


def read_cells(
    path: str, columns: Sequence[Column | None], option: str = COLUMN
) -> Iterator[Cells]:
    """The cells of each row that is not empty; an error names the columns if one is not there.

    No column is the only one, in TSV the first.
    """
    reader = {"csv": csv_cells, PARQUET: parquet_cells, "tsv": tsv_cells}[format_of(path)]
    return reader(path, columns, option)


def tsv_cells(path: str, columns: Sequence[Column | None], option: str) -> Iterator[Cells]:
    asked: Sequence[Column] = [column or 1 for column in columns]
    lines = read_lines(path)
    places = [column - 1 for column in asked if isinstance(column, int)]
    if len(places) < len(asked):
        header = next(lines, (0, ""))[1].split("\t")
        places = [place_of(column, header, path, option) for column in asked]
    for number, line in lines:
        if line:
            yield cells_of(number, line.split("\t"), places, line)


def csv_cells(path: str, columns: Sequence[Column | None], option: str) -> Iterator[Cells]:
    lines = read_lines(path)
    first = next(lines, (0, ""))[1]
    delimiter = max(DELIMITERS, key=first.count)
    header = next(csv.reader([first], delimiter=delimiter), [])
    places = [place_of(column, header, path, option) for column in columns]
    reader = csv.reader((f"{line}\n" for _, line in lines), delimiter=delimiter)
    number = 2
    try:
        for row in reader:
            if row:
                yield cells_of(number, row, places, delimiter.join(row))
            number = reader.line_num + 2
    except csv.Error as error:
        remedy = "check the quotes before it"
        raise FormatError(str(error), path=path, line=number, remedy=remedy) from error


def parquet_cells(path: str, columns: Sequence[Column | None], option: str) -> Iterator[Cells]:
    from glyphone.batch.arrow import ParquetReading
    from glyphone.batch.parquet import ROWS

    reading = ParquetReading.of(path, columns, option)
    for first, table in reading.tables(ROWS):
        for number, row in enumerate(zip(*reading.cells(table), strict=True), first):
            text = "\t".join(cell or "" for cell in row)
            yield Cells(number, None if None in row else row, text)


def place_of(column: Column | None, header: Sequence[str], path: str, option: str) -> int:
    """The place of a column, by its name in the header or by its number."""
    if not any(header):
        remedy = "the first line has the names of columns"
        raise FormatError("has no header", path=path, remedy=remedy)
    remedy = f"name one with {option}: {', '.join(header)}"
    if isinstance(column, str):
        if column not in header:
            raise FormatError(f"no column named {column!r}", path=path, remedy=remedy)
        return header.index(column)
    number = column or (1 if len(header) == 1 else None)
    if number is None:
        raise GlyphoneError("which column holds the names?", path=path, remedy=remedy)
    if number > len(header):
        raise FormatError(f"column {number} is missing", path=path, remedy=remedy)
    return number - 1


def cells_of(line: int, row: Sequence[str], places: Sequence[int], text: str) -> Cells:
    whole = max(places) < len(row)
    return Cells(line, tuple(row[place] for place in places) if whole else None, text)


def checked_name(text: str, stage: str | None = None) -> str:
    """The name without spaces around it; ItemError if it is none that can be compared.

    >>> checked_name(" 李 ")
    '李'
    >>> checked_name("?!")
    Traceback (most recent call last):
    glyphone.data.errors.ItemError: item '?!': has no letters or digits (write a name)
    """
    name = text.strip()
    if not is_text(name):
        raise ItemError("is not UTF-8", stage=stage, remedy="re-encode it")
    if not name:
        raise ItemError("there is nothing: the name is empty", stage=stage, remedy="fill it in")
    if len(name) > LONGEST:
        message = f"has {len(name)} characters, and a name at most {LONGEST}"
        raise ItemError(message, item=f"{name[:20]}…", stage=stage, remedy="shorten it")
    if not any(map(str.isalnum, name)):
        raise ItemError("has no letters or digits", item=name, stage=stage, remedy="write a name")
    return name


def checked_cells(row: Cells, wanted: int) -> tuple[str, ...]:
    """The names of a row; ItemError if one is missing, or none."""
    if row.cells is None:
        remedy = "fill in the columns, or tell which to take"
        raise ItemError("has not all of the columns", stage="reading", remedy=remedy)
    stages = [None] if wanted == 1 else ["first name", "second name"]
    return tuple(map(checked_name, row.cells, stages))
