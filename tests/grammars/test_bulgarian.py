"""Laws of the Bulgarian romanisations that no list of examples can show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import ItemError
from glyphone.fst.rules.interpreter import run
from glyphone.grammars.bul.cyrillic import ISO_9, ISO_9_INVERSE, NATIONAL, SMALL

MODULE = "bul.cyrillic"
RULES = {"NATIONAL": NATIONAL, "ISO_9": ISO_9, "ISO_9_INVERSE": ISO_9_INVERSE}
# Without the letters whose Latin ones have no capitals.
PLAIN = [letter for letter in SMALL.split() if letter not in "ъь"]
WORDS = st.lists(st.sampled_from(SMALL.split()), min_size=1, max_size=10).map("".join)
PLAIN_WORDS = st.lists(st.sampled_from(PLAIN), min_size=2, max_size=10).map("".join)


def text(rule, item):
    [way] = run(rule, rule.input_writing.split(item).symbols)
    return "".join(way.output)


@pytest.mark.parametrize("rule", RULES)
@given(data=st.data())
def test_every_string_has_one_output_and_the_compiled_rules_agree(rule, data, load_rule):
    cascade = RULES[rule]
    letters = [symbol for symbol in cascade.input_symbols if symbol not in "\u0300\u0301"]
    symbols = tuple(data.draw(st.lists(st.sampled_from(letters), max_size=10)))
    [way] = run(cascade, symbols)
    assert set(way.output) <= set(cascade.output_symbols)
    assert [h.output for h in load_rule(MODULE, rule).nbest("".join(symbols))] == [
        "".join(way.output)
    ]


@given(WORDS)
def test_small_letters_come_back_from_iso_9(word):
    assert text(ISO_9_INVERSE, text(ISO_9, word)) == word
    assert len(text(ISO_9, word)) == len(word)


@given(PLAIN_WORDS, st.sampled_from([str.title, str.upper]))
def test_capitals_come_back_from_iso_9(word, case):
    assert text(ISO_9_INVERSE, text(ISO_9, case(word))) == case(word)


@given(PLAIN_WORDS, PLAIN_WORDS)
def test_a_sign_between_capitals_is_a_capital(one, other):
    word = f"{one}ъ{other}".upper()
    assert text(ISO_9_INVERSE, text(ISO_9, word)) == word


@given(WORDS)
def test_iya_is_ia_where_a_word_ends_and_nowhere_else(word):
    inside = text(NATIONAL, f"{word}ият")
    assert inside == text(NATIONAL, word) + "iyat"
    for end in ("", " ", "-", ",", "»"):
        assert text(NATIONAL, f"{word}ия{end}") == text(NATIONAL, word) + "ia" + end


@given(WORDS)
def test_case_changes_nothing_but_case(word):
    small = text(NATIONAL, word)
    assert text(NATIONAL, word.upper()).lower() == small
    assert text(NATIONAL, word.capitalize()) == small.capitalize()
    if len(word) > 1:
        assert text(NATIONAL, word.upper()) == small.upper()


@given(st.lists(st.sampled_from("аеиоуъюя"), min_size=1, max_size=5))
def test_stress_is_not_seen(vowels):
    stressed = "".join(f"п{vowel}\u0301" for vowel in vowels)
    assert text(NATIONAL, stressed) == text(NATIONAL, stressed.replace("\u0301", ""))


@pytest.mark.parametrize("rule", ["NATIONAL", "ISO_9"])
@pytest.mark.parametrize("junk", ["ы", "э", "ё", "ѣ", "ї", "o"])
def test_what_is_not_bulgarian_is_refused(rule, junk, load_rule):
    with pytest.raises(ItemError, match="not in the alphabet"):
        load_rule(MODULE, rule)("С" + junk)
