"""The surface of all measures: two names, pairs of names, lists against lists, the best of a list.

A measure prepares a list of names once: its units are numbered and weighed, and so are the units of
these units. Blocks of a table and single pairs are then computed on arrays, on several threads.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from glyphone.data.parallel import jobs_of, map_in_order

Array = Any
# Cells of a table, and pairs, that are computed at a time.
BLOCK = 2_000_000
PAIRS = 50_000


class Measure(BaseEstimator):  # type: ignore[misc]
    """How alike names are, from 0 to 1: its base has the ways to ask, its heirs the answers."""

    def fit(self, names: Sequence[str], y: object = None) -> Self:
        """Learn what a measure learns from names: weights of words, contexts of trigrams."""
        return self

    def fit_rows(self, rows: Sequence[Sequence[str]]) -> Self:
        """Learn from the units of names, one row for each name."""
        return self.fit(sorted({unit for row in rows for unit in row}))

    @abstractmethod
    def prepare(self, names: Sequence[str]) -> Any:
        """The names in the form that `block` and `pairwise` take."""

    @abstractmethod
    def block(self, first: Any, chosen: Array, second: Any) -> Array:
        """The table of chosen names of the first list against all names of the second."""

    @abstractmethod
    def pairwise(self, first: Any, second: Any, pairs: Array) -> Array:
        """The measures of pairs of names, given by their places in two lists."""

    def similarity(self, first: str, second: str) -> float:
        return float(self.similarities([first], [second])[0])

    def similarities(
        self, firsts: Sequence[str], seconds: Sequence[str], *, workers: int = 1
    ) -> Array:
        """The measure of each name and the name at its place in the other list."""
        places = np.arange(len(firsts))
        return self.of_pairs(firsts, np.stack([places, places], 1), seconds, workers=workers)

    def of_pairs(
        self,
        names: Sequence[str],
        pairs: Array,
        others: Sequence[str] | None = None,
        *,
        workers: int = 1,
    ) -> Array:
        """The measures of pairs of places in a list, or in two lists."""
        first = self.prepare(names)
        second = first if others is None else self.prepare(others)
        parts = (pairs[begin : begin + PAIRS] for begin in range(0, len(pairs), PAIRS))
        works = map_in_order(
            lambda part: self.pairwise(first, second, part), parts, jobs=jobs_of(workers)
        )
        return np.concatenate([np.empty(0), *(found for _, found in works)])

    def cdist(
        self,
        firsts: Sequence[str],
        seconds: Sequence[str] | None = None,
        *,
        score_cutoff: float = 0.0,
        workers: int = 1,
    ) -> Array:
        """The table of two lists of names, or of one with itself, in single precision.

        What is below `score_cutoff` is 0; -1 workers are all cores.
        """
        found = np.zeros((len(firsts), len(firsts if seconds is None else seconds)), np.float32)
        for rows, part in self.blocks(firsts, seconds, workers=workers):
            part[part < score_cutoff] = 0.0
            found[rows] = part
        return found

    def blocks(
        self, firsts: Sequence[str], seconds: Sequence[str] | None = None, *, workers: int = 1
    ) -> Iterator[tuple[Array, Array]]:
        """Places of the first list, some at a time, and their rows of the table, in single
        precision."""
        first = self.prepare(firsts)
        second = first if seconds is None else self.prepare(seconds)
        size = max(1, BLOCK // max(1, len(firsts if seconds is None else seconds)))
        begins = range(0, len(firsts), size)
        chosen = (np.arange(begin, min(begin + size, len(firsts))) for begin in begins)
        return map_in_order(
            lambda rows: self.block(first, rows, second).astype(np.float32),
            chosen,
            jobs=jobs_of(workers),
        )

    def pairs(
        self,
        names: Sequence[str],
        n: int,
        *,
        candidates: Array | None = None,
        score_cutoff: float = 0.0,
        workers: int = 1,
    ) -> list[tuple[float, int, int]]:
        """The n pairs of a list that are most alike: measure and both places, best first.

        Of pairs that are alike as much as each other, those that stand first in the list come
        first. All pairs are compared, or those of `candidates`: pairs of places, such as
        `CandidateIndex.pairs_within` finds.
        """
        best = Best(n, score_cutoff)
        if candidates is not None:
            places = np.unique(np.sort(candidates, axis=1), axis=0)
            places = places[places[:, 0] < places[:, 1]]
            scores = self.of_pairs(names, places, workers=workers).astype(np.float32)
            best.add(scores.astype(float), *places.T)
            return best.rows()
        for rows, part in self.blocks(names, workers=workers):
            i, j = np.nonzero(np.arange(len(names)) > rows[:, None])
            best.add(part[i, j].astype(float), rows[i], j)
        return best.rows()


class Best:
    """The n best pairs of those that are added, and at least of a score."""

    def __init__(self, n: int, least: float):
        self.n, self.least = n, least
        self.kept = np.empty((0, 3))

    def add(self, scores: Array, i: Array, j: Array) -> None:
        enough = scores >= self.least
        rows = np.stack([scores, i, j], 1)[enough]
        if len(rows) > self.n:
            edge = np.partition(rows[:, 0], len(rows) - self.n)[len(rows) - self.n]
            rows = rows[rows[:, 0] >= edge]
        self.kept = np.concatenate([self.kept, rows])
        order = np.lexsort((self.kept[:, 2], self.kept[:, 1], -self.kept[:, 0]))
        self.kept = self.kept[order[: self.n]]

    def rows(self) -> list[tuple[float, int, int]]:
        return [(float(score), int(i), int(j)) for score, i, j in self.kept]
