"""Marks that a model gives against gold marks, item by item: precision, recall and F.

A mark is whatever is right or wrong as a whole: a phrase, a name, a number, a token's label. For
one task, each item has four counts:

    right    marks given that are right
    reached  gold marks that are found; another number than `right` only where one mark that is
             given may hold several gold marks, or several that are given the same one
    gold     marks in the gold standard
    given    marks that the model gives

    precision P = sum of right / sum of given     recall R = sum of reached / sum of gold
    F = 2PR / (P + R)

all of them 0 where nothing is right. Intervals are by the bootstrap over items, as in
`glyphone.evaluation.measures`.

>>> tally = Tally.of("name", [(1, 1, 1, 1), (0, 0, 1, 1), (0, 0, 1, 0)])
>>> print(tally)
name: precision 50.00 %, recall 33.33 %, F 40.00 %
>>> tally.intervals(seed=0)["f"]
(0.0, 1.0)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from glyphone.evaluation.measures import Floats, Integers, percentile_intervals, resampled_sums
from glyphone.io.tables import percentage

Counts = tuple[int, int, int, int]
Intervals = dict[str, tuple[float, float]]


def count_same(gold: AbstractSet[Hashable], given: AbstractSet[Hashable]) -> Counts:
    """The counts of an item whose marks are right where they equal a gold mark.

    >>> count_same({(0, 2), (4, 5)}, {(0, 2), (4, 6), (7, 8)})
    (1, 1, 2, 3)
    """
    right = len(gold & given)
    return right, right, len(gold), len(given)


def figures(sums: Floats | Integers) -> dict[str, Floats]:
    """Precision, recall and F, from the sums of one sample or of many."""
    right, reached, gold, given = np.moveaxis(np.asarray(sums, np.float64), -1, 0)
    precision, recall = right / np.maximum(given, 1), reached / np.maximum(gold, 1)
    # 2PR / (P + R), in whole numbers as long as possible.
    f = 2 * right * reached / np.maximum(right * gold + reached * given, 1)
    return {"precision": precision, "recall": recall, "f": f}


@dataclass(frozen=True, eq=False)
class Tally:
    """The counts of every item in one task, a row for each."""

    name: str
    counts: Integers

    @classmethod
    def of(cls, name: str, rows: Iterable[Sequence[int]]) -> Tally:
        return cls(name, np.array([*rows], np.int64).reshape(-1, 4))

    @classmethod
    def of_items(cls, name: str, right: Iterable[bool]) -> Tally:
        """The tally of items that are right or wrong as a whole.

        >>> Tally.of_items("sentences", [True, False]).precision
        0.5
        """
        return cls.of(name, [(one, one, 1, 1) for one in right])

    @cached_property
    def figures(self) -> dict[str, float]:
        """Precision, recall and F over all items."""
        return {name: float(value) for name, value in figures(self.counts.sum(axis=0)).items()}

    @property
    def precision(self) -> float:
        return self.figures["precision"]

    @property
    def recall(self) -> float:
        return self.figures["recall"]

    @property
    def f(self) -> float:
        return self.figures["f"]

    @property
    def gold(self) -> int:
        return int(self.counts[:, 2].sum())

    @property
    def given(self) -> int:
        return int(self.counts[:, 3].sum())

    def intervals(self, *, seed: int = 0) -> Intervals:
        """Percentile bootstrap intervals of the figures, 95 %, over items."""
        return tally_intervals([self], seed=seed)[0]

    def as_dict(self, intervals: Intervals) -> dict[str, Any]:
        """Figures, intervals and sums, fit for JSON."""
        right, reached = (int(total) for total in self.counts[:, :2].sum(axis=0))
        counts = {"right": right, "reached": reached, "gold": self.gold, "given": self.given}
        ends = {name: list(pair) for name, pair in intervals.items()}
        return {**self.figures, "intervals": ends, **counts}

    def __str__(self) -> str:
        return (
            f"{self.name}: precision {percentage(self.precision)}, recall "
            f"{percentage(self.recall)}, F {percentage(self.f)}"
        )


def tally_intervals(tallies: Sequence[Tally], *, seed: int = 0) -> list[Intervals]:
    """The intervals of each of some tallies of the same items, which are drawn once for all."""
    columns = np.hstack([tally.counts for tally in tallies]).astype(np.float64)
    sums = resampled_sums(columns, seed=seed)
    return [percentile_intervals(figures(sums[:, 4 * k : 4 * k + 4])) for k in range(len(tallies))]
