"""Characters of a name that a model has not learnt, and how they are read all the same.

Kana is read as itself, ヶ and ヵ as が more than as か or け. Kanji in an old form is read as that
of today (濵, 浜). All other kanji may be read as anything that some kanji is read as, each with the
same probability: the radical of a character, which often hints at its reading, is not asked. So the
answers to such a name have little weight each, and the unknown kanji are reported. In the model
such a kanji is 〓, which printers set for a character that they have no type for.

>>> from glyphone.data.records import Pair
>>> from glyphone.models.kanji.training import fit_kanji
>>> names = {"山田": "やまだ", "高山": "たかやま", "田山": "たやま"}
>>> model = fit_kanji([Pair(tuple(kanji), tuple(names[kanji])) for kanji in names]).model
>>> model("髙ヶ山").output
'たかかやま'
>>> best = model("囧山")
>>> best.output, best.unknown, best.posterior < 0.3
('たかやま', ('囧',), True)
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection
from dataclasses import replace

from glyphone.data.sources.japanese import KANJI, to_hiragana
from glyphone.fst.alignment.units import LabelUnit
from glyphone.fst.channels.unseen import with_unseen
from glyphone.fst.interface.codec import Side
from glyphone.fst.joint.model import JointModel
from glyphone.grammars.jpn.name_keys import OLD

UNSEEN = "〓"
# Of a thousand kanji in names of JMnedict that are held out, one is in none of the others.
SHARE = 1e-3
KANA = [chr(code) for code in (*range(ord("ぁ"), ord("ゖ") + 1), ord("ー"))]
# Small, and between kanji.
SMALL = {"ヶ": {"が": 0.8, "け": 0.1, "か": 0.1}, "ヵ": {"が": 0.5, "か": 0.5}}
_KANJI = re.compile(f"[{KANJI}]")


def with_unseen_kanji(model: JointModel) -> JointModel:
    """A model from kanji to readings that reads other characters, too."""
    symbols, heard = dict(model.source.symbols), model.target.symbols
    units, log_probs = list[LabelUnit](), list[float]()

    def read_as(character: str, readings: dict[tuple[int, ...], float]) -> None:
        label = symbols.setdefault(character, len(symbols) + 1)
        for reading, share in readings.items():
            units.append(((label,), reading))
            log_probs.append(math.log(SHARE * share))

    # What parts two names is read without kanji, or as a space.
    spaces = {heard.get(" ")}
    segments = {target for target in model.units.targets if not spaces.issuperset(target)}
    read_as(UNSEEN, {target: 1 / len(segments) for target in sorted(segments)})
    ways = {kana: {kana: 1.0} for kana in KANA} | SMALL
    for kana, readings in ways.items():
        written: dict[tuple[int, ...], float] = {
            (heard[one],): share for one, share in readings.items() if one in heard
        }
        if kana not in symbols and written:
            read_as(kana, written)
    wider, ngrams = with_unseen(
        model.units, model.ngrams, units, log_probs, n_labels=len(symbols) + 1
    )
    side = Side(model.source.writing, symbols, model.source.stage)
    return replace(model, source=side, units=wider, ngrams=ngrams.astype("float32"))


def respell_unknown(text: str, known: Collection[str]) -> str:
    """The text with every character that is not known as one that is, if there is one."""
    return "".join(one if one in known else substitute_for(one, known) for one in text)


def substitute_for(character: str, known: Collection[str]) -> str:
    """The known character that replaces a character; itself if there is none."""
    for other in (to_hiragana(character), modern_forms(character)):
        if other in known:
            return other
    unseen = _KANJI.match(character) and UNSEEN in known
    return UNSEEN if unseen else character


def modern_forms(text: str) -> str:
    """Kanji in forms of today: 髙 is 高."""
    return "".join(OLD.get(one, one) for one in unicodedata.normalize("NFC", text))
