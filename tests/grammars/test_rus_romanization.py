"""Laws of the Russian romanisations that no list of examples can show."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import ItemError
from glyphone.fst.rules.cascade import Cascade
from glyphone.fst.rules.interpreter import run
from glyphone.grammars.rus.romanization import (
    CYRILLIC,
    PASSPORT,
    SCIENTIFIC,
    SCIENTIFIC_INVERSE,
    SMALL,
    SMALL_ACUTE,
    SMALL_GRAVE,
    SMALL_OLD,
)

RULES = {
    "SCIENTIFIC": SCIENTIFIC,
    "SCIENTIFIC_INVERSE": SCIENTIFIC_INVERSE,
    "PASSPORT": PASSPORT,
}
MODULE = "rus.romanization"
PLAIN = [letter for letter in SMALL.split() + SMALL_OLD.split() if letter not in "ъь"]


def only(cascade: Cascade, symbols: tuple[str, ...]) -> tuple[str, ...]:
    """The one output of a string."""
    [way] = run(cascade, symbols)
    return way.output


def text(cascade: Cascade, item: str) -> str:
    return "".join(only(cascade, cascade.input_writing.split(item).symbols))


def items(cascade: Cascade) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(cascade.input_symbols), max_size=12).map(tuple)


def letters_of(small: list[str]) -> st.SearchStrategy[str]:
    both = [*small, *map(str.upper, small)]
    return st.lists(st.sampled_from([*both, " ", "-", "."]), max_size=12).map("".join)


@pytest.mark.parametrize("rule", RULES)
@given(data=st.data())
def test_every_string_has_one_output_and_the_compiled_rules_agree(rule, data, load_rule):
    cascade = RULES[rule]
    symbols = data.draw(items(cascade))
    output = only(cascade, symbols)
    assert set(output) <= set(cascade.output_symbols)
    item = cascade.input_writing.join(symbols)
    assert [h.output for h in load_rule(MODULE, rule).nbest(item)] == ["".join(output)]


@given(items(SCIENTIFIC))
def test_iso_9_puts_one_symbol_for_one(symbols):
    assert len(only(SCIENTIFIC, symbols)) == len(symbols)


@given(items(SCIENTIFIC))
def test_iso_9_is_read_back_but_for_the_case_of_signs(symbols):
    def signs_small(string: tuple[str, ...]) -> list[str]:
        return [{"Ъ": "ъ", "Ь": "ь"}.get(symbol, symbol) for symbol in string]

    back = only(SCIENTIFIC_INVERSE, only(SCIENTIFIC, symbols))
    assert signs_small(back) == signs_small(symbols)


@given(items(SCIENTIFIC))
def test_latin_survives_the_way_through_cyrillic(symbols):
    latin = only(SCIENTIFIC, symbols)
    assert only(SCIENTIFIC, only(SCIENTIFIC_INVERSE, latin)) == latin


@given(
    st.lists(st.tuples(st.sampled_from(PLAIN), st.sampled_from(["", "ъ", "ь"])), min_size=2),
    st.sampled_from([str.lower, str.title, str.upper]),
)
def test_a_word_in_any_usual_case_comes_back_from_iso_9_as_it_was(parts, case):
    word = case("".join(map("".join, parts)))
    assert text(SCIENTIFIC_INVERSE, text(SCIENTIFIC, word)) == word


@given(letters_of(SMALL.split()))
def test_case_changes_nothing_but_case(item):
    folded = text(PASSPORT, item.lower())
    assert folded == folded.lower()
    assert text(PASSPORT, item).lower() == folded
    assert text(PASSPORT, item.upper()).lower() == folded


@given(st.lists(st.sampled_from(SMALL.upper().split()), min_size=2).map("".join))
def test_a_word_in_capitals_gives_a_word_in_capitals(word):
    output = text(PASSPORT, word)
    assert output == output.upper()


@given(st.lists(st.sampled_from(SMALL.split()), min_size=1).map("".join))
def test_a_word_with_a_capital_gives_a_word_with_a_capital(word):
    small = text(PASSPORT, word)
    expected = small if word[0] == "ь" else small[:1].upper() + small[1:]
    assert text(PASSPORT, word[0].upper() + word[1:]) == expected


@given(letters_of([*SMALL.split(), *SMALL_ACUTE.split(), *SMALL_GRAVE.split()]))
def test_stress_is_not_seen_in_a_passport(item):
    bare = "".join(c for c in unicodedata.normalize("NFD", item) if c not in "\u0300\u0301")
    assert text(PASSPORT, item) == text(PASSPORT, unicodedata.normalize("NFC", bare))


@pytest.mark.parametrize("rule", ["SCIENTIFIC", "PASSPORT"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_composed_and_decomposed_letters_are_the_same(rule, form, load_rule):
    item = "Ёй, И́ё ё́лка"
    model = load_rule(MODULE, rule)
    assert model(unicodedata.normalize(form, item)).output == model(item).output


def test_the_output_of_iso_9_is_composed():
    for symbol in CYRILLIC:
        [output] = only(SCIENTIFIC, (symbol,))
        assert unicodedata.is_normalized("NFC", output)


@pytest.mark.parametrize("rule", ["SCIENTIFIC", "PASSPORT"])
def test_a_latin_look_alike_is_refused_with_the_letter_that_was_meant(rule, load_rule):
    with pytest.raises(ItemError, match="CYRILLIC SMALL LETTER O"):
        load_rule(MODULE, rule)("Иванoв")
