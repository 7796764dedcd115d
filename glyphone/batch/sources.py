"""Where the items of a batch come from: lines of text, read in blocks.

>>> import tempfile
>>> from pathlib import Path
>>> path = Path(tempfile.mkdtemp()) / "in"
>>> _ = path.write_text("a\\n\\nb\\n")
>>> [(chunk.items, chunk.last) for chunk in Numbered(str(path), 2).chunks(Progress({}))]
[([(1, 'a')], 2), ([(3, 'b')], 3)]
"""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from glyphone.batch.driver import Chunk
from glyphone.batch.journal import Progress
from glyphone.batch.resuming import changed_input
from glyphone.data import progress
from glyphone.data.lines import count_lines, read_blocks

BLOCK = 1024


@dataclass(frozen=True)
class TextSource(ABC):
    """Text: its length is counted for people only, who wait for its end."""

    path: str

    @property
    def settings(self) -> Mapping[str, Any]:
        return {}

    @property
    def total(self) -> int | None:
        return count_lines(self.path) if progress.is_shown() else None

    def chunks(self, done: Progress) -> Iterator[Chunk]:
        """The chunks after those that are done; the checksum of these must be what it was."""
        return remaining_chunks(self.all_chunks(), done, self.path)

    @abstractmethod
    def all_chunks(self) -> Iterator[Chunk]:
        """The chunks of the whole text."""


@dataclass(frozen=True)
class Lines(TextSource):
    """Each line is an item; the items of a chunk are a `Block`."""

    lines: int = BLOCK

    def all_chunks(self) -> Iterator[Chunk]:
        for block in read_blocks(self.path, lines=self.lines):
            last = block.first_line + len(block.lines) - 1
            yield Chunk(block, last, block.crc, len(block.lines))


@dataclass(frozen=True)
class Numbered(TextSource):
    """Each line that is not empty is an item, with its number; the path may name a lexicon."""

    lines: int = BLOCK

    def all_chunks(self) -> Iterator[Chunk]:
        from glyphone.data.lexicons.named import named_lines  # lines of other jobs have no lexicon

        named = named_lines(self.path)
        if named is not None:
            yield from self.named_chunks(named)
            return
        for chunk in Lines(self.path, self.lines).all_chunks():
            block = chunk.items
            items = [row for row in enumerate(block.lines, block.first_line) if row[1]]
            yield Chunk(items, chunk.last, chunk.crc, len(items))

    def named_chunks(self, rows: Iterable[tuple[int, str]]) -> Iterator[Chunk]:
        rows, crc = iter(rows), 0
        while items := list(islice(rows, self.lines)):
            for _, line in items:
                crc = line_checksum(line, crc)
            yield Chunk(items, items[-1][0], crc, len(items))


def line_checksum(line: str, crc: int) -> int:
    """The checksum of lines, one more after those of `crc`."""
    return zlib.crc32(line.encode("utf-8", "surrogateescape") + b"\n", crc)


def remaining_chunks(chunks: Iterator[Chunk], done: Progress, path: str) -> Iterator[Chunk]:
    """The chunks after those that are done; GlyphoneError if one of these ends elsewhere."""
    last = 0
    for chunk in chunks:
        if chunk.last <= last:  # a byte order mark and nothing else
            continue
        first, last = last + 1, chunk.last
        if first > done.lines:
            yield chunk
        elif last > done.lines or (last == done.lines and chunk.crc != done.crc):
            raise changed_input(path)
    if last < done.lines:
        raise changed_input(path)
