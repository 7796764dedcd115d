"""Names of people for generated messages, each either in the training parts or in the test part.

A word is in one part as a first name and as a surname (`glyphone.data.lexicons.splits`): three
words in five are in the training parts `train` and `varied`. The part `paper` has all names. The
lists `own` are short and have the more common names first. The lists `census` are of the United
States census of 1990 (`glyphone.data.sources.census`).

>>> from glyphone.voicemail.generator.draws import Draws
>>> train, test = people_of("train"), people_of("test")
>>> set(train.first.values) & set(test.first.values)
set()
>>> train.draw_name(Draws("a"), 3)
('Jennifer', 'Pam', 'Webb')
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from glyphone.data.errors import UnknownName
from glyphone.data.lexicons.splits import point_of_word
from glyphone.data.lexicons.tsv import read_table
from glyphone.data.sources.census import read_census
from glyphone.voicemail.generator.draws import Draws, WeightedValues
from glyphone.voicemail.records.lists import FOLDER

CorpusPart = Literal["train", "varied", "test", "paper"]
NameLists = Literal["own", "census"]
PARTS: tuple[CorpusPart, ...] = get_args(CorpusPart)
LISTS: tuple[NameLists, ...] = get_args(NameLists)

TRAINING_SHARE = 0.6
SEED = 1
# Frequencies of names follow Zipf's law from the tenth rank or so on.
COMMON_RANKS = 10


@dataclass(frozen=True)
class People:
    first: WeightedValues[str]
    last: WeightedValues[str]

    def draw_name(self, draws: Draws, length: int) -> tuple[str, ...]:
        """A name of `length` words; words in the middle are first names or surnames."""
        first = self.first.draw(draws.stream)
        if length == 1:
            return (first,)
        both = (self.first, self.last)
        middle = [draws.one_of(both).draw(draws.stream) for _ in range(length - 2)]
        return (first, *middle, self.last.draw(draws.stream))


@cache
def people_of(part: CorpusPart, lists: NameLists = "own") -> People:
    """The people of a part of the corpus."""
    if part not in PARTS:
        raise UnknownName("part", part, PARTS)
    if lists not in LISTS:
        raise UnknownName("lists of names", lists, LISTS)
    read = own_names if lists == "own" else census_names
    first, last = (
        WeightedValues((name, weight) for name, weight in read(kind) if part in parts_of(name))
        for kind in ("first", "last")
    )
    return People(first, last)


def parts_of(name: str) -> tuple[CorpusPart, ...]:
    training = point_of_word((name,), seed=SEED) < TRAINING_SHARE
    return ("train", "varied", "paper") if training else ("test", "paper")


def own_names(kind: str) -> Iterator[tuple[str, float]]:
    for rank, (name,) in enumerate(read_table(FOLDER / f"{kind}_names.tsv", columns=1)):
        yield name, 1 / (COMMON_RANKS + rank)


def census_names(kind: str) -> Iterator[tuple[str, float]]:
    return iter(read_census(kind).items())
