"""Katakana and its phones are one-to-one, and both sides accept exactly what is well formed."""

from __future__ import annotations

import gzip
import unicodedata
from collections.abc import Sequence
from itertools import chain, pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glyphone
from glyphone.data.errors import ItemError, NoOutput
from glyphone.fst.rules.interpreter import run
from glyphone.fst.transducers.model import TransducerModel
from glyphone.grammars.jpn.katakana import (
    FROM_PHONES,
    PHONES_OF_MORAE,
    PHONES_OF_SMALL,
    TO_PHONES,
)
from tests.grammars.conftest import LoadRule

NAMES = Path(glyphone.__path__[0]).parents[1] / "shared/data/netranslit_coling2018"
SMALL = "ァィゥェォャュョヮヵヶ"
FULL = [kana for kana in PHONES_OF_MORAE if len(kana) == 1]
DIGRAPHS = [kana for kana in PHONES_OF_MORAE if len(kana) == 2]
KANA_OF = {phones: kana for kana, phones in PHONES_OF_MORAE.items()}
KANA_OF |= {(phone,): kana for kana, phone in PHONES_OF_SMALL.items()}
KANA_OF |= {("N",): "ン", ("Q",): "ッ", (":",): "ー"}

# Few letters, so that marks and small letters meet often, and all of them.
texts = st.text("カテフウィァョンッー", max_size=7) | st.text(
    st.sampled_from(TO_PHONES.letters), max_size=7
)
sequences = st.lists(st.sampled_from(TO_PHONES.phones), max_size=7)
# Random phones are hardly ever a name, so these are drawn too.
parts = st.lists(st.sampled_from(list(KANA_OF)), max_size=6).map(lambda found: [*chain(*found)])


@pytest.fixture(scope="module")
def to_phones(load_rule: LoadRule) -> TransducerModel:
    return load_rule("jpn.katakana", "TO_PHONES")


@pytest.fixture(scope="module")
def from_phones(load_rule: LoadRule) -> TransducerModel:
    return load_rule("jpn.katakana", "FROM_PHONES")


def outputs(model: TransducerModel, text: str) -> list[str]:
    return [hypothesis.output for hypothesis in model.nbest(text, 5)]


def legal(text: str) -> bool:
    """The rules that the page of the grammar states in words, letter by letter."""
    return all(may_stand(text[:place], letter) for place, letter in enumerate(text))


def may_stand(before: str, letter: str) -> bool:
    last = before[-1:]
    mora = last in FULL or last in [*SMALL]
    if letter == "ー":
        return mora
    if letter == "ン":
        return mora or last in ("", "ー")
    if letter == "ッ":
        return mora or last in ("ー", "ン")
    if letter in SMALL:
        return last in FULL or last == "ン" or before[-2:] in DIGRAPHS
    return True


def written(phones: Sequence[str]) -> str | None:
    """The katakana of phones, if they are well formed."""
    kana: list[str] = []
    place = 0
    while place < len(phones):
        known = [n for n in (2, 1) if tuple(phones[place : place + n]) in KANA_OF]
        if not known:
            return None
        kana.append(KANA_OF[tuple(phones[place : place + known[0]])])
        place += known[0]
    respelt = any(a + b in DIGRAPHS for a, b in pairwise(kana))
    text = "".join(kana)
    return text if legal(text) and not respelt else None


def test_every_letter_of_the_block_is_in_the_alphabet() -> None:
    assert set(TO_PHONES.letters) == {chr(code) for code in range(0x30A1, 0x30FB)} | {"ー"}


def test_all_morae_come_back(to_phones: TransducerModel, from_phones: TransducerModel) -> None:
    spelt = [outputs(to_phones, kana)[0] for kana in PHONES_OF_MORAE]
    assert len(set(spelt)) == len(PHONES_OF_MORAE)
    assert [outputs(from_phones, phones) for phones in spelt] == [[k] for k in PHONES_OF_MORAE]


def test_a_mora_is_a_vowel_behind_one_consonant_at_most() -> None:
    for phones in PHONES_OF_MORAE.values():
        assert phones[-1] in tuple("aiueo") and len(phones) <= 2
        assert not {*phones[:-1]} & {*"aiueoNQ:", *PHONES_OF_SMALL.values()}


def test_pairs_of_letters_have_an_output_if_and_only_if_they_are_legal(
    to_phones: TransducerModel, from_phones: TransducerModel
) -> None:
    pairs = ["".join(pair) for pair in product(TO_PHONES.letters, repeat=2)]
    fine = list(filter(legal, pairs))
    spelt = [answer and answer.output for answer in to_phones.apply(pairs, jobs=1)]
    assert [pair for pair, phones in zip(pairs, spelt, strict=True) if phones] == fine
    back = from_phones.apply(filter(None, spelt), jobs=1)
    assert [answer and answer.output for answer in back] == fine


@given(text=texts)
def test_texts_come_back_if_and_only_if_they_are_legal(
    to_phones: TransducerModel, from_phones: TransducerModel, text: str
) -> None:
    spelt = outputs(to_phones, text)
    assert len(spelt) == legal(text)
    assert [" ".join(way.output) for way in run(TO_PHONES, tuple(text))] == spelt
    assert [outputs(from_phones, phones) for phones in spelt] == [[text] for _ in spelt]


@given(phones=sequences | parts)
def test_phones_are_written_if_and_only_if_they_are_well_formed(
    to_phones: TransducerModel, from_phones: TransducerModel, phones: list[str]
) -> None:
    text = written(phones)
    assert outputs(from_phones, " ".join(phones)) == ([] if text is None else [text])
    if text is not None:
        assert outputs(to_phones, text) == [" ".join(phones)]


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [("ｶﾞｯｺｳ", "ガッコウ"), ("ﾊﾟｰﾃｨｰ", "パーティー"), ("ｳﾞｨｸﾄﾙ", "ヴィクトル")],
)
def test_halfwidth_and_decomposed_kana_are_the_same(
    to_phones: TransducerModel, narrow: str, wide: str
) -> None:
    (phones,) = outputs(to_phones, wide)
    assert outputs(to_phones, narrow) == [phones]
    assert outputs(to_phones, unicodedata.normalize("NFD", wide)) == [phones]


@pytest.mark.parametrize(
    "text", ["ジョン・スミス", "アル＝サドル", "タロウ2", "さくら", "スヾ", "a"]
)
def test_what_is_no_katakana_is_refused(to_phones: TransducerModel, text: str) -> None:
    with pytest.raises(ItemError, match="not in the alphabet"):
        to_phones(text)


@pytest.mark.parametrize(
    "text", "ー ッ ァ ーカ ッカ カーー カッッ カンン カッン カッー カンー".split()
)
def test_misplaced_marks_have_no_output(to_phones: TransducerModel, text: str) -> None:
    with pytest.raises(NoOutput):
        to_phones(text)


@pytest.mark.parametrize(
    "phones", ["k", "k k a", "s u m i s", "Q k a", ": a", "a : :", "a N :", "ɕ N", "t e ĭ", "h u"]
)
def test_ill_formed_phones_have_no_output(from_phones: TransducerModel, phones: str) -> None:
    with pytest.raises(NoOutput):
        from_phones(phones)


def test_inverse_is_the_same_relation() -> None:
    assert FROM_PHONES.inverse(partial=True) == TO_PHONES


@pytest.mark.skipif(not NAMES.is_dir(), reason="the evaluation data are not here")
def test_all_names_in_katakana_come_back(
    to_phones: TransducerModel, from_phones: TransducerModel
) -> None:
    with gzip.open(NAMES / "wd_katakana_64.tsv.gz", "rt", encoding="utf-8") as lines:
        names = [line.split("\t")[1].replace(" ", "") for line in lines]
    spelt = [answer.output if answer else "" for answer in to_phones.apply(names, jobs=1)]
    back = from_phones.apply(spelt, jobs=1)
    same = [
        answer is not None and answer.output == name
        for name, answer in zip(names, back, strict=True)
    ]
    assert (sum(same), len(names)) == (63_152, 63_246)
