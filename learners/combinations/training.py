"""Training by grafting: the best weights of all products, few of which are ever made (Okanohara
and Tsujii 2009).

    rho1 |w|_1 - sum_i log p(y_i | x_i),    p(y | x) = exp(w . phi(x, y)) / Z(x)

A set of weights is fitted; then those outside it join whose slopes are above rho1, the steepest
first, for as long as there are any. At the end no weight outside could make the objective
smaller, and because it is convex it is at the minimum over all products. Features alone are
fitted first, which leaves fewer products that matter.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from glyphone.data import progress
from glyphone.data.kernels import jit
from glyphone.learners.combinations import descent_kernels, search_kernels
from glyphone.learners.combinations.arrays import (
    NONE,
    Columns,
    Numbering,
    Targets,
    WeightSpace,
    fit_for,
)
from glyphone.learners.combinations.examples import Examples
from glyphone.learners.combinations.products import feature_counts, product_matrix, products_of
from glyphone.learners.optimization.loop import LAST, STOPPED, stop_signals
from glyphone.learners.optimization.quasi_newton import CONVERGED
from glyphone.learners.optimization.weights import NO_WEIGHTS, Weights

Array = Any
FULL = "max_active"
# A fit of new weights alone ends where the objective falls by less than this share of it; that
# of few new ones among many old ones is finer, as each may bring others with it.
COARSE = 1e-3
# So many products may join at a time where there are fewer weights.
FEWEST = 100
# Passes over weights that are not 0 behind each pass over all; extrapolation looks at as many.
POINTS = 5


@dataclass(frozen=True)
class GraftingOptions:
    """Options of training: see the classifier for each."""

    degree: int = 2
    rho1: float = 1.0
    batch: int | None = None
    max_active: int | None = None
    max_iter: int = 10_000
    tol: float = 1e-4


class Search(NamedTuple):
    """Weights whose slopes are above rho1, with these slopes; how many times products occurred in
    rows, how many of those were added to sums, and of how many weights sums were kept."""

    steep: Weights
    seen: int = 0
    added: int = 0
    live: int = 0


@dataclass(frozen=True)
class Round:
    """The state after a search: `active` weights are not zero; `steep` ones, which are, have
    slopes above rho1."""

    objective: float
    active: int
    live: int
    steep: int
    iterations: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"iteration {self.iterations}: objective {self.objective:,.3f}, {self.active:,} "
            f"weights, {self.live:,} products looked at, {self.steep:,} to graft, "
            f"{self.seconds:.1f} s"
        )


class WorkingSet:
    """The weights of some `numbers`, the columns of their products, the fit to the rows, and the
    `objective`, penalty included."""

    def __init__(self, examples: Examples, numbering: Numbering, rho1: float) -> None:
        self.examples, self.numbering, self.rho1 = examples, numbering, rho1
        n = len(examples.labels)
        self.counts = feature_counts(examples.rows, examples.n_features)
        self.targets = Targets(examples.labels, examples.weights)
        self.fit = fit_for(examples.n_labels, n)
        self.numbers, self.weights = NO_WEIGHTS
        self.products, self.matrix = NO_WEIGHTS.numbers, sparse.csc_array((n, 0))
        self._take_columns(self.numbers)
        self.update()

    @property
    def n_active(self) -> int:
        return int(np.count_nonzero(self.weights))

    def active_weights(self) -> Weights:
        """The weights that are not zero."""
        there = self.weights != 0.0
        return Weights(self.numbers[there], self.weights[there])

    def join(self, new: Array) -> None:
        """Adds weights to the set, which those of 0 leave."""
        active = self.active_weights()
        numbers = np.union1d(active.numbers, new)
        weights = np.zeros(len(numbers))
        weights[np.searchsorted(numbers, active.numbers)] = active.values
        self._take_columns(numbers)
        self.numbers, self.weights = numbers, weights

    def improve(self, tol: float, fall: float, most: int) -> int:
        """Fits the weights; returns after how many passes, at most so many.

        That is done where no slope is farther than `tol` from where it is at the minimum, as a
        share of rho1, or where the objective has fallen by no more than this share of it.
        """
        passes = 0
        while passes < most:
            before, weights = self.objective, self.weights
            farthest = self._change_weights(active=False)
            points = [weights.copy()]
            for _ in range(min(POINTS, most - passes - 1)):
                self._change_weights(active=True)
                points.append(weights.copy())
            passes += len(points)
            self._extrapolate(points)
            if farthest <= tol * self.rho1 or before - self.objective <= fall * before:
                break
        return passes

    def residues(self) -> Array:
        """r (I(y = label) - p) of each row and scored label; r is the weight of the row."""
        found = np.empty((len(self.targets.labels), self.numbering.n_scored))
        self._kernels().write_residues(self.targets, self.fit, found)
        return found

    def update(self) -> None:
        """Brings the fit and the objective to the state of the weights."""
        self.objective = self._fit_objective(self.weights)

    def _extrapolate(self, points: list[Array]) -> None:
        """Goes on where the last points lead to, if that is better (Bertrand and Massias 2021)."""
        self.update()
        steps = np.diff(points, axis=0)
        products = steps @ steps.T
        slack = 1e-12 * np.trace(products)
        if not slack:
            return
        shares = np.linalg.solve(products + slack * np.eye(len(steps)), np.ones(len(steps)))
        ahead = shares / shares.sum() @ points[1:]
        objective = self._fit_objective(ahead)
        if objective < self.objective:
            self.weights, self.objective = ahead, objective
        else:
            self.update()

    def _fit_objective(self, weights: Array) -> float:
        """The objective of some weights, to which the fit is brought."""
        loss = self._kernels().write_fit(self.columns, self.space, weights, self.targets, self.fit)
        return float(loss + self.rho1 * np.abs(weights).sum())

    def _change_weights(self, *, active: bool) -> float:
        found: float = self._kernels().improve_weights(
            self.columns, self.space, self.weights, self.targets, self.fit, self.rho1, active
        )
        return found

    def _kernels(self) -> Any:
        return jit.tier(descent_kernels, self.fit.exponentials.size + len(self.columns.rows))

    def _take_columns(self, numbers: Array) -> None:
        """Makes the columns of products of weights that are new, and drops those of others."""
        of_weights, labels = self.numbering.parts(numbers)
        products, columns = np.unique(of_weights, return_inverse=True)
        old = np.isin(products, self.products)
        made = products_of(self.numbering.factors(products[~old]), self.counts)
        parts = [
            self.matrix[:, np.searchsorted(self.products, products[old])],
            product_matrix(self.examples.rows, made),
        ]
        order = np.argsort(np.append(products[old], products[~old]))
        self.products = products
        self.matrix = sparse.csc_array(sparse.hstack(parts, "csc")[:, order])
        self.columns = columns_of(self.matrix)
        self.space = WeightSpace(
            columns.astype(np.int32), labels.astype(np.int32), np.zeros(len(numbers))
        )
        self._kernels().write_observed(self.columns, self.space, self.targets)


class Grafting:
    """Training: the working set, and the search for weights that are missing in it."""

    def __init__(
        self, examples: Examples, options: GraftingOptions, report: Callable[[Round], None]
    ) -> None:
        rows, n = examples.rows, examples.n_features
        self.options, self.report = options, report
        self.numbering = Numbering(n, options.degree, examples.n_scored)
        self.numbering.check()
        self.set = WorkingSet(examples, self.numbering, options.rho1)
        self.greatest = np.where(self.set.counts > 0, 0.0, 1.0)
        np.maximum.at(self.greatest, rows.columns, rows.values)
        # Values as shares of the greatest ones of their columns.
        self.shares = rows._replace(values=rows.values / self.greatest[rows.columns])
        self.history: list[Round] = []
        self.iterations, self.began = 0, time.monotonic()

    @property
    def limit(self) -> float:
        """The slope from which on a weight joins."""
        return self.options.rho1 * (1 + self.options.tol)

    def run(self) -> str:
        """Trains to the end, and returns its reason; an interrupt keeps the weights there are."""
        try:
            with stop_signals(), progress.step("grafting products, rounds") as rounds:
                for degree in sorted({1, self.options.degree}):
                    ended = self._run_degree(degree, rounds)
                    if ended != CONVERGED:
                        break
                return ended
        except KeyboardInterrupt:
            self.set.update()
            return STOPPED

    def search(self, degree: int) -> Search:
        """The weights outside the set with slopes above rho1, of products of so many factors."""
        rows, alphas = self.shares, self.set.residues()
        kernels = jit.tier(search_kernels, len(rows.columns) * alphas.shape[1])
        above, below = np.zeros((2, len(self.greatest), alphas.shape[1]))
        kernels.add_bounds(rows, alphas, above, below)
        slopes = (above + below) * self.greatest[:, None]
        features, labels = np.nonzero(np.abs(slopes) > self.limit)
        alone = np.full((len(features), self.options.degree), NONE)
        alone[:, 0] = features
        numbers = self.numbering.weights(self.numbering.products(alone), labels)
        steep, counts = Weights(numbers, slopes[features, labels]), [0, 0, 0]
        if degree > 1:
            more, *counts = self._steep_products(kernels, alphas, above, below)
            steep = Weights(*map(np.append, steep, more))
        outside = np.isin(steep.numbers, self.set.numbers, assume_unique=True, invert=True)
        return Search(Weights(steep.numbers[outside], steep.values[outside]), *counts)

    def _steep_products(self, kernels: Any, alphas: Array, above: Array, below: Array) -> Search:
        """Weights of two factors or more; they may be in the set."""
        degree = self.options.degree
        top = float(self.greatest[:-1].max())
        signs = np.zeros(above.shape, np.uint8)
        kernels.write_signs(
            above, below, self.greatest, max(top, top ** (degree - 1)), self.limit, signs
        )
        order = np.argsort(-np.abs(alphas).sum(axis=1), kind="stable")
        keys, sums, seen, added = kernels.steep_products(
            self.shares, alphas, order, self.greatest, self.limit, degree,
            self.numbering.base, above, below, signs,
        )  # fmt: skip
        live = keys >= 0
        keys, sums = keys[live], sums[live]
        factors = self.numbering.factors(self.numbering.parts(keys)[0])
        slopes = sums * np.where(factors == NONE, 1.0, self.greatest[factors]).prod(axis=1)
        steep = np.abs(slopes) > self.limit
        return Search(Weights(keys[steep], slopes[steep]), seen, added, len(keys))

    def _run_degree(self, degree: int, rounds: progress.Step) -> str:
        """Fits and grafts until no weight is missing; the reason of the end."""
        options, last = self.options, degree == self.options.degree
        finished = not last
        while True:
            found = self.search(degree)
            self._note(found)
            rounds.advance()
            if len(found.steep.numbers):
                most = self._most_to_join(degree)
                if most <= 0:
                    self._fit(0.0)
                    return FULL
                new = self._choose(found.steep, most)
                self.set.join(new)
                self._fit(COARSE * len(new) / len(self.set.numbers))
                finished = not last
            elif finished:
                return CONVERGED
            else:
                self._fit(0.0)
                finished = True
            if self.iterations >= options.max_iter:
                return LAST

    def _fit(self, fall: float) -> None:
        most = self.options.max_iter - self.iterations
        self.iterations += self.set.improve(self.options.tol, fall, most)

    def _most_to_join(self, degree: int) -> int:
        """How many weights may join: features alone all at once."""
        n_active, limit = self.set.n_active, self.options.max_active
        every = len(self.greatest) * self.numbering.n_scored
        most = every if degree == 1 else self.options.batch or max(FEWEST, n_active)
        return most if limit is None else min(most, limit - n_active)

    def _choose(self, steep: Weights, most: int) -> Array:
        """The numbers of the steepest, those of fewer factors first; of products that are one in
        all rows, and so have equal slopes, only the first joins."""
        numbers, slopes = steep
        products, labels = self.numbering.parts(numbers)
        n_factors = (self.numbering.factors(products) != NONE).sum(axis=1)
        order = np.lexsort((numbers, n_factors, labels, slopes, -np.abs(slopes)))
        keys = np.column_stack([slopes, labels])[order]
        first = n_factors[order] == 1
        first[:1] = True
        first[1:] |= (keys[1:] != keys[:-1]).any(axis=1)
        return numbers[order[first][:most]]

    def _note(self, found: Search) -> None:
        """Adds a round to the history."""
        self.history.append(
            Round(
                self.set.objective,
                self.set.n_active,
                found.live,
                len(found.steep.numbers),
                self.iterations,
                time.monotonic() - self.began,
            )
        )
        self.report(self.history[-1])


def columns_of(matrix: Any) -> Columns:
    """The columns of a sparse matrix of columns."""
    starts, greatest = matrix.indptr.astype(np.int64), np.zeros(matrix.shape[1])
    np.maximum.at(greatest, np.repeat(np.arange(len(greatest)), np.diff(starts)), matrix.data)
    return Columns(
        starts, matrix.indices.astype(np.int32), matrix.data, np.where(greatest > 0, greatest, 1.0)
    )
