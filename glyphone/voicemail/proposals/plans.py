"""Number plans: probabilities of digits as telephone numbers, by their patterns.

A plan is a list of patterns with probabilities (`grammars/eng/phone_plans.tsv`). As an automaton, a
plan is deterministic: a state is the set of patterns that still fit.

    p(digits) = sum of the patterns that fit, times p(extension) if there is one

>>> plan = NumberPlan.of([("NXX", 0.5), ("XXX", 0.25), ("xX", 0.5)])
>>> [round(plan.cost(text), 2) for text in ("212", "012", "212x3", "x3")]
[0.29, 1.39, 0.98, 0.69]
>>> plan.cost("12")
inf
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

import glyphone.grammars
from glyphone.data.errors import FormatError
from glyphone.data.lexicons.tsv import read_table
from glyphone.fst.transducers.span_kernels import NOWHERE, Gate

DIGITS = "0123456789"
MATCHED = {"N": DIGITS[2:], "X": DIGITS}
EXTENSION, AREA, JOIN, REPAIR = "x", "(", "&", "!"
SYMBOLS = (*DIGITS, "+", EXTENSION, AREA, JOIN, REPAIR)
# Repairs are resolved later, so that any digits may stand around them.
REPAIRED = 0.3
PLANS = Path(glyphone.grammars.__path__[0], "eng", "phone_plans.tsv")

# The patterns that fit so far, how many of their symbols are read, the cost before them.
PlanState = tuple[frozenset[str], int, float]
OPEN: PlanState = (frozenset(), 0, -math.log(REPAIRED))  # behind a repair


@dataclass(frozen=True, eq=False)
class NumberPlan:
    patterns: Mapping[str, float]
    extensions: Mapping[str, float]

    @classmethod
    def of(cls, rows: Iterable[tuple[str, float]]) -> NumberPlan:
        patterns = dict(rows)
        return cls(
            {key: share for key, share in patterns.items() if key[0] != EXTENSION},
            {key: share for key, share in patterns.items() if key[0] == EXTENSION},
        )

    @classmethod
    def read(cls, path: str | Path = PLANS) -> NumberPlan:
        rows = []
        for pattern, share in read_table(path, columns=2):
            try:
                rows.append((pattern, parse_probability(share)))
            except ValueError:
                message = f"{share!r} is no probability"
                remedy = "write a number above 0, and not above 1"
                raise FormatError(message, path=path, item=pattern, remedy=remedy) from None
        return cls.of(rows)

    @property
    def start(self) -> PlanState:
        return frozenset(self.patterns), 0, 0.0

    def next_state(self, state: PlanState, symbol: str) -> PlanState | None:
        """The state after one more digit or mark, None if no pattern fits."""
        fitting, place, before = state
        if symbol == REPAIR or state == OPEN:
            return OPEN
        if symbol == JOIN:  # between an area code that was announced and the rest
            begun = any(pattern[:place].find(AREA) == place - 4 for pattern in fitting)
            return state if place >= 4 and begun else None
        if symbol == EXTENSION:
            number = self.ending_cost(state) if place else 0.0
            known = fitting <= self.patterns.keys() and number < math.inf
            return (frozenset(self.extensions), 1, number) if known else None
        left = frozenset(
            pattern
            for pattern in fitting
            if place < len(pattern) and symbol in MATCHED.get(pattern[place], pattern[place])
        )
        return (left, place + 1, before) if left else None

    def ending_cost(self, state: PlanState) -> float:
        """The cost of ending in a state."""
        fitting, place, before = state
        if state == OPEN:
            return before
        total = sum(self.shares[pattern] for pattern in fitting if len(pattern) == place)
        return before - math.log(total) if total else math.inf

    @cached_property
    def shares(self) -> dict[str, float]:
        return {**self.patterns, **self.extensions}

    def cost(self, text: str) -> float:
        """The negative log probability of digits and marks."""
        number = 0
        for symbol in text:
            moves = self.moves[number]
            if symbol not in moves:
                return math.inf
            number = moves[symbol]
        return self.ending_costs[number]

    @cached_property
    def moves(self) -> list[dict[str, int]]:
        """For each state, the number of the next state by symbol."""
        moves = []
        for state in self.states:
            after = {symbol: self.next_state(state, symbol) for symbol in SYMBOLS}
            moves.append({key: self.states[goal] for key, goal in after.items() if goal})
        return moves

    @cached_property
    def ending_costs(self) -> list[float]:
        return [*map(self.ending_cost, self.states)]

    @cached_property
    def states(self) -> dict[PlanState, int]:
        """The numbers of all states that can be reached."""
        numbers = {self.start: 0}
        waiting = [self.start]
        for state in waiting:  # the list grows
            for symbol in SYMBOLS:
                after = self.next_state(state, symbol)
                if after is not None and after not in numbers:
                    numbers[after] = len(numbers)
                    waiting.append(after)
        return numbers


@cache
def shipped_plan() -> NumberPlan:
    """The plan that is shipped, read once."""
    return NumberPlan.read()


def parse_probability(text: str) -> float:
    share = float(text)
    if not 0 < share <= 1:
        raise ValueError(text)
    return share


def gate_of(plan: NumberPlan, labels: Mapping[str, int], *, others: int) -> Gate:
    """The plan as a gate for the first transducer; `others` behind it have no outputs."""
    steps = np.full((len(plan.states) + 1, max(labels.values()) + 1), NOWHERE, np.int64)
    for number, moves in enumerate(plan.moves):
        for symbol, after in moves.items():
            if symbol in labels:
                steps[number, labels[symbol]] = after
    starts = np.array([0] + [len(plan.states)] * others)
    return Gate(starts, steps, np.array([*plan.ending_costs, 0.0]))
