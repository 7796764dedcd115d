"""Tables for people, by the cells that characters take on a terminal.

>>> print(table([("n", "name"), ("10", "a"), ("9", "b")], "><"))
 n  name
10  a
 9  b
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def pad(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def cells(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    marks = sum(unicodedata.category(character) in ("Mn", "Me", "Cf") for character in text)
    return len(text) + wide - marks


def share(value: float) -> str:
    return f"{100 * value:.2f} %"


def table(rows: Sequence[Sequence[str]], sides: str) -> str:
    """Columns set flush left (<) or right (>), by the cells that letters take on a terminal."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        filled = []
        for text, width, flush in zip(row, widths, sides, strict=True):
            space = " " * (width - cells(text))
            filled.append(text + space if flush == "<" else space + text)
        lines.append("  ".join(filled).rstrip())
    return "\n".join(lines)
