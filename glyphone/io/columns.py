"""A column that stands beside the entries of a file: where a word is from, or what says so.

>>> import tempfile
>>> from pathlib import Path
>>> path = Path(tempfile.mkdtemp()) / "names.tsv"
>>> _ = path.write_text("Ana\\ta n a\\tspa\\nEva\\te v a\\n", encoding="utf-8")
>>> cells(str(path), 3, option="--slice-column")
{1: 'spa'}
"""

from __future__ import annotations

from glyphone.data.errors import FormatError
from glyphone.data.lines import read_lines


def cells(path: str, column: int, *, option: str) -> dict[int, str]:
    """What a column of a TSV file holds, where it is not empty, by the numbers of the lines.

    The file is read for this alone, so it must not be stdin; FormatError, too, if no line has
    anything there. What is not UTF-8 becomes escapes, for these cells will be written somewhere.
    """
    if path == "-":
        remedy = "save the lines to a file first"
        raise FormatError(
            f"cannot be read twice for {option}", path="standard input", remedy=remedy
        )
    found = {}
    for number, line in read_lines(path):
        cell = line.split("\t", column)[column - 1 : column]
        if cell and cell[0]:
            found[number] = cell[0].encode("utf-8", "backslashreplace").decode("utf-8")
    if not found:
        remedy = f"separate columns by TAB, and see what {option} says"
        raise FormatError(f"no line has anything in column {column}", path=path, remedy=remedy)
    return found
