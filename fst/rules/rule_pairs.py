"""The pairs of strings that the rules of a cascade mention: what an aligner may learn from them.

A rule phi -> psi / left _ right says that phi can sound like psi (Jansche 2001); its contexts are
left aside. In a cascade psi is often no sound yet: a mark that lives only in between, or a letter
that serves as a sign. So psi is followed through the rules behind its own, contexts left aside
there too: a rule without context must rewrite what it finds, one with a context may. The letters
themselves are followed from the first rule on, for a letter that no rule mentions has a sound too.

Left out are sets of strings that are not finite; strings of more than `longest` symbols on either
side; what begins with anything but letters, as what only stands in between cannot be traced back;
what does not end as phones alone; targets more than one symbol longer than their source, which are
names of letters and not their sounds; and strings of several letters of which more than `outcomes`
things can become, for rules that respell whole words say nothing of what stands for what.

What the contexts would tell apart is left open, so the pairs of one source share the weight 1.
Insertions are pairs with an empty source; nothing is inserted into a string that is followed.

>>> from glyphone.fst.rules.cascade import cascade
>>> rules = ["c h -> tʃ", "c -> K", "h -> ∅", "K -> s / _ i", "K -> k"]
>>> grammar = cascade(letters="a c h i", phones="a i tʃ k s", marks="K", rules=rules)
>>> " ".join("".join(pair.source + (":",) + pair.target) for pair in rule_pairs(grammar))
'a:a c:s c:k h: i:i ch:tʃ'
>>> [pair.weight for pair in rule_pairs(grammar)]
[1.0, 0.5, 0.5, 1.0, 1.0, 1.0]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair, Symbols
from glyphone.fst.rules.cascade import Cascade, Step, Table
from glyphone.fst.rules.expressions import Chain, strings

LONGEST, OUTCOMES = 5, 4
# Strings that one string may become between two steps; the number of ways grows with each context.
MOST = 64


def rule_pairs(
    cascade: Cascade, *, longest: int = LONGEST, outcomes: int = OUTCOMES
) -> tuple[Pair, ...]:
    """Every pair once: those of single letters first, then those of rules in their order."""
    for name, value in (("longest", longest), ("outcomes", outcomes)):
        if value < 1:
            raise GlyphoneError(f"{name} is {value}", remedy="it must be 1 or more")
    steps = [Mentioned.by(step) for step in cascade.steps]
    letters, phones = frozenset(cascade.letters), frozenset(cascade.phones)
    begun: list[tuple[int, Symbols, Symbols]] = [(0, (x,), (x,)) for x in cascade.letters]
    for number, step in enumerate(steps, 1):
        begun += [(number, phi, psi) for phi, every in step.outputs.items() for psi in every]
    found: dict[Symbols, dict[Symbols, None]] = {}
    for number, phi, psi in begun:
        if len(phi) > longest or not letters.issuperset(phi):
            continue
        for target in followed(psi, steps[number:]):
            fits = len(target) <= min(longest, len(phi) + 1) and phones.issuperset(target)
            if fits and (phi or target):
                found.setdefault(phi, {})[target] = None
    pairs = [
        Pair(phi, target, 1 / len(targets))
        for phi, targets in found.items()
        for target in targets
        if len(phi) == 1 or len(targets) <= outcomes
    ]
    if cascade.inverted:
        pairs = [replace(pair, source=pair.target, target=pair.source) for pair in pairs]
    return tuple(pairs)


@dataclass(frozen=True)
class Mentioned:
    """What a step finds and puts in its place; `must` says that it leaves nothing it finds alone.

    `whole` says that it lets nothing pass that it does not find.
    """

    outputs: Mapping[Symbols, tuple[Symbols, ...]]
    must: bool
    whole: bool = False

    @classmethod
    def by(cls, step: Step) -> Mentioned:
        outputs: dict[Symbols, tuple[Symbols, ...]] = {}
        if isinstance(step, Table):
            for phi, psi in step.pairs:
                outputs[phi] = (*outputs.get(phi, ()), psi)
            return cls(outputs, must=True, whole=True)
        for rewrite in step.pairs:
            for phi in strings(rewrite.found) or ():
                outputs[phi] = (*outputs.get(phi, ()), rewrite.output)
        return cls(outputs, must=step.left == step.right == Chain() and not step.optional)

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        return tuple(sorted({len(phi) for phi in self.outputs} - {0}, reverse=True))

    @cached_property
    def begins(self) -> frozenset[str]:
        """The symbols that something found begins with."""
        return frozenset(phi[0] for phi in self.outputs if phi)

    def become(self, string: Symbols) -> Iterator[Symbols]:
        """What a string can be after this step, perhaps several times the same."""
        if not string:
            yield ()
            return
        rewritten = False
        for length in self.lengths if string[0] in self.begins else ():
            for output in self.outputs.get(string[:length], ()) if length <= len(string) else ():
                rewritten = True
                for rest in self.become(string[length:]):
                    yield output + rest
        if not (self.whole or (self.must and rewritten)):
            for rest in self.become(string[1:]):
                yield string[:1] + rest


def followed(string: Symbols, steps: Sequence[Mentioned]) -> list[Symbols]:
    """What a string can become by steps, the rewritten first; nothing if that is too much."""
    found = [string]
    for step in steps:
        if not step.whole and all(step.begins.isdisjoint(one) for one in found):
            continue
        found = list(dict.fromkeys(after for one in found for after in step.become(one)))
        if len(found) > MOST:
            return []
    return found
