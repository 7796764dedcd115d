"""Benchmarks run inside the tests, on a small folder of data and small models."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.benchmarks import stand_ins
from tests.docs.conftest import models, small_world
from tests.docs.pages import ROOT

__all__ = ["models", "small_world"]
BENCHMARKS = ROOT / "benchmarks"
Main = Callable[[list[str]], object]


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of data that is like ../shared/data."""
    folder = tmp_path_factory.mktemp("beside") / "shared" / "data"
    stand_ins.write_all(folder)
    return folder


@pytest.fixture
def main_of(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Main]]:
    """Imports a script as Python starts it, with its folder in front, and gives its `main`."""
    own = [path.stem for path in BENCHMARKS.glob("*.py")] + ["lists"]
    hidden = {name: sys.modules.pop(name) for name in own if name in sys.modules}
    monkeypatch.syspath_prepend(BENCHMARKS)

    def find(script: str) -> Main:
        main: Main = importlib.import_module(Path(script).stem).main
        return main

    yield find
    for name in [*sys.modules]:
        if name.partition(".")[0] in own:
            del sys.modules[name]
    sys.modules.update(hidden)
