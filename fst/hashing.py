"""Kernel: open-addressing hash tables of non-negative integers; -1 marks a free place.

>>> import numpy as np
>>> slot(np.full(4, -1), 7) in range(4)
True
"""

from __future__ import annotations

from typing import Any

from glyphone.data.jit import leaf


@leaf
def slot(keys: Any, key: Any) -> int:
    """Where a key is, or would go, in a table whose size is a power of two.

    Keys are products of small numbers, which only a multiplication spreads well.
    """
    mask = len(keys) - 1
    mixed = int(key) ^ (int(key) >> 31)
    place: int = (((mixed & 0x7FFFFFFF) * 0x5BD1E995) >> 15) & mask
    while keys[place] != -1 and keys[place] != key:
        place = (place + 1) & mask
    return place
