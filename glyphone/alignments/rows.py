r"""Alignments as text: a notation in which no character is reserved, TSV and JSON Lines.

Units stand in a row with a space between them. A unit is SOURCE:TARGET, a side is its symbols with
| between them, or _ if it has none. Within symbols what would be taken for a separator is escaped:
\\ \: \| \_ for \ : | and a symbol _, and \s \t \n \r for space, TAB and line ends; so a row can
be cut at every space that it holds.

>>> text = alignment_text(Alignment(((("p", "h"), ("f",)), (("e",), ()), ((" ", ":"), ("_",)))))
>>> print(text)
p|h:f e:_ \s|\::\_
>>> read_alignment(text).units[2]
((' ', ':'), ('_',))
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from math import isfinite

from glyphone.alignments.align import Aligned, Ranked
from glyphone.data.errors import FormatError, ItemError
from glyphone.data.lines import Source, read_lines
from glyphone.data.records import Alignment, Pair, Symbols
from glyphone.data.writing import Writing

_LETTERS = {"\\": "\\", ":": ":", "|": "|", " ": "s", "\t": "t", "\n": "n", "\r": "r"}
_ESCAPES = str.maketrans({character: f"\\{letter}" for character, letter in _LETTERS.items()})
_MEANINGS = {letter: character for character, letter in _LETTERS.items()} | {"_": "_"}
_ESCAPED = re.compile(r"\\(.)")
_SYMBOL = re.compile(r"(?:[^\\ |:]|\\[\\:|_stnr])+")
_SIDE = rf"{_SYMBOL.pattern}(?:\|{_SYMBOL.pattern})*"
_UNIT = re.compile(f"({_SIDE}):({_SIDE})")
# What would end a cell; the columns for people need not be read back.
_CELL = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r"})


def alignment_text(alignment: Alignment) -> str:
    """An alignment in the notation; ItemError if a symbol is the empty string."""
    return " ".join(f"{_side_text(x)}:{_side_text(y)}" for x, y in alignment.units)


def _side_text(symbols: Symbols) -> str:
    if not all(symbols):
        raise ItemError("an empty symbol cannot be written", item=repr(symbols), stage="alignment")
    texts = (r"\_" if symbol == "_" else symbol.translate(_ESCAPES) for symbol in symbols)
    return "|".join(texts) if symbols else "_"


def read_alignment(text: str) -> Alignment:
    """The alignment that `alignment_text` wrote; ItemError, with the place, if it is none."""
    units: list[tuple[Symbols, Symbols]] = []
    offset = 0
    for part in text.split(" ") if text else ():
        match = _UNIT.fullmatch(part)
        sides = [_side(side) for side in match.groups()] if match else []
        if len(sides) != 2 or any("" in side for side in sides):
            remedy = r"write SOURCE:TARGET, symbols with | between them, _ for none, \: for :"
            raise ItemError(f"{part!r} is no unit", item=text, offset=offset, remedy=remedy)
        units.append((sides[0], sides[1]))
        offset += len(part) + 1
    return Alignment(tuple(units))


def _side(text: str) -> Symbols:
    """The symbols of a side; a bare _ among others, which is no symbol, gives an empty one."""
    if text == "_":
        return ()
    return tuple(
        "" if symbol == "_" else _ESCAPED.sub(lambda found: _MEANINGS[found[1]], symbol)
        for symbol in _SYMBOL.findall(text)
    )


def as_tsv(line: int, entry: Aligned, source: Writing, target: Writing, *, weights: bool) -> str:
    """`word, pronunciation, units, ln P, posterior[, weight]`, a row for each alignment."""
    columns = [side.translate(_CELL) for side in _sides(entry.pair, source, target)]
    weight = f"\t{entry.pair.weight!r}" if weights else ""
    return "".join(
        "\t".join([*columns, alignment_text(found.alignment), *_figures(found)]) + f"{weight}\n"
        for found in entry.ranked
    )


def _sides(pair: Pair, source: Writing, target: Writing) -> tuple[str, str]:
    return source.join(pair.source), target.join(pair.target)


def _figures(found: Ranked) -> tuple[str, str]:
    return f"{found.log_probability:.6g}", f"{found.posterior:.6g}"


def as_jsonl(line: int, entry: Aligned, source: Writing, target: Writing, *, weights: bool) -> str:
    """One object for each pair, with all of its alignments as lists and the line that it is on."""
    word, pronunciation = _sides(entry.pair, source, target)
    row = {
        "line": line,
        "source": word,
        "target": pronunciation,
        "log_probability": entry.log_probability,
        "alignments": [
            {
                "units": found.alignment.units,
                "log_probability": found.log_probability,
                "posterior": found.posterior,
            }
            for found in entry.ranked
        ],
    } | ({"weight": entry.pair.weight} if weights else {})
    return json.dumps(row, ensure_ascii=False) + "\n"


FORMATS: dict[str, Callable[..., str]] = {"tsv": as_tsv, "jsonl": as_jsonl}


def read_alignments(path: Source) -> Iterator[tuple[int, Pair, Ranked]]:
    """The rows of a TSV file of alignments: line, pair and alignment; FormatError if one is none.

    The third column is what counts; ln P and posterior are 0 and 1, and so is the weight, where
    they are left out.
    """
    for number, line in read_lines(path):
        if line:
            yield (number, *_read_row(line, path, number))


def _read_row(line: str, path: Source, number: int) -> tuple[Pair, Ranked]:
    columns = line.split("\t")
    try:
        if len(columns) < 3:
            remedy = "make the file by glyphone align"
            raise ItemError("column 3, the units of the alignment, is missing", remedy=remedy)
        alignment = read_alignment(columns[2])
        figures = [_figure(columns, place, default) for place, default in ((3, 0.0), (4, 1.0))]
        weight = _figure(columns, 5, 1.0)
    except ItemError as error:
        raise FormatError(
            error.message, path=path, line=number, item=line, remedy=error.remedy
        ) from error
    pair = alignment.pair
    return Pair(pair.source, pair.target, weight), Ranked(alignment, *figures)


def _figure(columns: list[str], place: int, default: float) -> float:
    if place >= len(columns):
        return default
    try:
        figure = float(columns[place])
    except ValueError:
        figure = float("nan")
    if not isfinite(figure):
        raise ItemError(f"column {place + 1} holds {columns[place]!r}, which is no number")
    return figure
