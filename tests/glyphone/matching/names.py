"""Pairs of names to learn from, few and clear, and a matcher of them."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

from glyphone.learners.matching.matcher import NameMatcher

GIVEN = ("Anna", "Boris", "Clara", "Dmitri", "Elena", "Felix")
FAMILY = ("Abbott", "Borodin", "Castell", "Dvorak", "Eriksen", "Farkas")
NAMES = [f"{given} {family}" for given, family in product(GIVEN, FAMILY)]


def one_name() -> list[tuple[str, str]]:
    pairs = []
    for name in NAMES:
        given, family = name.split()
        pairs += [(name, f"{family}, {given}"), (name, f"{given[0]}. {family}")]
        pairs += [(name, f"Dr. {given} M. {family}"), (name, f"{given} {family[:-1]}")]
        pairs += [(f"{family} Ltd", f"{family} Limited")]
    return pairs


def two_names() -> list[tuple[str, str]]:
    pairs = [pair for pair in combinations(NAMES, 2) if {*pair[0].split()} & {*pair[1].split()}]
    pairs += [(f"{family} 2 Ltd", f"{family} 3 Ltd") for family in FAMILY]
    return pairs


def as_tsv() -> str:
    rows = [f"{one}\t{other}\tyes" for one, other in one_name()]
    rows += [f"{one}\t{other}\tno" for one, other in two_names()]
    return "".join(f"{row}\n" for row in rows)


@cache
def small_matcher() -> NameMatcher:
    pairs = [*one_name(), *two_names()]
    return NameMatcher(strength=1.0).fit(pairs, [1] * len(one_name()) + [0] * len(two_names()))
