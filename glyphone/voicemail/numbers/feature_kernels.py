"""Kernels: the features of candidates for telephone numbers, and the sums of their weights.

A feature is a number: the offset of its template plus its value. Features of the words beside a
candidate occur twice, alone and with the length of the number: three digits behind "room" are no
telephone number, seven are. `features` gives them names.

>>> sums(np.array([0.5, 1.0, 2.0]), np.array([0, 2, 1]), np.array([0, 2, 3])).tolist()
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
around = sibling(__name__, "glyphone.voicemail.numbers.surrounding_kernels")
before, behind, first_near, labels_in = (
    around.before,
    around.behind,
    around.first_near,
    around.labels_in,
)
longest, owners = around.longest, around.owners
shared = sibling(__name__, "glyphone.voicemail.numbers.column_kernels")
put, ranked = shared.put, shared.ranked
said_with = sibling(__name__, "glyphone.voicemail.numbers.run_kernels")
of_ends, of_runs, of_words, runs = (
    said_with.of_ends,
    said_with.of_runs,
    said_with.of_words,
    said_with.runs,
)

Array = Any
# More features than any candidate has.
MOST = 512


@kernel
def features(
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
    """The features of all candidates, one after the other, and where those of each begin.

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
        taken = owners(mine, weights[:, POSTERIOR], others, posteriors, len(words))
        reach, other_reach = longest(mine), longest(others)
        ahead, rest = runs(sorts)
        for place in range(len(mine)):
            while n + MOST > len(found):
                found = growing.doubled(found)
            one = mine[place]
            n = of_digits(offsets, scales, one, weights[place], found, n)
            n = of_rivals(offsets, scales, mine, weights[:, POSTERIOR], place, reach, found, n)
            left = ranked(ahead[one[BEGIN]], scales.runs)
            right = ranked(rest[one[END]], scales.runs)
            n = of_words(offsets, sorts, one, found, n)
            n = of_runs(offsets, sizes, scales, left, right, one, found, n)
            said = labels_in(others, posteriors, one, other_reach, sizes[OF_READING] // 3)
            for label in range(len(said)):
                if said[label] >= 0:
                    value = 3 * label + ranked(said[label], scales.readings)
                    n = put(found, n, offsets[OF_READING] + value)
            first = n
            n = before(
                offsets, sizes, scales, signs, words, mine, others, taken, place, said, found, n
            )
            n = behind(offsets, signs, words, mine, others, taken, place, found, n)
            n = of_ends(offsets, scales, sorts, left, right, one, found, n)
            for at in range(first, n):
                found[n + at - first] = found[at] + 1 + one[LENGTH]
            n += n - first
            firsts[bounds[k] + place + 1] = n
    return found[:n], firsts


@kernel
def of_digits(
    offsets: Array, scales: Scales, one: Array, shares: Array, found: Array, n: int
) -> int:
    """Adds the features of the digits of a candidate; returns the new count."""
    n = put(found, n, offsets[OF_SHAPE] + one[SHAPE])
    n = put(found, n, offsets[OF_POSTERIOR] + ranked(shares[POSTERIOR], scales.shares))
    inside = shares[POSTERIOR] / max(shares[EDGES], 1e-300)
    n = put(found, n, offsets[OF_SHARE] + ranked(inside, scales.shares))
    n = put(found, n, offsets[OF_EDGES] + ranked(shares[EDGES], scales.shares))
    n = put(found, n, offsets[OF_BEST] + ranked(shares[BEST], scales.shares))
    n = put(found, n, offsets[OF_WORDS] + ranked(one[WORDS], scales.words))
    n = put(found, n, offsets[OF_SUPPORT] + min(one[SUPPORT], 2))
    if one[SUPPORT]:
        n = put(found, n, offsets[SUPPORT_SHAPE] + one[SHAPE])
    if one[EXTENSION]:
        n = put(found, n, offsets[OF_EXTENSION] + min(one[EXTENSION], 6))
    for flag in range(FLAGS):
        if one[AREA + flag]:
            n = put(found, n, offsets[OF_FLAG] + flag)
    return n


@kernel
def of_rivals(
    offsets: Array,
    scales: Scales,
    mine: Array,
    weights: Array,
    place: int,
    reach: int,
    found: Array,
    n: int,
) -> int:
    """Adds the log odds of a candidate against the likeliest one that shares words with it."""
    one, best = mine[place], -1.0
    for k in range(first_near(mine, one[BEGIN], reach), len(mine)):
        if mine[k, BEGIN] >= one[END]:
            break
        if mine[k, END] > one[BEGIN] and k != place:
            best = max(best, weights[k])
    if best < 0:
        return int(put(found, n, offsets[OF_ALONE]))
    odds = math.log((weights[place] + 1e-9) / (best + 1e-9))
    return int(put(found, n, offsets[OF_RIVAL] + ranked(odds, scales.rivals)))


@kernel
def sums(table: Array, found: Array, firsts: Array) -> Array:
    """The sum of the weights of the features of each candidate."""
    result = np.zeros(len(firsts) - 1)
    for k in range(len(result)):
        for at in range(firsts[k], firsts[k + 1]):
            result[k] += table[found[at]]
    return result
