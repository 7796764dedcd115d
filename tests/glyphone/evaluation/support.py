"""A model with given answers, and the keys of the record, for tests of evaluation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from glyphone.data.errors import ItemError
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.interface.answers import Answers
from glyphone.fst.interface.codec import Side

ALPHABET = {symbol: label for label, symbol in enumerate(["a", "b", "tʃ", "ñ"], 1)}
KEYS = (
    "items failed wer per accuracy mean_f mrr calibration_error intervals nbest top_n model seed "
    "reliability"
).split()
SHARES = ["wer", "per", "accuracy", "mean_f", "mrr", "map_ref", "calibration_error"]


@dataclass
class Parrot:
    """A model that says what it was told: outputs with posteriors, or nothing at all."""

    says: dict[str, list[tuple[str, float]]]
    source: Side = field(default_factory=lambda: Side(Writing(case="lower"), {}))
    target: Side = field(default_factory=lambda: Side(Writing("token"), ALPHABET))
    name: str = "parrot"
    block: int = 2
    heard: list[str] = field(default_factory=list)

    def blocks(
        self, texts: Iterable[str], *, n: int = 1, spans: bool = False, jobs: int | None = None
    ) -> Iterator[Answers]:
        self.heard = list(texts)
        for first in range(0, len(self.heard), self.block):
            yield self.answer(self.heard[first : first + self.block], n)

    def answer(self, texts: list[str], n: int) -> Answers:
        found = [self.says.get(text, [])[:n] for text in texts]
        said = [answer for answers in found for answer in answers]
        failures = {
            number: ItemError("is not in the alphabet", item=text, symbol=text[0], offset=0)
            for number, text in enumerate(texts)
            if text not in self.says
        }
        return Answers(
            [output for output, _ in said],
            [-math.log(posterior) for _, posterior in said],
            [posterior for _, posterior in said],
            list(accumulate(map(len, found), initial=0)),
            frozenset(),
            failures,
        )


def pairs(*rows: str) -> list[Pair]:
    """Pairs from "word: symbols"."""
    return [
        Pair(tuple(word), tuple(symbols.split()))
        for word, symbols in (row.split(": ") for row in rows)
    ]


def check_schema(whole: dict[str, Any]) -> None:
    assert set(KEYS) <= set(whole)
    assert isinstance(whole["items"], int) and isinstance(whole["failed"], int)
    assert sorted(whole["intervals"]) == sorted(SHARES)
    for name in SHARES:
        low, high = whole["intervals"][name]
        assert 0 <= low <= high <= 1
        assert 0 <= whole[name] <= 1
