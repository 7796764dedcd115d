"""Requests to a model of Japanese names: kanji, kana or romaji, in parts.

Parts are separated by spaces, commas and middle dots. A name with a kanji in it is to be read, all
others are to be written in kanji: those in kana by their hiragana, the rest by their keys, see
`glyphone.grammars.jpn.name_keys`.

>>> asked = parse_request("ﾔﾏﾀﾞ・タロウ")
>>> asked.route, asked.text
('kana', 'やまだ たろう')
>>> parse_request("Yamada, Tarō").route, parse_request("山田太郎").route
('romaji', 'kanji')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from glyphone.data.errors import ItemError
from glyphone.data.sources.japanese import KANJI, to_hiragana
from glyphone.data.writing import Writing
from glyphone.fst.interface.codec import Encoded, Side

Route = Literal["kanji", "kana", "romaji"]

BETWEEN = " "
_BETWEEN_SEPARATORS = re.compile(r"[^\s,、，・･·゠=＝]+")
_KANJI = re.compile(f"[{KANJI}]")
# Half-width kana with its voicing mark is one letter.
_LETTER = re.compile(r".[ﾞﾟ\u3099\u309a]?", re.DOTALL)
_KANA = re.compile(r"[\u3041-\u3096\u309d\u309eー]+")


class Part(NamedTuple):
    """A word; its letter k stands at begins[k] to ends[k] in the user's string."""

    text: str
    begins: Sequence[int]
    ends: Sequence[int]


class Request(NamedTuple):
    """The parts of a name, and the route that it takes: read, or written from kana or romaji."""

    route: Route
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return BETWEEN.join(part.text for part in self.parts)


def parse_request(name: str) -> Request:
    """The parts and the route of a name; an ItemError if it has no letters."""
    words = [word for word in _BETWEEN_SEPARATORS.finditer(name) if word[0]]
    if not words:
        raise ItemError("is no name", item=name, remedy="there is no letter in it")
    if _KANJI.search(name):
        return Request("kanji", tuple(map(unchanged_part, words)))
    parts = tuple(map(hiragana_part, words))
    if all(_KANA.fullmatch(part.text) for part in parts):
        return Request("kana", parts)
    return Request("romaji", tuple(map(unchanged_part, words)))


def unchanged_part(word: re.Match[str]) -> Part:
    return Part(word[0], range(*word.span()), range(word.start() + 1, word.end() + 1))


def hiragana_part(word: re.Match[str]) -> Part:
    """A word in hiragana, each letter with its place in the katakana that it is from."""
    text, begins, ends = "", list[int](), list[int]()
    for letter in _LETTER.finditer(word.string, *word.span()):
        written = to_hiragana(letter[0])
        text += written
        begins += [letter.start()] * len(written)
        ends += [letter.end()] * len(written)
    return Part(text, begins, ends)


def join_parts(parts: Sequence[Part]) -> Part:
    """One part of several, with spaces that stand for the separators between them."""
    text, begins, ends = parts[0].text, [*parts[0].begins], [*parts[0].ends]
    for part in parts[1:]:
        text += BETWEEN + part.text
        begins += [ends[-1], *part.begins]
        ends += [part.begins[0], *part.ends]
    return Part(text, begins, ends)


def pieces_of_kana(kana: str) -> tuple[str, ...]:
    """Hiragana cut before every character but small ones and the mark of length.

    >>> pieces_of_kana("しょうへい")
    ('しょ', 'う', 'へ', 'い')
    """
    return tuple(re.findall(r".[ゃゅょゎぁぃぅぇぉー]*", kana, re.DOTALL))


class CodePointSide(Side):
    """The source side of these models, which reads any text: a code point is its own label.

    >>> side = CodePointSide("kanji")
    >>> side.decode(side.encode("Ōno 大野").labels)
    ('Ō', 'n', 'o', ' ', '大', '野')
    """

    def __init__(self, stage: str) -> None:
        super().__init__(Writing(), {}, stage)

    def encode(self, text: str) -> Encoded:
        return Encoded([*map(ord, text)], range(len(text)), range(1, len(text) + 1))

    def decode(self, labels: Iterable[int]) -> tuple[str, ...]:
        return tuple(map(chr, labels))
