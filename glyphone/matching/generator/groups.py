"""Groups of spellings to draw names of people from, and spellings that are nearly another's.

>>> groups = [NameGroup(("petrov", "petrow"), "Q1"), NameGroup(("petrova",), "Q2")]
>>> drawn = Groups(groups)
>>> drawn.nearest([(0, "petrov")], "Latn")
{'petrov': ['petrova']}
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from random import Random

from glyphone.data.names.groups import same_by_nickname
from glyphone.data.sources.rigour import NameGroup
from glyphone.learners.matching.candidates import CandidateIndex

# Spellings nearest to one, of which those of its own groups are left out.
NEAREST = 20
SIGNS = frozenset(" '’·-")
# Spellings of a group in one script that make it more likely to be drawn.
MOST_SPELLINGS = 3
JAPANESE = frozenset(("Hani", "Hira", "Kana"))
# The place of a group, and one of its spellings.
Spelled = tuple[int, str]


def usable_groups(groups: Iterable[NameGroup]) -> list[NameGroup]:
    """Groups with the spellings that consist of letters, of which some have signs of tones.

    Groups of other origin than Wikidata put masculine and feminine forms together, and are left
    out.

    >>> usable_groups([NameGroup(("shu⁴", "shù", "d'arc"), "Q1"), NameGroup(("a",), "X1")])
    [NameGroup(spellings=('shù', "d'arc"), key='Q1')]
    """
    found = (
        NameGroup(tuple(filter(is_spelling, group.spellings)), group.key)
        for group in groups
        if group.key.startswith("Q")
    )
    return [group for group in found if group.scripts]


def is_spelling(text: str) -> bool:
    """Whether a text consists of letters, their marks, and signs between them."""
    return all(x in SIGNS or unicodedata.category(x)[0] in "LM" for x in text)


@dataclass(frozen=True)
class Groups:
    """Groups, which are drawn the more often the more scripts they are known in, and the more
    spellings they have there: nothing else tells which names are common."""

    groups: Sequence[NameGroup]

    @cached_property
    def _drawn(self) -> dict[str, tuple[list[int], list[int]]]:
        """By script, the groups that have it, and sums of their weights."""
        found: dict[str, list[int]] = {}
        for place, group in enumerate(self.groups):
            for script in group.scripts:
                found.setdefault(script, []).append(place)
        return {
            script: (places, [*accumulate(self._weight(x, script) for x in places)])
            for script, places in found.items()
        }

    def _weight(self, place: int, script: str) -> int:
        group = self.groups[place]
        # Japanese names stand in three scripts, however rare they are.
        scripts = len({*group.scripts} - JAPANESE) + 1
        return scripts**2 * min(len(group.in_script(script)), MOST_SPELLINGS)

    @property
    def scripts(self) -> set[str]:
        return {*self._drawn}

    def draw(self, script: str, chooser: Random) -> int:
        """The place of a group that has a script."""
        places, sums = self._drawn[script]
        return chooser.choices(places, cum_weights=sums)[0]

    def spellings(self, place: int, script: str) -> tuple[str, ...]:
        return self.groups[place].in_script(script)

    @cached_property
    def _owners(self) -> dict[str, list[int]]:
        owners: dict[str, list[int]] = {}
        for place, group in enumerate(self.groups):
            for spelling in group.spellings:
                owners.setdefault(spelling, []).append(place)
        return owners

    def owner(self, spelling: str) -> int | None:
        """The place of the first group that has a spelling."""
        return next(iter(self._owners.get(spelling, ())), None)

    def share_a_group(self, one: str, other: str) -> bool:
        return not {*self._owners.get(one, ())}.isdisjoint(self._owners.get(other, ()))

    def are_one(self, one: str, other: str) -> bool:
        """Whether spellings may be of one name: of one group, equal but for marks, or short for
        each other."""
        return same_by_nickname(one, other) or self.share_a_group(one, other)

    def nearest(self, asked: Iterable[Spelled], script: str) -> dict[str, list[str]]:
        """By spelling, the spellings of other groups that share most trigrams and sounds."""
        known = sorted({x for group in self.groups for x in group.in_script(script)})
        wanted = sorted({spelling for _, spelling in asked})
        index = CandidateIndex(known, budget=4_000)
        places, _ = index.candidates(wanted, most=NEAREST)
        return {
            spelling: [
                known[place]
                for place in row
                if place >= 0 and not self.are_one(spelling, known[place])
            ]
            for spelling, row in zip(wanted, places.tolist(), strict=True)
        }
