"""Measures of names by their units: representation, alignment and score, each chosen by a word.

>>> cosine = NameMeasure(bag=True, weights="counts")
>>> cosine.similarity("Prime Minister Tony Blair", "Blair")
0.5
>>> names = ["State Department", "Department of State", "Departament of Health", "Ana Paz"]
>>> words = NameMeasure("trigrams", bag=True)
>>> ordered = NameMeasure(inner=words, alignment="extended").fit(names)
>>> [round(ordered.similarity(names[0], name), 2) for name in names]
[1.0, 0.82, 0.29, 0.0]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from glyphone.data.errors import UnknownName
from glyphone.data.kernels import jit
from glyphone.data.kernels.arrays import row_bounds
from glyphone.learners.matching import alignment_kernels
from glyphone.learners.matching.alignment_kernels import UnitRows, Way
from glyphone.learners.matching.comparing import Measure
from glyphone.learners.matching.units import UNITS, inverse_frequencies

Array = Any
ALIGNMENTS: Final = ("closest", "one-to-one", "ordered", "swapped", "extended")
SCORES: Final = ("cosine", "overlap", "mean")
WEIGHTS: Final = ("idf", "counts", "one")


class PreparedNames(NamedTuple):
    """Names as rows of numbered units, the units, and these as the measure of units takes them."""

    rows: UnitRows
    units: list[str]
    inner: Any


class NameMeasure(Measure):
    """A measure of names by their units, words or trigrams.

    representation   `units`; where they are a `bag`, a unit that is repeated stands once, with its
                     count. `weights` are idf, learnt by `fit`, counts, or one for each unit. A unit
                     that was never seen has the weight of one that was seen once.
    alignment        which units are partners: the closest of each (above `threshold`), the best one
                     to one, or the best that keep their order, but for swaps of neighbours, or for
                     swaps over one unit. Units are as alike as `inner` says, a measure of units;
                     without one, as they are equal.
    score            the sum of what partners are worth over both norms (cosine), over the units of
                     the shorter name (overlap), or over the units of the first (mean).

    Only `closest` with a cosine can exceed 1: two units may have one partner, as Soft-TFIDF is
    printed. A name without units is like no other.
    """

    def __init__(
        self,
        units: str = "words",
        *,
        bag: bool = False,
        weights: str = "idf",
        inner: Measure | None = None,
        alignment: str = "closest",
        threshold: float = 0.0,
        score: str = "cosine",
    ):
        self.units = units
        self.bag = bag
        self.weights = weights
        self.inner = inner
        self.alignment = alignment
        self.threshold = threshold
        self.score = score

    def fit(self, names: Sequence[str], y: object = None) -> Self:
        rows = self.rows_of(names)
        self.frequencies_ = inverse_frequencies(rows)
        self.rarest_ = float(np.log(max(1, len(rows))))
        self.inner_: Measure | None = self.inner
        if self.inner is not None:
            self.inner_ = clone(self.inner).fit_rows(rows)
        return self

    def rows_of(self, names: Sequence[str]) -> list[list[str]]:
        if self.units not in UNITS:
            raise UnknownName("kind of unit", self.units, UNITS)
        return [UNITS[self.units](name) for name in names]

    def way(self) -> Way:
        for kind, name, known in (
            ("alignment", self.alignment, ALIGNMENTS),
            ("score", self.score, SCORES),
            ("kind of weight", self.weights, WEIGHTS),
        ):
            if name not in known:
                raise UnknownName(kind, name, known)
        alignment, score = ALIGNMENTS.index(self.alignment), SCORES.index(self.score)
        return Way(alignment, score, float(self.threshold))

    def bounded(self, found: Array) -> Array:
        """Scores, of which rounding alone lets some pass 1 where units have one partner each."""
        if self.alignment == "closest" and self.inner is not None:
            return found
        return np.minimum(found, 1.0)

    def inner_measure(self) -> Measure | None:
        """The measure of units, which has learnt if it has to."""
        return self.inner_ if hasattr(self, "inner_") else self.inner

    def prepare(self, names: Sequence[str]) -> PreparedNames:
        if self.weights == "idf":
            check_is_fitted(self)
        rows = [Counter(row) if self.bag else row for row in self.rows_of(names)]
        numbers: dict[str, int] = {}
        units = [numbers.setdefault(unit, len(numbers)) for row in rows for unit in row]
        bounds = row_bounds(np.array([len(row) for row in rows], np.int64))
        known = [*numbers]
        weights = (
            np.array([self.weight_of(unit) for unit in known])[units] if units else np.empty(0)
        )
        if self.bag and self.weights != "one":
            weights *= [n for row in rows if isinstance(row, Counter) for n in row.values()]
        squares = np.concatenate([[0.0], np.cumsum(weights**2)])
        norms = np.sqrt(np.maximum(squares[bounds[1:]] - squares[bounds[:-1]], 0.0))
        inner = self.inner_measure()
        prepared = None if inner is None else inner.prepare(known)
        return PreparedNames(
            UnitRows(bounds, np.array(units, np.int64), weights, norms), known, prepared
        )

    def weight_of(self, unit: str) -> float:
        return self.frequencies_.get(unit, self.rarest_) if self.weights == "idf" else 1.0

    def block(self, first: PreparedNames, chosen: Array, second: PreparedNames) -> Array:
        rows, way = first.rows, self.way()
        lengths = rows.bounds[chosen + 1] - rows.bounds[chosen]
        bounds = row_bounds(lengths)
        places = np.repeat(rows.bounds[chosen] - bounds[:-1], lengths) + np.arange(bounds[-1])
        seen, units = np.unique(rows.units[places], return_inverse=True)
        part = UnitRows(bounds, units, rows.weights[places], rows.norms[chosen])
        table = self.table_of_units(first, seen, second)
        found = np.empty((len(chosen), len(second.rows.norms)))
        work = 8 * found.size
        jit.tier(alignment_kernels, work).score_block(part, second.rows, table, way, found)
        return self.bounded(found)

    def table_of_units(self, first: PreparedNames, chosen: Array, second: PreparedNames) -> Array:
        """How alike chosen units of the first names are to all units of the second; 1 if equal."""
        inner = self.inner_measure()
        if inner is None:
            table = np.zeros((len(chosen), len(second.units)), np.float32)
        else:
            table = inner.block(first.inner, chosen, second.inner).astype(np.float32)
        numbers = {unit: number for number, unit in enumerate(second.units)}
        equal = np.array([numbers.get(first.units[u], -1) for u in chosen], np.int64)
        rows = np.flatnonzero(equal >= 0)
        table[rows, equal[rows]] = 1.0
        return table

    def pairwise(self, first: PreparedNames, second: PreparedNames, pairs: Array) -> Array:
        kernels = jit.tier(alignment_kernels, 8 * len(pairs))
        width = max(1, len(second.units))
        asked = kernels.unit_pairs(first.rows, second.rows, pairs, width)
        codes, places = np.unique(asked, return_inverse=True)
        units = np.stack(np.divmod(codes, width), 1)
        values = self.likeness_of_units(first, second, units).astype(np.float32)
        rows, others = numbered_in_rows(first.rows), numbered_in_rows(second.rows)
        found = kernels.score_pairs(rows, others, pairs, values, places, self.way())
        return self.bounded(found)

    def likeness_of_units(self, first: PreparedNames, second: PreparedNames, pairs: Array) -> Array:
        inner = self.inner_measure()
        numbers = {unit: number for number, unit in enumerate(second.units)}
        equal = np.array([numbers.get(unit, -1) for unit in first.units], np.int64)
        if inner is None:
            values = np.zeros(len(pairs))
        else:
            values = np.array(inner.pairwise(first.inner, second.inner, pairs), float)
        values[equal[pairs[:, 0]] == pairs[:, 1]] = 1.0
        return values


def numbered_in_rows(rows: UnitRows) -> UnitRows:
    """Rows whose units are numbered from 0 on in each."""
    begins = np.repeat(rows.bounds[:-1], np.diff(rows.bounds))
    return rows._replace(units=np.arange(len(rows.units)) - begins)
