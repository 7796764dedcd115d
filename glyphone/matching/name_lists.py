"""Lists of names from files, each name once, with the lines that it stands on.

>>> import tempfile
>>> from pathlib import Path
>>> path = Path(tempfile.mkdtemp()) / "names.tsv"
>>> _ = path.write_text("Ana Paz\\nBo Li\\n\\n?\\nAna Paz\\n", encoding="utf-8")
>>> found = read_list(str(path), None)
>>> found.names, found.lines, [line for line, _, _ in found.failures]
(['Ana Paz', 'Bo Li'], [(1, 5), (2,)], [4])
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from glyphone.data.errors import ItemError
from glyphone.io.messages import Failure, nothing_usable
from glyphone.matching.tables import COLUMN, Column, checked_cells, read_cells


@dataclass(frozen=True)
class NameList:
    """Names, each once, in the order of their first lines, and all lines of each."""

    names: list[str]
    lines: list[tuple[int, ...]]
    failures: list[Failure]

    @property
    def crc(self) -> int:
        return zlib.crc32(repr((self.names, self.lines)).encode())


def read_list(
    path: str, column: Column | None, option: str = COLUMN, stage: str | None = None
) -> NameList:
    """The names in a column of a file; FormatError if there is none."""
    lines: dict[str, tuple[int, ...]] = {}
    failures: list[Failure] = []
    for row in read_cells(path, [column], option):
        try:
            (name,) = checked_cells(row, 1)
            lines[name] = (*lines.get(name, ()), row.line)
        except ItemError as error:
            error.stage = error.stage or stage
            failures.append((row.line, row.text, error))
    if not lines:
        raise nothing_usable(path, failures, remedy="write a name in each line")
    return NameList([*lines], [*lines.values()], failures)
