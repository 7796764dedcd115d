"""Words of a text by number, and their bigrams.

Words that are seen less often than `min_count` become one word for each shape, <unk:U>, so that
a word that was not learnt has the class of the rare words that look like it.

>>> vocabulary, numbers = number_words([["a", "b", "a"], ["Ana"]], min_count=2)
>>> vocabulary.words, numbers.tolist()
(['a', '<unk:L>', '<unk:U>'], [3, 0, 1, 0, 3, 2, 3])
>>> count_bigrams(numbers, vocabulary.counts).after.tolist()
[1, 3, 0, 3, 0, 2]
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.learners.clusters.exchange_kernels import Bigrams
from glyphone.learners.sequences.clusters import rare_word

Array = Any


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words, the most frequent first, and their counts, the number of sentences behind them."""

    words: list[str]
    counts: Array


def number_words(sentences: Iterable[Sequence[str]], *, min_count: int) -> tuple[Vocabulary, Array]:
    """The words, and the text as numbers of words, with the boundary around each sentence.

    The number of the boundary is that of the words.
    """
    known: dict[str, int] = {}
    text, ends = array("q"), array("q")
    for sentence in sentences:
        if sentence:
            text.extend([known.setdefault(word, len(known)) for word in sentence])
            ends.append(len(text))
    if not text:
        raise GlyphoneError("no word to learn from", remedy="give sentences that have words")
    numbers = np.frombuffer(text, np.int64)
    counts = np.bincount(numbers).tolist()
    kept = [
        word if count >= min_count else rare_word(word)
        for word, count in zip(known, counts, strict=True)
    ]
    totals: Counter[str] = Counter()
    for word, count in zip(kept, counts, strict=True):
        totals[word] += count
    words = sorted(totals, key=lambda word: (-totals[word], word))
    number = {word: k for k, word in enumerate(words)}
    again = np.array([number[word] for word in kept])
    vocabulary = Vocabulary(words, np.array([*(totals[word] for word in words), len(ends)]))
    return vocabulary, np.insert(again[numbers], [0, *ends], len(words))


def count_bigrams(numbers: Array, counts: Array) -> Bigrams:
    """The bigrams of a text of numbers, the highest of which is the boundary."""
    n = len(counts)
    pairs, times = np.unique(numbers[:-1] * n + numbers[1:], return_counts=True)
    first, second = pairs // n, pairs % n
    same = first == second
    doubled = np.zeros(n, np.int64)
    doubled[first[same]] = times[same]
    first, second, times = first[~same], second[~same], times[~same]
    turned = np.lexsort((first, second))
    places = np.arange(n + 1)
    return Bigrams(
        np.asarray(counts, np.int64), doubled,
        np.searchsorted(first, places), second.astype(np.int32), times.astype(np.int32),
        np.searchsorted(second[turned], places), first[turned].astype(np.int32),
        times[turned].astype(np.int32),
    )  # fmt: skip
