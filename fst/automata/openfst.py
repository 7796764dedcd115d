"""OpenFst binary files, types vector and const, read and written in bulk without OpenFst.

A file is a header (types, version, flags, counts), the symbol tables, then the states and arcs. In
the const type these are two arrays of records, aligned to 16 bytes if a flag says so; in the
vector type every state's record is followed by its arcs. All numbers are little-endian. (Allauzen
et al. 2007, "OpenFst: A General and Efficient Weighted Finite-State Transducer Library".)

>>> one = Transducer.from_arcs(0, [np.inf, 0.5], [0], [1], [2], [0.25], [1])
>>> from_bytes(to_bytes(one)).equals(one)
True
>>> from_bytes(b"0 1 a b")
Traceback (most recent call last):
glyphone.data.errors.FormatError: <bytes>: at 0: is not an OpenFst binary file: ...
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.fst.automata.transducer import SymbolTable, Transducer
from glyphone.fst.storage.binary import Buffer, Cursor, pack_string, replace_file

FST_MAGIC = 2125659606
SYMBOLS_MAGIC = 2125658996
FAR_MAGICS = {"sttable": 2125656924, "stlist": 5656924}

ArcType = Literal["standard", "log"]  # both hold 32-bit costs, so both have one layout
FstType = Literal["const", "vector"]

_HAS_ISYMBOLS, _HAS_OSYMBOLS, _IS_ALIGNED = 1, 2, 4
_ALIGNMENT = 16
_EXPANDED, _MUTABLE, _ILABEL_SORTED = 0x1, 0x2, 0x10000000

_INT32 = struct.Struct("<i")
_INT64 = struct.Struct("<q")
_INT64_PAIR = struct.Struct("<qq")
_HEADER = struct.Struct("<iiQqqq")  # version, flags, properties, start, states, arcs

_COUNTS = [(name, "<u4") for name in ("first", "arcs", "iepsilons", "oepsilons")]
_CONST_STATE = np.dtype([("final", "<f4"), *_COUNTS])
_ARC = np.dtype([("ilabel", "<i4"), ("olabel", "<i4"), ("weight", "<f4"), ("target", "<i4")])
_VECTOR_STATE_SIZE = 12  # a float32 final weight and an int64 number of arcs


@dataclass(frozen=True, eq=False)
class _Parts:
    """The contents of a file, not yet sorted and checked."""

    start: int
    finals: NDArray[np.float32]
    counts: NDArray[np.int64]
    arcs: NDArray[np.void]
    isymbols: SymbolTable | None
    osymbols: SymbolTable | None


def read_fst(
    source: str | os.PathLike[str] | bytes, *, arc_types: tuple[ArcType, ...] = ("standard",)
) -> Transducer:
    """The machine in a file, or in bytes."""
    if isinstance(source, bytes):
        return from_bytes(source, arc_types=arc_types)
    return from_bytes(Path(source).read_bytes(), where=os.fspath(source), arc_types=arc_types)


def from_bytes(
    data: Buffer, *, where: str = "<bytes>", arc_types: tuple[ArcType, ...] = ("standard",)
) -> Transducer:
    """The machine in ``data``; ``where`` names it in errors."""
    cursor = Cursor(data, where=where)
    machine = parse_fst(cursor, arc_types=arc_types)
    if cursor.offset != cursor.end:
        raise cursor.error(f"has {cursor.end - cursor.offset} bytes after the end of the FST")
    return machine


def parse_fst(cursor: Cursor, *, arc_types: tuple[ArcType, ...] = ("standard",)) -> Transducer:
    """The machine at the cursor, which moves past it."""
    begin = cursor.offset
    parts = _read_parts(cursor, arc_types)
    sources = np.repeat(np.arange(len(parts.counts), dtype=np.int32), parts.counts)
    try:
        return Transducer.from_arcs(
            parts.start,
            parts.finals,
            sources,
            parts.arcs["ilabel"],
            parts.arcs["olabel"],
            parts.arcs["weight"],
            parts.arcs["target"],
            parts.isymbols,
            parts.osymbols,
        )
    except GlyphoneError as error:
        raise cursor.error(f"is damaged: {error.message}", offset=begin) from error


def skip_fst(cursor: Cursor, *, arc_types: tuple[ArcType, ...] = ("standard",)) -> None:
    """Move the cursor past a machine without building it."""
    _read_parts(cursor, arc_types)


def _read_parts(cursor: Cursor, arc_types: tuple[ArcType, ...]) -> _Parts:
    _read_magic(cursor)
    fst_type = cursor.string("the FST type")
    if fst_type not in ("const", "vector"):
        raise cursor.error(
            f"has FST type {fst_type[:40]!r}, expected 'const' or 'vector'",
            remedy="convert it with fstconvert --fst_type=const",
        )
    arc_type = cursor.string("the arc type")
    if arc_type not in arc_types:
        expected = " or ".join(repr(name) for name in arc_types)
        raise cursor.error(
            f"has arc type {arc_type[:40]!r}, expected {expected}",
            remedy="convert it with fstmap --map_type=to_standard",
        )
    version, flags, _, start, n_states, n_arcs = cursor.unpack(_HEADER, "the header")
    if version != 2 and (fst_type, version) != ("const", 1):
        raise cursor.error(f"has version {version} of the {fst_type} type, expected 2")
    isymbols = _read_symbols(cursor) if flags & _HAS_ISYMBOLS else None
    osymbols = _read_symbols(cursor) if flags & _HAS_OSYMBOLS else None
    if fst_type == "vector":
        finals, counts, arcs = _read_vector(cursor, n_states)
    else:
        aligned = bool(flags & _IS_ALIGNED) or version == 1
        finals, counts, arcs = _read_const(cursor, n_states, n_arcs, aligned=aligned)
    return _Parts(start, finals, counts, arcs, isymbols, osymbols)


def _read_magic(cursor: Cursor) -> None:
    begin = cursor.offset
    (magic,) = cursor.unpack(_INT32, "the magic number of an FST")
    if magic in FAR_MAGICS.values():
        remedy = "read it with glyphone.fst.automata.far, by the key of one FST in it"
        raise cursor.error("is a FAR archive, expected an FST", offset=begin, remedy=remedy)
    if magic == SYMBOLS_MAGIC:
        raise cursor.error("is a symbol table, expected an FST", offset=begin)
    if magic != FST_MAGIC:
        raise cursor.error(
            f"is not an OpenFst binary file: it begins with {magic & 0xFFFFFFFF:#010x}, "
            f"expected {FST_MAGIC:#010x}",
            offset=begin,
            remedy="if it is text, read it with glyphone.fst.automata.att",
        )


def _read_symbols(cursor: Cursor) -> SymbolTable:
    begin = cursor.offset
    (magic,) = cursor.unpack(_INT32, "the magic number of a symbol table")
    if magic != SYMBOLS_MAGIC:
        found = f"{magic & 0xFFFFFFFF:#010x}, expected {SYMBOLS_MAGIC:#010x}"
        raise cursor.error(f"has a symbol table that begins with {found}", offset=begin)
    name = cursor.string("the name of a symbol table")
    _, size = cursor.unpack(_INT64_PAIR, "the size of a symbol table")
    cursor.check_count(size, "symbols", at_least=_INT32.size + _INT64.size)
    symbols: list[str] = []
    labels: list[int] = []
    for _ in range(size):
        symbols.append(cursor.string("a symbol"))
        labels += cursor.unpack(_INT64, "the label of a symbol")
    try:
        return SymbolTable(name, tuple(symbols), tuple(labels))
    except GlyphoneError as error:
        raise FormatError(
            error.message, symbol=error.symbol, path=cursor.where, offset=begin
        ) from error


_Columns = tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.void]]


def _read_const(cursor: Cursor, n_states: int, n_arcs: int, *, aligned: bool) -> _Columns:
    if aligned:
        cursor.align(_ALIGNMENT)
    states = cursor.array(_CONST_STATE, n_states, "states")
    if aligned:
        cursor.align(_ALIGNMENT)
    arcs = cursor.array(_ARC, n_arcs, "arcs")
    counts = states["arcs"].astype(np.int64)
    first = np.cumsum(counts) - counts
    if counts.sum() != n_arcs or not np.array_equal(states["first"], first):
        raise cursor.error(f"is damaged: its states do not divide its {n_arcs} arcs among them")
    return states["final"], counts, arcs


def _read_vector(cursor: Cursor, n_states: int) -> _Columns:
    if n_states < -1:
        raise cursor.error(f"has a negative number of states, {n_states}")
    begin = cursor.offset
    counts: list[int] = []
    # -1: the writer could not go back to fill in the number, and states follow to the end.
    while len(counts) != n_states and not (n_states == -1 and cursor.offset == cursor.end):
        (count,) = cursor.peek(_INT64, 4, "a state")
        cursor.check_count(count, "arcs", at_least=0)
        cursor.skip(_VECTOR_STATE_SIZE + count * _ARC.itemsize, "the arcs of a state")
        counts.append(count)
    words = cursor.words_since(begin)
    arc_counts = np.asarray(counts, dtype=np.int64)
    heads, in_arcs = _vector_layout(arc_counts)
    return words[heads].view("<f4"), arc_counts, words[in_arcs].view(_ARC)


def _vector_layout(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The 32-bit words of a vector file at which states begin, and which words belong to arcs."""
    before = np.cumsum(counts) - counts
    heads = 3 * np.arange(len(counts), dtype=np.int64) + 4 * before
    in_arcs = np.ones(3 * len(counts) + 4 * int(counts.sum()), dtype=np.bool_)
    for word in range(3):
        in_arcs[heads + word] = False
    return heads, in_arcs


def write_fst(
    machine: Transducer, path: str | os.PathLike[str], *, fst_type: FstType = "const"
) -> None:
    """Write the machine so that OpenFst reads it; a killed run leaves no half file."""
    replace_file(path, [to_bytes(machine, fst_type=fst_type)])


def to_bytes(machine: Transducer, *, fst_type: FstType = "const") -> bytes:
    """The machine as an OpenFst binary file with standard (tropical) arcs."""
    flags = _HAS_ISYMBOLS * (machine.isymbols is not None)
    flags |= _HAS_OSYMBOLS * (machine.osymbols is not None)
    properties = _EXPANDED | _ILABEL_SORTED | (_MUTABLE if fst_type == "vector" else 0)
    header = (2, flags, properties, machine.start, machine.n_states, machine.n_arcs)
    parts = [_INT32.pack(FST_MAGIC), pack_string(fst_type), pack_string("standard")]
    parts.append(_HEADER.pack(*header))
    tables = (machine.isymbols, machine.osymbols)
    parts += [_pack_symbols(table) for table in tables if table is not None]
    parts.append(_pack_const(machine) if fst_type == "const" else _pack_vector(machine))
    return b"".join(parts)


def _pack_symbols(table: SymbolTable) -> bytes:
    available = max(table.labels, default=-1) + 1
    parts = [_INT32.pack(SYMBOLS_MAGIC), pack_string(table.name)]
    parts.append(_INT64_PAIR.pack(max(available, 0), len(table.symbols)))
    for symbol, label in zip(table.symbols, table.labels, strict=True):
        parts += [pack_string(symbol), _INT64.pack(label)]
    return b"".join(parts)


def _arc_records(machine: Transducer) -> NDArray[np.void]:
    arcs = np.empty(machine.n_arcs, dtype=_ARC)
    arcs["ilabel"] = machine.ilabels
    arcs["olabel"] = machine.olabels
    arcs["weight"] = machine.weights
    arcs["target"] = machine.targets
    return arcs


def _pack_const(machine: Transducer) -> bytes:
    sources, n_states = machine.sources(), machine.n_states
    states = np.empty(n_states, dtype=_CONST_STATE)
    states["final"] = machine.finals
    states["first"] = machine.offsets[:-1]
    states["arcs"] = np.diff(machine.offsets)
    states["iepsilons"] = np.bincount(sources[machine.ilabels == 0], minlength=n_states)
    states["oepsilons"] = np.bincount(sources[machine.olabels == 0], minlength=n_states)
    return states.tobytes() + _arc_records(machine).tobytes()


def _pack_vector(machine: Transducer) -> bytes:
    counts = np.diff(machine.offsets)
    heads, in_arcs = _vector_layout(counts)
    words = np.empty(len(in_arcs), dtype="<i4")
    words[heads] = machine.finals.astype("<f4").view("<i4")
    halves = counts.astype("<i8").view("<i4").reshape(-1, 2)
    words[heads + 1], words[heads + 2] = halves[:, 0], halves[:, 1]
    words[in_arcs] = _arc_records(machine).view("<i4")
    return words.tobytes()
