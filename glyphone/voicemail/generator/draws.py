"""Random draws of the parts of generated messages.

Distributions stand in `data/voicemail/distributions.toml`; a draw names one of them:
`draws.count("phrase.prefix")`. Each message has a stream of random numbers of its own, seeded by
the corpus and the number of the message, so that a message does not depend on other messages or on
the number of processes.

>>> draws = Draws("anything that can be seeded with")
>>> draws.word("number.kind"), draws.count("start"), draws.chance("message.closing")
('spoken', 1, True)
>>> value_probabilities("message.numbers")[2]
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
    """Values that are drawn in proportion to their weights."""

    def __init__(self, weights: Iterable[tuple[Value, float]]) -> None:
        rows = list(weights)
        self.values = [value for value, _ in rows]
        self.sums = list(accumulate(weight for _, weight in rows))

    def draw(self, stream: random.Random) -> Value:
        return self.values[
            bisect(self.sums, stream.random() * self.sums[-1], hi=len(self.sums) - 1)
        ]


class Draws:
    """A stream of random numbers, and draws from distributions by their names.

    A message with `figures` has figures in place of number words.
    """

    def __init__(self, seed: str) -> None:
        self.stream = random.Random(seed)
        self.figures = False

    def chance(self, name: str) -> bool:
        return bool(self.stream.random() < read_setting(name))

    def count(self, name: str) -> int:
        return int(weighted_values(name).draw(self.stream))

    def word(self, name: str) -> str:
        return str(weighted_values(name).draw(self.stream))

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + int(self.stream.random() * (high - low + 1))

    def one_of(self, values: Sequence[Value]) -> Value:
        return values[self.between(0, len(values) - 1)]

    def shuffle(self, values: Iterable[Value]) -> list[Value]:
        return sorted(values, key=lambda _: self.stream.random())

    def sentence_count(self) -> int:
        shape = read_setting("message.body")
        drawn = self.stream.lognormvariate(shape["mean"], shape["deviation"])
        return max(1, math.floor(drawn))

    def distractor_count(self) -> int:
        shape = read_setting("message.distractors")
        return sum(self.stream.random() < shape["probability"] for _ in range(shape["most"]))

    def number_place(self, segments: int) -> int:
        """The segment that a number stands before, mostly a late one; `segments` is behind all."""
        early = self.stream.betavariate(1.0, read_setting("message.late"))
        return min(segments, math.floor((segments + 1) * (1 - early)))


@cache
def read_setting(name: str) -> Any:
    """The value of a name in the file of distributions."""
    value: Any = read_settings()
    for key in name.split("."):
        value = value[key]
    return value


@cache
def read_settings() -> Mapping[str, Any]:
    return tomllib.loads((FOLDER / "distributions.toml").read_text(encoding="utf-8"))


@cache
def weighted_values(name: str) -> WeightedValues[int | str]:
    return WeightedValues(value_probabilities(name).items())


@cache
def value_probabilities(name: str) -> Mapping[int | str, float]:
    """A distribution by its name: numbers or words with their probabilities."""
    weights: dict[int | str, float] = {}
    for key, weight in read_setting(name).items():
        if key == TAIL:
            weights |= tail_weights(**weight)
        else:
            weights[int(key) if key.isdecimal() else key] = weight
    total = math.fsum(weights.values())
    return {value: weight / total for value, weight in weights.items()}


def tail_weights(*, weight: float, first: int, last: int, ratio: float) -> dict[int | str, float]:
    """A weight shared among the numbers from `first` to `last`, each `ratio` times the one before.

    >>> tail_weights(weight=7.0, first=1, last=3, ratio=0.5)
    {1: 4.0, 2: 2.0, 3: 1.0}
    """
    shares = [ratio**k for k in range(last - first + 1)]
    return {first + k: weight * share / math.fsum(shares) for k, share in enumerate(shares)}
