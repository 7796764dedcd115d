"""Packages that need not be installed: imported late, by an extra that errors name."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from benchmarks.house import House

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
# Import names that differ from those of packages, and packages that others bring along.
IMPORTED_AS = {"scikit-learn": {"sklearn"}, "numba": {"numba", "llvmlite"}}
# Extras for people who work on glyphone, which no error of it names.
WORKSHOP = {"test", "dev", "docs"}
HOUSE = House(ROOT)


def modules_of(requirements: list[str]) -> set[str]:
    """Import names of the packages that requirements bring."""
    names = [re.match(r"[\w.-]+", requirement) for requirement in requirements]
    packages = [name[0].lower() for name in names if name is not None]
    return {x for name in packages for x in IMPORTED_AS.get(name, {name.replace("-", "_")})}


# pynini is a dependency only where it has a wheel.
CORE = modules_of(PROJECT["dependencies"]) - {"pynini"}


def imports(tree: ast.AST, *, late: bool = False) -> Iterator[tuple[str, int, bool]]:
    """Packages that a module imports, the lines, and whether that is within a function."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        for name in names:
            yield name.partition(".")[0], node.lineno, late
        inner = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from imports(node, late=late or inner)


@cache
def needed(module: str) -> list[tuple[str, str, int]]:
    """The packages that a module asks for by `need_package`, their extras, and the lines."""
    return [
        (node.args[0].value.partition(".")[0], keyword.value.value, node.lineno)
        for node in ast.walk(HOUSE.trees[module])
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "need_package"
        for keyword in node.keywords
        if keyword.arg == "extra" and isinstance(keyword.value, ast.Constant)
        if isinstance(node.args[0], ast.Constant)
    ]


def place(module: str, line: int) -> str:
    return f"{HOUSE.modules[module].relative_to(ROOT)}:{line}"


def test_the_reader_of_imports_knows_what_is_late() -> None:
    code = "import a\ntry:\n  import b.c\nexcept E:\n  def f():\n    import d\nfrom . import e"
    found = list(imports(ast.parse(code)))
    assert found == [("a", 1, False), ("b", 3, False), ("d", 6, True)]


def test_packages_that_need_not_be_there_are_imported_late() -> None:
    assert [
        f"{place(module, line)}: {package}"
        for module, tree in HOUSE.trees.items()
        for package, line, late in imports(tree)
        if package not in {*sys.stdlib_module_names, *CORE, "glyphone"} and not late
    ] == []


def test_errors_name_an_extra_for_each_of_them() -> None:
    """Apart from pynini, which compiles grammars and comes where it can be had."""
    assert [
        f"{place(module, line)}: {package}"
        for module, tree in HOUSE.trees.items()
        for package, line, _ in imports(tree)
        if package not in {*sys.stdlib_module_names, *CORE, "glyphone", "pynini"}
        and package not in {asked for asked, *_ in needed(module)}
    ] == []


def test_extras_bring_the_packages_that_they_are_named_for() -> None:
    asked = {(package, extra) for module in HOUSE.trees for package, extra, _ in needed(module)}
    assert {extra for _, extra in asked} <= {*EXTRAS} - WORKSHOP
    assert [pair for pair in sorted(asked) if pair[0] not in modules_of(EXTRAS[pair[1]])] == []


def test_no_extra_brings_what_nothing_asks_for() -> None:
    asked = {package for module in HOUSE.trees for package, *_ in needed(module)}
    for extra in {*EXTRAS} - WORKSHOP - {"all"}:
        assert modules_of(EXTRAS[extra]) - {"pyarrow"} <= asked, extra


def test_all_is_every_extra_of_users() -> None:
    [everything] = EXTRAS["all"]
    assert everything == f"glyphone[{','.join(sorted({*EXTRAS} - WORKSHOP - {'all'}))}]"


@pytest.mark.parametrize("folder", ["data", "fst", "learners", "glyphone", "docs", "README.md"])
def test_extras_that_are_named_exist(folder: str) -> None:
    paths = [ROOT / folder] if "." in folder else (ROOT / folder).rglob("*.*")
    texts = {path: path.read_text("utf-8") for path in paths if path.suffix in (".py", ".md")}
    named = [
        (path.relative_to(ROOT), extra)
        for path, text in texts.items()
        for names in re.findall(r"\[([a-z,]+)\]", "\n".join(re.findall(r"glyphone\[.*?\]", text)))
        for extra in names.split(",")
    ]
    assert [pair for pair in named if pair[1] not in EXTRAS] == []
