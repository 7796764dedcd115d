"""The words of messages as labels of the phone-number grammar.

Recognisers and people write numbers in many ways. Words that the grammar knows keep their label,
whatever their case and the punctuation around them. Words with digits are read sign by sign:
"555-1234." is 5 5 5 1 2 3 4, "$4.50" is $ 4 5 0, "10:30pm" is 1 0 : 3 0 pm. Words with hyphens are
read by their parts if all of them are known ("twenty-five"). A word with a final hyphen is a
fragment.

>>> words = GrammarVocabulary({"five": 1}, ("twenty", "pm", ":", "~", "~~", *"0123456789"))
>>> [words.symbols_of(word) for word in ("Five,", "twenty-five", "10:30pm", "se-", "Smith")]
[('five',), ('twenty', 'five'), ('1', '0', ':', '3', '0', 'pm'), ('~~',), ('~',)]
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from typing import Any, NamedTuple

import numpy as np

OTHER, FRAGMENT = "~", "~~"
SIGN = re.compile(r"[0-9]|[^\W\d_]+|[$:/%+]")
AROUND = '.,;:!?"()[]{}…“”'
# Words that are remembered before all are forgotten, so that a stream of new ones fills no memory.
MOST_WORDS = 1 << 18

Array = Any


class NumberedWords(NamedTuple):
    """The words of messages: the distinct ones, their numbers for the words of all messages in one
    row, and the bounds of each message."""

    distinct: list[str]
    numbers: Array
    bounds: Array


def number_words(messages: Sequence[Sequence[str]]) -> NumberedWords:
    """The words of messages as numbers, so that each distinct word is looked up once.

    >>> number_words([["no", "no", "five"], [], ["five"]]).numbers.tolist()
    [0, 0, 1, 1]
    """
    places: defaultdict[str, int] = defaultdict(count().__next__)
    bounds = np.cumsum([0, *map(len, messages)])
    words = chain.from_iterable(messages)
    numbers = np.fromiter(map(places.__getitem__, words), np.int64, int(bounds[-1]))
    return NumberedWords([*places], numbers, bounds)


class GrammarVocabulary:
    """Labels of known symbols: the given ones and `more` behind them; 0 is between messages."""

    def __init__(self, labels: Mapping[str, int], more: Iterable[str]) -> None:
        new = [symbol for symbol in dict.fromkeys(more) if symbol not in labels]
        first = max(labels.values()) + 1
        self.labels = {**labels, **{symbol: label for label, symbol in enumerate(new, first)}}
        self.known: dict[str, tuple[int, ...]] = {}

    def encode(self, words: NumberedWords) -> tuple[Array, Array]:
        """Labels of all messages, a 0 behind each message, and the number of the word of each.

        Words are counted through all messages; the end of a message counts as a word.
        """
        rows = [*map(self.labels_of, words.distinct), (0,)]
        sizes = np.fromiter(map(len, rows), np.int64, len(rows))
        pool = np.fromiter(chain.from_iterable(rows), np.int32, int(sizes.sum()))
        said = np.insert(words.numbers, words.bounds[1:], len(rows) - 1)
        counts = sizes[said]
        owners = np.repeat(np.arange(len(said)), counts)
        # Where the labels of a word begin in the pool, less where they begin in the row.
        shifts = (np.cumsum(sizes) - sizes)[said] - (np.cumsum(counts) - counts)
        return pool[shifts[owners] + np.arange(len(owners))], owners

    def labels_of(self, word: str) -> tuple[int, ...]:
        """The labels of a word."""
        labels = self.known.get(word)
        if labels is None:
            if len(self.known) >= MOST_WORDS:
                self.known = {}  # another thread may still be looking into the old one
            labels = self.known[word] = tuple(map(self.labels.__getitem__, self.symbols_of(word)))
        return labels

    def symbols_of(self, word: str) -> tuple[str, ...]:
        """The symbols that a word is read as."""
        word, stripped = fold_case(word), strip_punctuation(word)
        for form in (word, stripped):
            if form in self.labels:
                return (form,)
        if re.search("[0-9]", word):
            signs = SIGN.findall(word)
            return tuple(sign if sign in self.labels else OTHER for sign in signs)
        if word.endswith("-"):
            return (FRAGMENT,)
        parts = tuple(stripped.split("-"))
        return parts if all(part in self.labels for part in parts) else (OTHER,)


def fold_case(word: str) -> str:
    return word.lower().replace("’", "'")


def strip_punctuation(word: str) -> str:
    """A word without the punctuation around it.

    >>> strip_punctuation("Sorry,")
    'sorry'
    """
    return fold_case(word).strip(AROUND)
