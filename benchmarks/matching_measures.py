"""Our measures of how alike two names are, as the benchmark of names asks them.

A measure learns from names (`fit`), and tells how alike two are (`similarity`), or all names of a
list and all of another (`cdist`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from glyphone.data.names.words import read_words

# More pairs than this share of all are computed as a table.
DENSE = 0.05
MOST_CELLS = 1 << 25


class Measure(Protocol):
    def fit(self, names: Sequence[str]) -> Measure: ...
    def similarity(self, one: str, other: str) -> float: ...
    def cdist(self, some: Sequence[str], others: Sequence[str]) -> Any: ...


class WordCosine:
    """The cosine of the words of two names, without weights."""

    def fit(self, names: Sequence[str]) -> WordCosine:
        return self

    def similarity(self, one: str, other: str) -> float:
        first, second = bag(one), bag(other)
        product = sum(count * second[word] for word, count in first.items())
        norms = math.sqrt(squares(first)) * math.sqrt(squares(second))
        return product / norms if norms else 0.0

    def cdist(self, some: Sequence[str], others: Sequence[str]) -> Any:
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.preprocessing import normalize

        counts = DictVectorizer().fit_transform([bag(name) for name in (*some, *others)])
        rows = normalize(counts)
        return (rows[: len(some)] @ rows[len(some) :].T).toarray()


@lru_cache(maxsize=1 << 16)
def bag(name: str) -> Counter[str]:
    return Counter(word.canonical for word in read_words(name))


def squares(words: Counter[str]) -> int:
    return sum(count * count for count in words.values())


def measures() -> dict[str, Callable[[], Measure]]:
    """Our measures by the names of their rows."""
    return {"Cosine of words": WordCosine}


def pair_scores(measure: Measure, names: Sequence[str], pairs: Any) -> Any:
    """The similarities of pairs of places, by a table if most of it is asked for."""
    some, others = (np.unique(pairs[:, side]) for side in (0, 1))
    cells = len(some) * len(others)
    if len(pairs) > DENSE * cells and cells < MOST_CELLS:
        table = measure.cdist([names[x] for x in some], [names[x] for x in others])
        rows, columns = (np.searchsorted(x, pairs[:, k]) for k, x in enumerate((some, others)))
        return np.asarray(table, np.float64)[rows, columns]
    return np.array([measure.similarity(names[one], names[other]) for one, other in pairs.tolist()])
