"""MessagePack is read as it is written, whatever the lengths; other bytes are refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.sources.msgpack import read_msgpack

VALUES = st.recursive(
    st.text() | st.integers(0, 2**64 - 1),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def packed(value: Any, *, widest: bool = False) -> bytes:
    """A value in MessagePack, with the shortest or the longest form of each length."""
    if isinstance(value, int):
        if value < 0x80 and not widest:
            return bytes([value])
        return head(value, {1: 0xCC, 2: 0xCD, 4: 0xCE, 8: 0xCF}, widest=widest)
    if isinstance(value, str):
        data = value.encode()
        short = (0xA0, 0x20)
        return begin(len(data), short, {1: 0xD9, 2: 0xDA, 4: 0xDB}, widest=widest) + data
    if isinstance(value, dict):
        parts, form = [x for item in value.items() for x in item], (0x80, 0x10)
        first = begin(len(value), form, {2: 0xDE, 4: 0xDF}, widest=widest)
    else:
        parts = [*value]
        first = begin(len(value), (0x90, 0x10), {2: 0xDC, 4: 0xDD}, widest=widest)
    return first + b"".join(packed(part, widest=widest) for part in parts)


def begin(length: int, short: tuple[int, int], forms: dict[int, int], *, widest: bool) -> bytes:
    base, room = short
    if length < room and not widest:
        return bytes([base + length])
    return head(length, forms, widest=widest)


def head(number: int, forms: dict[int, int], *, widest: bool) -> bytes:
    fitting = [size for size in forms if number < 256**size]
    size = fitting[-1 if widest else 0]
    return bytes([forms[size]]) + number.to_bytes(size, "big")


@given(VALUES)
def test_values_are_read_as_they_are_written(value: Any) -> None:
    assert read_msgpack(packed(value)) == value == read_msgpack(packed(value, widest=True))


@pytest.mark.parametrize("length", [15, 16, 31, 32, 255, 256, 65_535, 65_536])
def test_lengths_at_the_bounds_of_forms(length: int) -> None:
    for value in ("é" * (length // 2), [7] * length, {str(n): n for n in range(length)}):
        assert read_msgpack(packed(value)) == value


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "end within a value"),
        (b"\x92\x01", "end within a value"),
        (b"\xa5word", "end within a string"),
        (b"\x01\x02", "1 bytes follow the value"),
        (b"\xc1", "byte 0 is 0xc1, which begins no list, map, string or number"),
        (b"\xa1\xff", "invalid start byte"),
    ],
)
def test_other_bytes_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_msgpack(data)
