"""What is wrong with a grammar that compiles: dead rules, holes, ambiguity, symbols nobody uses.

    dead rule    no string that reaches the rule has a place where it applies
    hole         a string over the letters without an output
    ambiguity    a string with two outputs: see `glyphone.fst.automata.ambiguity`

>>> from glyphone.fst.rules.cascade import cascade
>>> for finding in lint(cascade(letters="a b", phones="a c", rules="a -> c / _ c"), name="X")[0]:
...     print(finding)
X: rule 1, a -> c / _ c, can never fire (remove it, or look at the rules before it)
X: 'b' has no output (add a rule, or declare partial=True)
X: 'c' is declared as a phone, but no string gives it (remove it)
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from glyphone.data.errors import show
from glyphone.data.writing import Writing
from glyphone.fst import backend
from glyphone.fst.automata.ambiguity import two_outputs
from glyphone.fst.backend import Fst
from glyphone.fst.rules import expressions
from glyphone.fst.rules.cascade import Cascade, Step
from glyphone.fst.rules.compiler import Compiler, arcs_of
from glyphone.fst.rules.parser import Rule

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
    sizes = [Size(stage.num_states(), arcs_of(stage)) for stage in stages]
    size = Size(sum(stage.states for stage in sizes), sum(stage.arcs for stage in sizes))
    for stage in sizes:
        if stage.states > STATE_BUDGET or stage.arcs > ARC_BUDGET:
            message = f"a stage of {stage.states} states and {stage.arcs} arcs"
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
        last = max((n for n, step in enumerate(steps, 1) if isinstance(step, Rule)), default=0)
        current = self.compiler.letters
        for number, step in enumerate(steps[:last], 1):
            if isinstance(step, Rule):
                sites = self.compiler.sites(step)
                if self.pynini.compose(current.arcsort("olabel"), sites).num_states() == 0:
                    yield Finding(
                        self.name,
                        f"rule {number}, {step.text}, can never fire",
                        "remove it, or look at the rules before it",
                        step,
                    )
            # Behind the last rule nobody asks what comes out.
            if number < last:
                current = self.outputs(current, step)
            if arcs_of(current) > ARC_BUDGET:
                # Not every string may come here, so that a dead rule may be passed over.
                current = self.compiler.everything

    def outputs(self, strings: Fst, step: Step) -> Fst:
        """What a step makes of some strings; only which strings they are matters.

        Without weights a determinised acceptor can be minimised as it is, and `optimize` would
        take several times as long.
        """
        product = self.pynini.compose(strings.arcsort("olabel"), self.compiler.step(step))
        found = self.pynini.project(product, "output")
        found = self.pynini.arcmap(found, map_type="rmweight").rmepsilon()
        return self.pynini.determinize(found).minimize()

    def holes(self, stages: list[Fst]) -> Iterator[Finding]:
        """The shortest string over the input symbols that has no output."""
        domain = self.compiler.everything
        for stage in reversed(stages):
            product = self.pynini.compose(stage.copy().arcsort("olabel"), domain)
            domain = self.pynini.arcmap(self.pynini.project(product, "input"), map_type="rmweight")
            # Small at every step, or many stages are too much for any memory.
            domain = self.pynini.determinize(domain.rmepsilon()).minimize()
        everything = self.compiler.phones if self.cascade.inverted else self.compiler.letters
        missing = self.pynini.difference(everything, domain)
        if missing.num_states():
            # Each symbol costs 1, or the path that costs least would be any.
            counted = self.pynini.arcmap(missing.rmepsilon(), map_type="times", weight=1)
            witness = self.string(self.pynini.shortestpath(counted), "input")
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
