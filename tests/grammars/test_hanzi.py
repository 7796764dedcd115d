"""The inventory of hanzi for names: its tables hold together, and nothing else comes out."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import glyphone
from glyphone.data.errors import ItemError
from glyphone.fst.rules.interpreter import run
from glyphone.fst.transducers.model import TransducerModel
from glyphone.grammars.zho.hanzi import (
    CLEAN,
    FROM_OTHERS,
    INVENTORY,
    PINYIN,
    ROWS,
    TO_OTHERS,
    TO_PINYIN,
    TO_TRADITIONAL,
    TRADITIONAL,
    VARIANTS,
)
from tests.grammars.conftest import LoadRule

NAMES = Path(glyphone.__path__[0]).parents[1] / "shared/data/netranslit_coling2018"
RULES = {"CLEAN": CLEAN, "TO_TRADITIONAL": TO_TRADITIONAL, "TO_PINYIN": TO_PINYIN}

texts = st.text(st.sampled_from(INVENTORY), max_size=8)
any_texts = st.text(st.sampled_from(CLEAN.letters), max_size=8)
others = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF).filter(
    lambda hanzi: hanzi not in CLEAN.letters
)


def outputs(model: TransducerModel, text: str) -> list[str]:
    return [hypothesis.output for hypothesis in model.nbest(text, 5)]


def test_every_character_and_every_syllable_stands_once() -> None:
    assert len("".join(ROWS[1::2])) == len(INVENTORY)
    assert len(set(ROWS[::2])) == len(ROWS) // 2


def test_readings_are_those_of_pypinyin() -> None:
    pypinyin = pytest.importorskip("pypinyin")
    normal = pypinyin.Style.NORMAL
    wrong = [
        (hanzi, syllable, known)
        for hanzi, syllable in PINYIN.items()
        for [known] in [pypinyin.pinyin(hanzi, style=normal, heteronym=True, v_to_u=True)]
        if syllable not in known
    ]
    assert not wrong


def test_simplified_and_traditional_are_different_sets() -> None:
    assert not set(FROM_OTHERS) & set(INVENTORY)
    assert {*TO_OTHERS, *FROM_OTHERS.values()} <= set(INVENTORY)
    written = "".join((TRADITIONAL + VARIANTS).split())
    assert len(written) == 2 * len(FROM_OTHERS)  # so that none was written twice


def test_a_traditional_form_sounds_like_its_simplified_one() -> None:
    pypinyin = pytest.importorskip("pypinyin")
    normal = pypinyin.Style.NORMAL
    for other, hanzi in FROM_OTHERS.items():
        [known] = pypinyin.pinyin(other, style=normal, heteronym=True, v_to_u=True)
        assert PINYIN[hanzi] in known, (other, hanzi)


@given(text=texts)
def test_traditional_names_come_back(load_rule: LoadRule, text: str) -> None:
    (traditional,) = outputs(load_rule("zho.hanzi", "TO_TRADITIONAL"), text)
    assert outputs(load_rule("zho.hanzi", "CLEAN"), traditional) == [text]
    assert not set(traditional) & set(TO_OTHERS)


@given(text=any_texts)
def test_clean_text_is_of_the_inventory_and_stays_what_it_is(
    load_rule: LoadRule, text: str
) -> None:
    clean = load_rule("zho.hanzi", "CLEAN")
    (cleaned,) = outputs(clean, text)
    assert len(cleaned) == len(text) and set(cleaned) <= set(INVENTORY)
    assert outputs(clean, cleaned) == [cleaned]


@given(text=texts)
def test_a_syllable_for_each_character(load_rule: LoadRule, text: str) -> None:
    (syllables,) = outputs(load_rule("zho.hanzi", "TO_PINYIN"), text)
    assert syllables.split() == [PINYIN[hanzi] for hanzi in text]


@pytest.mark.parametrize("rule", RULES)
@given(data=st.data())
def test_the_plain_rules_say_the_same(rule: str, data: st.DataObject, load_rule: LoadRule) -> None:
    cascade = RULES[rule]
    text = data.draw(st.text(st.sampled_from(cascade.letters), max_size=5))
    ways = [cascade.target.join(way.output) for way in run(cascade, tuple(text))]
    assert outputs(load_rule("zho.hanzi", rule), text) == ways


@given(before=texts, other=others)
def test_other_hanzi_are_refused(load_rule: LoadRule, before: str, other: str) -> None:
    with pytest.raises(ItemError, match="not in the alphabet") as refusal:
        load_rule("zho.hanzi", "CLEAN")(before + other)
    assert (refusal.value.symbol, refusal.value.offset) == (other, len(before))


@pytest.mark.parametrize("text", ["约翰·史密斯", "李2", "jack", "ジョン", "马－克", "鑫"])
def test_what_is_no_hanzi_of_names_is_refused(load_rule: LoadRule, text: str) -> None:
    with pytest.raises(ItemError, match="not in the alphabet"):
        load_rule("zho.hanzi", "CLEAN")(text)


def test_compatibility_forms_are_read(load_rule: LoadRule) -> None:
    # 金 has a second code point, for a Korean standard that has it twice.
    assert outputs(load_rule("zho.hanzi", "CLEAN"), "\uf90a") == ["金"]


@pytest.mark.skipif(not NAMES.is_dir(), reason="the evaluation data are not here")
def test_the_inventory_covers_names_in_use() -> None:
    with gzip.open(NAMES / "wd_chinese_64.tsv.gz", "rt", encoding="utf-8") as lines:
        words = [line.split("\t")[1].replace(" ", "") for line in lines]
    assert sum(set(word) <= set(CLEAN.letters) for word in words) / len(words) > 0.94
