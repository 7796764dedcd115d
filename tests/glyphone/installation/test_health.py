"""The doctor: what is there, what is missing, how to get it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

from glyphone.catalog import defaults
from glyphone.data import folders
from glyphone.data.kernels import bundles, cache_folder
from glyphone.data.records import Pair
from glyphone.grammar_tools import archives
from glyphone.installation import health
from glyphone.installation.health import Finding
from glyphone.training.train import train

ROOT = Path(__file__).resolve().parents[3]


def test_packages_and_grammars_are_listed() -> None:
    report = health.examine_installation()
    assert report.sound
    names = [finding.name for finding in report.packages]
    assert set(names) >= {"numpy", "numba", "regex", "tqdm", "pynini"}
    assert [finding.name for finding in report.grammars] == archives.grammar_names()
    assert str(report).startswith("glyphone ")
    assert (
        f"\ncaches (made again when they are removed)\n  {cache_folder.kernel_folder()}: "
        in str(report)
    )
    assert [finding.name for finding in report.models] == defaults.default_names()


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


def test_extras_are_those_of_the_project() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {
        extra: tuple(requirement.partition(">")[0] for requirement in requirements)
        for extra, requirements in extras["optional-dependencies"].items()
        if extra not in ("all", "test", "dev", "docs")
    }
    assert {extra: packages for extra, (_, packages) in health.EXTRAS.items()} == named
    needed = {requirement.partition(">")[0] for requirement in extras["dependencies"]}
    assert {*health.NEEDED, "pynini"} == needed


def test_an_extra_is_found_if_all_its_packages_are(monkeypatch: pytest.MonkeyPatch) -> None:
    extras = {"one": ("work", ("numpy",)), "two": ("more work", ("numpy", "no-such", "nor-this"))}
    monkeypatch.setattr(health, "EXTRAS", extras)
    assert str(health.examine_extra("one")) == f"  ok       one (work) numpy {np.__version__}"
    assert str(health.examine_extra("two")) == (
        '  missing  two (more work): no-such, nor-this: pip install "glyphone[two]"'
    )


def test_a_numba_that_compiles_slowly_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert health.slow_compiler() == ""
    monkeypatch.setattr(bundles, "VERSIONS", ("0.1", "0.2"))
    told = str(health.examine_installation())
    assert "takes three times as long to compile as with 0.1 or 0.2: " in told
    assert 'pip install "numba==0.2.*"\n' in told


def test_grammars_are_one_paragraph_and_each_missing_one_a_row() -> None:
    found = [Finding(f"x.grammar{n:02}", "(A) in x.far", "", size=1 << 20) for n in range(40)]
    rows = health.summarise_grammars([*found, Finding("y.z", "", "not compiled")])
    assert rows[0].startswith("  ok       40 of 41, 40 MiB: x.grammar00, x.grammar01, ")
    assert rows[-1] == "  missing  y.z: not compiled"
    assert max(map(len, rows)) <= health.WIDTH
    assert ", ".join(grammar.name for grammar in found) in " ".join(map(str.strip, rows))


def test_models_that_are_not_there_are_one_row() -> None:
    there = Finding("a.names", "in a.glyphone", "", size=3 << 20)
    damaged = Finding("b.names", "", "cut short; train it again", size=5)
    absent = [Finding(f"{name}.names", "", "make models") for name in "cde"]
    assert health.summarise_models([there, damaged, *absent]) == [
        "  ok       1 of 5, 3.0 MiB: a.names 3.0 MiB",
        "  missing  b.names: cut short; train it again",
        "  missing  3 of 5: make models",
    ]
    absent.append(Finding("f.names", "", "make f"))
    assert health.summarise_models(absent) == [
        "  missing  4 of 4: glyphone models train NAME, or --all"
    ]


def test_a_full_page_has_a_row_for_each() -> None:
    report = health.examine_installation()
    full = report.page(in_full=True).splitlines()
    assert {*map(str, report.grammars), *map(str, report.models)} <= {*full}
    assert len(report.page().splitlines()) < len(full)


def test_every_cache_has_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "cache_folder", lambda: tmp_path)
    assert health.describe_other_caches() == []
    for path in ("kernels/x.nbc", "sources/a/x.whl", "sources/y.whl"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(bytes(1 << 20))
    monkeypatch.setattr(cache_folder, "kernel_folder", lambda: tmp_path / "kernels")
    assert health.describe_other_caches() == [f"{tmp_path / 'sources'}: 2 files, 2.0 MiB"]
