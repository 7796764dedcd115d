"""Compiles cascades into transducers with pynini (Mohri and Sproat 1996 for the rules).

Steps are composed one by one from the input side, each product made as small as it gets. When a
product outgrows the budget the cascade is kept as several transducers in a row instead.

>>> from glyphone.fst.rules.cascade import cascade
>>> stages = compile_cascade(cascade(letters="a h", phones="a", rules="h -> ∅"))
>>> [stage.n_states for stage in stages]
[1]
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from glyphone.data import progress
from glyphone.data.errors import RuleError
from glyphone.fst import backend
from glyphone.fst.automata.transducer import SymbolTable, Transducer
from glyphone.fst.backend import Fst
from glyphone.fst.rules.cascade import Cascade, Step, Table
from glyphone.fst.rules.expressions import (
    Chain,
    Choice,
    Edge,
    Expression,
    Repeat,
    accepts_empty,
    finite_strings,
)
from glyphone.fst.rules.parser import Rule

ARC_BUDGET = 300_000
DIRECTIONS = {"left-to-right": "ltr", "right-to-left": "rtl", "simultaneous": "sim"}


class Compiler:
    """Turns steps over one alphabet into pynini automata over its labels."""

    def __init__(self, cascade: Cascade) -> None:
        self.cascade = cascade
        self.pynini = backend.load()
        self.labels = {symbol: label for label, symbol in enumerate(cascade.alphabet, 1)}
        # cdrewrite has two labels of its own for the edges; ours must stay below them.
        self.edges = [
            next(iter(self.pynini.accep(edge).paths().ilabels())) for edge in ("[BOS]", "[EOS]")
        ]
        if len(self.labels) + 1 >= min(self.edges):
            raise RuleError(f"an alphabet of {len(self.labels)} symbols is too large for rules")
        self.mark = len(self.labels) + 1  # a label that no symbol has
        self.letters = self.strings_over(self.labels[symbol] for symbol in cascade.letters)
        self.phones = self.strings_over(self.labels[symbol] for symbol in cascade.phones)
        self.everything = self.strings_over(self.labels.values())

    def strings_over(self, labels: Iterable[int]) -> Fst:
        """The acceptor of all strings over some labels."""
        return self.build_automaton([(0, 0, label, label, 0.0) for label in labels], [0])

    def build_automaton(
        self, arcs: Iterable[tuple[int, int, int, int, float]], finals: Iterable[int]
    ) -> Fst:
        """An automaton from (source, target, input, output, cost), made in bulk."""
        rows = list(arcs)
        finals = list(finals)
        n_states = 1 + max([0, *finals, *(max(row[0], row[1]) for row in rows)])
        costs = [math.inf] * n_states
        for state in finals:
            costs[state] = 0.0
        sources, targets, ilabels, olabels, weights = zip(*rows, strict=True) if rows else [()] * 5
        machine = Transducer.from_arcs(
            0, costs, sources, ilabels, olabels, weights, targets, None, None
        )
        return backend.from_transducer(machine)

    def compile_expression(self, expression: Expression, edge: int) -> Fst:
        """The acceptor of an expression; `edge` is the label that # stands for here."""
        match expression:
            case Edge():
                return self.build_automaton([(0, 1, edge, edge, 0.0)], [1])
            case Repeat(part, low, unbounded):
                inner = self.compile_expression(part, edge)
                lower, upper = (low, 0) if unbounded else (low, 1)
                return inner.closure(lower, upper)
            case Chain(parts) if finite_strings(expression) is None:
                result = self.build_automaton([], [0])
                for part in parts:
                    result.concat(self.compile_expression(part, edge))
                return result
            case Choice(parts) if finite_strings(expression) is None:
                return self.pynini.union(*(self.compile_expression(part, edge) for part in parts))
        return self.compile_pairs((s, s, 0.0) for s in finite_strings(expression) or ())

    def compile_context(self, expression: Expression, edge: int) -> Fst:
        """The acceptor of a context; one that may be empty asks for nothing.

        With "(#)?" cdrewrite would insert once more behind the edge, at the same price.
        """
        return self.compile_expression(Chain() if accepts_empty(expression) else expression, edge)

    def compile_pairs(self, pairs: Iterable[tuple[Sequence[str], Sequence[str], float]]) -> Fst:
        """The union of string pairs, symbols paired from the left.

        Pairing from the left makes the first phone of a group come from its first letter.
        """
        arcs: list[tuple[int, int, int, int, float]] = []
        fresh = 1
        for found, output, cost in pairs:
            length = max(len(found), len(output), 1)
            state = 0
            for position in range(length):
                ilabel = self.labels[found[position]] if position < len(found) else 0
                olabel = self.labels[output[position]] if position < len(output) else 0
                target = 1
                if position + 1 < length:
                    fresh += 1
                    target = fresh
                arcs.append((state, target, ilabel, olabel, 0.0 if position else cost))
                state = target
        return self.build_automaton(arcs, [1])

    def compile_rule(self, rule: Rule) -> Fst:
        changes = []
        for rewrite in rule.pairs:
            cost = -math.log(rewrite.probability)
            found = finite_strings(rewrite.found)
            if found is None:
                output = self.compile_pairs([((), rewrite.output, cost)])
                changes.append(self.pynini.cross(self.compile_expression(rewrite.found, 0), output))
            else:
                changes.append(
                    self.compile_pairs((string, rewrite.output, cost) for string in found)
                )
        return self.compile_rewriting(rule, self.pynini.union(*changes), self.everything)

    def compile_sites(self, rule: Rule) -> Fst:
        """The rule with a mark as its output, restricted to strings in which it fires."""
        found = self.pynini.union(*(self.compile_expression(pair.found, 0) for pair in rule.pairs))
        mark = self.build_automaton([(0, 1, self.mark, self.mark, 0.0)], [1])
        everything = self.strings_over([*self.labels.values(), self.mark])
        marked = self.compile_rewriting(rule, self.pynini.cross(found, mark), everything)
        return self.pynini.compose(marked, everything + mark + everything)

    def compile_rewriting(self, rule: Rule, change: Fst, everything: Fst) -> Fst:
        return self.pynini.cdrewrite(
            change,
            self.compile_context(rule.left, self.edges[0]),
            self.compile_context(rule.right, self.edges[1]),
            everything,
            direction=DIRECTIONS[rule.direction],
            mode="opt" if rule.optional else "obl",
        )

    def compile_step(self, step: Step) -> Fst:
        if isinstance(step, Table):
            pairs = self.compile_pairs((found, output, 0.0) for found, output in step.pairs)
            return pairs.optimize().closure()
        return self.compile_rule(step)

    def compose(self, first: Fst, second: Fst) -> Fst:
        return self.pynini.compose(first.arcsort("olabel"), second).optimize()

    def compile_stages(self, *, arc_budget: int = ARC_BUDGET) -> list[Fst]:
        """The cascade as the few automata that the budget allows, in the order of application."""
        stages: list[Fst] = []
        letters = current = self.with_log_weights(self.letters)
        for step in progress.steps(self.cascade.steps, "compiling rules"):
            compiled = self.with_log_weights(self.compile_step(step))
            product = self.compose(current, compiled)
            if (
                count_arcs(product) > max(arc_budget, count_arcs(current))
                and current is not letters
            ):
                stages.append(current)
                product = compiled
            current = product
        stages.append(self.compose(current, self.with_log_weights(self.phones)))
        if self.cascade.is_weighted:
            stages = [self.pynini.arcmap(stage, map_type="to_std") for stage in stages]
        if self.cascade.inverted:
            return [stage.copy().invert() for stage in reversed(stages)]
        return stages

    def with_log_weights(self, fst: Fst) -> Fst:
        """The automaton with log weights if the cascade has probabilities, so that paths add up."""
        return self.pynini.arcmap(fst, map_type="to_log") if self.cascade.is_weighted else fst


def count_arcs(fst: Fst) -> int:
    return sum(fst.num_arcs(state) for state in fst.states())


def compile_cascade(cascade: Cascade, *, arc_budget: int = ARC_BUDGET) -> list[Transducer]:
    """The transducers of a cascade in the order of application; the first carries the manifest."""
    compiler = Compiler(cascade)
    stages = compiler.compile_stages(arc_budget=arc_budget)
    between = [cascade.alphabet] * (len(stages) - 1)
    tables = [
        SymbolTable("", ("<epsilon>", *symbols), (0, *map(compiler.labels.__getitem__, symbols)))
        for symbols in (cascade.input_symbols, *between, cascade.output_symbols)
    ]
    return [
        backend.to_transducer(fst, isymbols=tables[place], osymbols=tables[place + 1])
        for place, fst in enumerate(stages)
    ]
