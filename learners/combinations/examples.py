"""Rows of features with labels, to learn from.

Equal rows of one label become one of the sum of their weights, and rows are put in an order of
their own, so that neither copies nor the order of rows change anything.

>>> from scipy import sparse
>>> X, constant = sparse.csr_array([[2.0, 0.0], [0.0, 1.0], [2.0, 0.0]]), 1.0
>>> examples = examples_of(X, np.array([1, 0, 1]), np.array([1.0, 1.0, 0.5]), 2, constant)
>>> examples.weights.tolist(), examples.labels.tolist(), examples.rows.columns.tolist()
([1.5, 1.0], [1, 0], [0, 2, 1, 2])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.learners.combinations.arrays import Rows
from glyphone.learners.combinations.products import rows_of

Array = Any


@dataclass(frozen=True, eq=False)
class Examples:
    """Rows of features, the last of which is the constant one; the labels and weights of rows.

    Labels below `n_scored` have weights. If there are more, the last one's score is 0.
    """

    rows: Rows
    labels: Array
    weights: Array
    n_features: int
    n_labels: int

    @property
    def n_scored(self) -> int:
        return 1 if self.n_labels == 2 else self.n_labels


def examples_of(
    matrix: Any, labels: Array, weights: Array, n_labels: int, constant: float
) -> Examples:
    """The rows of a sparse matrix whose weights are above 0."""
    rows = rows_of(matrix)
    found: dict[tuple[bytes, bytes, int], int] = {}
    sums = np.zeros(len(labels))
    for i in np.flatnonzero(weights > 0).tolist():
        own = slice(rows.starts[i], rows.starts[i + 1])
        key = rows.columns[own].tobytes(), rows.values[own].tobytes(), int(labels[i])
        sums[found.setdefault(key, i)] += weights[i]
    kept = np.array([i for _, i in sorted(found.items())])
    return Examples(
        rows_of(matrix[kept], constant), labels[kept], sums[kept], matrix.shape[1] + 1, n_labels
    )
