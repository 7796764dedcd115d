"""A list of names, each with the transducer that should be applied to it, as a table.

>>> print(align_columns([("name", "by", "answer"), ("한글", "kor", "h a n")]))
name  by   answer
한글  kor  h a n
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import glyphone.data
from glyphone.catalog import names as catalog_names
from glyphone.data.errors import GlyphoneError, NotInstalled
from glyphone.data.lexicons.tsv import read_table
from glyphone.io.tables import count_cells, pad_text

Row = tuple[str, str, str]


def transliterate_samples(path: str | None = None) -> tuple[list[Row], int]:
    """The rows of the table, and how many names failed; their rows have the reason."""
    load = lru_cache(maxsize=None)(catalog_names.load)
    rows = [("name", "transducer", "answer")]
    failed = 0
    for name, transducer in read_table(path or sample_file(), columns=2):
        try:
            answer = load(transducer)(name).output
        except NotInstalled as error:
            answer = str(error)  # what an installation lacks is no fault of the name
        except GlyphoneError as error:
            answer, failed = str(error), failed + 1
        rows.append((name, transducer, answer))
    return rows, failed


def sample_file() -> Path:
    return Path(glyphone.data.__path__[0]) / "samples" / "names.txt"


def align_columns(rows: list[Row]) -> str:
    """Columns that line up on a terminal, where East Asian letters are two cells wide."""
    widths = [max(count_cells(row[column]) for row in rows) for column in range(2)]
    return "\n".join(
        "  ".join([*(pad_text(row[column], widths[column]) for column in range(2)), row[2]])
        for row in rows
    )
