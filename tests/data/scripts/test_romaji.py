"""Romaji of names: every cut against its definition, and what is told of other languages."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.scripts.romaji import pinyin_syllables, romaji_objection, split_romaji

VOWELS = "aiueo"


def may_cut(key: str, at: int) -> bool:
    """The four places of the specification, one by one."""
    left, right = key[at - 1], key[at]
    return (
        left in VOWELS
        or (left == "n" and at > 1 and key[at - 2] in VOWELS)
        or (left == right and left not in VOWELS)
        or key[at - 1 : at + 2] == "tch"
    )


def cuts(key: str) -> list[int]:
    places = [0]
    for piece in split_romaji(key):
        places.append(places[-1] + len(piece))
    return places


def segmentations(key: str, parts: int) -> list[tuple[str, ...]]:
    """All ways to cut a key in so many parts, by trying every choice of places."""
    ways = []
    for inner in combinations(range(1, len(key)), parts - 1):
        if all(may_cut(key, at) for at in inner):
            ends = (0, *inner, len(key))
            ways.append(tuple(key[a:b] for a, b in pairwise(ends)))
    return ways


def test_cuts_of_the_specification() -> None:
    assert cuts("abukawa") == [0, 1, 3, 5, 7]
    assert cuts("matto") == [0, 2, 3, 5]
    assert {4, 3} <= set(cuts("shinichi"))
    assert split_romaji("") == ()


def test_abukawa_has_three_segmentations() -> None:
    assert segmentations("abukawa", 2) == [("a", "bukawa"), ("abu", "kawa"), ("abuka", "wa")]


@given(st.text(alphabet="aiuonnttchksm", max_size=9))
def test_pieces_are_cut_at_the_places_that_the_definition_names(key: str) -> None:
    assert "".join(split_romaji(key)) == key
    inner = [at for at in range(1, len(key)) if may_cut(key, at)]
    assert cuts(key) == ([0, *inner, len(key)] if key else [0])
    for parts in range(1, 5):
        expected = comb(len(inner), parts - 1) if key else 0
        assert len(segmentations(key, parts) if key else []) == expected


@pytest.mark.parametrize(
    "name",
    "Satō Satô Satoh Satou SATOU Ｓａｔｏｈ Sato\u0304 Ohno Ohyama Ohtsubo Yuuki Yuhki Homma Honma "
    "Jun'ichi Jun’ichi Ken-ichi Matumoto Syuzi Zyun Hujita Hatchō Hacchou Itti Isshiki Kadzuo "
    "Kwansei Inouye Uyeda Iwe Cheri Masheri Ranfa Teddi Shinnosuke Ei Kon N".split(),
)
def test_romaji_in_every_style_is_japanese(name: str) -> None:
    assert romaji_objection(name) is None


def test_a_name_of_nothing_is_not_objected_to() -> None:
    assert romaji_objection("") is romaji_objection("  ") is romaji_objection("'") is None


@pytest.mark.parametrize(
    ("name", "symbol", "offset"),
    [
        ("Zhang", "zhang", 0),
        ("Li Na", "li", 0),
        ("Ma Xiaolong", "xiao", 3),
        ("Xu", "xu", 0),
        ("Wang", "wang", 0),
        ("Chen", "chen", 0),
        ("Wei", "wei", 0),
        ("Fan", "fan", 0),
        ("Zhāng", "zhang", 0),
        ("Mao Ze-dong", "dong", 7),
        ("Ｑｉ", "qi", 0),
    ],
)
def test_pinyin_is_told_with_its_syllable(name: str, symbol: str, offset: int) -> None:
    error = romaji_objection(name)
    assert error is not None
    assert (error.item, error.symbol, error.offset) == (name, symbol, offset)
    assert "is no Japanese syllable, but pinyin" in str(error)
    assert "Japanese readings" in str(error)


@pytest.mark.parametrize(
    ("name", "symbol", "offset"),
    [
        ("Valdez", "lde", 2),
        ("Kim", "m", 2),
        ("O'Neil", "l", 5),
        ("Suzuki Smith", "smi", 7),
        ("Suzukx", "kx", 4),
        ("Hsu", "hsu", 0),
        ("Yamadah", "h", 6),
    ],
)
def test_other_spellings_are_told_from_where_they_fail(name: str, symbol: str, offset: int) -> None:
    error = romaji_objection(name)
    assert error is not None
    assert (error.item, error.symbol, error.offset) == (name, symbol, offset)
    assert "pinyin" not in str(error) and "check its spelling" in str(error)


@pytest.mark.parametrize(
    ("name", "symbol", "offset", "says"),
    [
        ("Noël", "ë", 2, "is marked as no vowel of romaji is"),
        ("Zha\u030cng", "\u030c", 3, "is marked"),
        ("Lǐ", "ǐ", 1, "is marked"),
        ("山田", "山", 0, "is no letter of romaji (write the name in Latin letters)"),
        ("Sato 2", "2", 5, "is no letter of romaji"),
        ("Sato, Ken", ",", 4, "is no letter of romaji"),
    ],
)
def test_marks_and_other_letters(name: str, symbol: str, offset: int, says: str) -> None:
    error = romaji_objection(name)
    assert error is not None
    assert (error.item, error.symbol, error.offset) == (name, symbol, offset)
    assert says in str(error)


@given(st.text(max_size=12))
def test_any_text_is_answered_and_the_place_is_in_it(text: str) -> None:
    error = romaji_objection(text)
    assert error is None or (error.offset is not None and error.offset < len(text))


def test_pinyin_is_cut_in_syllables_or_not_at_all() -> None:
    assert pinyin_syllables("") == ()
    assert pinyin_syllables("fangan") == ("fang", "an")
    assert pinyin_syllables("nver") == ("nv", "er")
    assert pinyin_syllables("ang" * 2000) == ("ang",) * 2000
    assert pinyin_syllables("ang" * 2000 + "x") == ()


def test_the_syllables_are_those_of_pypinyin() -> None:
    pypinyin = pytest.importorskip("pypinyin", reason="the package of readings is not installed")
    readings = {pypinyin.lazy_pinyin(chr(code))[0] for code in range(0x4E00, 0x9FA6)}
    syllables = {one for one in readings if one.isalpha() and one.isascii()}
    odd = {one for one in syllables if pinyin_syllables(one) != (one,)}
    # interjections, dialect, and kanji of Japan
    assert odd <= {"biang", "bong", "din", "fiao", "hm", "m", "n", "nun", "wong"}
    assert len(syllables) > 390
