"""Candidates for telephone numbers in messages: the first of two phases, with high recall.

The grammar reads every span of words, as a telephone number by the plan and as other things. The
posterior of a span is its share of all segmentations of the message into readings and words left
over. Spans with a posterior above a threshold are candidates, and so are spans inside no other,
however unlikely; a classifier decides.

>>> finder = Finder(load_grammar())
>>> for one in finder("call me at five five five twelve twelve after ten thirty".split()):
...     print(one.display, one.span, max(one.readings, key=lambda reading: reading.posterior))
555-1212 (3, 8) OtherReading(begin=2, end=4, label='time', posterior=0.0...)
1030 (9, 11) OtherReading(begin=8, end=11, label='time', posterior=0.8...)
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels import jit
from glyphone.fst.interface.model import BUDGET
from glyphone.fst.lattices.block_kernels import Block
from glyphone.fst.transducers import decoding_kernels as transducer_decoding_kernels
from glyphone.fst.transducers.model import TransducerModel
from glyphone.grammars.eng.numbers.words import DIGIT_OF, TEENS, TENS
from glyphone.grammars.eng.phone_numbers import HOMOPHONES
from glyphone.voicemail.proposals.chart import (
    TELEPHONE,
    ReadingChart,
    chart_reader,
    outermost_mask,
)
from glyphone.voicemail.proposals.plans import REPAIR, NumberPlan, shipped_plan
from glyphone.voicemail.proposals.proposals import NumberProposals, nearby_parts
from glyphone.voicemail.proposals.relations import relate_candidates
from glyphone.voicemail.proposals.repairs import ResolvedDigits, resolve_repairs
from glyphone.voicemail.proposals.vocabulary import number_words
from glyphone.voicemail.records.candidates import (
    Alternative,
    NumberCandidate,
    OtherReading,
    make_candidate,
)

Array = Any

# The most digits that each word stands for, or adds to the words around.
MOST_DIGITS = {
    **dict.fromkeys([*DIGIT_OF, *HOMOPHONES], 1),
    **dict.fromkeys([*TEENS, *TENS, "hundred"], 2),
    **{"thousand": 3, "double": 1, "triple": 2},
}


@cache
def load_grammar() -> TransducerModel:
    """The rule DIGITS of the phone-number grammar, loaded once."""
    from glyphone.catalog import names as catalog_names

    model = catalog_names.load("eng.phone_numbers:DIGITS")
    assert isinstance(model, TransducerModel)
    return model


@dataclass(frozen=True, kw_only=True)
class ProposalOptions:
    """Candidates have `fewest` digits or more, and inside another one a posterior of `least`.

    `readings` is the least posterior of other readings that are kept; `n` is the number of digit
    strings that are decoded for each span.
    """

    fewest: int = 4
    least: float = 0.05
    readings: float = 0.05
    n: int = 8


class Finder:
    """Finds candidates in messages, given as words."""

    def __init__(
        self,
        model: TransducerModel,
        *,
        plan: NumberPlan | None = None,
        options: ProposalOptions = ProposalOptions(),
    ) -> None:
        self.model = model
        self.plan = plan or shipped_plan()
        self.options = options
        self.reader = chart_reader(model, self.plan)
        labels = self.reader.vocabulary.labels
        self.digits = np.full(len(labels) + 1, -1)
        self.longest = np.zeros(len(labels) + 1, np.int64)
        for word, digit in DIGIT_OF.items():
            self.digits[labels[word]] = int(digit)
        for word, size in MOST_DIGITS.items():
            self.longest[labels[word]] = size
        self.written = {label: symbol for symbol, label in model.target.symbols.items()}

    def __call__(self, words: Sequence[str]) -> list[NumberCandidate]:
        return self.find([words])[0]

    def find(self, messages: Sequence[Sequence[str]]) -> list[list[NumberCandidate]]:
        """The candidates of each message, sorted by begin and end."""
        return self.propose(messages).candidates

    def propose(self, messages: Sequence[Sequence[str]]) -> NumberProposals:
        """The candidates of each message, and other readings of its words by the grammar."""
        words = number_words(messages)
        chart = self.reader.read(words)
        telephone = np.flatnonzero(chart.rows[:, 2] == TELEPHONE)
        top = outermost_mask(chart.rows[telephone])
        likely = top | (chart.shares[telephone] >= self.options.least)
        chosen, maximal = telephone[likely], top[likely]
        others = np.flatnonzero(
            (chart.shares >= self.options.readings) & (chart.rows[:, 2] != TELEPHONE)
        )
        candidates: list[list[NumberCandidate]] = [[] for _ in messages]
        for owner, candidate in self.make_candidates(chart, chosen, maximal, others):
            candidates[owner].append(candidate)
        rows = np.column_stack([chart.spans[others], chart.rows[others, 2]])
        bounds = np.searchsorted(chart.messages[others], np.arange(len(messages) + 1))
        related = [*map(relate_candidates, candidates, messages)]
        return NumberProposals(words, chart.names, related, rows, chart.shares[others], bounds)

    def make_candidates(
        self, chart: ReadingChart, chosen: Array, maximal: Array, others: Array
    ) -> Iterator[tuple[int, NumberCandidate]]:
        """Candidates with enough digits among rows of the chart, each with its message."""
        enough = self.most_digits(chart, chosen) >= self.options.fewest
        chosen, maximal = chosen[enough], maximal[enough]
        plain = self.plain_mask(chart, chosen)
        labels, bounds = labels_of(chart, chosen[plain])
        digits = (self.digits[labels] + ord("0")).astype(np.uint8).tobytes().decode()
        texts = (digits[a:b] for a, b in pairwise(bounds.tolist()))
        several = self.decode_ways(chart, chosen[~plain])
        readings, stops = [*readings_of(chart, others)], chart.rows[others, 1].tolist()
        firsts, lasts = nearby_parts(chart.rows[others], chart.rows[chosen])
        for simple, owner, row, begin, first, last in zip(
            plain.tolist(),
            chart.messages[chosen].tolist(),
            chart_rows(chart, chosen, maximal),
            chart.rows[chosen, 0].tolist(),
            firsts.tolist(),
            lasts.tolist(),
            strict=True,
        ):
            ways = (
                [(ResolvedDigits(next(texts), "", False, False), 1.0)] if simple else next(several)
            )
            if ways and len(ways[0][0].digits) >= self.options.fewest:
                rivals = tuple(
                    OtherReading(*readings[place])
                    for place in range(first, last)
                    if stops[place] > begin
                )
                yield owner, candidate_of(row, ways, rivals)

    def most_digits(self, chart: ReadingChart, chosen: Array) -> Array:
        """The most digits that each span can have; most spans that are no numbers have too few."""
        before = np.append(0, np.cumsum(self.longest[chart.symbols]))
        counts: Array = before[chart.rows[chosen, 1]] - before[chart.rows[chosen, 0]]
        return counts

    def plain_mask(self, chart: ReadingChart, chosen: Array) -> Array:
        """A mask of the spans of single digits only, which have one reading as digits."""
        others = np.append(0, np.cumsum(self.digits[chart.symbols] < 0))
        mask: Array = others[chart.rows[chosen, 0]] == others[chart.rows[chosen, 1]]
        return mask

    def decode_ways(
        self, chart: ReadingChart, rows: Array
    ) -> Iterator[list[tuple[ResolvedDigits, float]]]:
        """The digits that the words of each row may mean, with their shares, best first."""
        if not len(rows):
            return
        labels, bounds = labels_of(chart, rows)
        kernels = jit.tier(transducer_decoding_kernels, len(labels))
        decoded = kernels.decode(self.model.machine, labels, bounds, self.options.n, BUDGET, None)
        block = Block(*decoded)
        texts, costs = self.output_texts(block), block.costs.tolist()
        for first, last in pairwise(block.firsts.tolist()):
            yield self.weigh_ways(texts[first:last], costs[first:last])

    def output_texts(self, block: Block) -> list[str]:
        symbols = [self.written[label] for label in block.labels.tolist()]
        return ["".join(symbols[a:b]) for a, b in pairwise(block.offsets.tolist())]

    def weigh_ways(
        self, texts: Sequence[str], costs: Sequence[float]
    ) -> list[tuple[ResolvedDigits, float]]:
        """Outputs of the grammar with repairs resolved, equal ones merged, with their shares."""
        if len(texts) == 1 and REPAIR not in texts[0]:
            return [(resolve_repairs(texts[0]), 1.0)]
        shares: dict[ResolvedDigits, float] = defaultdict(float)
        for text, cost in zip(texts, costs, strict=True):
            resolved = resolve_repairs(text)
            if resolved.corrected:  # the plan has not weighed the digits after repairs
                cost += self.plan.cost(resolved.plain)
            shares[resolved] += math.exp(-cost - self.plan.cost(text))
        total = sum(shares.values())
        ways = [(resolved, share / total) for resolved, share in shares.items() if share > 0]
        return sorted(ways, key=lambda way: -way[1])


class ChartRow(NamedTuple):
    """A row of the chart in plain numbers."""

    begin: int
    end: int
    posterior: float
    edges: float
    hesitant: bool
    maximal: bool


def chart_rows(chart: ReadingChart, rows: Array, maximal: Array) -> Iterator[ChartRow]:
    firsts, lasts = chart.rows[rows, 0], chart.rows[rows, 1]
    begins, ends = chart.spans[rows].T
    return map(
        ChartRow,
        begins.tolist(),
        ends.tolist(),
        chart.shares[rows].tolist(),
        np.minimum(chart.bounds[firsts], chart.bounds[lasts]).tolist(),
        (chart.silent[lasts] > chart.silent[firsts]).tolist(),
        maximal.tolist(),
    )


def readings_of(chart: ReadingChart, rows: Array) -> Iterator[tuple[int, int, str, float]]:
    """The fields of an `OtherReading` for each row."""
    begins, ends = chart.spans[rows].T
    labels = map(chart.names.__getitem__, chart.rows[rows, 2].tolist())
    return zip(begins.tolist(), ends.tolist(), labels, chart.shares[rows].tolist(), strict=True)


def labels_of(chart: ReadingChart, rows: Array) -> tuple[Array, Array]:
    """The labels of the tokens of all rows, end to end, and the bounds of each row."""
    firsts, sizes = chart.rows[rows, 0], chart.rows[rows, 1] - chart.rows[rows, 0]
    bounds = np.append(0, np.cumsum(sizes))
    places = np.arange(bounds[-1]) + np.repeat(firsts - bounds[:-1], sizes)
    return chart.symbols[places], bounds


def candidate_of(
    row: ChartRow, ways: Sequence[tuple[ResolvedDigits, float]], rivals: tuple[OtherReading, ...]
) -> NumberCandidate:
    best = ways[0][0]
    return make_candidate(
        begin=row.begin,
        end=row.end,
        digits=best.digits,
        extension=best.extension,
        posterior=row.posterior,
        edges=row.edges,
        alternatives=tuple(Alternative(way.digits, way.extension, share) for way, share in ways),
        readings=rivals,
        maximal=row.maximal,
        area=best.area,
        corrected=best.corrected,
        hesitant=row.hesitant,
    )
