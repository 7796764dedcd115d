"""Ranked pairs of names against gold: precision, recall and F of the n best, for every n.

Pairs are labelled yes, no or don't know. All pairs of a list cannot be labelled, so an unlabelled
pair counts as no, and a pair that nobody could decide leaves the evaluation (Moreau, Yvon and
Cappé 2008). Of the n pairs with the highest scores,

    precision P = right pairs among them / n     recall R = right pairs among them / all right pairs
    F_b = (1 + b^2) PR / (b^2 P + R)             mean precision = sum over right pairs of P / all

where P in the sum is the precision at the place of the right pair. Pairs of one score have no
order: n is only ever the end of such a group, so that no measure gains by the order in which ties
happen to stand. Scores that differ by rounding alone are one.

>>> curve = PairCurve.of([0.9, 0.8, 0.8, 0.1], [YES, YES, NO, YES])
>>> curve.counts.tolist(), curve.right.tolist()
([1, 3, 4], [1, 2, 3])
>>> print(curve.best())
F1 85.71 %, precision 75.00 %, recall 100.00 %, 4 pairs from a score of 0.1
>>> round(curve.mean_precision, 4)
0.8056

Right pairs that are not ranked at all, for nobody has proposed them, are missed: `positives` counts
all.

>>> PairCurve.of([0.9], [YES], positives=2).best().recall
0.5
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glyphone.data.errors import GlyphoneError
from glyphone.evaluation.measures import Floats, Integers
from glyphone.io.tables import percentage

YES, NO, UNKNOWN = 1, 0, -1
# One sum in two orders is no two scores.
ROUNDING = 1e-12
PairOfNames = tuple[int, int]


@dataclass(frozen=True)
class Point:
    """The figures of a curve at one n."""

    pairs: int
    score: float
    precision: float
    recall: float
    f: float
    beta: float = 1.0

    def __str__(self) -> str:
        return (
            f"F{self.beta:g} {percentage(self.f)}, precision {percentage(self.precision)}, recall "
            f"{percentage(self.recall)}, {self.pairs} pairs from a score of {self.score:.4g}"
        )


@dataclass(frozen=True, eq=False)
class PairCurve:
    """The ends of groups of equal scores, the highest first.

    `counts` are the pairs up to there, `right` those of them that are right.
    """

    scores: Floats
    counts: Integers
    right: Integers
    positives: int

    @classmethod
    def of(cls, scores: ArrayLike, labels: ArrayLike, *, positives: int | None = None) -> PairCurve:
        """The curve of scores and labels (YES, NO, UNKNOWN) of the same pairs."""
        values, gold = np.asarray(scores, np.float64), np.asarray(labels, np.int64)
        if values.shape != gold.shape or values.ndim != 1:
            raise GlyphoneError(f"{values.shape} scores stand beside {gold.shape} labels")
        if np.isnan(values).any():
            place = int(np.flatnonzero(np.isnan(values))[0])
            raise GlyphoneError(f"the score of pair {place} is not a number")
        decided = gold != UNKNOWN
        values, gold = values[decided], gold[decided]
        order = np.argsort(-values, kind="stable")
        values, gold = values[order], gold[order]
        apart = ~np.isclose(values[1:], values[:-1], rtol=ROUNDING, atol=ROUNDING)
        ends = np.flatnonzero(np.append(apart, True)[: len(values)])
        found = int((gold == YES).sum())
        everything = found if positives is None else positives
        if everything < found:
            raise GlyphoneError(f"{found} pairs are right, more than all {everything}")
        return cls(values[ends], ends + 1, np.cumsum(gold == YES)[ends], everything)

    @property
    def precision(self) -> Floats:
        return self.right / np.maximum(self.counts, 1)

    @property
    def recall(self) -> Floats:
        return self.right / max(self.positives, 1)

    def f(self, beta: float = 1.0) -> Floats:
        """F at every end of a group; 0 where nothing is right."""
        # (1 + b^2) right / (n + b^2 positives), in whole numbers as long as possible.
        weight = beta * beta
        whole: Floats = (1 + weight) * self.right / (self.counts + weight * self.positives)
        return whole

    def best(self, beta: float = 1.0) -> Point:
        """The point of the highest F, and of equal ones that of the fewest pairs."""
        if not len(self.counts):
            return Point(0, np.inf, 0.0, 0.0, 0.0, beta)
        values = self.f(beta)
        at = int(values.argmax())
        return self._point(at, float(values[at]), beta)

    def at(self, score: float, beta: float = 1.0) -> Point:
        """The point of all pairs with at least this score."""
        place = int(np.searchsorted(-self.scores, -score, side="right")) - 1
        if place < 0:
            return Point(0, score, 0.0, 0.0, 0.0, beta)
        return self._point(place, float(self.f(beta)[place]), beta)

    def _point(self, at: int, f: float, beta: float) -> Point:
        figures = (float(self.precision[at]), float(self.recall[at]))
        return Point(int(self.counts[at]), float(self.scores[at]), *figures, f, beta)

    @cached_property
    def mean_precision(self) -> float:
        """The mean over right pairs of the precision at the end of the group of each."""
        gains = np.diff(self.right, prepend=0)
        return float((gains * self.precision).sum() / max(self.positives, 1))

    def as_dict(self) -> dict[str, Any]:
        """Figures, fit for JSON."""
        best = {f"f{beta:g}": vars(self.best(beta)) for beta in (1.0, 0.5, 2.0)}
        return {"positives": self.positives, "mean_precision": self.mean_precision, **best}


def label_pairs(
    pairs: Iterable[PairOfNames],
    right: Collection[PairOfNames],
    unknown: Collection[PairOfNames] = (),
) -> NDArray[np.int64]:
    """The labels of pairs of names, of which the order does not matter.

    >>> label_pairs([(0, 1), (2, 0), (1, 2)], {(0, 2)}, {(1, 0)}).tolist()
    [-1, 1, 0]
    """
    yes, undecided = ({(min(pair), max(pair)) for pair in given} for given in (right, unknown))
    if both := yes & undecided:
        raise GlyphoneError(f"the pair {min(both)} is both right and unknown")
    labels = [
        UNKNOWN if pair in undecided else YES if pair in yes else NO
        for pair in ((min(one), max(one)) for one in pairs)
    ]
    return np.array(labels, np.int64)


def all_pairs(names: int) -> list[PairOfNames]:
    """The pairs of so many names, each once."""
    return [(one, other) for one in range(names) for other in range(one + 1, names)]


def mean_of_curves(curves: Sequence[PairCurve]) -> tuple[float, float]:
    """The means of the best F and of the mean precision over several tasks."""
    f = float(np.mean([curve.best().f for curve in curves]))
    return f, float(np.mean([curve.mean_precision for curve in curves]))
