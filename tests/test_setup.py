"""Compiled grammars in wheels: copied where `make` has them, compiled otherwise."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pynini", reason="grammars are compiled here")
pytest.importorskip("setuptools", reason="comes with the build of a wheel only")

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("glyphone", "data", "fst", "learners")
ONE = """
from glyphone.fst.rules.cascade import cascade
ONE = cascade(letters="a b", phones="b", rules=["a -> b"])
"""
BROKEN = ONE.replace("a -> b", "a -> ß")
PAST = 1_000_000_000


@pytest.fixture
def setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """setup.py of a checkout with two grammars, of which the first one has been compiled."""
    spec = importlib.util.spec_from_file_location("setup_of_glyphone", ROOT / "setup.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for path in ("grammars/x/one.py", "grammars/x/two.py", "grammars/x/_private.py", "data/a.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(ONE)
        os.utime(tmp_path / path, (PAST, PAST))
    built = tmp_path / "build" / "x" / "one.far"
    built.parent.mkdir(parents=True)
    built.write_text("made by make")
    built.with_suffix(".d").write_text(
        "build/x/one.far: data/a.py grammars/x/one.py\ndata/a.py:\ngrammars/x/one.py:\n"
    )
    os.utime(built, (PAST + 10, PAST + 10))
    monkeypatch.setattr(module, "HERE", tmp_path)
    return module


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A built tree with glyphone and the folder of the grammars."""
    below = tmp_path / "lib" / "glyphone"
    ignore = shutil.ignore_patterns("__pycache__", "samples")
    for room in ROOMS:
        target = below if room == "glyphone" else below / room
        shutil.copytree(ROOT / room, target, ignore=ignore, dirs_exist_ok=True)
    (below / "grammars" / "x").mkdir(parents=True)
    return tmp_path / "lib"


def test_what_make_has_compiled_is_copied(setup: Any, library: Path) -> None:
    assert setup.copy_archives(library) == [Path("grammars/x/two.py")]
    archives = library / "glyphone" / "grammars" / "x"
    assert [path.name for path in archives.iterdir()] == ["one.far"]
    assert (archives / "one.far").read_text() == "made by make"


def test_an_archive_that_a_source_archive_brought_is_copied(
    setup: Any, tmp_path: Path, library: Path
) -> None:
    for name in ("one", "two"):
        (tmp_path / "grammars" / "x" / f"{name}.far").write_text("of the source archive")
    assert setup.copy_archives(library) == []
    archives = library / "glyphone" / "grammars" / "x"
    assert {path.read_text() for path in archives.glob("*.far")} == {"of the source archive"}


@pytest.mark.parametrize("change", ["newer", "gone", "no rule", "empty rule", "not compiled"])
def test_an_archive_that_is_out_of_date_is_not_copied(
    setup: Any, tmp_path: Path, change: str
) -> None:
    source, built = Path("grammars/x/one.py"), tmp_path / "build" / "x" / "one.far"
    assert setup.compiled_archive(source) == built
    match change:
        case "newer":
            os.utime(tmp_path / "data" / "a.py", (PAST + 20, PAST + 20))
        case "gone":
            (tmp_path / "data" / "a.py").unlink()
        case "no rule":
            built.with_suffix(".d").unlink()
        case "empty rule":
            built.with_suffix(".d").write_text("")
        case "not compiled":
            built.unlink()
    assert setup.compiled_archive(source) is None


def test_grammars_are_compiled_by_the_glyphone_that_is_built(setup: Any, library: Path) -> None:
    archives = library / "glyphone" / "grammars" / "x"
    for name in ("one", "two"):
        (archives / f"{name}.py").write_text(ONE)
    setup.compile_grammars(setup.grammar_sources(), library)
    assert sorted(path.name for path in archives.glob("*.far")) == ["one.far", "two.far"]


def test_a_grammar_that_cannot_be_compiled_is_named(setup: Any, library: Path) -> None:
    archives = library / "glyphone" / "grammars" / "x"
    (archives / "one.py").write_text(ONE)
    (archives / "two.py").write_text(BROKEN)
    with pytest.raises(SystemExit) as stopped:
        setup.compile_grammars(setup.grammar_sources(), library)
    told = str(stopped.value)
    assert told.startswith("grammars/x/two.py could not be compiled:\n")
    assert "'ß' U+00DF is not in the alphabet" in told
    assert "\nMend grammars/x/two.py and install again." in told
    assert (archives / "one.far").is_file() and not (archives / "two.far").exists()


def test_dependency_files_of_make_are_understood() -> None:
    """Each archive under build/ has a rule whose files are there, or it would never be copied."""
    rules = sorted((ROOT / "build").glob("*/*.far"))
    if not rules:
        pytest.skip("nothing has been compiled: make grammars")
    for archive in rules:
        [first, *_] = archive.with_suffix(".d").read_text().splitlines()
        assert first.startswith(f"{archive.relative_to(ROOT)}: ")
