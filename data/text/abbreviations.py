"""Abbreviations of a language, by lists that stand beside this module as TSV.

A row has an abbreviation without its last dot and its kind, which says when a sentence ends behind
it, or a word that begins sentences, or one that goes on after an ordinal number: the beginning of
each list tells the kinds. Rows of another list of the same form can be added.

>>> english = read_abbreviations("eng")
>>> english.kind_of("Dr"), english.kind_of("ETC"), english.kind_of("dog")
('name', 'last', None)
>>> english.kind_of("U.S"), english.kind_of("J"), "The" in english.starts
('any', 'any', True)
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import regex

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.data.lexicons.tsv import read_table
from glyphone.data.lines import Source

FOLDER = Path(__file__).parent / "abbreviations"
DEFAULT = "default"
NAME, NUMBER, LAST, ANY, ORDINAL, START = "name", "number", "last", "any", "ordinal", "start"
KINDS = (NAME, NUMBER, LAST, ANY, ORDINAL, START)
# A capital alone, or a letter or two between dots: J., U.S., z.B., Ph.D., J.-P.
_INITIALS = regex.compile(r"\p{Lu}\p{M}*|\p{L}{1,2}(?:\.-?\p{L}{1,2})+")


@dataclass(frozen=True)
class Abbreviations:
    """Kinds of abbreviations, words that go on after ordinals, and words that begin sentences."""

    kinds: dict[str, str]
    ordinals: frozenset[str]
    starts: frozenset[str]

    def kind_of(self, word: str) -> str | None:
        """The kind of an abbreviation without its last dot; None if a word is none."""
        word = unicodedata.normalize("NFC", word)
        found = self.kinds.get(word) or self.kinds.get(word.lower())
        return ANY if found is None and _INITIALS.fullmatch(word) else found

    def with_more(self, words: Iterable[str]) -> Abbreviations:
        """The list with more abbreviations behind which no sentence ends.

        >>> read_abbreviations("eng").with_more(["Xyz."]).kind_of("Xyz")
        'name'
        """
        return Abbreviations(
            {**self.kinds, **dict.fromkeys((word.removesuffix(".") for word in words), NAME)},
            self.ordinals,
            self.starts,
        )


@cache
def read_abbreviations(language: str, *, more: Source | None = None) -> Abbreviations:
    """The list of a language (ISO 639-3), or the default one, with the rows of another file."""
    path = FOLDER / f"{language}.tsv"
    paths = [path if language in languages() else FOLDER / f"{DEFAULT}.tsv"]
    kinds: dict[str, str] = {}
    others: dict[str, set[str]] = {ORDINAL: set(), START: set()}
    for source in (*paths, *([] if more is None else [more])):
        for word, kind in read_table(source, columns=2):
            if kind not in KINDS:
                message = f"{word!r} is of the kind {kind!r}"
                raise FormatError(message, path=source, remedy=f"name one of {', '.join(KINDS)}")
            if kind in others:
                others[kind].add(word)
            else:
                kinds[word] = kind
    return Abbreviations(kinds, frozenset(others[ORDINAL]), frozenset(others[START]))


@cache
def languages() -> frozenset[str]:
    """The languages that have a list of their own."""
    return frozenset(path.stem for path in FOLDER.glob("*.tsv")) - {DEFAULT}


def check_language(language: str) -> None:
    """Refuses a language that has no code of three letters."""
    if language and not regex.fullmatch("[a-z]{3}", language):
        remedy = f"give an ISO 639-3 code; there are lists of {', '.join(sorted(languages()))}"
        raise GlyphoneError(f"language is {language!r}", remedy=remedy)
