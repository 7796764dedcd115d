"""A name in parts: the words that a model transcribes, and what stands between them.

A name is cut at spaces and hyphens. Marks of writing direction and soft hyphens are passed over,
and so are separators before and behind a name and apostrophes that stand alone. A dot makes a word
an abbreviation, and an abbreviation has no sound of its own, so that such a name is refused; digits
and other signs are left to the model, which refuses them by name.

>>> [part.word for part in parts_of("Jean-Luc  Picard")]
['Jean', 'Luc', 'Picard']
>>> [part.before for part in parts_of("Jean-Luc  Picard")]
['', '-', ' ']
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from glyphone.data.errors import ItemError

# Of letters alone, as nearly all parts of names are.
PLAIN = re.compile(r"[^\W\d_]+\Z")
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
    began it with one.
    """

    word: str
    before: str
    begins: Sequence[int]
    ends: Sequence[int]
    capital: bool


def parts_of(name: str) -> list[Part]:
    """The parts of a name; ItemError for an abbreviation and for a name without any."""
    if PLAIN.match(name):
        return [whole(name)]
    found: list[Part] = []
    before, begin = "", 0
    for match in [*_BETWEEN_PARTS.finditer(name), None]:
        end = len(name) if match is None else match.start()
        part = part_of(name, begin, end, before)
        if part is not None:
            found.append(part)
            before = ""
        if match is not None:
            # Of two separators with nothing between them that counts, a hyphen is the stronger.
            hyphen = before == "-" or _HYPHEN.search(match[0])
            before, begin = ("-" if hyphen else " ") if found else "", match.end()
    if not found:
        raise ItemError("is no name", item=name, remedy="there is no letter in it")
    return found


def whole(name: str) -> Part:
    """A name that is one word."""
    return Part(name, "", range(len(name)), range(1, len(name) + 1), name[:1].isupper())


def part_of(name: str, begin: int, end: int, before: str) -> Part | None:
    """The word between two places, without what is passed over; None if nothing is left."""
    word = name[begin:end]
    places: Sequence[int] = range(begin, end)
    if _NOISE.search(word):
        places = [place for place in places if not _NOISE.match(name[place])]
        word = "".join(name[place] for place in places)
    word = word.translate(_APOSTROPHES)
    if not word.strip("'"):
        return None
    if "." in word:
        offset = places[word.index(".")]
        remedy = "write it out: an abbreviation has no sound of its own"
        raise ItemError("is abbreviated", item=name, symbol=".", offset=offset, remedy=remedy)
    capital = word.lstrip("'")[0].isupper()
    return Part(word, before, places, [place + 1 for place in places], capital)
