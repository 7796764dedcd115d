"""Runs rules step by step on one string, without pynini: the plain twin of the compiled rules.

A rule is tried at every place from its starting end. With direction left-to-right the left
context is looked for in what has been written so far and the right context in what is still to be
read; right-to-left is the mirror image; simultaneous looks at the unchanged string on both sides.
Where a rule finds strings of several lengths at a place, each of them is one way; where it can
rewrite and is not optional, leaving the place alone is none. An insertion happens once at a place.
The edge # is one symbol, so "# #" matches nothing. The rules of an inverted cascade still run from
letters to phones.

>>> from glyphone.fst.rules.cascade import cascade
>>> initial = cascade(letters="a b", phones="b", rules="a -> b / # _")
>>> [way] = run(initial, ("a", "b"))
>>> way.output, [(fired.step.text, fired.sites) for fired in way.fired]
(('b', 'b'), [('a -> b / # _', ((0, 1),))])
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice

from glyphone.data.records import Symbols
from glyphone.fst.rules.cascade import Cascade, Step, Table
from glyphone.fst.rules.expressions import strings
from glyphone.fst.rules.glushkov import DEAD, EDGE, Matcher, mirrored
from glyphone.fst.rules.parser import Rule

Site = tuple[int, int]
# What a step makes of a string: the new string, its cost, and the places that changed.
Outcome = tuple[Symbols, float, tuple[Site, ...]]


@dataclass(frozen=True)
class Fired:
    """One step that did something: where in the string before it, and the string after it."""

    number: int
    step: Step
    sites: tuple[Site, ...]
    after: Symbols


@dataclass(frozen=True, eq=False)
class Trail:
    """What was written, last things first, so that a step costs the same in words of any length."""

    before: Trail | None
    written: Symbols
    site: Site | None = None

    def unrolled(self) -> tuple[Symbols, tuple[Site, ...]]:
        trail: Trail | None = self
        written, sites = [], []
        while trail is not None:
            written.append(trail.written)
            sites.extend([trail.site] if trail.site else [])
            trail = trail.before
        return tuple(chain.from_iterable(reversed(written))), tuple(reversed(sites))


class Interpreter:
    """One rule, ready to run; right-to-left is left-to-right in a mirror."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.backwards = rule.direction == "right-to-left"
        turned = mirrored if self.backwards else (lambda expression: expression)
        left, right = (rule.right, rule.left) if self.backwards else (rule.left, rule.right)
        self.left = Matcher(turned(left), anywhere=True)
        # The right context is read from the far end, which tells in one go where it matches.
        self.right = Matcher(mirrored(turned(right)), anywhere=True)
        self.listed: dict[Symbols, list[tuple[Symbols, float]]] = {}
        self.patterns: list[tuple[Matcher, Symbols, float]] = []
        for rewrite in rule.pairs:
            output = self.turn(rewrite.output)
            cost = -math.log(rewrite.probability)
            found = strings(rewrite.found)
            if found is None:
                self.patterns.append((Matcher(turned(rewrite.found)), output, cost))
            for string in found or ():
                self.listed.setdefault(self.turn(string), []).append((output, cost))
        self.lengths = sorted({len(string) for string in self.listed})

    def turn(self, symbols: Symbols) -> Symbols:
        return symbols[::-1] if self.backwards else symbols

    def run(self, string: Symbols) -> Iterator[Outcome]:
        """Everything that the rule can make of a string."""
        text = self.turn(string)
        allowed = self.right_matches(text)
        simultaneous = self.rule.direction == "simultaneous"
        # A place, the state of the left context there, what was written, its cost, and whether
        # something was inserted at the place: that happens once, before the symbol is looked at.
        start = self.left.step(self.left.start, EDGE)
        agenda: list[tuple[int, int, Trail | None, float, bool]] = [(0, start, None, 0.0, False)]
        while agenda:
            place, state, trail, cost, inserted = agenda.pop()
            looks = self.left.accepting[state] and not inserted
            changes = list(self.changes(text, place, allowed)) if looks else []
            for end, output, price in reversed(changes):
                site = (len(text) - end, len(text) - place) if self.backwards else (place, end)
                after = self.left.run(state, text[place:end] if simultaneous else output)
                longer = Trail(trail, output, site)
                agenda.append((end, after, longer, cost + price, end == place))
            if changes and not self.rule.optional:
                continue
            if place < len(text):
                after = self.left.step(state, text[place])
                kept = Trail(trail, text[place : place + 1])
                agenda.append((place + 1, after, kept, cost, False))
            else:
                written, sites = trail.unrolled() if trail else ((), ())
                yield self.turn(written), cost, tuple(sorted(sites))

    def right_matches(self, text: Symbols) -> list[bool]:
        """Whether the right context matches at each place."""
        state = self.right.step(self.right.start, EDGE)
        matches = [self.right.accepting[state]]
        for symbol in reversed(text):
            state = self.right.step(state, symbol)
            matches.append(self.right.accepting[state])
        return matches[::-1]

    def changes(
        self, text: Symbols, place: int, allowed: Sequence[bool]
    ) -> Iterator[tuple[int, Symbols, float]]:
        """What can be rewritten at a place: (end of what is found, output, cost)."""
        for length in self.lengths:
            end = place + length
            if end <= len(text) and allowed[end]:
                for output, cost in self.listed.get(text[place:end], ()):
                    yield end, output, cost
        for found, output, cost in self.patterns:
            state = found.start
            for end in range(place + 1, len(text) + 1):
                state = found.step(state, text[end - 1])
                if state == DEAD:
                    break
                if found.accepting[state] and allowed[end]:
                    yield end, output, cost


class Lookup:
    """One table, ready to run."""

    def __init__(self, table: Table) -> None:
        self.entries: dict[Symbols, list[Symbols]] = {}
        for found, output in table.pairs:
            self.entries.setdefault(found, []).append(output)
        self.lengths = sorted({len(found) for found in self.entries} - {0})

    def run(self, string: Symbols) -> Iterator[Outcome]:
        """Every way to cut a string into entries of the table."""
        agenda: list[tuple[int, Trail | None]] = [(0, None)]
        while agenda:
            place, trail = agenda.pop()
            if place == len(string):
                written, sites = trail.unrolled() if trail else ((), ())
                yield written, 0.0, sites
            for length in self.lengths:
                end = place + length
                if end <= len(string):
                    for output in self.entries.get(string[place:end], ()):
                        agenda.append((end, Trail(trail, output, (place, end))))


@lru_cache(maxsize=16)
def ready(cascade: Cascade) -> list[Interpreter | Lookup]:
    return [
        Lookup(step) if isinstance(step, Table) else Interpreter(step) for step in cascade.steps
    ]


@dataclass(frozen=True)
class Way:
    """The likeliest way through a cascade to an output; `cost` sums over all ways to it."""

    output: Symbols
    cost: float = 0.0
    fired: tuple[Fired, ...] = ()
    own_cost: float = 0.0


def run(cascade: Cascade, string: Symbols, *, limit: int = 1000) -> list[Way]:
    """A way to every output, best first; `limit` bounds the strings kept at each step.

    The rules are run forwards, whether the cascade is inverted or not.
    """
    if not frozenset(cascade.letters).issuperset(string):
        return []
    ways = [Way(string)]
    for number, (step, runner) in enumerate(zip(cascade.steps, ready(cascade), strict=True), 1):
        merged: dict[Symbols, Way] = {}
        for way in ways:
            for output, cost, sites in islice(runner.run(way.output), limit):
                fired = (*way.fired, Fired(number, step, sites, output)) if sites else way.fired
                new = Way(output, way.cost + cost, fired, way.own_cost + cost)
                old = merged.get(output)
                merged[output] = new if old is None else both(old, new, cascade.is_weighted)
        ways = sorted(merged.values(), key=lambda way: way.cost)[:limit]
    phones = frozenset(cascade.phones)
    return [way for way in ways if phones.issuperset(way.output)]


def both(one: Way, other: Way, weighted: bool) -> Way:
    """Two ways to one output as one; without probabilities it does not count how many there are."""
    better = one if one.own_cost <= other.own_cost else other
    low, high = sorted((one.cost, other.cost))
    cost = low - math.log1p(math.exp(low - high)) if weighted else low
    return replace(better, cost=cost)
