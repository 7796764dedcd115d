"""A learnt latent-dynamic field: its answers and their probabilities.

>>> from glyphone.learners.latent.grams import learn_tests
>>> shape = Shape(n_labels=2, states=1, order=1)
>>> seen = observe_tests([Sequence(("a", "b"))], "u:%x[0,0]\\nb")
>>> tests, grams, data = learn_tests(seen, np.array([0, 1], np.int32), shape)
>>> model = LatentModel(("N", "V"), shape, tests, grams, np.log([4.0, 2.0, 3.0]))
>>> best = model.best(model.data([Sequence(("a", "b"))], "u:%x[0,0]\\nb"))
>>> best.labels.tolist(), best.proved.tolist()
([0, 1], [True])
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Many
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.data.records import Sequence
from glyphone.learners.latent import search_kernels, sum_kernels
from glyphone.learners.latent.arrays import Data, Grams, Room, Shape, arcs_of, room_of, size_of
from glyphone.learners.latent.grams import GramTests, data_of
from glyphone.learners.optimization.parts import RoomPool
from glyphone.learners.sequences.observations import Templates, observe_tests

Array = Any
# Positions that a thread works through at a time.
STRETCH = 2048
# Beginnings of labels that go on for each position, at most.
MOST_STEPS = 1000


@dataclass(frozen=True)
class BestLabels:
    """Labels of sequences, one behind the other; whether those of each are proved to be best."""

    labels: Array
    proved: Array


@dataclass(frozen=True)
class Ranking:
    """Rows of labels, or of states, of a sequence, and logarithms of probabilities, best first."""

    rows: Array
    logs: Array


NOTHING = Ranking(np.zeros((1, 0), np.int32), np.zeros(1))


@dataclass(frozen=True, eq=False)
class LatentModel:
    """Labels by number, the shape of hidden paths, tests, and their weights."""

    labels: tuple[str, ...]
    shape: Shape
    tests: GramTests
    grams: Grams
    weights: Array

    def data(self, sequences: Many[Sequence], templates: Templates) -> Data:
        """The data of sequences for kernels, without labels."""
        seen = observe_tests(sequences, templates)
        return data_of(seen, self.tests, np.full(len(seen.rows), -1, np.int32))

    def best(
        self, data: Data, *, most: int = MOST_STEPS, hidden: bool = False, jobs: int = 1
    ) -> BestLabels:
        """The best labels, or those of the best hidden path if `hidden`.

        For each position of a sequence at most so many beginnings of labels go on; beyond, the
        labels are those of the best hidden path, and are not proved.
        """
        labels = np.zeros(len(data.labels), np.int32)
        proved = np.ones(len(data.bounds) - 1, np.bool_)
        kernels = jit.tier(search_kernels, arcs_of(self.shape, data))

        def one(room: Room, part: tuple[int, int]) -> None:
            kernels.write_best_labels(
                self.weights, self.shape, self.grams, data, *part, most, hidden, room, labels,
                proved,
            )  # fmt: skip

        self._in_threads(one, data, jobs)
        return BestLabels(labels, proved)

    def rank_labels(self, data: Data, n: int, *, most: int = MOST_STEPS) -> list[Ranking]:
        """The n best labels of each sequence; fewer where the search had to end."""
        kernels = jit.tier(search_kernels, n * arcs_of(self.shape, data))
        room = room_of(self.shape, data)
        return [
            Ranking(
                *kernels.rank_labels(
                    self.weights, self.shape, self.grams, data, s, n, n * most, room
                )
            )
            if first < last
            else NOTHING
            for s, (first, last) in enumerate(pairwise(data.bounds.tolist()))
        ]

    def rank_paths(self, data: Data, n: int) -> list[Ranking]:
        """The n best hidden paths of each sequence, as codes label * states + state."""
        kernels = jit.tier(search_kernels, n * arcs_of(self.shape, data))
        room = room_of(self.shape, data)
        return [
            Ranking(*kernels.rank_paths(self.weights, self.shape, self.grams, data, s, n, room))
            if first < last
            else NOTHING
            for s, (first, last) in enumerate(pairwise(data.bounds.tolist()))
        ]

    def state_probabilities(self, data: Data, *, jobs: int = 1) -> Array:
        """For each position the probabilities of states, a row for each label."""
        n_labels, states, _ = self.shape
        found = np.zeros((len(data.labels), n_labels * states))
        kernels = jit.tier(sum_kernels, arcs_of(self.shape, data))

        def one(room: Room, part: tuple[int, int]) -> None:
            kernels.write_probabilities(
                self.weights, self.shape, self.grams, data, *part, room, found
            )

        self._in_threads(one, data, jobs)
        return found.reshape(-1, n_labels, states)

    def log_probabilities(self, data: Data, codes: Array) -> Array:
        """ln P of labels by number; -inf where one is -1, no label of this model."""
        known = data._replace(labels=np.maximum(codes, 0))
        found = np.zeros(len(data.bounds) - 1)
        kernels = jit.tier(sum_kernels, arcs_of(self.shape, data))
        kernels.write_surprises(
            self.weights, self.shape, self.grams, known, 0, len(found),
            room_of(self.shape, data), found,
        )  # fmt: skip
        strange = np.repeat(np.arange(len(found)), np.diff(data.bounds))[codes < 0]
        found[strange] = np.inf
        return -found

    def _in_threads(self, task: Callable[[Room, Any], None], data: Data, jobs: int) -> None:
        n = int(data.bounds[-1])
        cuts = np.searchsorted(data.bounds, np.arange(STRETCH, n, STRETCH)).tolist()
        parts = [*pairwise([0, *cuts, len(data.bounds) - 1])]
        RoomPool(lambda: room_of(self.shape, data), min(jobs, len(parts))).map(task, parts)


def problem_of(model: LatentModel) -> str | None:
    """The reason why kernels could fail on a model, or None."""
    n_labels, states, order = model.shape
    sizes, starts, codes, firsts = model.grams
    counts = [len(known) for known in model.tests]
    if n_labels != len(model.labels) or len(counts) != order + 1:
        return "the number of labels differs"
    if sizes.tolist() != np.repeat(np.arange(1, order + 2), counts).tolist():
        return "the number of tests differs from that of their names"
    if len(starts) != len(sizes) + 1 or starts[0] != 0 or starts[-1] != len(codes):
        return "labels are not divided among tests"
    if (starts[1:] < starts[:-1]).any() or (codes < 0).any():
        return "labels are not divided among tests"
    if (codes >= n_labels ** np.repeat(sizes, np.diff(starts)).astype(np.int64)).any():
        return "a test goes with labels that there are not"
    ends = np.cumsum(np.diff(starts) * states ** sizes.astype(np.int64))
    if firsts.tolist() != [0, *ends.tolist()][:-1] or size_of(model.shape, model.grams) != len(
        model.weights
    ):
        return "a test has weights beyond the end"
    return None if np.isfinite(model.weights).all() else "a weight is not finite"
