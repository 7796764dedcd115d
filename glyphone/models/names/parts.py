"""A name in parts: the words that a model transcribes, and what stands between them.

A name is cut at spaces and hyphens. Marks of writing direction and soft hyphens are passed over,
and so are separators before and behind a name and apostrophes that stand alone. Digits and other
signs are left to the model, which refuses them by name.

A dot behind a single letter makes it an initial, which is written by what the language calls the
letter; initials without a space between are written without one. Where the letter has no name, and
behind longer words (St.), a dot makes an abbreviation. That has no sound of its own, and such a
name is refused.

>>> [part.word for part in parts_of("Jean-Luc  Picard")]
['Jean', 'Luc', 'Picard']
>>> [part.before for part in parts_of("Jean-Luc  Picard")]
['', '-', ' ']
>>> [(part.before, part.word) for part in parts_of("Émile U.S. Day", letters="EUS")]
[('', 'Émile'), (' ', 'U.'), ('', 'S.'), (' ', 'Day')]
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import NamedTuple

from glyphone.data.errors import ItemError
from glyphone.models.names.latin import plain_latin

# Words of letters alone with a space or a hyphen between, as nearly all names are.
_WORD = re.compile(r"[^\W\d_]+")
_PLAIN = re.compile(rf"{_WORD.pattern}(?:[ -]{_WORD.pattern})*\Z")
# Left-to-right and right-to-left marks, isolates and their like, soft hyphens, byte order marks.
_PASSED_OVER = "\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
_HYPHENS = "\\-\u058a\u05be\u2010-\u2015\u2212\u30a0\uff0d\uff1d"
_BETWEEN = rf"\s{_HYPHENS}\u00b7\u2022\u2027\u30fb\uff65"  # middle dots, too
_BETWEEN_PARTS = re.compile(rf"[{_BETWEEN}][{_BETWEEN}{_PASSED_OVER}]*")
_HYPHEN, _NOISE = re.compile(f"[{_HYPHENS}]"), re.compile(f"[{_PASSED_OVER}]")
_APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc\u02bb\u0060\u00b4\uff07", "'"))


class Part(NamedTuple):
    """A word, what stands before it ("", " " or "-"), and its place in the user's string.

    The k-th code point of the word comes from begins[k] to ends[k]; `capital` is whether the user
    began it with one. An initial is a plain capital letter and a dot.
    """

    word: str
    before: str
    begins: Sequence[int]
    ends: Sequence[int]
    capital: bool

    @property
    def initial(self) -> bool:
        return self.word.endswith(".")


def parts_of(name: str, letters: Container[str] = "") -> list[Part]:
    """The parts of a name; ItemError for an abbreviation and for a name without any.

    `letters` are those whose names are known, so that they may be initials.
    """
    if _PLAIN.match(name):
        return [plain_part(name, *match.span()) for match in _WORD.finditer(name)]
    found: list[Part] = []
    before, begin = "", 0
    for match in [*_BETWEEN_PARTS.finditer(name), None]:
        end = len(name) if match is None else match.start()
        parts = words_of(name, begin, end, before, letters)
        if parts:
            found += parts
            before = ""
        if match is not None:
            # Of two separators with nothing between them that counts, a hyphen is the stronger.
            hyphen = before == "-" or _HYPHEN.search(match[0])
            before, begin = ("-" if hyphen else " ") if found else "", match.end()
    if not found:
        raise ItemError("is no name", item=name, remedy="there is no letter in it")
    return found


def plain_part(name: str, begin: int, end: int) -> Part:
    """A word of letters alone, behind a single separator or none."""
    before = name[begin - 1] if begin else ""
    places = range(begin, end), range(begin + 1, end + 1)
    return Part(name[begin:end], before, *places, name[begin].isupper())


def words_of(
    name: str, begin: int, end: int, before: str, letters: Container[str]
) -> Sequence[Part]:
    """The parts between two places: a word, initials, or nothing."""
    word = name[begin:end]
    places: Sequence[int] = range(begin, end)
    if _NOISE.search(word):
        places = [place for place in places if not _NOISE.match(name[place])]
        word = "".join(name[place] for place in places)
    word = word.translate(_APOSTROPHES)
    if not word.strip("'"):
        return ()
    found: list[Part] = []
    first = 0
    while (dot := word.find(".", first)) >= 0:
        letter = plain_latin(word[first:dot]).upper()
        if len(letter) != 1 or letter not in letters:
            remedy = "write it out: an abbreviation has no sound of its own"
            raise ItemError(
                "is abbreviated", item=name, symbol=".", offset=places[dot], remedy=remedy
            )
        found.append(initial_part(letter, before, places[first:dot], places[dot] + 1))
        before, first = "", dot + 1
    rest, places = word[first:], places[first:]
    letter = plain_latin(rest).upper()
    if found and len(letter) == 1 and letter in letters:  # U.S
        found.append(initial_part(letter, before, places, places[-1] + 1))
    elif rest.strip("'"):
        capital = rest.lstrip("'")[0].isupper()
        before = " " if found else before
        found.append(Part(rest, before, places, [place + 1 for place in places], capital))
    return found


def initial_part(letter: str, before: str, places: Sequence[int], end: int) -> Part:
    """A letter at some places, and the dot that ends behind them, if there is one."""
    last = places[-1] + 1
    return Part(f"{letter}.", before, (places[0], last), (last, end), capital=True)
