"""Model files that were cut, changed or packed again, or that are none, are refused."""

from __future__ import annotations

import contextlib
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import FormatError
from glyphone.data.version import VERSION
from glyphone.fst.storage import container as storage_container
from glyphone.fst.storage.container import read, write
from tests.fst.storage.forgers import (
    ARRAYS,
    BLOBS,
    CHANGED,
    IN_ONE_FOLDER,
    SAMPLE,
    manifest,
    npy,
    refusal,
    repacked,
    sealed,
)


def test_a_file_too_large_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "x.glyphone"
    with path.open("wb") as file:
        file.write(b"PK\3\4")
        file.truncate(2**32)  # sparse: it takes no room
    with pytest.raises(FormatError, match=r"x\.glyphone: has 4 GiB or more"):
        read(path)


def test_every_cut_is_refused(tmp_path: Path, sample: bytes) -> None:
    for size in range(4, len(sample)):
        assert refusal(sample[:size], tmp_path).startswith("is cut off or ")


def test_every_changed_byte_is_refused(tmp_path: Path, sample: bytes) -> None:
    for place in range(len(sample)):
        byte = bytes([sample[place] ^ (1 << place % 8)])
        message = refusal(sample[:place] + byte + sample[place + 1 :], tmp_path)
        assert "upgrade" not in message


CHANGES = st.lists(
    st.tuples(st.integers(0, 10_000), st.binary(max_size=8), st.booleans()), min_size=1, max_size=3
)


def damaged(data: bytes, changes: list[Any]) -> bytes:
    for place, filling, replacing in changes:
        place %= len(data)
        data = data[:place] + filling + data[place + len(filling) * replacing :]
    return data


@given(CHANGES)
@IN_ONE_FOLDER
def test_damage_is_refused(tmp_path: Path, sample: bytes, changes: list[Any]) -> None:
    data = damaged(sample, changes)
    if data != sample:
        refusal(data, tmp_path)


@given(CHANGES)
@settings(IN_ONE_FOLDER, max_examples=200)
def test_forgeries_are_refused_or_well_formed(
    tmp_path: Path, sample: bytes, changes: list[Any]
) -> None:
    path = tmp_path / "forged.glyphone"
    data = sealed(damaged(sample, changes))
    path.write_bytes(data)
    with contextlib.suppress(FormatError):
        found = read(path)
        # Only bodies can differ: everything around them has one form.
        assert len(data) == len(sample)
        assert found.arrays.keys() == ARRAYS.keys()
        assert found.blobs.keys() == BLOBS.keys()


@given(st.binary() | st.binary().map(lambda tail: b"PK\3\4" + tail))
@IN_ONE_FOLDER
def test_random_bytes_are_refused(tmp_path: Path, data: bytes) -> None:
    refusal(data, tmp_path)
    refusal(sealed(data + bytes(64)), tmp_path)


def test_what_is_no_model(tmp_path: Path, sample: bytes) -> None:
    assert refusal(b"", tmp_path) == "is not a model file: it is empty"
    assert refusal(b"\xd6\xfd\xb2\x7e", tmp_path) == (
        "is not a model file: it begins with d6 fd b2 7e"
    )
    assert refusal(repacked(sample, {"manifest.json": None}), tmp_path) == (
        "is a zip without manifest.json, so not a model file"
    )


TOKENS = "members/0/tokens.npy"


def test_what_was_edited(tmp_path: Path, sample: bytes) -> None:
    for changes in (
        {},
        {TOKENS: npy(np.arange(6, dtype=np.int32))},
        {TOKENS: None},
        {"more.npy": npy(np.arange(6))},
        {"manifest.json": manifest(kind="ensemble")},
    ):
        assert refusal(repacked(sample, changes), tmp_path).startswith(CHANGED)
    with zipfile.ZipFile(tmp_path / "bad.glyphone", "w") as archive:
        pass
    (tmp_path / "bad.glyphone").write_bytes(sample)
    with (
        zipfile.ZipFile(tmp_path / "bad.glyphone", "a") as archive,
        pytest.warns(UserWarning, match="Duplicate name"),
    ):
        archive.writestr(TOKENS, b"")
    assert refusal((tmp_path / "bad.glyphone").read_bytes(), tmp_path).startswith(CHANGED)


def later_files(sample: bytes, path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[bytes]:
    """A format 2 that differs only in its number, and one that deflates."""
    with monkeypatch.context() as patch:
        patch.setattr(storage_container, "FORMAT", 2)
        patch.setattr(storage_container, "VERSION", "9.0")
        write(path, SAMPLE)
        yield path.read_bytes()
    later = json.dumps({"format": 2, "glyphone": "9.0"}).encode()
    yield repacked(sample, {"manifest.json": later})
    yield sealed(repacked(sample, {"manifest.json": later}) + bytes(64))


def test_what_a_later_version_wrote(
    tmp_path: Path, sample: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for data in list(later_files(sample, tmp_path / "later", monkeypatch)):
        assert refusal(data, tmp_path) == (
            f"was written by glyphone 9.0, in format 2; this version, {VERSION}, "
            "reads formats up to 1 (upgrade glyphone)"
        )
