"""Exponentials of many numbers at once.

>>> import numpy as np
>>> values, halves = np.array([0.0, 1.0, -1000.0]), np.zeros(3)
>>> write_exp(values, halves, halves.view(np.int64))
>>> values.round(6).tolist()
[1.0, 2.718282, 0.0]
"""

from __future__ import annotations

from typing import Any

from glyphone.data.kernels.jit import fused

Array = Any
# Beyond, exponentials are as far from 1 as numbers go; below, they are 0.
LIMIT = 700.0
# ln 2 in two parts, of which the first has so few digits that its multiples are exact.
LOG2E, LN2_HIGH, LN2_LOW = 1.4426950408889634, 0.693147180369123816490, 1.90821492927058770002e-10
# Added to a number, it leaves the nearest whole one in the last digits.
ROUNDING = 6755399441055744.0
EXPONENT, ONE = 52, 1023 << 52


@fused
def write_exp(values: Array, halves: Array, bits: Array) -> None:
    """Put exponentials in place of values, several at a time, to the last digit but one.

    exp(x) = 2^k exp(r) with |r| <= ln 2 / 2, the latter by its series (after Cody and Waite 1980).
    The doubles `halves` have the `bits`, in which 2^k is written by moving k to the exponent.
    """
    for k in range(len(values)):
        x = min(max(values[k], -LIMIT), LIMIT)
        rounded = x * LOG2E + ROUNDING
        halves[k] = rounded
        whole = rounded - ROUNDING
        r = (x - whole * LN2_HIGH) - whole * LN2_LOW
        p = 1.0 / 6227020800.0
        p = p * r + 1.0 / 479001600.0
        p = p * r + 1.0 / 39916800.0
        p = p * r + 1.0 / 3628800.0
        p = p * r + 1.0 / 362880.0
        p = p * r + 1.0 / 40320.0
        p = p * r + 1.0 / 5040.0
        p = p * r + 1.0 / 720.0
        p = p * r + 1.0 / 120.0
        p = p * r + 1.0 / 24.0
        p = p * r + 1.0 / 6.0
        p = p * r + 0.5
        p = p * r + 1.0
        p = p * r + 1.0
        values[k] = p if values[k] >= -LIMIT else 0.0
    for k in range(len(values)):
        bits[k] = (bits[k] << EXPONENT) + ONE
    for k in range(len(values)):
        values[k] *= halves[k]
