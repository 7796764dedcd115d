"""Kernels: arrays that grow as they fill, and hash tables of non-negative integers in arrays.

>>> doubled_rows(np.array([1, 2])).shape, doubled_rows(np.zeros((3, 2))).shape
((4,), (6, 2))
>>> find_slot(np.full(4, -1), 7) in range(4)
True
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data.kernels.jit import inlined, kernel, leaf

Array = Any


@kernel
def doubled_rows(array: Array) -> Array:
    """An array of twice as many rows, which begins with the rows of the given one; the others are
    not set."""
    larger = np.empty((2 * len(array), *array.shape[1:]), array.dtype)
    copy_values(array.reshape(-1), larger.reshape(-1), 0)
    return larger


@leaf
def copy_values(values: Array, to: Array, begin: int) -> None:
    """Write values into an array, from a place on.

    An assignment to a slice would be compiled with the error messages for shapes that do not fit.
    """
    for place in range(len(values)):
        to[begin + place] = values[place]


@inlined
def write_row(rows: Array, row: int, values: tuple[int, ...]) -> None:
    """Write numbers, all of one type, into a row: numba would make an array of a tuple first."""
    for column in range(len(values)):
        rows[row, column] = values[column]


def row_bounds(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """The bounds of rows of some lengths, end to end, from 0 on."""
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


@leaf
def find_slot(keys: Any, key: Any) -> int:
    """The slot of a key, or the free one for it, in a table whose size is a power of two.

    Keys are products of small numbers, which only a multiplication spreads well.
    """
    mask = len(keys) - 1
    mixed = int(key) ^ (int(key) >> 31)
    place: int = (((mixed & 0x7FFFFFFF) * 0x5BD1E995) >> 15) & mask
    while keys[place] != -1 and keys[place] != key:
        place = (place + 1) & mask
    return place


@kernel
def larger_table(keys: Array, values: Array) -> tuple[Array, Array]:
    """A hash table of twice the size with the keys and values of a given one."""
    larger_keys = np.full(2 * len(keys), -1, np.int64)
    larger_values = np.empty(2 * len(keys), values.dtype)
    for place in range(len(keys)):
        if keys[place] != -1:
            target = find_slot(larger_keys, keys[place])
            larger_keys[target] = keys[place]
            larger_values[target] = values[place]
    return larger_keys, larger_values
