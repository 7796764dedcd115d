"""Forms and classes of words for models of callers.

A word has a class and, unless the class is open, a form of its own: the model has "from" and "your"
as features, but no family name. Words outside `data/voicemail/lexicon.tsv` are classified by
capital letters, endings and figures. Twenty common first names are one class, as in Jansche and
Abney (EMNLP 2002).

>>> words = CallerWords.read()
>>> [words.describe(word) for word in ("From", "Petrov", "phoned", "wants", "mary", "555-0123,")]
['preposition from', 'capital', '-ed', 'verb', 'first name', 'number']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from glyphone.data.errors import FormatError
from glyphone.data.lexicons.tsv import read_table
from glyphone.voicemail.proposals.vocabulary import MOST_WORDS, strip_punctuation
from glyphone.voicemail.records.lists import FOLDER

Array = Any

# Beyond the two ends of a message.
BEFORE, END = 0, 1
# Classes whose words share one form.
OPEN = frozenset({"verb", "number", "month", "title", "family"})
CAPITAL, FIRST, OTHER = "capital", "first name", "other"
ENDINGS = ("ing", "ed", "ly", "'s", "s")
SHORTEST = 3  # letters before an ending
# The factor that packs a form and a class into one number.
SHARE = 1 << 12
FIRST_NAMES = 20
LOOKS = (CAPITAL, FIRST, OTHER, *(f"-{ending}" for ending in ENDINGS))
# Words of these classes are names if they have a capital letter: Will and Grant, unlike From.
ALSO_NAMES = frozenset({"verb", "auxiliary"})


@dataclass(frozen=True)
class CallerWords:
    """Classes of words in small letters; `first` are first names."""

    classes: Mapping[str, str]
    first: frozenset[str]
    known: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def read(cls) -> CallerWords:
        """The words that come with glyphone."""
        path = FOLDER / "lexicon.tsv"
        classes: dict[str, str] = {}
        for kind, word in read_table(path, columns=2):
            if word in classes or kind in LOOKS:
                remedy = "write each word once, in a class of its own making"
                raise FormatError(f"{word!r} is twice", path=path, item=word, remedy=remedy)
            classes[word] = kind
        names = read_table(FOLDER / "first_names.tsv", columns=1)[:FIRST_NAMES]
        return cls(classes, frozenset(name.lower() for (name,) in names))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of classes, by code."""
        return ("before", "end", *LOOKS, *dict.fromkeys(self.classes.values()))

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The names of forms, by code: first the classes, then words with a form of their own."""
        own = (word for word, kind in self.classes.items() if kind not in OPEN)
        return (*self.names, *own)

    @cached_property
    def codes(self) -> dict[str, tuple[int, int]]:
        """Form and class of the words in the lexicon."""
        forms = {form: code for code, form in enumerate(self.forms)}
        codes = {}
        for word, kind in self.classes.items():
            codes[word] = forms[kind if kind in OPEN else word], self.names.index(kind)
        return codes

    def encode(self, messages: Sequence[Sequence[str]], *, most: int) -> tuple[Array, Array, Array]:
        """Forms and classes of the first `most` words of each message, and where each begins."""
        # A limit, because a stream of new words would fill the memory.
        known = self.known if len(self.known) < MOST_WORDS else {}
        first = [words[:most] for words in messages]
        for word in {*chain.from_iterable(first)} - known.keys():
            known[word] = self.word_code(word)
        bounds = np.cumsum([0, *map(len, first)])
        rows = map(known.__getitem__, chain.from_iterable(first))
        flat = np.fromiter(rows, np.int32, int(bounds[-1]))
        return flat // SHARE, flat % SHARE, bounds

    def word_code(self, word: str) -> int:
        """The form and the class of a word, as one number."""
        form, kind = self.form_and_class(word)
        return form * SHARE + kind

    def form_and_class(self, word: str) -> tuple[int, int]:
        """The codes of the form and the class of a word."""
        small = strip_punctuation(word)
        codes = self.codes.get(small)
        capital = word.lstrip("\"'([{“")[:1].isupper()
        if codes and not (capital and self.names[codes[1]] in ALSO_NAMES):
            return codes
        look = self.names.index(self.guess_class(small, capital=capital))
        return look, look

    def guess_class(self, small: str, *, capital: bool) -> str:
        """The class of a word that is not in the lexicon."""
        if re.search("[0-9]", small):
            return "number"
        if capital:
            return CAPITAL
        if small in self.first:
            return FIRST
        for ending in ENDINGS:
            if small.endswith(ending) and len(small) >= SHORTEST + len(ending):
                return OTHER if small.endswith("ss") else f"-{ending}"
        return OTHER

    def describe(self, word: str) -> str:
        """The class and, if it has a form of its own, the word."""
        form, kind = self.form_and_class(word)
        name = self.names[kind]
        return name if form == kind or form < len(self.names) else f"{name} {self.forms[form]}"

    def class_mask(self, classes: Iterable[str]) -> Array:
        """A mask of the codes of classes that is True for the given classes."""
        wanted = set(classes)
        return np.array([name in wanted for name in self.names])
