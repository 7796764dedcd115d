"""Labelled pairs of names of people and companies, made from groups of spellings and places.

One seed makes the same pairs wherever they are made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random

from glyphone.data.sources.rigour import NameGroup
from glyphone.matching.generator.companies import Companies
from glyphone.matching.generator.groups import Groups, usable_groups
from glyphone.matching.generator.people import People
from glyphone.matching.pairs import LabelledPair

FAMILIES = 4_000


def make_pairs(
    groups: Iterable[NameGroup],
    places: Sequence[str],
    *,
    people: int,
    companies: int,
    seed: int = 0,
    across: float = 0.0,
) -> Iterator[LabelledPair]:
    """So many pairs of people and of companies, half of each of which are one.

    `across` is the share of pairs of one person in two scripts, from which only a matcher with a
    speller learns.
    """
    known = Groups(usable_groups(groups))
    chooser = Random(seed)
    latin = (
        known.groups[known.draw("Latn", chooser)].in_script("Latn")[0] for _ in range(FAMILIES)
    )
    families = [name for name in islice(latin, FAMILIES) if name.isascii() and " " not in name]
    near = known.nearest([(0, name) for name in families], "Latn")
    makers = [
        People(known, across).pairs(people, seed),
        Companies(families, places, near).pairs(companies, seed),
    ]
    number = 0
    for maker in makers:
        for first, second, label in maker:
            number += 1
            yield LabelledPair(number, first, second, label)
