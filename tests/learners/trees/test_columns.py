"""Columns: values of all kinds, in all kinds of arrays, missing and unknown ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.learners.trees.columns import Columns


def objects(*rows: list[Any]) -> Any:
    table = np.empty((len(rows), len(rows[0])), object)
    table[:] = rows
    return table


@pytest.mark.parametrize("dtype", ["u1", "i8", "f4", "f8", object])
def test_numbers_are_the_same_in_every_kind_of_array(dtype: Any) -> None:
    columns = Columns.of(np.array([[3, 0], [1, 2]], dtype))
    assert columns.symbols == ((1, 3), (0, 2))
    for other in ("u1", "i4", "f8", object):
        found = columns.codes_of_rows(np.array([[1, 2], [3, 9], [200, 0]], other))
        assert found.tolist() == [[0, 1], [1, 2], [2, 0]]


def test_strings_are_the_same_in_every_kind_of_array() -> None:
    columns = Columns.of(np.array([["b"], ["a"], ["ccc"]]))
    assert columns.symbols == (("a", "b", "ccc"),)
    assert columns.codes_of_rows(objects(["ccc"], ["d"])).tolist() == [[2], [3]]
    assert columns.codes_of_rows(np.array([["c"], ["b"]])).tolist() == [[3], [1]]
    assert columns.codes_of_rows(np.array([[7]])).tolist() == [[3]]


def test_missing_is_a_value_if_it_was_there_and_unknown_if_not() -> None:
    rows = objects([None, 1.0], [float("nan"), 2.0], ["a", 2.0])
    columns = Columns.of(rows)
    assert columns.symbols == (("a", None), (1.0, 2.0))
    assert columns.codes_of_rows(rows).tolist() == [[1, 0], [1, 1], [0, 1]]
    assert columns.codes_of_rows(objects(["b", None])).tolist() == [[2, 2]]
    numbers = Columns.of(np.array([[1.0], [np.nan], [np.nan]]))
    assert numbers.symbols == ((1.0, None),)
    assert numbers.codes_of_rows(np.array([[np.nan], [2.0]])).tolist() == [[1], [2]]
    assert numbers.codes_of_rows(objects([None], [1])).tolist() == [[1], [0]]


def test_a_column_of_missing_values_only() -> None:
    columns = Columns.of(np.array([[np.nan], [np.nan]]))
    assert columns.codes_of_rows(np.array([[np.nan], [0.0]])).tolist() == [[0], [1]]


def test_numbers_of_numpy_become_plain_ones() -> None:
    columns = Columns.of(objects([np.int64(3), np.str_("x")]))
    assert [[type(x) for x in symbols] for symbols in columns.symbols] == [[int], [str]]


def test_codes_take_a_byte_if_one_will_do() -> None:
    few, many = np.arange(254).reshape(-1, 1), np.arange(300).reshape(-1, 1)
    assert Columns.of(few).codes_of_rows(few).dtype == np.uint8
    assert Columns.of(many).codes_of_rows(many).dtype == np.int32
    assert Columns.of(many).codes_of_rows(many)[:, 0].tolist() == list(range(300))


def test_what_cannot_be_hashed_is_refused() -> None:
    with pytest.raises(GlyphoneError, match="no symbol"):
        Columns.of(objects([["a", "list"], 1]))
