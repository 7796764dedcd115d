"""Values of learners as JSON and arrays, and back."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import FormatError
from glyphone.models.learners.values import Shelf, unpack_value

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(st.text("ab") | st.integers(), inner)
        | st.lists(st.floats()).map(lambda x: np.array(x, float))
        | st.lists(st.text("añ")).map(lambda x: np.array(x, dtype=object))
        | st.lists(st.text("añ"), min_size=1).map(np.array)
        | st.sets(st.integers() | st.text("ab"))
    ),
    max_leaves=12,
)


@given(VALUES)
def test_values_come_back(value: Any) -> None:
    shelf = Shelf()
    node = json.loads(json.dumps(shelf.pack_value(value, "x"), allow_nan=False))
    assert same(unpack_value(node, shelf.arrays), value)


def same(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        kinds = one.dtype == other.dtype and one.shape == other.shape
        return kinds and all(map(same, one.tolist(), other.tolist()))
    if isinstance(one, float):
        return one == other or (math.isnan(one) and math.isnan(other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(same, one.values(), other.values()))
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


@pytest.mark.parametrize(
    "value",
    [np.float32(0.5), np.int64(3), np.bool_(True), np.str_("ñ"), np.float64, np.dtype("<f4"), float,
     slice(1, None, 2), frozenset([1]), np.float64("nan"), object],
)  # fmt: skip
def test_single_values_of_numpy(value: Any) -> None:
    shelf = Shelf()
    node = json.loads(json.dumps(shelf.pack_value(value, "x"), allow_nan=False))
    found = unpack_value(node, shelf.arrays)
    assert type(found) is type(value)
    assert found == value or (value != value and found != found)


@pytest.mark.parametrize("value", [1j, b"x", np.zeros(1, complex), print, np.array([1j], object)])
def test_values_that_no_file_holds(value: Any) -> None:
    with pytest.raises(FormatError, match=r"x(\[0\])? is an? \w+.*, which no model file holds"):
        Shelf().pack_value(value, "x")
