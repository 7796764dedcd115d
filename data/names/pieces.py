"""Pieces of a run of letters without spaces: where words begin and end within it.

>>> [(piece.plain, piece.start, piece.end) for piece in cut_chunk("Al-Qa'ida/Ａrmy,")]
[('al', 0, 2), ('qaida', 3, 9), ('army', 10, 14)]
>>> [(piece.plain, piece.letters) for piece in cut_chunk("J.R.Smith")]
[('jr', (0, 2)), ('smith', ())]
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from glyphone.data.names.letters import plain_letters
from glyphone.data.writing import Split, Writing

_WRITING = Writing(normal_form="NFKC")
# One for one, before NFKC, which makes a space and an accent of some of them.
_SIGNS = str.maketrans(
    dict.fromkeys("’‘ʼʻʹ′`´＇‛ʾʿ׳", "'")
    | dict.fromkeys("，、،﹐;；؛", ",")
    | {"﹠": "&", "＆": "&"}
)
_ELIDED = frozenset("d l dell all nell sull dall".split())
_OPENING = frozenset("([{（［【「『〔")


@dataclass(frozen=True, slots=True)
class Piece:
    """A word within a run, its offsets there, and signs around it.

    `letters` are the begins of the letters of initials like J.R., `commas` counts commas before
    it, `dotted` tells of a dot behind it, `joined` of a hyphen behind it, `opening` of a bracket
    before it. `ordinary` is a word wherever it stands, which only a reader with lists knows.
    """

    text: str
    plain: str
    start: int
    end: int
    shape: str = ""
    commas: int = 0
    letters: tuple[int, ...] = ()
    dotted: bool = False
    joined: bool = False
    opening: bool = False
    elided: bool = False
    ordinary: bool = False

    def between(self, start: int, end: int) -> Piece:
        """A part of a piece whose letters are one for one those of the user."""
        first = self.start + start
        text, plain = self.text[start:end], self.plain[start:end]
        return replace(self, text=text, plain=plain, start=first, end=self.start + end)


def count_commas(chunk: str) -> int:
    return chunk.translate(_SIGNS).count(",")


def cut_chunk(chunk: str) -> Iterator[Piece]:
    """The pieces of a run in order; none where it has no letters and digits."""
    split = _WRITING.split(chunk.translate(_SIGNS))
    symbols = split.symbols
    commas, opening = 0, False
    place = 0
    while place < len(symbols):
        end = _end_of_word(symbols, place)
        if end == place:
            commas += symbols[place] == ","
            opening = opening or symbols[place] in _OPENING
            if symbols[place] == "&":
                yield Piece("&", "and", split.starts[place], split.ends[place], commas=commas)
            place += 1
            continue
        for piece in filter(_has_letters, _pieces_of_word(split, place, end)):
            yield replace(piece, commas=commas, opening=opening)
            opening = False
        place = max(end, _end_of_initials(symbols, place))


def _end_of_word(symbols: Sequence[str], place: int) -> int:
    """Behind letters, marks, digits, and apostrophes that have letters on both sides."""
    end = place
    while end < len(symbols) and _is_letter(symbols[end]):
        end += 1
        while end < len(symbols) - 1 and symbols[end] == "'" and _is_letter(symbols[end + 1]):
            end += 1
    return end


def _end_of_initials(symbols: Sequence[str], place: int) -> int:
    """Behind a run of at least two letters with dots (`J.R.`, `U.S`), or `place` if none is."""
    end = place
    while end + 1 < len(symbols) and symbols[end].isalpha() and symbols[end + 1] == ".":
        end += 2
    if end < len(symbols) and _end_of_word(symbols, end) == end + 1 and symbols[end].isalpha():
        end += 1
    return end if end > place + 2 else place


def _pieces_of_word(split: Split, place: int, end: int) -> Iterator[Piece]:
    """A word, the letters of initials together, an elided article apart."""
    symbols, starts, ends = split.symbols, split.starts, split.ends
    run = _end_of_initials(symbols, place)
    if run > place:
        letters = [at for at in range(place, run) if symbols[at] != "."]
        text = "".join(symbols[at] for at in letters)
        begins = tuple(starts[at] for at in letters)
        yield _piece(text, starts[place], ends[letters[-1]], letters=begins, dotted=True)
        return
    text = "".join(symbols[place:end])
    head, sign, rest = text.partition("'")
    joined = symbols[end : end + 1] == ("-",) and end + 1 < len(symbols)
    dotted = symbols[end : end + 1] == (".",)
    if sign and plain_letters(head) in _ELIDED and len(rest) > 1:
        cut = place + len(head) + 1
        yield _piece(f"{head}'", starts[place], ends[cut - 1], elided=True, joined=True)
        text, place = rest, cut
    yield _piece(text, starts[place], ends[end - 1], dotted=dotted, joined=joined)


def _piece(
    text: str,
    start: int,
    end: int,
    *,
    letters: tuple[int, ...] = (),
    dotted: bool = False,
    joined: bool = False,
    elided: bool = False,
) -> Piece:
    shown = "".join(x for x in text if unicodedata.category(x) != "Cf")
    plain = plain_letters(shown.replace("'", ""))
    small = unicodedata.normalize("NFKC", shown.replace("Σ", "σ").lower())
    shape = "upper" if shown.isupper() else "lower" if shown.islower() else ""
    return Piece(
        small, plain, start, end, shape, 0, letters, dotted=dotted, joined=joined, elided=elided
    )


def _has_letters(piece: Piece) -> bool:
    return bool(piece.plain)


@cache
def _is_letter(symbol: str) -> bool:
    """Letters, marks, digits, and signs without a width, which are within words."""
    category = unicodedata.category(symbol)
    return category[0] in "LMN" or category == "Cf"
