"""A learnt conditional random field: the weights that are not zero, its answers and their shares.

>>> from glyphone.learners.optimization.weights import Weights
>>> from glyphone.learners.crf.features.weights import full_family, space_of
>>> tests = Tests({"u:a": 0, "u:b": 1}, {"b": 0})
>>> space = space_of(2, np.arange(4), *(full_family(n, k) for n, k in ((2, 2), (1, 4))))
>>> weights = Weights(np.array([1, 7]), np.log([4, 3]))
>>> model = ChainModel.of(("N", "V"), tests, space, weights)
>>> model.tests.unigrams, model.tests.bigrams
({'u:a': 0}, {'b': 0})
>>> data = model.data([Sequence(("a", "b"))], "u:%x[0,0]\\nb")
>>> model.best(data).tolist()
[1, 1]
>>> model.probabilities(data)[0].round(3).tolist()
[[0.111, 0.889], [0.278, 0.722]]
"""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.data.records import Sequence
from glyphone.learners.crf.chain.choices import Choices
from glyphone.learners.crf.features.numbering import Tests
from glyphone.learners.crf.features.weights import (
    cells_of_weights,
    drop_unused_pairs,
    numbers_of,
    places_of,
    with_families,
)
from glyphone.learners.crf.kernels import choice_decoding
from glyphone.learners.crf.kernels import decoding as crf_decoding
from glyphone.learners.crf.kernels.arrays import Data, Space, room_of
from glyphone.learners.crf.kernels.choose import training
from glyphone.learners.optimization.weights import Weights
from glyphone.learners.sequences.observations import Numbers, Templates, pattern_values

Array = Any
EVERY = np.zeros((0, 0), np.bool_)


@dataclass(frozen=True, eq=False)
class ChainModel:
    """Labels by number, tests that have weights, and these; which labels tokens may have."""

    labels: tuple[str, ...]
    tests: Tests
    space: Space
    weights: Array
    choices: Choices | None = None

    @classmethod
    def of(
        cls,
        labels: tuple[str, ...],
        tests: Tests,
        space: Space,
        weights: Weights,
        choices: Choices | None = None,
    ) -> ChainModel:
        """The weights that are not zero, and the tests that have any."""
        (of_labels, cells), (of_pairs, pairs) = cells_of_weights(space, weights.numbers)
        unigrams, numbers = _renumber(tests.unigrams, of_labels)
        bigrams, others = _renumber(tests.bigrams, of_pairs)
        smaller = with_families(
            space, (numbers, cells, len(unigrams)), (others, pairs, len(bigrams))
        )
        return cls(
            labels, Tests(unigrams, bigrams), drop_unused_pairs(smaller), weights.values, choices
        )

    def data(
        self, sequences: Many[Sequence], templates: Templates, choices: str | None = None
    ) -> Data:
        """The data of sequences for kernels, without labels.

        `choices` is the pattern whose value restricts the labels of a token, if there is one.
        """
        n = sum(len(sequence.tokens) for sequence in sequences)
        data = self.tests.data(sequences, templates, np.full(n, -1, np.int32))
        if self.choices is None or choices is None:
            return data
        return self.choices.add_to(
            data, self.choices.numbers_for(pattern_values(sequences, choices))
        )

    def best(self, data: Data, allowed: Array = EVERY) -> Array:
        """The best labels, one sequence behind the other."""
        return best_labels(self.weights, self.space, data, allowed)

    def probabilities(self, data: Data, allowed: Array = EVERY) -> tuple[Array, Array]:
        """Probabilities of labels, a row for each position, and log Z of each sequence."""
        found, logs = np.empty((len(data.labels), len(self.labels))), np.zeros(len(data.bounds) - 1)
        kernels, room = jit.tier(decoding_kernels_for(data), found.size), room_of(self.space, data)
        kernels.write_probabilities(self.weights, self.space, data, allowed, room, found, logs)
        return found, logs

    def n_best(self, data: Data, n: int, allowed: Array = EVERY) -> list[tuple[Array, Array]]:
        """The best paths of each sequence and their scores, fewer if there are not so many."""
        kernels = jit.tier(decoding_kernels_for(data), n * len(data.labels) * len(self.labels))
        room, ways = room_of(self.space, data), []
        for s in range(len(data.bounds) - 1):
            if data.bounds[s] == data.bounds[s + 1]:
                ways.append((np.zeros((1, 0), np.int32), np.zeros(1)))
                continue
            paths, scores = kernels.n_best(
                self.weights, self.space, data, s, n, allowed, room
            )  # fmt: skip
            there = scores > -np.inf
            ways.append((paths[there], scores[there]))
        return ways

    def log_probabilities(self, data: Data, codes: Array) -> Array:
        """ln P of labels by number; -inf where one is -1, no label of this model."""
        kernels = jit.tier(training(data), len(codes) * len(self.labels))
        known, places = data._replace(labels=np.maximum(codes, 0)), places_of(self.space)
        found = np.zeros(len(data.bounds) - 1)
        room = room_of(self.space, data)
        kernels.write_surprises(self.weights, self.space, known, 0, len(found), places, room, found)
        strange = np.repeat(np.arange(len(found)), np.diff(data.bounds))[codes < 0]
        found[strange] = np.inf
        return -found

    def weights_in(self, labels: Many[str], tests: Tests, space: Space) -> Weights:
        """The weights as a start in another space, where they are there too."""
        number = {label: y for y, label in enumerate(labels)}
        ours = np.array([number.get(label, -1) for label in self.labels], np.int64)
        before, after = ours[self.space.befores], ours[self.space.afters]
        there = (before >= 0) & (after >= 0)
        pairs = np.where(there, places_of(space)[before, after], -1)
        (of_labels, cells), (of_pairs, others) = cells_of_weights(
            self.space, np.arange(len(self.weights))
        )
        unigrams = _numbers_in(self.tests.unigrams, of_labels, tests.unigrams)
        bigrams = _numbers_in(self.tests.bigrams, of_pairs, tests.bigrams)
        numbers = np.concatenate(
            (
                numbers_of(space.unigrams, unigrams, ours[cells], len(labels)),
                numbers_of(space.bigrams, bigrams, pairs[others], len(space.befores)),
            )
        )
        order = np.argsort(numbers, kind="stable")
        order = order[numbers[order] >= 0]
        return Weights(numbers[order], self.weights[order])

    @property
    def active(self) -> set[str]:
        """The tests that have weights."""
        return {*self.tests.unigrams, *self.tests.bigrams}


def decoding_kernels_for(data: Data) -> ModuleType:
    """The module of kernels that decode data, with or without choices."""
    return choice_decoding if len(data.choices) else crf_decoding


def best_labels(weights: Array, space: Space, data: Data, allowed: Array = EVERY) -> Array:
    """The best labels, one sequence behind the other."""
    found = np.zeros(len(data.labels), np.int32)
    kernels = jit.tier(decoding_kernels_for(data), found.size * space.n_labels)
    kernels.write_best_labels(weights, space, data, allowed, room_of(space, data), found)
    return found


def _renumber(tests: Numbers, chosen: Array) -> tuple[Numbers, Array]:
    """The tests among those chosen, numbered anew, and these by their new numbers."""
    names = [*tests]
    different, again = np.unique(chosen, return_inverse=True)
    return {names[number]: k for k, number in enumerate(different.tolist())}, again


def _numbers_in(own: Numbers, of: Array, others: Numbers) -> Array:
    """The numbers that tests have among others, -1 for those that are not there."""
    return np.array([*(others.get(test, -1) for test in own), -1], np.int64)[of]
