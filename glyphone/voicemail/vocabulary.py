"""The words of messages as labels of the phone-number grammar.

Recognisers and people write numbers in many ways. Words that the grammar knows are themselves,
whatever their case and the punctuation around them. What has digits in it is read sign by sign:
"555-1234." is 5 5 5 1 2 3 4, "$4.50" is $ 4 5 0, "10:30pm" is 1 0 : 3 0 pm. Words with hyphens are
read by their parts if all of them are known ("twenty-five"). What ends in a hyphen was broken off.

>>> words = Vocabulary({"five": 1}, ("twenty", "pm", ":", "~", "~~", *"0123456789"))
>>> [words.symbols(word) for word in ("Five,", "twenty-five", "10:30pm", "se-", "Smith")]
[('five',), ('twenty', 'five'), ('1', '0', ':', '3', '0', 'pm'), ('~~',), ('~',)]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

OTHER, FRAGMENT = "~", "~~"
SIGN = re.compile(r"[0-9]|[^\W\d_]+|[$:/%+]")
AROUND = '.,;:!?"()[]{}…“”'
# Words that are remembered before all are forgotten, so that a stream of new ones fills no memory.
MOST_WORDS = 1 << 18

Array = Any


class Vocabulary:
    """Labels of known symbols, those given and `more` behind them; 0 is between messages."""

    def __init__(self, labels: Mapping[str, int], more: Iterable[str]) -> None:
        new = [symbol for symbol in dict.fromkeys(more) if symbol not in labels]
        first = max(labels.values()) + 1
        self.labels = {**labels, **{symbol: label for label, symbol in enumerate(new, first)}}
        self.known: dict[str, tuple[int, ...]] = {}

    def encode(self, messages: Sequence[Sequence[str]]) -> tuple[Array, Array]:
        """Labels of all messages, a 0 behind each, and the number of the word that each is of.

        Words are counted through all messages, and the end of a message counts as one.
        """
        if len(self.known) > MOST_WORDS:
            self.known = {}  # another thread may still be looking into the old one
        known = self.known
        for word in set(chain.from_iterable(messages)) - known.keys():
            known[word] = tuple(map(self.labels.__getitem__, self.symbols(word)))
        rows: list[tuple[int, ...]] = []
        for words in messages:
            rows.extend(map(known.__getitem__, words))
            rows.append((0,))
        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
        labels = np.fromiter(chain.from_iterable(rows), np.int32, int(lengths.sum()))
        return labels, np.repeat(np.arange(len(rows)), lengths)

    def symbols(self, word: str) -> tuple[str, ...]:
        """What a word is read as."""
        word, stripped = cased(word), bare(word)
        for form in (word, stripped):
            if form in self.labels:
                return (form,)
        if re.search("[0-9]", word):
            found = SIGN.findall(word)
            return tuple(sign if sign in self.labels else OTHER for sign in found)
        if word.endswith("-"):
            return (FRAGMENT,)
        parts = tuple(stripped.split("-"))
        return parts if all(part in self.labels for part in parts) else (OTHER,)


def cased(word: str) -> str:
    return word.lower().replace("’", "'")


def bare(word: str) -> str:
    """A word without the punctuation around it.

    >>> bare("Sorry,")
    'sorry'
    """
    return cased(word).strip(AROUND)
