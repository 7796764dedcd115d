"""Distinct rows of numbers, numbered in the order in which they come.

>>> numbers, fresh = numbered(np.array([[3, 1], [0, 0], [3, 1]]), {})
>>> numbers.tolist(), fresh.tolist()
([0, 1, 0], [0, 1])
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def numbered(rows: Array, known: dict[bytes, int]) -> tuple[Array, Array]:
    """The number of each row, and which rows are the first of theirs; `known` grows by these."""
    before = len(known)
    # Rows without columns are all alike, and have no bytes to be told by.
    filled = rows if rows.shape[1] else np.zeros((len(rows), 1))
    plain = np.ascontiguousarray(filled, np.int32)
    keys = plain.view(f"V{plain.itemsize * plain.shape[1]}").ravel().tolist()
    found = [known.setdefault(key, len(known)) for key in keys]
    numbers = np.array(found, np.int64)
    new = np.flatnonzero(numbers >= before)
    _, first = np.unique(numbers[new], return_index=True)
    return numbers, new[first]
