"""Names as lattices of their readings, whole and part by part.

A name in kanji is a distribution over readings, that of the model. One in kana is one reading; one
in romaji is all readings that have its key, so that the readings of others have to be spelt as
keys to be compared with it. Parts of a name in kanji are read in their place: a given name as what
stands behind a surname.

>>> from glyphone.data.records import Pair
>>> from glyphone.models.kanji.training import fit_kanji
>>> names = {"山田": "やまだ", "田山": "たやま", "大山": "おおやま"}
>>> pairs = [Pair(tuple(kanji), tuple(kana)) for kanji, kana in names.items()]
>>> reader = Reader(fit_kanji(pairs).model)
>>> kanji, romaji, foreign = reader.names(["大山", "Oyama", "Smith"])
>>> kanji.whole.readings(1)[0][0], romaji.words
('おおやま', ('oyama',))
>>> print(foreign.symbol, foreign.message)
smi is no Japanese syllable
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from glyphone.data.errors import ItemError
from glyphone.data.kernels import jit
from glyphone.data.records import Symbols
from glyphone.fst.interface.codec import Side
from glyphone.fst.lattices.arrays import Lattice, Machine
from glyphone.models.kanji.matching import kernels as matching_kernels
from glyphone.models.kanji.matching.sounds import Sounds, kernels_for, sounds_of_typed
from glyphone.models.kanji.model import KanjiModel, in_name, unknown_kanji
from glyphone.models.kanji.request import BETWEEN, Request, Route, join_parts
from glyphone.models.kanji.unseen import respell_unknown

Array = Any
# How wide a beam P(r) is summed in, in nats: the rest of the sum is a fifth of a nat at most,
# and costs ten times as much.
WIDTH = 6.0
SPACE = ord(BETWEEN)


@dataclass(frozen=True, eq=False)
class Name:
    """A name as it was typed, and its words as they are read.

    `lattice` is that of a name in kanji with spaces, and `unknown` the kanji in it that the model
    does not know. What a name in kana or romaji is with nothing between its words, from the first
    to the last and from the last to the first, is `joined`.
    """

    text: str
    route: Route
    words: tuple[str, ...]
    reader: Reader
    lattice: Lattice | None = None
    joined: tuple[str, str] = ("", "")
    unknown: Symbols = ()

    @cached_property
    def parts(self) -> tuple[Sounds, ...]:
        if len(self.words) == 1:
            return (self.whole,)
        if self.lattice is None:
            return tuple(self.reader.typed_sounds(self.route, word) for word in self.words)
        ends = accumulate(len(word) + 1 for word in self.words)
        return tuple(
            self.reader.kanji_sounds(self.lattice, word, end - len(word) - 1, end - 1)
            for word, end in zip(self.words, ends, strict=True)
        )

    @cached_property
    def whole(self) -> Sounds:
        """All words with nothing between them."""
        if self.lattice is None:
            return self.reader.typed_sounds(self.route, self.joined[0])
        return self.reader.kanji_sounds(self.lattice, "".join(self.words))

    @cached_property
    def turned(self) -> Sounds:
        """All words from the last to the first, with nothing between them."""
        if self.lattice is None:
            return self.reader.typed_sounds(self.route, self.joined[1])
        words = self.words[::-1]
        return self.reader.kanji_sounds(self.reader.lattice(words), "".join(words))


@dataclass(frozen=True, eq=False)
class Reader:
    """A reader of names, by a model."""

    model: KanjiModel

    @cached_property
    def exact(self) -> KanjiModel:
        """Without a beam, which might lose readings."""
        return self.model.exact()

    @cached_property
    def codes(self) -> Array:
        """The code point of each label that names in kanji are read as."""
        return codes_of(self.exact.from_kanji.target)

    @cached_property
    def keys(self) -> Machine:
        """The transducer from kana to keys, in code points."""
        keys = self.model.keys
        (machine,) = keys.machines
        ilabels = codes_of(keys.source)[machine.ilabels]
        order = np.lexsort((ilabels, machine.sources()))
        return keys.machine._replace(
            ilabels=ilabels[order],
            olabels=codes_of(keys.target)[machine.olabels][order],
            weights=machine.weights[order],
            targets=machine.targets[order],
        )

    def names(self, texts: Sequence[str]) -> list[Name | ItemError]:
        """Names, or why they are none that the model knows."""
        asked = self.model.read(texts)
        joined_words = self.join_words(asked)
        names: list[Name | ItemError] = []
        for text, one, words in zip(texts, asked, joined_words, strict=True):
            try:
                names.append(one if isinstance(one, ItemError) else self.name(text, one, words))
            except ItemError as error:
                assert isinstance(one, Request)
                names.append(in_name(error, text, join_parts(one.parts)))
        return names

    def join_words(self, asked: Sequence[Request | ItemError]) -> list[tuple[str, str]]:
        """All words of each name as one, in both orders: Satō Osamu is satosamu."""
        rows = [() if isinstance(one, ItemError) else words_of(one) for one in asked]
        joined = [("".join(words), "".join(words[::-1])) for words in rows]
        several = [
            k
            for k, one in enumerate(asked)
            if len(rows[k]) > 1 and isinstance(one, Request) and self.model.by_keys(one.route)
        ]
        keys = self.model.keys.answer([word for k in several for word in joined[k]]).outputs
        for place, k in enumerate(several):
            joined[k] = (keys[2 * place], keys[2 * place + 1])
        return joined

    def name(self, text: str, asked: Request, both: tuple[str, str]) -> Name:
        words = words_of(asked)
        if asked.route == "kanji":
            unknown = unknown_kanji(text, self.exact.readable(asked))
            return Name(text, asked.route, words, self, self.lattice(words), unknown=unknown)
        route: Route = "romaji" if self.model.by_keys(asked.route) else "kana"
        return Name(text, route, words, self, None, both)

    def lattice(self, words: Sequence[str]) -> Lattice:
        """All readings of words in kanji, in code points; unknown kanji are read in their modern
        form.
        """
        lattice = self.exact.from_kanji.lattice(self.readable(BETWEEN.join(words)))
        return Lattice(*lattice)._replace(labels=self.codes[lattice.labels])

    def readable(self, text: str) -> str:
        return respell_unknown(text, self.exact.from_kanji.source.symbols)

    def kanji_sounds(
        self, lattice: Lattice, text: str, begin: int = 0, end: int | None = None
    ) -> Sounds:
        """The readings of a part of a name in kanji, or of all of it, cut where its words meet."""
        last = len(lattice.offsets) if end is None else end
        part = kernels_for(lattice).part_lattice(lattice, begin, last, SPACE, end is None)
        return Sounds("kanji", text, Lattice(*part), self.keys)

    def typed_sounds(self, route: Route, text: str) -> Sounds:
        return sounds_of_typed(route, text, self.keys)

    def costs(self, route: Route, texts: Sequence[str]) -> Array:
        """-ln P(r) of names in kana or keys: of all that may be written so."""
        joint = self.exact.route(route)
        encoded = joint.source.encode_all(texts)
        costs = np.full(len(texts), np.inf)
        work = jit.tier(matching_kernels, 64 * len(encoded.labels))
        costs[encoded.items] = work.total_costs(joint.joint, encoded.labels, encoded.bounds, WIDTH)
        return costs

    def divide(self, name: Name) -> Name:
        """A name of one word cut where the model thinks that another begins, if it does."""
        text = self.readable(name.text)
        cuts = [
            end
            for best in self.model.answer([text], spans=True).hypotheses(0)
            for symbol, (_, end) in zip(best.symbols, best.spans, strict=True)
            if symbol == BETWEEN
        ]
        if len(cuts) != 1:
            return name
        (divided,) = self.names([text[: cuts[0]] + BETWEEN + text[cuts[0] :]])
        return name if isinstance(divided, ItemError) else divided


def words_of(asked: Request) -> tuple[str, ...]:
    return tuple(part.text for part in asked.parts)


def codes_of(side: Side) -> Array:
    """The code point of each label of a side whose symbols are single characters."""
    codes = np.zeros(1 + max(side.symbols.values()), np.int32)
    for symbol, label in side.symbols.items():
        codes[label] = ord(symbol)
    return codes
