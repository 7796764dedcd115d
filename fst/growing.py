"""Kernel: arrays that grow as they fill.

>>> import numpy as np
>>> doubled(np.array([1, 2])).shape, doubled(np.zeros((3, 2))).shape
((4,), (6, 2))
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data.jit import inlined, kernel

Array = Any


@kernel
def doubled(array: Array) -> Array:
    """Twice as many rows, of which the first are those of the array, and the others anything."""
    larger = np.empty((2 * len(array), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


@inlined
def put(rows: Array, row: int, values: tuple[int, ...]) -> None:
    """A row of numbers, all of one type: numba would make an array of a tuple first."""
    for column in range(len(values)):
        rows[row, column] = values[column]


def bounds_of(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    bounds = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=bounds[1:])
    return bounds


@kernel
def reversed_rows(labels: Array, bounds: Array) -> Array:
    """Each of some rows from its end to its beginning."""
    found = np.empty_like(labels)
    for row in range(len(bounds) - 1):
        first, last = bounds[row], bounds[row + 1]
        for place in range(last - first):
            found[first + place] = labels[last - 1 - place]
    return found
