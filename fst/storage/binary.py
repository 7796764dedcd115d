"""A cursor in binary data; data that are cut off or damaged raise a FormatError.

A corrupted count must neither allocate memory nor read outside the data, so every count is compared
with the bytes that are left before it is used.

>>> cursor = Cursor(pack_string("né") + b"\\x07", where="names.bin")
>>> cursor.string("a name"), cursor.offset
('né', 7)
>>> cursor.skip(4, "the count")
Traceback (most recent call last):
glyphone.data.errors.FormatError: names.bin: at 7: ends inside the count, 3 bytes too early ...
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from mmap import mmap
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import FormatError

Buffer = bytes | bytearray | mmap

_INT32 = struct.Struct("<i")


class Cursor:
    """Reads forward through ``data``, from ``offset`` to ``end``; ``where`` names it in errors."""

    def __init__(
        self, data: Buffer, *, where: str, offset: int = 0, end: int | None = None
    ) -> None:
        self.data = data
        self.where = where
        self.offset = offset
        self.end = len(data) if end is None else end

    def error(
        self, message: str, *, offset: int | None = None, remedy: str | None = None
    ) -> FormatError:
        at = self.offset if offset is None else offset
        return FormatError(message, path=self.where, offset=at, remedy=remedy)

    def _need(self, size: int, what: str) -> None:
        missing = self.offset + size - self.end
        if missing > 0:
            remedy = "it was cut off, or its counts are damaged"
            message = f"ends inside {what}, {missing} bytes too early"
            raise self.error(message, remedy=remedy)

    def skip(self, size: int, what: str) -> None:
        self._need(size, what)
        self.offset += size

    def peek(self, layout: struct.Struct, ahead: int, what: str) -> tuple[Any, ...]:
        """The values that lie ``ahead`` bytes further on; the cursor does not move."""
        self._need(ahead + layout.size, what)
        return layout.unpack_from(self.data, self.offset + ahead)

    def unpack(self, layout: struct.Struct, what: str) -> tuple[Any, ...]:
        values = self.peek(layout, 0, what)
        self.offset += layout.size
        return values

    def check_count(self, count: int, of_what: str, *, at_least: int) -> None:
        """Refuse a negative count, or one whose items, of ``at_least`` bytes, cannot all follow."""
        if count < 0:
            raise self.error(f"has a negative number of {of_what}, {count}")
        self._need(count * at_least, f"its {count} {of_what}")

    def string(self, what: str) -> str:
        """A length and as many bytes of UTF-8."""
        (size,) = self.unpack(_INT32, f"the length of {what}")
        if size < 0:
            raise self.error(f"has a negative length of {what}, {size}")
        self._need(size, what)
        raw = bytes(self.data[self.offset : self.offset + size])
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            wrong = " ".join(f"{byte:02x}" for byte in raw[error.start : error.end])
            message = f"has {what} that is not UTF-8: bytes {wrong}"
            raise self.error(message, offset=self.offset + error.start) from None
        self.offset += size
        return text

    def array(self, dtype: np.dtype[Any], count: int, of_what: str) -> NDArray[Any]:
        """``count`` records as a view of the data."""
        self.check_count(count, of_what, at_least=dtype.itemsize)
        begin = self.offset
        self.offset += count * dtype.itemsize
        return np.frombuffer(self.data, dtype, count, begin) if count else np.empty(0, dtype)

    def words_since(self, begin: int) -> NDArray[np.int32]:
        """Everything from ``begin`` to here, as 32-bit integers."""
        count = (self.offset - begin) // 4
        return np.frombuffer(self.data, "<i4", count, begin) if count else np.empty(0, "<i4")

    def align(self, alignment: int) -> None:
        """Move to the next multiple of ``alignment``, counted from the beginning of the file."""
        self.skip(-self.offset % alignment, "the padding")


def encode_text(text: str) -> bytes:
    """The text in UTF-8; FormatError for a lone surrogate, which UTF-8 cannot write."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FormatError("is half a surrogate pair", symbol=text[error.start]) from None


def pack_string(text: str) -> bytes:
    """The bytes of a string as ``Cursor.string`` reads them: its length, then UTF-8."""
    raw = encode_text(text)
    return _INT32.pack(len(raw)) + raw


def replace_file(path: str | os.PathLike[str], chunks: Iterable[bytes]) -> None:
    """Write beside ``path``, then rename: a reader sees the old file or the whole new one."""
    if os.path.exists(path) and not os.path.isfile(path):
        # A pipe or /dev/null must be written to, not replaced.
        with open(path, "wb") as device:
            device.writelines(chunks)
        return
    goal = Path(os.path.realpath(path))
    draft = goal.with_name(f".{goal.name}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as file:
            file.writelines(chunks)
        draft.replace(goal)
    except OSError as error:
        error.filename = str(goal)  # the user has never seen the name of the draft
        raise
    finally:
        draft.unlink(missing_ok=True)
