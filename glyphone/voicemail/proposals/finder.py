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

from glyphone.data.kernels import jit
from glyphone.fst.interface.model import BUDGET
from glyphone.fst.lattices.block_kernels import Block
from glyphone.fst.transducers import decoding_kernels as transducer_decoding_kernels
from glyphone.fst.transducers.model import TransducerModel
from glyphone.grammars.eng._number_words import DIGIT_OF, TEENS, TENS
from glyphone.grammars.eng.phone_numbers import HOMOPHONES
from glyphone.voicemail.proposals.chart import TELEPHONE, Chart, Reader, outermost
from glyphone.voicemail.proposals.plans import REPAIR, Plan
from glyphone.voicemail.proposals.proposals import Proposals, near
from glyphone.voicemail.proposals.relations import related
from glyphone.voicemail.proposals.repairs import Resolved, resolved
from glyphone.voicemail.proposals.vocabulary import numbered
from glyphone.voicemail.records.candidates import Alternative, NumberCandidate, Reading, made

Array = Any

# The most digits that each word stands for, or adds to those of the words around.
MOST_DIGITS = {
    **dict.fromkeys([*DIGIT_OF, *HOMOPHONES], 1),
    **dict.fromkeys([*TEENS, *TENS, "hundred"], 2),
    **{"thousand": 3, "double": 1, "triple": 2},
}


def model() -> TransducerModel:
    """The rule DIGITS of the phone-number grammar."""
    from glyphone.catalog import names as catalog_names

    found = catalog_names.load("eng.phone_numbers:DIGITS")
    assert isinstance(found, TransducerModel)
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
        self, model: TransducerModel, *, plan: Plan | None = None, options: Options = Options()
    ) -> None:
        self.model = model
        self.plan = plan or Plan.read()
        self.options = options
        self.reader = Reader(model, self.plan)
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
        """The candidates of each message, by where they begin and end."""
        return self.proposals(messages).candidates

    def proposals(self, messages: Sequence[Sequence[str]]) -> Proposals:
        """The candidates of each message, and what else the grammar takes its words for."""
        words = numbered(messages)
        chart = self.reader.read(words)
        telephone = np.flatnonzero(chart.rows[:, 2] == TELEPHONE)
        top = outermost(chart.rows[telephone])
        likely = top | (chart.shares[telephone] >= self.options.least)
        chosen, maximal = telephone[likely], top[likely]
        others = np.flatnonzero(
            (chart.shares >= self.options.readings) & (chart.rows[:, 2] != TELEPHONE)
        )
        found: list[list[NumberCandidate]] = [[] for _ in messages]
        for owner, one in self.candidates(chart, chosen, maximal, others):
            found[owner].append(one)
        rows = np.column_stack([chart.spans[others], chart.rows[others, 2]])
        bounds = np.searchsorted(chart.messages[others], np.arange(len(messages) + 1))
        together = [*map(related, found, messages)]
        return Proposals(words, chart.names, together, rows, chart.shares[others], bounds)

    def candidates(
        self, chart: Chart, chosen: Array, maximal: Array, others: Array
    ) -> Iterator[tuple[int, NumberCandidate]]:
        """Those of rows that are telephone numbers of enough digits, and the message of each."""
        enough = self.most(chart, chosen) >= self.options.fewest
        chosen, maximal = chosen[enough], maximal[enough]
        plain = self.plain(chart, chosen)
        labels, bounds = labels_of(chart, chosen[plain])
        digits = (self.digits[labels] + ord("0")).astype(np.uint8).tobytes().decode()
        texts = (digits[a:b] for a, b in pairwise(bounds.tolist()))
        several = self.ways(chart, chosen[~plain])
        told, stops = [*readings_of(chart, others)], chart.rows[others, 1].tolist()
        firsts, lasts = near(chart.rows[others], chart.rows[chosen])
        for simple, owner, row, begin, first, last in zip(
            plain.tolist(),
            chart.messages[chosen].tolist(),
            rows_of(chart, chosen, maximal),
            chart.rows[chosen, 0].tolist(),
            firsts.tolist(),
            lasts.tolist(),
            strict=True,
        ):
            ways = [(Resolved(next(texts), "", False, False), 1.0)] if simple else next(several)
            if ways and len(ways[0][0].digits) >= self.options.fewest:
                rivals = tuple(
                    Reading(*told[place]) for place in range(first, last) if stops[place] > begin
                )
                yield owner, candidate_of(row, ways, rivals)

    def most(self, chart: Chart, chosen: Array) -> Array:
        """How many digits spans can have at most: of nearly all that are no numbers, too few."""
        before = np.append(0, np.cumsum(self.longest[chart.symbols]))
        found: Array = before[chart.rows[chosen, 1]] - before[chart.rows[chosen, 0]]
        return found

    def plain(self, chart: Chart, chosen: Array) -> Array:
        """Which spans have nothing but single digits, which can be read in one way only."""
        others = np.append(0, np.cumsum(self.digits[chart.symbols] < 0))
        found: Array = others[chart.rows[chosen, 0]] == others[chart.rows[chosen, 1]]
        return found

    def ways(self, chart: Chart, rows: Array) -> Iterator[list[tuple[Resolved, float]]]:
        """What the words of each row may come to, with their shares, best first."""
        if not len(rows):
            return
        labels, bounds = labels_of(chart, rows)
        kernels = jit.tier(transducer_decoding_kernels, len(labels))
        decoded = kernels.decode(self.model.machine, labels, bounds, self.options.n, BUDGET)
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
    maximal: bool


def rows_of(chart: Chart, rows: Array, maximal: Array) -> Iterator[Row]:
    firsts, lasts = chart.rows[rows, 0], chart.rows[rows, 1]
    begins, ends = chart.spans[rows].T
    return map(
        Row,
        begins.tolist(),
        ends.tolist(),
        chart.shares[rows].tolist(),
        np.minimum(chart.bounds[firsts], chart.bounds[lasts]).tolist(),
        (chart.silent[lasts] > chart.silent[firsts]).tolist(),
        maximal.tolist(),
    )


def readings_of(chart: Chart, rows: Array) -> Iterator[tuple[int, int, str, float]]:
    """What a reading is made of, for each row."""
    begins, ends = chart.spans[rows].T
    labels = map(chart.names.__getitem__, chart.rows[rows, 2].tolist())
    return zip(begins.tolist(), ends.tolist(), labels, chart.shares[rows].tolist(), strict=True)


def labels_of(chart: Chart, rows: Array) -> tuple[Array, Array]:
    """The labels of the tokens of each row, one behind the other, and where those of each begin."""
    firsts, sizes = chart.rows[rows, 0], chart.rows[rows, 1] - chart.rows[rows, 0]
    bounds = np.append(0, np.cumsum(sizes))
    places = np.arange(bounds[-1]) + np.repeat(firsts - bounds[:-1], sizes)
    return chart.symbols[places], bounds


def candidate_of(
    row: Row, ways: Sequence[tuple[Resolved, float]], rivals: tuple[Reading, ...]
) -> NumberCandidate:
    best = ways[0][0]
    return made(
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
