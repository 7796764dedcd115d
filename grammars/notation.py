r"""Sets of strings in the notation of rules.

>>> print(string_set(["nineteen", "twenty one"]), symbol_set([("a", "-"), ("b",)]))
{nineteen, twenty one} {a \-, b}
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

OPERATORS = frozenset(r" \|()*+?{},;#∅/_=-<>[]")


def string_set(strings: Iterable[str]) -> str:
    """A set of strings that are in the notation of rules themselves."""
    return f"{{{', '.join(strings)}}}"


def symbol_set(strings: Iterable[Sequence[str]]) -> str:
    """A set of strings of symbols; operators of the notation are escaped."""
    return string_set(
        " ".join("\\" + symbol if symbol in OPERATORS else symbol for symbol in string)
        for string in strings
    )
