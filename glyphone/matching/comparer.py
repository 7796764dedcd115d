"""Two names compared: the probability that they are one, and why.

Names are compared by a matcher. Japanese ones are compared by their readings
(`glyphone.models.kanji.matching`), if there is a model of these: a pair is Japanese where both
names are in kanji or kana, or one of them is and the other is in Latin letters, and neither has a
legal form.

>>> [is_japanese(*pair) for pair in (("大谷", "Ohtani"), ("トヨタ㈱", "Toyota"), ("Ana", "Eva"))]
[True, False, False]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from glyphone.data.names.words import read_words
from glyphone.data.scripts.scripts import CODES, script_of, scripts_of_character
from glyphone.learners.matching.evidence import LATIN, KnownWord, Link
from glyphone.learners.matching.matcher import Judgement, NameMatcher
from glyphone.matching.candidates import words_of
from glyphone.models.kanji.matching.matcher import Match, Matcher

JAPANESE: Final = frozenset(("Hani", "Hira", "Kana"))
# The scripts of digits and signs, and of the length mark of both kana.
SHARED: Final = (CODES, {"Hira", "Kana"})
Pair = tuple[str, str]
Readings = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class LinkedWords:
    """Words of two names that are partners, as they are compared, and why."""

    first: str
    second: str
    likeness: float
    reason: str


@dataclass(frozen=True)
class NameMatch:
    """The probability that two names are one, the links between their words, and the words of
    either that are left over; of Japanese names the readings that they share."""

    first: str
    second: str
    probability: float
    links: tuple[LinkedWords, ...] = ()
    left: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    readings: Readings = ()


@dataclass(frozen=True, eq=False)
class Comparer:
    """Compares names by a matcher, and Japanese names by their readings where `kanji` is given."""

    matcher: NameMatcher
    kanji: Matcher | None = None

    def matches(self, pairs: Sequence[Pair]) -> list[NameMatch]:
        """The match of each pair of names, in order."""
        read = self._by_readings(pairs)
        others = [place for place in range(len(pairs)) if place not in read]
        judged = self.matcher.judge([pairs[place] for place in others])
        found = {
            place: match_of(pairs[place], one) for place, one in zip(others, judged, strict=True)
        }
        return [read.get(place) or found[place] for place in range(len(pairs))]

    def words_of(self, names: Sequence[str]) -> Callable[[str], list[str]]:
        """The words by which candidates for names are found: their own, and those in Latin letters
        of words in other scripts."""
        speller = self.matcher.speller
        spelt: dict[str, tuple[str, ...]] = {}
        if speller is not None:
            by_script = defaultdict(list)
            others = [name for name in names if not name.isascii()]  # reading names takes long
            for word in dict.fromkeys(word for name in others for word in words_of(name)):
                script = script_of(word)
                if script not in (None, LATIN):
                    by_script[script].append(word)
            for script, words in sorted(by_script.items()):
                found = speller(words, script, LATIN)
                spelt |= {
                    word: tuple(one.text for one in row)
                    for word, row in zip(words, found, strict=True)
                }
        return lambda name: [
            text for word in words_of(name) for text in (word, *spelt.get(word, ()))
        ]

    def _by_readings(self, pairs: Sequence[Pair]) -> dict[int, NameMatch]:
        """The matches of Japanese names, by the places of pairs; pairs that the model cannot read
        are left out."""
        if self.kanji is None:
            return {}
        places = [place for place, pair in enumerate(pairs) if is_japanese(*pair)]
        found = self.kanji.matches([pairs[place] for place in places])
        return {
            place: NameMatch(*pairs[place], one.score, readings=one.readings)
            for place, one in zip(places, found, strict=True)
            if isinstance(one, Match)
        }


def match_of(pair: Pair, judged: Judgement) -> NameMatch:
    evidence = judged.evidence
    first, second = map(texts_of, evidence.alone)
    links = tuple(map(linked_words, evidence.links))
    return NameMatch(*pair, judged.probability, links, (first, second))


def linked_words(link: Link) -> LinkedWords:
    return LinkedWords(link.first.text, link.second.text, link.likeness, link.reason)


def texts_of(words: Sequence[KnownWord]) -> tuple[str, ...]:
    return tuple(word.text for word in words)


def is_japanese(first: str, second: str) -> bool:
    """Whether the readings of two names tell whether they are one."""
    if first.isascii() and second.isascii():
        return False
    scripts = scripts_in(first), scripts_in(second)
    written = [bool(found) and found <= JAPANESE for found in scripts]
    latin = [found == {"Latn"} for found in scripts]
    if not any(written) or not all(a or b for a, b in zip(written, latin, strict=True)):
        return False
    words = [*read_words(first), *read_words(second)]
    return not any(word.role == "company form" for word in words)


def scripts_in(name: str) -> frozenset[str]:
    """The scripts of the letters of a name, each of the first of those that share it.

    >>> sorted(scripts_in("山田 タロー x 3"))
    ['Hani', 'Kana', 'Latn']
    """
    found = map(scripts_of_character, name)
    return frozenset(min(codes & JAPANESE or codes) for codes in found if codes not in SHARED)
