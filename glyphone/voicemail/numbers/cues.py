"""Cues of telephone numbers: sorts of words beside them, and kinds of number words.

Sorts of words that stand beside numbers are in `grammars/eng/number_cues.tsv`.

>>> cues = Cues.read()
>>> from glyphone.voicemail.proposals.vocabulary import number_words
>>> codes, kinds = cues.encode(number_words(["call me on twenty five".split()]))
>>> cues.names[cues.signs.first[codes[0]]], [KIND_NAMES[kind] for kind in kinds]
('call', ['other', 'other', 'other', 'tens', 'digit'])
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

import glyphone.grammars
from glyphone.data.lexicons.tsv import read_table
from glyphone.grammars.eng.numbers.readings import PATTERNS
from glyphone.grammars.eng.numbers.words import DIGIT_OF, TEENS
from glyphone.grammars.eng.numbers.words import TENS as TENS_OF
from glyphone.voicemail.numbers.column_kernels import (
    DIGIT,
    FIGURES,
    NOTHING,
    OPENING,
    ROUND,
    TEEN,
    TENS,
    TWICE,
    Signs,
)
from glyphone.voicemail.numbers.column_kernels import OTHER as OTHER_KIND
from glyphone.voicemail.proposals.vocabulary import MOST_WORDS, NumberedWords, strip_punctuation

Array = Any
CUES = Path(glyphone.grammars.__path__[0], "eng", "number_cues.tsv")
# Sorts of words that name the thing a number is of.
TOPICS = (
    "call", "line", "reference", "shows", "social", "place", "street", "thing", "money", "time",
    "month", "day", "again",
)  # fmt: skip
OTHER = "other"  # the sort of words that are no cues
LABELS = ("telephone", *PATTERNS)
# Kinds of words in the order of `column_kernels`.
KIND_NAMES = ("other", "digit", "teen", "tens", "round", "twice", "opening", "figures")
KIND_OF = {
    **dict.fromkeys(DIGIT_OF, DIGIT),
    **dict.fromkeys(TEENS, TEEN),
    **dict.fromkeys(TENS_OF, TENS),
    **dict.fromkeys(("hundred", "thousand"), ROUND),
    **dict.fromkeys(("double", "triple"), TWICE),
    **dict.fromkeys(("area", "extension"), OPENING),
}


@dataclass(frozen=True)
class Cues:
    """The sorts of each word that is a cue."""

    sorts: Mapping[str, tuple[str, ...]]

    @classmethod
    def read(cls, path: str | Path = CUES) -> Cues:
        sorts: dict[str, tuple[str, ...]] = {}
        for sort, words in read_table(path, columns=2):
            for word in words.split():
                if sort not in sorts.get(word, ()):
                    sorts[word] = (*sorts.get(word, ()), sort)
        return cls(sorts)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return (OTHER, *dict.fromkeys(chain.from_iterable(self.sorts.values())))

    @cached_property
    def codes(self) -> dict[str, int]:
        """Codes of the words that have sorts; all others have 0."""
        return {word: code for code, word in enumerate(self.sorts, 1)}

    @cached_property
    def known(self) -> dict[str, tuple[int, int]]:
        """Codes and kinds of the words seen so far, as written."""
        return {}

    def encode(self, words: NumberedWords) -> tuple[Array, Array]:
        """The codes and the kinds of all words."""
        if len(self.known) > MOST_WORDS:
            self.known.clear()
        rows = [self.known.get(word) or self.look_up(word) for word in words.distinct]
        codes, kinds = np.array(rows, np.int64).reshape(-1, 2).T
        return codes[words.numbers], kinds[words.numbers]

    def look_up(self, word: str) -> tuple[int, int]:
        plain = strip_punctuation(word)
        figures = FIGURES if plain[:1].isdecimal() else OTHER_KIND
        code_and_kind = self.known[word] = self.codes.get(plain, 0), KIND_OF.get(plain, figures)
        return code_and_kind

    @cached_property
    def signs(self) -> Signs:
        rows = [(OTHER,), *self.sorts.values()]
        numbers = {name: number for number, name in enumerate(self.names)}
        places = {topic: place for place, topic in enumerate(TOPICS)}
        topics = [[places[sort] for sort in row if sort in places] for row in rows]
        first_label = len(self.names)
        return Signs(
            first=np.array([numbers[row[0]] for row in rows]),
            sorts=np.array([sum(1 << numbers[sort] for sort in row) for row in rows]),
            topics=np.array([row[0] if row else NOTHING for row in topics]),
            words=np.arange(len(rows)) - 1,
            telephone=first_label,
            start=first_label + len(LABELS),
            end=first_label + len(LABELS) + 1,
            bound=first_label + len(LABELS) + 2,
        )
