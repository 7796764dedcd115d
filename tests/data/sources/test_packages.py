"""Plain names, packages that are absent, letters of languages, for readers of names."""

from __future__ import annotations

import sys

import pytest

from glyphone.data.errors import NotInstalled
from glyphone.data.extras import need_package
from glyphone.data.sources.letters import ALPHABETS, languages_of
from glyphone.data.sources.packages import plain_name


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("São  Tomé ", "São Tomé"),
        ("Sa\u0303o\u00a0Tomé", "São Tomé"),
        ("Windsor, Ontario", "Windsor"),
        ("لوول، ماساچوست", "لوول"),
        ("温莎（安大略）", "温莎"),
        ("Congo [DRC]", "Congo"),
        ("Saint-Denis", "Saint-Denis"),
        ("(none)", ""),
        ("", ""),
    ],
)
def test_plain_name(name: str, plain: str) -> None:
    assert plain_name(name) == plain == plain_name(plain)


def test_an_absent_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    remedy = r"pyarrow, which is not installed \(pip install \"glyphone\[parquet\]\"\)"
    with pytest.raises(NotInstalled, match=remedy):
        need_package("pyarrow", to="read Parquet", extra="parquet")


def test_a_package_that_is_there() -> None:
    assert need_package("sys", to="test", extra="names") is sys


@pytest.mark.parametrize(
    ("name", "languages"),
    [
        ("Москва", {"bel", "bul", "mkd", "rus", "srp", "ukr"}),
        ("Ёлкино", {"rus"}),
        ("Київ", {"ukr"}),
        ("Знам’янка", {"bel", "bul", "rus", "ukr"}),
        ("Мінск", {"bel", "ukr"}),
        ("Търново", {"bul", "rus"}),
        ("ТЪРЪМ-ЫК", {"rus"}),
        ("Ђаково", {"srp"}),
        ("Ќустендил", {"mkd"}),
        ("Қызылорда", set()),
        ("دلّی", {"fas", "urd"}),
        ("کراچی", {"fas", "urd"}),
        ("ٹھٹھہ", {"urd"}),
        ("مكة", {"ara"}),
        ("مُكَّة", {"ara"}),
        ("دبور", {"ara", "fas", "urd"}),
        ("फ़्रांस", {"hin"}),
        ("\u095e", {"hin"}),
        ("पुणे", {"hin", "mar", "nep"}),
        ("जळगाव", {"mar"}),
        ("কলকাতা", {"asm", "ben"}),
        ("রংপুর", {"ben"}),
        ("তেজপুৰ", {"asm"}),
        ("חֵיפָה", {"heb", "yid"}),
        ("װילנע", {"yid"}),
        ("Delhi", set()),
        ("12", set()),
        ("", set()),
    ],
)
def test_languages_of(name: str, languages: set[str]) -> None:
    assert set(languages_of(name)) == languages


def test_sizes_of_alphabets() -> None:
    # Ukrainian and Belarusian have the apostrophe, Arabic hamza and its seats, ta marbuta and
    # alif maqsura beside the letters that children count.
    sizes = {
        "rus": 33,
        "ukr": 33 + 1,
        "bul": 30,
        "srp": 30,
        "mkd": 31,
        "bel": 32 + 1,
        "ara": 28 + 8,
    }
    assert {language: len(ALPHABETS[language]) for language in sizes} == sizes
