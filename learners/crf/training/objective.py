"""The objective of training: -ln P of the right labels, and penalties on the weights.

    l(theta) + rho1 |theta|_1 + rho2 / 2 |theta|_2^2,    l = -sum over sequences of log P(labels)

It is a sum over sequences, not a mean: penalties do not depend on the size of the data.

>>> from glyphone.data.records import Sequence
>>> from glyphone.learners.crf.features.numbering import Tests
>>> from glyphone.learners.sequences.observations import observe_tests
>>> from glyphone.learners.crf.features.weights import weights_of
>>> tests, data = Tests.learn(observe_tests([Sequence(("a", "b"))], "*:%x[0,0]"), np.array([0, 1]))
>>> problem = Problem.of(data, weights_of(data, 2, (2, 1), "all"), rho1=0.5, rho2=0.0)
>>> round(problem.objective(NO_WEIGHTS) / float(np.log(2)), 6)
2.0
>>> slope = np.zeros(problem.size)
>>> round(problem.smooth_objective(problem.space)(np.zeros(problem.size), slope), 4), slope.tolist()
(1.3863, [-0.5, 0.5, 0.5, -0.5, 0.25, -0.75, 0.25, 0.25])
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.learners.crf.features.layout import arrange_data, widen_space
from glyphone.learners.crf.features.weights import places_of, restrict_space, size_of
from glyphone.learners.crf.kernels import choice_gradient, gradient_rows
from glyphone.learners.crf.kernels.arrays import Data, Room, Space, room_of
from glyphone.learners.crf.kernels.choose import training
from glyphone.learners.optimization.parts import RoomPool, sequence_parts
from glyphone.learners.optimization.quasi_newton import Function, dot_product
from glyphone.learners.optimization.weights import NO_WEIGHTS, Weights

Array = Any
# Weights whose slopes are in memory together.
SLAB = 2**24


@dataclass(frozen=True, eq=False)
class Problem:
    """Sequences with labels, the weights there are, and the penalties; `jobs` are threads."""

    data: Data
    space: Space
    places: Array
    rho1: float
    rho2: float
    jobs: int

    @classmethod
    def of(
        cls, data: Data, space: Space, *, rho1: float, rho2: float, jobs: int = 1
    ) -> Problem:  # fmt: skip
        return cls(data, space, places_of(space), rho1, rho2, jobs)

    @property
    def size(self) -> int:
        """The number of weights."""
        return size_of(self.space)

    @property
    def work(self) -> int:
        """The number of cells that one pass through all sequences computes."""
        return len(self.data.labels) * (
            len(self.data.choices) or len(self.space.befores) + self.space.n_labels
        )

    @cached_property
    def rooms(self) -> RoomPool[Room]:
        """Arrays to compute in, one set for each thread."""
        return RoomPool(lambda: room_of(self.space, self.data), self.jobs)

    def smooth_objective(self, space: Space) -> Function:
        """The objective without rho1 as a function of the weights of a part of the space."""
        counts = np.zeros(size_of(space))
        every = np.array([0, len(space.unigrams.firsts)]), np.array([0, len(space.bigrams.firsts)])
        kernels = jit.tier(training(self.data), self.work)
        kernels.subtract_counts(space, self.data, places_of(space), counts, 0, *every)
        wide, data, there = space, self.data, slice(None)
        module: ModuleType = choice_gradient
        if not len(data.choices):
            wide, there = widen_space(space, data)
            data, module = arrange_data(data, wide), gradient_rows
        parts, spread = sequence_parts(self.data.bounds, size_of(wide)), np.zeros(size_of(wide))
        sums = np.zeros((len(parts), len(spread)))

        def function(weights: Array, gradient: Array) -> float:
            kernels = jit.tier(module, self.work)
            sums[:] = 0.0
            spread[there] = weights

            def one(room: Room, part: int) -> float:
                begin, end = parts[part]
                found: float = kernels.add_gradient(
                    spread, wide, data, begin, end, room, sums[part]
                )
                return found

            logs = self.rooms.map(one, range(len(parts)))
            np.multiply(weights, self.rho2, out=gradient)
            gradient += counts
            gradient += sums.sum(axis=0)[there]
            return float(
                sum(logs)
                + dot_product(weights, counts)
                + self.rho2 / 2 * dot_product(weights, weights)
            )

        return function

    def steep_weights(self, weights: Weights, least: float) -> Weights:
        """The weights, of all, along which l is steeper than `least`, with their slopes."""
        smaller = restrict_space(self.space, weights.numbers)
        kernels = jit.tier(training(self.data), self.work)

        def one(room: Room, slab: tuple[int, int, Array, Array]) -> Weights:
            begin, end, *tests = slab
            slopes = np.zeros(end - begin)
            kernels.add_partial_gradient(
                weights.values, smaller, self.space, self.data, room, slopes, begin, *tests
            )
            kernels.subtract_counts(self.space, self.data, self.places, slopes, begin, *tests)
            found = np.flatnonzero(np.abs(slopes) > least)
            return Weights(found + begin, slopes[found])

        found = [NO_WEIGHTS, *self.rooms.map(one, weight_slabs(self.space, SLAB))]
        return Weights(*(np.concatenate(columns) for columns in zip(*found, strict=True)))

    def objective(self, weights: Weights) -> float:
        """The whole objective at some weights."""
        smaller = restrict_space(self.space, weights.numbers)
        found = np.zeros(len(self.data.bounds) - 1)
        kernels = jit.tier(training(self.data), self.work)

        def one(room: Room, part: tuple[int, int]) -> None:
            kernels.write_surprises(
                weights.values, smaller, self.data, *part, self.places, room, found
            )  # fmt: skip

        self.rooms.map(one, sequence_parts(self.data.bounds, 0))
        values = weights.values
        return float(
            found.sum()
            + self.rho1 * np.abs(values).sum()
            + self.rho2 / 2 * dot_product(values, values)
        )


def weight_slabs(space: Space, most: int) -> Iterator[tuple[int, int, Array, Array]]:
    """Tests with about so many weights together: where these begin and end, and the tests.

    >>> from glyphone.learners.crf.features.weights import full_family, space_of
    >>> space = space_of(2, np.arange(4), full_family(2, 2), full_family(2, 4))
    >>> [(a, b, tests.tolist(), others.tolist()) for a, b, tests, others in weight_slabs(space, 8)]
    [(0, 8, [0, 2], [0, 1]), (8, 12, [2, 2], [1, 2])]
    """
    ends = np.concatenate((space.unigrams.lasts, space.bigrams.lasts))
    n, first, begin = len(space.unigrams.lasts), 0, 0
    while first < len(ends):
        last = max(first + 1, int(np.searchsorted(ends, begin + most, side="right")))
        end = int(ends[last - 1])
        tests = np.array([first, last])
        yield begin, end, np.minimum(tests, n), np.maximum(tests - n, 0)
        first, begin = last, end
