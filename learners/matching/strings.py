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
        return without_empty(process.cdist(rows, second, **self._asked()), rows)

    def pairwise(self, first: list[str], second: list[str], pairs: Array) -> Array:
        firsts, seconds = [first[i] for i in pairs[:, 0]], [second[j] for j in pairs[:, 1]]
        return without_empty(process.cpdist(firsts, seconds, **self._asked()), firsts)

    def _asked(self) -> dict[str, Any]:
        if self.scorer not in SCORERS:
            raise UnknownName("measure", self.scorer, [*SCORERS])
        options: dict[str, Any] = {"scorer": SCORERS[self.scorer], "dtype": np.float64}
        if self.scorer == "needleman-wunsch":
            options["scorer_kwargs"] = {"weights": (self.gap, self.gap, self.substitution)}
        return options


def without_empty(found: Array, names: Sequence[str]) -> Array:
    """Measures of names, one or a row for each, of which those of empty names are 0.

    RapidFuzz says 1 of two empty names, and 0 of one.
    """
    filled = np.array([bool(name) for name in names])
    return np.where(filled[:, None] if found.ndim == 2 else filled, found, 0.0)
