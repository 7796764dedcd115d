"""Words that begin alike, as the forms of one verb do, and words that are derived from each other.

Figures on forms of known words are too good: a new word comes without its relatives. In the order
of the alphabet relatives are neighbours, so a family ends where neighbours share less of their
beginning. A family of more than a tenth of all words is none: they begin alike for another reason,
and stand for themselves. Letters are counted with their marks, and syllables of Hangul as one,
however the words were cut.

>>> words = [tuple(word) for word in ("talked", "talker", "talk", "song", "songs")]
>>> others = [tuple(str(number)) for number in range(30)]
>>> found = families_of(words + others)
>>> ["".join(found[word]) for word in words]
['talk', 'talk', 'talk', 'song', 'song']
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import takewhile

from glyphone.data.records import Symbols

# So many letters in common are few, and such a share of the shorter word: with less, most Dutch
# words would have relatives by chance.
LEAST, SHARE = 4, 0.7
LARGEST = 0.1


def families_of(words: Iterable[Symbols]) -> dict[Symbols, Symbols]:
    """The first word of the family of each, in the order of the alphabet."""
    ordered = sorted((unicodedata.normalize("NFC", "".join(word)), word) for word in {*words})
    families: list[list[Symbols]] = []
    before = ""
    for text, word in ordered:
        if are_related(before, text):
            families[-1].append(word)
        else:
            families.append([word])
        before = text
    most = max(1, int(LARGEST * len(ordered)))
    return {
        word: family[0] if len(family) <= most else word for family in families for word in family
    }


def are_related(one: str, other: str) -> bool:
    """Whether words begin alike.

    >>> are_related("walk", "walked"), are_related("wall", "walked")
    (True, False)
    >>> are_related("wa", "was"), are_related("water", "wash")
    (False, False)
    """
    alike = (a == b for a, b in zip(one, other, strict=False))
    common = sum(1 for _ in takewhile(bool, alike))
    return common >= max(LEAST, SHARE * min(len(one), len(other)))
