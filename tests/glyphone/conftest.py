"""A grammar of a few rules, compiled once, for tests of everything around grammars."""

from __future__ import annotations

from pathlib import Path

import pytest

from .support import TOY


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of the toy grammar, with rules PLAIN, MANY and PARTIAL."""
    pytest.importorskip("pynini", reason="compiling a grammar needs pynini")
    from glyphone import catalog

    folder = tmp_path_factory.mktemp("toy")
    source = folder / "toy_rules.py"
    source.write_text(TOY, encoding="utf-8")
    catalog.compile_grammar(str(source), folder / "toy.far")
    return folder / "toy.far"
