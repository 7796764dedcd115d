"""FST archives (FAR): several transducers in one file, each under a key.

Three kinds are read. An sttable has the entries, key then FST, and after them their number, their
positions and their number again, so that an entry is found without reading the others. An
stlist has only the entries and an empty key. A bare FST counts as an archive of one, its key the
name of the file.

>>> import tempfile
>>> one = Transducer.from_arcs(0, [np.inf, 0.5], [0], [1], [2], [0.25], [1])
>>> with tempfile.TemporaryDirectory() as folder:
...     write_far(f"{folder}/spa.far", {"CASTILIAN": one, "ANDEAN": one.invert()})
...     far_keys(f"{folder}/spa.far"), read_far(f"{folder}/spa.far", "CASTILIAN").equals(one)
(['ANDEAN', 'CASTILIAN'], True)
"""

from __future__ import annotations

import itertools
import mmap
import os
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from glyphone.data.errors import FormatError, UnknownName
from glyphone.fst.automata.openfst import (
    FAR_MAGICS,
    FST_MAGIC,
    ArcType,
    parse_fst,
    skip_fst,
    to_bytes,
)
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.storage.binary import Buffer, Cursor, pack_string, replace_file

FarPath = str | os.PathLike[str]

_BEGINNING = struct.Struct("<ii")  # magic number, version
_MAGIC = struct.Struct("<i")
_COUNT = struct.Struct("<q")
_POSITION = np.dtype("<i8")

_CUT_OFF = "it was cut off, or its end is damaged"


@dataclass(frozen=True)
class _Entry:
    key: str
    begin: int
    end: int


def far_keys(path: FarPath) -> list[str]:
    """The keys of an archive, in its own order (sorted, if OpenFst or glyphone wrote it)."""
    return [entry.key for entry in _entries(_map_file(path), path)]


def read_far(
    path: FarPath, key: str, *, arc_types: tuple[ArcType, ...] = ("standard",)
) -> Transducer:
    """The transducer under ``key``; the other entries are not parsed."""
    data, seen = _map_file(path), []
    for entry in _entries(data, path):
        if entry.key == key:
            return _read_entry(data, entry, path, arc_types)
        seen.append(entry.key)
    raise UnknownName("transducer", key, seen, path=path)


def read_far_all(
    path: FarPath, *, arc_types: tuple[ArcType, ...] = ("standard",)
) -> dict[str, Transducer]:
    """Every transducer of an archive by its key."""
    data = _map_file(path)
    machines: dict[str, Transducer] = {}
    for entry in _entries(data, path):
        if entry.key in machines:
            raise FormatError(f"has the key {entry.key!r} twice", path=path, offset=entry.begin)
        machines[entry.key] = _read_entry(data, entry, path, arc_types)
    return machines


def write_far(path: FarPath, entries: Mapping[str, Transducer]) -> None:
    """Write an sttable, sorted by key; a killed run leaves the old file or none, never half."""
    if "" in entries:
        raise FormatError("an FST archive cannot have an empty key", path=path)
    replace_file(path, _archive_chunks(entries))


def _archive_chunks(entries: Mapping[str, Transducer]) -> Iterator[bytes]:
    yield (start := _BEGINNING.pack(FAR_MAGICS["sttable"], 1))
    position, positions = len(start), []
    # OpenFst finds a key by binary search over its bytes; code points sort as UTF-8 bytes do.
    for key in sorted(entries):
        positions.append(position)
        chunk = pack_string(key) + to_bytes(entries[key])
        position += len(chunk)
        yield chunk
    count = _COUNT.pack(len(positions))
    yield count + np.asarray(positions, dtype=_POSITION).tobytes() + count


def _map_file(path: FarPath) -> Buffer:
    with open(path, "rb") as file:
        # A pipe has the size 0, and an empty file cannot be mapped.
        if os.fstat(file.fileno()).st_size == 0:
            return file.read()
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _read_entry(
    data: Buffer, entry: _Entry, path: FarPath, arc_types: tuple[ArcType, ...]
) -> Transducer:
    where = f"{os.fspath(path)}:{entry.key}"
    cursor = Cursor(data, where=where, offset=entry.begin, end=entry.end)
    machine = parse_fst(cursor, arc_types=arc_types)
    if cursor.offset != cursor.end:
        raise cursor.error(f"has {cursor.end - cursor.offset} bytes after the end of the FST")
    return machine


def _entries(data: Buffer, path: FarPath) -> Iterator[_Entry]:
    cursor = Cursor(data, where=os.fspath(path))
    (magic,) = cursor.peek(_MAGIC, 0, "the magic number of an FST archive")
    if magic == FST_MAGIC:
        yield _Entry(Path(path).name, 0, cursor.end)
        return
    if magic not in FAR_MAGICS.values():
        found = f"it begins with {magic & 0xFFFFFFFF:#010x}"
        raise cursor.error(f"is not an FST archive (sttable, stlist or one FST): {found}")
    _, version = cursor.unpack(_BEGINNING, "the version of an FST archive")
    if version != 1:
        raise cursor.error(f"has version {version} of the FST archive, expected 1")
    yield from (
        _sttable_entries(cursor) if magic == FAR_MAGICS["sttable"] else _stlist_entries(cursor)
    )


def _sttable_entries(cursor: Cursor) -> Iterator[_Entry]:
    last = cursor.end - _COUNT.size
    if last < cursor.offset:
        raise cursor.error("ends before the number of its entries", remedy=_CUT_OFF)
    (count,) = _COUNT.unpack_from(cursor.data, last)
    index = last - count * _POSITION.itemsize - _COUNT.size
    if count < 0 or index < cursor.offset:
        message = f"ends with {count} as the number of its entries, which cannot be"
        raise cursor.error(message, offset=last, remedy=_CUT_OFF)
    at_end = Cursor(cursor.data, where=cursor.where, offset=index)
    (again,) = at_end.unpack(_COUNT, "the number of entries")
    bounds = [*at_end.array(_POSITION, count, "positions").tolist(), index]
    rising = all(begin < end for begin, end in itertools.pairwise(bounds))
    if again != count or bounds[0] != cursor.offset or not rising:
        message = f"has no index of {count} entries at its end"
        raise cursor.error(message, offset=index, remedy=_CUT_OFF)
    for begin, end in itertools.pairwise(bounds):
        entry = Cursor(cursor.data, where=cursor.where, offset=begin, end=end)
        key = entry.string("a key")
        yield _Entry(key, entry.offset, end)


def _stlist_entries(cursor: Cursor) -> Iterator[_Entry]:
    while key := cursor.string("a key"):
        begin = cursor.offset
        skip_fst(cursor, arc_types=("standard", "log"))
        yield _Entry(key, begin, cursor.offset)
    if cursor.offset != cursor.end:
        raise cursor.error(f"has {cursor.end - cursor.offset} bytes after its last entry")
