"""The judges of an ensemble, each asked in labels of its own.

A judge that proposes nothing is asked last, and, where it is known what the others count, only of
the outputs that are still open: those within reach of the best by what all others say. Trees take
longer than all the rest, and few outputs that are further behind would win by them. The reach is
fitted on held-out words, so that none is lost by it.

>>> totals, firsts = np.array([0.0, -1.0, -9.0, 0.0, -9.0]), np.array([0, 3, 5])
>>> still_open(totals, firsts, OPEN).tolist()  # what has no rival left is decided
[True, True, False, False, False]
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from glyphone.fst.ensembles.judges import Judge, Proposer
from glyphone.fst.ensembles.reranking.model import bests_of, cut, shared
from glyphone.fst.ensembles.reranking.training_kernels import Lists
from glyphone.fst.interface.codec import Side

# In nats behind the best by the others, where nothing else was fitted; and what is tried.
OPEN = 2.0
REACHES = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)

Array = Any


@dataclass(frozen=True, eq=False)
class Jury:
    """The judges, and the sides of the ensemble."""

    judges: tuple[Judge, ...]
    source: Side
    target: Side

    @cached_property
    def maps(self) -> list[tuple[Array, Array, Array]]:
        """For each judge: its labels of the ensemble's letters and of its phones, and back."""
        return [
            (
                relabelled(self.source, judge.source),
                relabelled(self.target, judge.target),
                relabelled(judge.target, self.target),
            )
            for judge in self.judges
        ]

    @cached_property
    def last(self) -> list[int]:
        """The numbers of those that are asked last."""
        return [n for n, judge in enumerate(self.judges) if not isinstance(judge, Proposer)]

    def proposed(
        self, labels: Array, bounds: Array, least: int, most: int, margin: float
    ) -> Iterator[tuple[Array, Array, Array]]:
        """What judges propose: firsts, offsets, outputs."""
        for judge, (letters, _, back) in zip(self.judges, self.maps, strict=True):
            if isinstance(judge, Proposer):
                found = judge.proposed(letters[labels], bounds, least, most, margin)
                yield found[0], found[1], back[found[2]]

    def judged(
        self,
        number: int,
        rows: Array,
        labels: Array,
        bounds: Array,
        firsts: Array,
        offsets: Array,
        outputs: Array,
    ) -> Array:
        """What a judge says of some outputs, told by a mask.

        Of their rivals it is taken to think as ill as of the worst of them; lists of which it is
        asked nothing have 0.
        """
        letters, phones, _ = self.maps[number]
        sizes = np.diff(firsts)
        counts = np.bincount(np.repeat(np.arange(len(sizes)), sizes)[rows], minlength=len(sizes))
        items = np.flatnonzero(counts)
        if not len(items):
            return np.zeros(len(offsets) - 1)
        places, own_bounds = cut(bounds, items)
        written, own_offsets = cut(offsets, np.flatnonzero(rows))
        own_firsts = np.concatenate([[0], np.cumsum(counts[items])])
        strings, own = letters[labels[places]], phones[outputs[written]]
        said = self.judges[number].judged(strings, own_bounds, own_firsts, own_offsets, own)
        return spread(said, rows, firsts)


def spread(said: Array, rows: Array, firsts: Array) -> Array:
    """What was said of some rows; of the others of a list the worst of that, or 0 of all of it.

    >>> rows = np.array([True, True, False, False])
    >>> spread(np.array([-1.0, -2.0]), rows, np.array([0, 3, 4])).tolist()
    [-1.0, -2.0, -2.0, 0.0]
    """
    lists = np.repeat(np.arange(len(firsts) - 1), np.diff(firsts))
    worst = np.full(len(firsts) - 1, np.inf)
    np.minimum.at(worst, lists[rows], said)
    found: Array = np.where(np.isposinf(worst), 0.0, worst)[lists]
    found[rows] = said
    return found


def heard(
    totals: Array, lists: Lists, shares: Array, columns: Sequence[int], reach: float
) -> Array:
    """The totals of a reranker, if the judges of some columns are asked of open ones only."""
    last, firsts = [*columns], lists.firsts
    others = totals - shared(lists.scores[:, last], shares[last])
    rows = still_open(others, firsts, reach)
    for column in last:
        others += shares[column] * spread(lists.scores[rows, column], rows, firsts)
    return others


def fit_reach(
    totals: Array, lists: Lists, right: Array, shares: Array, columns: Sequence[int]
) -> float:
    """The least reach at which no fewer words are right.

    The totals are those of a reranker that has not seen the lists, the `columns` those of the
    judges that are asked last.
    """
    if not columns:
        return OPEN

    def n_right(reach: float) -> int:
        bests = bests_of(heard(totals, lists, shares, columns, reach), lists.firsts)
        return int(np.count_nonzero(right[bests]))

    wanted = n_right(math.inf)
    return next((reach for reach in REACHES if n_right(reach) >= wanted), math.inf)


def still_open(totals: Array, firsts: Array, reach: float) -> Array:
    """Which of the outputs are within reach of the best of their list, and have a rival there."""
    if not len(totals):
        return np.zeros(0, np.bool_)
    sizes = np.diff(firsts)
    full, lengths = firsts[:-1][sizes > 0], sizes[sizes > 0]
    near = totals >= np.repeat(np.maximum.reduceat(totals, full), lengths) - reach
    return near & np.repeat(np.add.reduceat(near.astype(np.int64), full) > 1, lengths)


def relabelled(from_: Side, to: Side) -> Array:
    """Labels of one side by those of another; 0 for symbols that it does not have."""
    found = np.zeros(len(from_.symbols) + 1, np.int32)
    for symbol, label in from_.symbols.items():
        found[label] = to.symbols.get(symbol, 0)
    return found
