"""The doctor: what is there, what is missing, how to get it."""

from __future__ import annotations

from pathlib import Path

import pytest

from glyphone.data.kernels import cache_folder
from glyphone.data.records import Pair
from glyphone.grammar_tools import archives
from glyphone.installation import health
from glyphone.training.train import train


def test_packages_and_grammars_are_listed() -> None:
    report = health.examine_installation()
    assert report.sound
    names = [finding.name for finding in report.packages]
    assert set(names) >= {"numpy", "numba", "regex", "tqdm", "pynini"}
    assert [finding.name for finding in report.grammars] == archives.grammar_names()
    assert str(report).startswith("glyphone ")
    assert f"machine code\n  {cache_folder.kernel_folder()}: " in str(report)


def test_what_is_missing_comes_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "NEEDED", ("no-such-package",))
    report = health.examine_installation()
    assert not report.sound
    assert "  missing  no-such-package: pip install no-such-package" in str(report)


def test_a_package_that_is_there_but_blocked_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pynini", None)
    assert not health.examine_package("pynini", "install it").found


def test_archives_are_looked_into(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, toy: Path
) -> None:
    monkeypatch.setattr(archives, "ARCHIVES", (tmp_path,))
    archive = tmp_path / "spa" / "letter_to_sound.far"
    missing = health.examine_grammar("spa.letter_to_sound")
    assert "not compiled: make grammars" in str(missing)
    archive.parent.mkdir()
    archive.write_bytes(toy.read_bytes())
    assert "(MANY, PARTIAL, PLAIN) in " in str(health.examine_grammar("spa.letter_to_sound"))
    for broken in (b"", b"no archive at all", toy.read_bytes()[:100]):
        archive.write_bytes(broken)
        finding = str(health.examine_grammar("spa.letter_to_sound"))
        assert finding.startswith("  missing  ") and "compile it again" in finding
    assert "pynini" in health.OPTIONAL


def test_an_installation_without_grammars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "grammar_names", list)
    assert "no grammar comes with this installation" in str(health.examine_installation())


def test_default_models_are_looked_into(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(archives, "ARCHIVES", (tmp_path,))
    assert "glyphone models train eng:" in str(health.examine_model("eng.letter_to_sound"))
    path = tmp_path / "eng" / "letter_to_sound.glyphone"
    path.parent.mkdir()
    pairs = [Pair(tuple("phi"), ("f", "i")), Pair(tuple("hi"), ("h", "i"))]
    train(pairs, order=2).save(path)
    assert str(health.examine_model("eng.letter_to_sound")).startswith(
        "  ok       eng.letter_to_sound in "
    )
    path.write_bytes(path.read_bytes()[:-10])
    finding = str(health.examine_model("eng.letter_to_sound"))
    assert finding.startswith("  missing  ") and "train it again" in finding
