"""The script of a text, by ISO 15924 code.

>>> script_of("Москва"), script_of("大阪"), script_of("コーヒー"), script_of("St. John’s")
('Cyrl', 'Hani', 'Kana', 'Latn')
>>> script_of("東京タワー") is script_of("Mосква") is script_of("24/7") is None
True

Letters and their marks decide; digits, spaces and punctuation belong to every script. A character
that several scripts share, like the length mark of both kana, goes with whichever the others are
in: the script of a text is the one that is left of the Script_Extensions of all its characters
(Unicode Standard Annex 24, section 5.1; Unicode Technical Standard 39, section 5.1). Where none is
left the text is mixed, and where several are it might be of any: neither has a script. Unlike in
UTS 39, Japanese with kanji and kana together is mixed, for here the two are tasks of their own.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any

from glyphone.data.errors import UnknownName

# The scripts in everyday use, and a few that are still taught.
CODES = frozenset(
    "Adlm Arab Armn Bali Beng Bopo Cakm Cans Cher Cyrl Deva Ethi Geor Grek Gujr Guru Hang Hani "
    "Hebr Hira Java Kana Khmr Knda Laoo Latn Limb Mlym Mong Mtei Mymr Nkoo Olck Orya Sinh Sund "
    "Syrc Taml Telu Tfng Thaa Thai Tibt Vaii Yiii".split()
)


def script_of(text: str) -> str | None:
    """The one script of all letters and marks of a text, or None if there is none or several."""
    if text.isascii():
        return "Latn" if any(map(str.isalpha, text)) else None
    possible = CODES
    for character in set(text):
        possible &= scripts_of_character(character)
    return next(iter(possible)) if len(possible) == 1 else None


@cache
def scripts_of_character(character: str) -> frozenset[str]:
    """The scripts that use a character: all, if it belongs to none or is no letter or mark.

    >>> sorted(scripts_of_character("ー")), scripts_of_character("-") == CODES
    (['Hira', 'Kana'], True)
    """
    if unicodedata.category(character)[0] not in "LM":
        return CODES
    if _matches(r"\p{scx=Zyyy}|\p{scx=Zinh}", character):
        return CODES
    return frozenset(code for code in CODES if _matches(rf"\p{{scx={code}}}", character))


def require_script(code: str) -> str:
    """The code, or UnknownName if it is not one of CODES."""
    if code not in CODES:
        raise UnknownName("script", code, CODES)
    return code


def _matches(pattern: str, character: str) -> Any:
    return _compiled(pattern).match(character)


@cache
def _compiled(pattern: str) -> Any:
    import regex  # type: ignore[import-untyped, unused-ignore]

    return regex.compile(pattern)
