"""Columns of symbols as numbers: each value of a column has a code, in order, from 0.

Symbols are hashable values; numbers come first, then strings, then the rest. A missing value (None,
NaN) is a value like any other, the last one, since its absence may be informative. All values that
fitting did not see share the code after it.

>>> columns = Columns.of(np.array([["b", 1], ["a", None]], dtype=object))
>>> columns.symbols, columns.widths.tolist()
((('a', 'b'), (1, None)), [3, 3])
>>> columns.codes_of_rows(np.array([["a", None], ["c", 1.0]], dtype=object)).tolist()
[[0, 1], [2, 0]]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError

Array = Any
NUMERIC = "biuf"


@dataclass(frozen=True)
class Columns:
    """The values of each column; missing is None, and the last."""

    symbols: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, table: Array) -> Columns:
        return cls(tuple(tuple(sort_values(distinct_values(column))) for column in table.T))

    @property
    def widths(self) -> Array:
        """The number of codes of each column, that of unknown values included."""
        return np.array([len(symbols) + 1 for symbols in self.symbols], np.int64)

    def codes_of_rows(self, table: Array) -> Array:
        """The codes of rows, in as few bytes as will do."""
        found = np.empty(table.shape, code_type(self.widths))
        for a, symbols in enumerate(self.symbols):
            found[:, a] = codes_of(table[:, a], symbols)
        return found

    def known_codes(self, a: int, values: Iterable[Any]) -> Array:
        """The codes of those of some values that column a has."""
        wanted = {None if is_missing(value) else value for value in values}
        return np.array([v for v, x in enumerate(self.symbols[a]) if x in wanted], np.int64)


def code_type(widths: Array) -> type:
    """The type of codes and branches: of few types, for each has machine code of its own."""
    return np.uint8 if max(widths, default=0) < 256 else np.int32


def is_missing(value: Any) -> bool:
    """Whether a value is missing: None, NaN, and those of pandas.

    >>> is_missing(None), is_missing(float("nan")), is_missing("")
    (True, True, False)
    """
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(value != value)


def distinct_values(column: Array) -> Collection[Any]:
    """The different values of a column, missing ones as None."""
    if column.dtype.kind in NUMERIC:
        found = set(np.unique(column).tolist())
    else:
        try:
            found = set(column.tolist())
        except TypeError as error:
            raise GlyphoneError(
                f"a value is no symbol: {error}",
                remedy="use numbers, strings, or others that can be hashed",
            ) from None
    values = (x.item() if isinstance(x, np.generic) else x for x in found)
    return {None if is_missing(value) else value for value in values}


def sort_values(values: Collection[Any]) -> list[Any]:
    """Numbers, strings, the rest by how they are written, and missing last.

    >>> sort_values([None, "b", "a", 3, 1.5, ("x",)])
    [1.5, 3, 'a', 'b', ('x',), None]
    """
    rest = [x for x in values if not isinstance(x, int | float | str) and x is not None]
    return [
        *sorted(x for x in values if isinstance(x, int | float)),
        *sorted(x for x in values if isinstance(x, str)),
        *sorted(rest, key=repr),
        *(x for x in values if x is None),
    ]


def codes_of(column: Array, symbols: tuple[Any, ...]) -> Array:
    """The code of each value, len(symbols) if it is not one of them."""
    unknown, n = len(symbols), len(symbols) - (symbols[-1:] == (None,))
    if column.dtype.kind not in NUMERIC:
        table = {symbol: v for v, symbol in enumerate(symbols)}
        empty = table.get(None, unknown)
        return np.array(
            [empty if is_missing(x) else table.get(x, unknown) for x in column.tolist()], np.int64
        )
    numbers = np.array([x for x in symbols[:n] if isinstance(x, int | float)])
    found = np.full(len(column), unknown)
    if len(numbers):
        places = np.minimum(np.searchsorted(numbers, column), len(numbers) - 1)
        found = np.where(numbers[places] == column, places, unknown)
    if n < unknown:
        found[column != column] = n
    return found
