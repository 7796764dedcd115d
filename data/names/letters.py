"""Texts of words by which names are compared: small letters, without marks that writers leave out.

>>> plain_letters("Usāma"), plain_letters("STRAẞE"), plain_letters("Łódź"), plain_letters("Фёдор")
('usama', 'strasse', 'lodz', 'федор')

Marks are dropped from letters of Latin, Greek, Hebrew and Arabic, which are often written without
them. Elsewhere a mark makes another letter (й, が, मो), and only that of ё goes.

>>> plain_letters("Сергей"), plain_letters("がぎ"), plain_letters("मोदी") == "मोदी"
('сергей', 'がぎ', True)
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

# Letters that have no decomposition, as people write them who lack them.
_TABLE = str.maketrans(
    {
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
        "ı": "i", "ħ": "h", "ŋ": "n", "ə": "a", "ŀ": "l", "ŧ": "t", "ĸ": "k", "ĳ": "ij",
        "ς": "σ", "ё": "е",
    }
)  # fmt: skip
_UNMARKED = ("LATIN", "GREEK", "HEBREW", "ARABIC")


@lru_cache(maxsize=65536)
def plain_letters(text: str) -> str:
    """The text in small letters and NFKC, without marks of Latin, Greek, Hebrew and Arabic."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).replace("İ", "i").casefold()
    letters: list[str] = []
    bare = False  # of the last letter, marks are left out
    for letter in unicodedata.normalize("NFD", folded.translate(_TABLE)):
        if unicodedata.category(letter) == "Mn":
            if not bare:
                letters.append(letter)
        else:
            bare = unicodedata.name(letter, "").startswith(_UNMARKED)
            letters.append(letter)
    return unicodedata.normalize("NFC", "".join(letters)).translate(_TABLE)
