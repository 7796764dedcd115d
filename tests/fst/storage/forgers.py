"""A sample of a model file, and forgers of files that are almost like it."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from glyphone.data.errors import FormatError
from glyphone.fst.storage import container as storage_container
from glyphone.fst.storage.container import Contents, read

ARRAYS: dict[str, Any] = {
    "members/0/tokens": np.arange(5, dtype=np.int32),
    "members/1/tokens": np.arange(6, dtype=np.float32).reshape(2, 3),
    "empty": np.zeros((0, 3), np.int64),
    "one": np.array(True),
}
BLOBS = {"left.fst": b"\xd6\xfd\xb2\x7e", "nothing": b""}
SAMPLE = Contents("joint", {"order": 8, "symbols": ["a", "ñ", "𐌰"]}, ARRAYS, BLOBS)


def assert_same(found: Contents, expected: Contents) -> None:
    assert (found.kind, found.manifest) == (expected.kind, expected.manifest)
    assert found.blobs == expected.blobs
    assert found.arrays.keys() == expected.arrays.keys()
    for name, array in expected.arrays.items():
        assert (found.arrays[name].dtype, found.arrays[name].shape) == (array.dtype, array.shape)
        assert found.arrays[name].tobytes() == array.tobytes()


def refusal(data: bytes, folder: Path) -> str:
    """The error of `read` about some bytes, after the path."""
    path = folder / "bad.glyphone"
    path.write_bytes(data)
    with pytest.raises(FormatError) as caught:
        read(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


def sealed(data: bytes) -> bytes:
    """With the digest that belongs to what may have been changed, as a forger would have it."""
    return data[:-64] + hashlib.sha256(data[:-64]).hexdigest().encode()


def repacked(data: bytes, changes: dict[str, bytes | None]) -> bytes:
    """A file as another program writes it, with some entries replaced, added or removed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries: dict[str, bytes | None] = {name: archive.read(name) for name in archive.namelist()}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in (entries | changes).items():
            if body is not None:
                archive.writestr(name, body)
    return buffer.getvalue()


def forged(entries: list[tuple[str, bytes]], path: Path) -> bytes:
    """Laid out and sealed as models are, whatever is in it."""
    return b"".join(storage_container._with_digest(storage_container._zip_chunks(entries, path)))


def manifest(**changes: Any) -> bytes:
    header = {"format": 1, "glyphone": "0.1.0", "kind": "joint", "model": {}}
    return json.dumps(header | changes).encode()


def npy(array: Any, **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, **options)
    return buffer.getvalue()


IN_ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
CHANGED = "is cut off or changed, or was packed again by another program (copy it again"
