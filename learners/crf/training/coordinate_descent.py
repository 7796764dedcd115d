"""Block coordinate descent (Sokolovska, Lavergne, Cappé and Yvon 2010).

A block is all weights of one test. Where it is true, sums over labels are computed with the weights
as they are; each weight then goes to where a parabola in it and the penalties are smallest:

    theta = s(h theta - g, rho1) / (h + rho2),      s(z, rho) = sign(z) max(|z| - rho, 0)

with g the slope and h = sum e (1 - e), e the probabilities of the label or pair. As the weights of
a block move together, h is made larger for all of them, until no step is longer than 1 / KAPPA.
Only weights that are not zero are in memory.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels import jit
from glyphone.learners.crf.features.numbering import Tests
from glyphone.learners.crf.features.weights import numbers_of, restrict_space
from glyphone.learners.crf.kernels import coordinate_descent as crf_coordinate_descent
from glyphone.learners.crf.kernels.arrays import Data, Family, room_of
from glyphone.learners.crf.training.objective import Problem
from glyphone.learners.optimization.weights import Weights

Array = Any
# Blocks between two checks for a stop signal.
STRETCH = 64


class TestBlocks(NamedTuple):
    """For each block the numbers of its test, -1 for none, and the positions where it is true."""

    unigrams: Array
    bigrams: Array
    starts: Array
    positions: Array
    sequences: Array


def blocks_of(tests: Tests, data: Data) -> TestBlocks:
    """A test that goes with labels and with pairs is one block.

    >>> data = Data(*map(np.array, ([0, 2], [0, 1, 2], [0, 1], [0, 0, 2], [0, 1], [-1, 0], [0, 1])))
    >>> blocks = blocks_of(Tests({"U:a": 0, "*:b": 1}, {"*:b": 0, "B": 1}), data)
    >>> blocks.unigrams.tolist(), blocks.bigrams.tolist()
    ([0, 1, -1], [-1, 0, 1])
    >>> blocks.starts.tolist(), blocks.positions.tolist()
    ([0, 1, 2, 3], [0, 1, 1])
    """
    alone = [number for test, number in tests.bigrams.items() if test not in tests.unigrams]
    n = len(tests.unigrams)
    bigrams = np.array([tests.bigrams.get(test, -1) for test in tests.unigrams], np.int64)
    of_labels = _positions_of_tests(data.unigram_starts, data.unigram_tests, n)
    of_pairs = _positions_of_tests(data.bigram_starts, data.bigram_tests, len(tests.bigrams))
    positions = [*of_labels, *(of_pairs[number] for number in alone)]
    lengths = np.diff(data.bounds)
    return TestBlocks(
        np.concatenate((np.arange(n), np.full(len(alone), -1))),
        np.concatenate((bigrams, np.array(alone, np.int64))),
        np.cumsum([0, *map(len, positions)]),
        np.concatenate([np.zeros(0, np.int64), *positions]),
        np.repeat(np.arange(len(lengths)), lengths),
    )


def _positions_of_tests(starts: Array, tests: Array, n_tests: int) -> list[Array]:
    """The positions of each test."""
    positions = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    order = np.argsort(tests, kind="stable")
    ends = np.cumsum(np.bincount(tests, minlength=n_tests))
    return np.split(positions[order], ends[:-1]) if n_tests else []


class CoordinateDescent:
    """The weights that are not zero, each test's in a stretch with room behind all of them."""

    def __init__(self, problem: Problem, start: Weights, tests: Tests) -> None:
        self.problem, self.blocks = problem, blocks_of(tests, problem.data)
        self.room = room_of(problem.space, problem.data)
        self._lay_out(start)

    def _lay_out(self, start: Weights) -> None:
        """Puts weights in order, with as much room again, and some more."""
        whole, n = self.problem.space, len(start.numbers)
        size = 2 * n + STRETCH * (whole.n_labels + len(whole.befores))
        self.values = np.zeros(size)
        self.values[:n] = start.values
        self.used = np.array([n])
        smaller = restrict_space(whole, start.numbers)
        cells = np.zeros(size, np.int32)
        cells[:n] = np.concatenate((smaller.unigrams.cells, smaller.bigrams.cells))

        def family(some: Family) -> Family:
            firsts = some.firsts.copy()
            return Family(firsts, some.lasts.copy(), firsts, cells, some.dues)

        self.smaller = smaller._replace(
            unigrams=family(smaller.unigrams), bigrams=family(smaller.bigrams)
        )

    def iterate(self) -> tuple[float, str]:
        """One step for all blocks; the objective after them."""
        problem, n, first = self.problem, len(self.blocks.unigrams), 0
        share = problem.work // max(n, 1)
        while first < n:
            last = min(first + STRETCH, n)
            kernels = jit.tier(crf_coordinate_descent, share * (last - first))
            first = kernels.descend(
                self.values, self.smaller, problem.space, problem.data, problem.places, self.room,
                self.blocks, first, last, self.used, problem.rho1, problem.rho2,
            )  # fmt: skip
            if first < last:
                self._lay_out(self.current_weights())
        now = self.current_weights()
        self._lay_out(now)
        return problem.objective(now), ""

    def current_weights(self) -> Weights:
        """The weights as they are, in the order of their numbers."""
        smaller, whole = self.smaller, self.problem.space
        numbers, values = _numbered_weights(
            self.values, smaller.unigrams, whole.unigrams, whole.n_labels
        )
        others, more = _numbered_weights(
            self.values, smaller.bigrams, whole.bigrams, len(whole.befores)
        )
        return Weights(np.concatenate((numbers, others)), np.concatenate((values, more)))

    def may_end(self) -> bool:
        return True


def _numbered_weights(
    values: Array, some: Family, whole: Family, n_cells: int
) -> tuple[Array, Array]:
    """The numbers of weights that are kept, and these."""
    lengths = some.lasts - some.firsts
    tests = np.repeat(np.arange(len(lengths)), lengths)
    places = some.firsts[tests] + np.arange(len(tests)) - (np.cumsum(lengths) - lengths)[tests]
    return numbers_of(whole, tests, some.cells[places], n_cells), values[places]
