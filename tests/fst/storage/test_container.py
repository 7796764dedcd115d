"""Model files: what is written comes back, the same bytes each time."""

from __future__ import annotations

import io
import json
import os
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from glyphone.data.errors import FormatError
from glyphone.data.version import VERSION
from glyphone.fst.storage.container import Contents, is_model_file, read, write
from glyphone.fst.storage.npy import DTYPES
from tests.fst.storage.forgers import ARRAYS, BLOBS, IN_ONE_FOLDER, SAMPLE, assert_same

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
from glyphone.fst.storage.container import read, write
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
