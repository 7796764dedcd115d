"""Names of CLDR: which are paired and which left out, made up and real."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from glyphone.data.errors import FormatError, UnknownName
from glyphone.data.records import NamePair
from glyphone.data.scripts.scripts import script_of
from glyphone.data.sources import cldr
from glyphone.data.sources.cldr import KINDS, read_cldr
from tests.sources import need_source, put_source

NEW_SALEM = "America/North_Dakota/New_Salem"
TABLES: dict[str, dict[str, dict[str, Any]]] = {
    "root": {"time_zones": {"Asia/Hovd": {"long": {}}}, "languages": {"de": "Deutsch"}},
    "en": {
        "territories": {"MM": "Myanmar (Burma)", "TF": "Terres", "IN": "India"},
        "languages": {"fr": "French", "de": "German"},
        "currency_names": {"INR": "Rupee"},
        "time_zones": {"Asia/Calcutta": {"city": "Kolkata"}, "Europe/London": {"long": {}}},
    },
    "hi": {
        "territories": {"MM": "म्यांमार (बर्मा)", "TF": "Terres", "IN": "भारत", "ZZ": "अज्ञात"},
        "languages": {"fr": "फ़्रांसीसी"},
        "currency_names": {"INR": "रुपया"},
        "time_zones": {
            "Asia/Calcutta": {"city": "कोलकाता"},
            "Europe/London": {"city": "लंदन", "long": {}},
            NEW_SALEM: {"city": "न्यू सालेम"},
            "Etc/Unknown": {"city": "अज्ञात शहर"},
        },
    },
    "hi_Deva": {"languages": {"fr": "फ़्रेंच"}, "time_zones": {"Asia/Calcutta": {"long": {}}}},
    "hi_Latn": {"languages": {"fr": "Fransisi"}},
}
SHARED: dict[str, dict[str, str]] = {
    "language_aliases": {"hin": "hi"},
    "likely_subtags": {"hi": "hi_Deva_IN"},
    "parent_exceptions": {"en": "root"},
}


@pytest.fixture
def few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some locales in the place of the package."""
    tables = {f"babel/locale-data/{name}.dat": pickle.dumps(one) for name, one in TABLES.items()}
    tables["babel/global.dat"] = pickle.dumps(SHARED)
    put_source(monkeypatch, tmp_path, "babel", tables)
    cldr.tables_of.cache_clear()
    cldr.shared_tables.cache_clear()
    monkeypatch.setattr(cldr, "tables_of", cldr.tables_of.__wrapped__)
    monkeypatch.setattr(cldr, "shared_tables", cldr.shared_tables.__wrapped__)


@pytest.mark.usefixtures("few")
def test_names_beside_english_ones() -> None:
    assert list(read_cldr("hi-Deva")) == [
        NamePair("Myanmar", "म्यांमार", "cldr", "hi_Deva/territory/MM", "territory"),
        NamePair("India", "भारत", "cldr", "hi_Deva/territory/IN", "territory"),
        NamePair("French", "फ़्रेंच", "cldr", "hi_Deva/language/fr", "language"),
        NamePair("Rupee", "रुपया", "cldr", "hi_Deva/currency/INR", "currency"),
        NamePair("Kolkata", "कोलकाता", "cldr", "hi_Deva/city/Asia/Calcutta", "city"),
        NamePair("London", "लंदन", "cldr", "hi_Deva/city/Europe/London", "city"),
        NamePair("New Salem", "न्यू सालेम", "cldr", f"hi_Deva/city/{NEW_SALEM}", "city"),
    ]


@pytest.mark.usefixtures("few")
def test_another_script_than_the_usual_one_inherits_from_the_root_alone() -> None:
    assert [cldr.parent_of(name) for name in ("hi_Deva", "hi_Latn", "hi_IN", "en", "hi")] == [
        "hi", "root", "hi", "root", "root",
    ]  # fmt: skip
    assert [pair.native for pair in read_cldr("hin", kinds=["language"])] == ["फ़्रांसीसी"]
    assert list(read_cldr("hi_Latn")) == []


def test_a_pickle_that_calls_something_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = b"cos\nsystem\n(S'exit'\ntR."
    put_source(monkeypatch, tmp_path, "babel", {"babel/global.dat": call})
    with pytest.raises(FormatError, match=r"names os\.system, which is no pattern"):
        cldr.load_pickle("babel/global.dat")


@pytest.mark.usefixtures("few")
def test_kinds() -> None:
    pairs = list(read_cldr("hi_Deva", kinds=["currency", "language"]))
    assert [pair.kind for pair in pairs] == ["currency", "language"]
    with pytest.raises(UnknownName, match=r"no kind of names named 'citys' \(did you mean city"):
        read_cldr("hi_Deva", kinds=["citys"])


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("locale", ["hi_Dev", "a!"])
def test_unknown_locale(locale: str) -> None:
    with pytest.raises(UnknownName, match=f"no locale named '{locale}' .*hi_Deva"):
        read_cldr(locale)


@pytest.mark.parametrize(
    ("locale", "script", "least"),
    [("hin", "Deva", 1500), ("ta", "Taml", 1500), ("srp", "Cyrl", 1600), ("ja", "Kana", 800)],
)
def test_the_names_themselves(locale: str, script: str, least: int) -> None:
    need_source("babel")
    pairs = [pair for pair in read_cldr(locale) if script_of(pair.native) == script]
    assert len(pairs) >= least
    assert {pair.kind for pair in pairs} == set(KINDS)
    assert {script_of(pair.latin) for pair in pairs} == {"Latn"}
    assert not any("_" in pair.latin or "(" in pair.latin + pair.native for pair in pairs)


def test_names_that_everybody_knows() -> None:
    need_source("babel")
    pairs = {(pair.latin, pair.native) for pair in read_cldr("ru")}
    assert {("France", "Франция"), ("Minsk", "Минск"), ("Kolkata", "Калькутта")} <= pairs
    assert list(read_cldr("sr_Latn")) == []
    with pytest.raises(UnknownName, match="no locale named 'qqq'"):
        read_cldr("qqq")
