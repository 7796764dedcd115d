"""Latin letters without marks, as names are spelt where these are not known.

>>> plain_latin("ǎ"), plain_latin("ß"), plain_latin("Łódź")
('a', 'ss', 'Lodz')
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

LETTERS = "abcdefghijklmnopqrstuvwxyz'"
# Letters that no normal form decomposes, as languages without them spell them.
_SMALL = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h",
    "ı": "i", "ŋ": "ng", "ə": "e", "ɵ": "o", "ŧ": "t", "ƙ": "k", "ɓ": "b", "ɗ": "d", "ɛ": "e",
    "ɔ": "o", "ʼ": "'", "’": "'", "‘": "'", "ʻ": "'",
}  # fmt: skip
SPELT = str.maketrans(
    _SMALL | {one.upper(): plain.capitalize() for one, plain in _SMALL.items() if one != "ß"}
    | {"ẞ": "ss"}
)  # fmt: skip


@lru_cache(maxsize=65_536)
def plain_latin(letters: str) -> str:
    """Letters without their marks, and those that have none as they are spelt elsewhere."""
    marks = unicodedata.combining
    plain = "".join(c for c in unicodedata.normalize("NFD", letters) if not marks(c))
    return plain.translate(SPELT)
