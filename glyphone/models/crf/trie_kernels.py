"""Kernels: the codes of letters and of places beyond the word, and entries of a hash table.

>>> import numpy as np
>>> keys, values = np.full(4, -1), np.full(4, -1)
>>> enter_keys(keys, values, np.array([7, 9]), np.array([1, 2]))
>>> sorted(zip(keys.tolist(), values.tolist()))
[(-1, -1), (-1, -1), (7, 1), (9, 2)]
"""

from __future__ import annotations

from typing import Any

from glyphone.data.kernels.jit import leaf, sibling

find_slot = sibling(__name__, "glyphone.data.kernels.arrays").find_slot

Array = Any
# Places beyond an end that are told apart, as in `learners.crf.patterns`.
FARTHEST = 5


@leaf
def code_at(string: Array, place: int, n_letters: int) -> int:
    """The code of the letter at a place, or of a place beyond an end.

    >>> import numpy as np
    >>> [code_at(np.array([2, 1]), place, 2) for place in range(-6, 8)]
    [7, 7, 6, 5, 4, 3, 2, 1, 8, 9, 10, 11, 12, 12]
    """
    if place < 0:
        return n_letters + min(-place, FARTHEST)
    if place >= len(string):
        return n_letters + FARTHEST + min(place - len(string) + 1, FARTHEST)
    return int(string[place])


@leaf
def enter_keys(keys: Array, values: Array, new: Array, numbers: Array) -> None:
    """Write keys with their values into a table with room for them."""
    for k in range(len(new)):
        place = find_slot(keys, new[k])
        keys[place], values[place] = new[k], numbers[k]
