"""Estimates of n-gram models from counts.

All methods but Katz's are interpolated:

    P(w | h) = kept(hw) / N(h) + left(h) / N(h) P(w | h'),    N(h) = sum of kept(hw) + left(h),

and end in a uniform distribution over the vocabulary. With c a count, N1+(h.) the number of
distinct tokens after h and N1+(.g) that before g:

    witten-bell               kept = c             left = N1+(h.)
    absolute                  kept = c - D         left = D N1+(h.)
    kneser-ney                kept = a - D         left = D N1+(h.)
    modified-kneser-ney       kept = a - D(a)      left = D(1) N1(h.) + D(2) N2(h.) + D(3) N3+(h.)

where a(g) is c(g) for the longest n-grams and for those that begin with <s>, else N1+(.g). D is
n1 / (n1 + 2 n2) from the order's counts of counts; D(r) = r - (r + 1) D n[r + 1] / n[r] (Chen and
Goodman 1998, "An Empirical Study of Smoothing Techniques"). Where these are undefined or not
between 0 and r, D is 0.5 and D(r) are 0.5, 1 and 1.5. For counts that are not whole, the n[r], the
D(a) and N1+ are expectations (Zhang and Chiang 2014).

Katz (1987) has kept = d(c) c with Good-Turing ratios d(r) for r up to 5, and backs off: P(w | h) is
kept / N for a token seen after h, else proportional to P(w | h').

>>> model = train([0, 1, 0, 1, 1], [0, 2, 5], n_words=2, order=2, smoothing="witten-bell")
>>> round(float(np.exp(model.log_prob([0], 1))), 6)  # (2 + 1 * (3 + 3 / 3) / (7 + 3)) / (2 + 1)
0.8
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glyphone.data import progress
from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.fst.ngrams.counts import Level, NgramCounts, count_sequences
from glyphone.fst.ngrams.discounts import (
    CountedNgrams,
    Discounts,
    counted_ngrams,
    discounts_from,
    good_turing,
)
from glyphone.fst.ngrams.model import Layer, NgramModel, assemble

Smoothing = Literal["modified-kneser-ney", "kneser-ney", "witten-bell", "katz", "absolute"]
Floats = NDArray[np.float64]

# A smaller mass counts as 0: differences of probabilities are rounded to about 1e-15.
SMALLEST_MASS = 1e-8


@progress.step("estimating n-grams")
def train(
    tokens: ArrayLike,
    offsets: ArrayLike,
    *,
    n_words: int,
    order: int,
    smoothing: Smoothing = "modified-kneser-ney",
    weights: ArrayLike | None = None,
    items: ArrayLike | None = None,
    floor: bool = True,
    least_counts: Sequence[float] = (),
) -> NgramModel:
    """Counts and estimates at once: see `count_sequences` and `estimate`."""
    counts = count_sequences(
        tokens, offsets, n_words=n_words, order=order, weights=weights, items=items
    )
    return estimate(counts, smoothing=smoothing, floor=floor, least_counts=least_counts)


def estimate(
    counts: NgramCounts,
    *,
    smoothing: Smoothing = "modified-kneser-ney",
    floor: bool = True,
    least_counts: Sequence[float] = (),
    discounts: Sequence[Discounts] | None = None,
) -> NgramModel:
    """The model of some counts.

    Without `floor`, unigrams are relative frequencies and unseen words are impossible.
    `least_counts` are the least counts of explicit n-grams of lengths 2, 3 and so on, the last for
    all longer ones too; the mass of rarer n-grams goes to the backoff. `discounts` are D(1), D(2)
    and D(3) of each length, in place of those that `discounts_of` finds.
    """
    _check_options(counts, smoothing, discounts)
    cutoffs = [0.0, *_check_cutoffs(least_counts, counts.order)]
    lower, kept_before = np.full(1, 1 / (counts.n_words + 1)), np.ones(1, np.bool_)
    layers: list[Layer] = []
    for length, level in enumerate(counts.levels, 1):
        counted = counted_ngrams(counts, length, smoothing)
        combine = _back_off if smoothing == "katz" else _interpolate
        if length == 1 and not floor:
            combine = _interpolate  # with nothing
            kept, left = counted.counts.astype(np.float64), np.zeros(1)
        elif smoothing == "witten-bell":
            kept, left = _witten_bell(counted, len(lower))
        elif smoothing == "katz":
            kept, left = _discount(counted, good_turing(counted), len(lower))
        else:
            given = None if discounts is None else discounts[length - 1]
            three = given or discounts_from(counted, smoothing)
            kept, left = _discount(counted, np.array([0.0, *three]), len(lower))
        is_kept = level.counts >= cutoffs[length - 1]
        is_kept &= kept_before[level.parents] & kept_before[level.suffixes]
        probs, backoffs = combine(counted, kept, left, lower[level.suffixes], is_kept)
        if layers:
            continued = np.bincount(level.parents, is_kept, len(lower)) > 0
            layers[-1] = layers[-1]._replace(
                backoffs=_log_or_minus_infinity(np.where(continued, backoffs, 1.0)[kept_before])
            )
        layers.append(_layer_of(level, probs, is_kept, kept_before))
        lower, kept_before = probs, is_kept
    return assemble(counts.n_words, layers)


def discounts_of(
    counts: NgramCounts, *, smoothing: Smoothing = "modified-kneser-ney"
) -> list[Discounts]:
    """D(1), D(2) and D(3) of each length, from counts of counts."""
    lengths = range(1, counts.order + 1)
    return [
        discounts_from(counted_ngrams(counts, length, smoothing), smoothing) for length in lengths
    ]


def _check_options(
    counts: NgramCounts, smoothing: str, discounts: Sequence[Discounts] | None
) -> None:
    if smoothing not in get_args(Smoothing):
        raise UnknownName("smoothing method", smoothing, get_args(Smoothing))
    if discounts is None:
        return
    if smoothing in ("witten-bell", "katz"):
        raise GlyphoneError(f"{smoothing} has no discounts to be given")
    if len(discounts) != counts.order:
        message = f"there are discounts for {len(discounts)} lengths"
        raise GlyphoneError(f"{message}, but the order is {counts.order}")
    for three in discounts:
        if len(three) != 3 or not all(0 < d <= r for r, d in enumerate(three, 1)):
            raise GlyphoneError(f"the discounts {three} must be above 0 and at most 1, 2 and 3")


def _check_cutoffs(least_counts: Sequence[float], order: int) -> list[float]:
    given = list(least_counts)
    if any(a > b for a, b in pairwise(given)) or min(given, default=0) < 0:
        remedy = "an n-gram is never more frequent than its parts"
        raise GlyphoneError(
            f"the least counts {given} fall from one length to the next", remedy=remedy
        )
    return (given + (given[-1:] or [0.0]) * order)[: order - 1]


def _discount(counted: CountedNgrams, amounts: Floats, n: int) -> tuple[Floats, Floats]:
    """Counts less amounts[count], the last for larger counts; and the sum taken per history."""
    last = len(amounts) - 1
    if counted.chances is None:
        taken = amounts[np.minimum(counted.counts, last)]
    else:
        small = counted.chances[:, :last]
        taken = small @ amounts[:last] + np.maximum(1 - small.sum(axis=1), 0) * amounts[last]
        np.minimum(taken, counted.counts, out=taken)
    left = counted.per_history(taken, n)
    return np.subtract(counted.counts, taken, out=taken), left


def _witten_bell(counted: CountedNgrams, n: int) -> tuple[Floats, Floats]:
    seen = counted.counts > 0 if counted.chances is None else 1 - counted.chances[:, 0]
    return counted.counts.astype(np.float64), counted.per_history(seen, n)


def _interpolate(
    counted: CountedNgrams, kept: Floats, left: Floats, lower: Floats, is_kept: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """The probability of each n-gram, and the backoff of each history."""
    if not is_kept.all():
        left = left + counted.per_history(np.where(is_kept, 0, kept), len(left))
        kept[~is_kept] = 0
    total = counted.per_history(kept, len(left)) + left
    total[total == 0] = np.inf  # a history that is almost never there: nothing is kept
    kept /= total[counted.parents]
    backoffs = np.where(np.isinf(total), 1.0, left / total)
    probs = kept + backoffs[counted.parents] * lower
    return probs, backoffs


def _back_off(
    counted: CountedNgrams, kept: Floats, left: Floats, lower: Floats, is_kept: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """The probability of each n-gram, and the backoff of each history, without interpolation.

    A history with nothing left for unseen tokens is given one more event, for them. One after
    which every token was seen keeps its whole mass for those.
    """
    n = len(left)
    seen = (kept > 0) & is_kept
    seen_kept = counted.per_history(np.where(seen, kept, 0), n)
    unseen_lower = 1 - counted.per_history(np.where(seen, lower, 0), n)
    left = left + counted.per_history(np.where(seen, 0, kept), n)
    left[left <= 0] = 1
    left[unseen_lower < SMALLEST_MASS] = 0
    total = seen_kept + left
    total[total == 0] = 1
    backoffs = np.ones(n)
    np.divide(left / total, unseen_lower, out=backoffs, where=left > 0)
    probs = np.where(seen, kept / total[counted.parents], backoffs[counted.parents] * lower)
    return probs, backoffs


def _layer_of(
    level: Level, probs: Floats, is_kept: NDArray[np.bool_], kept_before: NDArray[np.bool_]
) -> Layer:
    """The explicit n-grams of a level; their backoffs are not known yet."""
    parents, tokens, suffixes = level.parents, level.tokens, level.suffixes
    if not is_kept.all():
        numbers = np.cumsum(kept_before, dtype=np.int32) - np.int32(1)
        parents, suffixes = numbers[parents[is_kept]], numbers[suffixes[is_kept]]
        tokens, probs = tokens[is_kept], probs[is_kept]
    return Layer(parents, tokens, suffixes, _log_or_minus_infinity(probs), np.zeros(len(tokens)))


def _log_or_minus_infinity(probs: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.log(probs)
