"""Kernel: the order of numbers, where numba's own would take longer to compile than to run.

>>> in_order(np.array([3, 1, 2, 1])).tolist()
[1, 3, 2, 0]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf

Array = Any


@kernel
def in_order(keys: Array) -> Array:
    """The places of numbers from the least to the greatest, equal ones as they come."""
    order, spare = np.empty(len(keys), np.int64), np.empty(len(keys), np.int64)
    for place in range(len(keys)):
        order[place] = place
    width = 1
    while width < len(keys):
        merge(keys, order, spare, width)
        order, spare = spare, order
        width *= 2
    return order


@leaf
def merge(keys: Array, order: Array, to: Array, width: int) -> None:
    """Merges runs of `width` places, each of them in order, two by two."""
    for begin in range(0, len(keys), 2 * width):
        middle, end = min(begin + width, len(keys)), min(begin + 2 * width, len(keys))
        one, other = begin, middle
        for place in range(begin, end):
            first = other == end or (one < middle and keys[order[one]] <= keys[order[other]])
            to[place] = order[one] if first else order[other]
            one, other = (one + 1, other) if first else (one, other + 1)
