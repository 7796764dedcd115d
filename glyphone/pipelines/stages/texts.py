"""Stages that cut running text: its tokens, or its sentences, become the candidates.

>>> item = Item("Dr. Ng left. (Why?)")
>>> [(found.text, found.value) for found in Tokens(language="eng")([item])[0].candidates][:3]
[('Dr.', 'abbreviation'), ('Ng', 'word'), ('left', 'word')]
>>> [(found.span, found.value) for found in Sentences(language="eng")([item])[0].candidates]
[((0, 12), 'Dr. Ng left .'), ((13, 19), '( Why ? )')]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from glyphone.data.errors import GlyphoneError
from glyphone.data.fields import WrongSetting
from glyphone.data.records import Candidate
from glyphone.data.text.abbreviations import Abbreviations, check_language, read_abbreviations
from glyphone.data.text.sentences import sentences_of_text
from glyphone.data.text.tokens import tokens_of_text
from glyphone.pipelines.registry import Item


@dataclass(frozen=True)
class Cutting:
    """A language (ISO 639-3), and more abbreviations, behind which no sentence ends."""

    language: str = ""
    abbreviations: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        try:
            check_language(self.language)
        except GlyphoneError as error:
            raise WrongSetting("language", error.message, remedy=error.remedy) from None

    @cached_property
    def known(self) -> Abbreviations:
        return read_abbreviations(self.language).with_more(self.abbreviations)


@dataclass(frozen=True)
class Tokens(Cutting):
    """The tokens of each text; the value of a candidate is its kind."""

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        return [
            item.with_candidates(
                Candidate((token.begin, token.end), token.text, token.kind)
                for token in tokens_of_text(item.text, self.language, abbreviations=self.known)
            )
            for item in items
        ]


@dataclass(frozen=True)
class Sentences(Cutting):
    """The sentences of each text; the value of a candidate is its tokens, divided by blanks."""

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        return [item.with_candidates(self.candidates(item.text)) for item in items]

    def candidates(self, text: str) -> list[Candidate]:
        found = []
        for tokens in sentences_of_text(text, self.language, abbreviations=self.known):
            begin, end = tokens[0].begin, tokens[-1].end
            value = " ".join(token.text for token in tokens)
            found.append(Candidate((begin, end), text[begin:end], value))
        return found
