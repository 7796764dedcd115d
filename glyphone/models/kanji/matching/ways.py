"""The ways in which two names are laid side by side, and how their parts agree in each.

>>> combine_readings([[("やまだ", 0.5), ("さんだ", 0.25)], [("たろう", 1.0)]], 1)
[('やまだ たろう', 0.5)]
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Literal, NamedTuple

from glyphone.models.kanji.matching.names import Name
from glyphone.models.kanji.matching.sounds import Sounds
from glyphone.models.kanji.request import BETWEEN

Order = Literal["same", "swapped"]
Extent = Literal["whole", "part"]
Writing = Literal["same", "old forms", "different", "other script"]
Readings = Sequence[tuple[str, float]]

# Below this score parts of names differ, and readings are not listed: they are noise.
LEAST = 1e-3
_SCRIPTS = ("kanji", "kana", "romaji")


class Way(NamedTuple):
    """Two names side by side; `typed` is what stands on the side of the second one."""

    order: Order
    extent: Extent
    sounds: list[tuple[Sounds, Sounds]]
    typed: str


class Agreement(NamedTuple):
    """How two parts agree."""

    score: float
    readings: Readings


def ways_to_compare(one: Name, other: Name) -> Iterator[Way]:
    """All ways to lay two names side by side, the likeliest first."""
    n, m, typed = len(one.words), len(other.words), BETWEEN.join(other.words)
    if n == m:
        yield Way("same", "whole", list(zip(one.parts, other.parts, strict=True)), typed)
        if n > 1:
            turned = list(zip(one.parts, other.parts[::-1], strict=True))
            yield Way("swapped", "whole", turned, typed)
        return
    yield Way("same", "whole", [(one.whole, other.whole)], typed)
    if n > m:
        yield Way("swapped", "whole", [(one.turned, other.whole)], typed)
    else:
        yield Way("swapped", "whole", [(one.whole, other.turned)], typed)
    if m == 1:
        for part in one.parts:
            yield Way("same", "part", [(part, other.whole)], typed)
    elif n == 1:
        for part, word in zip(other.parts, other.words, strict=True):
            yield Way("same", "part", [(one.whole, part)], word)


class Compared(NamedTuple):
    """Two names laid side by side, and how the parts of the way agree that was found best."""

    one: Name
    other: Name
    way: Way
    parts: list[Agreement]

    @property
    def score(self) -> float:
        return math.prod(part.score for part in self.parts)

    @property
    def likeliest(self) -> float:
        return max(part.score for part in self.parts)


def best_way(one: Name, other: Name, n: int) -> Compared:
    """The way of the highest score, in parts if not as wholes; if all are 0, the likeliest part."""
    best: Compared | None = None
    for way in ways_to_compare(one, other):
        if best and way.extent == "part" and best.score >= LEAST:
            break
        compared = Compared(one, other, way, [agreement_of_parts(a, b, n) for a, b in way.sounds])
        if best is None or (compared.score, compared.likeliest) > (best.score, best.likeliest):
            best = compared
    assert best is not None
    return best


def writing_order(name: Name) -> tuple[int, int, str]:
    """Names in kanji stand first, then those in kana, divided ones before others."""
    return _SCRIPTS.index(name.route), -len(name.words), name.text


def agreement_of_parts(one: Sounds, other: Sounds, n: int) -> Agreement:
    if one.route == other.route:
        if one.modern == other.modern:
            return Agreement(1.0, one.readings(n))
        if one.route != "kanji":
            return Agreement(0.0, ())
    return Agreement(*one.agreed(other, n))


def combine_readings(parts: Sequence[Readings], n: int) -> Readings:
    """The n likeliest readings of a whole, of those of its parts."""
    rows = [
        (BETWEEN.join(reading for reading, _ in row), math.prod(share for _, share in row))
        for row in product(*parts)
    ]
    rows.sort(key=lambda row: -row[1])
    return [row for row in rows[:n] if row[1] >= LEAST * rows[0][1] > 0]


def writing_of_way(way: Way) -> Writing:
    if any(one.route != other.route for one, other in way.sounds):
        return "other script"
    if all(one.text == other.text for one, other in way.sounds):
        return "same"
    return "old forms" if all(a.modern == b.modern for a, b in way.sounds) else "different"
