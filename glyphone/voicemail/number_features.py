"""What a classifier sees of a candidate for a telephone number: features, each there or not.

They tell what the digits look like and what the grammar thinks of them, what else the words may be,
which sorts of words stand around (`grammars/eng/number_cues.tsv`), and where in the message. Words
are looked at no further than the next number that the grammar is sure of: what belongs to the time
before a number says nothing of the number. A feature is written `name=value`.

>>> cues = Cues.read()
>>> cues.sorts["phone"], cues.sorts["dollars"]
(('call', 'line'), ('money',))
>>> shape("5551212"), shape("0551212"), shape("18005551212"), shape("44207946")
('NXXXXXX', '7', '1NXXNXXXXXX', '8')
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import glyphone.grammars
from glyphone.data.lexicon import read_table
from glyphone.voicemail.records import Findings, Nearby, NumberCandidate, Reading
from glyphone.voicemail.vocabulary import MOST_WORDS, bare

CUES = Path(glyphone.grammars.__path__[0], "eng", "number_cues.tsv")
# Sorts of words that tell what a number is of, by themselves.
TOPICS = frozenset(
    "call line reference shows social place street thing money time month day again".split()
)
OTHER = ("other",)  # the sort of words that tell nothing
# How many words before and behind a candidate are looked at, up to where they are near, and up to
# where two that follow each other are told together: "phone number is" is one thing, "member number
# is" another.
BEFORE, BEHIND, NEAR, PAIRED = 8, 4, 4, 4
SURE = 0.5  # a posterior of readings that are taken for granted
# From which values on a number is in the next class.
POSTERIORS = (0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99)
PLACES = (1, 4, 10, 25, 60)
LENGTHS = (3, 4, 5, 7, 10, 12)
MOST_DIGITS = 13
SIZES = {4: "short", 7: "local", 10: "long", 11: "long"}


@dataclass(frozen=True)
class Cues:
    """The sorts of words that tell something of numbers beside them.

    Words as they were written are remembered in `known`, with what they are looked up by.
    """

    sorts: Mapping[str, tuple[str, ...]]
    known: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict, compare=False)

    @classmethod
    def read(cls, path: str | Path = CUES) -> Cues:
        sorts: dict[str, tuple[str, ...]] = {}
        for sort, words in read_table(path, columns=2):
            for word in words.split():
                if sort not in sorts.get(word, ()):
                    sorts[word] = (*sorts.get(word, ()), sort)
        return cls(sorts)

    def of(self, word: str) -> tuple[str, tuple[str, ...]]:
        """A word without punctuation around it, in small letters, and its sorts."""
        found = self.known.get(word)
        if found is None:
            if len(self.known) > MOST_WORDS:
                self.known.clear()
            plain = bare(word)
            found = self.known[word] = plain, self.sorts.get(plain, OTHER)
        return found


def features(found: Findings, words: Sequence[str], cues: Cues) -> list[list[str]]:
    """The features of each candidate of a message, given as its words."""
    if not found.candidates:
        return []
    taken, nearby = labelled(found), Nearby(found.candidates)
    return [
        [*of_digits(one), *of_rivals(one, nearby), *beside(one, words, taken, cues)]
        for one in found.candidates
    ]


def beside(
    one: NumberCandidate, words: Sequence[str], taken: Mapping[int, Reading], cues: Cues
) -> list[str]:
    """What is around, by itself and together with how long the number is: three digits behind
    "room" are no telephone number, seven are."""
    length = SIZES.get(len(one.digits), "odd")
    found = [*around(one, words, taken, cues), *behind(one, words, taken, cues)]
    return found + [f"{feature}&{length}" for feature in found]


def of_digits(one: NumberCandidate) -> Iterator[str]:
    """What the candidate looks like by itself."""
    form = shape(one.digits)
    yield f"shape={form}"
    yield f"posterior={step(one.posterior, POSTERIORS)}"
    yield f"share={step(one.posterior / max(one.edges, 1e-300), POSTERIORS)}"
    yield f"edges={step(one.edges, POSTERIORS)}"
    yield f"best={step(one.alternatives[0].posterior, POSTERIORS)}"
    yield f"words={step(one.end - one.begin, LENGTHS)}"
    yield f"support={min(one.support, 2)}"
    if one.support:
        yield f"support&shape={form}"
    if one.extension:
        yield f"extension={min(len(one.extension), 6)}"
    for name in ("area", "corrected", "hesitant", "maximal"):
        if getattr(one, name):
            yield name
    if one.replaced_by is not None:
        yield "replaced"


def of_rivals(one: NumberCandidate, nearby: Nearby[NumberCandidate]) -> Iterator[str]:
    """What else its words may be, or a part of them."""
    rivals = [other for other in nearby.overlapping(one.begin, one.end) if other is not one]
    if rivals:
        best = max(other.posterior for other in rivals)
        yield f"rival={step(math.log((one.posterior + 1e-9) / (best + 1e-9)), (-3, -1, 0, 1, 3))}"
    else:
        yield "alone"
    readings = {reading.label: reading.posterior for reading in one.readings}
    for label, posterior in readings.items():
        yield f"reading={label}:{step(posterior, (0.3, 0.7))}"


def around(
    one: NumberCandidate, words: Sequence[str], taken: Mapping[int, Reading], cues: Cues
) -> Iterator[str]:
    """Words before and behind a candidate, and how far it is from both ends."""
    form, topic, last = shape(one.digits), "none", "bound"
    seen: set[str] = set()
    for far in range(1, BEFORE + 1):
        place = one.begin - far
        label = "start" if place < 0 else label_at(place, one, taken)
        if label and far <= 2:
            yield f"before{far}={label}"
        if label:
            if far <= PAIRED:
                yield f"pair{far - 1}={label} {last}"
            break
        word, sorts = cues.of(words[place])
        if 1 < far <= PAIRED:
            yield f"pair{far - 1}={sorts[0]} {last}"
        last = sorts[0]
        for sort in sorts:
            if far <= 2:
                yield f"before{far}={sort}"
            if sort not in seen:
                yield f"{'near' if far <= NEAR else 'far'}={sort}"
            if topic == "none" and sort in TOPICS:
                topic = sort
        if far == 1 and sorts is not OTHER:
            yield f"word={word}"
        seen.update(sorts)
    yield f"topic={topic}"
    yield f"topic&shape={topic}:{form}"
    yield f"topic&said={topic}:{manner(one)}"
    for label in dict.fromkeys(reading.label for reading in one.readings):
        yield f"topic&reading={topic}:{label}"
    yield f"topics={' '.join(sorted(seen & TOPICS))}"
    yield f"left={step(len(words) - one.end, PLACES)}"
    yield f"begin={step(one.begin, PLACES)}"


def behind(
    one: NumberCandidate, words: Sequence[str], taken: Mapping[int, Reading], cues: Cues
) -> Iterator[str]:
    seen: set[str] = set()
    for place in range(one.end, one.end + BEHIND):
        label = "end" if place >= len(words) else label_at(place, one, taken)
        if label and place == one.end:
            yield f"next={label}"
        if label:
            break
        for sort in cues.of(words[place])[1]:
            if place == one.end:
                yield f"next={sort}"
            if sort not in seen:
                yield f"after={sort}"
                seen.add(sort)


def labelled(found: Findings) -> dict[int, Reading]:
    """What each word is part of, where the grammar is sure of it."""
    parts = [Reading(*one.span, "telephone", one.posterior) for one in found.candidates]
    sure = [part for part in (*parts, *found.readings) if part.posterior >= SURE]
    sure.sort(key=lambda part: part.posterior)
    return {place: part for part in sure for place in range(part.begin, part.end)}


def label_at(place: int, one: NumberCandidate, taken: Mapping[int, Reading]) -> str:
    """What a word beside a candidate is part of, if that has none of the candidate's words."""
    part = taken.get(place)
    return "" if part is None or one.overlaps(part) else part.label


def manner(one: NumberCandidate) -> str:
    """Whether most words are single digits, or numbers of two or more.

    >>> manner(NumberCandidate(0, 4, "4321")), manner(NumberCandidate(0, 2, "1212"))
    ('digits', 'numbers')
    """
    n_digits = len(one.digits) + len(one.extension)
    return "digits" if 3 * (one.end - one.begin) >= 2 * n_digits else "numbers"


def shape(digits: str) -> str:
    """The pattern of a number in North America, or how many digits there are."""
    n = len(digits)
    if (
        digits[-10:-9] not in ("", "0", "1")
        and digits[-7] not in "01"
        and digits[:-10] in ("", "1")
    ):
        return "1NXXNXXXXXX"[11 - n :]
    if n == 7 and digits[0] not in "01":
        return "NXXXXXX"
    return str(min(n, MOST_DIGITS))


def step(value: float, bounds: Sequence[float]) -> int:
    """How many bounds a value has reached.

    >>> step(0.05, (0.01, 0.05, 0.2))
    2
    """
    return bisect_right(bounds, value)
