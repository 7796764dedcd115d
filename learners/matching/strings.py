"""Measures of strings, of which RapidFuzz has the kernels.

>>> StringMeasure("levenshtein").similarity("kitten", "sitting")
0.5714285714285714
>>> round(StringMeasure("jaro").similarity("MARTHA", "MARHTA"), 3)
0.944
>>> StringMeasure("needleman-wunsch", gap=1, substitution=2).similarity("ab", "b")
0.6666666666666667
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from rapidfuzz import distance, process

from glyphone.data.errors import UnknownName
from glyphone.learners.matching.comparing import Measure

Array = Any
SCORERS: Final[dict[str, Callable[..., float]]] = {
    "levenshtein": distance.Levenshtein.normalized_similarity,
    "damerau": distance.DamerauLevenshtein.normalized_similarity,
    "needleman-wunsch": distance.Levenshtein.normalized_similarity,
    "jaro": distance.Jaro.similarity,
    "jaro-winkler": distance.JaroWinkler.similarity,
}


class StringMeasure(Measure):
    """A measure of characters: levenshtein, damerau, needleman-wunsch, jaro or jaro-winkler.

    Needleman-Wunsch has the costs of a gap and of a substitution.
    """

    def __init__(self, scorer: str = "levenshtein", *, gap: int = 1, substitution: int = 1):
        self.scorer = scorer
        self.gap = gap
        self.substitution = substitution

    def prepare(self, names: Sequence[str]) -> list[str]:
        return [*names]

    def block(self, first: list[str], chosen: Array, second: list[str]) -> Array:
        rows = [first[i] for i in chosen]
        found = process.cdist(rows, second, **self._asked())
        return self._without_empty(found, np.array([bool(name) for name in rows])[:, None])

    def pairwise(self, first: list[str], second: list[str], pairs: Array) -> Array:
        firsts, seconds = [first[i] for i in pairs[:, 0]], [second[j] for j in pairs[:, 1]]
        found = process.cpdist(firsts, seconds, **self._asked())
        return self._without_empty(found, np.array([bool(name) for name in firsts]))

    @staticmethod
    def _without_empty(found: Array, filled: Array) -> Array:
        """Measures, of which those of empty names are 0: they are like no other, nor each other."""
        return np.where(filled, found, 0.0)

    def _asked(self) -> dict[str, Any]:
        if self.scorer not in SCORERS:
            raise UnknownName("measure", self.scorer, [*SCORERS])
        options: dict[str, Any] = {"scorer": SCORERS[self.scorer], "dtype": np.float64}
        if self.scorer == "needleman-wunsch":
            options["scorer_kwargs"] = {"weights": (self.gap, self.gap, self.substitution)}
        return options
