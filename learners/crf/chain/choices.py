"""Choices of labels: a token may have those that the value of a pattern at it was seen with.

Few letters have more than ten sounds, few words more than two tags: with such choices the scores of
a token and the one before it are a small matrix, and a test has weights only of labels, and pairs,
that are possible where it is true. A value that was not seen may have any label.

>>> choices = Choices.learn(["a", "b", "a"], np.array([0, 2, 1]), 3)
>>> choices.starts.tolist(), choices.labels.tolist()
([0, 3, 5, 6], [0, 1, 2, 0, 1, 2])
>>> choices.numbers_for(["b", "?", "a"]).tolist()
[2, 0, 1]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from glyphone.learners.crf.kernels.arrays import Data, Family, Space

Array = Any


@dataclass(frozen=True, eq=False)
class Choices:
    """The number of each value, and the labels of each number; 0 stands for every label."""

    numbers: dict[str, int]
    starts: Array
    labels: Array

    @classmethod
    def learn(cls, seen: Iterable[str], codes: Array, n_labels: int) -> Choices:
        """The choices of values of tokens and their labels."""
        found: dict[str, set[int]] = {}
        for one, code in zip(seen, codes.tolist(), strict=True):
            found.setdefault(one, set()).add(code)
        return cls.from_labels(found, n_labels)

    @classmethod
    def from_labels(cls, found: dict[str, set[int]], n_labels: int) -> Choices:
        """The choices of values with their sets of labels."""
        rows = [(*range(n_labels),), *(tuple(sorted(labels)) for labels in found.values())]
        different = {row: k for k, row in enumerate(dict.fromkeys(rows))}
        numbers = {one: different[row] for one, row in zip(found, rows[1:], strict=True)}
        starts = np.cumsum([0, *map(len, different)])
        labels = np.array([label for row in different for label in row], np.int32)
        return cls(numbers, starts, labels)

    def numbers_for(self, seen: Iterable[str]) -> Array:
        """The number of the choice of each token."""
        return np.array([self.numbers.get(one, 0) for one in seen], np.int32)

    def add_to(self, data: Data, chosen: Array) -> Data:
        """Data with the choices of tokens."""
        return data._replace(choice_starts=self.starts, choices=self.labels, chosen=chosen)


def space_of_choices(data: Data, n_labels: int, n_tests: tuple[int, int]) -> Space:
    """The space of weights of labels and pairs that are possible where tests are true.

    A test that is true with one choice, or one pair of them, has weights of these labels or pairs,
    others of all.

    >>> data = Data(*map(np.array, ([0, 2], [0, 1, 2], [0, 1], [0, 0, 1], [0], [-1, 0], [0, 1])))
    >>> choices = Choices.learn(["a", "b"], np.array([0, 1]), 2)
    >>> space = space_of_choices(choices.add_to(data, choices.numbers_for(["a", "b"])), 2, (2, 1))
    >>> space.unigrams.lasts.tolist(), space.bigrams.firsts.tolist(), space.bigrams.lasts.tolist()
    ([1, 2], [2], [3])
    >>> space.unigrams.cells[space.unigrams.cells_at].tolist()
    [0, 1]
    """
    n, starts = n_labels, data.choice_starts
    n_choices = len(starts) - 1
    rows = [data.choices[a:b].astype(np.int64) for a, b in pairwise(starts)]
    before = np.concatenate(([0], data.chosen[:-1])).astype(np.int64)
    pairs = before * n_choices + data.chosen
    unigrams = _family_of_choices(
        data.unigram_starts, data.unigram_tests, data.chosen, n_tests[0], dict(enumerate(rows)), n
    )
    used = np.unique(np.repeat(pairs, np.diff(data.bigram_starts))).tolist()
    products = {
        pair: (rows[pair // n_choices][:, None] * n + rows[pair % n_choices]).ravel()
        for pair in used
    }
    bigrams = _family_of_choices(
        data.bigram_starts, data.bigram_tests, pairs, n_tests[1], products, n * n
    )  # fmt: skip
    shift = int(unigrams.lasts[-1]) if len(unigrams.lasts) else 0
    bigrams = bigrams._replace(firsts=bigrams.firsts + shift, lasts=bigrams.lasts + shift)
    every = np.arange(n * n, dtype=np.int32)
    return Space(n, every // n, every % n, unigrams, bigrams)


def _family_of_choices(
    starts: Array, tests: Array, of: Array, n_tests: int, cells: dict[int, Array], n_cells: int
) -> Family:
    """Weights of the cells of the only choice that a test is true with, or of all."""
    n_kinds = int(of.max(initial=0)) + 1
    there = np.unique(tests.astype(np.int64) * n_kinds + np.repeat(of, np.diff(starts)))
    owners, kinds = there // n_kinds, there % n_kinds
    alone = np.bincount(owners, minlength=n_tests) == 1
    only = np.full(n_tests, -1)
    only[owners] = kinds
    only[~alone] = -1
    # The cells of all, and behind them those of each choice.
    known = [kind for kind in cells if kind in {*only.tolist()}]
    rows = [np.arange(n_cells), *(cells[kind] for kind in known)]
    place = np.zeros(n_kinds + 1, np.int64)  # the last is that of all
    place[known] = np.arange(1, len(rows))
    sizes, ends = np.array([*map(len, rows)]), np.cumsum([0, *map(len, rows)])
    bounds = np.concatenate(([0], np.cumsum(sizes[place[only]])))
    return Family(
        bounds[:-1], bounds[1:], ends[place[only]], np.concatenate(rows).astype(np.int32),
        np.zeros(n_tests),
    )  # fmt: skip
