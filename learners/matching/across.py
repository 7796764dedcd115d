"""A measure of words and names across scripts: each as the other's script would write it.

A name is compared with the spellings of another in its own script, and the other with its
spellings; the mean of both is what they have in common, where both are known. A spelling that is
less probable than the best counts less.

>>> def spell(words, script, wanted):
...     known = {("Cyrl", "Latn"): {"иван": "ivan"}, ("Latn", "Cyrl"): {"ivan": "иван"}}
...     found = known.get((script, wanted), {})
...     return [(Spelling(wanted, found[word]),) if word in found else () for word in words]
>>> measure = SpellingMeasure(spell)
>>> [round(measure.similarity("Иван", name), 2) for name in ("Ivan", "Igan", "Иван", "Bo")]
[1.0, 0.75, 1.0, 0.0]
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

from glyphone.data.scripts.scripts import script_of
from glyphone.learners.matching.comparing import Measure
from glyphone.learners.matching.evidence import DOUBT, LATIN, Speller, Spelling
from glyphone.learners.matching.strings import without_empty

Array = Any


class WrittenNames(NamedTuple):
    """Names in small letters, and the script of each; "" for mixed ones."""

    texts: list[str]
    scripts: Array


class SpellingMeasure(Measure):
    """How alike names are letter by letter (optimal string alignment), in one script or in two."""

    def __init__(self, speller: Speller):
        self.speller = speller

    def prepare(self, names: Sequence[str]) -> WrittenNames:
        texts = [name.casefold() for name in names]
        return WrittenNames(texts, np.array([script_of(text) or "" for text in texts], object))

    def block(self, first: WrittenNames, chosen: Array, second: WrittenNames) -> Array:
        found = np.zeros((len(chosen), len(second.texts)))
        scripts = first.scripts[chosen]
        for one, other in product(sorted({*scripts}), sorted({*second.scripts})):
            rows, columns = np.flatnonzero(scripts == one), np.flatnonzero(second.scripts == other)
            left = [first.texts[chosen[row]] for row in rows]
            right = [second.texts[column] for column in columns]
            found[np.ix_(rows, columns)] = self._compared(left, right, (one, other), Tables())
        return found

    def pairwise(self, first: WrittenNames, second: WrittenNames, pairs: Array) -> Array:
        found = np.zeros(len(pairs))
        left, right = first.scripts[pairs[:, 0]], second.scripts[pairs[:, 1]]
        for one, other in sorted({*zip(left, right, strict=True)}):
            places = np.flatnonzero((left == one) & (right == other))
            texts = [first.texts[i] for i in pairs[places, 0]]
            others = [second.texts[j] for j in pairs[places, 1]]
            found[places] = self._compared(texts, others, (one, other), Pairs())
        return found

    def _compared(
        self, left: list[str], right: list[str], scripts: tuple[str, str], compare: Tables
    ) -> Array:
        one, other = scripts
        if one == other:
            return without_empty(compare(left, right), left)
        ways = [
            self._way(left, right, one, other, compare),
            compare.turned(self._way(right, left, other, one, compare)),
        ]
        if LATIN not in scripts and all(np.isnan(way).all() for way in ways):
            left, right = self._latin(left, one), self._latin(right, other)
            return without_empty(compare(left, right), left)
        known = [~np.isnan(way) for way in ways]
        total = sum(np.where(has, way, 0.0) for has, way in zip(known, ways, strict=True))
        return total / np.maximum(known[0].astype(int) + known[1], 1)

    def _way(
        self, texts: list[str], others: list[str], script: str, wanted: str, compare: Tables
    ) -> Array:
        """The best spellings of texts in a script against others in it; nan where none is known."""
        spelt = self._spelt(texts, script, wanted)
        # No spelling, then the first of each text, the second and so on.
        best = compare.nothing(len(texts), len(others))
        for rank in range(max(map(len, spelt), default=0)):
            having = [row[rank] if len(row) > rank else Spelling(wanted, "", 0.0) for row in spelt]
            most = [row[0].probability if row else 1.0 for row in spelt]
            worth = np.array([one.probability for one in having]) / most
            weights = np.where(worth > 0, worth**DOUBT, np.nan)
            likenesses = compare([one.text for one in having], others)
            best = np.fmax(best, likenesses * compare.along(weights))
        return best

    def _spelt(self, texts: list[str], script: str, wanted: str) -> list[list[Spelling]]:
        """The spellings of texts, the likeliest first."""
        if not script or not wanted:
            return [[] for _ in texts]
        spelt = self.speller(texts, script, wanted)
        return [sorted(row, key=lambda one: -one.probability) for row in spelt]

    def _latin(self, texts: list[str], script: str) -> list[str]:
        return [row[0].text if row else "" for row in self._spelt(texts, script, LATIN)]


class Tables:
    """Comparing all strings of a list with all of another."""

    def __call__(self, left: Sequence[str], right: Sequence[str]) -> Array:
        return process.cdist(left, right, scorer=OSA.normalized_similarity, dtype=np.float64)

    def nothing(self, n_left: int, n_right: int) -> Array:
        return np.full((n_left, n_right), np.nan)

    def along(self, weights: Array) -> Array:
        """Weights of the strings on the left, for what is found."""
        return weights[:, None]

    def turned(self, found: Array) -> Array:
        """The strings on the right compared with those on the left, the other way round."""
        return found.T


class Pairs(Tables):
    """Comparing each string of a list with the one at its place in another."""

    def __call__(self, left: Sequence[str], right: Sequence[str]) -> Array:
        return process.cpdist(left, right, scorer=OSA.normalized_similarity, dtype=np.float64)

    def nothing(self, n_left: int, n_right: int) -> Array:
        return np.full(n_left, np.nan)

    def along(self, weights: Array) -> Array:
        return weights

    def turned(self, found: Array) -> Array:
        return found
