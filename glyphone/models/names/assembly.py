"""Answers to whole names from those to their parts.

    P(name) = product over the parts of P(part)

>>> [way.chosen for way in least_sums([[0.0, 1.0], [0.0, 0.5]], 3)]
[(0, 0), (0, 1), (1, 0)]
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import nsmallest
from itertools import pairwise
from typing import NamedTuple

from glyphone.data.errors import ItemError, NoOutput
from glyphone.data.records import Symbols
from glyphone.fst.interface.answers import Answers, Origins, Span
from glyphone.models.names.languages import Language
from glyphone.models.names.parts import Part

# With nothing between the parts several ways may read alike; so many times n of them are tried.
MOST_ALIKE = 64


class Reading(NamedTuple):
    """The parts of a name as the model can read them, and the letters that it had to respell."""

    parts: tuple[Part, ...]
    unknown: Symbols


class Way(NamedTuple):
    """One answer to a whole name: which of the answers each part has."""

    cost: float
    chosen: tuple[int, ...]


@dataclass
class Sheet:
    """The answers to whole names, written down one after the other; `found` has the parts'."""

    language: Language
    found: Answers
    outputs: list[str] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    posteriors: list[float] = field(default_factory=list)
    firsts: list[int] = field(default_factory=lambda: [0])
    truncated: set[int] = field(default_factory=set)
    symbols: list[Symbols] = field(default_factory=list)
    origins: list[tuple[Span, ...]] = field(default_factory=list)
    unknown: dict[int, Symbols] = field(default_factory=dict)

    def add(self, item: int, reading: Reading, numbers: Sequence[int], n: int) -> None:
        """The n best answers to a name, from those to its parts."""
        parts = reading.parts
        if len(parts) == 1:
            self.add_word(parts[0], numbers[0])
        else:
            self.add_words(item, parts, numbers, n)
        if self.found.truncated and not self.found.truncated.isdisjoint(numbers):
            self.truncated.add(item)
        if reading.unknown:
            self.unknown[item] = reading.unknown

    def add_word(self, part: Part, number: int) -> None:
        """The answers to a name of one part, which are those to the part."""
        found = self.found
        first, last = found.firsts[number], found.firsts[number + 1]
        for k in range(first, last):
            output = found.outputs[k]
            self.outputs.append(self.restore_case(output, part))
            self.costs.append(found.costs[k])
            self.posteriors.append(found.posteriors[k])
            if found.origins is not None:
                self.trace([part], [k])

    def add_words(self, item: int, parts: Sequence[Part], numbers: Sequence[int], n: int) -> None:
        """Adds answers to a name of several parts: combinations that read alike are one answer."""
        found, begin = self.found, len(self.outputs)
        firsts = [found.firsts[number] for number in numbers]
        if n == 1:
            cost = total_cost([found.costs[first] for first in firsts])
            self.add_way(parts, firsts, cost, {}, most=begin + 1)
            return
        rows = [found.costs[found.firsts[k] : found.firsts[k + 1]] for k in numbers]
        tried, places = n, dict[str, int]()
        while True:
            # All over again, for more ways come in the same order.
            several = least_sums(rows, tried)
            self.cut_to(begin)
            places.clear()
            for way in several:
                hypotheses = [first + k for first, k in zip(firsts, way.chosen, strict=True)]
                self.add_way(parts, hypotheses, way.cost, places, most=begin + n)
            if len(places) == n or len(several) < tried:
                return
            if tried >= MOST_ALIKE * n:
                self.truncated.add(item)
                return
            tried *= 4

    def add_way(
        self,
        parts: Sequence[Part],
        hypotheses: Sequence[int],
        cost: float,
        places: dict[str, int],
        *,
        most: int,
    ) -> None:
        found = self.found
        posterior = 1.0
        for hypothesis in hypotheses:
            posterior *= found.posteriors[hypothesis]
        output = "".join(self.pieces(parts, hypotheses))
        if output in places:
            self.posteriors[places[output]] += posterior
        elif len(self.outputs) < most:
            places[output] = len(self.outputs)
            self.outputs.append(output)
            self.costs.append(cost)
            self.posteriors.append(posterior)
            if found.origins is not None:
                self.trace(parts, hypotheses)

    def cut_to(self, begin: int) -> None:
        for column in (self.outputs, self.costs, self.posteriors):
            del column[begin:]
        del self.symbols[begin:], self.origins[begin:]

    def pieces(self, parts: Sequence[Part], hypotheses: Sequence[int]) -> Iterator[str]:
        between = self.language.separators
        for part, hypothesis in zip(parts, hypotheses, strict=True):
            yield between[part.before]
            yield self.restore_case(self.found.outputs[hypothesis], part)

    def trace(self, parts: Sequence[Part], hypotheses: Sequence[int]) -> None:
        """The symbols of a whole name, and the places in it that they come from."""
        assert self.found.origins is not None
        symbols: list[str] = []
        origins: list[Span] = []
        end = 0
        for part, hypothesis in zip(parts, hypotheses, strict=True):
            between = self.language.separators[part.before]
            symbols += between
            origins += [(end, part.begins[0])] * len(between)
            own = list(self.found.origins.symbols[hypothesis])
            own[:1] = [self.restore_case(symbol, part) for symbol in own[:1]]
            symbols += own
            origins += [span_of(part, a, b) for a, b in self.found.origins.spans[hypothesis]]
            end = part.ends[-1]
        self.symbols.append(tuple(symbols))
        self.origins.append(tuple(origins))

    def restore_case(self, output: str, part: Part) -> str:
        """Letters composed, with a capital where the name has one, if the script has capitals."""
        output = unicodedata.normalize("NFC", output)
        if not (part.capital and self.language.cased):
            return output
        capital = output[:1].upper()
        # ΐ has none of its own, and what stands for it may be no letter of the script.
        return capital + output[1:] if len(capital) == 1 else output

    def answers(self, failures: dict[int, ItemError]) -> Answers:
        return Answers(
            self.outputs,
            self.costs,
            self.posteriors,
            self.firsts,
            frozenset(self.truncated),
            failures,
            None if self.found.origins is None else Origins(self.symbols, self.origins),
            None,
            self.unknown,
        )


def span_of(part: Part, begin: int, end: int) -> Span:
    """The place in the name of a place in a part; what comes from nothing lies between letters."""
    if begin < end:
        return part.begins[begin], part.ends[end - 1]
    place = part.ends[begin - 1] if begin else part.begins[0]
    return place, place


def total_cost(costs: Sequence[float]) -> float:
    """The sum of some costs, added in the order in which `least_sums` does it."""
    if len(costs) == 1:
        return costs[0]
    middle = len(costs) // 2
    return total_cost(costs[:middle]) + total_cost(costs[middle:])


def least_sums(costs: Sequence[Sequence[float]], n: int) -> list[Way]:
    """The n least sums of one cost of each list; lists are sorted, equal sums in order."""
    if len(costs) == 1:
        return [Way(cost, (k,)) for k, cost in enumerate(costs[0][:n])]
    middle = len(costs) // 2
    left, right = least_sums(costs[:middle], n), least_sums(costs[middle:], n)
    # A pair in places i and j from 0 has (i + 1) (j + 1) - 1 others that are no worse.
    both = (
        Way(one.cost + other.cost, one.chosen + other.chosen)
        for place, one in enumerate(left)
        for other in right[: n // (place + 1)]
    )
    return nsmallest(n, both)


def answers_of_initials(outputs: Sequence[str]) -> Answers:
    """Answers to initials, whose outputs are certain.

    >>> answers_of_initials(["जे."]).hypotheses(0)[0].posterior
    1.0
    """
    n = len(outputs)
    origins = Origins([*map(tuple, outputs)], [((0, 2),) * len(output) for output in outputs])
    firsts = range(n + 1)
    return Answers(outputs, [0.0] * n, [1.0] * n, firsts, frozenset(), {}, origins)


def without_empty(answers: Answers, words: Sequence[str], *, stage: str) -> Answers:
    """Answers without those that are empty; a word that has no other fails.

    >>> silent = Answers(["", "x"], [0.0, 0.5], [0.6, 0.4], [0, 2], frozenset(), {})
    >>> without_empty(silent, ["h"], stage="names").outputs
    ['x']
    """
    kept = [k for k, output in enumerate(answers.outputs) if output]
    failures, firsts = dict(answers.failures), [0]
    for item, (first, last) in enumerate(pairwise(answers.firsts)):
        left = sum(map(bool, answers.outputs[first:last]))
        firsts.append(firsts[-1] + left)
        if first < last and not left:
            remedy = "nothing of it is written, as the model has it"
            failures[item] = NoOutput("no output", item=words[item], stage=stage, remedy=remedy)
    origins = answers.origins
    return replace(
        answers,
        outputs=[answers.outputs[k] for k in kept],
        costs=[answers.costs[k] for k in kept],
        posteriors=[answers.posteriors[k] for k in kept],
        firsts=firsts,
        failures=failures,
        origins=origins
        and Origins([origins.symbols[k] for k in kept], [origins.spans[k] for k in kept]),
    )
