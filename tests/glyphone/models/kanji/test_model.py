"""Japanese names both ways: spellings of romaji, parts, spans, scores, and what is refused."""

from __future__ import annotations

import math

import pytest

from glyphone.data.errors import ItemError, NoOutput
from tests.glyphone.models.kanji.names import GIVEN, SURNAMES, japanese


@pytest.mark.parametrize(("kanji", "kana"), [*SURNAMES.items(), *GIVEN.items()])
def test_names_come_back(kanji: str, kana: str) -> None:
    model = japanese()
    assert model(kana).output == kanji
    assert model(kanji).output == kana


@pytest.mark.parametrize(
    "spelt",
    ["Ootsuka", "Ōtsuka", "Ohtsuka", "Ôtuka", "otsuka", "OTUKA", "Ｏｔｓｕｋａ", "O\u0304tsuka"],
)
def test_romaji_may_be_spelt_in_any_way(spelt: str) -> None:
    assert japanese().read([spelt])[0].text == "otsuka"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("asked", "kanji"),
    [
        ("Ōkawa", "大川"),
        ("OHKAWA", "大川"),
        ("okawa", "大川"),
        ("Satou", "佐藤"),
        ("Matto", "松任"),
        ("Jun'ichi", "純一"),
        ("Zyun'iti", "純一"),
        ("ｻﾄｳ", "佐藤"),
        ("サトウ", "佐藤"),
        ("ささき", "佐々木"),
        ("Inoue", "井上"),
    ],
)
def test_names_are_restored(asked: str, kanji: str) -> None:
    assert japanese()(asked).output == kanji


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("Yamada Tarō", "山田 太郎"),
        ("Tarou, YAMADA", "太郎 山田"),
        ("やまだ・たろう", "山田 太郎"),
        ("satoukyouko", "佐藤 京子"),
        ("ササキケンイチ", "佐々木 健一"),
        ("山田太郎", "やまだ たろう"),
        ("山田 太郎", "やまだ たろう"),
        ("佐々木花子", "ささき はなこ"),
    ],
)
def test_family_and_given_names_are_told_apart(asked: str, answered: str) -> None:
    assert japanese()(asked).output == answered


def test_spans_lead_to_the_users_own_string() -> None:
    text = "  ﾔﾏﾀﾞ、 ｹﾝｲﾁ"
    best = japanese()(text)
    assert best.output == "山田 健一"
    parts = [text[begin:end] for begin, end in best.spans]
    assert parts == ["ﾔﾏ", "ﾀﾞ", "、 ", "ｹﾝ", "ｲﾁ"]
    text = "Ōkawa"
    assert [text[a:b] for a, b in japanese()(text).spans] == ["Ō", "kawa"]


def test_posteriors_are_shares_of_all_that_the_name_may_be() -> None:
    model = japanese().exact()
    answers = model.nbest("Yamada", 1000)
    assert sum(answer.posterior for answer in answers) == pytest.approx(1.0)
    posteriors = [answer.posterior for answer in answers]
    assert posteriors == sorted(posteriors, reverse=True)
    assert len({answer.output for answer in answers}) == len(answers)


def test_a_pair_scores_what_its_answer_does() -> None:
    model = japanese().exact()
    for asked, answered in [("Yamada Tarō", "山田 太郎"), ("山田", "やまだ"), ("おがわ", "小川")]:
        best = next(one for one in model.nbest(asked, 50) if one.output == answered)
        scored = model.score(asked, answered)
        assert scored.posterior == pytest.approx(best.posterior, rel=1e-4)
        assert -scored.log_probability == pytest.approx(best.cost, rel=1e-4)
    assert model.score("Yamada", "小川").log_probability == -math.inf


def test_an_alignment_tells_the_reading_of_each_character() -> None:
    units = japanese().score("Matto", "松任").alignment.units
    assert [("".join(x), "".join(y)) for x, y in units] == [("mat", "松"), ("to", "任")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no name"),
        (" , ", "is no name"),
        ("Zhang Wei", "pinyin"),
        ("Schwarzenegger", "no Japanese syllable"),
        ("Yamada 2", "no letter of romaji"),
        ("Müller", "marked as no vowel"),
    ],
)
def test_what_is_no_japanese_name_fails_by_name(text: str, message: str) -> None:
    with pytest.raises(ItemError, match=message) as error:
        japanese()(text)
    assert error.value.item == text


def test_romaji_that_no_kanji_can_read_has_no_output() -> None:
    with pytest.raises(NoOutput, match="no output"):
        japanese()("Gaga")
    assert japanese().nbest("Gaga") == []


def test_failures_are_told_in_a_block_and_the_rest_goes_on() -> None:
    texts = ["Yamada", "Müller", "", "山田", "Zhang", "やまだ"]
    answers = japanese().answer(texts, spans=True)
    assert sorted(answers.failures) == [1, 2, 4]
    assert [answers.outputs[answers.firsts[k]] for k in (0, 3, 5)] == ["山田", "やまだ", "山田"]
    assert answers.failures[1].offset == 1


def test_kanji_that_is_not_known_is_read_as_any_other_and_told() -> None:
    best, *others = japanese().nbest("龘田", n=3)
    assert best.unknown == ("龘",)
    assert all(found.output.endswith("だ") for found in (best, *others))
    assert best.posterior < 0.5
    assert japanese()("山田").unknown == ()
