"""Names matched across scripts: orders, parts, old forms, and what is told of the others."""

from __future__ import annotations

from functools import cache

import pytest

from glyphone.data.errors import ItemError
from glyphone.models.kanji.matching import matcher as matching_matcher
from glyphone.models.kanji.matching.matcher import Match, Matcher, PartMatch, Unmatched
from tests.glyphone.models.kanji.matching.twins import small_model


@cache
def matcher() -> Matcher:
    return Matcher(small_model())


@pytest.mark.parametrize(
    ("one", "other", "order", "extent"),
    [
        ("山田太郎", "Yamada Taro", "same", "whole"),
        ("山田太郎", "Taro Yamada", "swapped", "whole"),
        ("山田 太郎", "TARŌ, YAMADA", "swapped", "whole"),
        ("山田太郎", "やまだたろう", "same", "whole"),
        ("やまだたろう", "ヤマダ・タロウ", "same", "whole"),
        ("たろう やまだ", "山田太郎", "swapped", "whole"),
        ("太郎 山田", "やまだたろう", "swapped", "whole"),
        ("ﾔﾏﾀﾞ", "Yamada", "same", "whole"),
        ("山田", "Yamada Taro", "same", "part"),
        ("Yamada Taro", "太郎", "same", "part"),
        ("おおたに しゅう", "大谷", "same", "part"),
    ],
)
def test_names_in_any_script_and_order(one: str, other: str, order: str, extent: str) -> None:
    found = matcher()(one, other)
    assert found.score > 0.1, found
    assert (found.order, found.extent, found.why) == (order, extent, "")
    assert found.log_odds > 0


def test_vowel_length_is_open_in_romaji_alone() -> None:
    for spelling in ("Ono", "Ōno", "Ohno", "Oono", "Ôno"):
        assert matcher()("おおの", spelling).score == matcher()("おの", spelling).score == 1
    assert matcher()("おおの", "おの").score == 0
    assert matcher()("大野", "Ono").readings[0][0] == "おおの"


def test_words_that_meet_in_a_long_vowel_are_one_key() -> None:
    assert matcher()("さいとうおさむ", "Saitō Osamu").score == 1
    assert matcher()("Osamu Saito", "さいとうおさむ").order == "swapped"


def test_kanji_of_one_reading_are_told_from_the_same_kanji() -> None:
    found = matcher()("斉藤", "斎藤")
    assert found.writing == "different"
    assert 0 < found.score <= 1
    same = matcher()("斎藤", "斎藤")
    assert (same.score, same.writing) == (1.0, "same")
    assert sum(share for _, share in same.readings) == pytest.approx(1, abs=0.01)
    assert matcher()("斎藤", "Saito").writing == "other script"


@pytest.mark.parametrize(("one", "other"), [("髙橋", "高橋"), ("佐佐木", "佐々木")])
def test_old_forms_are_the_same_name(one: str, other: str) -> None:
    found = matcher()(one, other)
    assert (found.score, found.writing) == (1.0, "old forms")


def test_an_old_form_that_the_model_does_not_know_is_read_as_the_modern_one() -> None:
    old, modern = matcher()("髙橋", "たかはし"), matcher()("高橋", "たかはし")
    assert (old.first, old.score) == ("髙橋", modern.score)
    assert modern.score > 0.1


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("山田 太郎", "Yamada Jiro", "given name differs, surname agrees"),
        ("山田 太郎", "Jiro Yamada", "given name differs, surname agrees"),
        ("大谷 太郎", "やまだ たろう", "surname differs, given name agrees"),
        ("Yamada Jiro", "山田太郎", "given name differs, surname agrees"),
        ("Ono Taro", "Yamada Taro", "second word agrees"),
        ("山田 太郎", "高橋 次郎", "no reading is shared"),
        ("山田", "高橋", "no reading is shared"),
        ("山田太郎", "高橋", "no reading is shared"),
        ("んゃゃ", "Yamada Taro", "no reading is shared"),
    ],
)
def test_why_names_do_not_agree(one: str, other: str, why: str) -> None:
    found = matcher()(one, other)
    assert found.score < 1e-3
    assert why in found.why
    assert matcher()(other, one).why == found.why


def test_parts_tell_how_each_word_agrees() -> None:
    found = matcher()("Tarō Yamada", "山田 次郎")
    assert found.parts == (
        PartMatch("yamada", "山田", found.parts[0].score),
        PartMatch("taro", "次郎", 0.0),
    )
    assert found.parts[0].score > 0.1
    assert (found.first, found.second, found.order) == ("Tarō Yamada", "山田 次郎", "swapped")


@pytest.mark.parametrize(
    ("name", "symbol", "offset", "message"),
    [
        ("山田 ☃", "☃", 3, "not in the alphabet"),
        ("Yamada Zhang", "zhang", 7, "pinyin"),
        ("John Smith", "jo", None, "no Japanese syllable"),
        ("Müller", "ü", 1, "marked as no vowel of romaji"),
        ("", None, None, "is no name"),
    ],
)
def test_what_is_no_name_is_told_with_side_and_place(
    name: str, symbol: str | None, offset: int | None, message: str
) -> None:
    for one, other, side in ((name, "山田", "first name"), ("山田", name, "second name")):
        with pytest.raises(ItemError, match=message) as caught:
            matcher()(one, other)
        assert (caught.value.stage, caught.value.item) == (side, name)
        if offset is not None:
            assert (caught.value.symbol, caught.value.offset) == (symbol, offset)


def test_many_pairs_come_in_order_and_failures_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching_matcher, "BLOCK", 3)
    pairs = [("山田", "Yamada"), ("山田", "Wang"), ("☃", "Wang"), ("小野", "おの")] * 2
    found = list(matcher().matches(iter(pairs)))
    assert [(one.first, one.second) for one in found] == pairs
    assert [type(one) for one in found] == [Match, Unmatched, Unmatched, Match] * 2
    assert (found[0], found[3]) == (found[4], found[7])


def test_a_model_without_kana_compares_keys() -> None:
    keys = Matcher(small_model(kana=False))
    assert keys("大野", "おの").score > 0.1, "length is not known to it"
    assert keys("山田太郎", "Taro Yamada").readings[0][0] == "yamada taro"
    assert keys("おおの", "Ono").score == 1
    assert keys("大野", "小野").score > 0.1


def test_a_long_text_is_answered() -> None:
    long = matcher()("山" * 150, "やま" * 150)
    assert 0 <= long.score <= 1
    assert matcher()("山" * 150, "yama" * 150).score == pytest.approx(long.score, rel=0.01)
