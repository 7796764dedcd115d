"""Archives of ours: round trips, what other tools see in them, and damage."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from glyphone.data.errors import FormatError, GlyphoneError, NoOutput, UnknownName
from glyphone.data.writing import Writing
from glyphone.fst.automata.far import far_keys, read_far, read_far_all, write_far
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.rules import compiler
from glyphone.fst.rules.cascade import Cascade, cascade
from glyphone.fst.transducers import archive

pytest.importorskip("pynini", reason="archives are compiled with pynini")

CASCADES = {
    "X": cascade(letters="a ñ", phones="a ɲ", rules="ñ -> ɲ", source=Writing(case="lower")),
    "Ñ": cascade(letters="a", phones="b", rules="a -> b").inverse(),
}


@pytest.fixture(scope="session")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "new" / "x.far"
    archive.save(path, CASCADES)
    return path


def damaged(path: Path, folder: Path, **changes: Any) -> Path:
    """A copy with a different manifest in X."""
    entries = read_far_all(path)
    content = archive.read_manifest(entries["X"], path)
    assert content is not None
    content |= changes
    kept = {key: value for key, value in content.items() if value is not None}
    entries["X"] = archive.with_manifest(entries["X"], kept)
    write_far(folder / "damaged.far", entries)
    return folder / "damaged.far"


def test_what_was_saved_is_loaded(path: Path) -> None:
    assert archive.rules_of(path) == ["X", "Ñ"]
    loaded = archive.load(path, "X")
    assert loaded.cascade == replace(CASCADES["X"])
    assert loaded("AÑ").output == "a ɲ"
    assert archive.load(path, "Ñ")("b").output == "a"
    assert archive.load(path, "Ñ").invert()("a").output == "b"


def test_the_same_grammar_makes_the_same_bytes(path: Path, tmp_path: Path) -> None:
    archive.save(tmp_path / "again.far", CASCADES)
    assert (tmp_path / "again.far").read_bytes() == path.read_bytes()


def test_other_tools_read_it(path: Path) -> None:
    import pynini

    with pynini.Far(str(path)) as far:
        entries = {key: fst.copy() for key, fst in far}
    assert list(entries) == ["X", "Ñ"]
    symbols = entries["X"].input_symbols()
    assert [symbols.find(label) for label in range(3)] == ["<epsilon>", "a", "ñ"]


def test_a_cascade_in_stages(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = cascade(letters="a b c", phones="a b c", rules="a -> b / _ c\nb -> c\nc -> a / _ c")
    whole = tmp_path / "whole.far"
    archive.save(whole, {"LONG": long, "LONG.ER": long})
    real = compiler.compile_cascade
    monkeypatch.setattr(compiler, "compile_cascade", lambda c: real(c, arc_budget=1))
    parts = tmp_path / "parts.far"
    archive.save(parts, {"LONG": long, "LONG.ER": long})
    assert {"LONG", "LONG.2", "LONG.ER", "LONG.ER.2"} <= set(far_keys(parts))
    assert archive.rules_of(parts) == ["LONG", "LONG.ER"]
    for word in ("", "acb", "ccacb"):
        one, other = (archive.load(p, "LONG") for p in (whole, parts))
        assert one(word).output == other(word).output
    # A stage by itself is a transducer like any other.
    assert archive.load(parts, "LONG.2").cascade is None
    entries = read_far_all(parts)
    del entries["LONG.2"]
    write_far(parts, entries)
    with pytest.raises(FormatError, match="damaged manifest"):
        archive.load(parts, "LONG")


@pytest.mark.parametrize(
    "changes",
    [
        {"format": None},
        {"format": "one"},
        {"format": []},
        {"stages": None},
        {"stages": 0},
        {"stages": -1},
        {"stages": 2},
        {"stages": 10**12},
        {"stages": {}},
        {"cascade": None},
        {"cascade": []},
        {"cascade": "text"},
        {"cascade": {}},
        {"cascade": {**CASCADES["X"].as_dict(), "source": {"case": "lwer"}}},
        {"cascade": {**CASCADES["X"].as_dict(), "source": {"what": 1}}},
        {"cascade": {**CASCADES["X"].as_dict(), "source": 1}},
        {"cascade": {**CASCADES["X"].as_dict(), "steps": [1]}},
        {"cascade": {**CASCADES["X"].as_dict(), "steps": [{"table": 1}]}},
        {"cascade": {**CASCADES["X"].as_dict(), "steps": [{}]}},
    ],
)
def test_a_damaged_manifest(path: Path, tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(FormatError, match=r"damaged.far: has a damaged manifest .compile it again"):
        archive.load(damaged(path, tmp_path, **changes), "X")


@pytest.mark.parametrize("text", ["{", '{"glyphone":1', "[" * 100_000])
def test_a_manifest_that_is_no_json(path: Path, tmp_path: Path, text: str) -> None:
    entries = read_far_all(path)
    table = entries["X"].isymbols
    assert table is not None
    name = '{"glyphone":' + text
    entries["X"] = replace(entries["X"], isymbols=replace(table, name=name))
    write_far(tmp_path / "x.far", entries)
    with pytest.raises(FormatError, match="damaged manifest"):
        archive.load(tmp_path / "x.far", "X")


def test_a_newer_format_asks_for_a_newer_glyphone(path: Path, tmp_path: Path) -> None:
    newer = damaged(path, tmp_path, format=archive.FORMAT + 1, glyphone="99.0")
    with pytest.raises(FormatError, match=r"glyphone 99.0, in format 2; .*upgrade glyphone"):
        archive.load(newer, "X")
    assert archive.load(newer, "Ñ")("b").output == "a"


def test_an_archive_that_is_not_ours(path: Path, tmp_path: Path) -> None:
    entries = {key: replace(entry, isymbols=None) for key, entry in read_far_all(path).items()}
    write_far(tmp_path / "foreign.far", {"x.1": entries["X"], "x.1.2": entries["X"]})
    assert archive.load(tmp_path / "foreign.far", "x.1").cascade is None
    assert archive.load(tmp_path / "foreign.far", "x.1.2").cascade is None


def test_rules_that_are_not_there(path: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"no rule named 'Y' .*X, Ñ"):
        archive.load(path, "Y")
    with pytest.raises(GlyphoneError, match=r"holds 2 rules, and none is named .name one: .*:X, "):
        archive.load(path)
    write_far(tmp_path / "empty.far", {})
    with pytest.raises(GlyphoneError, match="holds 0 rules"):
        archive.load(tmp_path / "empty.far")
    write_far(tmp_path / "one.far", {"X": read_far(path, "X")})
    assert archive.load(tmp_path / "one.far").name == "X"


def test_every_truncation_is_refused(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    cut = tmp_path / "cut.far"
    for size in [*range(0, 60), *range(60, len(content), 37)]:
        cut.write_bytes(content[:size])
        with pytest.raises((FormatError, UnknownName)):
            archive.load(cut, "X")


def test_an_archive_that_accepts_nothing(tmp_path: Path) -> None:
    nothing = Transducer.from_arcs(-1, [], [], [], [], [], [])
    write_far(tmp_path / "x.far", {"X": nothing})
    with pytest.raises(NoOutput):
        archive.load(tmp_path / "x.far")("a")


def test_a_manifest_holds_everything_that_a_cascade_declares() -> None:
    rich = cascade(
        letters="a b",
        phones="c",
        marks="d",
        rules="{a b} -> d ; note\nd -> c",
        source=Writing("grapheme", "NFD", "upper"),
        target=Writing("token", "none"),
        ambiguous=True,
        partial=True,
    ).inverse(ambiguous=True)
    stored = json.loads(json.dumps(archive.manifest_of(rich, 1)))
    assert Cascade.from_dict(stored["cascade"]) == rich
