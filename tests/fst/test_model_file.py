"""Model files: what is written comes back, the same bytes each time, and nothing else is taken."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from glyphone.data.errors import FormatError
from glyphone.data.version import VERSION
from glyphone.fst import model_file
from glyphone.fst.model_file import Contents, is_model_file, read, write
from glyphone.fst.npy import DTYPES, header

ARRAYS: dict[str, Any] = {
    "members/0/tokens": np.arange(5, dtype=np.int32),
    "members/1/tokens": np.arange(6, dtype=np.float32).reshape(2, 3),
    "empty": np.zeros((0, 3), np.int64),
    "one": np.array(True),
}
BLOBS = {"left.fst": b"\xd6\xfd\xb2\x7e", "nothing": b""}
SAMPLE = Contents("joint", {"order": 8, "symbols": ["a", "ñ", "𐌰"]}, ARRAYS, BLOBS)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("sample") / "x.glyphone"
    write(path, SAMPLE)
    return path.read_bytes()


def assert_same(found: Contents, expected: Contents) -> None:
    assert (found.kind, found.manifest) == (expected.kind, expected.manifest)
    assert found.blobs == expected.blobs
    assert found.arrays.keys() == expected.arrays.keys()
    for name, array in expected.arrays.items():
        assert (found.arrays[name].dtype, found.arrays[name].shape) == (array.dtype, array.shape)
        assert found.arrays[name].tobytes() == array.tobytes()


def refusal(data: bytes, folder: Path) -> str:
    """What `read` says of these bytes, after the path."""
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
    """What another program makes of it, with some entries replaced, added or removed."""
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
    return b"".join(model_file._sealed(model_file._zipped(entries, path)))


def manifest(**changes: Any) -> bytes:
    header = {"format": 1, "glyphone": "0.1.0", "kind": "joint", "model": {}}
    return json.dumps(header | changes).encode()


def npy(array: Any, **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, **options)
    return buffer.getvalue()


NAMES = st.from_regex(r"[a-zA-Z0-9_]{1,3}(/[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,3}){0,2}", fullmatch=True)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
SCALARS = st.none() | st.booleans() | st.integers() | TEXT
JSON = st.recursive(
    SCALARS | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
NUMBERS = st.sampled_from(sorted(DTYPES)).flatmap(
    lambda dtype: hnp.arrays(dtype, hnp.array_shapes(min_dims=0, min_side=0, max_side=4))
)
CONTENTS = st.builds(
    Contents,
    TEXT,
    st.dictionaries(TEXT, JSON, max_size=4),
    st.dictionaries(NAMES, NUMBERS, max_size=4),
    st.dictionaries(NAMES.map(lambda name: f"{name}.fst"), st.binary(), max_size=3),
)
IN_ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(CONTENTS)
@IN_ONE_FOLDER
def test_what_is_written_comes_back(tmp_path: Path, contents: Contents) -> None:
    path = tmp_path / "x.glyphone"
    write(path, contents)
    assert is_model_file(path)
    assert_same(read(path), contents)
    with np.load(path) as arrays:
        for name, array in contents.arrays.items():
            assert arrays[name].dtype == array.dtype
            assert arrays[name].shape == array.shape
            assert arrays[name].tobytes() == array.tobytes()


def test_any_unzip_reads_it(sample: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(sample)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert names[0] == "manifest.json"
        assert names[1:] == sorted([f"{name}.npy" for name in ARRAYS] + list(BLOBS))
        assert archive.read("left.fst") == BLOBS["left.fst"]
        assert json.loads(archive.read("manifest.json")) == {
            "format": 1,
            "glyphone": VERSION,
            "kind": "joint",
            "model": SAMPLE.manifest,
        }


def test_equal_contents_are_equal_bytes(tmp_path: Path, sample: bytes) -> None:
    turned = Contents(
        "joint",
        dict(reversed(SAMPLE.manifest.items())),
        dict(reversed(ARRAYS.items())),
        dict(reversed(BLOBS.items())),
    )
    strided = np.zeros((2, 6), np.float32)[:, ::2]
    strided[:] = ARRAYS["members/1/tokens"]
    for change in [
        {},
        {"members/0/tokens": ARRAYS["members/0/tokens"].astype(">i4")},
        {"members/1/tokens": np.asfortranarray(ARRAYS["members/1/tokens"])},
        {"members/1/tokens": strided},
    ]:
        arrays = {**turned.arrays, **change}
        write(tmp_path / "y.glyphone", Contents("joint", turned.manifest, arrays, turned.blobs))
        assert (tmp_path / "y.glyphone").read_bytes() == sample
    code = f"""
import sys
from pathlib import Path
from glyphone.fst.model_file import read, write
write("z.glyphone", read({str(tmp_path / "y.glyphone")!r}))
"""
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "z.glyphone").read_bytes() == sample


def test_arrays_are_views_that_cannot_be_written_to(tmp_path: Path, sample: bytes) -> None:
    (tmp_path / "x.glyphone").write_bytes(sample)
    for array in read(tmp_path / "x.glyphone").arrays.values():
        assert not array.flags.owndata
        assert not array.flags.writeable
        assert array.flags.aligned
        assert array.flags.c_contiguous
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


def test_arrays_begin_at_multiples_of_64(sample: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(sample)) as archive:
        for info in archive.infolist():
            begin = sum(struct.unpack_from("<2H", sample, info.header_offset + 26))
            assert (info.header_offset + 30 + begin) % 64 == 0
            assert info.compress_type == zipfile.ZIP_STORED


def test_kinds(tmp_path: Path, sample: bytes) -> None:
    path = tmp_path / "x.glyphone"
    path.write_bytes(sample)
    assert read(path, kinds={"crf", "joint"}).kind == "joint"
    message = rf"x\.glyphone: .*kind 'joint', expected crf or tree \(glyphone {VERSION} wrote it"
    with pytest.raises(FormatError, match=message):
        read(path, kinds={"tree", "crf"})


@pytest.mark.parametrize(
    ("beginning", "expected"),
    [(b"PK\3\4", True), (b"PK", True), (b"P", False), (b"", False), (b"\xd6\xfd\xb2\x7e", False)],
)
def test_is_model_file(tmp_path: Path, beginning: bytes, expected: bool) -> None:
    (tmp_path / "x").write_bytes(beginning)
    assert is_model_file(tmp_path / "x") is expected
    assert not is_model_file(tmp_path)
    assert not is_model_file(tmp_path / "nothing")


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nothing"):
        read(tmp_path / "nothing")
    with pytest.raises(OSError, match=tmp_path.name):
        read(tmp_path)


@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (np.array([None]), "object"),
        (np.zeros(2, "i4,f4"), r"\[\('f0', '<i4'\)"),
        (np.zeros(2, np.complex64), "complex64"),
        (np.array(["a"]), "<U1"),
        (np.zeros(2, "M8[s]"), "datetime64"),
    ],
)
def test_only_numbers_are_written(tmp_path: Path, array: Any, kind: str) -> None:
    with pytest.raises(FormatError, match=rf"x: the array a/b\.npy would be of type {kind}"):
        write(tmp_path / "x", Contents("joint", {}, {"a/b": array}))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    ["", "/a", "a/", "a//b", "../a", "a/../b", ".a", "a\\b", "a\n", "ñ", "a b", "a" * 201],
)
def test_names_that_no_entry_can_have(tmp_path: Path, name: str) -> None:
    for contents in (
        Contents("joint", {}, {name: np.zeros(1)}),
        Contents("joint", {}, {}, {name: b""}),
    ):
        with pytest.raises(FormatError, match="x: a model file cannot have an entry"):
            write(tmp_path / "x", contents)


@pytest.mark.parametrize("name", ["manifest.json", "b.npy", "a"])
def test_names_that_no_blob_can_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(FormatError, match=f"cannot have an entry '{name}'"):
        write(tmp_path / "x", Contents("joint", {}, {"a": np.zeros(1)}, {name: b""}))


@pytest.mark.parametrize("wrong", [float("nan"), {1, 2}, "\ud800"])
def test_manifests_that_are_no_json(tmp_path: Path, wrong: Any) -> None:
    write(tmp_path / "x", SAMPLE)
    with pytest.raises((TypeError, ValueError, FormatError)):
        write(tmp_path / "x", Contents("joint", {"wrong": wrong}))
    assert_same(read(tmp_path / "x"), SAMPLE)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_failed_write_leaves_the_old_model(tmp_path: Path) -> None:
    write(tmp_path / "x", SAMPLE)
    bad = Contents("joint", {}, {"a": np.zeros(9), "b": np.array([None])})
    with pytest.raises(FormatError):
        write(tmp_path / "x", bad)
    assert_same(read(tmp_path / "x"), SAMPLE)
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_sizes_that_zip_cannot_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contents = Contents("joint", {}, {}, {"a": bytes(1000), "b": bytes(1000)})
    write(tmp_path / "x", contents)
    monkeypatch.setattr(model_file, "_MOST_ENTRIES", 2)
    with pytest.raises(FormatError, match=r"y: would be larger than a model file can be \(prune"):
        write(tmp_path / "y", contents)
    with pytest.raises(FormatError, match="x: is cut off or changed"):
        read(tmp_path / "x")
    monkeypatch.setattr(model_file, "_MOST_ENTRIES", 3)
    write(tmp_path / "y", contents)
    monkeypatch.setattr(model_file, "_MOST_BYTES", 2000)
    with pytest.raises(FormatError, match="y: would be larger"):
        write(tmp_path / "y", contents)


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
@settings(IN_ONE_FOLDER, max_examples=500)
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


CHANGED = "is cut off or changed, or was packed again by another program (copy it again"
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


def later_files(sample: bytes, path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[bytes]:
    """A format 2 that differs only in its number, and one that deflates."""
    with monkeypatch.context() as patch:
        patch.setattr(model_file, "FORMAT", 2)
        patch.setattr(model_file, "VERSION", "9.0")
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
        header("<i4", (0, 2**62)),
        header("<i4", (0, 2**70)),
        header("<i4", (0,) * 70),
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
