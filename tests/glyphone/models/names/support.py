"""Two invented languages, models of them, and a stand-in that answers what it is told."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache

from hypothesis import strategies as st

from glyphone.data.errors import ItemError, NoOutput
from glyphone.data.records import Pair
from glyphone.fst.interface.answers import Answers, Origins
from glyphone.fst.interface.model import Model
from glyphone.fst.lattices.arrays import Lattice
from glyphone.models.names.languages import Language
from glyphone.models.names.model import NameModel
from glyphone.models.names.training import fit_names

# Velm has an alphabet with capitals; its ñ and ã are letters of their own.
VELM = Language(
    code="velm",
    name="Velm",
    script="Armn",
    letters="ա բ դ ե ի լ կ մ ն ո ս տ ր ւ ղ ռ",
    cased=True,
    hyphen="֊",
)
VELM_NAMES = {
    "Mira": "Միրա", "Tarek": "Տարեկ", "Nolla": "Նոլա", "Simon": "Սիմոն", "Bora": "Բորա",
    "Kaston": "Կաստոն", "Elin": "Ելին", "Caro": "Կարո", "Lukas": "Լուկաս", "Odessa": "Ոդեսա",
    "Timmo": "Տիմո", "Sanna": "Սանա", "Señor": "Սեղոր", "Mãra": "Մռրա", "D'Elo": "Դելո",
}  # fmt: skip

# Tarali works like the scripts of India.
TABLES = {
    "consonants": "მ m  ნ n  რ r  ლ l  ს s  თ t  კ k  დ d  ვ v",
    "vowels": "ა a მ   ე e მ\u0308   ი i მ\u0307   ო o მ\u030a   უ u მ\u0302",
    "virama": "\u0331",
}
TARALI = Language(code="tarali", name="Tarali", script="Qaaa", space="჻", tables=TABLES)
TARALI_NAMES = {
    "mira": "მ\u0307რ", "tarek": "თრ\u0308კ\u0331", "salo": "სლ\u030a", "luna": "ლ\u0302ნ",
    "anto": "ან\u0331თ\u030a", "dev": "დ\u0308ვ\u0331", "kelu": "კ\u0308ლ\u0302",
    "irene": "ირ\u0308ნ\u0308", "osman": "ოს\u0331მნ\u0331", "ursel": "ურ\u0331ს\u0308ლ\u0331",
}  # fmt: skip


def pairs_of(names: Mapping[str, str]) -> list[Pair]:
    return [Pair(tuple(latin), tuple(native)) for latin, native in names.items()]


@cache
def velm() -> NameModel:
    return fit_names(pairs_of(VELM_NAMES), VELM).model


@cache
def tarali() -> NameModel:
    return fit_names(pairs_of(TARALI_NAMES), TARALI).model


class Told(Model):
    """Answers each word with what a table says: outputs and their posteriors, the best first.

    Whoever is asked for more than is there gets all; a word that is not in the table fails.
    """

    def __init__(self, model: Model, table: Mapping[str, Sequence[tuple[str, float]]]) -> None:
        self.source, self.target, self.name = model.source, model.target, "told"
        self.table = table
        self.truncated: set[str] = set()

    def answer(self, texts: Sequence[str], *, n: int = 1, spans: bool = False) -> Answers:
        rows = [list(self.table.get(text, ()))[:n] for text in texts]
        firsts = [0]
        for row in rows:
            firsts.append(firsts[-1] + len(row))
        told = [one for row in rows for one in row]
        return Answers(
            [output for output, _ in told],
            [-math.log(posterior) for _, posterior in told],
            [posterior for _, posterior in told],
            firsts,
            frozenset(item for item, text in enumerate(texts) if text in self.truncated),
            {item: self.failure(text, 0) for item, text in enumerate(texts) if not rows[item]},
            Origins(
                [tuple(output) for output, _ in told],
                [((0, 1),) * len(output) for output, _ in told],
            )
            if spans
            else None,
        )

    def failure(self, text: str, status: int) -> ItemError:
        last = len(text) - 1
        return NoOutput("no output", item=text, stage=self.name, symbol=text[-1], offset=last)

    def lattice(self, text: str) -> Lattice:
        raise AssertionError("nobody asks this")

    def score(self, source: str, target: str) -> object:  # type: ignore[override]
        raise AssertionError("nobody asks this")

    def invert(self) -> Model:
        raise AssertionError("nobody asks this")

    def fingerprint(self) -> str:
        raise AssertionError("nobody asks this")


def telling(language: Language, table: Mapping[str, Sequence[tuple[str, float]]]) -> NameModel:
    """A model of names whose parts are answered from a table."""
    model = NameModel(language, velm().joint)
    model.__dict__["words"] = Told(velm().words, table)
    return model


NOISE = ["\u200e", "\u200f", "\u202b", "\u2066", "\u00ad", "\ufeff"]
SPACES, HYPHENS = [" ", "\u00a0", "\t", "·"], ["-", "\u2010", "–"]
noise = st.lists(st.sampled_from(NOISE), max_size=2).map("".join)


@st.composite
def names(draw: st.DrawFn, words: st.SearchStrategy[str], most: int = 3) -> tuple[str, list[str]]:
    """A name with noise in it and separators of all kinds, and its words as they were drawn."""
    chosen = draw(st.lists(words, min_size=1, max_size=most))
    between = st.sampled_from([*SPACES, *HYPHENS])
    text = draw(noise)
    for number, word in enumerate(chosen):
        if number:
            text += draw(between) + draw(noise)
        for cluster in clusters(word):
            text += cluster + draw(noise if draw(st.booleans()) else st.just(""))
    return text, chosen


def clusters(word: str) -> list[str]:
    """A word in letters with their marks."""
    found: list[str] = []
    for character in word:
        if unicodedata.combining(character) and found:
            found[-1] += character
        else:
            found.append(character)
    return found
