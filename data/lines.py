"""Lines in and out: plain or gzip, a path or `-`, in blocks big enough to be fast.

A line ends with LF or CRLF and with nothing else: U+2028, U+0085, form feed and a CR inside a line
belong to it. A byte order mark of UTF-8 is dropped. Bytes that are not UTF-8 become lone
surrogates, so that a reader refuses the item by name and goes on with the other lines.

>>> import tempfile
>>> path = tempfile.mkdtemp() + "/words.tsv.gz"
>>> with open_text_output(path) as output:
...     output.write("niño\\tn i ɲ o\\n")
...     output.flush()
...     recorded = output.tell()
...     output.write("lost in a crash")
>>> with open_text_output(path, resume_at=recorded) as output:
...     output.write("año\\ta ɲ o\\n")
>>> [first_column(line) for _, line in read_lines(path)]
['niño', 'año']

The checksum of a block covers every byte, after decompression, from the start of the input to the
end of the block: a run that resumes reads its input again and compares.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

from glyphone.data import progress
from glyphone.data.errors import FormatError, ItemError

Source = str | os.PathLike[str]

# A block ends early at this many bytes, so that a file of huge lines does not fill the memory.
_MOST_BYTES = 1 << 23
_PENDING_BYTES = 1 << 20
_OTHER_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),  # before UTF-16, whose little-endian mark it begins with
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


@dataclass(frozen=True)
class LineBlock:
    """Consecutive lines without their ends.

    `first_line` counts from 1; `raw_bytes` and `crc` cover the input up to the end of the block.
    """

    first_line: int
    lines: list[str]
    raw_bytes: int
    crc: int


def count_lines(source: Source) -> int | None:
    """The number of lines of a file; None of a stream, and of a file that would be unpacked."""
    if not os.path.isfile(source) or os.fspath(source).endswith(".gz"):
        return None
    with open(source, "rb") as file:
        blocks = iter(lambda: file.read(_PENDING_BYTES), b"")
        return sum(block.count(b"\n") for block in blocks)


def first_column(line: str) -> str:
    return line.partition("\t")[0]


def read_lines(source: Source) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, from 1."""
    for block in read_blocks(source):
        yield from enumerate(block.lines, block.first_line)


def read_blocks(source: Source, *, lines: int = 8192) -> Iterator[LineBlock]:
    """The input in blocks of at most `lines` lines; each line at once from a terminal."""
    with _open_input(source) as stream:
        most_lines = 1 if stream.isatty() else lines
        first_line, raw_bytes, crc = 1, 0, 0
        while raw := _take_lines(stream, most_lines, source, first_line):
            data = b"".join(raw)
            raw_bytes += len(data)
            crc = zlib.crc32(data, crc)
            if first_line == 1:
                data = _without_mark(data, source)
            yield LineBlock(first_line, _split_lines(data), raw_bytes, crc)
            first_line += len(raw)


def _split_lines(data: bytes) -> list[str]:
    if not data:  # a byte order mark and nothing else
        return []
    text = data.decode("utf-8", "surrogateescape")
    lines = text.removesuffix("\n").split("\n")
    if "\r" in text:
        return [line.removesuffix("\r") for line in lines]
    return lines


def _take_lines(stream: BinaryIO, lines: int, source: Source, first_line: int) -> list[bytes]:
    taken: list[bytes] = []
    size = 0
    try:
        for line in stream:
            taken.append(line)
            size += len(line)
            if len(taken) >= lines or size >= _MOST_BYTES:
                break
    except EOFError as error:
        message, remedy = "the compressed data is cut short", "copy or download the file again"
        raise _content_error(message, source, first_line + len(taken), remedy) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        message, remedy = f"not sound gzip data: {error}", "check it with `gzip -t`"
        raise _content_error(message, source, first_line + len(taken), remedy) from error
    except OSError as error:
        raise _access_error(source, error) from error
    return taken


def _without_mark(data: bytes, source: Source) -> bytes:
    for mark, encoding in _OTHER_MARKS:
        if data.startswith(mark):
            remedy = f"convert it to UTF-8: iconv -f {encoding} -t UTF-8 OLD > NEW"
            raise _content_error(f"the text is {encoding}, not UTF-8", source, 1, remedy)
    return data.removeprefix(codecs.BOM_UTF8)


@contextmanager
def _open_input(source: Source) -> Iterator[BinaryIO]:
    try:
        stream = sys.stdin.buffer if _is_standard(source) else open(source, "rb")
        if stream.isatty():
            progress.leave_to_person()
        # A wrapper round the real stdin would wait for a full buffer, where peek does not.
        peekable = stream if isinstance(stream, io.BufferedReader) else _buffered(stream)
        compressed = peekable.peek(2)[:2] == b"\x1f\x8b" or os.fspath(source).endswith(".gz")
    except OSError as error:
        raise _access_error(source, error) from error
    try:
        yield _buffered(gzip.GzipFile(fileobj=peekable)) if compressed else peekable
    finally:
        if not _is_standard(source):
            stream.close()
        elif peekable is not stream:
            peekable.detach()  # or its end would close what stands in for stdin


def _buffered(stream: Any) -> io.BufferedReader:
    return io.BufferedReader(stream, 1 << 17)


class TextOutput:
    """UTF-8 text with "\\n" line ends; after each flush the file so far is complete.

    In a `.gz` file every flush ends a gzip member, so that the file can be cut back to any
    recorded `tell()` and go on from there.
    """

    def __init__(self, path: Source, *, resume_at: int | None = None) -> None:
        self._path = path
        self._compressed = os.fspath(path).endswith(".gz")
        self._pending: list[bytes] = []
        self._pending_bytes = 0
        if not _is_standard(path):
            self._stream, self._size = _open_at(path, resume_at)
        elif resume_at:
            raise FormatError("nothing can resume there", path="standard output")
        else:
            sys.stdout.flush()
            self._stream, self._size = sys.stdout.buffer, 0

    def write(self, text: str) -> None:
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise ItemError(
                "is a lone surrogate, which no UTF-8 file can hold",
                item=text,
                symbol=text[error.start],
                offset=error.start,
                path=_shown_name(self._path),
            ) from error
        self._pending.append(data)
        self._pending_bytes += len(data)
        if self._pending_bytes >= _PENDING_BYTES:
            self.flush()

    def flush(self) -> None:
        data = b"".join(self._pending)
        if data and self._compressed:
            data = gzip.compress(data, 6, mtime=0)  # no time stamp: same input, same file
        self._pending.clear()
        self._pending_bytes = 0
        try:
            self._stream.write(data)
            self._stream.flush()
        except BrokenPipeError:
            raise  # the reader went away, which is for the command line to end quietly
        except OSError as error:
            raise _access_error(self._path, error) from error
        self._size += len(data)

    def tell(self) -> int:
        """Bytes written up to the last flush."""
        return self._size

    def close(self) -> None:
        try:
            self.flush()
        finally:
            if not _is_standard(self._path):
                self._close_stream()

    def _close_stream(self) -> None:
        try:
            self._stream.close()
        except BrokenPipeError:
            raise
        except OSError as error:  # what could not be flushed could not be written here either
            raise _access_error(self._path, error) from error

    def __enter__(self) -> TextOutput:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_text_output(path: Source, *, resume_at: int | None = None) -> TextOutput:
    """Write a file anew, or cut it back to `resume_at` bytes and go on from there."""
    return TextOutput(path, resume_at=resume_at)


def _open_at(path: Source, resume_at: int | None) -> tuple[BinaryIO, int]:
    try:
        if not resume_at:
            return open(path, "wb"), 0
        stream = open(path, "r+b")
    except OSError as error:
        raise _access_error(path, error) from error
    size = stream.seek(0, os.SEEK_END)
    if size < resume_at:
        stream.close()
        message = f"has {size} bytes where the run that is to be resumed had written {resume_at}"
        raise FormatError(message, path=path, remedy="start the run anew")
    stream.seek(resume_at)
    stream.truncate()
    return stream, resume_at


def _is_standard(path: Source) -> bool:
    return os.fspath(path) == "-"


def _shown_name(path: Source) -> str:
    return "standard input or output" if _is_standard(path) else os.fspath(path)


def _content_error(message: str, source: Source, line: int, remedy: str) -> FormatError:
    return FormatError(message, path=_shown_name(source), line=line, remedy=remedy)


def _access_error(source: Source, error: OSError) -> FormatError:
    remedy = {
        FileNotFoundError: "check the name, and that its directory exists",
        IsADirectoryError: "name a file in it",
        PermissionError: "change its permissions or choose another file",
    }.get(type(error), "check the disk or choose another file")
    return FormatError(error.strerror or str(error), path=_shown_name(source), remedy=remedy)


def is_text(line: str) -> bool:
    """Whether a line can be written: bytes that were not UTF-8 are lone surrogates."""
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
