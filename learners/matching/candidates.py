"""Pairs of names that are worth comparing, without looking at all pairs.

Names are found by their words, rarest first, and by words that are like these, which
`similar_words` finds once for each different word: there are fewer of them than names. Names that
have most in common are compared word by word. `kept_share` tells how many of some true pairs are
among the candidates.

>>> names = ["Alexander Rumyantsev", "Mr. Rumyanstev", "Mr. Ryabev", "Tehran Times"]
>>> pairs = CandidateIndex(names).pairs_within(most=1)
>>> [(names[i], names[j]) for i, j in pairs]
[('Alexander Rumyantsev', 'Mr. Rumyanstev'), ('Mr. Rumyanstev', 'Mr. Ryabev')]
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np

from glyphone.data.kernels import jit
from glyphone.data.kernels.arrays import row_bounds
from glyphone.data.progress import steps
from glyphone.learners.matching import candidate_kernels
from glyphone.learners.matching.candidate_kernels import Rows
from glyphone.learners.matching.similar_words import (
    BUDGET,
    WordIndex,
    in_parts,
    owners_of,
    rows_between,
    weights_of,
)
from glyphone.learners.matching.units import split_words

Array = Any
Words = Callable[[str], Sequence[str]]
# Pairs of words that are compared for a name.
COMPARED: Final = 1_600


class CandidateIndex:
    """An inverted index over names; `words` tells the words of a name.

    Of the names that have words like a name's, and of the words that have a word's features, so
    many are visited as `budget` allows.
    """

    def __init__(self, names: Sequence[str], *, words: Words = split_words, budget: int = BUDGET):
        self.words = words
        self.budget = budget
        self._numbers: dict[str, int] = {}
        # Names that begin alike are visited together: they should be near in memory.
        self.order = np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)
        self.rows = self._rows([names[place] for place in self.order], self._numbers)
        self.vocabulary = WordIndex([*self._numbers], budget=budget)
        self._counts = np.bincount(self.rows.units, minlength=len(self._numbers))
        self.owners = owners_of(self.rows, weights_of(self._counts, len(names)))

    def candidates(
        self, names: Sequence[str] | None = None, *, most: int = 20, workers: int = 1
    ) -> tuple[Array, Array]:
        """At most so many candidates of each name, of all in the index if none are given: their
        places, best first, -1 where there are no more, and their scores."""
        if names is None:
            rows, most = self.rows, most + 1  # a name is its own best candidate
            weights, grams = self.owners.weights, self.vocabulary.grams
            similar = self.vocabulary.similar_to(workers=workers)
        else:
            numbers: dict[str, int] = {}
            rows = self._rows(names, numbers)
            known = (self._numbers.get(word, -1) for word in numbers)
            places = np.fromiter(known, np.int64, len(numbers))
            counts = np.append(self._counts, 0)[places]
            weights = weights_of(counts, len(self.rows.bounds) - 1)
            grams = self.vocabulary.grams_of(numbers)
            similar = self.vocabulary.similar_to([*numbers], workers=workers)

        def work(begin: int, end: int) -> tuple[Array, Array]:
            kernels = jit.tier(candidate_kernels, 100 * (end - begin))
            found: tuple[Array, Array] = kernels.best_candidates(
                rows_between(rows, begin, end), weights, grams, similar,
                self.owners, self.rows, self.order, self.vocabulary.known,
                self.budget, COMPARED, most,
            )  # fmt: skip
            return found

        parts = [*in_parts(work, len(rows.bounds) - 1, "finding candidates", workers)]
        none = np.empty((0, most))
        found = np.concatenate([none.astype(np.int64), *(part for part, _ in parts)])
        scores = np.concatenate([none, *(part for _, part in parts)])
        if names is None:
            back = np.argsort(self.order)
            return found[back], scores[back]
        return found, scores

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

    def _rows(self, names: Sequence[str], numbers: dict[str, int]) -> Rows:
        """The different words of names, as rows of numbers, which new words get."""
        lengths, words = array("i"), array("i")
        for name in steps(names, "reading names"):
            row = dict.fromkeys(self.words(name))
            lengths.append(len(row))
            words.extend(numbers.setdefault(word, len(numbers)) for word in row)
        return Rows(row_bounds(np.array(lengths, np.int64)), np.array(words, np.int32))


def kept_share(candidates: Array, gold: Iterable[tuple[int, int]]) -> float:
    """The share of true pairs that are among candidates."""
    true = np.array([*gold], np.int64).reshape(-1, 2)
    size = 1 + max(true.max(initial=0), candidates.max(initial=0))
    kept = np.isin(true @ [size, 1], candidates @ np.array([size, 1]))
    return float(kept.mean()) if len(true) else 0.0
