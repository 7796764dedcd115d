"""Labelled pairs of names of people and companies, made from groups of spellings and places.

One seed makes the same pairs wherever they are made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random

from glyphone.data.sources.rigour import NameGroup
from glyphone.evaluation.pairs import NO
from glyphone.learners.matching.candidates import CandidateIndex
from glyphone.matching.candidates import words_of
from glyphone.matching.generator.companies import Companies
from glyphone.matching.generator.groups import Groups, usable_groups
from glyphone.matching.generator.people import Example, People
from glyphone.matching.pairs import LabelledPair

FAMILIES = 4_000
# Names among which others are looked for, and candidates of each.
LOOKED_AT, MOST = 20_000, 12


def make_pairs(
    groups: Iterable[NameGroup],
    places: Sequence[str],
    *,
    people: int,
    companies: int,
    others: int = 0,
    seed: int = 0,
    across: float = 0.0,
) -> Iterator[LabelledPair]:
    """So many pairs of people and of companies, half of each of which are one, and `others`: pairs
    of names out of them that belong to two, and are near as a whole, or any.

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
    made = [example for maker in makers for example in maker]
    made += nearest_others(made, others, chooser)
    for number, (first, second, label) in enumerate(made, 1):
        yield LabelledPair(number, first, second, label)


def nearest_others(made: Sequence[Example], n: int, chooser: Random) -> list[Example]:
    """So many pairs of names of different pairs, of which three in four are candidates for each
    other."""
    step = max(1, 2 * len(made) // LOOKED_AT)
    named = [(name, owner) for owner, one in enumerate(made) for name in one[:2]][::step]
    chooser.shuffle(named)
    names, owners = [name for name, _ in named], [owner for _, owner in named]
    places, _ = CandidateIndex(names, words=words_of).candidates(most=MOST)
    found: list[Example] = []
    for k in range(n):
        place = k % len(names)
        near = [x for x in places[place].tolist() if x >= 0 and owners[x] != owners[place]]
        other = chooser.choice(near) if near and k % 4 else chooser.randrange(len(names))
        if {*words_of(names[other])} != {*words_of(names[place])}:
            found.append((names[place], names[other], NO))
    return found
