"""Draws from the distributions that say how often what happens in a generated message.

They stand in `data/voicemail/distributions.toml`, each under its name, and a draw is asked for by
that: `draws.count("phrase.prefix")`. Every draw of a message is from one stream of random numbers,
which is seeded by the corpus and the message's own number, so that a message is the same whatever
stands around it, and in however many processes a corpus is made.

>>> draws = Draws("anything that can be seeded with")
>>> draws.word("number.kind"), draws.count("start"), draws.chance("message.closing")
('spoken', 1, True)
>>> probabilities("message.numbers")[2]
0.095
"""

from __future__ import annotations

import math
import random
import tomllib
from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import Any, Generic, TypeVar

from glyphone.voicemail.records.lists import FOLDER

Value = TypeVar("Value")
TAIL = "tail"


class WeightedValues(Generic[Value]):
    """Values that are drawn as often as their weights say."""

    def __init__(self, weights: Iterable[tuple[Value, float]]) -> None:
        rows = list(weights)
        self.values = [value for value, _ in rows]
        self.sums = list(accumulate(weight for _, weight in rows))

    def draw(self, stream: random.Random) -> Value:
        return self.values[
            bisect(self.sums, stream.random() * self.sums[-1], hi=len(self.sums) - 1)
        ]


class Draws:
    """A stream of random numbers, asked by the names of distributions.

    What is drawn for a message that is written with `figures` has them for number words.
    """

    def __init__(self, seed: str) -> None:
        self.stream = random.Random(seed)
        self.figures = False

    def chance(self, name: str) -> bool:
        return bool(self.stream.random() < setting(name))

    def count(self, name: str) -> int:
        return int(weighted_values(name).draw(self.stream))

    def word(self, name: str) -> str:
        return str(weighted_values(name).draw(self.stream))

    def between(self, low: int, high: int) -> int:
        """A whole number, at most `high`."""
        return low + int(self.stream.random() * (high - low + 1))

    def one_of(self, values: Sequence[Value]) -> Value:
        return values[self.between(0, len(values) - 1)]

    def shuffled(self, values: Iterable[Value]) -> list[Value]:
        return sorted(values, key=lambda _: self.stream.random())

    def sentences(self) -> int:
        shape = setting("message.body")
        drawn = self.stream.lognormvariate(shape["mean"], shape["deviation"])
        return max(1, math.floor(drawn))

    def distractors(self) -> int:
        shape = setting("message.distractors")
        return sum(self.stream.random() < shape["probability"] for _ in range(shape["most"]))

    def place(self, segments: int) -> int:
        """Before which of so many segments a number stands, mostly a late one; or behind all."""
        early = self.stream.betavariate(1.0, setting("message.late"))
        return min(segments, math.floor((segments + 1) * (1 - early)))


@cache
def setting(name: str) -> Any:
    """What stands under a name in the file."""
    found: Any = settings()
    for key in name.split("."):
        found = found[key]
    return found


@cache
def settings() -> Mapping[str, Any]:
    return tomllib.loads((FOLDER / "distributions.toml").read_text(encoding="utf-8"))


@cache
def weighted_values(name: str) -> WeightedValues[int | str]:
    return WeightedValues(probabilities(name).items())


@cache
def probabilities(name: str) -> Mapping[int | str, float]:
    """A distribution by its name: numbers, or words, and how probable they are."""
    weights: dict[int | str, float] = {}
    for key, weight in setting(name).items():
        if key == TAIL:
            weights |= tail_weights(**weight)
        else:
            weights[int(key) if key.isdecimal() else key] = weight
    total = math.fsum(weights.values())
    return {value: weight / total for value, weight in weights.items()}


def tail_weights(*, weight: float, first: int, last: int, ratio: float) -> dict[int | str, float]:
    """A weight dealt out to numbers, each getting `ratio` times what the one before it has.

    >>> tail_weights(weight=7.0, first=1, last=3, ratio=0.5)
    {1: 4.0, 2: 2.0, 3: 1.0}
    """
    shares = [ratio**k for k in range(last - first + 1)]
    return {first + k: weight * share / math.fsum(shares) for k, share in enumerate(shares)}
