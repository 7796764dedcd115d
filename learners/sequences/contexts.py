"""Contexts of tokens: the features of words around a token, as numbers.

A context is written as features with offsets, "word word-1" or "shape-1 known+1"; see
`glyphone.learners.sequences.words` for the features of words, any other name is a column of the
sentences, or, with a number behind it, the beginnings of its values: cluster4. The empty context is
the same everywhere. Beyond both ends of a sentence stands EDGE. The values of a context are
numbered as they were learnt; -1 is a context not seen.

>>> sentences = [Sequence(("the", "cat"))]
>>> contexts, seen = Contexts.learn(sentences, ["word-1 word", "word", ""], least=5)
>>> seen.tolist()
[[0, 3, 4], [1, 2, 4]]
>>> contexts.numbers_for([Sequence(("the", "dog"))]).tolist()
[[0, 3, 4], [-1, -1, 4]]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from collections.abc import Sequence as Many
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Sequence, Symbols
from glyphone.learners.sequences.words import KnownWords, without_accents

Array = Any
Place = tuple[str, int]
# Codes of values that were not seen in learning, and of places beyond the ends of a sentence.
UNKNOWN, EDGE = 0, 1
# The values of whole numbers of 64 bits.
MOST_VALUES = 2**63

_PLACE = re.compile(r"(\w+?)([+-]\d)?")


def parse_context(context: str) -> list[Place]:
    """The features and offsets of a context.

    >>> parse_context("word suffix3-1")
    [('word', 0), ('suffix3', -1)]
    """
    found = [_PLACE.fullmatch(part) for part in context.split()]
    if None in found:
        remedy = 'write features with offsets, "word word-1"'
        raise GlyphoneError(f"no context: {context!r}", remedy=remedy)
    return [(part[1], int(part[2] or 0)) for part in found if part]


@dataclass(frozen=True, eq=False)
class Contexts:
    """The words that were seen, the codes of each feature's values, and each context's values.

    `keys` holds the values of every context in increasing order, as numbers whose digits are
    codes; numbers of contexts count on from one to the next.
    """

    contexts: tuple[str, ...]
    known: KnownWords
    codes: dict[str, dict[str, int]]
    keys: list[Array]

    @classmethod
    def learn(
        cls, sentences: Many[Sequence], contexts: Iterable[str], *, least: int
    ) -> tuple[Contexts, Array]:
        """Contexts, and their numbers for every token learnt from.

        >>> Contexts.learn([Sequence(("a",))], ["pos"], least=1)
        Traceback (most recent call last):
        glyphone.data.errors.GlyphoneError: item 'a': there is no column 'pos' (name ...: none)
        """
        words = [tuple(map(without_accents, sentence.tokens)) for sentence in sentences]
        found = cls(tuple(contexts), KnownWords.of(words, least=least), {}, [])
        for name in found._feature_names():
            values = sorted(
                {value for column in found._feature_values(name, sentences) for value in column}
            )
            found.codes[name] = {value: code for code, value in enumerate(values, EDGE + 1)}
        numbers, base = [], 0
        for key in found._context_keys(sentences):
            different, inverse = np.unique(key, return_inverse=True)
            found.keys.append(different)
            numbers.append(inverse + base)
            base += len(different)
        return found, np.stack(numbers, axis=1)

    def numbers_for(self, sentences: Many[Sequence]) -> Array:
        """The number of each context for each token, one sentence behind the other."""
        numbers, base = [], 0
        for key, values in zip(self._context_keys(sentences), self.keys, strict=True):
            place = np.minimum(np.searchsorted(values, key), len(values) - 1)
            numbers.append(np.where(values[place] == key, place + base, -1))
            base += len(values)
        return np.stack(numbers, axis=1)

    @property
    def size(self) -> int:
        """The number of values of all contexts together."""
        return sum(map(len, self.keys))

    def _feature_names(self) -> list[str]:
        return sorted({name for context in self.contexts for name, _ in parse_context(context)})

    def _feature_values(self, name: str, sentences: Many[Sequence]) -> Iterable[Many[str]]:
        """The values of one feature or column, sentence by sentence."""
        feature = self.known.feature(name)
        if feature is None:
            return [column_beginnings(sentence, name) for sentence in sentences]
        found = Remembered(lambda token: feature(without_accents(token)))
        return [[found[token] for token in sentence.tokens] for sentence in sentences]

    def _context_keys(self, sentences: Many[Sequence]) -> Iterable[Array]:
        """The values of each context for each token, as numbers."""
        room = max((abs(o) for c in self.contexts for _, o in parse_context(c)), default=0)
        lengths = np.array([len(sentence.tokens) for sentence in sentences], np.int64)
        firsts = np.cumsum(lengths + room) - lengths
        tokens = np.arange(lengths.sum()) + np.repeat(
            firsts - np.cumsum(lengths) + lengths, lengths
        )
        coded = {}
        for name, codes in self.codes.items():
            coded[name] = np.full(len(tokens) + room * (len(sentences) + 1), EDGE)
            values = self._feature_values(name, sentences)
            coded[name][tokens] = [codes.get(v, UNKNOWN) for column in values for v in column]
        for context in self.contexts:
            key, size = np.zeros(len(tokens), np.int64), 1
            for name, offset in parse_context(context):
                base = len(self.codes[name]) + EDGE + 1
                size *= base
                key = key * base + coded[name][tokens + offset]
            if size > MOST_VALUES:
                remedy = "give it fewer features"
                raise GlyphoneError(f"context {context!r} has too many values", remedy=remedy)
            yield key


class Remembered(dict[str, str]):
    """A function of words, computed once for each."""

    def __init__(self, function: Callable[[str], str]) -> None:
        self.function = function

    def __missing__(self, word: str) -> str:
        value = self[word] = self.function(word)
        return value


def column_beginnings(sentence: Sequence, name: str) -> Symbols:
    """The values of a column, or so many letters of them as its name says.

    >>> column_beginnings(Sequence(("a", "b"), {"cluster": ("0110", "1")}), "cluster2")
    ('01', '1')
    """
    column = name.rstrip("0123456789")
    if name in sentence.columns or column not in sentence.columns:
        return column_values(sentence, name)
    size = int(name[len(column) :])
    return tuple(value[:size] for value in column_values(sentence, column))


def column_values(sentence: Sequence, name: str) -> Symbols:
    """A column of a sentence, as long as it."""
    found, text = sentence.columns.get(name), " ".join(sentence.tokens)
    if found is None:
        there = ", ".join(sentence.columns) or "none"
        remedy = f"name features of words or columns that are there: {there}"
        raise GlyphoneError(f"there is no column {name!r}", item=text, remedy=remedy)
    if len(found) != len(sentence.tokens):
        message = f"{len(sentence.tokens)} tokens have {len(found)} values of column {name!r}"
        raise GlyphoneError(message, item=text, remedy="give one value for each token")
    return found
