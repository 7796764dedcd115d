"""Values of features at the tokens of sentences, as numbers.

A code is the number of a value that was seen in learning, from 1 on; 0 stands beyond both ends of a
sentence, -1 for other values.

>>> values = TokenValues.learn([Sequence(("a", "b", "a"))], ["word"])
>>> values.known
{'word': {'a': 1, 'b': 2}}
>>> values.at("word", 1).tolist(), values.keys([("word", -1), ("word", 0)]).tolist()
([2, 1, 0], [1, 5, 7])
>>> TokenValues([Sequence(("b", "c"))], values.known).at("word", 0).tolist()
[2, -1]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Sequence as Many
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Sequence
from glyphone.learners.sequences.contexts import MOST_VALUES, Place
from glyphone.learners.sequences.patterns import SequenceColumns
from glyphone.learners.sequences.words import feature_named

Array = Any
Codes = Mapping[str, Mapping[str, int]]


class TokenValues:
    """Sentences one behind the other, and the codes of their values."""

    def __init__(self, sentences: Many[Sequence], known: Codes) -> None:
        self.columns, self.known = SequenceColumns(sentences), known
        self.bounds = self.columns.bounds
        self.firsts, self.lasts = self.columns.firsts, self.columns.lasts
        self._coded: dict[str, Array] = {}

    @classmethod
    def learn(cls, sentences: Many[Sequence], names: Iterable[str]) -> TokenValues:
        """Values that are numbered in the order of their first tokens."""
        found = cls(sentences, {})
        found.known = {
            name: {value: code for code, value in enumerate(found.column(name)[1], 1)}
            for name in names
        }
        return found

    @property
    def n_tokens(self) -> int:
        return int(self.bounds[-1])

    def column(self, name: str) -> tuple[Array, list[str]]:
        """Values by number, whether they are known or not, and the values."""
        feature = feature_named(name)
        if feature is None:
            return self.columns.column(name)
        codes, words = self.columns.column("token")
        numbers: dict[str, int] = {}
        again = [numbers.setdefault(feature(word), len(numbers)) for word in words]
        return np.array(again, np.int64)[codes], [*numbers]

    def size(self, name: str) -> int:
        """The number of codes of a feature."""
        return len(self.known[name]) + 1

    def at(self, name: str, offset: int) -> Array:
        """The code at so many tokens behind each token."""
        if name not in self._coded:
            codes, values = self.column(name)
            number = self.known[name].get
            self._coded[name] = np.array([number(value, -1) for value in values], np.int64)[codes]
        places = np.arange(self.n_tokens) + offset
        inside = (places >= self.firsts) & (places < self.lasts)
        found = np.zeros(self.n_tokens, np.int64)
        found[inside] = self._coded[name][places[inside]]
        return found

    def keys(self, places: Iterable[Place]) -> Array:
        """The codes at some places of each token, as one number; -1 if one of them is unknown."""
        found, size = np.zeros(self.n_tokens, np.int64), 1
        for name, offset in places:
            found, size = self.joined(found, size, self.at(name, offset), self.size(name))
        return found

    @staticmethod
    def joined(some: Array, size: int, others: Array, other_size: int) -> tuple[Array, int]:
        """Pairs of codes as one number each, and how many such numbers there are."""
        if size * other_size > MOST_VALUES:
            message = "a template has too many values"
            raise GlyphoneError(message, remedy="give it fewer features")
        found = np.where((some >= 0) & (others >= 0), some * other_size + others, -1)
        return found, size * other_size


def places_in(keys: Array, asked: Array) -> Array:
    """The places of numbers in an array in increasing order, -1 for those that are not there.

    >>> places_in(np.array([2, 5]), np.array([5, 3, 2])).tolist()
    [1, -1, 0]
    """
    if not len(keys):
        return np.full(asked.shape, -1)
    found = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
    return np.where(keys[found] == asked, found, -1)
