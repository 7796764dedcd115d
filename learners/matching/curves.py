"""Piecewise linear functions of features: a feature counts by where it is in its range.

The range of a feature in training has knots at equal distances. A value between two knots is the
share of either that is nearer to it, so that a linear model of these shares has a weight for each
knot, and is a line between two. Values beyond the range count as its ends.

>>> ranges = np.array([[0.0], [6.0]])
>>> knot_shares(np.array([[0.0], [1.0], [2.0], [9.0]]), ranges)[:, 0].tolist()
[[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

Array = Any
KNOTS: Final = 4


def feature_ranges(values: Array) -> Array:
    """The least and the greatest value of each column."""
    return np.stack([values.min(0), values.max(0)])


def knot_shares(values: Array, ranges: Array) -> Array:
    """The shares of knots, by rows, columns and knots; a column without a range has its first."""
    low, high = ranges
    widths = np.where(high > low, high - low, 1.0)
    places = (np.clip(values, low, high) - low) / widths * (KNOTS - 1)
    return np.maximum(0.0, 1.0 - abs(places[..., None] - np.arange(KNOTS)))
