"""Forged model files, with the right digest and wrong manifests, arrays, names or layouts."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glyphone.fst.storage.container import read
from glyphone.fst.storage.npy import header_of
from tests.fst.storage.forgers import CHANGED, forged, manifest, npy, refusal, repacked, sealed


@pytest.mark.parametrize(
    "wrong",
    [b"", b"[1]", b"7", b'"format"', b"{}", b"\xff", b"[" * 100_000, b"9" * 5000,
     manifest(format="1"), manifest(format=True), manifest(format=0), manifest(format=1.0)],
)  # fmt: skip
def test_damaged_manifests(tmp_path: Path, sample: bytes, wrong: bytes) -> None:
    message = "has a damaged manifest (copy it again"
    assert refusal(repacked(sample, {"manifest.json": wrong}), tmp_path).startswith(message)
    data = forged([("manifest.json", wrong)], tmp_path)
    assert refusal(data, tmp_path).startswith(message)


@pytest.mark.parametrize("changes", [{"kind": 3}, {"model": []}, {"kind": None}])
def test_manifests_without_what_is_needed(tmp_path: Path, changes: dict[str, Any]) -> None:
    data = forged([("manifest.json", manifest(**changes))], tmp_path)
    assert refusal(data, tmp_path).startswith("has a manifest without a kind or a model")


GOOD = npy(np.arange(6, dtype=np.int32))


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        GOOD[:100],
        GOOD[:-1],
        GOOD + b"\0",
        npy(np.array([None]), allow_pickle=True),
        npy(np.zeros(2, "i4,f4")),
        npy(np.zeros(2, ">i4")),
        npy(np.zeros(2, np.complex64)),
        npy(np.asfortranarray(np.zeros((2, 3)))),
        npy(np.zeros(2), version=(2, 0)),
        GOOD.replace(b"<i4", b"=i4"),
        GOOD.replace(b"<i4", b"<i8"),
        GOOD.replace(b"<i4", b"\xffi4"),
        GOOD.replace(b"(6,)", b"(7,)"),
        GOOD.replace(b"(6,)", b"(06)"),
        GOOD.replace(b"(6,)", b"(-6)"),
        GOOD.replace(b"(6,), }" + b" " * 22, b"(0, 99999999999999999999), }"),
        header_of("<i4", (0, 2**62)),
        header_of("<i4", (0, 2**70)),
        header_of("<i4", (0,) * 70),
    ],
)
def test_forged_arrays(tmp_path: Path, wrong: bytes) -> None:
    data = forged([("manifest.json", manifest()), ("a/b.npy", wrong)], tmp_path)
    assert refusal(data, tmp_path).startswith("has no plain array of numbers in a/b.npy (copy it")


@pytest.mark.parametrize(
    "names",
    [
        [],
        ["a"],
        ["a", "manifest.json"],
        ["manifest.json", "manifest.json"],
        ["manifest.json", "a", "a"],
        ["manifest.json", "b", "a"],
        ["manifest.json", "../a"],
        ["manifest.json", "ñ"],
    ],
)
def test_forged_names(tmp_path: Path, names: list[str]) -> None:
    good = forged([("manifest.json", manifest()), ("a", b""), ("b", b"")], tmp_path)
    (tmp_path / "good").write_bytes(good)
    assert read(tmp_path / "good").blobs == {"a": b"", "b": b""}
    data = forged([(name, manifest()) for name in names], tmp_path)
    assert refusal(data, tmp_path).split(" (")[0] in {
        CHANGED.split(" (")[0],
        "is a zip without manifest.json, so not a model file",
        "is not a model file: it begins with 50 4b 05 06",
        "is cut off or damaged",
    }


def test_forged_layouts(tmp_path: Path, sample: bytes) -> None:
    method, sizes, listed = 8, 18, sample.index(b"PK\1\2")
    for place, value in [
        (method, b"\x08\0"),  # deflated
        (sizes, struct.pack("<I", 1)),  # one size, and another when inflated
        (sizes, struct.pack("<2I", 2**32 - 1, 2**32 - 1)),
        (listed + 16, b"\0\0\0\0"),  # the directory has another checksum
        (listed + 46, b"M"),  # and another name
        (len(sample) - 64 - 7 - 22 + 10, b"\x01"),  # and another number of entries
    ]:
        data = sample[:place] + value + sample[place + len(value) :]
        assert data != sample
        assert refusal(sealed(data), tmp_path).startswith(("is cut off or", "is a zip without"))
    for data in (sample[:listed] + b"junk" + sample[listed:], sample[:listed] + sample[-64:]):
        assert refusal(sealed(data), tmp_path).startswith("is cut off or")
    for size in range(64, len(sample), 7):
        assert refusal(sealed(sample[:size] + bytes(64)), tmp_path).startswith("is cut off or")
