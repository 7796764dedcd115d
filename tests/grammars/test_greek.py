"""Laws of the Greek romanisations that no list of examples can show."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import ItemError
from glyphone.fst.rules.interpreter import run
from glyphone.grammars.ell.greek import (
    ELOT_743,
    ISO_843,
    ISO_843_INVERSE,
    MARKED,
    PASSPORT,
    PLAIN,
    POLYTONIC,
    one_stress,
)

MODULE = "ell.greek"
RULES = {
    "ISO_843": ISO_843,
    "ISO_843_INVERSE": ISO_843_INVERSE,
    "ELOT_743": ELOT_743,
    "PASSPORT": PASSPORT,
}
LETTERS = [*PLAIN.split(), *MARKED.split(), *"ΐΰ"]
WORDS = st.lists(st.sampled_from(LETTERS), min_size=1, max_size=10).map("".join)


def spelt(word):
    """A word with ς at its end, and without πσ."""
    word = word.replace("πσ", "ψ")
    return word[:-1] + "ς" if word.endswith("σ") and len(word) > 1 else word


def text(rule, item):
    [way] = run(rule, rule.input_writing.split(item).symbols)
    return "".join(way.output)


@pytest.mark.parametrize("rule", RULES)
@given(data=st.data())
def test_the_compiled_rules_agree_and_give_one_output_at_most(rule, data, load_rule):
    cascade = RULES[rule]
    symbols = tuple(data.draw(st.lists(st.sampled_from(cascade.input_symbols), max_size=10)))
    ways = run(cascade, symbols)
    assert len(ways) <= 1 if cascade.partial else len(ways) == 1
    outputs = ["".join(way.output) for way in ways]
    assert [h.output for h in load_rule(MODULE, rule).nbest("".join(symbols))] == outputs


@given(WORDS, st.sampled_from([str.lower, str.capitalize]))
def test_transliteration_is_read_back(word, case):
    item = unicodedata.normalize("NFC", case(spelt(word)))
    if item[0] not in "ΐΰΪΫ":
        assert text(ISO_843_INVERSE, text(ISO_843, item)) == item


@given(st.lists(st.sampled_from(PLAIN.split()), min_size=2, max_size=8).map("".join))
def test_capitals_are_read_back(word):
    item = "ΑΒ" + spelt(word).upper()
    assert text(ISO_843_INVERSE, text(ISO_843, item)) == item
    assert text(PASSPORT, item).isupper()


@given(WORDS, WORDS)
def test_words_are_transcribed_apart(one, other):
    one, other = spelt(one), spelt(other)
    for between in (" ", "-", ", "):
        expected = text(ELOT_743, one) + between + text(ELOT_743, other)
        assert text(ELOT_743, one + between + other) == expected


@given(WORDS)
def test_a_passport_has_the_transcription_without_marks(word):
    transcribed = unicodedata.normalize("NFD", text(ELOT_743, word))
    bare = "".join(letter for letter in transcribed if not unicodedata.combining(letter))
    assert text(PASSPORT, word) == bare
    assert bare.isascii()


@given(WORDS, st.sampled_from("αεη"), st.sampled_from(LETTERS))
def test_the_sound_of_u_agrees_with_what_follows(word, first, after):
    voiceless = after in "θκξπσςτφχψ"
    output = text(PASSPORT, f"μ{first}υ{after}{word}")
    assert output[2] == ("f" if voiceless else "v")
    assert text(PASSPORT, f"μ{first}υ")[-1] == "f"


@pytest.mark.parametrize("letter", POLYTONIC)
def test_letters_of_the_old_orthography_keep_their_base(letter):
    base = unicodedata.normalize("NFD", letter)[0]
    modern = unicodedata.normalize("NFD", one_stress(letter))
    assert modern[0] == base
    assert set(modern[1:]) <= {"\u0301", "\u0308"}


@pytest.mark.parametrize("rule", ["ISO_843", "ELOT_743", "PASSPORT"])
@pytest.mark.parametrize("junk", ["o", "ἀ", "д"])
def test_other_letters_are_refused(rule, junk, load_rule):
    with pytest.raises(ItemError, match="not in the alphabet"):
        load_rule(MODULE, rule)("Α" + junk)


@pytest.mark.parametrize("item", ["h", "uo", "ay", "hcha", "c", "ts ph"])
def test_latin_letters_that_nothing_gives_have_no_output(item, load_rule):
    assert load_rule(MODULE, "ISO_843_INVERSE").nbest(item) == []
