"""The stage that links candidates to the names of a list."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from glyphone.data.errors import FormatError, GlyphoneError, ItemError
from glyphone.data.records import Candidate
from glyphone.fst.storage import container as storage_container
from glyphone.matching import file as matcher_file
from glyphone.matching.file import make_comparer
from glyphone.pipelines import pipeline as pipelines
from glyphone.pipelines.pipeline import Pipeline
from glyphone.pipelines.registry import Item
from glyphone.pipelines.stages.matching import Match, NamesResource
from tests.glyphone.matching.names import small_matcher
from tests.glyphone.support import glyphone
from tests.glyphone.voicemail.conftest import small  # noqa: F401  (a fixture)
from tests.glyphone.voicemail.test_voicemail import PAT, rows

CUSTOMERS = 'id,name\n1,"Caller, Pat"\n2,Felix Dvorak\n3,"Caller, Pat"\n'
TOML = """
[[stages]]
use = "glyphone.voicemail-callers.v1"
model = "small.glyphone"

[[stages]]
use = "glyphone.match.v1"
model = "mine.glyphone"
names = "customers.csv"
column = "name"
of = "name"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GLYPHONE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    matcher_file.save(small_matcher(), "mine.glyphone")
    Path("customers.csv").write_text(CUSTOMERS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def toml(folder: Path, small: Path) -> Path:  # noqa: F811
    (folder / "small.glyphone").symlink_to(small)
    path = folder / "customers.toml"
    path.write_text(TOML, encoding="utf-8")
    return path


def stage(**settings: object) -> Match:
    given = {"names": "customers.csv", "column": "name", **settings}
    return Match(model=make_comparer(small_matcher()), **given)  # type: ignore[arg-type]


def test_a_pipeline_of_callers_and_customers(toml: Path) -> None:
    ran = glyphone("run", toml, "-", "--format", "jsonl", stdin=PAT.encode())
    assert ran.code == 0, ran.err
    phrase, name, customer = rows(ran)[0]["candidates"]
    assert (phrase["value"], name["value"], customer["value"]) == ("", "Pat Caller", "Caller, Pat")
    assert customer["span"] == name["span"] and customer["features"] == {"line": 2.0}
    assert 0 < customer["score"] < name["score"]


def test_a_saved_pipeline_has_the_names(toml: Path, tmp_path: Path) -> None:
    loaded = pipelines.load(toml)
    loaded.save(tmp_path / "saved.glyphone")
    Path("customers.csv").unlink()
    again = pipelines.load(tmp_path / "saved.glyphone")
    assert again(PAT).candidates == loaded(PAT).candidates
    assert again.fingerprint() == loaded.fingerprint()


def test_other_names_are_another_pipeline(folder: Path) -> None:
    one = Pipeline((stage(),)).fingerprint()
    assert Pipeline((stage(),)).fingerprint() == one
    Path("customers.csv").write_text(CUSTOMERS.replace("Felix", "Clara"), encoding="utf-8")
    assert Pipeline((stage(),)).fingerprint() != one
    assert Pipeline((stage(least=0.2),)).fingerprint() != one


def test_only_chosen_candidates_are_linked(folder: Path) -> None:
    names = [
        Candidate((0, 12), "felix\ndvorak", "PER", {"kind": -0.1}, 0.5),
        Candidate((0, 12), "felix dvorak", "felix dvorak", {"name": 1.0}, 1.0),
        Candidate((13, 16), "555", "555", {"support": 1.0}, 1.0),
    ]
    item = Item("felix dvorak 555", candidates=tuple(names))
    for of, linked in ((None, 2), ("name", 1), ("PER", 1), ("LOC", 0)):
        (found,) = stage(of=of)([item])
        assert found.candidates[:3] == item.candidates
        assert [one.value for one in found.candidates[3:]] == ["Felix Dvorak"] * linked
    (found,) = stage()([item])
    half, whole = found.candidates[3:]
    assert half.score == pytest.approx(whole.score / 2) and half.text == "felix\ndvorak"
    assert stage()([Item("")])[0].candidates == ()


def test_scores_must_be_probabilities(folder: Path) -> None:
    item = Item("x", candidates=(Candidate((0, 1), "x", "x", score=-3.0),))
    with pytest.raises(ItemError, match="has the score -3, no probability"):
        stage()([item])


def test_a_column_may_be_a_number(folder: Path) -> None:
    assert stage(column="2").names == stage().names
    with pytest.raises(
        GlyphoneError, match=r"column 7 is missing \(name one with column: id, name"
    ):
        stage(column="7")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('column = "name"', 'column = "town"', r"no column named 'town' .*column: id, name"),
        ('column = "name"\n', "", r"which column holds the names\?"),
        (
            '"customers.csv"',
            '"customer.csv"',
            "no file of names named 'customer.csv' .did you mean",
        ),
        ('"customers.csv"', '"empty.csv"', "holds no entries"),
        ('"mine.glyphone"', '"matcher"', "glyphone models train matcher"),
        ('"mine.glyphone"', '"small.glyphone"', "matcher"),
        ('of = "name"', "least = 2", "must be a number from 0 to 1"),
    ],
)
def test_what_is_refused(
    toml: Path, old: str, new: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("glyphone.catalog.names.built_file", lambda name, suffix: None)
    Path("empty.csv").write_text("name\n", encoding="utf-8")
    assert old in TOML
    toml.write_text(TOML.replace(old, new), encoding="utf-8")
    with pytest.raises(GlyphoneError, match=message):
        pipelines.load(toml)


@pytest.mark.parametrize(
    "manifest", [{}, {"names": ["a"], "lines": []}, {"names": ["a"], "lines": [[]]}, {"names": 7}]
)
def test_names_of_a_stranger(manifest: dict[str, object]) -> None:
    contents = storage_container.Contents("names", manifest)
    with pytest.raises(FormatError):
        NamesResource().unpack(contents, "", "x.glyphone")


def test_names_come_back(folder: Path) -> None:
    names = stage().names
    assert names.lines == [(2, 4), (3,)]
    contents = NamesResource().pack(names, "")
    assert NamesResource().unpack(contents, "", None) == replace(names, failures=[])
