"""A model file, written once, for tests of its format."""

from __future__ import annotations

import pytest

from glyphone.fst.storage.container import write
from tests.fst.storage.forgers import SAMPLE


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a small model file."""
    path = tmp_path_factory.mktemp("sample") / "x.glyphone"
    write(path, SAMPLE)
    return path.read_bytes()
