"""Kernels: number words inside a candidate and right beside it, as features.

The counts of number words left over on both sides show where one number ends and the next begins;
the kinds of words inside separate prices from numbers: "just ninety eight fifty seven".

>>> before, behind = run_lengths(np.array([0, 1, 1, 3, 0]))
>>> before.tolist(), behind.tolist()
([0, 0, 1, 2, 3, 0], [0, 3, 2, 1, 0, 0])
>>> int(pattern_of(np.array([3]))), int(pattern_of(np.array([3, 1])))
(3, 33)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.voicemail.numbers.column_kernels import (
    BEGIN,
    DIGIT,
    END,
    KINDS,
    OF_FIRST,
    OF_LAST,
    OF_PATTERN,
    OF_RUN_BEFORE,
    OF_RUN_BEHIND,
    OF_RUNS,
    OF_WHICH,
    PATTERNED,
    SHAPE,
    SHAPE_BEFORE,
    SHAPE_BEHIND,
    SIDES,
    TWICE,
    Scales,
)

append_value = sibling(__name__, "glyphone.voicemail.numbers.column_kernels").append_value

Array = Any


@kernel
def run_lengths(kinds: Array) -> tuple[Array, Array]:
    """The lengths of the runs of number words that end before each place, and that begin there."""
    n = len(kinds)
    before, behind = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    for place in range(n):
        if DIGIT <= kinds[place] <= TWICE:
            before[place + 1] = before[place] + 1
    for place in range(n - 1, -1, -1):
        if DIGIT <= kinds[place] <= TWICE:
            behind[place] = behind[place + 1] + 1
    return before, behind


@kernel
def pattern_of(kinds: Array) -> int:
    """The number of a pattern of words; patterns of one word come first, then patterns of two."""
    found = -1
    for kind in kinds:
        found = KINDS * (found + 1) + kind
    return found


@kernel
def add_word_features(offsets: Array, kinds: Array, one: Array, found: Array, n: int) -> int:
    """Add the kinds of words of a candidate, in order if they are few."""
    inside = kinds[one[BEGIN] : one[END]]
    if len(inside) <= PATTERNED:
        return int(append_value(found, n, offsets[OF_PATTERN] + pattern_of(inside)))
    which = 0
    for kind in inside:
        which |= 1 << kind
    return int(append_value(found, n, offsets[OF_WHICH] + which))


@kernel
def add_run_features(
    offsets: Array,
    sizes: Array,
    scales: Scales,
    left: int,
    right: int,
    one: Array,
    found: Array,
    n: int,
) -> int:
    """Add the ranks of the runs left over on both sides, each with the shape of the candidate."""
    shapes = sizes[SHAPE_BEFORE] // (len(scales.runs) + 1)
    n = append_value(found, n, offsets[SHAPE_BEFORE] + shapes * left + one[SHAPE])
    return int(append_value(found, n, offsets[SHAPE_BEHIND] + shapes * right + one[SHAPE]))


@kernel
def add_end_features(
    offsets: Array,
    scales: Scales,
    kinds: Array,
    left: int,
    right: int,
    one: Array,
    found: Array,
    n: int,
) -> int:
    """Add the ranks of the runs on both sides, and the kinds of the first and the last word."""
    n = append_value(found, n, offsets[OF_RUN_BEFORE] + SIDES * left)
    n = append_value(found, n, offsets[OF_RUN_BEHIND] + SIDES * right)
    both = (len(scales.runs) + 1) * left + right
    n = append_value(found, n, offsets[OF_RUNS] + SIDES * both)
    n = append_value(found, n, offsets[OF_FIRST] + SIDES * kinds[one[BEGIN]])
    return int(append_value(found, n, offsets[OF_LAST] + SIDES * kinds[one[END] - 1]))
