"""Whether two Japanese names, in kanji, kana or romaji, can be those of one person.

Names are compared by all of their readings, not by their best ones. The score is the probability
that they are read alike, each being read as the model says, with no regard to the other:

    score(A, B) = sum over readings r of P(r | A) P(r | B)

A name in kana has one reading, with probability 1. One in romaji leaves the length of vowels open,
and stands for all readings that have its key (`glyphone.grammars.jpn.name_keys`): beside it,
score(A, B) is the sum of P(r | A) over these. Names that are written alike, in the one script or
the other, are one name, however it is read: 1. Kanji that differ as old and new
forms do (髙橋, 高橋) are alike, and `writing` says so.

Names of as many words are compared word by word, each in the role of its place: the score is
the product over the words. Words may stand in the same order or in the opposite one, which costs
nothing and is reported. If one name is divided and the other is not, they are compared as wholes,
and, if they do not agree so, the undivided one, which may be a part alone (山田, Yamada Taro), is
compared with each word of the other: `extent` is "part" then. Of two undivided names neither is
turned.

That names are read alike does not make them names of one person: Satō is common. How much it
says is told by the likelihood ratio against chance,

    log odds = ln sum over r of P(r | A) P(r | B) / P(r)

the first being read as the second is, against both being drawn from the model's own names. The sum
is over the readings that are listed, so it is a lower bound; beside romaji, where P(r) is that of
the key, it is over all. Kanji being alike is more evidence, which is not counted here. It is
infinite if the model knows no name that is read so.

>>> from glyphone.data.records import Pair
>>> from glyphone.models.kanji.training import fit_kanji
>>> names = {"山田": "やまだ", "田山": "たやま", "大山": "おおやま", "小山": "おやま"}
>>> pairs = [Pair(tuple(kanji), tuple(kana)) for kanji, kana in names.items()]
>>> match = Matcher(fit_kanji(pairs).model)
>>> found = match("大山", "Oyama")
>>> round(found.score, 2), [reading for reading, _ in found.readings]
(1.0, ['おおやま'])
>>> match("大山", "おやま").why, match("大山", "小山").score < 0.01
('no reading is shared', True)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

import numpy as np

from glyphone.data.errors import ItemError
from glyphone.data.records import Symbols
from glyphone.models.kanji.matching.names import Name, Reader
from glyphone.models.kanji.matching.ways import (
    LEAST,
    Compared,
    Extent,
    Order,
    Readings,
    Writing,
    best_way,
    combine_readings,
    writing_of_way,
    writing_order,
)
from glyphone.models.kanji.model import KanjiModel
from glyphone.models.kanji.request import Route

READINGS = 5
BLOCK = 1024


@dataclass(frozen=True)
class PartMatch:
    """Words of the one and the other name, as they are read, and how they agree."""

    first: str
    second: str
    score: float


@dataclass(frozen=True)
class Match:
    """The agreement of two names; `why` is the difference if they do not agree.

    `readings` has the greatest terms of the score; where names are written alike, the readings of
    that name. `unknown` kanji, which the model does not know, may be read as anything.
    """

    first: str
    second: str
    score: float
    log_odds: float
    order: Order
    extent: Extent
    writing: Writing
    parts: tuple[PartMatch, ...]
    readings: tuple[tuple[str, float], ...]
    why: str = ""
    unknown: Symbols = ()

    def flipped(self) -> Match:
        """The match with its two names exchanged."""
        parts = tuple(PartMatch(one.second, one.first, one.score) for one in self.parts)
        return replace(self, first=self.second, second=self.first, parts=parts)


@dataclass(frozen=True)
class Unmatched:
    """Two names of which one is none."""

    first: str
    second: str
    error: ItemError


@dataclass(frozen=True, eq=False)
class Matcher:
    """Compares names by a model, and lists the `n` likeliest readings that they share."""

    model: KanjiModel
    n: int = READINGS

    @cached_property
    def reader(self) -> Reader:
        return Reader(self.model)

    def __call__(self, first: str, second: str) -> Match:
        """How two names agree; ItemError if one of them is none."""
        (match,) = self.matches([(first, second)])
        if isinstance(match, Unmatched):
            raise match.error
        return match

    def matches(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Match | Unmatched]:
        """The match of each pair of names, in order."""
        rows = iter(pairs)
        while block := list(islice(rows, BLOCK)):
            texts = list(dict.fromkeys(text for pair in block for text in pair))
            names = dict(zip(texts, self.reader.names(texts), strict=True))
            yield from self.match_names(block, names)

    def match_names(
        self, pairs: Sequence[tuple[str, str]], names: Mapping[str, Name | ItemError]
    ) -> Iterator[Match | Unmatched]:
        rows = [self.side_by_side(names[first], names[second]) for first, second in pairs]
        odds = iter(self.log_odds([row for row in rows if isinstance(row, Compared)]))
        for (first, second), row in zip(pairs, rows, strict=True):
            if isinstance(row, ItemError):
                yield Unmatched(first, second, row)
            else:
                match = self.match_of(row, next(odds))
                yield match if row.one is names[first] else match.flipped()

    def side_by_side(self, one: Name | ItemError, other: Name | ItemError) -> Compared | ItemError:
        if isinstance(one, ItemError):
            return of_side(one, "first name")
        if isinstance(other, ItemError):
            return of_side(other, "second name")
        # Whichever comes first, the numbers are the same.
        first, second = sorted((one, other), key=writing_order)
        return best_way(first, second, self.n)

    def match_of(self, row: Compared, log_odds: float) -> Match:
        sides = [(a.text, b.text) for a, b in row.way.sounds]
        return Match(
            row.one.text,
            row.other.text,
            row.score,
            log_odds,
            row.way.order,
            row.way.extent,
            writing_of_way(row.way),
            tuple(
                PartMatch(*texts, part.score) for texts, part in zip(sides, row.parts, strict=True)
            ),
            tuple(self.readings(row)),
            "" if row.score >= LEAST else self.why(row),
            tuple(dict.fromkeys((*row.one.unknown, *row.other.unknown))),
        )

    def readings(self, row: Compared) -> Readings:
        return combine_readings([part.readings for part in row.parts], self.n)

    def log_odds(self, rows: Sequence[Compared]) -> list[float]:
        """See above; minus infinity where no reading is shared."""
        terms: list[tuple[Route, Readings]] = []
        for row in rows:
            if row.other.route == "romaji":
                terms.append(("romaji", [(row.way.typed, row.score)] if row.score else []))
            else:
                terms.append(("kana", self.readings(row)))
        costs: dict[tuple[Route, str], float] = {}
        for route in ("kana", "romaji"):
            asked = dict.fromkeys(text for one, term in terms if one == route for text, _ in term)
            found = self.reader.costs(route, list(asked)).tolist()
            costs |= {(route, text): cost for text, cost in zip(asked, found, strict=True)}
        return [
            float(np.logaddexp.reduce([math.log(p) + costs[route, text] for text, p in term]))
            for route, term in terms
        ]

    def why(self, row: Compared) -> str:
        """The difference of names that do not agree."""
        nothing = "only unlikely readings are shared" if row.score else "no reading is shared"
        sizes = len(row.one.words), len(row.other.words)
        one = self.reader.divide(row.one) if sizes == (1, 2) else row.one
        other = self.reader.divide(row.other) if sizes == (2, 1) else row.other
        if len(one.words) != 2 or len(other.words) != 2:
            return nothing
        # In Japanese script the surname stands first.
        in_romaji = one.route == "romaji"
        words = ("first word", "second word") if in_romaji else ("surname", "given name")
        agree = [part.score >= LEAST for part in best_way(one, other, self.n).parts]
        if not any(agree) or all(agree):
            return nothing
        return f"{words[agree.index(False)]} differs, {words[agree.index(True)]} agrees"


def of_side(error: ItemError, side: str) -> ItemError:
    """An error with the name, of two, that it is about."""
    return type(error)(
        error.message,
        item=error.item,
        stage=side,
        symbol=error.symbol,
        offset=error.offset,
        remedy=error.remedy,
    )
