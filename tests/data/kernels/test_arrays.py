"""Hash tables in arrays."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.kernels import arrays


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(0, 2**40), min_size=1, max_size=200, unique=True))
def test_the_hash_table_keeps_what_it_is_given(numbers: list[int]) -> None:
    keys, values = np.full(2, -1, np.int64), np.empty(2, np.int64)
    for value, key in enumerate(numbers):
        if 2 * value >= len(keys):
            keys, values = arrays.larger_table(keys, values)
        place = arrays.find_slot(keys, key)
        assert keys[place] == -1
        keys[place], values[place] = key, value
    assert [values[arrays.find_slot(keys, key)] for key in numbers] == list(range(len(numbers)))
