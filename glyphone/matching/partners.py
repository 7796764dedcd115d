"""Names as they were heard, and which names of a list they may be.

At most one name of the list was said. Its odds are those of the matcher: the odds of each name are
p / (1 - p), and its probability is its share in 1 plus the odds of all. So a single name has the
probability that the matcher gives it, two that are as like it share this, and all together never
exceed 1.

Somebody who says one word of a longer name may be anybody of that name, in the list or not: the
odds of all names with the word are shared, and are even together, or less if the word is not quite
theirs. Of two Jennifers in a list each has a probability of 1/4.

Names are misheard: words that sound alike (`glyphone.matching.phones`) are compared as if they
were one, and the odds are divided by 10 for each phone that is another.

>>> from glyphone.learners.matching.matcher import NameMatcher
>>> one, two = [("Ana Paz", "Paz, Ana"), ("Bo Li", "Bo Li")], [("Ana Paz", "Bo Li")]
>>> comparer = Comparer(NameMatcher(strength=99.0).fit(one + two, [1, 1, 0]))
>>> names = NameList(["Ana Paz", "Ana Sol", "Bo Li"], [(1,), (2,), (3,)], [])
>>> finder = PartnerFinder(comparer, names)
>>> [ana, bo, nobody] = finder.find([[("ana", 1.0)], [("li bo", 0.5)], [("?", 1.0)]])
>>> [(partner.name, round(partner.probability, 2)) for partner in [*ana, *bo, *nobody]]
[('Ana Paz', 0.25), ('Ana Sol', 0.25), ('Bo Li', 0.5)]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from glyphone.data.errors import ItemError
from glyphone.learners.matching.candidates import CandidateIndex
from glyphone.matching.candidates import words_of
from glyphone.matching.comparer import Comparer
from glyphone.matching.name_lists import NameList
from glyphone.matching.phones import Phones
from glyphone.matching.tables import checked_name

# Of the odds of a name, for each phone that was misheard.
MISHEARD: Final = 0.1
# Partners that are listed: at this probability there are no more.
LEAST: Final = 0.1
MOST: Final = 10
# Names or words of the list that are compared: by letters, and as many by sounds.
CANDIDATES: Final = 20
CERTAIN: Final = 1 - 1e-6
# Names that exclude each other, each with a probability.
HeardNames = Sequence[tuple[str, float]]


@dataclass(frozen=True)
class Partner:
    """A name of a list, its lines there, and the probability that it was said."""

    name: str
    lines: tuple[int, ...]
    probability: float


class Comparison(NamedTuple):
    """Two names, or words of these, to be compared, and the places in the list for which that
    counts: the first as it may have been said, with so many edits from what was heard."""

    places: Sequence[int]
    first: str
    second: str
    edits: float = 0.0


class PartnerFinder:
    """Finds names of a list that were heard: the `most` likeliest, of a probability of `least`."""

    def __init__(
        self,
        comparer: Comparer,
        listed: NameList,
        *,
        phones: Phones | None = None,
        least: float = LEAST,
        most: int = MOST,
    ):
        self.comparer, self.listed, self.phones = comparer, listed, phones
        self.least, self.most = least, most
        self._words = [*map(words_of, listed.names)]
        self._having: dict[str, list[int]] = defaultdict(list)
        for place, words in enumerate(self._words):
            for word in dict.fromkeys(words):
                self._having[word].append(place)
        self._vocabulary = [*self._having]
        if phones is not None:
            phones.of(self._vocabulary)  # together, which is faster
        self._of_names = self._indexes(listed.names)
        self._of_words = self._indexes(self._vocabulary)

    def find(self, heard: Sequence[HeardNames]) -> list[list[Partner]]:
        """The partners of each name that was heard in one or several ways, the likeliest first."""
        shares = self.shares([text for row in heard for text, _ in row])
        return [self._listed(row, shares) for row in heard]

    def shares(self, texts: Sequence[str]) -> dict[str, dict[int, float]]:
        """The probabilities of places in the list, by what was heard."""
        words = {text: words_of(text) for text in dict.fromkeys(texts) if is_name(text)}
        asked = self._comparisons(words)
        pairs = dict.fromkeys((one.first, one.second) for row in asked.values() for one in row)
        matches = self.comparer.matches([*pairs])
        odds = {pair: odds_of(one.probability) for pair, one in zip(pairs, matches, strict=True)}
        return {text: self._shares(words[text], row, odds) for text, row in asked.items()}

    def _indexes(self, names: Sequence[str]) -> list[CandidateIndex]:
        """Indexes by letters, and by sounds if these are known."""
        found = [CandidateIndex(names, words=self.comparer.words_of(names))]
        return found if self.phones is None else [*found, CandidateIndex(names, words=self._sounds)]

    def _sounds(self, name: str) -> list[str]:
        """The phones of words; the words themselves where these cannot be read."""
        assert self.phones is not None
        words = words_of(name)
        found = self.phones.of(words)
        return ["".join(row) or word for word, row in zip(words, found, strict=True)]

    def _listed(self, row: HeardNames, shares: Mapping[str, Mapping[int, float]]) -> list[Partner]:
        totals: dict[int, float] = defaultdict(float)
        for text, probability in row:
            for place, share in shares.get(text, {}).items():
                totals[place] += probability * share
        ranked = sorted(totals.items(), key=lambda one: (-one[1], one[0]))
        return [
            Partner(self.listed.names[place], self.listed.lines[place], probability)
            for place, probability in ranked[: self.most]
            if probability >= self.least
        ]

    def _comparisons(self, heard: Mapping[str, Sequence[str]]) -> dict[str, list[Comparison]]:
        """The comparisons of each text: with words of the list if it is one word, else with names;
        each as it was heard and, if that differs, as it may have been said."""
        if self.phones is not None:
            self.phones.of([word for words in heard.values() for word in words])
        spelt = self.comparer.words_of([*heard])
        queries = {text: " ".join(spelt(text)) for text in heard}
        single = {text: query for text, query in queries.items() if len(heard[text]) == 1}
        others = {text: query for text, query in queries.items() if text not in single}
        found: dict[str, list[Comparison]] = {text: [] for text in heard}
        for text, place in candidates_of(single, self._of_words):
            word = self._vocabulary[place]
            one = Comparison(self._having[word], heard[text][0], word)
            found[text] += [one, *self._as_said(one, heard[text], [word])]
        for text, place in candidates_of(others, self._of_names):
            one = Comparison([place], text, self.listed.names[place])
            found[text] += [one, *self._as_said(one, heard[text], self._words[place])]
        return found

    def _as_said(
        self, one: Comparison, heard: Sequence[str], said: Sequence[str]
    ) -> Iterator[Comparison]:
        if self.phones is not None:
            words, edits = self.phones.as_said(heard, said)
            if edits:
                yield one._replace(first=" ".join(words), edits=edits)

    def _shares(
        self,
        heard: Sequence[str],
        asked: Sequence[Comparison],
        odds: Mapping[tuple[str, str], float],
    ) -> dict[int, float]:
        """The probabilities of places, by the odds of what was compared."""
        best: dict[int, float] = defaultdict(float)
        for one in asked:
            worth = odds[one.first, one.second] * MISHEARD**one.edits
            for place in one.places:
                best[place] = max(best[place], worth)
        parts = {place for place in best if len(heard) == 1 < len(self._words[place])}
        whole = {place: value for place, value in best.items() if place not in parts}
        equal = [place for place in whole if self._words[place] == heard]
        # No other name is likelier than the one that was heard.
        whole |= dict.fromkeys(equal, max(whole.values(), default=0.0))
        part = even_together({place: best[place] for place in parts})
        total = 1 + sum(whole.values()) + sum(part.values())
        return {place: value / total for place, value in (whole | part).items()}


def candidates_of(
    queries: Mapping[str, str], indexes: Sequence[CandidateIndex]
) -> Iterator[tuple[str, int]]:
    """Texts with the places of candidates for their queries by any of the indexes, each once."""
    asked = [*queries.values()]
    tables = [index.candidates(asked, most=CANDIDATES)[0] for index in indexes]
    for text, *rows in zip(queries, *tables, strict=True):
        for place in sorted({int(place) for row in rows for place in row if place >= 0}):
            yield text, place


def is_name(text: str) -> bool:
    try:
        checked_name(text)
    except ItemError:
        return False
    return True


def odds_of(probability: float) -> float:
    """
    >>> odds_of(0.75)
    3.0
    """
    return probability / (1 - min(probability, CERTAIN))


def even_together(odds: Mapping[Any, float]) -> dict[Any, float]:
    """Odds in the same proportions, whose sum is the probability that the greatest stands for.

    >>> even_together({"a": 3.0, "b": 1.0})
    {'a': 0.5625, 'b': 0.1875}
    """
    most, total = max(odds.values(), default=0.0), sum(odds.values())
    scale = most / (1 + most) / total if total else 0.0
    return {place: value * scale for place, value in odds.items()}
