"""How alike units are by the units that stand near them: the cosine of tf-idf of their contexts.

Letters that are written now so, now so stand among the same letters, so that trigrams with them
have contexts in common: likeness is learnt from the names themselves (Moreau, Yvon and Cappé 2008).

>>> rows = [["ab", "bé", "éc"], ["ab", "be", "ec"], ["ab", "bx", "xy"], ["zz", "zy"]]
>>> near = ContextMeasure(window=1).fit_rows(rows)
>>> [round(near.similarity("bé", unit), 2) for unit in ("be", "bx", "zz")]
[0.2, 0.2, 0.0]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.utils.validation import check_is_fitted

from glyphone.learners.matching.comparing import Measure

Array = Any


class ContextMeasure(Measure):
    """Units are as alike as their contexts, up to `window` places to either side.

    Only the `most` commonest units are compared, whose table is kept; rarer ones have too few
    contexts to tell anything.
    """

    def __init__(self, window: int = 2, most: int = 4096):
        self.window = window
        self.most = most

    def fit_rows(self, rows: Sequence[Sequence[str]]) -> Self:
        frequent = Counter(unit for row in rows for unit in row)
        units = sorted(frequent, key=lambda unit: (-frequent[unit], unit))
        self.numbers_ = {unit: number for number, unit in enumerate(units)}
        contexts = context_counts([[self.numbers_[u] for u in row] for row in rows], self.window)
        kept = weigh_contexts(contexts, len(units))[: self.most]
        self.table_ = np.minimum((kept @ kept.T).toarray(), 1.0).astype(np.float32)
        return self

    def prepare(self, names: Sequence[str]) -> Array:
        """The rows of units in the table; a unit that is not in it has the row after the last."""
        check_is_fitted(self)
        none = len(self.table_)
        numbers = [min(self.numbers_.get(unit, none), none) for unit in names]
        return np.array(numbers, np.int64)

    def block(self, first: Array, chosen: Array, second: Array) -> Array:
        rows, columns = first[chosen], second
        return self._looked_up(rows[:, None], columns[None, :])

    def pairwise(self, first: Array, second: Array, pairs: Array) -> Array:
        return self._looked_up(first[pairs[:, 0]], second[pairs[:, 1]])

    def _looked_up(self, rows: Array, columns: Array) -> Array:
        last = len(self.table_)
        if last == 0:
            return np.zeros(np.broadcast(rows, columns).shape, np.float32)
        found = self.table_[np.minimum(rows, last - 1), np.minimum(columns, last - 1)]
        return np.where((rows < last) & (columns < last), found, np.float32(0.0))


def context_counts(rows: Sequence[Sequence[int]], window: int) -> dict[tuple[int, int], int]:
    """How often a unit stands at most `window` places from another."""
    return Counter(
        (unit, row[j])
        for row in rows
        for i, unit in enumerate(row)
        for j in range(max(0, i - window), min(len(row), i + window + 1))
        if i != j
    )


def weigh_contexts(counts: dict[tuple[int, int], int], n: int) -> Any:
    """The matrix of tf-idf of contexts, each row of length 1."""
    places = np.array([*counts], np.int64).reshape(-1, 2)
    values = np.fromiter(counts.values(), float, len(counts))
    matrix = csr_matrix((values, (places[:, 0], places[:, 1])), shape=(n, n))
    in_rows = np.bincount(matrix.indices, minlength=n)
    matrix.data *= np.log(n / np.maximum(in_rows, 1))[matrix.indices]
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(1)).ravel())
    matrix.data /= np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(matrix.indptr))
    return matrix
