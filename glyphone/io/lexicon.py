"""Lexicons as verbs read them: their columns, their units, and columns beside the entries.

>>> LexiconFile(path="eng.tsv").target.unit
'token'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from glyphone.data.errors import FormatError, ItemError
from glyphone.data.lexicons.tsv import numbered_lexicon, split_columns
from glyphone.data.lines import read_lines
from glyphone.data.records import Pair
from glyphone.data.writing import Unit, Writing
from glyphone.io.messages import Failure


@dataclass(frozen=True, kw_only=True)
class LexiconFile:
    """A lexicon, and how it is read; columns count from 1."""

    path: str
    source_column: int = 1
    target_column: int = 2
    weight_column: int | None = None
    kind_column: int | None = None
    source_unit: Unit = "codepoint"
    target_unit: Unit = "token"

    @property
    def source(self) -> Writing:
        return Writing(self.source_unit)

    @property
    def target(self) -> Writing:
        return Writing(self.target_unit)

    def entries(
        self, on_error: Callable[[FormatError], None], *, other: str | None = None
    ) -> Iterator[tuple[int, Pair]]:
        """The entries with their lines; those of another file have the same columns, no weights."""
        return numbered_lexicon(
            self.path if other is None else other,
            source=self.source,
            target=self.target,
            source_column=self.source_column,
            target_column=self.target_column,
            weight_column=self.weight_column if other is None else None,
            kind_column=self.kind_column,
            on_error=on_error,
        )


def file_writing(own: Writing, unit: Unit | None) -> Writing:
    """How a side of the file is cut, where a model writes that side in its own way.

    In the same unit nothing else is settled here: a model that normalises a word itself can say
    where in it, as it was written, something is amiss. Into another unit only what is normalised
    can be cut, for what is decomposed would fall apart.
    """
    return Writing(own.unit, "none") if unit in (None, own.unit) else replace(own, unit=unit)


def split_lines(
    lines: Iterable[tuple[int, str, list[str]]],
    source: Writing,
    target: Writing,
    source_column: int = 1,
    target_column: int = 2,
) -> tuple[list[tuple[int, Pair]], list[Failure]]:
    """The pairs of lines by their numbers, and the lines that hold none.

    A line comes with its number, its text and its columns.

    >>> lines = [(1, "a\\tx", ["a", "x"]), (2, "b", ["b"])]
    >>> pairs, failures = split_lines(lines, Writing(), Writing())
    >>> pairs[0][1].target, failures[0][0]
    (('x',), 2)
    """
    pairs: list[tuple[int, Pair]] = []
    failures: list[Failure] = []
    for number, line, columns in lines:
        try:
            sides = split_columns(columns, source, target, source_column, target_column)
            pairs.append((number, Pair(*sides)))
        except ItemError as error:
            error.stage = "reading"
            failures.append((number, line, error))
    return pairs, failures


def read_column(path: str, column: int, *, option: str) -> dict[int, str]:
    """The cells of a column of a TSV file that are not empty, by the numbers of their lines.

    FormatError if the file is stdin, which cannot be read a second time, or if all cells are empty.
    Bytes that are not UTF-8 become escapes, so that the cells can be written.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/names.tsv"
    >>> with open(path, "w") as file:
    ...     _ = file.write("Ana\\ta n a\\tspa\\nEva\\te v a\\n")
    >>> read_column(path, 3, option="--slice-column")
    {1: 'spa'}
    """
    if path == "-":
        remedy = "save the lines to a file first"
        raise FormatError(
            f"cannot be read twice for {option}", path="standard input", remedy=remedy
        )
    cells = {}
    for number, line in read_lines(path):
        cell = line.split("\t", column)[column - 1 : column]
        if cell and cell[0]:
            cells[number] = cell[0].encode("utf-8", "backslashreplace").decode("utf-8")
    if not cells:
        remedy = f"separate columns by TAB, and see what {option} says"
        raise FormatError(f"no line has anything in column {column}", path=path, remedy=remedy)
    return cells
