"""Kernel: entries of a hash table, of which each key is another.

>>> import numpy as np
>>> keys, values = np.full(4, -1), np.full(4, -1)
>>> enter(keys, values, np.array([7, 9]), np.array([1, 2]))
>>> sorted(zip(keys.tolist(), values.tolist()))
[(-1, -1), (-1, -1), (7, 1), (9, 2)]
"""

from __future__ import annotations

from typing import Any

from glyphone.data.jit import leaf, sibling

slot = sibling(__name__, "glyphone.fst.hashing").slot

Array = Any


@leaf
def enter(keys: Array, values: Array, new: Array, numbers: Array) -> None:
    """Puts keys with their values to a table with room for them."""
    for k in range(len(new)):
        place = slot(keys, new[k])
        keys[place], values[place] = new[k], numbers[k]
