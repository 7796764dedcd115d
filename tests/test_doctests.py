"""Every example in every docstring."""

from __future__ import annotations

import doctest
import importlib
import linecache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("glyphone", "data", "fst", "grammars", "learners")


def modules() -> list[str]:
    """Every module of every room, by its import name."""
    names = []
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            parts = parts if room == "glyphone" else ("glyphone", *parts)
            names.append(".".join(part for part in parts if part != "__init__"))
    return [name for name in names if not name.endswith("__main__")]


@pytest.mark.parametrize("name", modules())
def test_examples(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    module = importlib.import_module(name)
    linecache.clearcache()  # doctest looks whether any of its files has changed
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, _ = doctest.testmod(module, optionflags=options)
    assert failed == 0
