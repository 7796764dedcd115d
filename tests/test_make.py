"""`make grammars` in a copy of the tree: it rebuilds what changed, and nothing otherwise."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("data", "fst", "learners")

pytest.importorskip("pynini", reason="grammars are compiled here")
if not shutil.which("make"):
    pytest.skip("needs make", allow_module_level=True)

ONE = """
from pathlib import Path
from glyphone.fst.rules.cascade import cascade, respelling
LIST = respelling(Path(__file__).with_name("one.tsv"))
ONE = cascade(letters="a b", phones="b", rules=[LIST, "a -> b"])
"""
TWO = """
from glyphone.fst.rules.cascade import cascade
from glyphone.grammars.shared import RULE
TWO = cascade(letters="a b", phones="b", rules=RULE)
"""


class Tree:
    """A checkout with two small grammars, in which time passes only when a test says so."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = 1_000_000_000
        for name in ("Makefile", "pyproject.toml", "setup.py"):
            shutil.copy(ROOT / name, root / name)
        ignore = shutil.ignore_patterns("__pycache__", "samples")
        for room in ("glyphone", *ROOMS):
            shutil.copytree(ROOT / room, root / room, ignore=ignore)
        for path, text in {
            "grammars/__init__.py": "",
            "grammars/shared.py": "RULE = 'a -> b'\n",
            "grammars/x/__init__.py": "",
            "grammars/x/_private.py": "not a grammar\n",
            "grammars/x/one.py": ONE,
            "grammars/x/one.tsv": "ab\tb\n",
            "grammars/x/two.py": TWO,
        }.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        # Where `import glyphone` finds the copy and not what is installed.
        package = root / "package" / "glyphone"
        package.mkdir(parents=True)
        rooms = [root / room for room in (*ROOMS, "grammars")]
        for path in (*rooms, *(root / "glyphone").iterdir()):
            (package / path.name).symlink_to(path)
        (root / ".venv").symlink_to(sys.prefix)
        for path in root.rglob("*"):
            os.utime(path, (self.now, self.now), follow_symlinks=False)
        self.touch("build/installed")

    def touch(self, *paths: str) -> None:
        self.now += 10
        for path in paths:
            (self.root / path).parent.mkdir(exist_ok=True)
            (self.root / path).touch()
            os.utime(self.root / path, (self.now, self.now))

    def make(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **{name: value for name, value in os.environ.items() if "MAKE" not in name},
            "PYTHONPATH": str(self.root / "package"),
        }
        return subprocess.run(
            ["make", *words], cwd=self.root, env=environment, capture_output=True, text=True
        )

    def build(self, *words: str) -> set[str]:
        """The archives that `make grammars` compiles."""
        self.now += 10
        ran = self.make("grammars", *words)
        assert ran.returncode == 0, ran.stderr
        for path in self.root.glob("build/**/*.*"):
            if path.stat().st_mtime > self.now + 1000:  # made by this run, in the world's time
                os.utime(path, (self.now, self.now))
        return {line.split(":")[0] for line in ran.stderr.splitlines()}

    def is_current(self, target: str) -> bool:
        """Whether make has nothing to do for it."""
        return self.make("-q", target).returncode == 0


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return Tree(tmp_path_factory.mktemp("tree"))


def test_what_changed_and_nothing_else(tree: Tree) -> None:
    one, two = "build/x/one.far", "build/x/two.far"
    assert tree.build("-j4") == {one, two}
    assert sorted(path.name for path in (tree.root / "build" / "x").iterdir()) == [
        "one.d", "one.far", "two.d", "two.far",
    ]  # fmt: skip
    assert tree.build() == set()

    def stale() -> set[str]:
        return {target for target in (one, two) if not tree.is_current(target)}

    for source, expected in (
        ("grammars/x/one.tsv", {one}),
        ("grammars/x/one.py", {one}),
        ("grammars/x/two.py", {two}),
        ("grammars/shared.py", {two}),
        ("fst/rules/compiler.py", {one, two}),
        ("fst/rules/parser.py", {one, two}),
        ("data/writing.py", {one, two}),
        ("glyphone/grammar_tools/modules.py", {one, two}),
        ("glyphone/drawing/svg.py", set()),
        ("glyphone/models/kinds.py", set()),
        ("glyphone/cli/apply.py", set()),
        ("grammars/x/_private.py", set()),
    ):
        before = (tree.root / source).stat().st_mtime
        tree.touch(source)
        assert stale() == expected, source
        os.utime(tree.root / source, (before, before))
        assert stale() == set()

    tree.touch("grammars/x/one.tsv")
    assert tree.build() == {one}
    assert stale() == set()

    # A grammar that fails leaves no new archive behind, and is tried again.
    good = (tree.root / "grammars/shared.py").read_text()
    (tree.root / "grammars/shared.py").write_text("RULE = 'a -> ß'\n")
    tree.touch("grammars/shared.py")
    ran = tree.make("grammars")
    assert ran.returncode == 2
    assert "grammars/x/two.py: line 4: 'ß' U+00DF is not in the alphabet" in ran.stderr
    assert stale() == {two}
    (tree.root / "grammars/shared.py").write_text(good)
    tree.touch("grammars/shared.py")
    assert tree.build() == {two}

    # A module that is gone is no error once nothing imports it.
    (tree.root / "grammars/x/two.py").write_text(ONE.replace("ONE", "TWO"))
    (tree.root / "grammars/shared.py").unlink()
    tree.touch("grammars/x/two.py")
    assert tree.build() == {two}
    tree.touch("grammars/x/one.tsv")
    assert tree.build() == {one, two}


def test_a_model_is_trained_again_when_what_it_used_has_changed(tree: Tree) -> None:
    (tree.root / "words.tsv").write_text("ab\tx y\nba\ty x\naa\tx x\n")
    (tree.root / "dev.tsv").write_text("bb\ty y\n")
    (tree.root / "test.tsv").write_text("bab\ty x y\n")
    recipes = tree.root / "glyphone/recipes/lexicons.py"
    text = recipes.read_text().replace("cmudict:train", "words.tsv")
    recipes.write_text(re.sub("cmudict:(dev|test)", r"\1.tsv", text))
    tree.touch("words.tsv", "dev.tsv", "test.tsv", "glyphone/recipes/lexicons.py")
    model = "build/eng/letter_to_sound.glyphone"
    tree.now += 10
    ran = tree.make(model)
    assert ran.returncode == 0, ran.stderr
    for path in (tree.root / "build/eng").iterdir():
        os.utime(path, (tree.now, tree.now))
    assert tree.make("-q", model).returncode == 0
    for source, stale in (
        ("words.tsv", True),
        ("dev.tsv", True),
        ("test.tsv", True),
        ("glyphone/recipes/lexicons.py", True),
        ("fst/joint/training.py", True),
        ("fst/ngrams/smoothing.py", True),
        ("fst/lattices/sum_kernels.py", True),
        ("data/lexicons/named.py", True),
        ("glyphone/models/kinds.py", True),
        ("glyphone/training/train.py", True),
        ("glyphone/evaluation/measures.py", True),
        ("glyphone/models/crf/training.py", False),
        ("glyphone/voicemail/training.py", False),
        ("glyphone/cli/models.py", False),
        ("fst/rules/compiler.py", False),
    ):
        before = (tree.root / source).stat().st_mtime
        tree.touch(source)
        assert (tree.make("-q", model).returncode != 0) is stale, source
        os.utime(tree.root / source, (before, before))


def test_all_that_make_makes_has_a_dependency_file(tree: Tree) -> None:
    """Every file of a verb that can write its dependencies is a target with an included rule."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    recipes = re.findall(r"/glyphone (compile|models train) (.*)", makefile)
    assert len(recipes) == 6
    assert [recipe for recipe in recipes if "--dependencies " not in recipe[1]] == []
    targets = [
        *("build/eng/letter_to_sound.glyphone", "build/jpn/kanji.glyphone"),
        *("build/eng/voicemail.glyphone", "build/matcher.glyphone", "build/zzz/names.glyphone"),
    ]
    (tree.root / "grammars/zzz").mkdir()
    (tree.root / "grammars/zzz/names.toml").touch()
    (tree.root / "source").touch()
    for target in targets:
        (tree.root / target).parent.mkdir(parents=True, exist_ok=True)
        (tree.root / f"{target}.d").write_text(f"{target}: source\n")
    database = tree.make("-pnq", "models").stdout
    rules = dict(line.split(":", 1) for line in database.splitlines() if line.startswith("build/"))
    assert [target for target in targets if "source" not in rules[target].split()] == []
    for target in targets:
        (tree.root / f"{target}.d").unlink()
    shutil.rmtree(tree.root / "grammars/zzz")


def test_the_makefile_guesses_nothing(tree: Tree) -> None:
    """Wildcards list grammars, languages and folders only, and files that are named exist."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    wildcards = re.findall(r"\(wildcard (.+?)\)(?=[\s)])", makefile)
    assert wildcards == ["grammars/*/[!_]*.py", "grammars/*/names.toml", "$(CURDIR)/glyphone/*"]
    named = re.findall(r"\b(?:data|fst|learners|glyphone|grammars)/[\w/]+\.\w+", makefile)
    assert named and [path for path in named if not (ROOT / path).exists()] == []


def test_what_is_compiled_is_told_in_one_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines of processes that run at once cannot mix, even where stderr has no buffer."""
    from glyphone.cli import compile as verb

    writes: list[str] = []
    monkeypatch.setattr(sys, "stderr", SimpleNamespace(write=writes.append))
    grammar, archive = tmp_path / "one.py", tmp_path / "one.far"
    grammar.write_text(ONE)
    (tmp_path / "one.tsv").write_text("ab\tb\n")
    verb.run(Namespace(grammar=str(grammar), output=str(archive), dependencies=None))
    assert writes == [f"{archive}: ONE\n"]


def test_help_lists_the_targets(tree: Tree) -> None:
    ran = tree.make("help")
    assert {"test", "check", "bench", "clean", "help"} <= {
        line.split()[0] for line in ran.stdout.splitlines()
    }
