"""Hangul and its phones are one-to-one, and both sides accept exactly what is well formed."""

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import ItemError
from glyphone.fst.rules.interpreter import run
from glyphone.grammars.kor.hangul import (
    FINALS,
    FROM_PHONES,
    INITIALS,
    SYLLABLES,
    TO_PHONES,
    VOWELS,
)

CODAS = [final for final in FINALS if final]
LEGAL = re.compile(
    rf"(?:(?:{'|'.join(INITIALS)}) (?:{'|'.join(VOWELS)}) "
    rf"(?:(?:{'|'.join(' '.join(coda) for coda in CODAS)}) )?|[|] |- )*"
)

texts = st.text(st.sampled_from([*SYLLABLES, " ", "-"]), max_size=5)
syllables = st.lists(
    st.tuples(st.sampled_from(INITIALS), st.sampled_from(VOWELS), st.sampled_from(FINALS)),
    max_size=5,
)
phones = st.lists(st.sampled_from(TO_PHONES.phones), max_size=6)


@pytest.fixture(scope="module")
def to_phones(load_rule):
    return load_rule("kor.hangul", "TO_PHONES")


@pytest.fixture(scope="module")
def from_phones(load_rule):
    return load_rule("kor.hangul", "FROM_PHONES")


def outputs(model, text):
    return [hypothesis.output for hypothesis in model.nbest(text, 5)]


def test_all_syllables_come_back(to_phones, from_phones):
    spelt = [hypothesis.output for hypothesis in to_phones.apply(SYLLABLES)]
    assert len(set(spelt)) == 11_172
    assert [hypothesis.output for hypothesis in from_phones.apply(spelt)] == list(SYLLABLES)


def test_syllables_are_spelt_by_their_canonical_decomposition():
    for syllable, transcription in SYLLABLES.items():
        initial, vowel, *final = unicodedata.normalize("NFD", syllable)
        assert transcription == (
            INITIALS[ord(initial) - 0x1100],
            VOWELS[ord(vowel) - 0x1161],
            *(FINALS[ord(final[0]) - 0x11A7] if final else ()),
        )


def test_finals_are_spelt_as_their_compatibility_letters_are_as_initials():
    # ㄳ is named KIYEOK-SIOS: a cluster is the phones of the two letters that its name gives.
    initial = {
        unicodedata.name(chr(0x1100 + number)).split()[-1]: phone
        for number, phone in enumerate(INITIALS)
    }
    for number, final in enumerate(CODAS, 1):
        letters = unicodedata.name(chr(0x11A7 + number)).split()[-1]
        if letters == "IEUNG":
            assert final == ("ŋ",)
        elif letters in initial:
            assert final == (initial[letters],)
        else:
            assert final == tuple(initial[letter] for letter in letters.split("-"))


@given(text=texts)
def test_texts_come_back(to_phones, from_phones, text):
    (spelt,) = outputs(to_phones, text)
    assert outputs(from_phones, spelt) == [text]
    assert [" ".join(way.output) for way in run(TO_PHONES, tuple(text))] == [spelt]


@given(parts=syllables)
def test_legal_phones_come_back(to_phones, from_phones, parts):
    spelt = " ".join(phone for initial, vowel, final in parts for phone in (initial, vowel, *final))
    (text,) = outputs(from_phones, spelt)
    assert len(text) == len(parts)
    assert outputs(to_phones, text) == [spelt]


@given(sequence=phones)
def test_phones_have_an_output_if_and_only_if_they_are_syllables(from_phones, sequence):
    spelt = " ".join(sequence)
    legal = LEGAL.fullmatch("".join(phone + " " for phone in sequence)) is not None
    assert len(outputs(from_phones, spelt)) == legal


@given(text=texts)
def test_decomposed_text_is_composed(to_phones, text):
    assert outputs(to_phones, unicodedata.normalize("NFD", text)) == outputs(to_phones, text)


@given(parts=syllables.filter(len))
def test_every_phone_comes_from_its_syllable(to_phones, parts):
    text = "".join(
        chr(0xAC00 + (INITIALS.index(i) * 21 + VOWELS.index(v)) * 28 + FINALS.index(f))
        for i, v, f in parts
    )
    spans = to_phones(text).spans
    assert all(end == begin + 1 for begin, end in spans)
    assert all(right - left in (0, 1) for (left, _), (right, _) in pairwise(spans))


@pytest.mark.parametrize(
    "text", ["ㅋㅋ", "ㄱ", "\u1100", "\u1161", "ｶ", "韓", "a", "가1", "\u1140\u1161"]
)
def test_what_is_no_syllable_is_refused(to_phones, text):
    with pytest.raises(ItemError, match="not in the alphabet"):
        to_phones(text)


def test_inverse_is_the_same_relation():
    assert FROM_PHONES.inverse() == TO_PHONES
