"""Weights that are not zero, among many that are.

>>> NO_WEIGHTS
Weights(numbers=array([], dtype=int64), values=array([], dtype=float64))
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any


class Weights(NamedTuple):
    """The weights that are not zero: their numbers in a space, in increasing order, and values."""

    numbers: Array
    values: Array


NO_WEIGHTS = Weights(np.zeros(0, np.int64), np.zeros(0))
