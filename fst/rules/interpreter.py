"""The interpreter of rules, step by step on one string: the plain twin of the compiled rules.

A rule is tried at every place from its starting end. With direction left-to-right the left
context is looked for in what has been written so far and the right context in what is still to be
read; right-to-left is the mirror image; simultaneous looks at the unchanged string on both sides.
Where a rule finds strings of several lengths at a place, each of them is one way; where it can
rewrite and is not optional, no way leaves the place as it is. An insertion happens once at a place.
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
from glyphone.fst.rules.expressions import finite_strings
from glyphone.fst.rules.glushkov import DEAD, EDGE, Matcher, mirror
from glyphone.fst.rules.parser import Rule

Site = tuple[int, int]
# The result of a step on a string: the new string, its cost, and the places that changed.
Outcome = tuple[Symbols, float, tuple[Site, ...]]


@dataclass(frozen=True)
class Fired:
    """A step that changed the string: its places in the string before, and the string after."""

    number: int
    step: Step
    sites: tuple[Site, ...]
    after: Symbols


@dataclass(frozen=True, eq=False)
class Trail:
    """The output so far as a linked list, last part first: adding to it takes constant time."""

    before: Trail | None
    written: Symbols
    site: Site | None = None

    def unroll(self) -> tuple[Symbols, tuple[Site, ...]]:
        trail: Trail | None = self
        written, sites = [], []
        while trail is not None:
            written.append(trail.written)
            sites.extend([trail.site] if trail.site else [])
            trail = trail.before
        return tuple(chain.from_iterable(reversed(written))), tuple(reversed(sites))


class Interpreter:
    """A rule prepared for strings; right-to-left is left-to-right on mirrored strings."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.backwards = rule.direction == "right-to-left"
        turned = mirror if self.backwards else (lambda expression: expression)
        left, right = (rule.right, rule.left) if self.backwards else (rule.left, rule.right)
        self.left = Matcher(turned(left), anywhere=True)
        # Read from the end of the string, the right context is matched at all places in one pass.
        self.right = Matcher(mirror(turned(right)), anywhere=True)
        self.listed: dict[Symbols, list[tuple[Symbols, float]]] = {}
        self.patterns: list[tuple[Matcher, Symbols, float]] = []
        for rewrite in rule.pairs:
            output = self.turn(rewrite.output)
            cost = -math.log(rewrite.probability)
            found = finite_strings(rewrite.found)
            if found is None:
                self.patterns.append((Matcher(turned(rewrite.found)), output, cost))
            for string in found or ():
                self.listed.setdefault(self.turn(string), []).append((output, cost))
        self.lengths = sorted({len(string) for string in self.listed})
        self.firsts = {string[0] for string in self.listed if string}
        self.needs_a_first = not self.patterns and () not in self.listed

    def turn(self, symbols: Symbols) -> Symbols:
        return symbols[::-1] if self.backwards else symbols

    def rests(self, string: Symbols) -> bool:
        """Whether the rule has nothing to find in a string, as most rules of a cascade."""
        if not self.needs_a_first:
            return False
        if self.firsts.isdisjoint(string):
            return True
        return self.lengths[-1] > 1 and not any(self.ends_of_listed(self.turn(string)))

    def run(self, string: Symbols) -> Iterator[Outcome]:
        """All results of the rule on a string."""
        text = self.turn(string)
        allowed = self.right_matches(text)
        if self.needs_a_first and not any(map(allowed.__getitem__, self.ends_of_listed(text))):
            yield string, 0.0, ()
            return
        simultaneous = self.rule.direction == "simultaneous"
        # A place, the state of the left context there, what was written, its cost, and whether
        # something was inserted at the place: that happens once, before the symbol is looked at.
        start = self.left.step(self.left.start, EDGE)
        agenda: list[tuple[int, int, Trail | None, float, bool]] = [(0, start, None, 0.0, False)]
        while agenda:
            place, state, trail, cost, inserted = agenda.pop()
            looks = self.left.accepting[state] and not inserted
            changes = list(self.rewrites_at(text, place, allowed)) if looks else []
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
                written, sites = trail.unroll() if trail else ((), ())
                yield self.turn(written), cost, tuple(sorted(sites))

    def right_matches(self, text: Symbols) -> list[bool]:
        """Whether the right context matches at each place."""
        state = self.right.step(self.right.start, EDGE)
        matches = [self.right.accepting[state]]
        for symbol in reversed(text):
            state = self.right.step(state, symbol)
            matches.append(self.right.accepting[state])
        return matches[::-1]

    def ends_of_listed(self, text: Symbols) -> Iterator[int]:
        """The places behind listed strings."""
        for place, symbol in enumerate(text):
            if symbol in self.firsts:
                for end in (place + length for length in self.lengths):
                    if end <= len(text) and text[place:end] in self.listed:
                        yield end

    def rewrites_at(
        self, text: Symbols, place: int, allowed: Sequence[bool]
    ) -> Iterator[tuple[int, Symbols, float]]:
        """The rewrites that match at a place: (end of the match, output, cost)."""
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
    """A table prepared for strings."""

    def __init__(self, table: Table) -> None:
        self.entries: dict[Symbols, list[Symbols]] = {}
        for found, output in table.pairs:
            self.entries.setdefault(found, []).append(output)
        self.lengths = sorted({len(found) for found in self.entries} - {0})

    def rests(self, string: Symbols) -> bool:
        """Whether there is nothing to cut."""
        return False

    def run(self, string: Symbols) -> Iterator[Outcome]:
        """All ways to cut a string into entries of the table."""
        agenda: list[tuple[int, Trail | None]] = [(0, None)]
        while agenda:
            place, trail = agenda.pop()
            if place == len(string):
                written, sites = trail.unroll() if trail else ((), ())
                yield written, 0.0, sites
            for length in self.lengths:
                end = place + length
                if end <= len(string):
                    for output in self.entries.get(string[place:end], ()):
                        agenda.append((end, Trail(trail, output, (place, end))))


@lru_cache(maxsize=16)
def runners_of(cascade: Cascade) -> list[Interpreter | Lookup]:
    return [
        Lookup(step) if isinstance(step, Table) else Interpreter(step) for step in cascade.steps
    ]


@dataclass(frozen=True)
class Derivation:
    """The likeliest derivation of an output; `cost` sums over all its derivations."""

    output: Symbols
    cost: float = 0.0
    fired: tuple[Fired, ...] = ()
    own_cost: float = 0.0


def run(cascade: Cascade, string: Symbols, *, limit: int = 1000) -> list[Derivation]:
    """A derivation of every output, best first; `limit` bounds the strings kept at each step.

    The rules are run forwards, whether the cascade is inverted or not.
    """
    if not frozenset(cascade.letters).issuperset(string):
        return []
    ways = [Derivation(string)]
    for number, (step, runner) in enumerate(
        zip(cascade.steps, runners_of(cascade), strict=True), 1
    ):
        if all(runner.rests(way.output) for way in ways):
            continue
        merged: dict[Symbols, Derivation] = {}
        for way in ways:
            for output, cost, sites in islice(runner.run(way.output), limit):
                fired = (*way.fired, Fired(number, step, sites, output)) if sites else way.fired
                new = Derivation(output, way.cost + cost, fired, way.own_cost + cost)
                old = merged.get(output)
                merged[output] = (
                    new if old is None else merge_derivations(old, new, cascade.is_weighted)
                )
        ways = sorted(merged.values(), key=lambda way: way.cost)[:limit]
    phones = frozenset(cascade.phones)
    return [way for way in ways if phones.issuperset(way.output)]


def merge_derivations(one: Derivation, other: Derivation, weighted: bool) -> Derivation:
    """Two derivations of one output as one; their probabilities add up if there are any."""
    better = one if one.own_cost <= other.own_cost else other
    low, high = sorted((one.cost, other.cost))
    cost = low - math.log1p(math.exp(low - high)) if weighted else low
    return replace(better, cost=cost)
