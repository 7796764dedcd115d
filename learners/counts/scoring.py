"""The log-likelihood of documents under a model of each word, for all classes.

Absent words count too. Sums over the whole vocabulary depend on the length alone, so that

    sum over w of ln P(x_w | n) = S(n) + sum over words present of (ln P(x | n) - ln P(0 | n))

with S(n) = sum over w of ln P(0 | n), and the cost is that of the words present. S(n) is summed at
the lengths of the documents where these are few, and otherwise on a grid, with a cubic spline over
ln n between: `KNOTS` say how dense, and errors stay far below a thousandth of a nat.

>>> from scipy import sparse
>>> from glyphone.learners.counts.models import Binomial
>>> model = Binomial(np.array([[0.2, 0.1], [0.1, 0.3]]))
>>> documents = sparse.csr_matrix([[1.0, 0.0], [0.0, 2.0]])
>>> log_likelihoods(model, documents, np.array([3.0, 4.0])).round(2).tolist()
[[-1.27, -2.48], [-3.92, -1.75]]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

from glyphone.learners.counts.models import CountModel

Array = Any
# Lengths up to the first are all knots; so many more lie between it and the longest.
KNOTS = (32, 64)
# Numbers that are computed at a time, to bound memory.
BLOCK = 4_000_000


def log_likelihoods(model: CountModel, rows: Any, lengths: Array) -> Array:
    """Documents by classes; `rows` counts the words that the parameters are for, in order."""
    scores = absent_sums(model, lengths)
    documents = np.repeat(np.arange(len(lengths)), np.diff(rows.indptr))
    size = max(BLOCK // scores.shape[1], 1)
    for first in range(0, rows.nnz, size):
        part = slice(first, first + size)
        here, n = documents[part], lengths[documents[part]]
        words = model.at_words(rows.indices[part])
        gains = words.log_mass(rows.data[part], n) - words.log_absent(n)
        for one in range(scores.shape[1]):
            scores[:, one] += np.bincount(here, gains[one], minlength=len(lengths))
    return scores


def absent_sums(model: CountModel, lengths: Array) -> Array:
    """S(n) of each length, by classes."""
    if not model.needs_length:
        return np.tile(np.sum(model.log_absent(), axis=-1), (len(lengths), 1))
    distinct, places = np.unique(lengths, return_inverse=True)
    knots = knots_for(distinct)
    sums = np.array([np.sum(model.log_absent(n), axis=-1) for n in knots])
    if len(knots) < len(distinct):
        # No word is in an empty document, and that is certain.
        inner = CubicSpline(np.log(knots), sums)(np.log(np.maximum(distinct, 1.0)))
        sums = np.where(distinct[:, None] > 0, inner, 0.0)
    return np.asarray(sums[places])


def knots_for(distinct: Array) -> Array:
    """The lengths themselves, or fewer."""
    dense, more = KNOTS
    if len(distinct) <= dense + more:
        return distinct
    wide = np.round(np.geomspace(dense, distinct[-1], more))
    return np.unique(np.concatenate([np.arange(1.0, dense), wide]))
