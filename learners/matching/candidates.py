"""Pairs of names that are worth comparing, without looking at all pairs.

Names are found by the features that they share, rarest first: their words, the trigrams of these,
and keys of their sounds. `kept_share` tells how many of some true pairs are among the candidates.

>>> names = ["Alexander Rumyantsev", "Mr. Rumyanstev", "Mr. Ryabev", "Tehran Times"]
>>> pairs = CandidateIndex(names).pairs_within(most=1)
>>> [(names[i], names[j]) for i, j in pairs]
[('Alexander Rumyantsev', 'Mr. Rumyanstev'), ('Mr. Rumyanstev', 'Mr. Ryabev')]
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.data.kernels.arrays import row_bounds
from glyphone.data.parallel import map_in_order
from glyphone.learners.matching import candidate_kernels
from glyphone.learners.matching.candidate_kernels import Postings
from glyphone.learners.matching.comparing import jobs_of
from glyphone.learners.matching.sounds import sound_key
from glyphone.learners.matching.units import split_trigrams, split_words

Array = Any
Words = Callable[[str], Sequence[str]]
ROWS = 2_000
BUDGET = 20_000


def features_of_word(word: str) -> list[str]:
    """The word, its trigrams, and the key of its sounds if it has one."""
    key = sound_key(word)
    return [word, *split_trigrams(word), *([f"~{key}"] if key else [])]


class CandidateIndex:
    """An inverted index over names; `words` tells the words of a name.

    Of the names that have a name's features so many are visited as `budget` allows.
    """

    def __init__(self, names: Sequence[str], *, words: Words = split_words, budget: int = BUDGET):
        self.words = words
        self.budget = budget
        self._features: dict[str, int] = {}
        bounds, features = self._rows(names, learn=True)
        self._counts = np.bincount(features, minlength=len(self._features))
        self._idf = np.log1p(max(1, len(names)) / np.maximum(self._counts, 1))
        owners = np.repeat(np.arange(len(names), dtype=np.int32), np.diff(bounds))
        having = owners[np.argsort(features, kind="stable")]
        self.rows = bounds, self._rarest_first(bounds, features)
        norms = self._norms(*self.rows)
        self.postings = Postings(row_bounds(self._counts), having, self._idf**2, norms)

    def candidates(
        self, names: Sequence[str] | None = None, *, most: int = 20, workers: int = 1
    ) -> tuple[Array, Array]:
        """At most so many candidates of each name, of all in the index if none are given: their
        places, best first, -1 where there are no more, and their scores."""
        if names is None:
            rows, most = self.rows, most + 1  # a name is its own best candidate
        else:
            bounds, features = self._rows(names, learn=False)
            rows = bounds, self._rarest_first(bounds, features)
        bounds, features = rows
        norms = self._norms(bounds, features)

        def work(begin: int) -> tuple[Array, Array]:
            end = min(begin + ROWS, len(bounds) - 1)
            part = bounds[begin : end + 1]
            kernels = jit.tier(candidate_kernels, 100 * (end - begin))
            own = features[part[0] : part[-1]]
            found: tuple[Array, Array] = kernels.best_candidates(
                part - part[0], own, norms[begin:end], self.postings, self.budget, most
            )
            return found

        begins = iter(range(0, len(bounds) - 1, ROWS))
        parts = [found for _, found in map_in_order(work, begins, jobs=jobs_of(workers))]
        none = np.empty((0, most))
        places = np.concatenate([none.astype(np.int64), *(part for part, _ in parts)])
        return places, np.concatenate([none, *(part for _, part in parts)])

    def pairs_within(self, *, most: int = 20, workers: int = 1) -> Array:
        """Pairs of places in the list, each once, the lower place first, in order."""
        places, _ = self.candidates(most=most, workers=workers)
        i = np.repeat(np.arange(len(places)), places.shape[1])
        j = places.ravel()
        chosen = (j >= 0) & (i != j)
        low, high = np.minimum(i, j)[chosen], np.maximum(i, j)[chosen]
        size = max(1, len(places))
        return np.stack(np.divmod(np.unique(low * size + high), size), 1)

    def pairs_with(self, names: Sequence[str], *, most: int = 20, workers: int = 1) -> Array:
        """Pairs of places: in a list of names, and in the list of the index."""
        places, _ = self.candidates(names, most=most, workers=workers)
        i = np.repeat(np.arange(len(places)), most)
        return np.stack([i, places.ravel()], 1)[places.ravel() >= 0]

    def _rows(self, names: Sequence[str], *, learn: bool) -> tuple[Array, Array]:
        """The features of names, each once for a name, as rows end to end."""
        numbers: dict[str, int] = {}
        lengths, words = array("i"), array("i")
        for name in names:
            row = self.words(name)
            lengths.append(len(row))
            words.extend(numbers.setdefault(word, len(numbers)) for word in row)
        bounds, features = self._rows_of_words(numbers, learn)
        chosen = np.array(words, np.int64)
        sizes = np.diff(bounds)[chosen]
        ends = row_bounds(sizes)
        places = np.repeat(bounds[chosen] - ends[:-1], sizes) + np.arange(ends[-1])
        of_word = np.repeat(np.arange(len(names)), np.array(lengths, np.int64))
        width = max(1, len(self._features))
        codes = np.unique(np.repeat(of_word, sizes) * width + features[places])
        owners, found = np.divmod(codes, width)
        return row_bounds(np.bincount(owners, minlength=len(names))), found.astype(np.int32)

    def _rows_of_words(self, words: Iterable[str], learn: bool) -> tuple[Array, Array]:
        numbers, lengths, features = self._features, array("i"), array("i")
        for word in words:
            before = len(features)
            for feature in features_of_word(word):
                if learn or feature in numbers:
                    features.append(numbers.setdefault(feature, len(numbers)))
            lengths.append(len(features) - before)
        return row_bounds(np.array(lengths, np.int64)), np.array(features, np.int32)

    def _rarest_first(self, bounds: Array, features: Array) -> Array:
        owners = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        order: Array = np.lexsort((features, self._counts[features], owners))
        return features[order]

    def _norms(self, bounds: Array, features: Array) -> Array:
        sums = np.concatenate([[0.0], np.cumsum(self._idf[features] ** 2)])
        return np.sqrt(np.maximum(sums[bounds[1:]] - sums[bounds[:-1]], 1e-12))


def kept_share(candidates: Array, gold: Iterable[tuple[int, int]]) -> float:
    """The share of true pairs that are among candidates."""
    kept = {(int(i), int(j)) for i, j in candidates}
    true = [*gold]
    return sum(pair in kept for pair in true) / max(1, len(true))
