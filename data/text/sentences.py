"""Sentences of running text, as lists of tokens.

A sentence ends behind . ! ? or an ellipsis, with the quotes and brackets that close there, where a
capital, a digit or a letter without case follows; behind 。！？ । and their like in any case; and
before an empty line. Behind an abbreviation its kind decides (`abbreviations`); a number with a dot
at the beginning of a sentence counts what follows, and one before a word in small letters or of
the list of ordinals is one.

>>> def shown(text, language=""):
...     return [" ".join(token.text for token in one) for one in sentences_of_text(text, language)]
>>> shown('Dr. Ng (of Acme Inc.) left at 5 p.m. on Jan. 3. "Why?" he asked. The end', "eng")
['Dr. Ng ( of Acme Inc. ) left at 5 p.m. on Jan. 3 .', '" Why ? " he asked .', 'The end']
>>> shown("Am 3. Oktober kam er. Das war z. B. gut.", "deu")
['Am 3 . Oktober kam er .', 'Das war z. B. gut .']
>>> shown("東京は首都です。「本当？」", "jpn")
['東 京 は 首 都 で す 。', '「 本 当 ？ 」']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import regex

from glyphone.data.text.abbreviations import LAST, NAME, Abbreviations, read_abbreviations
from glyphone.data.text.tokens import ABBREVIATION, MARK, Token, tokens_of_text

# Marks behind which a sentence may end, and those behind which it does.
_STOP = regex.compile(r"[.!?…‽]+")
_FULL_STOP = regex.compile(r"[。．｡！？।॥؟۔።፧၊။]+")
# Marks that end with a sentence, those that begin with one, and symbols that may be its first.
_CLOSING = regex.compile(r"[\p{Pe}\p{Pf}\"'”’“»«]")
_OPENING = regex.compile(r"[\p{Ps}\p{Pi}\p{Pd}\"'„“”’»«¿¡*•]+|['’]\p{Ll}")  # 's Avonds
_SYMBOL = regex.compile(r"[\p{S}#@&]")
_EMPTY_LINE = regex.compile(r"\n\s*\n|\r\s*\r|\u2029")
_ORDINAL = regex.compile(r"\d{1,3}")


def sentences_of_text(
    text: str, language: str = "", *, abbreviations: Abbreviations | None = None
) -> list[list[Token]]:
    """The sentences of a text in a language (ISO 639-3): all of its tokens, in order."""
    known = abbreviations or read_abbreviations(language)
    tokens = tokens_of_text(text, language, abbreviations=known)
    bounds = [0, *Splitter(text, tokens, known).ends()]
    return [tokens[first:last] for first, last in pairwise(bounds)]


@dataclass(frozen=True)
class Splitter:
    """The tokens of a text, and the abbreviations of its language."""

    text: str
    tokens: list[Token]
    known: Abbreviations

    def ends(self) -> Iterator[int]:
        """The numbers of tokens before which sentences end, and how many tokens there are."""
        first, place, n = 0, 0, len(self.tokens)
        while place < n - 1:
            end, is_end = place + 1, bool(_EMPTY_LINE.search(self.gap(place)))
            if not is_end and self.may_end(place):
                end = self.behind_closing(end)
                is_end = end < n and self.ends_at(first, place, end)
            place = end
            if is_end:
                yield end
                first = end
        if n:
            yield n

    def gap(self, place: int) -> str:
        """The text between a token and the next."""
        return self.text[self.tokens[place].end : self.tokens[place + 1].begin]

    def may_end(self, place: int) -> bool:
        """Whether a token is a mark or an abbreviation that may end a sentence."""
        token = self.tokens[place]
        if token.kind != MARK:
            return token.kind == ABBREVIATION
        return bool(_STOP.fullmatch(token.text) or _FULL_STOP.fullmatch(token.text))

    def behind_closing(self, end: int) -> int:
        """The number of the first token from `end` on that is no quote or bracket closing there."""
        while end < len(self.tokens) and not self.gap(end - 1):
            if not _CLOSING.fullmatch(self.tokens[end].text):
                break
            end += 1
        return end

    def ends_at(self, first: int, place: int, end: int) -> bool:
        """Whether a sentence that began at `first` and has a stop at `place` ends before `end`."""
        stop, gap = self.tokens[place], self.gap(end - 1)
        if _FULL_STOP.fullmatch(stop.text):
            # 「本当？」と言った goes on.
            return bool(gap) or end == place + 1 or self.tokens[end].kind == MARK
        following = end
        while following < len(self.tokens) and _OPENING.fullmatch(self.tokens[following].text):
            following += 1
        if not gap or following == len(self.tokens):
            return False
        word = self.tokens[following].text.strip("'’")
        if stop.kind == ABBREVIATION:
            kind = self.known.kind_of(stop.text[:-1])
            if kind == LAST:
                return word[:1].isupper() or bool(_SYMBOL.match(word))
            return kind != NAME and word in self.known.starts
        before = self.tokens[place - 1] if place else stop
        dotted = stop.text == "." and before.end == stop.begin and _ORDINAL.fullmatch(before.text)
        if dotted and (place - 1 == first or word in self.known.ordinals):
            return False
        if word[:1].isalnum():
            ellipsis = stop.text[0] in ".…" and stop.text != "."
            return not word[0].islower() and not (ellipsis and word[0].isdigit())
        return bool(_SYMBOL.match(word))
