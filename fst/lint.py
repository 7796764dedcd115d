"""What is wrong with a grammar that compiles: dead rules, holes, ambiguity, symbols nobody uses.

    dead rule    no string that reaches the rule has a place where it applies
    hole         a string over the letters without an output
    ambiguity    a string with two outputs; found on the square of the transducer, where two paths
                 that read the same must not drift apart (Béal et al. 2003)

>>> from glyphone.fst.rules import cascade
>>> for finding in lint(cascade(letters="a b", phones="a c", rules="a -> c / _ c"), name="X")[0]:
...     print(finding)
X: rule 1, a -> c / _ c, can never fire (remove it, or look at the rules before it)
X: 'b' has no output (add a rule, or declare partial=True)
X: 'c' is declared as a phone, but no string gives it (remove it)
"""

from __future__ import annotations

import unicodedata
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from glyphone.data.errors import show
from glyphone.data.writing import Writing
from glyphone.fst import backend, expressions
from glyphone.fst.backend import Fst
from glyphone.fst.compile import Compiler, arcs_of
from glyphone.fst.machine import Transducer
from glyphone.fst.notation import Rule
from glyphone.fst.rules import Cascade

STATE_BUDGET = 20_000
ARC_BUDGET = 300_000
# Arcs of the square of a transducer above which its ambiguity is left undecided.
SQUARE_BUDGET = 5_000_000


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong; `rule` or `symbol` is where, if it is about one."""

    name: str
    message: str
    remedy: str
    rule: Rule | None = None
    symbol: str | None = None

    def __str__(self) -> str:
        return f"{self.name}: {self.message} ({self.remedy})"


@dataclass(frozen=True)
class Size:
    states: int
    arcs: int


def lint(cascade: Cascade, *, name: str) -> tuple[list[Finding], Size]:
    """Everything that is wrong with a cascade, and how large it is."""
    findings = list(symbol_findings(cascade, name))
    linter = Linter(cascade, name)
    findings += linter.dead_rules()
    stages = linter.compiler.stages()
    size = Size(sum(stage.num_states() for stage in stages), sum(map(arcs_of, stages)))
    if size.states > STATE_BUDGET or size.arcs > ARC_BUDGET:
        message = f"{size.states} states and {size.arcs} arcs"
        remedy = f"the budget is {STATE_BUDGET} and {ARC_BUDGET}: shorten contexts"
        findings.append(Finding(name, message, remedy))
    if not cascade.partial:
        findings += linter.holes(stages)
    if not cascade.ambiguous:
        findings += linter.ambiguities(stages)
    findings += linter.unused(stages)
    return findings, size


def symbol_findings(cascade: Cascade, name: str) -> Iterator[Finding]:
    """Symbols that the writing of their side can never show."""
    for kind, symbols, writing in (
        ("letter", cascade.letters, cascade.source),
        ("phone", cascade.phones, cascade.target),
    ):
        for symbol in symbols:
            seen = as_seen(symbol, writing)
            if seen != symbol:
                yield Finding(
                    name,
                    f"the {kind} {show(symbol)} is never seen: with normal form "
                    f"{writing.normal_form} and case {writing.case} it is {show(seen)}",
                    "declare it in that form",
                    symbol=symbol,
                )
    used = set().union(*map(mentioned, cascade.steps))
    for mark in cascade.marks:
        if mark not in used:
            message = f"the mark {show(mark)} is in no rule"
            yield Finding(name, message, "remove it", symbol=mark)


def as_seen(symbol: str, writing: Writing) -> str:
    if writing.case == "lower":
        symbol = symbol.lower()
    elif writing.case == "upper":
        symbol = symbol.upper()
    form = writing.normal_form
    return symbol if form == "none" else unicodedata.normalize(form, symbol)


def mentioned(step: object) -> set[str]:
    if isinstance(step, Rule):
        found = set().union(*(expressions.symbols(r.found) | {*r.output} for r in step.pairs))
        return found | expressions.symbols(step.left) | expressions.symbols(step.right)
    return set()


class Linter:
    """Questions about compiled cascades, with witnesses."""

    def __init__(self, cascade: Cascade, name: str) -> None:
        self.cascade = cascade
        self.compiler = Compiler(cascade)
        self.pynini = self.compiler.pynini
        self.name = name
        self.symbols = {label: symbol for symbol, label in self.compiler.labels.items()}

    def dead_rules(self) -> Iterator[Finding]:
        """Rules that change no string which the steps before them can give."""
        steps = self.cascade.steps
        current = self.compiler.letters
        for number, step in enumerate(steps, 1):
            if isinstance(step, Rule):
                sites = self.compiler.sites(step)
                if self.pynini.compose(current.arcsort("olabel"), sites).num_states() == 0:
                    yield Finding(
                        self.name,
                        f"rule {number}, {step.text}, can never fire",
                        "remove it, or look at the rules before it",
                        step,
                    )
            # Only what comes out matters here, so the input side is dropped on the way.
            product = self.pynini.compose(current.arcsort("olabel"), self.compiler.step(step))
            current = self.pynini.project(product, "output").rmepsilon().optimize()

    def holes(self, stages: list[Fst]) -> Iterator[Finding]:
        """The shortest string over the input symbols that has no output."""
        domain = self.pynini.project(stages[-1], "input")
        for stage in reversed(stages[:-1]):
            product = self.pynini.compose(stage.copy().arcsort("olabel"), domain)
            domain = self.pynini.project(product, "input")
        domain = self.pynini.arcmap(domain, map_type="rmweight").optimize()
        everything = self.compiler.phones if self.cascade.inverted else self.compiler.letters
        missing = self.pynini.difference(everything, self.pynini.determinize(domain.rmepsilon()))
        if missing.num_states():
            witness = self.string(self.pynini.shortestpath(missing), "input")
            yield Finding(
                self.name,
                f"{self.spelt(witness)!r} has no output",
                "add a rule, or declare partial=True",
            )

    def ambiguities(self, stages: list[Fst]) -> Iterator[Finding]:
        """A string with two outputs, looked for in each stage."""
        for stage in stages:
            square = backend.to_transducer(
                self.pynini.compose(
                    stage.copy().invert().arcsort("olabel"), stage.copy().arcsort("ilabel")
                )
            )
            if square.n_arcs > SQUARE_BUDGET:
                yield Finding(
                    self.name,
                    f"too large to decide whether it is ambiguous ({square.n_arcs} arcs squared)",
                    "shorten contexts, or declare ambiguous=True",
                )
                continue
            outputs = two_outputs(square)
            if outputs is not None:
                one, other = map(self.acceptor, outputs)
                stage = stage.copy().arcsort("olabel")
                inputs = [
                    self.pynini.project(self.pynini.compose(stage, output), "input").rmepsilon()
                    for output in (one, other)
                ]
                both = self.pynini.intersect(inputs[0].arcsort("olabel"), inputs[1])
                witness = self.string(self.pynini.shortestpath(both), "input")
                answers = " and ".join(repr(self.spelt(output)) for output in outputs)
                yield Finding(
                    self.name,
                    f"{self.spelt(witness)!r} has two outputs, {answers}",
                    "make the rules exclude each other, or declare ambiguous=True",
                )

    def unused(self, stages: list[Fst]) -> Iterator[Finding]:
        """Declared output symbols that are never written."""
        written = {arc.olabel for state in stages[-1].states() for arc in stages[-1].arcs(state)}
        kind = "letter" if self.cascade.inverted else "phone"
        for symbol in self.cascade.output_symbols:
            if self.compiler.labels[symbol] not in written:
                message = f"{symbol!r} is declared as a {kind}, but no string gives it"
                yield Finding(self.name, message, "remove it", symbol=symbol)

    def acceptor(self, labels: tuple[int, ...]) -> Fst:
        arcs = [(place, place + 1, label, label, 0.0) for place, label in enumerate(labels)]
        return self.compiler.automaton(arcs, [len(labels)])

    def string(self, path: Fst, side: str) -> tuple[int, ...]:
        """The labels of an automaton with one path."""
        labels = []
        state = path.start()
        while path.num_arcs(state):
            (arc,) = path.arcs(state)
            labels.append(arc.ilabel if side == "input" else arc.olabel)
            state = arc.nextstate
        return tuple(label for label in labels if label)

    def spelt(self, labels: tuple[int, ...]) -> str:
        symbols = [self.symbols[label] for label in labels]
        return ("" if all(len(symbol) == 1 for symbol in symbols) else " ").join(symbols)


Labels = tuple[int, ...]
Delay = tuple[Labels, Labels]


def two_outputs(square: Transducer) -> Delay | None:
    """Two different outputs of one input, from the square of a transducer; None if functional.

    An arc of the square carries what each of two paths writes that read the same. The delay is
    what one path is ahead of the other; if all paths agree, every state has one delay and every
    end none.
    """
    if square.start < 0:
        return None
    delays: dict[int, Delay] = {square.start: ((), ())}
    came: dict[int, tuple[int, int]] = {}
    agenda = deque([square.start])
    offsets, targets = square.offsets.tolist(), square.targets.tolist()
    ones, others = square.ilabels.tolist(), square.olabels.tolist()
    ends = np.isfinite(square.finals).tolist()

    def written(arcs: list[int]) -> Delay:
        return (
            tuple(ones[arc] for arc in arcs if ones[arc]),
            tuple(others[arc] for arc in arcs if others[arc]),
        )

    def path_to(state: int) -> list[int]:
        arcs = []
        while state in came:
            state, arc = came[state]
            arcs.append(arc)
        return arcs[::-1]

    while agenda:
        state = agenda.popleft()
        if ends[state] and delays[state] != ((), ()):
            return written(path_to(state))
        for arc in range(offsets[state], offsets[state + 1]):
            target = targets[arc]
            delay = delayed(delays[state], ones[arc], others[arc])
            if delay is not None and target not in delays:
                delays[target] = delay
                came[target] = (state, arc)
                agenda.append(target)
            elif delay is None or delays[target] != delay:
                # Of two ways with different delays one at least ends in different outputs.
                ways = [[*path_to(state), arc]]
                if target in delays:
                    ways.append(path_to(target))
                rest = path_to_end(square, target)
                pairs = [written([*way, *rest]) for way in ways]
                return next(pair for pair in pairs if pair[0] != pair[1])
    return None


def delayed(delay: Delay, one: int, other: int) -> Delay | None:
    """The delay after one more step, or None if the two outputs part for good.

    >>> delayed(((5,), ()), 6, 5), delayed(((5,), ()), 0, 7)
    (((6,), ()), None)
    """
    ahead = delay[0] + ((one,) if one else ())
    behind = delay[1] + ((other,) if other else ())
    common = min(len(ahead), len(behind))
    if ahead[:common] != behind[:common]:
        return None
    return ahead[common:], behind[common:]


def path_to_end(machine: Transducer, start: int) -> list[int]:
    """The arcs of a shortest way from a state to an end."""
    came: dict[int, tuple[int, int]] = {}
    agenda = deque([start])
    while agenda:
        state = agenda.popleft()
        if np.isfinite(machine.finals[state]):
            arcs = []
            while state != start:
                state, arc = came[state]
                arcs.append(arc)
            return arcs[::-1]
        for arc in range(machine.offsets[state], machine.offsets[state + 1]):
            target = int(machine.targets[arc])
            if target != start and target not in came:
                came[target] = (state, arc)
                agenda.append(target)
    raise ValueError("no end can be reached")
