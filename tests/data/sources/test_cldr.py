"""Names of CLDR: which are paired and which left out, made up and real."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from glyphone.data.errors import UnknownName
from glyphone.data.records import NamePair
from glyphone.data.scripts.scripts import script_of
from glyphone.data.sources.cldr import KINDS, read_cldr


class UnknownLocale(Exception):
    pass


class Locale:
    """Two locales, with the tables that babel's have."""

    def __init__(self, name: str) -> None:
        self.name = name
        english = name == "en"
        self.territories = (
            {"MM": "Myanmar (Burma)", "TF": "Terres", "IN": "India"}
            if english
            else {"MM": "म्यांमार (बर्मा)", "TF": "Terres", "IN": "भारत", "ZZ": "अज्ञात"}
        )
        self.languages = {"fr": "French"} if english else {"fr": "फ़्रेंच"}
        self.scripts: dict[str, str] = {}
        self.currencies = {"INR": "Rupee"} if english else {"INR": "रुपया"}
        self.time_zones: dict[str, dict[str, Any]] = (
            {"Asia/Calcutta": {"city": "Kolkata"}, "Europe/London": {"long": {}}}
            if english
            else {
                "Asia/Calcutta": {"city": "कोलकाता"},
                "Europe/London": {"city": "लंदन", "long": {}},
                "America/North_Dakota/New_Salem": {"city": "न्यू सालेम"},
                "Etc/Unknown": {"city": "अज्ञात शहर"},
                "Asia/Hovd": {"long": {}},
            }
        )

    def __str__(self) -> str:
        return self.name

    @classmethod
    def parse(cls, name: str) -> Locale:
        if name == "hi_Deva":
            return cls("hi")
        if name == "a!":
            raise ValueError(name)
        raise UnknownLocale(name)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    localedata = SimpleNamespace(locale_identifiers=lambda: ["en", "hi_Deva"])
    babel = SimpleNamespace(Locale=Locale, UnknownLocaleError=UnknownLocale, localedata=localedata)
    monkeypatch.setitem(sys.modules, "babel", babel)
    monkeypatch.setitem(sys.modules, "babel.localedata", localedata)


@pytest.mark.usefixtures("few")
def test_names_beside_english_ones() -> None:
    assert list(read_cldr("hi-Deva")) == [
        NamePair("Myanmar", "म्यांमार", "cldr", "hi/territory/MM", "territory"),
        NamePair("India", "भारत", "cldr", "hi/territory/IN", "territory"),
        NamePair("French", "फ़्रेंच", "cldr", "hi/language/fr", "language"),
        NamePair("Rupee", "रुपया", "cldr", "hi/currency/INR", "currency"),
        NamePair("Kolkata", "कोलकाता", "cldr", "hi/city/Asia/Calcutta", "city"),
        NamePair("London", "लंदन", "cldr", "hi/city/Europe/London", "city"),
        NamePair("New Salem", "न्यू सालेम", "cldr", "hi/city/America/North_Dakota/New_Salem", "city"),
    ]


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
    pytest.importorskip("babel", reason="CLDR's names are in a package of their own")
    pairs = [pair for pair in read_cldr(locale) if script_of(pair.native) == script]
    assert len(pairs) >= least
    assert {pair.kind for pair in pairs} == set(KINDS)
    assert {script_of(pair.latin) for pair in pairs} == {"Latn"}
    assert not any("_" in pair.latin or "(" in pair.latin + pair.native for pair in pairs)


def test_names_that_everybody_knows() -> None:
    pytest.importorskip("babel", reason="CLDR's names are in a package of their own")
    pairs = {(pair.latin, pair.native) for pair in read_cldr("ru")}
    assert {("France", "Франция"), ("Minsk", "Минск"), ("Kolkata", "Калькутта")} <= pairs
    assert list(read_cldr("sr_Latn")) == []
    with pytest.raises(UnknownName, match="no locale named 'qqq'"):
        read_cldr("qqq")
