"""Kernels: the features of candidates for telephone numbers, and the sums of their weights.

A feature is a number: the offset of its template plus its value. Features of the words beside a
candidate occur twice, alone and with the length of the number: three digits behind "room" are no
telephone number, seven are. `list_features` gives them names.

>>> sum_weights(np.array([0.5, 1.0, 2.0]), np.array([0, 2, 1]), np.array([0, 2, 3])).tolist()
[2.5, 1.0]
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.voicemail.numbers.column_kernels import (
    AREA,
    BEGIN,
    BEST,
    EDGES,
    END,
    EXTENSION,
    FLAGS,
    LENGTH,
    OF_ALONE,
    OF_BEST,
    OF_EDGES,
    OF_EXTENSION,
    OF_FLAG,
    OF_POSTERIOR,
    OF_READING,
    OF_RIVAL,
    OF_SHAPE,
    OF_SHARE,
    OF_SUPPORT,
    OF_WORDS,
    POSTERIOR,
    SHAPE,
    SUPPORT,
    SUPPORT_SHAPE,
    WORDS,
    Parts,
    Scales,
    Signs,
)

growing = sibling(__name__, "glyphone.data.kernels.arrays")
surrounding = sibling(__name__, "glyphone.voicemail.numbers.surrounding_kernels")
add_features_before = surrounding.add_features_before
add_features_behind = surrounding.add_features_behind
first_near, labels_in = surrounding.first_near, surrounding.labels_in
longest_span, word_owners = surrounding.longest_span, surrounding.word_owners
shared = sibling(__name__, "glyphone.voicemail.numbers.column_kernels")
append_value, rank_of = shared.append_value, shared.rank_of
number_words = sibling(__name__, "glyphone.voicemail.numbers.run_kernels")
add_end_features, add_run_features = number_words.add_end_features, number_words.add_run_features
add_word_features, run_lengths = number_words.add_word_features, number_words.run_lengths

Array = Any
# More features than any candidate has.
MOST = 512


@kernel
def list_features(
    offsets: Array,
    sizes: Array,
    scales: Scales,
    signs: Signs,
    codes: Array,
    kinds: Array,
    word_bounds: Array,
    wholes: Array,
    shares: Array,
    bounds: Array,
    parts: Parts,
) -> tuple[Array, Array]:
    """The features of all candidates in a row, and the begin of the features of each.

    Message k has the words codes[word_bounds[k]:word_bounds[k + 1]], and as many kinds, and the
    candidates bounds[k]:bounds[k + 1], sorted by begin.
    """
    found, firsts, n = np.empty(1024, np.int64), np.zeros(len(wholes) + 1, np.int64), 0
    for k in range(len(bounds) - 1):
        if bounds[k] == bounds[k + 1]:
            continue
        words = codes[word_bounds[k] : word_bounds[k + 1]]
        sorts = kinds[word_bounds[k] : word_bounds[k + 1]]
        mine, weights = wholes[bounds[k] : bounds[k + 1]], shares[bounds[k] : bounds[k + 1]]
        others = parts.rows[parts.bounds[k] : parts.bounds[k + 1]]
        posteriors = parts.posteriors[parts.bounds[k] : parts.bounds[k + 1]]
        taken = word_owners(mine, weights[:, POSTERIOR], others, posteriors, len(words))
        reach, other_reach = longest_span(mine), longest_span(others)
        ahead, rest = run_lengths(sorts)
        for place in range(len(mine)):
            while n + MOST > len(found):
                found = growing.doubled_rows(found)
            one = mine[place]
            n = add_digit_features(offsets, scales, one, weights[place], found, n)
            n = add_rival_features(
                offsets, scales, mine, weights[:, POSTERIOR], place, reach, found, n
            )
            left = rank_of(ahead[one[BEGIN]], scales.runs)
            right = rank_of(rest[one[END]], scales.runs)
            n = add_word_features(offsets, sorts, one, found, n)
            n = add_run_features(offsets, sizes, scales, left, right, one, found, n)
            said = labels_in(others, posteriors, one, other_reach, sizes[OF_READING] // 3)
            for label in range(len(said)):
                if said[label] >= 0:
                    value = 3 * label + rank_of(said[label], scales.readings)
                    n = append_value(found, n, offsets[OF_READING] + value)
            first = n
            n = add_features_before(
                offsets, sizes, scales, signs, words, mine, others, taken, place, said, found, n
            )
            n = add_features_behind(offsets, signs, words, mine, others, taken, place, found, n)
            n = add_end_features(offsets, scales, sorts, left, right, one, found, n)
            for at in range(first, n):
                found[n + at - first] = found[at] + 1 + one[LENGTH]
            n += n - first
            firsts[bounds[k] + place + 1] = n
    return found[:n], firsts


@kernel
def add_digit_features(
    offsets: Array, scales: Scales, one: Array, shares: Array, found: Array, n: int
) -> int:
    """Add the features of the digits of a candidate; return the new count."""
    n = append_value(found, n, offsets[OF_SHAPE] + one[SHAPE])
    n = append_value(found, n, offsets[OF_POSTERIOR] + rank_of(shares[POSTERIOR], scales.shares))
    inside = shares[POSTERIOR] / max(shares[EDGES], 1e-300)
    n = append_value(found, n, offsets[OF_SHARE] + rank_of(inside, scales.shares))
    n = append_value(found, n, offsets[OF_EDGES] + rank_of(shares[EDGES], scales.shares))
    n = append_value(found, n, offsets[OF_BEST] + rank_of(shares[BEST], scales.shares))
    n = append_value(found, n, offsets[OF_WORDS] + rank_of(one[WORDS], scales.words))
    n = append_value(found, n, offsets[OF_SUPPORT] + min(one[SUPPORT], 2))
    if one[SUPPORT]:
        n = append_value(found, n, offsets[SUPPORT_SHAPE] + one[SHAPE])
    if one[EXTENSION]:
        n = append_value(found, n, offsets[OF_EXTENSION] + min(one[EXTENSION], 6))
    for flag in range(FLAGS):
        if one[AREA + flag]:
            n = append_value(found, n, offsets[OF_FLAG] + flag)
    return n


@kernel
def add_rival_features(
    offsets: Array,
    scales: Scales,
    mine: Array,
    weights: Array,
    place: int,
    reach: int,
    found: Array,
    n: int,
) -> int:
    """Add the log odds of a candidate against the likeliest one that shares words with it."""
    one, best = mine[place], -1.0
    for k in range(first_near(mine, one[BEGIN], reach), len(mine)):
        if mine[k, BEGIN] >= one[END]:
            break
        if mine[k, END] > one[BEGIN] and k != place:
            best = max(best, weights[k])
    if best < 0:
        return int(append_value(found, n, offsets[OF_ALONE]))
    odds = math.log((weights[place] + 1e-9) / (best + 1e-9))
    return int(append_value(found, n, offsets[OF_RIVAL] + rank_of(odds, scales.rivals)))


@kernel
def sum_weights(table: Array, found: Array, firsts: Array) -> Array:
    """The sum of the weights of the features of each candidate."""
    result = np.zeros(len(firsts) - 1)
    for k in range(len(result)):
        for at in range(firsts[k], firsts[k + 1]):
            result[k] += table[found[at]]
    return result
