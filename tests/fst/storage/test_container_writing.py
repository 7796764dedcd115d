"""Values that no model file can hold are refused, and the old model stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import FormatError
from glyphone.fst.storage import container as storage_container
from glyphone.fst.storage.container import Contents, read, write
from tests.fst.storage.forgers import SAMPLE, assert_same


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
    monkeypatch.setattr(storage_container, "_MOST_ENTRIES", 2)
    with pytest.raises(FormatError, match=r"y: would be larger than a model file can be \(prune"):
        write(tmp_path / "y", contents)
    with pytest.raises(FormatError, match="x: is cut off or changed"):
        read(tmp_path / "x")
    monkeypatch.setattr(storage_container, "_MOST_ENTRIES", 3)
    write(tmp_path / "y", contents)
    monkeypatch.setattr(storage_container, "_MOST_BYTES", 2000)
    with pytest.raises(FormatError, match="y: would be larger"):
        write(tmp_path / "y", contents)
