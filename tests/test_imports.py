"""Which way imports go, read from the sources (DESIGN.md, section 1)."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MAY_IMPORT = {
    "data": {"data"},
    "fst": {"data", "fst"},
    "learners": {"data", "learners"},
    "grammars": {"data", "fst", "grammars"},
    "glyphone": {"data", "fst", "grammars", "learners", "glyphone"},
}
ROOMS = [*MAY_IMPORT, "tests", "benchmarks"]
SOURCES = {room: sorted((ROOT / room).rglob("*.py")) for room in ROOMS}
# What takes so long to import that nobody should wait for it who has one word.
SLOW = {"numba", "llvmlite", "sklearn", "scipy", "pandas", "matplotlib", "tqdm", "pynini"}


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Lines and full names of what a module imports, wherever in it."""
    package = path.relative_to(ROOT).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package[: len(package) - node.level + 1]
                base = ".".join((*room_name(above), *filter(None, [base])))
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def room_name(folders: tuple[str, ...]) -> tuple[str, ...]:
    inside = folders[:1] == ("glyphone",) or folders[:1] == ("tests",)
    return folders if inside else ("glyphone", *folders)


def room_of(name: str) -> str | None:
    """The room that an import reaches into."""
    parts = name.split(".")
    if parts[0] != "glyphone":
        return None
    return parts[1] if len(parts) > 1 and parts[1] in MAY_IMPORT else "glyphone"


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_rooms_import_only_what_they_may(room: str) -> None:
    assert [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in SOURCES[room]
        for line, name in imports(path)
        if (room_of(name) or room) not in MAY_IMPORT[room]
    ] == []


def named(path: Path) -> Iterator[tuple[int, str]]:
    """Lines and names of modules, and of what is in them, that strings of a module tell."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = re.fullmatch(r"(glyphone(?:\.\w+)+)(?::\w+)?", node.value)
            if name is not None:
                yield node.lineno, name[1]


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_rooms_name_only_modules_that_they_may_import(room: str) -> None:
    assert [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in SOURCES[room]
        for line, name in named(path)
        if (room_of(name) or room) not in MAY_IMPORT[room]
    ] == []


def test_one_module_imports_pynini() -> None:
    found = {
        str(path.relative_to(ROOT))
        for room in MAY_IMPORT
        for path in SOURCES[room]
        for _, name in imports(path)
        if name.split(".")[0] in ("pynini", "pywrapfst", "_pynini", "_pywrapfst")
    }
    assert found == {"fst/backend.py"}


def test_no_room_is_imported_by_a_name_of_its_own() -> None:
    assert [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for paths in SOURCES.values()
        for path in paths
        for line, name in imports(path)
        if name.split(".")[0] in ("data", "fst", "learners", "grammars")
    ] == []


def test_no_pickle() -> None:
    assert [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for room in MAY_IMPORT
        for path in SOURCES[room]
        for line, name in imports(path)
        if name.split(".")[0] in ("pickle", "marshal", "shelve", "joblib", "dill")
    ] == []


def loaded_after(code: str) -> set[str]:
    """The packages in a fresh process after it has run some code."""
    code += "\nimport sys\nprint(' '.join({name.partition('.')[0] for name in sys.modules}))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(ran.stdout.split())


def test_importing_glyphone_loads_nothing_else() -> None:
    alone = loaded_after("import importlib, importlib.metadata")
    assert loaded_after("import importlib, importlib.metadata, glyphone") - alone <= {
        "glyphone",
        "__future__",
        "typing",
    }


def test_one_word_loads_nothing_slow(tmp_path: Path) -> None:
    pytest.importorskip("pynini", reason="an archive is made first")
    from glyphone.fst.rules.cascade import cascade
    from glyphone.fst.transducers import archive

    path = tmp_path / "x.far"
    archive.save(path, {"X": cascade(letters="a", phones="b", rules="a -> b")})
    code = f"import glyphone\nassert glyphone.load({str(path)!r})('aa').output == 'b b'"
    assert not loaded_after(code) & SLOW
