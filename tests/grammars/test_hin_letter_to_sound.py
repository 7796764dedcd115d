"""Laws of Hindi pronunciation on all well-formed spellings."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.fst.rules.interpreter import run
from glyphone.grammars.hin.devanagari import DEVANAGARI
from glyphone.grammars.hin.letter_to_sound import HINDI, PHONES

VIRAMA = DEVANAGARI.virama
CONSONANTS = list(DEVANAGARI.consonants)
DEPENDENT = [vowel.dependent for vowel in DEVANAGARI.vowels if vowel.dependent]
INDEPENDENT = [vowel.independent for vowel in DEVANAGARI.vowels]
VOWELS = set(PHONES.split()[PHONES.split().index("ə") : -1])

tails = st.tuples(st.sampled_from(["", "ं", "ँ"]), st.sampled_from(["", "ः"])).map("".join)
conjuncts = st.lists(st.sampled_from(CONSONANTS), min_size=1, max_size=3).map(VIRAMA.join)
vowels = st.one_of(st.just(""), st.sampled_from(DEPENDENT))
syllables = st.one_of(
    st.tuples(conjuncts, vowels, tails).map("".join),
    st.tuples(st.sampled_from(INDEPENDENT), tails).map("".join),
)
words = st.lists(syllables, min_size=1, max_size=6).map("".join)
# Syllables of one consonant and one vowel; the signs for r and l in the place of vowels are not.
light = vowels.filter(lambda sign: sign not in list("ृॄॢॣ"))
plain = st.lists(
    st.tuples(st.sampled_from("कगतदनपबमरलस"), light).map("".join), min_size=1, max_size=6
).map("".join)


@pytest.fixture(scope="module")
def hindi(load_rule):
    return load_rule("hin.letter_to_sound", "HINDI")


def outputs(model, text):
    return [hypothesis.output for hypothesis in model.nbest(text, 5)]


@given(items=st.lists(words, min_size=1, max_size=3), gap=st.sampled_from([" ", "-"]))
def test_words_are_said_one_by_one(hindi, items, gap):
    said = [output for item in items for output in outputs(hindi, item)]
    assert len(said) == len(items)
    assert outputs(hindi, gap.join(items)) == [" | ".join(said)]


@given(word=words)
def test_rules_and_transducer_agree(hindi, word):
    assert [" ".join(way.output) for way in run(HINDI, tuple(word))] == outputs(hindi, word)


@given(word=words)
def test_every_word_has_a_vowel_or_ends_in_a_virama(hindi, word):
    (said,) = outputs(hindi, word)
    assert VOWELS & set(said.split())


@given(word=plain)
def test_schwa_is_all_that_is_lost(hindi, word):
    (said,) = outputs(hindi, word)
    consonants = [DEVANAGARI.consonants[letter] for letter in re.findall("[क-ह]", word)]
    assert [phone for phone in said.split() if phone not in VOWELS] == consonants
    signs = [phone for phone in said.split() if phone in VOWELS - {"ə"}]
    assert len(signs) >= sum(letter in DEPENDENT for letter in word)


@given(word=plain)
def test_no_three_consonants_meet_where_none_were_written(hindi, word):
    (said,) = outputs(hindi, word)
    shape = "".join("V" if phone in VOWELS else "C" for phone in said.split())
    assert "CCC" not in shape
    assert not shape.startswith("CC")


@given(word=plain)
def test_a_final_schwa_is_only_in_words_without_another_vowel(hindi, word):
    (said,) = outputs(hindi, word)
    if said.endswith("ə"):
        assert VOWELS & set(said.split()[:-1]) == set()
