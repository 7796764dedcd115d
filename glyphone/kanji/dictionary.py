"""Dictionaries of Japanese names, found by key however their readings are written.

>>> from glyphone.data.records import Pair
>>> from glyphone.kanji.training import fit_kanji
>>> names = {"大川": "おおかわ", "小川": "おがわ", "川田": "かわだ", "小田": "おだ"}
>>> model = fit_kanji([Pair(tuple(kanji), tuple(names[kanji])) for kanji in names]).model
>>> [best.output for best in model.nbest("Ōkawa", 2)]
['大川', '小川']
>>> promoting = promotion(LexiconFirst.of(model, [Pair(tuple("おかわ"), tuple("小川"))]))
>>> [best.output for best in promoting.nbest("Ōkawa", 2)]
['小川', '大川']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from glyphone.data.errors import ItemError
from glyphone.fst.lexicon_first import LexiconFirst
from glyphone.fst.promotion import Forms, Promotion
from glyphone.kanji.model import KanjiModel


def promotion(first: LexiconFirst) -> Promotion:
    """What promotes the entries of a lexicon; by key where the model is one of Japanese names."""
    model = first.model
    return Promotion(first, forms_of(model) if isinstance(model, KanjiModel) else None)


def forms_of(model: KanjiModel) -> Forms:
    """What makes keys of romaji and kana, and leaves kanji as they are; "" of what is no name."""
    # Without a model of kana, kana is read by its keys.
    by_keys = replace(model, kana=None)

    def forms(texts: Sequence[str]) -> list[str]:
        return ["" if isinstance(one, ItemError) else one.text for one in by_keys.read(texts)]

    return forms
