"""ISO 233 of Arabic is read back; what cannot be is told."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import ItemError
from glyphone.fst.rules.interpreter import run
from glyphone.grammars.ara.arabic import (
    INVENTORY,
    ISO_233,
    ISO_233_INVERSE,
    LATIN_LETTERS,
    MARKS,
    TATWEEL,
)

MODULE = "ara.arabic"
TEXTS = st.lists(st.sampled_from(INVENTORY), max_size=10).map("".join)
WITHOUT_BELOW = TEXTS.map(lambda text: re.sub("إ|اء", "ا", text)).filter(lambda t: "اء" not in t)


def text(rule, item):
    [way] = run(rule, tuple(item))
    return "".join(way.output)


@given(text_=TEXTS)
def test_every_name_has_one_transliteration_and_the_compiled_rule_agrees(text_, load_rule):
    latin = text(ISO_233, text_)
    assert [h.output for h in load_rule(MODULE, "ISO_233").nbest(text_)] == [latin]


@given(symbols=st.lists(st.sampled_from(LATIN_LETTERS), max_size=10).map(tuple))
def test_the_compiled_inverse_agrees(symbols, load_rule):
    found = ["".join(way.output) for way in run(ISO_233_INVERSE, symbols)]
    model = load_rule(MODULE, "ISO_233_INVERSE")
    assert [h.output for h in model.nbest("".join(symbols))] == found
    for arabic in found:
        assert text(ISO_233, arabic) == "".join(symbols)


@given(text_=WITHOUT_BELOW)
def test_names_come_back(text_):
    assert text(ISO_233_INVERSE, text(ISO_233, text_)) == text_


@given(text_=TEXTS)
def test_latin_survives_the_way_through_arabic(text_):
    latin = text(ISO_233, text_)
    assert text(ISO_233, text(ISO_233_INVERSE, latin)) == latin


@pytest.mark.parametrize("head", ["", "و", "ف", "ب", "ال", "وال", "ل", "فل", "عبد ", "ابن-"])
@given(rest=st.lists(st.sampled_from("بتثجحخدذرزسش"), min_size=1, max_size=5).map("".join))
def test_hamza_below_comes_back_at_the_head_of_a_word(head, rest):
    item = f"{head}إ{rest}"
    assert text(ISO_233_INVERSE, text(ISO_233, item)) == item


@given(rest=st.lists(st.sampled_from("بتثجحخدذرزسش"), min_size=1, max_size=5).map("".join))
def test_hamza_behind_alif_comes_back_inside_and_at_the_end_of_a_word(rest):
    for item in (f"{rest}اء", f"ر{rest}اءات"):
        assert text(ISO_233_INVERSE, text(ISO_233, item)) == item


@pytest.mark.parametrize(("item", "back"), [("بونإيتشي", "بوناءيتشي"), ("لاءم", "لإم")])
def test_what_does_not_come_back_is_what_the_module_says(item, back):
    assert text(ISO_233_INVERSE, text(ISO_233, item)) == back


@given(data=st.data())
def test_vowel_signs_and_tatweel_change_nothing(data, load_rule):
    letters = data.draw(st.lists(st.sampled_from("بتثجحخدذرزسشمن"), min_size=1, max_size=6))
    signs = st.lists(st.sampled_from([*MARKS, TATWEEL]), max_size=2).map("".join)
    typed = "".join(letter + data.draw(signs) for letter in letters)
    # A hamza or madda is no vowel sign: with its letter it may be another letter.
    typed = re.sub("[\u0653-\u0655]", "", typed)
    model = load_rule(MODULE, "CLEAN")
    assert [h.output for h in model.nbest(typed)] == ["".join(letters)]


@pytest.mark.parametrize("stray", ["ˈ", "bˈ", "â", "bâ"])
def test_stray_signs_have_no_output(stray, load_rule):
    assert load_rule(MODULE, "ISO_233_INVERSE").nbest(stray) == []


@pytest.mark.parametrize("junk", ["٣", "؟", "،", "پ", "َ"])
def test_what_is_not_in_the_inventory_is_refused(junk, load_rule):
    with pytest.raises(ItemError, match="not in the alphabet"):
        load_rule(MODULE, "ISO_233")("ب" + junk)
