"""Counts of n-grams of all orders, by sorting.

Every sequence is read as <s> w1 ... wn </s>. Level k holds the distinct n-grams of length k sorted
by their tokens. An n-gram is its parent (its number, without its last token, on the level before)
and its last token; its suffix is its number, without its first token, on the level before. The
n-grams of length k + 1 are found by sorting pairs (parent, token), so nothing longer than a pair
is ever compared.

Counts are whole numbers, or, with weights below 1 or with alternatives, expectations. For the
latter a level also has P(count = r) for r from 0 to 4, as if items were independent (Zhang and
Chiang 2014, "Kneser-Ney Smoothing on Expected Counts"); smoothing needs it for counts of counts.

>>> counts = count_sequences(*flatten([[0, 1], [0, 1, 1]]), n_words=2, order=2)
>>> counts.levels[0].counts.tolist()  # words 0 and 1, </s>, <s>
[2, 3, 2, 2]
>>> top = counts.levels[1]
>>> list(zip(top.parents.tolist(), top.tokens.tolist(), top.counts.tolist()))
[(0, 1, 2), (1, 1, 1), (1, 2, 2), (3, 0, 2)]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import jit
from glyphone.fst.ngrams import kernels as ngram_kernels

HIGHEST_ORDER = 12

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Level:
    """The distinct n-grams of one length, sorted by parent and token."""

    parents: Ints
    tokens: Ints
    suffixes: Ints
    counts: NDArray[Any]
    chances: Floats | None = None


@dataclass(frozen=True, eq=False)
class NgramCounts:
    """Level k - 1 of `levels` holds n-grams of length k; the first, all tokens by number.

    Words are 0 to n_words - 1, then come </s> and <s>.
    """

    n_words: int
    levels: tuple[Level, ...]

    @property
    def order(self) -> int:
        return len(self.levels)

    @property
    def end(self) -> int:
        return self.n_words

    @property
    def begin(self) -> int:
        return self.n_words + 1

    @property
    def n_ngrams(self) -> int:
        return sum(len(level.tokens) for level in self.levels)


def sum_groups(groups: NDArray[Any], values: NDArray[Any], n: int) -> Floats:
    """The sum of the values of each of n groups."""
    totals: Floats = np.bincount(groups, values, n).astype(np.float64, copy=False)
    return totals


def flatten(sequences: Iterable[Sequence[int]]) -> tuple[Ints, NDArray[np.int64]]:
    """Sequences end to end, and their bounds: the form that counting and scoring read."""
    rows = list(sequences)
    offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    return np.array([token for row in rows for token in row], np.int32), offsets


def count_sequences(
    tokens: ArrayLike,
    offsets: ArrayLike,
    *,
    n_words: int,
    order: int,
    weights: ArrayLike | None = None,
    items: ArrayLike | None = None,
) -> NgramCounts:
    """Counts of sequences tokens[offsets[i]:offsets[i + 1]], each as often as its weight says.

    Sequences with the same number in `items`, which stand together, are alternatives: their
    weights are posteriors, and an n-gram in several of them is one event.
    """
    check_order(order)
    words, bounds = check_sequences(tokens, offsets, n_words=n_words)
    n = len(bounds) - 1
    padded, starts, left = _pad_sequences(words, bounds, n_words)
    if weights is None and items is None:
        weight = item = None
    else:
        shares, numbers = _check_weights(weights, items, n)
        item = None if items is None and np.all(shares == np.floor(shares)) else numbers
        lengths = np.diff(np.append(starts, len(padded)))
        weight = np.repeat(shares, lengths)
        item = None if item is None else np.repeat(item, lengths)
        used = weight > 0
        padded, left, weight = padded[used], left[used], weight[used]
        item = None if item is None else item[used]
    if not len(padded):
        raise GlyphoneError("there are no sequences to count", remedy="give one at least")

    ids = padded.copy()
    levels = [first_level(padded, n_words, weight, item)]
    for length in range(2, order + 1):
        places = np.flatnonzero(left >= length).astype(np.int32)
        level, ids_here = group_ngrams(
            ids[places],
            padded[places + (length - 1)],
            ids[places + 1],
            n_words,
            None if weight is None else weight[places],
            None if item is None else item[places],
        )
        ids[places] = ids_here
        levels.append(level)
    return NgramCounts(n_words, tuple(levels))


def check_order(order: int) -> None:
    if not 1 <= order <= HIGHEST_ORDER:
        raise GlyphoneError(f"the order is {order}, expected 1 to {HIGHEST_ORDER}")


def check_sequences(
    tokens: ArrayLike, offsets: ArrayLike, *, n_words: int
) -> tuple[Ints, NDArray[np.int64]]:
    """Tokens and offsets as arrays; GlyphoneError names the first value that is wrong."""
    words, bounds = np.asarray(tokens), np.asarray(offsets, np.int64)
    if words.ndim != 1 or bounds.ndim != 1 or (words.size and words.dtype.kind not in "iu"):
        raise GlyphoneError("tokens and offsets must be flat arrays of whole numbers")
    wrong = (words < 0) | (words >= n_words)
    if wrong.any():
        place = int(np.argmax(wrong))
        message = f"token {place} is {words[place]}, expected 0 to {n_words - 1}"
        raise GlyphoneError(message)
    ascending = len(bounds) and bounds[0] == 0 and bounds[-1] == len(words)
    if not ascending or (np.diff(bounds) < 0).any():
        raise GlyphoneError(f"the offsets do not divide {len(words)} tokens among sequences")
    return words.astype(np.int32, copy=False), bounds


def _check_weights(
    weights: ArrayLike | None, items: ArrayLike | None, n: int
) -> tuple[Floats, NDArray[np.int64]]:
    shares = np.ones(n) if weights is None else np.asarray(weights, np.float64)
    numbers = np.arange(n) if items is None else np.asarray(items, np.int64)
    if shares.shape != (n,) or numbers.shape != (n,):
        raise GlyphoneError(f"{n} sequences need {n} weights and items")
    wrong = ~(np.isfinite(shares) & (shares >= 0))
    if wrong.any():
        place = int(np.argmax(wrong))
        raise GlyphoneError(f"the weight of sequence {place} is {shares[place]}")
    changes = np.flatnonzero(np.diff(numbers)) + 1
    if len(np.unique(numbers)) != len(changes) + (n > 0):
        raise GlyphoneError("alternatives of one item must stand together")
    return shares, numbers


def _pad_sequences(words: Ints, bounds: NDArray[np.int64], n_words: int) -> tuple[Ints, Any, Ints]:
    """Sequences with <s> and </s>, the begin of each, and the tokens left from each place on."""
    lengths = np.diff(bounds) + 2
    starts = np.cumsum(lengths) - lengths
    padded = np.empty(int(lengths.sum()), np.int32)
    inside = np.ones(len(padded), np.bool_)
    inside[starts] = inside[starts + lengths - 1] = False
    padded[inside] = words
    padded[starts] = n_words + 1
    padded[starts + lengths - 1] = n_words
    left = np.repeat((starts + lengths).astype(np.int64), lengths) - np.arange(len(padded))
    return padded, starts, left.astype(np.int32)


def first_level(
    tokens: Ints, n_words: int, weights: Floats | None, items: NDArray[Any] | None
) -> Level:
    """The level of unigrams: every token, seen or not."""
    n = n_words + 2
    counts = np.bincount(tokens, weights, n)
    chances = None
    if items is not None and weights is not None:
        order = np.argsort(tokens, kind="stable")
        chances = _chances_of_counts(tokens[order], items[order], weights[order], n)
    else:
        counts = _as_integers(counts)
    nothing = np.zeros(n, np.int32)
    return Level(nothing, np.arange(n, dtype=np.int32), nothing, counts, chances)


def group_ngrams(
    parents: Ints,
    tokens: Ints,
    suffixes: Ints,
    n_words: int,
    weights: Floats | None,
    items: NDArray[Any] | None,
) -> tuple[Level, Ints]:
    """The level of some occurrences of n-grams, and the number on it of each occurrence."""
    keys = parents.astype(np.int64) * (n_words + 2) + tokens
    # Only sums of fractions depend on the order of equal keys.
    order = np.argsort(keys, kind=None if weights is None else "stable")
    keys = keys[order]
    new = np.ones(len(keys), np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    del keys
    firsts = np.flatnonzero(new)
    in_order = np.cumsum(new, dtype=np.int32) - np.int32(1)
    numbers = np.empty(len(order), np.int32)
    numbers[order] = in_order
    chances = None
    if weights is None:
        counts: NDArray[Any] = np.diff(np.append(firsts, len(order))).astype(np.int32)
    else:
        counts = np.bincount(in_order, weights[order], len(firsts))
        if items is None:
            counts = _as_integers(counts)
        else:
            chances = _chances_of_counts(in_order, items[order], weights[order], len(firsts))
    chosen = order[firsts]
    return Level(parents[chosen], tokens[chosen], suffixes[chosen], counts, chances), numbers


def _as_integers(counts: NDArray[Any]) -> NDArray[Any]:
    kind = np.int32 if counts.max(initial=0) < 2**31 else np.int64
    return counts.astype(kind)


def _chances_of_counts(rows: Ints, items: NDArray[Any], weights: Floats, n_rows: int) -> Floats:
    """P(count = r) of each row; all that one item adds to a row is one event."""
    new = np.ones(len(rows), np.bool_)
    new[1:] = (rows[1:] != rows[:-1]) | (items[1:] != items[:-1])
    firsts = np.flatnonzero(new)
    expected = np.add.reduceat(weights, firsts) if len(firsts) else weights
    kernels = jit.tier(ngram_kernels, len(firsts))
    chances: Floats = kernels.zero_chances(n_rows)
    kernels.add_events(chances, rows[firsts], expected)
    return chances
