"""The recipe of the matcher of names, which learns from pairs that are made of Wikidata's names.

It is followed twice, as `glyphone.recipes.whole` says: on pairs of nine tenths of the groups of
spellings, to measure it on pairs of the others; then on pairs of all groups.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from glyphone.catalog.defaults import MATCHER
from glyphone.data.sources.rigour import NameGroup, read_name_groups, read_territories
from glyphone.learners.matching.matcher import NameMatcher
from glyphone.matching import file as matcher_file
from glyphone.matching.generator.pairs import make_pairs
from glyphone.matching.measuring import evaluate_pairs
from glyphone.matching.pairs import LabelledPair
from glyphone.matching.spellings import NameSpeller
from glyphone.matching.training import describe, fit_matcher
from glyphone.recipes.workspace import Workspace

PEOPLE, COMPANIES, OTHERS = 20_000, 10_000, 8_000
ACROSS = 0.25
# One of so many groups is held out, and one pair is measured for so many that are learnt from.
HELD = 10
# Words of fewer names are as rare as words of none; a model without them is small.
MIN_COUNT = 2


def make_matcher(space: Workspace) -> list[str]:
    """The matcher of names; the same bytes on any number of threads."""
    groups = [*read_name_groups()]
    held = [group for group in groups if is_held(group)]
    learnt = [group for group in groups if not is_held(group)]
    dev = training_pairs(held, seed=2, part=HELD)
    split = learn(training_pairs(learnt, seed=1))
    measured = evaluate_pairs(split, dev, name=MATCHER)
    pairs = training_pairs(groups, seed=1)
    matcher = learn(pairs)
    sources = [one.description for _, one in sorted(space.sources.items())]
    parts = {"groups": len(learnt), "dev": {"groups": len(held), "pairs": len(dev)}}
    describe(matcher, "rigour", pairs, measured, name=MATCHER, sources=sources, measured=parts)
    matcher_file.save(matcher, space.path_of(MATCHER))
    return [MATCHER]


def is_held(group: NameGroup) -> bool:
    """Whether a group is among those to measure on."""
    return zlib.crc32(group.key.encode()) % HELD == 0


def training_pairs(groups: Sequence[NameGroup], *, seed: int, part: int = 1) -> list[LabelledPair]:
    """Pairs that are made of some groups, or a part of as many."""
    places = [name for name in read_territories() if name.isascii()]
    sizes = {
        "people": PEOPLE // part,
        "companies": COMPANIES // part,
        "others": OTHERS // part,
    }
    return [*make_pairs(groups, places, **sizes, seed=seed, across=ACROSS)]


def learn(pairs: Sequence[LabelledPair]) -> NameMatcher:
    """A matcher of pairs, in whose names words are counted, and spelt letter by letter in Latin
    ones, for there may be no other models yet."""
    return fit_matcher(pairs, {"min_count": MIN_COUNT, "speller": NameSpeller({})})
