"""A few names, and a model of them."""

from __future__ import annotations

from functools import cache

from glyphone.data.records import Pair
from glyphone.models.kanji.model import KanjiModel
from glyphone.models.kanji.training import fit_kanji

SURNAMES = {
    "山田": "やまだ", "山川": "やまかわ", "川田": "かわだ", "田山": "たやま", "大川": "おおかわ",
    "大田": "おおた", "小川": "おがわ", "中山": "なかやま", "中田": "なかた", "佐藤": "さとう",
    "佐々木": "ささき", "木村": "きむら", "村上": "むらかみ", "上田": "うえだ", "加藤": "かとう",
    "井上": "いのうえ", "松任": "まっとう", "松田": "まつだ", "任田": "とうだ",
}  # fmt: skip
GIVEN = {
    "太郎": "たろう", "一郎": "いちろう", "健太": "けんた", "健一": "けんいち", "花子": "はなこ",
    "京子": "きょうこ", "純一": "じゅんいち", "美花": "みか", "美子": "みこ", "真一": "しんいち",
}  # fmt: skip


def pair(kanji: str, reading: str, kind: str = "", weight: float = 1.0) -> Pair:
    return Pair(tuple(kanji), tuple(reading), weight, kind)


@cache
def japanese() -> KanjiModel:
    pairs = [pair(kanji, kana, "surname") for kanji, kana in SURNAMES.items()]
    pairs += [pair(kanji, kana, "given") for kanji, kana in GIVEN.items()]
    return fit_kanji(pairs).model
