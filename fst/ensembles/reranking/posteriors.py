"""Probabilities of outputs, some of which are near the best of the models, and others far.

Near outputs share the probability 1 - `missing`; far ones share `missing`, and none has more than
any near one. `missing` is the share of held-out words whose right output was none of the near ones.
So the probability of an output does not depend on how many others were asked for.

>>> totals, firsts, near = np.log([3.0, 1.0, 5.0, 1.0]), np.array([0, 3, 4]), np.array([2, 1])
>>> np.exp(log_probabilities(totals, firsts, near, 0.1)).round(3).tolist()
[0.675, 0.225, 0.1, 0.9]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.fst.ensembles.reranking.model import log_sums

# Where no words were held out.
MISSING = 0.05

Array = Any


def log_probabilities(totals: Array, firsts: Array, near: Array, missing: float) -> Array:
    """ln P of the outputs firsts[i] to firsts[i + 1] of each item, of which the first near[i] are
    near; their weights are exp of the totals."""
    items = np.repeat(np.arange(len(near)), np.diff(firsts))
    inner = np.arange(len(items)) - firsts[items] < near[items]
    found, least = np.zeros(len(items)), np.full(len(near), np.inf)
    for part, share in ((inner, 1.0 - missing), (~inner, missing)):
        counts = np.bincount(items[part], minlength=len(near))
        full = counts[counts > 0]
        sums = log_sums(totals[part], np.concatenate([[0], np.cumsum(full)]))
        with np.errstate(divide="ignore"):
            found[part] = np.log(share) + totals[part] - np.repeat(sums, full)
    np.minimum.at(least, items[inner], found[inner])
    return np.where(inner, found, np.minimum(found, least[items]))


def missing_of(firsts: Array, right: Array) -> float:
    """The share of lists without a right candidate, with half a list more of either kind."""
    hit = np.logical_or.reduceat(right, firsts[:-1])
    return float((np.count_nonzero(~hit) + 0.5) / (len(hit) + 1))
