"""Files that an archive was made from, as make reads them."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from glyphone.catalog import names as catalog_names
from glyphone.grammar_tools import dependencies, modules
from tests.glyphone.catalog.test_names import module  # noqa: F401  (a fixture)


def test_word_lists_helpers_and_the_grammar_itself(
    module: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(module.parent)
    Path("list one.tsv").write_text("a\tb\n")
    with module.open("a") as file:
        file.write(
            "from glyphone.fst.rules.cascade import respelling\n"
            "Z = cascade(letters='a b', phones='b', rules=[respelling('list one.tsv')])\n"
        )
    rules = modules.grammar(str(module))
    found = dependencies.sources(rules)
    helper = next(path.name for path in Path().glob("helper_*.py"))
    assert found == sorted([module.name, helper, "list one.tsv"])
    dependencies.write("x.d", target="x.far", rules=rules)
    assert "list\\ one.tsv" in Path("x.d").read_text()


def test_the_compiler_counts_and_the_command_line_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    root = Path(catalog_names.__file__).parents[2]
    if not (root / "pyproject.toml").exists():
        pytest.skip("glyphone is not installed from a checkout")
    monkeypatch.chdir(root)
    importlib.import_module("glyphone.cli")
    importlib.import_module("glyphone.fst.rules.compiler")

    found = dependencies.sources({})
    assert {"fst/rules/compiler.py", "fst/rules/parser.py", "data/writing.py"} <= set(found)
    assert not [path for path in found if path.startswith(("glyphone/", ".venv/"))]


def test_files_that_come_with_python_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where Python lies in /usr and the project below it, only Python's own folders are left out.
    monkeypatch.setattr(sys, "prefix", str(tmp_path.parent))
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "some_module.py"
    path.touch()
    fake = type(sys)("some_module")
    fake.__file__ = str(path)
    monkeypatch.setitem(sys.modules, "some_module", fake)
    assert dependencies.sources({}) == ["some_module.py"]


@pytest.mark.parametrize("name", ["x y.tsv", "x#y.tsv", "x$y.tsv", "ñ.tsv", "x:y.tsv"])
def test_make_understands_odd_names(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    (tmp_path / "x.far").touch()
    (tmp_path / "Makefile").write_text(dependencies.rule("x.far", [name]), encoding="utf-8")
    up_to_date = subprocess.run(["make", "-q", "x.far"], cwd=tmp_path, check=False)
    assert up_to_date.returncode in (0, 1)
    (tmp_path / name).unlink()
    # A source that has gone is no error: the grammar is compiled anew without it.
    gone = subprocess.run(["make", "x.far"], cwd=tmp_path, capture_output=True, text=True)
    assert gone.returncode == 0, gone.stderr
