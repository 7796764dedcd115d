"""Kernels: the words around a candidate for a telephone number, as features.

Features reach no further than the next number that the grammar is sure of: the words around a time
are no cues of the telephone number behind it.

>>> rows = np.array([[0, 2, 0], [1, 3, 0], [5, 6, 0]])
>>> first_near(rows, 2, longest_span(rows)), first_near(rows, 3, longest_span(rows))
(1, 2)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.voicemail.numbers.column_kernels import (
    BEFORE,
    BEFORE_1,
    BEGIN,
    BEHIND,
    END,
    MANNER,
    NEAR,
    NOTHING,
    OF_AFTER,
    OF_BEGIN,
    OF_FAR,
    OF_LEFT,
    OF_NEAR,
    OF_NEXT,
    OF_SHAPE,
    OF_TOPIC,
    OF_WORD,
    PAIR_0,
    PAIRED,
    SHAPE,
    SIDES,
    SURE,
    TOPIC_READING,
    TOPIC_SAID,
    TOPIC_SHAPE,
    Scales,
    Signs,
)

shared = sibling(__name__, "glyphone.voicemail.numbers.column_kernels")
append_value, rank_of = shared.append_value, shared.rank_of

Array = Any


@kernel
def longest_span(rows: Array) -> int:
    """The length of the longest span of rows of begin and end."""
    length = 0
    for k in range(len(rows)):
        length = max(length, rows[k, 1] - rows[k, 0])
    return length


@kernel
def first_near(rows: Array, begin: int, reach: int) -> int:
    """The first of some rows, sorted by begin, that may reach beyond a place."""
    low, high = 0, len(rows)
    while low < high:
        middle = (low + high) // 2
        if rows[middle, 0] + reach <= begin:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def word_owners(mine: Array, weights: Array, others: Array, posteriors: Array, n: int) -> Array:
    """The candidate, or behind candidates the reading, that each word is part of, if its posterior
    is at least `SURE`; the likeliest, of equals the last."""
    found, best = np.full(n, NOTHING, np.int64), np.full(n, SURE)
    for part in range(len(mine) + len(others)):
        if part < len(mine):
            row, weight = mine[part], weights[part]
        else:
            row, weight = others[part - len(mine)], posteriors[part - len(mine)]
        for place in range(row[0], row[1]):
            if weight >= best[place]:
                best[place], found[place] = weight, part
    return found


@kernel
def label_at(mine: Array, others: Array, taken: Array, place: int, at: int, telephone: int) -> int:
    """The symbol of the part that a word beside a candidate belongs to, if it shares no words."""
    part = taken[at]
    if part == NOTHING:
        return NOTHING
    one = mine[place]
    row = mine[part] if part < len(mine) else others[part - len(mine)]
    if one[BEGIN] < row[1] and row[0] < one[END]:
        return NOTHING
    return int(telephone if part < len(mine) else telephone + row[2])


@kernel
def labels_in(others: Array, posteriors: Array, one: Array, reach: int, n: int) -> Array:
    """For each label, the posterior of the last reading that shares words with a candidate; else
    -1."""
    found = np.full(n, -1.0)
    for k in range(first_near(others, one[BEGIN], reach), len(others)):
        if others[k, 0] >= one[END]:
            break
        if others[k, 1] > one[BEGIN]:
            found[others[k, 2]] = posteriors[k]
    return found


@kernel
def add_features_before(
    offsets: Array,
    sizes: Array,
    scales: Scales,
    signs: Signs,
    words: Array,
    mine: Array,
    others: Array,
    taken: Array,
    place: int,
    said: Array,
    found: Array,
    n: int,
) -> int:
    """Add features of the words before a candidate, and its distances from both ends."""
    one, topic, last, seen = mine[place], NOTHING, signs.bound, 0
    n_symbols, n_shapes = sizes[BEFORE_1], sizes[OF_SHAPE]
    for far in range(1, BEFORE + 1):
        at = one[BEGIN] - far
        label = signs.start
        if at >= 0:
            label = label_at(mine, others, taken, place, at, signs.telephone)
        if label != NOTHING:
            if far <= 2:
                n = append_value(found, n, offsets[BEFORE_1 + far - 1] + SIDES * label)
            if far <= PAIRED:
                pair = label * n_symbols + last
                n = append_value(found, n, offsets[PAIR_0 + far - 1] + SIDES * pair)
            break
        code = words[at]
        first, sorts = signs.first[code], signs.sorts[code]
        if 1 < far <= PAIRED:
            n = append_value(
                found, n, offsets[PAIR_0 + far - 1] + SIDES * (first * n_symbols + last)
            )
        last, sort = first, 0
        while sorts >> sort:
            if sorts >> sort & 1:
                if far <= 2:
                    n = append_value(found, n, offsets[BEFORE_1 + far - 1] + SIDES * sort)
                if not seen >> sort & 1:
                    template = OF_NEAR if far <= NEAR else OF_FAR
                    n = append_value(found, n, offsets[template] + SIDES * sort)
            sort += 1
        if topic == NOTHING:
            topic = signs.topics[code]
        if far == 1 and signs.words[code] != NOTHING:
            n = append_value(found, n, offsets[OF_WORD] + SIDES * signs.words[code])
        seen |= sorts
    topic += 1  # 0 is none
    n = append_value(found, n, offsets[OF_TOPIC] + SIDES * topic)
    n = append_value(found, n, offsets[TOPIC_SHAPE] + SIDES * (topic * n_shapes + one[SHAPE]))
    n = append_value(found, n, offsets[TOPIC_SAID] + SIDES * (2 * topic + one[MANNER]))
    for label in range(len(said)):
        if said[label] >= 0:
            n = append_value(found, n, offsets[TOPIC_READING] + SIDES * (topic * len(said) + label))
    left = rank_of(len(words) - one[END], scales.places)
    n = append_value(found, n, offsets[OF_LEFT] + SIDES * left)
    return int(
        append_value(found, n, offsets[OF_BEGIN] + SIDES * rank_of(one[BEGIN], scales.places))
    )


@kernel
def add_features_behind(
    offsets: Array,
    signs: Signs,
    words: Array,
    mine: Array,
    others: Array,
    taken: Array,
    place: int,
    found: Array,
    n: int,
) -> int:
    """Add features of the words behind a candidate."""
    one, seen = mine[place], 0
    for at in range(one[END], one[END] + BEHIND):
        label = signs.end
        if at < len(words):
            label = label_at(mine, others, taken, place, at, signs.telephone)
        if label != NOTHING:
            if at == one[END]:
                n = append_value(found, n, offsets[OF_NEXT] + SIDES * label)
            break
        sorts, sort = signs.sorts[words[at]], 0
        while sorts >> sort:
            if sorts >> sort & 1:
                if at == one[END]:
                    n = append_value(found, n, offsets[OF_NEXT] + SIDES * sort)
                if not seen >> sort & 1:
                    n = append_value(found, n, offsets[OF_AFTER] + SIDES * sort)
            sort += 1
        seen |= sorts
    return n
