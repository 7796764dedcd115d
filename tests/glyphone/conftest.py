"""Grammars of a few rules, compiled once, and folders to work in, for tests of all kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.catalog import names as catalog_names
from glyphone.fst.transducers.model import TransducerModel
from glyphone.grammar_tools import modules
from tests.glyphone.alignments import support as alignment_support
from tests.glyphone.distillation import support as distillation_support
from tests.glyphone.support import TOY


def compiled(name: str, rules: str, folders: pytest.TempPathFactory) -> Path:
    """The archive of a grammar, in a folder of its own."""
    pytest.importorskip("pynini", reason="compiling a grammar needs pynini")
    folder = folders.mktemp(name)
    source = folder / f"{name}_rules.py"
    source.write_text(rules, encoding="utf-8")
    modules.compile_grammar(str(source), folder / f"{name}.far")
    return folder / f"{name}.far"


def rule(name: str) -> TransducerModel:
    """One rule of an archive."""
    found = catalog_names.load(name)
    assert isinstance(found, TransducerModel)
    return found


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of the toy grammar, with rules PLAIN, MANY and PARTIAL."""
    return compiled("toy", TOY, tmp_path_factory)


@pytest.fixture(scope="session")
def plain(toy: Path) -> TransducerModel:
    """The rule PLAIN of the toy grammar."""
    return rule(f"{toy}:PLAIN")


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glyphone.batch.run.BLOCK", 7)


@pytest.fixture
def lexicon_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the lexicon lex.tsv to align."""
    monkeypatch.chdir(tmp_path)
    Path("lex.tsv").write_text(alignment_support.LEXICON, encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="session")
def teacher_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of the grammar that students learn from, with the rule TEACHER."""
    return compiled("teacher", distillation_support.RULES, tmp_path_factory)


@pytest.fixture(scope="session")
def teacher(teacher_archive: Path) -> TransducerModel:
    return rule(f"{teacher_archive}:TEACHER")


@pytest.fixture
def teacher_folder(teacher_archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the teacher t.far and its words."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("glyphone.distillation.files.SECONDS", 0.001)
    Path("t.far").write_bytes(teacher_archive.read_bytes())
    words = "\n".join(distillation_support.WORDS) + "\n"
    Path("words").write_text(words, encoding="utf-8")
    return tmp_path
