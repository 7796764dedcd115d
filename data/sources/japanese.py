"""The record of a Japanese name in kanji with its reading, which all readers of names yield.

>>> JapaneseName("佐々木", "ささき", kinds=("surname",), weight=673000)
JapaneseName(kanji='佐々木', kana='ささき', kinds=('surname',), weight=673000, romaji='')
>>> repeat_kanji("佐々木"), to_hiragana("ｻｻｷ")
('佐佐木', 'ささき')
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from glyphone.data.errors import UnknownName

KINDS = ("surname", "given", "male", "female", "unclassified", "full", "place")

KANJI = r"\u3400-\u4dbf\u4e00-\u9fff\ufa0e-\ufa29\U00020000-\U000323af"
_PLAIN = re.compile(f"[{KANJI}々]+")
# The kanji that the marks of a run may stand for: as many as there are marks, or all there are.
_REPEATED = re.compile(f"(?P<kanji>[{KANJI}]+)(?P<marks>[々〻]+)")
_HIRAGANA = {code: code - 0x60 for code in (*range(ord("ァ"), ord("ヵ")), ord("ヽ"), ord("ヾ"))}


@dataclass(frozen=True)
class JapaneseName:
    """A name and one of its readings.

    `kinds` are of KINDS, in their order: given names are male, female or, where the source does not
    distinguish, given; unclassified ones are given names or surnames; a full name is of both parts.
    `weight` is how many bear the name, where the source counts, and 1 elsewhere. `romaji` is as the
    source writes it, which of full names says where the parts meet; it is empty where it has none.
    """

    kanji: str
    kana: str
    kinds: tuple[str, ...] = ()
    weight: float = 1.0
    romaji: str = ""


def order_kinds(kinds: Collection[str]) -> tuple[str, ...]:
    """Kinds in the order of KINDS; UnknownName for any other.

    >>> order_kinds({"female", "surname"})
    ('surname', 'female')
    """
    for kind in sorted(kinds):
        if kind not in KINDS:
            raise UnknownName("kind of Japanese name", kind, KINDS)
    return tuple(kind for kind in KINDS if kind in kinds)


def is_kanji(text: str) -> bool:
    """Whether a text is of kanji and iteration marks only, and begins with a kanji.

    >>> is_kanji("佐々木"), is_kanji("一ノ瀬"), is_kanji("々木")
    (True, False, False)
    """
    return _PLAIN.fullmatch(text) is not None and text[0] != "々"


def repeat_kanji(text: str) -> str:
    """A text with a kanji in place of every iteration mark that follows one.

    One mark stands for the kanji before it; of several in a row, each stands for the kanji as many
    places back as there are marks (部分々々). Where kanji are fewer than marks they come again.

    >>> [repeat_kanji(name) for name in ("野々村", "部分々々", "奈々々", "々")]
    ['野野村', '部分部分', '奈奈奈', '々']
    """
    return _REPEATED.sub(_written_out, text)


def _written_out(match: re.Match[str]) -> str:
    kanji, marks = match["kanji"], match["marks"]
    repeated = kanji[-len(marks) :]
    return kanji + (repeated * len(marks))[: len(marks)]


def to_hiragana(kana: str) -> str:
    """Kana of any form and width as hiragana; ー and other characters stay as they are.

    >>> to_hiragana("ｼﾞｭﾝｲﾁ"), to_hiragana("エヴァ")
    ('じゅんいち', 'えゔぁ')
    """
    return unicodedata.normalize("NFKC", kana).translate(_HIRAGANA)
