"""Answers for blocks of items: outputs with costs and posteriors, failures, origins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from glyphone.data.errors import ItemError
from glyphone.data.records import Hypothesis, Symbols

Span = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Origins:
    """The symbols of each output, and their spans in the user's own strings."""

    symbols: Sequence[Symbols]
    spans: Sequence[tuple[Span, ...]]


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers to a block of items: item i has hypotheses firsts[i] to firsts[i + 1].

    `sources` names for each item the stage that answered, where there are several; `unknown` has
    the symbols unknown to the model of the items that were answered all the same.
    """

    outputs: Sequence[str]
    costs: Sequence[float]
    posteriors: Sequence[float]
    firsts: Sequence[int]
    truncated: frozenset[int]
    failures: dict[int, ItemError]
    origins: Origins | None = None
    sources: Sequence[str] | None = None
    unknown: Mapping[int, Symbols] = field(default_factory=dict)

    def hypotheses(self, item: int) -> list[Hypothesis]:
        return [
            Hypothesis(
                self.outputs[k],
                self.costs[k],
                self.posteriors[k],
                self.origins.spans[k] if self.origins else (),
                self.origins.symbols[k] if self.origins else (),
                item in self.truncated,
                self.sources[item] if self.sources else "",
                self.unknown.get(item, ()),
            )
            for k in range(self.firsts[item], self.firsts[item + 1])
        ]


def merge_answers(size: int, parts: Sequence[tuple[Sequence[int], Answers]]) -> Answers:
    """The answers to `size` items out of several blocks, each with the numbers of its items.

    Of several answers to an item those of the last block count.

    >>> one = Answers(["x", "y"], [0.0, 0.0], [1.0, 1.0], [0, 1, 2], frozenset(), {})
    >>> other = Answers(["z"], [0.5], [1.0], [0, 1], frozenset([0]), {})
    >>> both = merge_answers(2, [([0, 1], one), ([0], other)])
    >>> both.outputs, both.truncated
    (['z', 'y'], frozenset({0}))
    """
    whose, places = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for number, (items, _) in enumerate(parts):
        whose[list(items)], places[list(items)] = number, range(len(items))
    apart = (np.diff(whose) != 0) | (np.diff(places) != 1)
    edges = [0, *(np.flatnonzero(apart) + 1).tolist(), size] if size else []
    used = [parts[number][1] for number in np.unique(whose)]
    traced = all(answers.origins is not None for answers in used)
    sourced = any(answers.sources is not None for answers in used)
    outputs, costs, posteriors, firsts = list[str](), list[float](), list[float](), [0]
    symbols, spans, sources = list[Symbols](), list[tuple[Span, ...]](), list[str]()
    for begin, end in pairwise(edges):
        answers, place = parts[whose[begin]][1], int(places[begin])
        bounds = answers.firsts[place : place + end - begin + 1]
        first, last = bounds[0], bounds[-1]
        firsts += [len(outputs) + bound - first for bound in bounds[1:]]
        outputs += answers.outputs[first:last]
        costs += answers.costs[first:last]
        posteriors += answers.posteriors[first:last]
        if answers.origins is not None:
            symbols += answers.origins.symbols[first:last]
            spans += answers.origins.spans[first:last]
        if answers.sources is None:
            sources += [""] * (end - begin)
        else:
            sources += answers.sources[place : place + end - begin]
    failures, unknown, truncated = dict[int, ItemError](), dict[int, Symbols](), set[int]()
    for number, (items, answers) in enumerate(parts):
        failures |= {items[k]: e for k, e in answers.failures.items() if whose[items[k]] == number}
        unknown |= {items[k]: u for k, u in answers.unknown.items() if whose[items[k]] == number}
        truncated |= {items[k] for k in answers.truncated if whose[items[k]] == number}
    return Answers(
        outputs,
        costs,
        posteriors,
        firsts,
        frozenset(truncated),
        failures,
        Origins(symbols, spans) if traced else None,
        sources if sourced else None,
        unknown,
    )
