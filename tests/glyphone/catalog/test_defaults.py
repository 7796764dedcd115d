"""The default models: their names, how they are found by language, and their page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glyphone.catalog import defaults as catalog_defaults
from glyphone.catalog import names as catalog_names
from glyphone.data.errors import NotInstalled
from glyphone.data.records import Pair
from glyphone.grammar_tools import archives
from glyphone.training.train import train
from tests.glyphone.support import glyphone

PAIRS = [
    Pair(tuple(latin), tuple(native))
    for latin, native in {"rana": "राना", "nara": "नारा", "rara": "रारा"}.items()
]


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place where only one model of names has been trained."""
    made = train(PAIRS, kind="names", language="hin", dev=PAIRS, calibrated=False)
    (tmp_path / "hin").mkdir()
    made.save(tmp_path / "hin" / "names.glyphone")
    # Grammars have been read; of models there is the one that was trained here.
    monkeypatch.setattr(archives, "ARCHIVES", (tmp_path,))
    return tmp_path


def test_every_language_has_a_model_in_both_directions() -> None:
    names = catalog_defaults.default_names()
    assert {"eng.letter_to_sound", "hin.names", "hin.to_latin", "jpn.to_latin"} <= set(names)
    assert [catalog_defaults.full_name(code) for code in ("rus", "rus-Latn", "rus-Cyrl", "x")] == [
        "rus.names", "rus.to_latin", "rus-Cyrl", "x",
    ]  # fmt: skip


def test_a_model_is_found_by_language(trained: Path) -> None:
    assert (
        catalog_names.load("hin")("Nana").output == catalog_names.load("hin.names")("nana").output
    )
    with pytest.raises(
        NotInstalled, match=r"to_latin is not trained yet \(glyphone models train hin: "
    ):
        catalog_names.load("hin-Latn")


def test_the_page(trained: Path) -> None:
    ran = glyphone("models", "list", "hin", "tam", "eng")
    assert ran.code == 0
    head, hindi, *caveat, absent, english, tamil = ran.out.splitlines()
    assert head.split()[:3] == ["model", "trained", "on"]
    assert "100.00 %" in hindi and " 3 " in hindi
    assert any("did not see the words" in line for line in caveat)
    assert (absent, english) == (
        "not there yet:",
        "  glyphone models train eng: about a minute, 1 MB to fetch",
    )
    assert "glyphone models train tam:" in tamil
    every = glyphone("models").out
    assert every.count("glyphone models train CODE:") == 1 and len(every.splitlines()) < 20
    (row,) = map(json.loads, glyphone("models", "list", "--json", "hin").out.splitlines())
    assert (row["name"], row["pairs"], row["accuracy"]) == ("hin.names", 3, 1.0)
    ran = glyphone("models", "list", "hni")
    assert ran.code == 2 and "no default model named 'hni'" in ran.err
