"""Dictionaries of Japanese names, found however a reading is written."""

from __future__ import annotations

import pytest

from glyphone.data.errors import ItemError
from glyphone.data.records import Pair
from glyphone.fst.interface.lexicon import LexiconFirst
from glyphone.fst.interface.promotion import Promotion
from glyphone.models.kanji.model import KanjiModel
from tests.glyphone.models.kanji.names import japanese


def promoting(model: KanjiModel, *entries: tuple[str, str]) -> Promotion:
    pairs = [Pair(tuple(word), tuple(answer)) for word, answer in entries]
    return Promotion(LexiconFirst.of(model, pairs))


def second(text: str) -> str:
    """An answer that the model gives second, so that it can be seen to go first."""
    return japanese().nbest(text, 2)[1].output


@pytest.mark.parametrize("written", ["なかた", "ナカタ", "nakata", "Nakata"])
@pytest.mark.parametrize("asked", ["Nakata", "NAKATA", "ﾅｶﾀ", "なかた", "Ｎａｋａｔａ"])
def test_entries_and_names_may_be_written_in_any_way(written: str, asked: str) -> None:
    kanji = second("nakata")
    best = promoting(japanese(), (written, kanji))(asked)
    assert (best.output, best.source) == (kanji, "dictionary")
    assert japanese()(asked).output != kanji


@pytest.mark.parametrize("asked", ["Ōta", "Ohta", "Ôta", "Oota", "ota", "おおた"])
def test_length_does_not_matter(asked: str) -> None:
    assert promoting(japanese(), ("おおた", "大田"))(asked).source == "dictionary"


def test_a_whole_name_is_looked_up() -> None:
    kanji = second("Satō Kyōko")
    model = promoting(japanese(), ("サトウ・キョウコ", kanji))
    assert (model("SATOH, KYOUKO").output, model("Sato").source) == (kanji, "model")


def test_readings_are_promoted_too() -> None:
    reading = second("山川")
    best = promoting(japanese(), ("山川", reading))("山川")
    assert (best.output, best.source) == (reading, "dictionary")


def test_what_is_no_name_is_in_no_dictionary() -> None:
    model = promoting(japanese(), ("Zhang", "山田"), ("Yamada", "山田"))
    assert model("Yamada").source == "dictionary"
    with pytest.raises(ItemError, match="pinyin"):
        model("Zhang")
