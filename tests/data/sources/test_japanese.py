"""The record of Japanese names: kinds, iteration marks, kana."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import UnknownName
from glyphone.data.sources.japanese import (
    KINDS,
    is_kanji,
    order_kinds,
    repeat_kanji,
    to_hiragana,
)


@given(st.sets(st.sampled_from(KINDS)))
def test_kinds_are_ordered_and_lost_by_none(kinds: set[str]) -> None:
    assert set(order_kinds(kinds)) == kinds
    assert list(order_kinds(kinds)) == sorted(kinds, key=KINDS.index)


def test_an_unknown_kind_is_told_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"no kind of Japanese name named 'surnames'.*surname"):
        order_kinds({"given", "surnames"})


@pytest.mark.parametrize(
    ("text", "kanji"),
    [
        ("佐藤", True),
        ("佐々木", True),
        ("𠮷田", True),
        ("﨑", True),
        ("々", False),
        ("", False),
        ("一ノ瀬", False),
        ("さくら", False),
        ("Ｓ田", False),
    ],
)
def test_kanji_and_what_is_none(text: str, kanji: bool) -> None:
    assert is_kanji(text) is kanji


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("佐々木", "佐佐木"),
        ("代々木野々村", "代代木野野村"),
        ("奈々々", "奈奈奈"),
        ("部分々々", "部分部分"),
        ("大部分々々", "大部分部分"),
        ("奈々美々", "奈奈美美"),
        ("ノ々瀬", "ノ々瀬"),
        ("々木", "々木"),
        ("佐〻木", "佐佐木"),
        ("佐藤", "佐藤"),
        ("", ""),
    ],
)
def test_iteration_marks(text: str, written: str) -> None:
    assert repeat_kanji(text) == written


@given(st.text(alphabet="佐木々ノ", max_size=8))
def test_marks_are_replaced_one_for_one_by_kanji_before_them(text: str) -> None:
    written = repeat_kanji(text)
    assert len(written) == len(text)
    for at, (old, new) in enumerate(zip(text, written, strict=True)):
        if old != "々":
            assert new == old
        elif new != "々":
            assert new in text[:at] and new in "佐木"
        else:
            assert at == 0 or written[at - 1] in "ノ々"


@pytest.mark.parametrize(
    ("kana", "expected"),
    [
        ("ヤスヒロ", "やすひろ"),
        ("ｶﾞｯｷｰ", "がっきー"),
        ("つつじヶおか", "つつじヶおか"),
        ("スヾキ", "すゞき"),
    ],
)
def test_kana_in_hiragana(kana: str, expected: str) -> None:
    assert to_hiragana(kana) == expected
