"""Candidates for telephone numbers in messages: the first of two phases, which misses hardly any.

The grammar reads every span of words, as a telephone number by the plan and as whatever else it may
be. Of all ways to cut a message into such readings and words left over, a span has a share: its
posterior. Spans with a share above a threshold are candidates, and so are those that are in no
other, however unlikely; a classifier may look at the rest.

>>> finder = Finder(model())
>>> for one in finder("call me at five five five twelve twelve after ten thirty".split()):
...     print(one.display, one.span, max(one.readings, key=lambda reading: reading.posterior))
555-1212 (3, 8) Reading(begin=2, end=4, label='time', posterior=0.0...)
1030 (9, 11) Reading(begin=8, end=11, label='time', posterior=0.8...)
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from glyphone.data import jit
from glyphone.fst import batch, walk
from glyphone.fst.answering import BUDGET
from glyphone.fst.blocks import Block
from glyphone.fst.model import Model
from glyphone.voicemail.chart import TELEPHONE, Chart, Reader, outermost
from glyphone.voicemail.plans import REPAIR, Plan
from glyphone.voicemail.records import Alternative, Findings, Nearby, NumberCandidate, Reading
from glyphone.voicemail.relations import related
from glyphone.voicemail.repairs import Resolved, resolved

Array = Any


def model() -> Model:
    """The rule DIGITS of the phone-number grammar."""
    from glyphone import catalog

    found = catalog.load("eng.phone_numbers:DIGITS")
    assert isinstance(found, Model)
    return found


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is a candidate: the fewest digits, and the least posterior of one inside another.

    `readings` is the least posterior of what else its words may be, to be told; `n` is the number
    of digit strings that are looked at for each span.
    """

    fewest: int = 4
    least: float = 0.05
    readings: float = 0.05
    n: int = 8


class Finder:
    """Finds the candidates of messages, given as words."""

    def __init__(
        self, model: Model, *, plan: Plan | None = None, options: Options = Options()
    ) -> None:
        self.model = model
        self.plan = plan or Plan.read()
        self.options = options
        self.reader = Reader(model, self.plan)
        self.written = {label: symbol for symbol, label in model.target.symbols.items()}

    def __call__(self, words: Sequence[str]) -> list[NumberCandidate]:
        return self.find([words])[0]

    def find(self, messages: Sequence[Sequence[str]]) -> list[list[NumberCandidate]]:
        """The candidates of each message, by where they begin and end."""
        return [found.candidates for found in self.findings(messages)]

    def findings(self, messages: Sequence[Sequence[str]]) -> list[Findings]:
        """The candidates of each message, and what else the grammar takes its words for."""
        chart = self.reader.read(messages)
        telephone = np.flatnonzero(chart.rows[:, 2] == TELEPHONE)
        top = outermost(chart.rows[telephone])
        likely = top | (chart.shares[telephone] >= self.options.least)
        chosen, maximal = telephone[likely], top[likely].tolist()
        others = self.readings(chart)
        nearby = {number: Nearby(readings) for number, readings in others.items()}
        found: list[list[NumberCandidate]] = [[] for _ in messages]
        owners = chart.messages[chosen].tolist()
        for owner, row, top_one, ways in zip(
            owners, rows_of(chart, chosen), maximal, self.ways(chart, chosen), strict=True
        ):
            if ways and len(ways[0][0].digits) >= self.options.fewest:
                rivals = nearby[owner].overlapping(*row[:2]) if owner in nearby else []
                found[owner].append(candidate_of(row, ways, rivals, maximal=top_one))
        return [
            Findings(related(row, words), others.get(number, []))
            for number, (row, words) in enumerate(zip(found, messages, strict=True))
        ]

    def readings(self, chart: Chart) -> dict[int, list[Reading]]:
        """What else words may be, by message."""
        likely = chart.shares >= self.options.readings
        rows = np.flatnonzero(likely & (chart.rows[:, 2] != TELEPHONE))
        found: dict[int, list[Reading]] = defaultdict(list)
        for owner, (begin, end), kind, share in zip(
            chart.messages[rows].tolist(),
            chart.spans[rows].tolist(),
            chart.rows[rows, 2].tolist(),
            chart.shares[rows].tolist(),
            strict=True,
        ):
            found[owner].append(Reading(begin, end, chart.names[kind], share))
        return found

    def ways(self, chart: Chart, rows: Array) -> Iterator[list[tuple[Resolved, float]]]:
        """What the words of each row may come to, with their shares, best first."""
        spans = [chart.symbols[begin:end] for begin, end, _ in chart.rows[rows].tolist()]
        if not spans:
            return
        labels = np.concatenate(spans)
        bounds = np.cumsum([0, *map(len, spans)])
        kernels = jit.tier(batch, len(labels))
        decoded = kernels.decode(
            self.model.machine, labels, bounds, self.options.n, BUDGET, False, walk.BLIND
        )
        block = Block(*decoded)
        texts, costs = self.texts(block), block.costs.tolist()
        for first, last in pairwise(block.firsts.tolist()):
            yield self.weighed(texts[first:last], costs[first:last])

    def texts(self, block: Block) -> list[str]:
        symbols = [self.written[label] for label in block.labels.tolist()]
        return ["".join(symbols[a:b]) for a, b in pairwise(block.offsets.tolist())]

    def weighed(self, texts: Sequence[str], costs: Sequence[float]) -> list[tuple[Resolved, float]]:
        """Outputs of the grammar with corrections settled, those that come to the same as one."""
        if len(texts) == 1 and REPAIR not in texts[0]:
            return [(resolved(texts[0]), 1.0)]
        shares: dict[Resolved, float] = defaultdict(float)
        for text, cost in zip(texts, costs, strict=True):
            found = resolved(text)
            if found.corrected:  # which the plan has not weighed
                cost += self.plan.cost(found.plain)
            shares[found] += math.exp(-cost - self.plan.cost(text))
        total = sum(shares.values())
        ways = [(found, share / total) for found, share in shares.items() if share > 0]
        return sorted(ways, key=lambda way: -way[1])


class Row(NamedTuple):
    """A row of the chart in plain numbers."""

    begin: int
    end: int
    posterior: float
    edges: float
    hesitant: bool


def rows_of(chart: Chart, rows: Array) -> Iterator[Row]:
    firsts, lasts = chart.rows[rows, 0], chart.rows[rows, 1]
    begins, ends = chart.spans[rows].T
    return map(
        Row,
        begins.tolist(),
        ends.tolist(),
        chart.shares[rows].tolist(),
        np.minimum(chart.bounds[firsts], chart.bounds[lasts]).tolist(),
        (chart.silent[lasts] > chart.silent[firsts]).tolist(),
    )


def candidate_of(
    row: Row, ways: Sequence[tuple[Resolved, float]], rivals: Sequence[Reading], *, maximal: bool
) -> NumberCandidate:
    best = ways[0][0]
    return NumberCandidate(
        row.begin,
        row.end,
        best.digits,
        extension=best.extension,
        posterior=row.posterior,
        edges=row.edges,
        alternatives=tuple(Alternative(way.digits, way.extension, share) for way, share in ways),
        readings=tuple(rivals),
        maximal=maximal,
        area=best.area,
        corrected=best.corrected,
        hesitant=row.hesitant,
    )
