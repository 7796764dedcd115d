"""Files that a command has read, as make reads them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from glyphone.grammar_tools import modules
from glyphone.io import dependencies
from glyphone.io.dependencies import dependencies_written, files_below_here, files_read
from tests.glyphone.catalog.test_names import module  # noqa: F401  (a fixture)


def prerequisites(path: Path) -> list[str]:
    """The prerequisites of the rule in a file, which has an empty rule for each."""
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    names = first.partition(": ")[2].replace("\\ ", "\0").split()
    assert [line.replace("\\ ", "\0") for line in rest] == [f"{name}:" for name in names]
    return [name.replace("\0", " ") for name in names]


def test_word_lists_helpers_and_the_grammar_itself(
    module: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(module.parent)
    Path("list one.tsv").write_text("a\tb\n")
    Path("other.tsv").write_text("a\tb\n")
    with module.open("a") as file:
        file.write(
            "from glyphone.fst.rules.cascade import respelling\n"
            "# not other.tsv\n"
            "Z = cascade(letters='a b', phones='b', rules=[respelling('list one.tsv')])\n"
        )
    with dependencies_written("x.d", target="x.far"):
        modules.compile_grammar(str(module), "x.far")
    helper = next(path.name for path in Path().glob("helper_*.py"))
    assert prerequisites(Path("x.d")) == sorted([module.name, helper, "list one.tsv"])


def test_what_is_written_is_no_prerequisite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("read").write_text("text")
    Path("before").write_text("text")
    Path("before").read_text()
    with dependencies_written("x.d", target="x"):
        Path("x").write_bytes(Path("read").read_bytes())
        Path("x").read_text()
        Path("errors").write_text("text")
    Path("read").read_text()
    assert prerequisites(Path("x.d")) == ["read"]


def test_no_rule_where_none_is_asked_for_or_the_work_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with dependencies_written(None, target="x"):
        pass
    with pytest.raises(KeyError), dependencies_written("x.d", target="x"):
        raise KeyError
    assert list(tmp_path.iterdir()) == []


def test_one_record_within_another(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.touch()
    two.touch()
    with files_read() as outer:
        with files_read() as inner:
            one.read_text()
        two.read_text()
    assert (inner, outer) == ({str(one)}, {str(one), str(two)})


def test_the_command_line_does_not_count() -> None:
    import glyphone.cli.train
    import glyphone.fst.rules.compiler

    found = dependencies.module_files()
    assert glyphone.fst.rules.compiler.__file__ in found
    assert glyphone.cli.train.__file__ not in found
    assert dependencies.__file__ not in found


def test_files_that_come_with_python_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where Python lies in /usr and the project below it, only Python's own folders are left out.
    monkeypatch.setattr(sys, "prefix", str(tmp_path.parent))
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "some_module.py"
    path.touch()
    assert files_below_here([str(path), pytest.__file__, __file__]) == ["some_module.py"]


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
