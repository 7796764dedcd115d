"""Labelled pairs of names from files: two names, and whether they are one.

    Mr. Rumyantsev<TAB>Alexander Rumyantsev<TAB>yes
    Rumyantsev<TAB>Rumyantseva<TAB>no
    Lebedev<TAB>Oleg Lebedev<TAB>don't know

The labels 1, 0 and ? mean yes, no and don't know, too.

>>> labelled_pair(7, "Bo Li\\tLi, Bo\\tYES")
LabelledPair(line=7, first='Bo Li', second='Li, Bo', label=1)
>>> labelled_pair(8, "Bo Li\\tLi, Bo")
Traceback (most recent call last):
glyphone.data.errors.ItemError: column 3 is missing: 2 found (write ...)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from glyphone.data.errors import ItemError
from glyphone.data.lines import is_text, read_lines
from glyphone.evaluation.pairs import NO, UNKNOWN, YES
from glyphone.io.messages import Failure, nothing_usable

LABELS: Final = {
    **dict.fromkeys(("yes", "y", "1", "true"), YES),
    **dict.fromkeys(("no", "n", "0", "false"), NO),
    **dict.fromkeys(("don't know", "don’t know", "unknown", "?", ""), UNKNOWN),
}
REMEDY: Final = "write NAME<TAB>NAME<TAB>yes, no or don't know"


class LabelledPair(NamedTuple):
    """Two names of a line, and YES, NO or UNKNOWN."""

    line: int
    first: str
    second: str
    label: int


def labelled_pair(line: int, text: str) -> LabelledPair:
    """The pair of a line; ItemError if it is none."""
    cells = text.split("\t")
    if len(cells) < 3:
        raise ItemError(f"column 3 is missing: {len(cells)} found", remedy=REMEDY)
    first, second, label = (cell.strip() for cell in cells[:3])
    if not is_text(text):
        raise ItemError("is not UTF-8", remedy="re-encode it")
    if not first or not second:
        raise ItemError(f"column {2 if first else 1} is empty", remedy="fill it in")
    if label.lower() not in LABELS:
        raise ItemError(f"{label!r} is no label", remedy=REMEDY)
    return LabelledPair(line, first, second, LABELS[label.lower()])


def read_pairs(path: str) -> tuple[list[LabelledPair], list[Failure]]:
    """The pairs of a file, and the lines that are refused; FormatError if no line has a pair."""
    pairs: list[LabelledPair] = []
    failures: list[Failure] = []
    for number, line in read_lines(path):
        if line:
            try:
                pairs.append(labelled_pair(number, line))
            except ItemError as error:
                failures.append((number, line, error))
    if not pairs:
        raise nothing_usable(path, failures, remedy=REMEDY)
    return pairs, failures


def decided(pairs: Sequence[LabelledPair]) -> list[LabelledPair]:
    """The pairs that are labelled yes or no."""
    return [pair for pair in pairs if pair.label != UNKNOWN]
