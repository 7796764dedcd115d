"""Laws of the Ukrainian romanisations that no list of examples can show."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import ItemError
from glyphone.fst.rules.interpreter import run
from glyphone.grammars.ukr.cyrillic import ISO_9, ISO_9_INVERSE, NATIONAL, SMALL

MODULE = "ukr.cyrillic"
RULES = {"NATIONAL": NATIONAL, "ISO_9": ISO_9, "ISO_9_INVERSE": ISO_9_INVERSE}
LETTERS = SMALL.split()
WORDS = st.lists(st.sampled_from(LETTERS), min_size=2, max_size=10).map("".join)


def text(rule, item):
    [way] = run(rule, rule.input_writing.split(item).symbols)
    return "".join(way.output)


@pytest.mark.parametrize("rule", RULES)
@given(data=st.data())
def test_every_string_has_one_output_and_the_compiled_rules_agree(rule, data, load_rule):
    cascade = RULES[rule]
    # К and an acute are another letter in NFC.
    letters = [symbol for symbol in cascade.input_symbols if symbol not in "\u0300\u0301"]
    symbols = tuple(data.draw(st.lists(st.sampled_from(letters), max_size=10)))
    [way] = run(cascade, symbols)
    assert set(way.output) <= set(cascade.output_symbols)
    outputs = [h.output for h in load_rule(MODULE, rule).nbest("".join(symbols))]
    assert outputs == ["".join(way.output)]


@given(st.lists(st.sampled_from("аеєиіїоуюя"), min_size=1, max_size=5))
def test_stress_is_not_seen(vowels):
    stressed = "".join(f"п{vowel}\u0301" for vowel in vowels)
    assert text(NATIONAL, stressed) == text(NATIONAL, stressed.replace("\u0301", ""))


@given(WORDS, st.sampled_from([str.lower, str.title, str.upper]))
def test_iso_9_is_read_back(word, case):
    item = case("на" + word)
    latin = text(ISO_9, item)
    assert len(ISO_9_INVERSE.input_writing.split(latin).symbols) == len(item)
    assert unicodedata.is_normalized("NFC", latin)
    assert text(ISO_9_INVERSE, latin).lower() == item.lower()
    # Of two signs side by side neither has two capitals for neighbours.
    if "ьь" not in word:
        assert text(ISO_9_INVERSE, latin) == item


@given(WORDS)
def test_the_head_of_a_word_alone_depends_on_its_place(word):
    alone = text(NATIONAL, word)
    assert text(NATIONAL, f"{word}-{word} ({word})") == f"{alone}-{alone} ({alone})"
    heads = {"є": "ye", "ї": "yi", "й": "y", "ю": "yu", "я": "ya"}
    for letter, latin in heads.items():
        inside = {"й": "i"}.get(letter, "i" + latin[1:]) if letter != "ї" else "i"
        assert text(NATIONAL, letter) == latin
        assert text(NATIONAL, word + letter) == alone + inside
        assert text(NATIONAL, f"{word}’{letter}") == alone + inside


@given(WORDS, WORDS)
def test_zh_is_never_from_two_letters(one, other):
    assert "зг" not in one + other or "zgh" in text(NATIONAL, one + other)
    assert text(NATIONAL, one + other).count("zh") == (one + other).count("ж")


@given(WORDS)
def test_case_changes_nothing_but_case(word):
    small = text(NATIONAL, word)
    assert text(NATIONAL, word.upper()) == small.upper()
    if word[0] != "ь":
        assert text(NATIONAL, word.capitalize()) == small.capitalize()


@pytest.mark.parametrize("rule", ["NATIONAL", "ISO_9"])
@pytest.mark.parametrize(
    ("junk", "name"), [("ы", "U\\+044B"), ("ё", "U\\+0451"), ("i", "CYRILLIC")]
)
def test_what_is_not_ukrainian_is_refused(rule, junk, name, load_rule):
    with pytest.raises(ItemError, match=name):
        load_rule(MODULE, rule)("К" + junk + "в")
