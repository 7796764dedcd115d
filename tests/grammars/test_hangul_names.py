"""The syllables that names are transliterated with: which they are, and that no others come out."""

from __future__ import annotations

import gzip
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glyphone
from glyphone.data.errors import NoOutput
from glyphone.fst.transducers.model import TransducerModel
from glyphone.grammars.kor.hangul import NAME_SYLLABLES, SYLLABLES, TO_PHONES
from tests.grammars.conftest import LoadRule

NAMES = Path(glyphone.__path__[0]).parents[1] / "shared/data/netranslit_coling2018"
# Initials and vowels, but none of ㅑ ㅒ ㅕ ㅖ ㅛ ㅠ behind ㅈ ㅉ ㅊ, and seven finals.
NAME = re.compile(
    "(?:(?![\u110c-\u110e][\u1163\u1164\u1167\u1168\u116d\u1172])"
    "[\u1100-\u1112][\u1161-\u1175][\u11a8\u11ab\u11af\u11b7\u11b8\u11ba\u11bc]?|[ -])*"
)

texts = st.text(st.sampled_from([*SYLLABLES, " ", "-"]), max_size=3)
names = st.text(st.sampled_from([*NAME_SYLLABLES, " ", "-"]), max_size=6)
sequences = st.lists(st.sampled_from(TO_PHONES.phones), max_size=7)


@pytest.fixture(scope="module")
def to_phones(load_rule: LoadRule) -> TransducerModel:
    return load_rule("kor.hangul", "TO_PHONES")


@pytest.fixture(scope="module")
def from_phones(load_rule: LoadRule) -> TransducerModel:
    return load_rule("kor.hangul", "FROM_PHONES")


@pytest.fixture(scope="module")
def names_from_phones(load_rule: LoadRule) -> TransducerModel:
    return load_rule("kor.hangul", "NAMES_FROM_PHONES")


def outputs(model: TransducerModel, text: str) -> list[str]:
    return [hypothesis.output for hypothesis in model.nbest(text, 5)]


def is_name(text: str) -> bool:
    return NAME.fullmatch(unicodedata.normalize("NFD", text)) is not None


def test_the_syllables_are_those_of_the_standard() -> None:
    assert list(NAME_SYLLABLES) == list(filter(is_name, SYLLABLES))
    assert len(NAME_SYLLABLES) == (19 * 21 - 3 * 6) * 8


def test_all_syllables_of_names_come_back_and_no_others(
    to_phones: TransducerModel, names_from_phones: TransducerModel
) -> None:
    spelt = [answer.output for answer in to_phones.apply(SYLLABLES, jobs=1) if answer]
    back = [answer and answer.output for answer in names_from_phones.apply(spelt, jobs=1)]
    assert back == [syllable if is_name(syllable) else None for syllable in SYLLABLES]


@given(text=texts | names)
def test_a_text_comes_back_if_and_only_if_all_its_syllables_are_of_names(
    to_phones: TransducerModel, names_from_phones: TransducerModel, text: str
) -> None:
    (spelt,) = outputs(to_phones, text)
    assert outputs(names_from_phones, spelt) == ([text] if is_name(text) else [])


@given(sequence=sequences)
def test_what_comes_out_is_what_all_syllables_would_give(
    from_phones: TransducerModel, names_from_phones: TransducerModel, sequence: list[str]
) -> None:
    phones = " ".join(sequence)
    assert outputs(names_from_phones, phones) == list(filter(is_name, outputs(from_phones, phones)))


@pytest.mark.parametrize(
    ("phones", "why"),
    [
        ("k͈ o t͡ɕʰ", "a final that no loanword has"),
        ("p a l k", "a cluster"),
        ("k a k s 0 a", "a cluster, though the second letter could begin a syllable"),
        ("t͡ɕ ju s ɯ", "j behind an affricate"),
        ("a n n a", "no initial where ㅇ is silent"),
        ("k a a", "the same inside a word"),
        ("s t a", "a consonant without vowel"),
    ],
)
def test_ill_formed_names_have_no_output(
    names_from_phones: TransducerModel, phones: str, why: str
) -> None:
    with pytest.raises(NoOutput):
        names_from_phones(phones)


@pytest.mark.skipif(not NAMES.is_dir(), reason="the evaluation data are not here")
def test_the_syllables_cover_names_in_use() -> None:
    with gzip.open(NAMES / "wd_korean_64.tsv.gz", "rt", encoding="utf-8") as lines:
        words = [line.split("\t")[1].replace(" ", "") for line in lines]
    covered = sum(set(word) <= set(NAME_SYLLABLES) for word in words)
    assert covered / len(words) > 0.997


@given(st.one_of(sequences, names.map(lambda text: phones_of(text))))
def test_letters_are_those_of_the_syllables(load_rule: LoadRule, phones: list[str]) -> None:
    """Letter by letter or syllable by syllable, the same is written, and the same refused."""
    jamo, syllables = (
        load_rule("kor.hangul", "NAMES_TO_JAMO"),
        load_rule("kor.hangul", "NAMES_FROM_PHONES"),
    )
    text = " ".join(phone for phone in phones if phone not in "|-")
    composed = [unicodedata.normalize("NFC", way.output) for way in jamo.nbest(text, 3)]
    assert composed == [way.output for way in syllables.nbest(text, 3)]


def phones_of(text: str) -> list[str]:
    return [phone for syllable in text for phone in NAME_SYLLABLES.get(syllable, ())]
