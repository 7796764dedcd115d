"""The script of a text: one, none, several; against the standard library's names of characters."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import UnknownName
from glyphone.data.scripts.scripts import CODES, require_script, script_of, scripts_of_character

# How the names of letters begin in the Unicode Character Database, for scripts of names.
BEGINNINGS = {
    "Arab": "ARABIC LETTER",
    "Beng": "BENGALI LETTER",
    "Cyrl": "CYRILLIC SMALL LETTER",
    "Deva": "DEVANAGARI LETTER",
    "Grek": "GREEK SMALL LETTER",
    "Gujr": "GUJARATI LETTER",
    "Guru": "GURMUKHI LETTER",
    "Hang": "HANGUL SYLLABLE",
    "Hani": "CJK UNIFIED IDEOGRAPH",
    "Hebr": "HEBREW LETTER",
    "Hira": "HIRAGANA LETTER",
    "Kana": "KATAKANA LETTER",
    "Knda": "KANNADA LETTER",
    "Latn": "LATIN SMALL LETTER",
    "Mlym": "MALAYALAM LETTER",
    "Sinh": "SINHALA LETTER",
    "Taml": "TAMIL LETTER",
    "Telu": "TELUGU LETTER",
}


@pytest.mark.parametrize("code", BEGINNINGS)
def test_letters_have_the_script_that_is_in_their_names(code: str) -> None:
    letters = [
        letter
        for letter in map(chr, range(0x20000))
        if unicodedata.name(letter, "").startswith((BEGINNINGS[code] + " ", BEGINNINGS[code] + "-"))
        and unicodedata.category(letter).startswith("L")
    ]
    assert len(letters) > 20
    assert {script_of(letter) for letter in letters} == {code}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("St. John’s-on-Sea 24", "Latn"),
        ("São Tomé", "Latn"),
        ("Sa\u0303o", "Latn"),
        ("दिल्ली", "Deva"),
        ("ശ്രീ\u200c", "Mlym"),
        ("クーパー・ヴィル", "Kana"),
        ("こーひー", "Hira"),
        ("佐々木", "Hani"),
        ("서울 (특별시)", "Hang"),
        ("ქუთაისი", "Geor"),
        ("\u200fחיפה", "Hebr"),
    ],
)
def test_names(text: str, code: str) -> None:
    assert script_of(text) == code
    assert script_of(unicodedata.normalize("NFD", text)) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "24/7",
        "ー",  # either kana
        "お茶",
        "東京タワー",
        "Mосква",  # Latin M
        "한ー",
        "दिल्লি",
        "𒀀",  # a script that is not in the table
        "a𒀀",
    ],
)
def test_no_script(text: str) -> None:
    assert script_of(text) is None


@given(st.text(), st.text())
def test_a_text_has_no_script_that_a_part_of_it_lacks(text: str, more: str) -> None:
    whole = script_of(text + more)
    if whole is not None:
        assert all(whole in scripts_of_character(character) for character in text + more)
        assert script_of(text) in (whole, None) and script_of(more) in (whole, None)


def test_codes() -> None:
    assert all(len(code) == 4 and code == code.title() for code in CODES)
    # regex knows every one of them, and each is the script of some character.
    assert {code for c in range(0x20000) for code in [script_of(chr(c))] if code} == CODES


def test_unknown_code() -> None:
    assert require_script("Deva") == "Deva"
    with pytest.raises(UnknownName, match=r"no script named 'deva' \(did you mean Deva"):
        require_script("deva")
