"""Base letters and the spelling of Hebrew are one-to-one; so are the spelling and ISO 259."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.fst.rules.interpreter import run
from glyphone.grammars.heb.hebrew import (
    BASE,
    DAGESH,
    FINAL,
    GERESH,
    GERSHAYIM,
    INVENTORY,
    ISO_259,
    MEDIAL,
    POINTS,
    TO_BASE,
)

MODULE = "heb.hebrew"
FINALS = dict(zip(MEDIAL.split(), FINAL.split(), strict=True))
TEXTS = st.lists(st.sampled_from(INVENTORY), max_size=10).map("".join)
BASES = st.lists(st.sampled_from([*BASE.split(), DAGESH, GERESH, " ", "-"]), max_size=10).map(
    "".join
)
MEDIALS, FINAL_FORMS = MEDIAL.replace(" ", ""), FINAL.replace(" ", "")
SIGNS = GERESH + GERSHAYIM
# A final form stands behind something and before nothing of a word.
LEGAL = re.compile(f"(?:[^{FINAL_FORMS}]|(?<=[^ -])[{FINAL_FORMS}](?=[{SIGNS}]*(?:[ -]|$)))*")
# A dagesh stands behind a medial form that has one of its own and could be final.
LEGAL_BASE = re.compile(f"(?:[^{DAGESH}]|(?<=[^ -][{MEDIALS}]){DAGESH}(?=[{SIGNS}]*(?:[ -]|$)))*")


def outputs(model, text):
    return [hypothesis.output for hypothesis in model.nbest(text, 3)]


@given(text=TEXTS)
def test_spellings_have_base_letters_if_and_only_if_final_forms_are_in_place(load_rule, text):
    to_base, from_base = load_rule(MODULE, "TO_BASE"), load_rule(MODULE, "FROM_BASE")
    found = outputs(to_base, text)
    assert len(found) == (LEGAL.fullmatch(text) is not None)
    assert found == ["".join(way.output) for way in run(TO_BASE, tuple(text))]
    for base in found:
        assert not set(base) & set(FINAL_FORMS)
        assert outputs(from_base, base) == [text]


@given(base=BASES)
def test_base_letters_have_a_spelling_if_and_only_if_a_dagesh_is_in_place(load_rule, base):
    to_base, from_base = load_rule(MODULE, "TO_BASE"), load_rule(MODULE, "FROM_BASE")
    found = outputs(from_base, base)
    assert len(found) == (LEGAL_BASE.fullmatch(base) is not None)
    for text in found:
        assert set(text) <= set(INVENTORY)
        assert outputs(to_base, text) == [base]


@given(text=st.lists(st.sampled_from(BASE.split()), min_size=2, max_size=8).map("".join))
def test_the_last_letter_of_a_word_is_final(load_rule, text):
    expected = text[:-1] + FINALS.get(text[-1], text[-1])
    assert outputs(load_rule(MODULE, "FROM_BASE"), text) == [expected]
    assert outputs(load_rule(MODULE, "FROM_BASE"), f"{text}׳-{text}") == [f"{expected}׳-{expected}"]


@given(text=TEXTS)
def test_clean_names_have_base_letters(load_rule, text):
    [clean] = outputs(load_rule(MODULE, "CLEAN"), text)
    [base] = outputs(load_rule(MODULE, "TO_BASE"), clean)
    assert outputs(load_rule(MODULE, "FROM_BASE"), base) == [clean]


@given(text=TEXTS)
def test_iso_259_is_read_back(load_rule, text):
    for way in run(ISO_259, tuple(text)):
        latin = "".join(way.output)
        assert outputs(load_rule(MODULE, "ISO_259"), text) == [latin]
        assert outputs(load_rule(MODULE, "ISO_259_INVERSE"), latin) == [text]


@given(data=st.data())
def test_points_are_dropped_or_kept_and_change_nothing_else(load_rule, data):
    letters = data.draw(st.lists(st.sampled_from(BASE.split()), min_size=1, max_size=6))
    points = st.lists(st.sampled_from(POINTS), max_size=1).map("".join)
    pointed = "".join(letter + data.draw(points) for letter in letters)
    clean = outputs(load_rule(MODULE, "CLEAN"), "".join(letters))
    assert outputs(load_rule(MODULE, "CLEAN"), pointed) == clean
    [kept] = outputs(load_rule(MODULE, "POINTED"), pointed)
    assert "".join(c for c in kept if c in POINTS) == "".join(c for c in pointed if c in POINTS)
    assert ["".join(c for c in kept if c not in POINTS)] == clean


@pytest.mark.parametrize(
    ("typed", "pointed"),
    [
        ("שָׁלוֹמ", "שָׁלוֹם"),
        ("מֶלֶך", "מֶלֶך"),
        ("מַלְךֵּי", "מַלְכֵּי"),
        ("\ufb2aלו\u05b9ם", "ש\u05c1לו\u05b9ם"),
        ("בָּנִינָ", "בָּנִיןָ"),
    ],
)
def test_pointed_names(typed, pointed, load_rule):
    assert outputs(load_rule(MODULE, "POINTED"), typed) == [unicodedata.normalize("NFKC", pointed)]
