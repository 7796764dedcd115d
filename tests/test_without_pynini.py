"""Where pynini cannot be installed, everything works but compiling, which says what to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from glyphone.grammar_tools import modules

PREAMBLE = """
import sys
for name in ("pynini", "pywrapfst", "_pynini", "_pywrapfst"):
    sys.modules[name] = None  # importing it fails
"""
COMMAND = PREAMBLE + "from glyphone.cli import main\nsys.exit(main(sys.argv[1:]))"
RULES = """
from glyphone.fst.rules.cascade import cascade
X = cascade(letters="a b", phones="a b c", rules="b -> b | c", ambiguous=True)
"""
API = (
    PREAMBLE
    + """
import glyphone
model = glyphone.load(sys.argv[1])
assert model("ab").output == "a b", model("ab")
assert [found.output for found in model.nbest("b")] == ["b", "c"]
assert model.score("ab", "a c").posterior == 0.5
assert model.invert()("a c").output == "ab"
answers = [found and found.output for found in model.apply(["a", "q"] * 9000)]
assert answers == ["a", None] * 9000
"""
)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("pynini", reason="an archive is made first")

    folder = tmp_path_factory.mktemp("without")
    (folder / "rules_x.py").write_text(RULES)
    modules.compile_grammar(str(folder / "rules_x.py"), folder / "x.far")
    return folder / "x.far"


def run(*words: str, stdin: str = "", cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *words],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
    )


def test_the_api(archive: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", API, str(archive)], capture_output=True, encoding="utf-8"
    )
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr


def test_apply(archive: Path) -> None:
    ran = run("apply", "x.far:X", "--nbest", "2", stdin="ab\nq\n", cwd=archive.parent)
    assert (ran.returncode, ran.stdout) == (1, "ab\ta b\t0.5\nab\ta c\t0.5\n")
    assert "'" not in ran.stderr.split("\t")[0] and "U+0071" in ran.stderr


def test_explain(archive: Path) -> None:
    ran = run("explain", "x.far", "ab", "--nbest", "2", cwd=archive.parent)
    assert ran.returncode == 0
    assert "ab → a c   posterior 0.5\n  a b\n  a c    1: b -> b | c  at 1\n" in ran.stdout
    inverse = run("explain", "x.far", "--invert", "a c", cwd=archive.parent)
    assert inverse.stdout.startswith("a c → ab\n")


def test_doctor(archive: Path) -> None:
    ran = run("doctor", cwd=archive.parent)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "  missing  pynini: to compile grammars: pip install pynini" in ran.stdout


@pytest.mark.parametrize("words", ["compile rules_x.py -o new.far", "check rules_x.py"])
def test_what_compiles_says_what_to_do(archive: Path, words: str) -> None:
    ran = run(*words.split(), cwd=archive.parent)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == (
        "glyphone: compiling a grammar needs pynini, which is not installed (pip install pynini "
        "on Linux x86-64, or use a grammar compiled elsewhere: applying one needs no pynini)\n"
    )
    assert not (archive.parent / "new.far").exists()
