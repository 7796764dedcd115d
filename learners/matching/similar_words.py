"""Words of an index that are like a word: found by trigrams and keys of sounds that they share,
and compared by pairs of letters and of the sounds of their keys.

>>> words = ["anna", "ana", "hanna", "bo"]
>>> found = WordIndex(words).similar_to(["anna"])
>>> [(words[k], round(float(like), 2)) for k, like in zip(found.words, found.likes)]
[('anna', 1.0), ('ana', 0.93), ('hanna', 0.82)]
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from glyphone.data.kernels import jit
from glyphone.data.kernels.arrays import row_bounds
from glyphone.data.names.letters import plain_letters
from glyphone.data.parallel import jobs_of, map_in_order
from glyphone.data.progress import steps
from glyphone.learners.matching import candidate_kernels
from glyphone.learners.matching.candidate_kernels import Grams, Owners, Rows, SimilarWords
from glyphone.learners.matching.sounds import sound_key
from glyphone.learners.matching.units import split_trigrams

Array = Any
# Similar words of a word.
MOST: Final = 64
# Letters of a word that are compared, so that no field of the kernels overflows.
LETTERS: Final = 120
ROWS: Final = 2_000
BUDGET: Final = 10_000


def features_of_word(word: str) -> list[str]:
    """The word, its trigrams, and the key of its sounds if it has one."""
    key = sound_key(word)
    return [word, *split_trigrams(plain_letters(word)), *([f"~{key}"] if key else [])]


def grams_of_word(word: str) -> list[int]:
    """The pairs of letters of a word and of sounds of its key, those at its ends included, as
    numbers in order."""
    letters, key = plain_letters(word)[:LETTERS], sound_key(word)[:LETTERS]
    grams = {ord(one) << 21 | ord(two) for one, two in pairwise(f"\0{letters}\0")}
    if key:
        grams |= {1 << 42 | ord(one) << 21 | ord(two) for one, two in pairwise(f"\0{key}\0")}
    return sorted(grams)


class WordIndex:
    """An inverted index over different words.

    Of the words that have a word's features so many are visited as `budget` allows.
    """

    def __init__(self, words: Sequence[str], *, budget: int = BUDGET):
        self.budget = budget
        self._features: dict[str, int] = {}
        bounds, grams = grams_of_words(words)
        self._grams, places = np.unique(grams, return_inverse=True)
        self.grams = Rows(bounds, places.astype(np.int32))
        self.known = Grams(*self.grams, len(self._grams))
        bounds, features = self._rows(words, learn=True)
        self._counts = np.bincount(features, minlength=len(self._features))
        self._own = self._rarest_first(bounds, features)
        self._owners = owners_of(self._own, weights_of(self._counts, len(words)))

    def similar_to(self, words: Sequence[str] | None = None, *, workers: int = 1) -> SimilarWords:
        """The words of the index that are like each of some words, or of its own."""
        if words is None:
            features, grams = self._own, self.grams
        else:
            features = self._rarest_first(*self._rows(words, learn=False))
            grams = self.grams_of(words)

        def work(begin: int, end: int) -> tuple[Array, Array, Array]:
            kernels = jit.tier(candidate_kernels, 100 * (end - begin))
            asked = rows_between(features, begin, end), rows_between(grams, begin, end)
            found, likes = kernels.similar_words(
                *asked, self._owners, self.known, self.budget, MOST
            )
            chosen = likes > 0
            return chosen.sum(1), found[chosen], likes[chosen]

        parts = [*in_parts(work, len(features.bounds) - 1, "finding similar words", workers)]
        lengths, found, likes = (
            np.concatenate([np.empty(0, kind), *(part[k] for part in parts)])
            for k, kind in enumerate((np.int64, np.int32, np.float32))
        )
        return SimilarWords(row_bounds(lengths), found, likes)

    def grams_of(self, words: Iterable[str]) -> Rows:
        """The grams of words as numbers, -1 for those that no word of the index has."""
        bounds, grams = grams_of_words(words)
        places = np.searchsorted(self._grams, grams)
        known = np.append(self._grams, -1)[places] == grams
        return Rows(bounds, np.where(known, places, -1).astype(np.int32))

    def _rows(self, words: Iterable[str], *, learn: bool) -> tuple[Array, Array]:
        numbers, lengths, features = self._features, array("i"), array("i")
        for word in words:
            before = len(features)
            for feature in dict.fromkeys(features_of_word(word)):
                if learn or feature in numbers:
                    features.append(numbers.setdefault(feature, len(numbers)))
            lengths.append(len(features) - before)
        return row_bounds(np.array(lengths, np.int64)), np.array(features, np.int32)

    def _rarest_first(self, bounds: Array, features: Array) -> Rows:
        owners = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        return Rows(bounds, features[np.lexsort((features, self._counts[features], owners))])


def grams_of_words(words: Iterable[str]) -> tuple[Array, Array]:
    """The bounds of rows of grams, one for each word, and the grams."""
    lengths, grams = array("i"), array("q")
    for word in words:
        row = grams_of_word(word)
        lengths.append(len(row))
        grams.extend(row)
    return row_bounds(np.array(lengths, np.int64)), np.array(grams, np.int64)


def rows_between(rows: Rows, begin: int, end: int) -> Rows:
    bounds = rows.bounds[begin : end + 1]
    return Rows(bounds - bounds[0], rows.units[bounds[0] : bounds[-1]])


def weights_of(counts: Array, size: int) -> Array:
    """The squared inverse frequencies of units that so many of `size` owners have."""
    return (np.log1p(max(1, size) / np.maximum(counts, 1)) ** 2).astype(np.float32)


def owners_of(rows: Rows, weights: Array) -> Owners:
    """The inverted index of rows of units, which have weights."""
    bounds, units = rows
    owners = np.repeat(np.arange(len(bounds) - 1, dtype=np.int32), np.diff(bounds))
    having = owners[np.argsort(units, kind="stable")]
    ends = np.concatenate([[0.0], np.cumsum(weights[units], dtype=np.float64)])
    sums = (ends[bounds[1:]] - ends[bounds[:-1]]).astype(np.float32)
    begins = row_bounds(np.bincount(units, minlength=len(weights)))
    return Owners(Rows(begins, having), weights, sums)


def in_parts(work: Callable[[int, int], Any], size: int, name: str, workers: int) -> Iterator[Any]:
    """The results of work on so many rows, some at a time, in order."""
    begins = range(0, size, ROWS)
    works = map_in_order(
        lambda begin: work(begin, min(begin + ROWS, size)), iter(begins), jobs=jobs_of(workers)
    )
    return (found for _, found in steps(works, name, total=len(begins)))
