"""Evidence that two names are one: the words that both have, and those that only one has.

Words are partners one to one, as alike as their letters are; an initial is like all words that
begin with it, a nickname like the names that it is short for, a word like its translations, and
numbers are like none but themselves. Words of two scripts are as alike as the one and the best
spelling of the other in its script. The partners, the words without one, and the names as they are
written give the features by which names are judged.

>>> found = find_evidence(known_words("Dr. Bill J. Smith"), known_words("Smith, William John"))
>>> [(link.first.text, link.second.text, link.reason) for link in found.links]
[('bill', 'william', 'nickname'), ('j', 'john', 'initial'), ('smith', 'smith', 'equal')]
>>> found.alone, dict(zip(FEATURES, found.features(), strict=True))["words linked"]
(((), ()), 3)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from statistics import fmean as mean
from typing import Any, Final, NamedTuple

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.distance import OSA, JaroWinkler, Prefix
from scipy.optimize import linear_sum_assignment

from glyphone.data.names.groups import same_by_nickname, same_by_translation
from glyphone.data.names.lists import read_lists
from glyphone.data.names.words import read_words, spoken_order
from glyphone.learners.matching.sounds import sound_key

Array = Any
# Words less alike are no partners.
LEAST: Final = 0.45
# Edits of words that nothing joins.
APART: Final = 9
# The kind of legal forms that may be of any.
ANY_KIND: Final = "company"
# How much less alike a spelling is that is less probable than the best.
DOUBT: Final = 0.1
LATIN: Final = "Latn"
CORE: Final = ("word", "initial", "number")
FEATURES: Final = (
    *("words of the shorter", "words of the longer", "words linked", "words equal"),
    *("words left of one", "words left of the other"),
    *("letters left of one", "letters left of the other"),
    *("weight left of one", "weight left of the other"),
    *("least likeness", "mean likeness", "most edits", "all edits"),
    *("beginning of the least", "length of the least", "edits a letter"),
    *("sounds of the least", "mean of sounds"),
    *("letters of equal words", "weight of linked words", "weight of equal words"),
    *("swaps", "edits of the whole", "likeness of the whole", "likeness of sorted words"),
    *("both have numbers", "numbers differ", "company forms", "company forms differ"),
    *("initials", "nicknames", "scripts differ"),
    *("ratio", "token set", "token sort", "Jaro-Winkler", "best part"),
)


class Spelling(NamedTuple):
    """A word as it is written in another script, and how probably."""

    script: str
    text: str
    probability: float = 1.0


# From words, their script, and another script to their spellings in it.
Speller = Callable[[Sequence[str], str, str], list[tuple[Spelling, ...]]]


class KnownWord(NamedTuple):
    """A word as it is compared, its role, its weight (rare words say more), and its spellings in
    other scripts."""

    text: str
    role: str
    weight: float = 1.0
    spellings: tuple[Spelling, ...] = ()


class ComparedWords(NamedTuple):
    """How alike two words are, the edits from one to the other, the reason, and the words as they
    are written in one script."""

    likeness: float
    edits: int
    reason: str
    texts: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Link:
    """Two words that are partners, and why: equal, initial, nickname, translation, spelling or
    alike."""

    first: KnownWord
    second: KnownWord
    likeness: float
    edits: int
    reason: str
    places: tuple[int, int]


def known_words(name: str) -> tuple[KnownWord, ...]:
    """The words of a name in the order in which they are spoken, all of one weight."""
    return tuple(KnownWord(word.canonical, word.role) for word in spoken_order(read_words(name)))


@dataclass(frozen=True)
class Evidence:
    """Two names as words, and the links between these."""

    first: tuple[KnownWord, ...]
    second: tuple[KnownWord, ...]
    links: tuple[Link, ...]
    scripts: tuple[str, str] = ("", "")

    @property
    def scripts_differ(self) -> bool:
        return self.scripts[0] != self.scripts[1]

    @cached_property
    def texts(self) -> tuple[list[str], list[str]]:
        """The words of each name as both are compared as wholes: in Latin letters, if they are of
        two scripts, and there in the spelling that is most like the partner's."""
        if not self.scripts_differ:
            return [word.text for word in self.first], [word.text for word in self.second]
        one, other = map(core_places, (self.first, self.second))
        first = {one[link.places[0]]: link.second for link in self.links}
        second = {other[link.places[1]]: link.first for link in self.links}
        return (
            [latin_text(word, first.get(place)) for place, word in enumerate(self.first)],
            [latin_text(word, second.get(place)) for place, word in enumerate(self.second)],
        )

    @cached_property
    def cores(self) -> tuple[tuple[KnownWord, ...], tuple[KnownWord, ...]]:
        return core_of(self.first), core_of(self.second)

    @cached_property
    def alone(self) -> tuple[tuple[KnownWord, ...], tuple[KnownWord, ...]]:
        """The words of each name without a partner, but for titles, company forms, particles, and
        words that are one of these in the other name."""
        linked = [{link.places[side] for link in self.links} for side in (0, 1)]
        known = [
            {word.text for word in words if word.role not in CORE}
            for words in (self.second, self.first)
        ]
        one, other = (
            tuple(
                word
                for place, word in enumerate(core)
                if place not in taken and word.text not in others
            )
            for core, taken, others in zip(self.cores, linked, known, strict=True)
        )
        return one, other

    def features(self) -> list[float]:
        """The values of `FEATURES`; they are the same when the names change places."""
        return [
            *self._counts(),
            *self._of_links(),
            *self._of_weights(),
            *self._of_wholes(),
            *self._of_roles(),
            *self._of_texts(),
        ]

    def _counts(self) -> list[float]:
        sizes = sorted(map(len, self.cores))
        left = [
            sorted(measure(words) for words in self.alone) for measure in (len, n_letters, weight)
        ]
        equal = sum(link.reason == "equal" for link in self.links)
        return [*sizes, len(self.links), equal, *(value for pair in left for value in pair)]

    def _of_links(self) -> list[float]:
        if not self.links:
            return [0.0, 0.0, APART, APART, 0.0, 0.0, 1.0, 0.0, 0.0]
        likenesses = [link.likeness for link in self.links]
        least = likenesses.index(min(likenesses))
        edits = [link.edits for link in self.links]
        texts = [self._texts_of(link) for link in self.links]
        one, other = texts[least]
        length = min(len(one), len(other))
        sounds = [sounds_alike(*pair) for pair in texts]
        return [
            *(likenesses[least], mean(likenesses), max(edits), sum(edits)),
            Prefix.similarity(one, other) / max(1, length),
            *(length, max(edits) / max(1, length), sounds[least], mean(sounds)),
        ]

    def _texts_of(self, link: Link) -> tuple[str, str]:
        """The words of a link as the wholes have them."""
        one, other = (
            texts[core_places(words)[place]]
            for words, texts, place in zip(
                (self.first, self.second), self.texts, link.places, strict=True
            )
        )
        return one, other

    def _of_weights(self) -> list[float]:
        equal = [link for link in self.links if link.reason == "equal"]
        letters = sum(len(link.first.text) for link in equal)
        total = sum(map(weight, self.cores)) or 1.0
        return [
            2 * letters / max(1, sum(map(n_letters, self.cores))),
            sum(link.likeness * weight((link.first, link.second)) for link in self.links) / total,
            sum(weight((link.first, link.second)) for link in equal) / total,
        ]

    def _of_wholes(self) -> list[float]:
        # Adjectives stand before their nouns here, and behind them there.
        places = [link.places for link in self.links if link.reason != "translation"]
        swaps = sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(places, 2))
        cores = [
            [texts[place] for place in core_places(words)]
            for words, texts in zip((self.first, self.second), self.texts, strict=True)
        ]
        one, other = map("".join, cores)
        edits = OSA.distance(one, other)
        by_alphabet = ("".join(sorted(core)) for core in cores)
        longest = max(1, len(one), len(other))
        return [
            *(swaps, edits, 1 - edits / longest),
            1 - OSA.distance(*by_alphabet) / longest,
        ]

    def _of_roles(self) -> list[float]:
        numbers, forms = (
            [
                {word.text for word in words if word.role == role}
                for words in (self.first, self.second)
            ]
            for role in ("number", "company form")
        )
        apart = forms_apart(*forms) if all(forms) else 0.0
        # The forms of one country are translated in another: ООО is Ltd there, or LLC.
        apart = float(apart == 1.0) if self.scripts_differ else apart
        reasons = [link.reason for link in self.links]
        return [
            float(all(numbers)),
            float(numbers[0] != numbers[1]),
            float(any(forms)),
            apart,
            *(reasons.count("initial"), reasons.count("nickname"), float(self.scripts_differ)),
        ]

    def _of_texts(self) -> list[float]:
        one, other = map(" ".join, self.texts)
        ratios = (fuzz.ratio, fuzz.token_set_ratio, fuzz.token_sort_ratio)
        return [
            *(ratio(one, other) / 100 for ratio in ratios),
            JaroWinkler.similarity(one, other),
            fuzz.partial_ratio(one, other) / 100,
        ]


def core_of(words: Sequence[KnownWord]) -> tuple[KnownWord, ...]:
    """Words, initials and numbers of a name; all that it has if it has none of these."""
    return tuple(words[place] for place in core_places(words))


def core_places(words: Sequence[KnownWord]) -> list[int]:
    """The places of the core of a name among its words."""
    every = range(len(words))
    return [place for place in every if words[place].role in CORE] or [*every]


def forms_apart(one: Set[str], other: Set[str]) -> float:
    """How little legal forms have in common: 0 if one is in both names, 0.5 if one of each is of
    one kind, such as Ltd and GmbH, or of any, such as Co., 1 if none is.

    >>> forms_apart({"llc"}, {"gmbh"}), forms_apart({"co"}, {"ag"}), forms_apart({"llc"}, {"ag"})
    (0.5, 0.5, 1.0)
    """
    if one & other:
        return 0.0
    first, second = ({read_lists().kinds.get(form) for form in forms} for forms in (one, other))
    return 0.5 if first & second or ANY_KIND in first | second else 1.0


def sounds_alike(one: str, other: str) -> float:
    """How alike the keys of sounds of two words are, or their letters, if none are Latin ones."""
    keys = sound_key(one), sound_key(other)
    return OSA.normalized_similarity(*(keys if any(keys) else (one, other)))


def n_letters(words: Sequence[KnownWord]) -> int:
    return sum(len(word.text) for word in words)


def weight(words: Sequence[KnownWord]) -> float:
    return sum(word.weight for word in words)


def find_evidence(
    first: tuple[KnownWord, ...],
    second: tuple[KnownWord, ...],
    scripts: tuple[str, str] = ("", ""),
) -> Evidence:
    """Two names, in two scripts or in one, and the links whose likeness is greatest in all."""
    first, second = joined_as(first, second), joined_as(second, first)
    one, other = core_of(first), core_of(second)
    if scripts[0] == scripts[1]:
        found = [[likeness(a.text, a.role, b.text, b.role) for b in other] for a in one]
    else:
        found = [[likeness_across(a, b, scripts) for b in other] for a in one]
    table = np.array([[value if value >= LEAST else 0.0 for value, _, _ in row] for row in found])
    rows, columns = linear_sum_assignment(-table.reshape(len(one), len(other)))
    links = tuple(
        Link(one[i], other[j], alike, edits, reason, (i, j))
        for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
        for alike, edits, reason in [found[i][j]]
        if table[i, j]
    )
    return Evidence(first, second, links, scripts)


def joined_as(words: tuple[KnownWord, ...], others: Sequence[KnownWord]) -> tuple[KnownWord, ...]:
    """The words of a name, two neighbours as one where another name has them so.

    >>> viet, nam, vietnam = known_words("Viet Nam Vietnam")
    >>> [word.text for word in joined_as((viet, nam), [vietnam])]
    ['vietnam']
    """
    whole = {word.text for word in others}
    for place, (one, other) in enumerate(pairwise(words)):
        if (text := one.text + other.text) in whole:
            both = KnownWord(text, "word", max(one.weight, other.weight))
            return (*words[:place], both, *joined_as(words[place + 2 :], others))
    return words


def likeness_across(
    first: KnownWord, second: KnownWord, scripts: tuple[str, str]
) -> tuple[float, int, str]:
    """How alike words of two scripts are: the mean of their comparisons in one script."""
    known = compared_spellings(first, second, scripts)
    if not known:
        return likeness(first.text, first.role, second.text, second.role)
    alike = mean(one.likeness for one in known)
    edits = min(one.edits for one in known)
    return alike, edits, known[0].reason if alike == 1.0 else "spelling"


def compared_spellings(
    first: KnownWord, second: KnownWord, scripts: tuple[str, str]
) -> list[ComparedWords]:
    """Words of two scripts compared in one: the first in the script of the second, and the second
    in that of the first; both in Latin letters, where neither is known; nothing, if there too."""
    one, other = scripts
    there = best_spelling(first.spellings, other, second)
    back = best_spelling(second.spellings, one, first)
    known = [*filter(None, (there, back and back._replace(texts=back.texts[::-1])))]
    if not known:
        in_latin = [
            best
            for spelling in second.spellings
            if spelling.script == LATIN
            and (best := best_spelling(first.spellings, LATIN, second._replace(text=spelling.text)))
        ]
        known = sorted(in_latin, key=lambda one: -one.likeness)[:1]
    return known


def latin_text(word: KnownWord, partner: KnownWord | None) -> str:
    """A word in Latin letters: the spelling that is most like its partner, or the likeliest."""
    spellings = [spelling for spelling in word.spellings if spelling.script == LATIN]
    if not spellings:
        return word.text
    if partner is None:
        return max(spellings, key=lambda spelling: spelling.probability).text
    goal = latin_text(partner, None)
    return max(spellings, key=lambda spelling: OSA.normalized_similarity(spelling.text, goal)).text


def best_spelling(
    spellings: tuple[Spelling, ...], script: str, word: KnownWord
) -> ComparedWords | None:
    """The spelling in the script of a word that is most like it, weighted, and the word."""
    written = [spelling for spelling in spellings if spelling.script == script]
    most = max((spelling.probability for spelling in written), default=0.0)
    found = []
    for spelling in written:
        alike, edits, reason = likeness(spelling.text, "word", word.text, word.role)
        weighted = alike * (spelling.probability / most) ** DOUBT
        found.append(ComparedWords(weighted, edits, reason, (spelling.text, word.text)))
    return max(found, key=lambda one: one.likeness, default=None)


@lru_cache(1 << 18)
def likeness(text: str, role: str, other: str, other_role: str) -> tuple[float, int, str]:
    """How alike two words are, the edits from the one to the other, and the reason."""
    if text == other:
        return 1.0, 0, "equal"
    if "number" in (role, other_role):
        return 0.0, APART, "alike"
    if "initial" in (role, other_role):
        begins = text[:1] == other[:1]
        return (0.9, 0, "initial") if begins else (0.0, APART, "initial")
    edits = OSA.distance(text, other)
    alike = 1 - edits / max(len(text), len(other))
    if same_by_nickname(text, other):
        return max(alike, 0.95), min(edits, 1), "nickname"
    if same_by_translation(text, other):
        return max(alike, 0.95), min(edits, 1), "translation"
    return alike, edits, "alike"
