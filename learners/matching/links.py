"""The alignment behind a score of names: which units are linked, and what each link is worth.

The worths of all links sum to the score, unless the units of a name weigh nothing. Units are linked
as the kernels link them (`glyphone.learners.matching.alignment_kernels`): in their order, but for
swaps. A link that is worth nothing is none.

>>> trigrams = NameMeasure("trigrams", weights="one", alignment="ordered")
>>> found = align_units(trigrams, "ana", "anna")
>>> [(found.first[i], found.second[j], round(worth, 3)) for (i, j), worth in found.links]
[('##a', '##a', 0.183), ('#an', '#an', 0.183), ('na#', 'na#', 0.183), ('a##', 'a##', 0.183)]
>>> round(trigrams.similarity("ana", "anna"), 3)
0.73
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from glyphone.data.errors import UnknownName
from glyphone.learners.matching.measure import NameMeasure

Array = Any
Place = tuple[int, int]
# Alignments in order: how many units of either side a swap takes.
SWAPS: Final[dict[str, tuple[Place, ...]]] = {
    "ordered": (),
    "swapped": ((2, 2),),
    "extended": ((2, 2), (3, 2), (2, 3)),
}


class UnitLink(NamedTuple):
    """The places of two units that are linked, and their share of the score."""

    places: Place
    worth: float


class AlignedUnits(NamedTuple):
    """The units of two names, and the links between them."""

    first: list[str]
    second: list[str]
    links: list[UnitLink]

    @property
    def score(self) -> float:
        return sum(link.worth for link in self.links)


def align_units(measure: NameMeasure, first: str, second: str) -> AlignedUnits:
    """The units of two names as a measure links them; the measure keeps their order."""
    if measure.alignment not in SWAPS:
        raise UnknownName("alignment in order", measure.alignment, SWAPS)
    one, other = measure.prepare([first]), measure.prepare([second])
    table = measure.table_of_units(one, np.arange(len(one.units)), other)
    places = np.ix_(one.rows.units, other.rows.units)
    worth = table[places] * np.multiply.outer(one.rows.weights, other.rows.weights)
    scale = {
        "cosine": float(one.rows.norms[0] * other.rows.norms[0]),
        "overlap": min(worth.shape),
        "mean": worth.shape[0],
    }[measure.score]
    worth = worth / (scale or 1.0)
    links = [UnitLink(at, float(worth[at])) for at in best_links(worth, SWAPS[measure.alignment])]
    units = [[side.units[unit] for unit in side.rows.units] for side in (one, other)]
    return AlignedUnits(units[0], units[1], links)


def best_links(worth: Array, swaps: tuple[Place, ...]) -> list[Place]:
    """The places of the links whose worths have the greatest sum."""
    n, m = worth.shape
    totals = np.zeros((n + 1, m + 1))
    ways: dict[Place, tuple[Place, tuple[Place, ...]]] = {}
    for i, j in product(range(1, n + 1), range(1, m + 1)):
        best = -1.0
        for before, links in ways_to(i, j, swaps):
            total = totals[before] + sum(worth[link] for link in links)
            if total > best:
                best, ways[i, j] = total, (before, links)
        totals[i, j] = best
    found: list[Place] = []
    at = n, m
    while at in ways:
        at, links = ways[at]
        found += links
    return sorted(found)


def ways_to(i: int, j: int, swaps: tuple[Place, ...]) -> Iterator[tuple[Place, tuple[Place, ...]]]:
    """Where an alignment of i and j units may come from, and the links that it adds."""
    yield (i - 1, j), ()
    yield (i, j - 1), ()
    yield (i - 1, j - 1), ((i - 1, j - 1),)
    for left, right in swaps:
        if i >= left and j >= right:
            yield (i - left, j - right), ((i - 1, j - right), (i - left, j - 1))
