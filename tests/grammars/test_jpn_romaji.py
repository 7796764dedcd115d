"""Laws of kana and romaji that no list of examples can show."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import NoOutput
from glyphone.fst.rules.cascade import Cascade
from glyphone.fst.rules.interpreter import run
from glyphone.grammars.jpn.romaji import (
    HIRAGANA_TO_ROMAJI,
    KATAKANA_TO_ROMAJI,
    MERGED,
    MORAE,
    NATIVE,
    ROMAJI_TO_HIRAGANA,
    ROMAJI_TO_KATAKANA,
    VARIANTS,
    kana_pairs,
    to_hiragana,
)

RULES = {
    "KATAKANA_TO_ROMAJI": KATAKANA_TO_ROMAJI,
    "HIRAGANA_TO_ROMAJI": HIRAGANA_TO_ROMAJI,
    "ROMAJI_TO_KATAKANA": ROMAJI_TO_KATAKANA,
    "ROMAJI_TO_HIRAGANA": ROMAJI_TO_HIRAGANA,
}
MODULE = "jpn.romaji"
CANONICAL = kana_pairs(MORAE)
DOUBLED = [kana for kana, romaji in CANONICAL if romaji[0] not in "aiueonmy"]
MACRONS = str.maketrans({"ā": "aa", "ī": "ii", "ū": "uu", "ē": "ee", "ō": "ou"})


def only(cascade: Cascade, item: str) -> str:
    """The one output of a string."""
    [way] = run(cascade, cascade.input_writing.split(item).symbols)
    return "".join(way.output)


def strings(pieces: list[str]) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(pieces), max_size=8).map("".join)


# Legal katakana: a mora, doubled if it can be, long or not; ン; a space or hyphen.
SHORT = [kana for kana, _ in CANONICAL] + ["ッ" + kana for kana in DOUBLED] + ["ン", " ", "-"]
LONG = [kana + "ー" for kana, _ in CANONICAL]
LEGAL = strings([*SHORT, *LONG])
# What hiragana shares with katakana in both directions: no morae that NATIVE spells otherwise.
NATIVE_ROMAJI = {romaji for _, romaji in kana_pairs(NATIVE)}
SHARED = strings(
    [kana for kana, romaji in CANONICAL if romaji not in NATIVE_ROMAJI]
    + ["ン", "ッカ", "ッチ", " "]
)
SPELLINGS = [romaji for _, romaji in kana_pairs(MORAE + VARIANTS + NATIVE)]
ROMAJI = strings([*SPELLINGS, *"nmtkscāô'- ", "nn", "tch"])


@pytest.mark.parametrize("rule", ["KATAKANA_TO_ROMAJI", "HIRAGANA_TO_ROMAJI"])
@given(data=st.data())
def test_kana_has_one_romanisation_at_most_and_the_compiled_rules_agree(rule, data, load_rule):
    cascade = RULES[rule]
    pieces = [kana for kana, _ in CANONICAL + kana_pairs(MERGED)]
    if rule == "HIRAGANA_TO_ROMAJI":
        pieces = list(map(to_hiragana, pieces))
    item = data.draw(strings([*pieces, *cascade.letters]))
    outputs = ["".join(way.output) for way in run(cascade, tuple(item))]
    assert len(outputs) <= 1
    assert [h.output for h in load_rule(MODULE, rule).nbest(item)] == outputs


@pytest.mark.parametrize("rule", ["ROMAJI_TO_KATAKANA", "ROMAJI_TO_HIRAGANA"])
@given(item=ROMAJI)
def test_romaji_has_one_reading_at_most_and_the_compiled_rules_agree(rule, item, load_rule):
    outputs = ["".join(way.output) for way in run(RULES[rule], tuple(item))]
    assert len(outputs) <= 1
    assert [h.output for h in load_rule(MODULE, rule).nbest(item)] == outputs


@given(st.lists(st.sampled_from(SPELLINGS), min_size=1, max_size=8).map("".join))
def test_morae_in_any_spelling_always_have_a_reading(item):
    assert only(ROMAJI_TO_KATAKANA, item)
    assert only(ROMAJI_TO_HIRAGANA, item)


@given(LEGAL)
def test_katakana_comes_back_from_romaji(kana):
    assert only(ROMAJI_TO_KATAKANA, only(KATAKANA_TO_ROMAJI, kana)) == kana


@given(SHARED)
def test_hiragana_comes_back_from_romaji(kana):
    written = to_hiragana(kana)
    assert only(ROMAJI_TO_HIRAGANA, only(HIRAGANA_TO_ROMAJI, written)) == written


@given(strings([*SHORT, *LONG, *(kana for kana, _ in kana_pairs(MERGED))]))
def test_hiragana_and_katakana_are_romanised_alike(kana):
    assert only(HIRAGANA_TO_ROMAJI, to_hiragana(kana)) == only(KATAKANA_TO_ROMAJI, kana)


@given(SHARED)
def test_romaji_is_read_alike_in_both_scripts_but_for_loanwords(kana):
    romaji = only(KATAKANA_TO_ROMAJI, kana)
    assert only(ROMAJI_TO_HIRAGANA, romaji) == to_hiragana(only(ROMAJI_TO_KATAKANA, romaji))


@given(LEGAL)
def test_case_and_accents_of_romaji_are_only_style(kana):
    romaji = only(KATAKANA_TO_ROMAJI, kana)
    typed = romaji.translate(str.maketrans("āīūēō'", "âîûêô’")).upper()
    assert only(ROMAJI_TO_KATAKANA, typed) == kana
    assert only(ROMAJI_TO_KATAKANA, unicodedata.normalize("NFD", romaji)) == kana


@given(LEGAL)
def test_a_macron_in_hiragana_is_the_vowel_of_native_spelling(kana):
    romaji = only(KATAKANA_TO_ROMAJI, kana)
    spelt = romaji.translate(MACRONS)
    assert only(ROMAJI_TO_HIRAGANA, romaji) == only(ROMAJI_TO_HIRAGANA, spelt)


def test_no_romaji_stands_for_two_morae():
    assert len({romaji for _, romaji in CANONICAL}) == len(CANONICAL)


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [("ｶﾞｯｺｳ", "ガッコウ"), ("ﾊﾟｰﾃｨｰ", "パーティー"), ("ｼﾞｮﾝ･ｽﾐｽ", "ジョン・スミス")],
)
def test_halfwidth_and_decomposed_kana_are_the_same(narrow, wide, load_rule):
    model = load_rule(MODULE, "KATAKANA_TO_ROMAJI")
    assert model(narrow).output == model(wide).output
    assert model(unicodedata.normalize("NFD", wide)).output == model(wide).output


@pytest.mark.parametrize("rule", ["ROMAJI_TO_KATAKANA", "ROMAJI_TO_HIRAGANA"])
@pytest.mark.parametrize("item", "k kt str smith kkka ttsh a' 'a tcha' cka yi wu mk".split())
def test_what_is_no_sequence_of_morae_has_no_output(rule, item, load_rule):
    with pytest.raises(NoOutput):
        load_rule(MODULE, rule)(item)


@pytest.mark.parametrize(
    "item", "ッ アッ ッア ッナ ッマ ッヤ ッッカ ー ンー ャ ルィ ヽ アヽヽ パヽ".split()
)
def test_irregular_kana_has_no_output(item, load_rule):
    with pytest.raises(NoOutput):
        load_rule(MODULE, "KATAKANA_TO_ROMAJI")(item)
    with pytest.raises(NoOutput):
        load_rule(MODULE, "HIRAGANA_TO_ROMAJI")(to_hiragana(item))
