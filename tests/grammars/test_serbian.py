"""The two alphabets of Serbian stand letter for letter, but where two letters look like one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import ItemError
from glyphone.fst.rules.interpreter import run
from glyphone.grammars.srp.cyrillic import CYRILLIC, LATIN, NONJOINER, SMALL, STEMS, TABLE

MODULE = "srp.cyrillic"
WORDS = st.lists(st.sampled_from(SMALL.split()), min_size=1, max_size=10).map("".join)
CASES = st.sampled_from([str.lower, str.capitalize, str.upper])
AMBIGUOUS = re.compile("нј|лј|дж", re.IGNORECASE)
DIGRAPHS = {"љ": "ǉ", "њ": "ǌ", "џ": "ǆ"}
# Stems with anything behind them.
LISTED = tuple(head + tail for head, tail in STEMS)


def text(rule, item):
    [way] = run(rule, rule.input_writing.split(item).symbols)
    return "".join(way.output)


@pytest.mark.parametrize(("rule", "cascade"), [("LATIN", LATIN), ("CYRILLIC", CYRILLIC)])
@given(data=st.data())
def test_every_string_has_one_output_and_the_compiled_rules_agree(rule, cascade, data, load_rule):
    item = "".join(data.draw(st.lists(st.sampled_from(cascade.input_symbols), max_size=10)))
    output = text(cascade, item)
    assert set(output) <= set(cascade.output_symbols)
    assert [h.output for h in load_rule(MODULE, rule).nbest(item)] == [output]


@given(WORDS, CASES)
def test_words_come_back_from_latin_letters(word, case):
    latin = text(LATIN, case(word))
    # A capital alone may be Lj or, behind itself, LJ; both are the same letter.
    back = text(CYRILLIC, latin)
    if not AMBIGUOUS.search(word) and not latin.lower().startswith(LISTED):
        assert back == case(word)


@given(WORDS, CASES)
def test_latin_survives_the_way_through_cyrillic(word, case):
    latin = text(LATIN, case(word))
    assert text(LATIN, text(CYRILLIC, latin)) == latin


@given(WORDS)
def test_digraph_letters_and_a_non_joiner_leave_no_doubt(word):
    latin = "".join(DIGRAPHS.get(letter, TABLE[letter]) + NONJOINER for letter in word)
    assert text(CYRILLIC, latin) == word
    assert text(CYRILLIC, latin.replace(NONJOINER, "")) == word or AMBIGUOUS.search(word)


@pytest.mark.parametrize(("head", "tail"), STEMS)
@pytest.mark.parametrize("case", [str.lower, str.capitalize, str.upper])
def test_listed_stems_are_cut_at_the_head_of_a_word_only(head, tail, case):
    stem, one = case(head + tail + "a"), {"nj": "њ", "dž": "џ"}[head[-1] + tail[0]]
    assert one not in text(CYRILLIC, stem).lower()[: len(head) + 1]
    assert text(LATIN, text(CYRILLIC, stem)) == stem
    assert one in text(CYRILLIC, "m" + head + tail)
    assert text(CYRILLIC, f"ma-{head}{tail}") == "ма-" + text(CYRILLIC, head + tail)


@given(WORDS)
def test_case_changes_nothing_but_case(word):
    small = text(LATIN, word)
    assert text(LATIN, word.upper()).lower() == small
    assert text(LATIN, word.capitalize()) == small.capitalize()


@pytest.mark.parametrize(("rule", "item"), [("LATIN", "Qo"), ("LATIN", "ы"), ("CYRILLIC", "Wx")])
def test_other_letters_are_refused(rule, item, load_rule):
    with pytest.raises(ItemError, match="not in the alphabet"):
        load_rule(MODULE, rule)(item)
