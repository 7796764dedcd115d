"""Columns of candidates for telephone numbers and of words, for kernels.

Kernels that several modules share stand here, too: machine code is rebuilt when a module with
kernels, or a constant in it, changes.

>>> LENGTH < MANNER, OF_SHAPE, SIDES
(True, 0, 5)
>>> rank_of(0.3, (0.1, 0.3, 0.5))
2
"""

from __future__ import annotations

from typing import Any, NamedTuple

from glyphone.data.kernels.jit import kernel

Array = Any

# How many words before and behind a candidate have features, how many of them are near, and how
# many are paired with the next: "phone number is" differs from "member number is".
BEFORE, BEHIND, NEAR, PAIRED = 8, 4, 4, 4
SURE = 0.5  # a posterior of readings that are taken for granted
NOTHING = -1
# Columns of candidates: whole numbers, and shares.
(BEGIN, END, SHAPE, WORDS, SUPPORT, EXTENSION, AREA, CORRECTED, HESITANT, MAXIMAL, REPLACED, LENGTH,
 MANNER) = range(13)  # fmt: skip
POSTERIOR, EDGES, BEST = range(3)
FLAGS = 5  # from AREA on
# Kinds of words in numbers, and the most words whose kinds are one feature, in order.
OTHER, DIGIT, TEEN, TENS, ROUND, TWICE, OPENING, FIGURES = range(8)
KINDS, PATTERNED = 8, 4
# Templates of features of a candidate, and of the words beside it.
(OF_SHAPE, OF_POSTERIOR, OF_SHARE, OF_EDGES, OF_BEST, OF_WORDS, OF_SUPPORT, SUPPORT_SHAPE,
 OF_EXTENSION, OF_FLAG, OF_RIVAL, OF_ALONE, OF_READING, OF_PATTERN, OF_WHICH, SHAPE_BEFORE,
 SHAPE_BEHIND, BEFORE_1, BEFORE_2, PAIR_0, PAIR_1, PAIR_2, PAIR_3, OF_NEAR, OF_FAR, OF_WORD,
 OF_TOPIC, TOPIC_SHAPE, TOPIC_SAID, TOPIC_READING, OF_LEFT, OF_BEGIN, OF_NEXT, OF_AFTER,
 OF_RUN_BEFORE, OF_RUN_BEHIND, OF_RUNS, OF_FIRST, OF_LAST) = range(39)  # fmt: skip
SIDES = 5  # by itself, and with one of four lengths


class Scales(NamedTuple):
    """From which values on a number is in the next class."""

    shares: Array
    rivals: Array
    readings: Array
    places: Array
    words: Array
    runs: Array


class Signs(NamedTuple):
    """Sorts of words by code: the first sort, all sorts as bits, the first topic, and the number of
    the word in the list; and symbols that are no sorts: `telephone` is the first label, others
    follow."""

    first: Array
    sorts: Array
    topics: Array
    words: Array
    telephone: int
    start: int
    end: int
    bound: int


class Parts(NamedTuple):
    """Readings of words as something else: rows of begin, end, label; posteriors; the first of each
    message, sorted by begin."""

    rows: Array
    posteriors: Array
    bounds: Array


@kernel
def append_value(found: Array, n: int, value: int) -> int:
    """Store a value at place n; return the next place."""
    found[n] = value
    return n + 1


@kernel
def rank_of(value: float, bounds: Array) -> int:
    """The number of bounds that a value has reached."""
    n = 0
    while n < len(bounds) and value >= bounds[n]:
        n += 1
    return n
