"""Arrays as `.npy`, in the one layout that model files hold, which can be read without a copy.

Version 1 of the format, little-endian, in C order, of plain numbers. `numpy.load` reads it too.

>>> data = encode_array(np.arange(3, dtype=np.int32))
>>> view_array(data, slice(0, len(data)))
array([0, 1, 2], dtype=int32)
>>> view_array(data, slice(0, len(data) - 1)) is None
True
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

DTYPES = frozenset("|b1 |i1 |u1 <i2 <u2 <i4 <u4 <i8 <u8 <f2 <f4 <f8".split())
# An array begins at a multiple of this if its header does.
ALIGNMENT = 64

_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '(...)', 'fortran_order': False, "
    rb"'shape': \(([\d, ]{0,700})\), \} *\n",
    re.DOTALL,
)


def encode_array(array: NDArray[Any]) -> bytes | None:
    """The bytes of an `.npy` file with the array; None if its type is none of DTYPES."""
    plain = np.asarray(array, order="C")
    plain = plain.astype(plain.dtype.newbyteorder("<"), copy=False)
    if plain.dtype.str not in DTYPES:
        return None
    return b"".join((header_of(plain.dtype.str, plain.shape), plain.data))


def header_of(dtype: str, shape: tuple[int, ...]) -> bytes:
    """The header of an `.npy` file, as numpy writes it."""
    text = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}"
    padding = -(10 + len(text) + 1) % ALIGNMENT
    length = len(text) + padding + 1
    return b"\x93NUMPY\1\0" + length.to_bytes(2, "little") + (text + padding * " " + "\n").encode()


def view_array(data: bytes, place: slice) -> NDArray[Any] | None:
    """The array at a place, as a view; None unless `encode_array` could have written the bytes."""
    found = _HEADER.match(data, place.start, place.stop)
    if found is None or found[1].decode("ascii", "replace") not in DTYPES:
        return None
    dtype = np.dtype(found[1].decode())
    shape = tuple(int(size) for size in found[2].split(b",") if size.strip())
    count = math.prod(shape)
    n_bytes = place.stop - found.end()
    if found[0] != header_of(dtype.str, shape) or n_bytes != count * dtype.itemsize:
        return None
    try:
        return np.frombuffer(data, dtype, count, found.end()).reshape(shape)
    except (ValueError, OverflowError):  # more dimensions, or longer ones, than numpy has
        return None
