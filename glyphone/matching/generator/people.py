"""Pairs of names of people: one person written twice, or two people whose names are near.

A person is two to four groups of spellings. Written again, some words have another spelling of
their group, given names are initials or short forms, middle names are left out, words change places
or are mistyped. Two people share all names but one, which is near by letters or sounds, or any
other; or only one; or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import TypeVar

from rapidfuzz.distance import OSA

from glyphone.evaluation.pairs import NO, YES
from glyphone.matching.generator import writing
from glyphone.matching.generator.groups import Groups, Spelled
from glyphone.matching.spellings import latin_letters

Value = TypeVar("Value")
Example = tuple[str, str, int]
Person = list[Spelled]
Change = Callable[[list[str], Random], list[str]]
SCRIPTS = {"Latn": 80, "Cyrl": 9, "Arab": 4, "Grek": 1, "Hebr": 1, "Hani": 2, "Hang": 2, "Kana": 1}
# Scripts in which letters stand for given names.
CASED = frozenset(("Latn", "Cyrl", "Grek"))
SIZES = {1: 8, 2: 57, 3: 29, 4: 6}
# Spellings of a group that are less alike are translations, or have another origin.
ALIKE, ALIKE_ACROSS = 0.5, 0.8
CHANGES: dict[Change, float] = {
    writing.initials: 0.14,
    writing.shortened: 0.35,
    writing.joined: 0.05,
    writing.nicknamed: 0.35,
    writing.mistyped_once: 0.25,
}
RESPELLED = 0.45
# Given names that are drawn from those with short forms.
SHORT = 0.12
# Times that a person is written again until something has changed.
TRIES = 3
# Times that another word is drawn until it is one.
MANY = 99
# Scripts whose letters tell their sounds, which one by one are put into Latin ones.
SPELT = ("Armn", "Cyrl", "Geor", "Grek", "Latn")
# How two people differ: by a near name, by any name, in all names but one, in all.
NEAR, ANY, MOST, ALL = range(4)
DIFFERENCES = {NEAR: 45, ANY: 30, MOST: 13, ALL: 12}


@dataclass(frozen=True)
class People:
    """Makes pairs of people from groups.

    With `across`, that share of pairs in scripts that spell sounds is in two of them, of which a
    matcher can learn something if it has a speller; without one it learns that such names are two.
    """

    groups: Groups
    across: float = 0.0

    def pairs(self, n: int, seed: int) -> Iterator[Example]:
        """So many pairs, about half of which are one person."""
        chooser = Random(seed)
        scripts = {x: share for x, share in SCRIPTS.items() if x in self.groups.scripts}
        people: list[tuple[str, Person, int, int]] = []
        for k in range(n):
            script = pick(scripts, chooser)
            how = pick(DIFFERENCES, chooser)
            person = self.person(script, chooser)
            people.append((script, person, how, YES if k % 2 else NO))
        near = {
            script: self.groups.nearest(
                (one for x, person, how, label in people
                 if (x, how, label) == (script, NEAR, NO) for one in person),
                script,
            )
            for script in scripts
        }  # fmt: skip
        for script, person, how, label in people:
            if label == YES:
                yield self.one(person, script, chooser)
            else:
                yield self.two(person, script, how, near[script], chooser)

    def person(self, script: str, chooser: Random) -> Person:
        person = [self.spelled(script, chooser) for _ in range(pick(SIZES, chooser))]
        if script == "Latn" and self.with_short_forms and chooser.random() < SHORT:
            person[0] = chooser.choice(self.with_short_forms)
        return person

    @cached_property
    def with_short_forms(self) -> list[Spelled]:
        """Given names in Latin letters that have short forms, and their groups."""
        latin = [name for name in sorted(writing.nicknames()) if name.isascii()]
        owners = {name: self.groups.owner(name) for name in latin}
        return [(owner, name) for name, owner in owners.items() if owner is not None]

    def spelled(self, script: str, chooser: Random) -> Spelled:
        group = self.groups.draw(script, chooser)
        return group, chooser.choice(self.groups.spellings(group, script))

    def one(self, person: Person, script: str, chooser: Random) -> Example:
        """A person written twice."""
        other = self.another_script([group for group, _ in person], script, chooser)
        if not all(self.alike(one, script, other) for one in person):
            other = script
        words = [text for _, text in person]
        again = words
        for _ in range(TRIES):
            again = [self.respelled(one, script, other, chooser) for one in person]
            again = changed(again, other, chooser)
            if again != words:
                break
        first = writing.written(words, script, chooser, changed=False)
        return *turned(first, writing.written(again, other, chooser), chooser), YES

    def another_script(self, groups: Sequence[int | None], script: str, chooser: Random) -> str:
        """The script of a name that is written again: another one for a share of `across`."""
        if not self.across or script not in SPELT or chooser.random() >= self.across:
            return script
        known = [{*self.groups.groups[x].scripts} for x in groups if x is not None]
        wanted = {*SPELT} - {script} if script == "Latn" else {"Latn"}
        shared = wanted.intersection(*known) if len(known) == len(groups) else set()
        return chooser.choice(sorted(shared)) if shared else script

    def respelled(self, one: Spelled, script: str, other: str, chooser: Random) -> str:
        if script == other and chooser.random() >= RESPELLED:
            return one[1]
        return chooser.choice(self.alike(one, script, other))

    def alike(self, one: Spelled, script: str, other: str) -> list[str]:
        """The spellings of a group in a script that are like one of its spellings, letter by letter
        in Latin ones if that is in another script."""
        group, text = one
        spellings = self.groups.spellings(group, other)
        if script == other:
            return [x for x in spellings if OSA.normalized_similarity(x, text) >= ALIKE]
        goal = latin_letters(text)
        return [
            x
            for x in spellings
            if OSA.normalized_similarity(latin_letters(x), goal) >= ALIKE_ACROSS
        ]

    def two(
        self, person: Person, script: str, how: int, near: dict[str, list[str]], chooser: Random
    ) -> Example:
        """Two people whose names are near."""
        words = [text for _, text in person]
        at = chooser.randrange(len(words))
        others = self.others(words, at, script, how, near, chooser)
        other = script
        if how == ALL and chooser.random() < 0.3:
            other = chooser.choice([x for x in SCRIPTS if x in self.groups.scripts])
            others = [self.spelled(other, chooser)[1] for _ in words]
        if other == script:
            owners = [self.groups.owner(text) for text in others]
            other = self.another_script(owners, script, chooser)
            if other != script:
                others = [
                    chooser.choice(self.groups.spellings(x, other)) for x in owners if x is not None
                ]
        apart = other == script and words[at][:1] != others[at][:1]
        if (apart or how == ALL) and other in CASED and chooser.random() < 0.2:
            others = writing.initials(others, chooser)
        first = writing.written(words, script, chooser, changed=False)
        return *turned(first, writing.written(others, other, chooser), chooser), NO

    def others(
        self,
        words: list[str],
        at: int,
        script: str,
        how: int,
        near: dict[str, list[str]],
        chooser: Random,
    ) -> list[str]:
        """The words of another person."""
        if how == NEAR and near.get(words[at]):
            others = replaced(words, at, chooser.choice(near[words[at]]))
            # Names of men and women differ in several words.
            also = chooser.randrange(len(words))
            if also != at and near.get(words[also]) and chooser.random() < 0.5:
                others = replaced(others, also, chooser.choice(near[words[also]]))
            return others
        if how in (NEAR, ANY):
            return replaced(words, at, self.another(words[at], script, chooser))
        kept = at if how == MOST and len(words) > 1 else None
        return [x if k == kept else self.another(x, script, chooser) for k, x in enumerate(words)]

    def another(self, text: str, script: str, chooser: Random) -> str:
        """A spelling of a group that has nothing to do with a text."""
        for _ in range(MANY):
            _, found = self.spelled(script, chooser)
            if not self.groups.are_one(found, text):
                break
        return found


def changed(words: list[str], script: str, chooser: Random) -> list[str]:
    """The words of a person as somebody else writes them."""
    for change, share in CHANGES.items():
        if chooser.random() < share and (change != writing.initials or script in CASED):
            words = change(words, chooser)
    return words


def replaced(words: list[str], at: int, word: str) -> list[str]:
    return [word if k == at else x for k, x in enumerate(words)]


def pick(shares: dict[Value, int], chooser: Random) -> Value:
    """A value, as often as its share says."""
    return chooser.choices([*shares], [*shares.values()])[0]


def turned(first: str, second: str, chooser: Random) -> tuple[str, str]:
    """Both in any order."""
    return (first, second) if chooser.random() < 0.5 else (second, first)
