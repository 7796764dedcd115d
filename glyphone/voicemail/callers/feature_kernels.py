"""Kernels: features of places, conjunctions of columns with a weight for every event or label.

A feature is a template t, a tuple of columns, and the codes in these columns, as one number:

    key = ((t * 2^12 + code of the first column + 1) * 2^12 + code of the second + 1) ...

Keys that are frequent enough in training have weights; all others weigh 0.

>>> rows = np.array([[1, 2, 3], [1, 5, 3]], np.int32)
>>> found = feature_keys(rows, np.array([[0, 2, -1, -1], [1, 0, 2, -1]]))
>>> bool(found[0, 0] == found[1, 0]), bool(found[0, 1] == found[1, 1])
(True, False)
>>> table = hash_table(np.unique(found))
>>> key_numbers(found, table).tolist()
[[0, 1], [0, 2]]
>>> weights = np.array([[0.5], [1.0], [0.25]])
>>> few = bloom_filter(np.unique(found))
>>> sum_weights(rows, np.array([[0, 2, -1, -1], [1, 0, 2, -1]]), few, table, weights).tolist()
[[1.5], [0.75]]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel
from glyphone.voicemail.callers.column_kernels import (
    CLASS,
    CLASSES_BEFORE,
    FORM,
    FORMS_BEFORE,
    LAST_TWO,
    NEXT_CLAUSE,
    NEXT_SUBJECT,
    NEXT_TWO,
    POSITION,
    SINCE_NAME,
    SINCE_PREPOSITION,
)

Array = Any
BITS = 12
MOST = 4  # columns of a template
NONE = -1
# Odd factors that spread the two halves of a key without leaving 63 bits, and a prime shift.
LOW, HIGH, SHIFT = 40503, 30011, 13
HALF = 24
SPARSE = 12  # bits for each key


def f(offset: int) -> int:
    """The column of the form of the word at an offset from the place."""
    return FORM + FORMS_BEFORE + offset


def c(offset: int) -> int:
    """The column of the class of the word at an offset from the place."""
    return CLASS + CLASSES_BEFORE + offset


SETS: tuple[tuple[int, ...], ...] = (
    (),
    *((f(k),) for k in range(-3, 5)),
    *((c(k),) for k in range(-4, 6)),
    *((f(k), f(k + 1)) for k in range(-3, 3)),
    *((c(k), c(k + 1)) for k in range(-4, 5)),
    *((c(k), c(k + 1), c(k + 2)) for k in range(-3, 4)),
    (f(-1), f(0), f(1)), (f(-2), f(-1), f(0)), (f(0), f(1), f(2)),
    (c(-2), c(-1), c(0), c(1)), (c(-1), c(0), c(1), c(2)), (c(0), c(1), c(2), c(3)),
    (c(-4), c(-3), c(-2), c(-1)),
    (c(-1), f(0)), (f(-1), c(0)), (c(-1), f(0), c(1)), (c(-1), f(0), f(1)), (f(-2), f(-1), c(0)),
    (NEXT_CLAUSE,), (NEXT_SUBJECT,), (NEXT_TWO,), (LAST_TWO,), (SINCE_NAME,),
    (SINCE_PREPOSITION,), (POSITION,),
    (c(0), NEXT_CLAUSE), (c(-1), c(0), NEXT_CLAUSE), (c(0), c(1), NEXT_CLAUSE),
    (f(0), NEXT_CLAUSE), (f(-1), NEXT_CLAUSE), (c(0), NEXT_SUBJECT, NEXT_CLAUSE),
    (NEXT_TWO, c(-1)), (NEXT_TWO, f(0)), (LAST_TWO, c(0)), (LAST_TWO, f(0)), (LAST_TWO, NEXT_TWO),
    (c(-1), NEXT_TWO, SINCE_NAME), (SINCE_NAME, c(0)), (SINCE_NAME, f(0)), (SINCE_NAME, f(-1)),
    (SINCE_NAME, SINCE_PREPOSITION, c(0)), (SINCE_PREPOSITION, c(-1), c(0)),
    (POSITION, c(0)), (POSITION, c(-1), c(0)), (POSITION, f(0), f(1)),
)  # fmt: skip
TEMPLATES = np.array([(*some, *[NONE] * (MOST - len(some))) for some in SETS])


@kernel
def feature_keys(rows: Array, templates: Array) -> Array:
    """The key of each template at each place."""
    found = np.empty((len(rows), len(templates)), np.int64)
    for i in range(len(rows)):
        for t in range(len(templates)):
            found[i, t] = feature_key(rows[i], templates[t], t)
    return found


@kernel
def feature_key(row: Array, template: Array, t: int) -> int:
    found = t
    for k in range(MOST):
        column = template[k]
        if column < 0:
            return found << BITS * (MOST - k)
        found = (found << BITS) | (int(row[column]) + 1)
    return found


@kernel
def first_slot(wanted: int, size: int) -> int:
    """The first slot of a key in a hash table whose size is a power of 2."""
    spread = (wanted & ((1 << HALF) - 1)) * LOW + (wanted >> HALF) * HIGH
    return (spread ^ (spread >> SHIFT)) & (size - 1)


@kernel
def hash_table(found: Array) -> Array:
    """A hash table of keys and their numbers for `key_number`, at least half of it empty."""
    size = 1
    while size < 2 * len(found) + 1:
        size *= 2
    table = np.full((size, 2), NONE, np.int64)
    for number in range(len(found)):
        at = first_slot(found[number], size)
        while table[at, 0] != NONE:
            at = (at + 1) & (size - 1)
        table[at, 0], table[at, 1] = found[number], number
    return table


@kernel
def bloom_filter(found: Array) -> Array:
    """A Bloom filter with one hash: a bit for each key, which excludes most other keys.

    It has fewer bits than the hash table has bytes, so that it stays in the cache of a core.
    """
    size = 1 << 13
    while size < SPARSE * len(found):
        size *= 2
    bits = np.zeros(size >> 3, np.uint8)
    for number in range(len(found)):
        at = first_slot(found[number], size)
        bits[at >> 3] |= np.uint8(1 << (at & 7))
    return bits


@kernel
def key_number(wanted: int, table: Array) -> int:
    """The number of a key, NONE for unknown keys."""
    at = first_slot(wanted, len(table))
    while table[at, 0] != wanted and table[at, 0] != NONE:
        at = (at + 1) & (len(table) - 1)
    return int(table[at, 1])


@kernel
def key_numbers(found: Array, table: Array) -> Array:
    """The numbers of keys, NONE for unknown keys."""
    numbers = np.empty(found.shape, np.int32)
    for i in range(len(found)):
        for t in range(found.shape[1]):
            numbers[i, t] = key_number(found[i, t], table)
    return numbers


@kernel
def sum_numbered(numbers: Array, weights: Array) -> Array:
    """The sums of the weights of numbered features, for each place."""
    found = np.zeros((len(numbers), weights.shape[1]))
    for i in range(len(numbers)):
        for number in numbers[i]:
            if number != NONE:
                for head in range(found.shape[1]):
                    found[i, head] += weights[number, head]
    return found


@kernel
def sum_weights(rows: Array, templates: Array, bits: Array, table: Array, weights: Array) -> Array:
    """The sums of the weights of the features of rows of columns, for each place."""
    found = np.zeros((len(rows), weights.shape[1]))
    for i in range(len(rows)):
        for t in range(len(templates)):
            wanted = feature_key(rows[i], templates[t], t)
            at = first_slot(wanted, 8 * len(bits))
            if bits[at >> 3] >> (at & 7) & 1:
                number = key_number(wanted, table)
                if number != NONE:
                    for head in range(found.shape[1]):
                        found[i, head] += weights[number, head]
    return found


@kernel
def add_back(numbers: Array, changes: Array, gradient: Array) -> None:
    """Add the gradient of the sums at each place to the gradient of the weights."""
    for i in range(len(numbers)):
        for number in numbers[i]:
            if number != NONE:
                for head in range(changes.shape[1]):
                    gradient[number, head] += changes[i, head]
