"""Scripts of languages: what is well-formed in them, by letters, tables and grammars."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError, ItemError, NoOutput
from glyphone.data.writing import Writing
from glyphone.models.names.languages import Language, find_language
from glyphone.models.names.script import Script, script_of
from tests.glyphone.models.names.support import TABLES, TARALI, VELM

ACCENTED = replace(VELM, letters="e\u0301 ñ a b", cased=False)


@cache
def tarali_script() -> Script:
    """The script of Tarali, whose tables take a moment to compile."""
    return script_of(TARALI)


def error_of(script: Script, word: str) -> ItemError:
    (found,) = script.read([word])
    assert isinstance(found, ItemError)
    return found


@pytest.mark.parametrize("letters", ["a b é ñ", "abéñ", "  a\nb\te\u0301 n\u0303 ", "ñéba"])
def test_letters_are_code_points_however_they_are_spaced(letters: str) -> None:
    assert script_of(replace(ACCENTED, letters=letters)).letters == {"a", "b", "é", "ñ"}


@given(st.lists(st.sampled_from("abéñ"), min_size=1).map("".join), st.sampled_from("xe\u0301É-"))
def test_what_is_no_letter_has_its_place_in_the_own_string(word: str, wrong: str) -> None:
    script = script_of(ACCENTED)
    for form in ("NFC", "NFD"):
        typed = unicodedata.normalize(form, word)
        assert script.read([typed]) == [tuple(word)]
        error = error_of(script, f"{typed}!{wrong}")
        assert (error.symbol, error.offset) == ("!", len(typed))


def test_capitals_of_an_alphabet() -> None:
    assert script_of(VELM).read(["Միրա"]) == [tuple("միրա")]
    assert script_of(replace(VELM, letters=VELM.letters.upper())).read(["Մի"]) == [tuple("մի")]
    small = script_of(replace(VELM, cased=False))
    assert error_of(small, "Միրա").symbol == "Մ"
    assert script_of(VELM).writing == Writing(case="lower") and small.writing == Writing()


def test_what_is_no_text_is_an_error_of_its_word() -> None:
    found = script_of(VELM).read(["մի", "մ\0", "ի"])
    assert isinstance(found[1], ItemError) and found[1].symbol == "\0"
    assert found[::2] == [("մ", "ի"), ("ի",)]


# Words of Tarali as the tables say: parts that may follow each other, with their phones.
CONSONANTS = dict(zip(*[iter(TABLES["consonants"].split())] * 2, strict=True))
VOWELS = [*zip(*[iter(TABLES["vowels"].split())] * 3, strict=True)]
syllables = st.one_of(
    st.builds(
        lambda c, v: (c + v[2][1:], f"{CONSONANTS[c]} {v[1]}"),
        st.sampled_from(sorted(CONSONANTS)),
        st.sampled_from(VOWELS),
    ),
    st.sampled_from(VOWELS).map(lambda v: (v[0], v[1])),
)
closed = st.sampled_from(sorted(CONSONANTS)).map(lambda c: (c + TABLES["virama"], CONSONANTS[c]))


@given(st.lists(syllables, min_size=1, max_size=5), closed)
def test_well_formed_words_go_there_and_back(rows: list[tuple[str, str]], end: Any) -> None:
    script = tarali_script()
    assert script.writer is not None
    word = "".join(native for native, _ in [*rows, end])
    phones = " ".join(phone for _, phone in [*rows, end])
    assert script.read([word]) == [tuple(phones.split())]
    assert script.writer(phones).output == word
    assert isinstance(error_of(script, word + "\u0307"), NoOutput)
    assert isinstance(error_of(script, "\u0307" + word), NoOutput)
    assert error_of(script, word + "x").symbol == "x"


def tables(**changes: object) -> Language:
    given = {name: text for name, text in {**TABLES, **changes}.items() if text is not None}
    return replace(TARALI, tables=given)


def test_tables_beyond_consonants_and_vowels() -> None:
    script = script_of(
        tables(nasals="\u0303 ŋ", breaths="ჰ h", others="ჲ 1", respelt="მ -> ნ / _ ნ")
    )
    assert script.read(["მ\u0303ჰჲ", "მნ"]) == [tuple("maŋh1"), tuple("nana")]
    apart = tables(consonants="e\u0301 k", vowels="ა a é")
    assert script_of(apart).read(["é", "e\u0301ა"]) == [("k", "a"), ("k", "a", "a")]


WRONG: list[tuple[dict[str, object], str]] = [
    ({"consonats": "x"}, "no setting named 'consonats' (did you mean consonants?)"),
    ({"virama": None}, 'there is no virama (write virama = "...")'),
    ({"vowels": "  "}, 'there is no vowels (write vowels = "...")'),
    ({"consonants": 3}, "consonants is 3 (it must be text in quotes)"),
    ({"others": ["x"]}, "others is ['x'] (it must be text in quotes)"),
    (
        {"consonants": "მ m ნ"},
        "consonants has 3 entries, which are not rows of 2 (a row is: ",
    ),
    ({"vowels": "ა a"}, "vowels has 2 entries, which are not rows of 3 (a row is: LETTER PHONE C"),
    ({"consonants": "მ m მ n"}, "the letter მ is there twice (each stands for one thing only"),
    ({"consonants": "მ m ნ m"}, "the phone m is there twice"),
    ({"others": "მ x"}, "the letter მ is there twice"),
    ({"nasals": "ჱ a"}, "the phone a is there twice"),
    ({"virama": "მ"}, "the letter მ is there twice"),
    ({"virama": "\u0307"}, "the letter \u0307 is there twice"),
    ({"virama": "ჰჰ"}, "'ჰ' U+10F0 is not in the alphabet"),
    ({"respelt": "q -> მ"}, "'q' U+0071 is not in the alphabet"),
    ({"respelt": "მ ->->"}, ""),
]


@pytest.mark.parametrize(("changes", "message"), WRONG)
def test_tables_that_are_wrong(changes: dict[str, object], message: str) -> None:
    with pytest.raises(GlyphoneError) as caught:
        script_of(tables(**changes))
    assert str(caught.value).startswith(f"tarali: [tables]: {message}")


def test_grammars() -> None:
    tamil = find_language("tam")
    script = script_of(tamil)
    assert script.reader is not None and script.writer is not None
    (phones,) = script.read(["தமிழ்"])
    assert script.writer(" ".join(map(str, phones))).output == "தமிழ்"
    without = script_of(replace(tamil, writes=""))
    assert without.writer is None and without.writing == script.writing
    with pytest.raises(GlyphoneError, match="no rule named 'TO_PHONE'"):
        script_of(replace(tamil, reads="tam.tamil:TO_PHONE"))


def test_rules_that_read_and_write_again_leave_what_is_well_formed() -> None:
    script = script_of(find_language("hin"))
    assert script.writer is not None
    assert script.read(["राना"]) == [tuple("राना")]
    assert isinstance(script.read(["रााना"])[0], ItemError)
    assert script.writer("राना").output == "राना"
