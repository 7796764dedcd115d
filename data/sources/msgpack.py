"""MessagePack, as far as lists of words have it: arrays, maps, strings and small whole numbers.

>>> read_msgpack(bytes([0x92, 0x81, 0xA1, 0x61, 0x07, 0x91, 0xA2, 0xC3, 0xA9]))
[{'a': 7}, ['é']]
"""

from __future__ import annotations

from typing import Any

# The first byte of each kind with a length of its own: the bytes of that length.
STRINGS = {0xD9: 1, 0xDA: 2, 0xDB: 4}
ARRAYS = {0xDC: 2, 0xDD: 4}
MAPS = {0xDE: 2, 0xDF: 4}
NUMBERS = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}


def read_msgpack(data: bytes) -> Any:
    """The value that some bytes stand for; ValueError for bytes that are of another format."""
    value, end = read_value(data, 0)
    if end != len(data):
        raise ValueError(f"{len(data) - end} bytes follow the value")
    return value


def read_value(data: bytes, begin: int) -> tuple[Any, int]:
    """The value that begins at an offset, and the offset behind it."""
    if begin >= len(data):
        raise ValueError("the bytes end within a value")
    head, place = data[begin], begin + 1
    if head < 0x80:
        return head, place
    if head in NUMBERS:
        return read_length(data, place, NUMBERS[head])
    if head < 0x90:
        return read_map(data, place, head & 0x0F)
    if head < 0xA0:
        return read_array(data, place, head & 0x0F)
    if head < 0xC0:
        return read_string(data, place, head & 0x1F)
    for kinds, read in ((STRINGS, read_string), (ARRAYS, read_array), (MAPS, read_map)):
        if head in kinds:
            length, place = read_length(data, place, kinds[head])
            return read(data, place, length)
    raise ValueError(f"byte {begin} is {head:#x}, which begins no list, map, string or number")


def read_length(data: bytes, begin: int, size: int) -> tuple[int, int]:
    """A whole number of so many bytes."""
    return int.from_bytes(data[begin : begin + size], "big"), begin + size


def read_string(data: bytes, begin: int, length: int) -> tuple[str, int]:
    """A string of so many bytes."""
    if begin + length > len(data):
        raise ValueError("the bytes end within a string")
    return data[begin : begin + length].decode("utf-8"), begin + length


def read_array(data: bytes, begin: int, length: int) -> tuple[list[Any], int]:
    """A list of so many values."""
    values, place = list[Any](), begin
    for _ in range(length):
        value, place = read_value(data, place)
        values.append(value)
    return values, place


def read_map(data: bytes, begin: int, length: int) -> tuple[dict[Any, Any], int]:
    """A dictionary of so many keys."""
    values, place = read_array(data, begin, 2 * length)
    return dict(zip(values[::2], values[1::2], strict=True)), place
