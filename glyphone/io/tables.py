"""Tables for people, by the cells that characters take on a terminal.

>>> print(format_table([("n", "name"), ("10", "a"), ("9", "b")], "><"))
 n  name
10  a
 9  b
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def pad_text(text: str, width: int) -> str:
    return text + " " * (width - count_cells(text))


def count_cells(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    marks = sum(unicodedata.category(character) in ("Mn", "Me", "Cf") for character in text)
    return len(text) + wide - marks


def percentage(value: float) -> str:
    return f"{100 * value:.2f} %"


def format_table(rows: Sequence[Sequence[str]], sides: str) -> str:
    """Columns set flush left (<) or right (>), by the cells that letters take on a terminal."""
    widths = [max(map(count_cells, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        filled = []
        for text, width, flush in zip(row, widths, sides, strict=True):
            space = " " * (width - count_cells(text))
            filled.append(text + space if flush == "<" else space + text)
        lines.append("  ".join(filled).rstrip())
    return "\n".join(lines)
