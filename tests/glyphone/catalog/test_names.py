"""Names of grammars, archives and rules: found, or refused with the nearest ones."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from glyphone.catalog import names as catalog_names
from glyphone.data.errors import FormatError, GlyphoneError, NotInstalled, RuleError, UnknownName
from glyphone.data.records import Alignment
from glyphone.data.writing import Writing
from glyphone.fst.joint import file as joint_file
from glyphone.fst.joint.training import train_joint
from glyphone.fst.storage import container as storage_container
from glyphone.grammar_tools import archives, modules

BROKEN = {
    "letters='a' phones='b'": "line 3: SyntaxError: invalid syntax",
    "letters=VOWELS, phones='b', rules=''": "line 3: NameError: name 'VOWELS' is not defined",
    "letters='a a', phones='b', rules=''": "line 3: declared twice: a",
    "letters='a', phones='b', rules=[respelling('nix.tsv')]": "nix.tsv: No such file",
    "letters='a', phones='b', rules='', source=Writing(case='lwer')": "line 3: no case named 'lw",
    "letters='a', phones='b', rules='', what=1": "line 3: TypeError",
}
HEAD = (
    "from glyphone.fst.rules.cascade import cascade, respelling\n"
    "from glyphone.data.writing import *\n"
)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("x.far", ("x.far", None)),
        ("x.far:X", ("x.far", "X")),
        ("a/b:c/x.far:X", ("a/b:c/x.far", "X")),
        ("a:b/x.far", ("a:b/x.far", None)),
        (r"C:\x.far", (r"C:\x.far", None)),
        (r"C:\x.far:X", (r"C:\x.far", "X")),
        ("spa.letter_to_sound", ("spa.letter_to_sound", None)),
        (":X", ("", "X")),
        ("x.far:", ("x.far", "")),
    ],
)
def test_a_rule_stands_behind_the_last_colon(name: str, parts: tuple[str, str | None]) -> None:
    assert catalog_names.split_name(name) == parts


def test_a_file_with_a_colon_in_its_name(tmp_path: Path, toy: Path) -> None:
    odd = tmp_path / "toy:PLAIN"
    odd.write_bytes(toy.read_bytes())
    assert catalog_names.split_name(str(odd)) == (str(odd), None)
    assert catalog_names.load(f"{odd}:PLAIN")("cha").output == "tʃ a"


def test_grammars_of_ours_are_named_by_module() -> None:
    names = archives.grammar_names()
    assert "spa.letter_to_sound" in names
    assert not [name for name in names if name.split(".")[1].startswith("_")]
    assert "brahmic" not in names


def test_an_archive_by_its_path(toy: Path) -> None:
    for name in (f"{toy}:PLAIN", str(toy) + ":MANY"):
        assert catalog_names.load(name)("ca").output in ("k a", "c a")


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("toy.far", GlyphoneError, "holds 3 rules, and none is named .*toy.far:MANY, .*toy.far:PA"),
        ("toy.far:PLANE", UnknownName, "no rule named 'PLANE' .did you mean PLAIN"),
        ("toy.far:", UnknownName, "no rule named '' .there are: MANY, PARTIAL, PLAIN"),
        ("toi.far:PLAIN", UnknownName, "'.*toi.far' .did you mean .*toy.far"),
        ("nowhere/toy.far", UnknownName, "no model, archive or grammar named"),
        (".:PLAIN", FormatError, "is a folder"),
        ("toy_rules.py:PLAIN", FormatError, "source of a grammar.*glyphone compile"),
    ],
)
def test_what_is_no_archive(
    toy: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: type, message: str
) -> None:
    monkeypatch.chdir(toy.parent)
    with pytest.raises(kind, match=message):
        catalog_names.load(name)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [Alignment(((("p", "h"), ("f",)), (("i",), ("i",))))]
    path = tmp_path_factory.mktemp("learned") / "tiny.glyphone"
    joint_file.save(train_joint(rows, source=Writing(), target=Writing(), order=2), path)
    return path


def test_a_model_by_its_file_whatever_its_name(learned: Path, tmp_path: Path) -> None:
    odd = tmp_path / "tiny:model"
    odd.write_bytes(learned.read_bytes())
    for name in (learned, str(learned), str(odd)):
        assert catalog_names.load(name)("phi").output == "fi"


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("tiny.glyphone:TINY", GlyphoneError, "holds one model and no rules.*'TINY' .name it 'ti"),
        ("tiny.glyfone", UnknownName, r"no model, archive or grammar.*mean tiny\.glyphone"),
        ("empty.glyphone", FormatError, "is not a model file: it is empty"),
        (
            "later.glyphone",
            FormatError,
            "holds a model of the kind 'oracle', expected channel or crf or ensemble",
        ),
    ],
)
def test_what_is_no_model(
    learned: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: type, message: str
) -> None:
    monkeypatch.chdir(learned.parent)
    Path("empty.glyphone").touch()
    storage_container.write("later.glyphone", storage_container.Contents("oracle", {}))
    with pytest.raises(kind, match=message):
        catalog_names.load(name)


@pytest.mark.parametrize("name", ["", ":X"])
def test_no_name_at_all(name: str) -> None:
    with pytest.raises(GlyphoneError, match="names no archive"):
        catalog_names.load(name)


def test_the_nearest_grammar_is_named() -> None:
    with pytest.raises(UnknownName, match=r"did you mean spa\.letter_to_sound"):
        catalog_names.load("spa.leter_to_sound:CASTILIAN")
    with pytest.raises(UnknownName, match=r"did you mean spa\.letter_to_sound"):
        modules.import_grammar("spa.leter_to_sound")


def test_a_grammar_that_is_not_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(archives, "ARCHIVES", (tmp_path,))
    with pytest.raises(NotInstalled, match=r"not compiled yet .make grammars"):
        catalog_names.load("spa.letter_to_sound:CASTILIAN")


def test_a_grammar_by_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, toy: Path) -> None:
    monkeypatch.setattr(archives, "ARCHIVES", (tmp_path / "nowhere", tmp_path))
    (tmp_path / "spa").mkdir()
    (tmp_path / "spa" / "letter_to_sound.far").write_bytes(toy.read_bytes())
    assert catalog_names.load("spa.letter_to_sound:PLAIN")("cha").output == "tʃ a"
    with pytest.raises(UnknownName, match=r"letter_to_sound\.far: no rule named 'CASTILIAN'"):
        catalog_names.load("spa.letter_to_sound:CASTILIAN")


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """A grammar with a helper beside it, both under names that nothing else has."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    helper = f"helper_{os.urandom(4).hex()}"
    path = tmp_path / f"grammar_{os.urandom(4).hex()}.py"
    (tmp_path / f"{helper}.py").write_text("LETTERS = 'a b'\n")
    path.write_text(
        f"from {helper} import LETTERS\nfrom glyphone.fst.rules.cascade import cascade\n"
        "X = _Y = lower = cascade(letters=LETTERS, phones='a b', rules='a -> b')\n"
    )
    return path


def test_a_grammar_in_a_file_may_import_what_lies_beside_it(module: Path) -> None:
    assert list(modules.grammar_rules(str(module))) == ["X"]
    assert modules.import_grammar(str(module)) is modules.import_grammar(str(module))


def test_a_grammar_in_a_module_of_the_user(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(module.parent)
    assert list(modules.grammar_rules(module.stem)) == ["X"]
    assert modules.source_of(module.stem) == Path(module.name)


def test_a_file_does_not_take_the_place_of_a_module(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text(HEAD + "X = cascade(letters='a', phones='a', rules='')\n")
    import json

    assert list(modules.grammar_rules(str(tmp_path / "json.py"))) == ["X"]
    assert sys.modules["json"] is json


@pytest.mark.parametrize("content", BROKEN)
def test_what_goes_wrong_in_a_grammar_is_told_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("told_with_its_line.py").write_text(f"{HEAD}X = cascade({content})\n")
    with pytest.raises(GlyphoneError, match=BROKEN[content]) as caught:
        modules.grammar_rules("told_with_its_line.py")
    assert str(caught.value).startswith(("told_with_its_line.py: ", "nix.tsv: "))
    assert str(Path("told_with_its_line.py").absolute()) not in sys.modules
    assert "told_with_its_line" not in sys.modules


@pytest.mark.parametrize("name", ["", ".", "..x", "a/b", "os", "sys", "nix.py", "x y", "json.nix"])
def test_what_is_no_grammar(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GlyphoneError):
        modules.grammar_rules(name)


def test_a_grammar_without_rules(tmp_path: Path) -> None:
    (tmp_path / "no_rules.py").write_text("x = 1\n")
    with pytest.raises(GlyphoneError, match=r"no_rules\.py: defines no rules"):
        modules.grammar_rules(str(tmp_path / "no_rules.py"))


def test_a_rule_that_does_not_compile_is_told_with_its_line(tmp_path: Path) -> None:
    pytest.importorskip("pynini")
    path = tmp_path / "bad_rule.py"
    rules = "'''\n  a -> b\n  b -> ß  / _ a ; comment\n'''"
    path.write_text(f"{HEAD}X = cascade(letters='a b', phones='a b', rules={rules})\n")
    with pytest.raises(RuleError, match=r"bad_rule\.py: line 5: 'ß' U\+00DF is not in"):
        modules.compile_grammar(str(path), tmp_path / "bad_rule.far")
    assert not (tmp_path / "bad_rule.far").exists()
