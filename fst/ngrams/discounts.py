"""Discounts: the amount that a count loses in smoothing, from counts of counts.

Counts are raw or, for Kneser and Ney, numbers of distinct left neighbours; see
glyphone.fst.ngrams.smoothing for the formulas.

>>> from glyphone.fst.ngrams.counts import count_sequences
>>> counts = count_sequences([0, 1, 0, 2, 0, 1], [0, 4, 6], n_words=3, order=1)
>>> counted_ngrams(counts, 1, "absolute").counts.tolist()  # <s> is never predicted
[3, 2, 1, 2, 0]
>>> discounts_from(counted_ngrams(counts, 1, "absolute"), "absolute")
(0.2, 0.2, 0.2)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glyphone.data.kernels import jit
from glyphone.fst.ngrams import kernels as ngram_kernels
from glyphone.fst.ngrams.counts import NgramCounts, sum_groups

Floats = NDArray[np.float64]
Discounts = tuple[float, float, float]

FALLBACK = 0.5  # the discount of a count of 1 where counts of counts are 0
LARGEST_GOOD_TURING = 5


class CountedNgrams(NamedTuple):
    """The counts that a level's estimates are made from; the chances of small counts if not whole.

    Unseen words, at level 1, have count 0; so has <s>, which is never predicted.
    """

    parents: NDArray[np.int32]
    counts: NDArray[Any]
    chances: Floats | None

    def per_history(self, values: NDArray[Any], n: int) -> Floats:
        return sum_groups(self.parents, values, n)


def counted_ngrams(counts: NgramCounts, length: int, smoothing: str) -> CountedNgrams:
    """Counts of n-grams of a length or, for Kneser and Ney, of their distinct left neighbours."""
    level = counts.levels[length - 1]
    values, chances = level.counts, level.chances
    if smoothing.endswith("kneser-ney") and length < counts.order:
        after_begin = _after_begin(counts, length)
        longer = counts.levels[length]
        n = len(level.tokens)
        if longer.chances is None or chances is None:
            before = np.bincount(longer.suffixes, minlength=n).astype(values.dtype)
        else:
            seen = 1 - longer.chances[:, 0]
            before = np.bincount(longer.suffixes, seen, n)
            kernels = jit.tier(ngram_kernels, len(seen))
            chances_before = kernels.zero_chances(n)
            kernels.add_events(chances_before, longer.suffixes, seen)
            chances = np.where(after_begin[:, np.newaxis], chances, chances_before)
        values = np.where(after_begin, values, before)
    if length == 1:
        values = values.copy()
        values[counts.begin] = 0
        if chances is not None:
            chances = chances.copy()
            chances[counts.begin] = ngram_kernels.zero_chances(1)
    return CountedNgrams(level.parents, values, chances)


def _after_begin(counts: NgramCounts, length: int) -> NDArray[np.bool_]:
    """Whether each n-gram of a length begins with <s>."""
    found: NDArray[np.bool_] = np.arange(counts.n_words + 2) == counts.begin
    for level in counts.levels[1:length]:
        found = found[level.parents]
    return found


def _counts_of_counts(counted: CountedNgrams, largest: int) -> Floats:
    """n[r], the number of n-grams that occur r times, for r from 0 to `largest`; n[0] is 0."""
    if counted.chances is None:
        occurring = np.bincount(np.minimum(counted.counts, largest + 1), minlength=largest + 2)
        found: Floats = occurring[: largest + 1].astype(np.float64)
    else:
        found = counted.chances[:, : largest + 1].sum(axis=0)
    found[0] = 0
    return found


def discounts_from(counted: CountedNgrams, smoothing: str) -> Discounts:
    n = _counts_of_counts(counted, 4)
    smallest = float(n[1] / (n[1] + 2 * n[2])) if n[1] > 0 and n[2] > 0 else FALLBACK
    if smoothing != "modified-kneser-ney":
        return (smallest, smallest, smallest)
    if n[1:4].min() > 0:
        second, third = (r - (r + 1) * smallest * n[r + 1] / n[r] for r in (2, 3))
        if 0 < second <= 2 and 0 < third <= 3:
            return (smallest, float(second), float(third))
    return (FALLBACK, 2 * FALLBACK, 3 * FALLBACK)


def good_turing(counted: CountedNgrams) -> Floats:
    """r (1 - d(r)) for counts r from 0 to k, then 0 for larger ones (Katz 1987).

        d(r) = (r* / r - A) / (1 - A),  r* = (r + 1) n[r + 1] / n[r],  A = (k + 1) n[k + 1] / n[1]

    k is the largest up to 5 (3 if counts are not whole) for which all d(r) are between 0 and 1. If
    there is none, every count loses FALLBACK.
    """
    largest = LARGEST_GOOD_TURING if counted.chances is None else ngram_kernels.N_CHANCES - 2
    n = _counts_of_counts(counted, largest + 1)
    for k in range(largest, 0, -1):
        if n[1 : k + 1].min() <= 0 or n[1] <= (k + 1) * n[k + 1]:
            continue
        r = np.arange(1, k + 1)
        common = (k + 1) * n[k + 1] / n[1]
        ratios = ((r + 1) * n[r + 1] / n[r] / r - common) / (1 - common)
        if ratios.min() > 0 and ratios.max() < 1:
            return np.concatenate([[0.0], r * (1 - ratios), [0.0]])
    return np.array([0.0, FALLBACK])
