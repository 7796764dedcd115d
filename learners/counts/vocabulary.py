"""The words with the most mutual information between their presence and the class.

    I = sum over present or not, and classes, of P(w, c) ln(P(w, c) / (P(w) P(c)))

>>> rows = sparse.csr_matrix([[1.0, 1.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
>>> best_words(rows, np.array([0, 0, 1, 1]), n_classes=2, n_words=1).tolist()
[0]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import rel_entr

Array = Any


def best_words(rows: Any, classes: Array, *, n_classes: int, n_words: int) -> Array:
    """Columns of the `n_words` best words, in order; of equal ones, those that come first."""
    ranking = np.argsort(-mutual_information(rows, classes, n_classes), kind="stable")
    return np.sort(ranking[:n_words])


def mutual_information(rows: Any, classes: Array, n_classes: int) -> Array:
    """The mutual information, in nats, of the presence of each word and the class."""
    n = len(classes)
    by_class = sparse.csr_matrix((np.ones(n), (classes, np.arange(n))), (n_classes, n))
    both = (by_class @ (rows > 0)).toarray() / n
    share, word = np.bincount(classes, minlength=n_classes)[:, None] / n, both.sum(axis=0)
    absent = rel_entr(np.maximum(share - both, 0.0), share * np.maximum(1 - word, 0.0))
    return (rel_entr(both, share * word) + absent).sum(axis=0)
