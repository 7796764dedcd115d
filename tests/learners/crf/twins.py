"""Plain twins of conditional random fields: every labelling written out, weights looked up one by
one. `Case` is a small problem drawn by chance."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from glyphone.data.kernels import jit
from glyphone.learners.crf.chain.choices import Choices, space_of_choices
from glyphone.learners.crf.features.numbering import data_of
from glyphone.learners.crf.features.weights import (
    drop_unused_pairs,
    places_of,
    restrict_space,
    size_of,
    weights_of,
)
from glyphone.learners.crf.kernels.arrays import Data, Family, Space, room_of
from glyphone.learners.sequences.observations import ObservedTests

Array = Any
# Labels that positions have a choice of.
SETS = ((0, 2), (1, 2), (0, 1), (2,), (0, 1, 2))
Path = tuple[int, ...]
EVERY = np.zeros((0, 0), np.bool_)
# The tiers of kernels: plain Python, and what is compiled.
TIERS = [lambda module: module, jit.compiled]


@dataclass(frozen=True, eq=False)
class Case:
    """Sequences of lengths, their tests and labels, and which weights there are."""

    data: Data
    space: Space
    weights: Array

    @classmethod
    def drawn(
        cls, seed: int, *, kind: str = "all", lengths: tuple[int, ...] = (4, 0, 1, 3),
        labels: int = 3, tests: int = 4, share: float = 1.0, bare: bool = False,
        choice: bool = False,
    ) -> Case:  # fmt: skip
        """Of the weights a share is not zero; if it is `bare`, pairs have one test, true always.

        With a `choice` each position has some of the labels alone.
        """
        random = np.random.default_rng(seed)
        bounds = np.cumsum([0, *lengths])
        rows = np.array([random.permutation(tests)[:2] for _ in range(bounds[-1])]).reshape(-1, 2)
        rows[random.random(rows.shape) < 0.2] = -1
        seen = ObservedTests(bounds, rows, [f"*{k}" for k in range(tests)])
        unigrams, bigrams = rows, np.zeros((len(rows), 1), int) if bare else rows.copy()
        bigrams[bounds[:-1][np.diff(bounds) > 0]] = -1
        codes = random.integers(0, labels, bounds[-1]).astype(np.int32)
        data = data_of(seen.bounds, unigrams, bigrams, codes)
        n_tests = tests, 1 if bare else tests
        space = weights_of(data, labels, n_tests, kind)
        if choice:
            sets = {str(k): {*some} for k, some in enumerate(SETS)}
            choices = Choices.from_labels(
                {name: some & {*range(labels)} for name, some in sets.items()}, labels
            )
            fitting = [
                [name for name, some in sets.items() if code in some] for code in codes.tolist()
            ]
            # A test mostly goes with one choice.
            names = [
                some[int(row.sum()) % len(some)] for some, row in zip(fitting, rows, strict=True)
            ]
            data = choices.add_to(data, choices.numbers_for(names))
            space = space_of_choices(data, labels, n_tests)
        weights = random.normal(size=size_of(space))
        weights[random.random(len(weights)) >= share] = 0.0
        return cls(data, space, weights)

    def weight(self, family: Family, test: int, cell: int) -> tuple[int, float]:
        """The number of a weight and the weight, -1 and 0 if there is none."""
        for j, k in enumerate(range(family.firsts[test], family.lasts[test])):
            if family.cells[family.cells_at[test] + j] == cell:
                return k, float(self.weights[k])
        return -1, 0.0

    def parts(self, s: int, path: Path) -> list[tuple[int, float]]:
        """The weights that have part in a labelling, as often as they have."""
        data, space, places = self.data, self.space, places_of(self.space)
        first, found = data.bounds[s], []
        for t, label in enumerate(path, first):
            for k in range(data.unigram_starts[t], data.unigram_starts[t + 1]):
                found.append(self.weight(space.unigrams, data.unigram_tests[k], label))
            if t > first:
                pair = places[path[t - first - 1], label]
                for k in range(data.bigram_starts[t], data.bigram_starts[t + 1]):
                    found.append(self.weight(space.bigrams, data.bigram_tests[k], pair))
        return [(k, weight) for k, weight in found if k >= 0]

    def length(self, s: int) -> int:
        return int(self.data.bounds[s + 1] - self.data.bounds[s])

    def may(self, s: int) -> list[list[int]]:
        """The labels that there may be."""
        first, last, starts = *self.data.bounds[s : s + 2].tolist(), self.data.choice_starts
        if not len(starts):
            return [[*range(self.space.n_labels)]] * (last - first)
        chosen = self.data.chosen[first:last]
        return [self.data.choices[starts[k] : starts[k + 1]].tolist() for k in chosen]

    def paths(self, s: int) -> dict[Path, float]:
        """The score of every labelling."""
        every = itertools.product(*self.may(s))
        return {path: math.fsum(weight for _, weight in self.parts(s, path)) for path in every}

    def log_z(self, s: int) -> float:
        return math.log(math.fsum(map(math.exp, self.paths(s).values())))

    def probabilities(self, s: int) -> dict[Path, float]:
        log_z = self.log_z(s)
        return {path: math.exp(score - log_z) for path, score in self.paths(s).items()}

    def gold(self, s: int) -> Path:
        return tuple(self.data.labels[self.data.bounds[s] : self.data.bounds[s + 1]].tolist())

    def expected(self) -> Array:
        """How often each weight has part in what is expected, of all sequences."""
        found = np.zeros(len(self.weights))
        for s in range(len(self.data.bounds) - 1):
            for path, probability in self.probabilities(s).items():
                for k, _ in self.parts(s, path):
                    found[k] += probability
        return found

    def counted(self) -> Array:
        """How often each weight has part in the right labels."""
        found = np.zeros(len(self.weights))
        for s in range(len(self.data.bounds) - 1):
            for k, _ in self.parts(s, self.gold(s)):
                found[k] += 1
        return found

    def surprise(self, weights: Array) -> float:
        """-log P of all right labels with other weights."""
        other = Case(self.data, self.space, weights)
        return math.fsum(
            other.log_z(s) - math.fsum(weight for _, weight in other.parts(s, other.gold(s)))
            for s in range(len(self.data.bounds) - 1)
        )


def smaller(case: Case) -> tuple[Space, Array]:
    """The space and the vector of weights that are not zero."""
    numbers = np.flatnonzero(case.weights)
    return drop_unused_pairs(restrict_space(case.space, numbers)), case.weights[numbers]


def check_decoding(case: Case, module: Any, space: Space, weights: Array, mask: Array) -> None:
    """The best labels, probabilities and the n best are those of every labelling written out.

    Where there is a `mask`, others than it allows do not count.
    """
    room, n = room_of(space, case.data), len(case.data.labels)
    best, shares = np.zeros(n, np.int32), np.zeros((n, space.n_labels))
    logs = np.zeros(len(case.data.bounds) - 1)
    module.write_best_labels(weights, space, case.data, mask, room, best)
    module.write_probabilities(weights, space, case.data, mask, room, shares, logs)
    for s in range(len(case.data.bounds) - 1):
        first, length = case.data.bounds[s], case.length(s)
        scores = {
            path: score
            for path, score in case.paths(s).items()
            if not len(mask) or all(mask[first + t, y] for t, y in enumerate(path))
        }
        if not length:
            continue
        found = tuple(best[first : first + length].tolist())
        assert scores[found] == pytest.approx(max(scores.values()), abs=1e-10)
        total = math.fsum(map(math.exp, scores.values()))
        assert logs[s] == pytest.approx(math.log(total), abs=1e-10)
        for t, y in itertools.product(range(length), range(space.n_labels)):
            wanted = math.fsum(math.exp(v) for path, v in scores.items() if path[t] == y) / total
            assert shares[first + t, y] == pytest.approx(wanted, abs=1e-10)
        for n_paths in (1, 4, 500):
            paths, values = module.n_best(weights, space, case.data, s, n_paths, mask, room)
            there = values > -np.inf
            ways = [*map(tuple, paths[there].tolist())]
            assert len(set(ways)) == len(ways) == min(n_paths, len(scores))
            assert [scores[way] for way in ways] == pytest.approx(values[there], abs=1e-10)
            assert values[there] == pytest.approx(
                sorted(scores.values(), reverse=True)[:n_paths], abs=1e-10
            )
