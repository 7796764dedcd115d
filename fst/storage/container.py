"""Model files: a manifest, arrays and transducers in one zip, byte for byte the same each time.

The first entry, `manifest.json`, has `format`, `kind`, `glyphone` (the version that wrote it) and
`model`, the manifest of the model. The other entries follow, sorted: arrays as `.npy`, and blobs of
bytes. Any unzip and `numpy.load` open the file; nothing in it can run.

Entries are stored, not deflated: n-gram tables would shrink to 0.4 of their size, but loading them
would take several times as long, and the output of zlib depends on its version. Each begins at a
multiple of 64 bytes, so arrays are views of the file as it was read. The comment of the zip ends in
the SHA-256 of everything before it. A file is accepted if that digest is right and the layout is
exactly the one that `write` makes, so there is one way to read it. The digest is no signature.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = f"{folder}/x.glyphone"
...     write(path, Contents("joint", {"order": 8}, {"members/0/tokens": np.arange(3)}))
...     found = read(path, kinds=["joint"])
>>> found.kind, found.manifest, found.arrays["members/0/tokens"]
('joint', {'order': 8}, array([0, 1, 2]))
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import struct
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import FormatError
from glyphone.data.version import VERSION
from glyphone.fst.storage import npy
from glyphone.fst.storage.binary import encode_text, replace_file

FilePath = str | os.PathLike[str]

FORMAT = 1
MANIFEST = "manifest.json"
# The remedy for a damaged file.
REMEDY = "copy it again from where it came, or train it again"

# Zip counts bytes in 32 bits and entries in 16; this leaves room for the longest directory.
_MOST_BYTES, _MOST_ENTRIES = 2**32 - 2**25, 2**16 - 1
_NEW_YEAR_1980 = 0x21
_LOCAL_MAGIC, _LISTING_MAGIC, _END_MAGIC = b"PK\3\4", b"PK\1\2", b"PK\5\6"
_LOCAL = struct.Struct("<4s5H3I2H")
_PADDING, _ALIGNED = struct.Struct("<3H"), 0xD935  # as Android's zipalign marks what it pads
_LISTING = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_COMMENT, _DIGEST_SIZE = b"sha256 ", 64

_PART = "[A-Za-z0-9_][A-Za-z0-9_.-]*"
_NAME = re.compile(rf"(?=.{{1,200}}\Z){_PART}(?:/{_PART})*\Z")


@dataclass(frozen=True, eq=False)
class Contents:
    """The contents of a model file; names are of letters, digits, `_`, `.`, `-` and slashes.

    The manifest comes back as JSON does: tuples become lists. Arrays come back little-endian, in C
    order and not writeable.
    """

    kind: str
    manifest: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    blobs: Mapping[str, bytes] = field(default_factory=dict)


def write(path: FilePath, contents: Contents) -> None:
    """Write a model file: equal contents give equal bytes, and a killed run leaves no half file."""
    replace_file(path, _with_digest(_zip_chunks(_entry_bodies(contents, path), path)))


def read(path: FilePath, *, kinds: Collection[str] | None = None) -> Contents:
    """The contents of a model file; FormatError if it is damaged or of none of the kinds."""
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size >= 2**32:
            raise FormatError("has 4 GiB or more, as no model file has", path=path)
        data = file.read()
    digest = hashlib.sha256(memoryview(data)[:-_DIGEST_SIZE]).hexdigest()
    places = _entry_slices(data) if data[-_DIGEST_SIZE:] == digest.encode() else None
    if places is None:
        raise _refusal_of(data, path)
    header = _read_header(data[places.pop(MANIFEST)], path)
    kind, manifest = header.get("kind"), header.get("model")
    if not isinstance(kind, str) or not isinstance(manifest, dict):
        raise FormatError("has a manifest without a kind or a model", path=path, remedy=REMEDY)
    if kinds is not None and kind not in kinds:
        raise FormatError(
            f"holds a model of the kind {kind!r}, expected {' or '.join(sorted(kinds))}",
            path=path,
            remedy=f"glyphone {header['glyphone']} wrote it, and this is {VERSION}",
        )
    arrays = {name: place for name, place in places.items() if name.endswith(".npy")}
    return Contents(
        kind,
        manifest,
        {name[:-4]: _decode_array(data, place, name, path) for name, place in arrays.items()},
        {name: data[place] for name, place in places.items() if name not in arrays},
    )


def is_model_file(path: FilePath) -> bool:
    """Whether the file is a zip, as no FST archive is; `read` checks the rest of it."""
    # A pipe would lose the bytes that are read here.
    if not Path(path).is_file():
        return False
    with open(path, "rb") as file:
        return file.read(2) == _LOCAL_MAGIC[:2]


def kind_of(path: FilePath) -> str | None:
    """The kind in the manifest of a model file, which is not checked; None for other files."""
    import zipfile

    if not is_model_file(path):
        return None
    try:
        with zipfile.ZipFile(path) as content:
            kind = json.loads(content.read(MANIFEST))["kind"]
    except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile):
        return None
    return kind if isinstance(kind, str) else None


@dataclass(frozen=True)
class _Entry:
    """An entry of the zip, and where its header begins."""

    name: str
    checksum: int
    size: int
    offset: int

    def header(self) -> bytes:
        """Everything from the offset to the body."""
        fixed = self.offset + _LOCAL.size + len(self.name) + _PADDING.size
        padding = -fixed % npy.ALIGNMENT
        extra = _PADDING.pack(_ALIGNED, padding + 2, npy.ALIGNMENT) + bytes(padding)
        sizes = (self.checksum, self.size, self.size, len(self.name), len(extra))
        local = _LOCAL.pack(_LOCAL_MAGIC, 10, 0, 0, 0, _NEW_YEAR_1980, *sizes)
        return local + self.name.encode() + extra

    def listing(self) -> bytes:
        """The row of the directory at the end of the zip."""
        sizes = (self.checksum, self.size, self.size, len(self.name), 0, 0)
        dated = _LISTING.pack(
            _LISTING_MAGIC, 10, 10, 0, 0, 0, _NEW_YEAR_1980, *sizes, 0, 0, 0, self.offset
        )
        return dated + self.name.encode()


def checksum(contents: Contents) -> str:
    """A checksum of contents, equal for equal files.

    >>> one, other = (Contents("x", {"n": n}, {"a": np.arange(3)}) for n in (1, 2))
    >>> checksum(one) == checksum(one) != checksum(other)
    True
    """
    crc = 0
    for name, body in _entry_bodies(contents, contents.kind):
        crc = zlib.crc32(body, zlib.crc32(name.encode(), crc))
    return f"{crc:08x}"


def _entry_bodies(contents: Contents, path: FilePath) -> Iterator[tuple[str, bytes]]:
    """Names and bodies of the entries, in their order."""
    arrays = {f"{name}.npy": array for name, array in contents.arrays.items()}
    # numpy.load finds an array by its name with .npy or without.
    wrong = [name for name in contents.blobs if name in contents.arrays or name.endswith(".npy")]
    wrong += [name for name in (*arrays, *contents.blobs) if not _NAME.match(name)]
    wrong += [name for name in contents.blobs if name == MANIFEST]
    if wrong:
        raise FormatError(f"a model file cannot have an entry {wrong[0]!r}", path=path)
    header = {"format": FORMAT, "glyphone": VERSION, "kind": contents.kind}
    text = json.dumps(
        {**header, "model": contents.manifest},
        ensure_ascii=False,
        allow_nan=False,
        sort_keys=True,
        separators=(",", ":"),
    )
    yield MANIFEST, encode_text(text)
    for name in sorted([*arrays, *contents.blobs]):
        yield (
            name,
            _encode_array(arrays[name], name, path) if name in arrays else contents.blobs[name],
        )


def _zip_chunks(bodies: Iterable[tuple[str, bytes]], path: FilePath) -> Iterator[bytes]:
    entries: list[_Entry] = []
    offset = 0
    for name, body in bodies:
        if offset + len(body) > _MOST_BYTES or len(entries) == _MOST_ENTRIES:
            remedy = "prune the model, or train it with a lower order"
            raise FormatError("would be larger than a model file can be", path=path, remedy=remedy)
        entries.append(_Entry(name, zlib.crc32(body), len(body), offset))
        header = entries[-1].header()
        offset += len(header) + len(body)
        yield header
        yield body
    yield _directory_of(entries, offset)


def _directory_of(entries: list[_Entry], offset: int) -> bytes:
    """The directory and the end of the zip, up to the digest."""
    directory = b"".join(entry.listing() for entry in entries)
    counts = (len(entries), len(entries), len(directory), offset, len(_COMMENT) + _DIGEST_SIZE)
    return directory + _END.pack(_END_MAGIC, 0, 0, *counts) + _COMMENT


def _with_digest(chunks: Iterable[bytes]) -> Iterator[bytes]:
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
        yield chunk
    yield digest.hexdigest().encode()


def _refusal_of(data: bytes, path: FilePath) -> FormatError:
    """The error for a file that `write` cannot have made."""
    if not data.startswith(_LOCAL_MAGIC[: len(data)]) or not data:
        begins = f"it begins with {data[:4].hex(' ')}" if data else "it is empty"
        return FormatError(f"is not a model file: {begins}", path=path)
    import zipfile

    try:
        with zipfile.ZipFile(BytesIO(data)) as archive, archive.open(MANIFEST) as file:
            manifest = file.read(2**24)
    except KeyError:
        return FormatError(f"is a zip without {MANIFEST}, so not a model file", path=path)
    except Exception:  # zipfile raises almost anything for what is damaged
        return FormatError("is cut off or damaged", path=path, remedy=REMEDY)
    try:
        _read_header(manifest, path)
    except FormatError as error:
        return error
    message = "is cut off or changed, or was packed again by another program"
    return FormatError(message, path=path, remedy=REMEDY)


def _read_header(text: bytes, path: FilePath) -> dict[str, Any]:
    """The whole manifest, refused if a later version wrote it."""
    try:
        content: dict[str, Any] = json.loads(text.decode())
        version, written_by = content["format"], content["glyphone"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise FormatError("has a damaged manifest", path=path, remedy=REMEDY) from None
    if type(version) is not int or version < 1:
        raise FormatError("has a damaged manifest", path=path, remedy=REMEDY)
    if version > FORMAT:
        raise FormatError(
            f"was written by glyphone {written_by}, in format {version}; "
            f"this version, {VERSION}, reads formats up to {FORMAT}",
            path=path,
            remedy="upgrade glyphone",
        )
    return content


def _entry_slices(data: bytes) -> dict[str, slice] | None:
    """The place of the body of each entry; None if the layout is not that of `write`."""
    entries: list[_Entry] = []
    places: dict[str, slice] = {}
    offset = 0
    while data.startswith(_LOCAL_MAGIC, offset) and offset + _LOCAL.size <= len(data):
        checksum, size, _, n_name, _ = _LOCAL.unpack_from(data, offset)[6:]
        begin = offset + _LOCAL.size
        name = data[begin : begin + n_name].decode("ascii", "replace")
        entries.append(_Entry(name, checksum, size, offset))
        header = entries[-1].header()
        begin = offset + len(header)
        if not data.startswith(header, offset) or begin + size > len(data):
            return None
        offset = begin + size
        places[name] = slice(begin, offset)
    names = [MANIFEST, *sorted(places.keys() - {MANIFEST})]
    usual = [entry.name for entry in entries] == names and all(map(_NAME.match, names))
    if not usual or len(entries) > _MOST_ENTRIES:
        return None
    return places if data[offset:-_DIGEST_SIZE] == _directory_of(entries, offset) else None


def _encode_array(array: NDArray[Any], name: str, path: FilePath) -> bytes:
    body = npy.encode_array(array)
    if body is None:
        raise FormatError(f"the array {name} would be of type {np.asarray(array).dtype}", path=path)
    return body


def _decode_array(data: bytes, place: slice, name: str, path: FilePath) -> NDArray[Any]:
    """The array of an entry, as a view of the file."""
    array = npy.view_array(data, place)
    if array is None:
        raise FormatError(f"has no plain array of numbers in {name}", path=path, remedy=REMEDY)
    return array
