"""Devanagari and its phones are one-to-one between exactly the strings that are well formed."""

import re
import unicodedata
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.fst.rules.interpreter import run
from glyphone.grammars.hin.devanagari import DEVANAGARI, FROM_PHONES, TO_PHONES

CONSONANTS = list(DEVANAGARI.consonants)
INDEPENDENT = [vowel.independent for vowel in DEVANAGARI.vowels]
DEPENDENT = [vowel.dependent for vowel in DEVANAGARI.vowels if vowel.dependent]
WRITTEN_ONLY = {vowel.phone for vowel in DEVANAGARI.vowels[1:] if not vowel.dependent}
NASALS, BREATHS, OTHERS = map(list, (DEVANAGARI.nasals, DEVANAGARI.breaths, DEVANAGARI.others))
VIRAMA, NUKTA, ZWNJ, ZWJ = "\u094d", "\u093c", "\u200c", "\u200d"

# The characterisation of the module's docstring, as regular expressions over symbols.
TAIL = f"[{''.join(NASALS)}]?[{''.join(BREATHS)}]?"
WORD = re.compile(
    f"(?:(?:{'|'.join(sorted(CONSONANTS, key=len, reverse=True))})(?!{NUKTA})"
    f"(?:[{''.join(DEPENDENT)}]?{TAIL}|{VIRAMA}(?![{''.join(INDEPENDENT)}]))"
    f"|[{''.join(INDEPENDENT)}]{TAIL}|{'|'.join(map(re.escape, OTHERS))})*"
)


def any_of(symbols):
    return f"(?:{'|'.join(re.escape(symbol) + ' ' for symbol in symbols)})"


CONSONANT = any_of(DEVANAGARI.consonants.values())
VOWEL = any_of(vowel.phone for vowel in DEVANAGARI.vowels)
CARRIED = any_of(vowel.phone for vowel in DEVANAGARI.vowels if vowel.phone not in WRITTEN_ONLY)
ENDING = f"{any_of(DEVANAGARI.nasals.values())}?{any_of(DEVANAGARI.breaths.values())}?"
SPOKEN = re.compile(
    f"(?:{CONSONANT}(?:{CARRIED}{ENDING}|(?!{VOWEL}))"
    f"|{VOWEL}{ENDING}|{any_of(DEVANAGARI.others.values())})*"
)

tails = st.tuples(st.sampled_from(["", *NASALS]), st.sampled_from(["", *BREATHS])).map("".join)
conjuncts = st.lists(st.sampled_from(CONSONANTS), min_size=1, max_size=4).map(VIRAMA.join)
syllables = st.one_of(
    st.tuples(conjuncts, st.sampled_from(["", *DEPENDENT]), tails).map("".join),
    st.tuples(st.sampled_from(INDEPENDENT), tails).map("".join),
    st.sampled_from(OTHERS),
)
# A bare consonant at the end of a word, or of the item: before a space and after everything.
words = st.tuples(st.lists(syllables, max_size=5), st.sampled_from(["", *CONSONANTS])).map(
    lambda parts: "".join(parts[0]) + (parts[1] and parts[1] + VIRAMA)
)
texts = st.lists(words, max_size=3).map(" ".join)


@pytest.fixture(scope="module")
def to_phones(load_rule):
    return load_rule("hin.devanagari", "TO_PHONES")


@pytest.fixture(scope="module")
def from_phones(load_rule):
    return load_rule("hin.devanagari", "FROM_PHONES")


def outputs(model, text):
    return [hypothesis.output for hypothesis in model.nbest(text, 5)]


@given(text=texts)
def test_well_formed_texts_come_back(to_phones, from_phones, text):
    assert WORD.fullmatch(text)
    (spelt,) = outputs(to_phones, text)
    assert outputs(from_phones, spelt) == [text]


@given(text=texts)
def test_rules_and_transducer_agree(to_phones, text):
    assert [" ".join(way.output) for way in run(TO_PHONES, tuple(text))] == outputs(to_phones, text)


def test_the_shortest_strings_have_an_output_if_and_only_if_they_are_well_formed(to_phones):
    # One letter of each kind, up to five in a row; only ड can have the nukta.
    letters = ["ड", NUKTA, "अ", "ा", VIRAMA, "ं", "ः", " "]
    strings = ["".join(string) for n in range(6) for string in product(letters, repeat=n)]
    # NFC would change the order of a virama and a nukta before the rules see them.
    strings = [text for text in strings if unicodedata.is_normalized("NFC", text)]
    found = [
        hypothesis is not None
        for hypothesis in to_phones.apply(strings, on_error=lambda number, error: None)
    ]
    assert found == [WORD.fullmatch(text) is not None for text in strings]


def test_the_shortest_phone_strings_come_back_if_and_only_if_they_are_legal(to_phones, from_phones):
    phones = ["k", "ɽ", "ə", "ɪ", "ɛ", "ɴ", "h", "|"]
    strings = [" ".join(string) for n in range(6) for string in product(phones, repeat=n)]
    found = list(from_phones.apply(strings, on_error=lambda number, error: None))
    assert [hypothesis is not None for hypothesis in found] == [
        SPOKEN.fullmatch(f"{text} " if text else "") is not None for text in strings
    ]
    legal = [text for text, hypothesis in zip(strings, found, strict=True) if hypothesis]
    written = [hypothesis.output for hypothesis in found if hypothesis]
    assert [hypothesis.output for hypothesis in to_phones.apply(written)] == legal


@given(sequence=st.lists(st.sampled_from(TO_PHONES.phones), max_size=8))
def test_any_phones_have_at_most_one_spelling_and_it_is_read_back(to_phones, from_phones, sequence):
    spelt = " ".join(sequence)
    legal = SPOKEN.fullmatch("".join(phone + " " for phone in sequence)) is not None
    written = outputs(from_phones, spelt)
    assert len(written) == legal
    for text in written:
        assert WORD.fullmatch(text)
        assert unicodedata.is_normalized("NFC", text)
        assert outputs(to_phones, text) == [spelt]


@given(string=st.text(st.sampled_from(TO_PHONES.letters), max_size=10))
def test_no_string_of_letters_has_two_outputs(to_phones, string):
    assert len(outputs(to_phones, string)) <= 1


@given(text=texts, number=st.integers(min_value=0), joiner=st.sampled_from([ZWNJ, ZWJ]))
def test_joiners_are_dropped_but_for_the_eyelash(to_phones, text, number, joiner):
    place = number % (len(text) + 1)
    if joiner == ZWJ and text[:place].endswith("र" + VIRAMA):
        respelt = text[: place - 2] + "ऱ" + VIRAMA + text[place:]
    else:
        respelt = text
    joined = text[:place] + joiner + text[place:]
    # A joiner between letter and nukta, or nukta and virama, is no spelling of anything.
    if text[place : place + 1] not in (NUKTA, VIRAMA):
        assert outputs(to_phones, joined) == outputs(to_phones, respelt)


@given(text=texts)
def test_each_letter_is_one_phone_but_for_vowels_not_written(to_phones, text):
    (spelt,) = outputs(to_phones, text)
    inherent = len(
        re.findall(
            f"[{''.join(c[0] for c in CONSONANTS)}]{NUKTA}?"
            f"(?![{NUKTA}{VIRAMA}{''.join(DEPENDENT)}])",
            text,
        )
    )
    silent = text.count(VIRAMA) + text.count(NUKTA)
    assert len(spelt.split()) == len(text) - silent + inherent


@pytest.mark.parametrize(
    "text", ["का" + "ि", "ा", "क्" + "ा", VIRAMA, "क्" + "ं", "कःं", "कंँ", "क्इ", "अा", "स" + NUKTA, "ऽा"]
)
def test_malformed_text_has_no_output(to_phones, text):
    assert outputs(to_phones, text) == []


def test_letters_with_a_nukta_are_the_same_composed_and_decomposed(to_phones):
    for code_point in range(0x0958, 0x0960):
        composed = chr(code_point)
        assert outputs(to_phones, composed) == outputs(
            to_phones, unicodedata.normalize("NFD", composed)
        )
        assert len(outputs(to_phones, composed)) == 1


def test_phones_are_as_many_as_the_letters_that_say_them():
    tables = [DEVANAGARI.consonants, DEVANAGARI.nasals, DEVANAGARI.breaths, DEVANAGARI.others]
    phones = [phone for table in tables for phone in table.values()]
    phones += [vowel.phone for vowel in DEVANAGARI.vowels]
    assert sorted(phones) == sorted(set(phones)) == sorted(FROM_PHONES.phones)
