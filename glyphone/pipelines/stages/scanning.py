"""Runs of words that a grammar may accept, found without asking it about every run.

The first transducer of a grammar, read as an acceptor, is made deterministic over words as far as
texts need it (subset construction, on demand): from a set of states, a word leads to another set,
which is remembered. Where it leads to none, no longer run can be accepted. What is left are runs
that the first transducer accepts; those after it may still refuse them.

>>> from glyphone.fst.transducers.model import TransducerModel
>>> from glyphone.fst.rules.cascade import cascade
>>> from glyphone.data.writing import Writing
>>> rules = cascade(letters="one two", phones="1 2", source=Writing("token"),
...                 rules=["one -> 1", "two -> 2"])
>>> [run.span for run in Scanner(TransducerModel.of(rules)).runs("call two one now", longest=5)]
[(5, 8), (5, 12), (9, 12)]
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from glyphone.data.errors import ItemError
from glyphone.fst.interface.answers import Span
from glyphone.fst.transducers.model import TransducerModel

WORD = re.compile(r"\S+")
# Steps that are remembered before all are forgotten, so that a stream of new words fills no memory.
MOST_STEPS = 1 << 18

States = frozenset[int]
NOWHERE: States = frozenset()


class Run(NamedTuple):
    """Words from `begin` to before `end`, and where they stand in the text."""

    begin: int
    end: int
    span: Span
    text: str


class Scanner:
    def __init__(self, model: TransducerModel) -> None:
        self.side = model.source
        self.machine = model.machines[0]
        start = self.machine.start
        self.start = NOWHERE if start < 0 else self.close_states([start])
        self.steps: dict[tuple[States, str], tuple[States, bool]] = {}

    def runs(self, text: str, *, longest: int) -> list[Run]:
        """Runs of up to `longest` words, by where they begin, then where they end."""
        words = [match.span() for match in WORD.finditer(text)]
        found = []
        for begin, (first, _) in enumerate(words):
            states, last = self.start, first
            for end, (_, stop) in enumerate(words[begin : begin + longest], begin + 1):
                states, accepted = self.step(states, text[last:stop])
                if not states:
                    break
                last = stop
                if accepted:
                    found.append(Run(begin, end, (first, stop), text[first:stop]))
        return found

    def step(self, states: States, piece: str) -> tuple[States, bool]:
        """Where a word, with what stands before it, leads from some states; may it end there?"""
        key = (states, piece)
        found = self.steps.get(key)
        if found is None:
            if len(self.steps) >= MOST_STEPS:
                self.steps.clear()
            after = self.after(states, piece)
            accepted = bool((self.machine.finals[[*after]] < np.inf).any())
            found = self.steps[key] = (after, accepted)
        return found

    def after(self, states: States, piece: str) -> States:
        try:
            labels = self.side.encode(piece).labels
        except ItemError:  # a symbol that the grammar does not know
            return NOWHERE
        for label in labels:
            states = self.close_states(
                target for state in states for target in self.targets(state, label)
            )
        return states

    def close_states(self, states: Iterable[int]) -> States:
        """States, and those that are reached from them by reading nothing."""
        closed = set(states)
        waiting = list(closed)
        while waiting:
            for target in self.targets(waiting.pop(), 0):
                if target not in closed:
                    closed.add(target)
                    waiting.append(target)
        return frozenset(closed)

    def targets(self, state: int, label: int) -> list[int]:
        machine = self.machine
        begin, end = machine.offsets[state], machine.offsets[state + 1]
        first, last = np.searchsorted(machine.ilabels[begin:end], [label, label + 1])
        found: list[int] = machine.targets[begin + first : begin + last].tolist()
        return found


def outermost_runs(runs: Iterable[Run]) -> list[Run]:
    """Runs that are not part of others; they come by where they begin, then where they end.

    >>> places = [(0, 1), (0, 3), (1, 3), (2, 4)]
    >>> [run[:2] for run in outermost_runs(Run(a, b, (a, b), "") for a, b in places)]
    [(0, 3), (2, 4)]
    """
    outermost: list[Run] = []
    for run in runs:
        if outermost and outermost[-1].begin == run.begin:
            outermost.pop()
        if not outermost or run.end > outermost[-1].end:
            outermost.append(run)
    return outermost
