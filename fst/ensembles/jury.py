"""The judges of an ensemble, each asked in labels of its own.

A late judge, one that proposes nothing, scores contested outputs only: those within reach of the
best by the scores of all other models, if there are two or more. Decision trees take longer than
all other models together, and few outputs that are further behind would win by them. The reach is
fitted on held-out words, so that none is lost by it.

>>> totals, firsts = np.array([0.0, -1.0, -9.0, 0.0, -9.0]), np.array([0, 3, 5])
>>> contested_outputs(totals, firsts, DEFAULT_REACH).tolist()
[True, True, False, False, False]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from glyphone.data.kernels.arrays import row_bounds
from glyphone.fst.ensembles.judges import Judge, Proposer
from glyphone.fst.ensembles.reranking.model import best_candidates, weighted_sums
from glyphone.fst.ensembles.reranking.training_kernels import CandidateLists
from glyphone.fst.interface.codec import Side
from glyphone.fst.lattices.block_order import places_of_rows

# In nats behind the best by other models, where nothing else was fitted; and all that are tried.
DEFAULT_REACH = 2.0
REACHES = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)

Array = Any
# Firsts, offsets, labels: string i has outputs firsts[i] to firsts[i + 1]; output k has the labels
# labels[offsets[k]:offsets[k + 1]].
Proposals = tuple[Array, Array, Array]


class HasSides(Protocol):
    """A model that reads and writes symbols."""

    @property
    def source(self) -> Side: ...

    @property
    def target(self) -> Side: ...


class LabelMaps(NamedTuple):
    """A model's labels by those of the ensemble: of letters, of phones; and back from phones."""

    letters: Array
    phones: Array
    back: Array


def label_maps_of(source: Side, target: Side, model: HasSides) -> LabelMaps:
    """The maps of labels between an ensemble, which has the sides, and one of its models."""
    return LabelMaps(
        label_map(source, model.source),
        label_map(target, model.target),
        label_map(model.target, target),
    )


@dataclass(frozen=True, eq=False)
class Jury:
    """The judges, and the sides of the ensemble."""

    judges: tuple[Judge, ...]
    source: Side
    target: Side

    @cached_property
    def label_maps(self) -> list[LabelMaps]:
        return [label_maps_of(self.source, self.target, judge) for judge in self.judges]

    @cached_property
    def late(self) -> list[int]:
        """The numbers of late judges, which propose nothing."""
        return [n for n, judge in enumerate(self.judges) if not isinstance(judge, Proposer)]

    @cached_property
    def proposers(self) -> list[int]:
        """The numbers of the judges that propose outputs."""
        return [n for n, judge in enumerate(self.judges) if isinstance(judge, Proposer)]

    def propose(
        self, number: int, labels: Array, bounds: Array, least: int, most: int, *, margin: float
    ) -> Proposals:
        """Proposals of a judge, in labels of the ensemble."""
        judge, (letters, _, back) = self.judges[number], self.label_maps[number]
        assert isinstance(judge, Proposer)
        firsts, offsets, outputs = judge.propose(letters[labels], bounds, least, most, margin)
        return firsts, offsets, back[outputs]

    def score_outputs(
        self,
        number: int,
        rows: Array,
        labels: Array,
        bounds: Array,
        firsts: Array,
        offsets: Array,
        outputs: Array,
    ) -> Array:
        """ln P by a judge of the outputs that are True in `rows`.

        Other outputs have the score of the worst of their list; lists without any have 0.
        """
        letters, phones, _ = self.label_maps[number]
        sizes = np.diff(firsts)
        counts = np.bincount(np.repeat(np.arange(len(sizes)), sizes)[rows], minlength=len(sizes))
        items = np.flatnonzero(counts)
        if not len(items):
            return np.zeros(len(offsets) - 1)
        places, own_bounds = places_of_rows(bounds, items)
        written, own_offsets = places_of_rows(offsets, np.flatnonzero(rows))
        own_firsts = row_bounds(counts[items])
        strings, own = letters[labels[places]], phones[outputs[written]]
        scores = self.judges[number].score_outputs(
            strings, own_bounds, own_firsts, own_offsets, own
        )
        return fill_with_worst(scores, rows, firsts)


def fill_with_worst(scores: Array, rows: Array, firsts: Array) -> Array:
    """Scores of the True rows; other rows have the worst score of their list, or 0 without any.

    >>> rows = np.array([True, True, False, False])
    >>> fill_with_worst(np.array([-1.0, -2.0]), rows, np.array([0, 3, 4])).tolist()
    [-1.0, -2.0, -2.0, 0.0]
    """
    lists = np.repeat(np.arange(len(firsts) - 1), np.diff(firsts))
    worst = np.full(len(firsts) - 1, np.inf)
    np.minimum.at(worst, lists[rows], scores)
    found: Array = np.where(np.isposinf(worst), 0.0, worst)[lists]
    found[rows] = scores
    return found


def totals_within_reach(
    totals: Array, lists: CandidateLists, shares: Array, columns: Sequence[int], reach: float
) -> Array:
    """The totals of a reranker where late judges, those of some columns, have this reach."""
    late, firsts = [*columns], lists.firsts
    others = totals - weighted_sums(lists.scores[:, late], shares[late])
    rows = contested_outputs(others, firsts, reach)
    for column in late:
        others += shares[column] * fill_with_worst(lists.scores[rows, column], rows, firsts)
    return others


def fit_reach(
    totals: Array, lists: CandidateLists, right: Array, shares: Array, columns: Sequence[int]
) -> float:
    """The least reach of late judges, those of some columns, at which no fewer words are right.

    The totals are those of a reranker that has not seen the lists.
    """
    if not columns:
        return DEFAULT_REACH

    def n_right(reach: float) -> int:
        reached = totals_within_reach(totals, lists, shares, columns, reach)
        bests = best_candidates(reached, lists.firsts)
        return int(np.count_nonzero(right[bests]))

    wanted = n_right(math.inf)
    return next((reach for reach in REACHES if n_right(reach) >= wanted), math.inf)


def contested_outputs(totals: Array, firsts: Array, reach: float) -> Array:
    """Whether each output is within reach of the best of its list, and has a rival there."""
    if not len(totals):
        return np.zeros(0, np.bool_)
    sizes = np.diff(firsts)
    full, lengths = firsts[:-1][sizes > 0], sizes[sizes > 0]
    near = totals >= np.repeat(np.maximum.reduceat(totals, full), lengths) - reach
    return near & np.repeat(np.add.reduceat(near.astype(np.int64), full) > 1, lengths)


def label_map(from_: Side, to: Side) -> Array:
    """Labels of one side by those of another; 0 for symbols that it does not have."""
    found = np.zeros(len(from_.symbols) + 1, np.int32)
    for symbol, label in from_.symbols.items():
        found[label] = to.symbols.get(symbol, 0)
    return found
