"""A learnt semi-Markov field: its candidates, the best segments and probabilities.

Sentences are worked through in stretches, each with candidates and features of its own, so that
memory does not grow with the number of sentences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from collections.abc import Sequence as Many
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from glyphone.data.kernels import jit
from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import Phrase
from glyphone.learners.optimization.parts import RoomPool
from glyphone.learners.semimarkov import search_kernels, sum_kernels
from glyphone.learners.semimarkov.arrays import (
    PRECEDING,
    Data,
    Features,
    States,
    lists_for,
    room_of,
    states_for,
    work_of,
)
from glyphone.learners.semimarkov.bayes import SpanFilter
from glyphone.learners.semimarkov.features import SegmentTests
from glyphone.learners.semimarkov.segments import Segments, candidates_of, spans_within
from glyphone.learners.semimarkov.templates import parse_templates
from glyphone.learners.semimarkov.values import TokenValues

Array = Any
# Tokens of a stretch.
STRETCH = 8192
Row = TypeVar("Row")
Marked = list[tuple[Phrase, float]]


@dataclass(frozen=True, eq=False)
class Candidacy:
    """The spans that may be phrases: all of them, or those that a filter finds so probable."""

    max_length: int
    filter: SpanFilter | None = None
    threshold: float = 0.0

    def kept(self, values: TokenValues) -> Array:
        """Whether the spans that end with each token are kept, from the shortest on."""
        if self.filter is None:
            return spans_within(values.bounds, self.max_length)
        return self.filter.probabilities(values, self.max_length) >= self.threshold


@dataclass(frozen=True, eq=False)
class SegmentModel:
    """Kinds of phrases in the order of their classes, codes of values, features and weights."""

    kinds: tuple[str, ...]
    known: Mapping[str, Mapping[str, int]]
    candidacy: Candidacy
    tests: SegmentTests
    features: Features
    weights: Array

    @property
    def states(self) -> States:
        """The states of ways through sentences."""
        return states_for(self.features)

    def data(
        self, sentences: Many[Sequence], gold: Segments | None = None
    ) -> tuple[Data, Array]:  # fmt: skip
        """The data of sentences for kernels, and the right segments that are no candidates."""
        values = TokenValues(sentences, self.known)
        candidates, missing = candidates_of(values.bounds, self.candidacy.kept(values), gold)
        return self.tests.data(values, candidates), missing

    def best(self, sentences: Many[Sequence], *, jobs: int = 1) -> list[list[Phrase]]:
        """The phrases of each sentence that are the most probable together."""

        def one(some: Many[Sequence]) -> list[list[Phrase]]:
            data, _ = self.data(some)
            return self.phrases(data, self.best_classes(data))

        return in_stretches(one, sentences, jobs)

    def scored(self, sentences: Many[Sequence], *, jobs: int = 1) -> list[Marked]:
        """The phrases that are the most probable together, each with its own probability."""

        def one(some: Many[Sequence]) -> list[Marked]:
            data, _ = self.data(some)
            classes, shares = self.best_classes(data), self.class_probabilities(data)
            there = np.flatnonzero(classes > 0)
            return self.marked(data, there, classes[there], shares)

        return in_stretches(one, sentences, jobs)

    def best_classes(self, data: Data) -> Array:
        """The class of each candidate that is one of the best segments, -1 for the others."""
        found = np.full(len(data.begins), -1, np.int32)
        states, n = self.states, len(data.bounds) - 1
        tokens = int(np.diff(data.bounds).max(initial=1))
        jit.tier(search_kernels, work_of(self.features, data)).write_best_segments(
            self.weights, self.features, states, data, 0, n,
            room_of(self.features, states, data),
            lists_for(self.features, states, tokens=tokens, n=1), found,
        )  # fmt: skip
        return found

    def rank(
        self, sentences: Many[Sequence], n: int, *, jobs: int = 1
    ) -> list[list[tuple[list[Phrase], float]]]:
        """The n best segmentations of each sentence, with their probabilities."""

        def one(some: Many[Sequence]) -> list[list[tuple[list[Phrase], float]]]:
            data, _ = self.data(some)
            kernels = jit.tier(search_kernels, n * work_of(self.features, data))
            logs, states = -self.surprises(data), self.states
            room = room_of(self.features, states, data)
            tokens = int(np.diff(data.bounds).max(initial=1))
            lists, found = lists_for(self.features, states, tokens=tokens, n=n), []
            for s in range(len(some)):
                rows, scores = kernels.rank_segmentations(
                    self.weights, self.features, states, data, s, room, lists
                )
                part = part_of(data, s)
                found.append(
                    [
                        (self.phrases(part, row)[0], math.exp(score + log))
                        for row, score, log in zip(
                            rows, scores.tolist(), [logs[s]] * len(rows), strict=True
                        )
                    ]
                )
            return found

        return in_stretches(one, sentences, jobs)

    def surprises(self, data: Data) -> Array:
        """-ln P of the right segments of each sentence; ln Z where none is marked as right."""
        found, states = np.zeros(len(data.bounds) - 1), self.states
        jit.tier(sum_kernels, work_of(self.features, data)).write_surprises(
            self.weights, self.features, states, data, 0, len(found),
            room_of(self.features, states, data), found,
        )  # fmt: skip
        return found

    def class_probabilities(self, data: Data) -> Array:
        """The probability of each class of each candidate."""
        found, states = np.zeros((len(data.begins), self.features.n_classes)), self.states
        jit.tier(sum_kernels, work_of(self.features, data)).write_probabilities(
            self.weights, self.features, states, data, 0, len(data.bounds) - 1,
            room_of(self.features, states, data), found,
        )  # fmt: skip
        return found

    def probable(
        self, sentences: Many[Sequence], least: float, *, jobs: int = 1
    ) -> list[Marked]:  # fmt: skip
        """The phrases of each sentence of at least this probability, in order, with theirs."""

        def one(some: Many[Sequence]) -> list[Marked]:
            data, _ = self.data(some)
            shares = self.class_probabilities(data)
            shares[:, 0] = -1.0
            chosen, classes = np.nonzero((shares >= least) & (shares > 0.0))
            found = self.marked(data, chosen, classes, shares)
            return [sorted(row, key=lambda pair: pair[0]) for row in found]

        return in_stretches(one, sentences, jobs)

    def phrases(self, data: Data, classes: Array) -> list[list[Phrase]]:
        """The phrases of each sentence, by the classes of candidates that are chosen."""
        found: list[list[Phrase]] = [[] for _ in range(len(data.bounds) - 1)]
        there = np.flatnonzero(classes > 0)
        for s, phrase in zip(*self.located(data, there, classes[there]), strict=True):
            found[s].append(phrase)
        return found

    def marked(self, data: Data, chosen: Array, classes: Array, shares: Array) -> list[Marked]:
        """The phrases of chosen candidates in each sentence, with the shares of their classes."""
        found: list[Marked] = [[] for _ in range(len(data.bounds) - 1)]
        of_chosen = shares[chosen, classes].tolist()
        for s, phrase, share in zip(
            *self.located(data, chosen, classes), of_chosen, strict=True
        ):  # fmt: skip
            found[s].append((phrase, share))
        return found

    def located(
        self, data: Data, chosen: Array, classes: Array
    ) -> tuple[list[int], list[Phrase]]:  # fmt: skip
        """The sentence of each chosen candidate, and its phrase."""
        lasts = np.searchsorted(data.firsts, chosen, side="right") - 1
        nth: Array = np.searchsorted(data.bounds, lasts, side="right") - 1
        first = data.bounds[nth]
        rows = zip(
            (data.begins[chosen] - first).tolist(), (lasts - first + 1).tolist(),
            classes.tolist(), strict=True,
        )  # fmt: skip
        return nth.tolist(), [Phrase(a, b, self.kinds[y - 1]) for a, b, y in rows]


def part_of(data: Data, s: int) -> Data:
    """The candidates of one sentence, without their features."""
    first, last = data.bounds[s : s + 2]
    begin, end = data.firsts[first], data.firsts[last]
    return data._replace(
        bounds=np.array([0, last - first]), firsts=data.firsts[first : last + 1] - begin,
        begins=data.begins[begin:end] - first,
    )  # fmt: skip


def in_stretches(
    task: Callable[[Many[Sequence]], list[Row]], sentences: Many[Sequence], jobs: int
) -> list[Row]:
    """The rows of all sentences, by a task for some of them behind each other."""
    ends = np.cumsum([0, *(len(sentence.tokens) for sentence in sentences)])
    cuts = np.unique(np.searchsorted(ends, np.arange(STRETCH, ends[-1], STRETCH))).tolist()
    parts = [*pairwise(dict.fromkeys([0, *cuts, len(sentences)]))]

    def one(_: None, part: tuple[int, int]) -> list[Row]:
        return task(sentences[slice(*part)])

    found = RoomPool(lambda: None, max(1, min(jobs, len(parts)))).map(one, parts)
    return [row for rows in found for row in rows]


def problem_of(model: SegmentModel) -> str | None:
    """The reason why kernels could fail on a model, or None."""
    starts, codes, roles, n_classes, n_preceding = model.features
    templates = parse_templates(model.tests.templates)
    if n_classes != len(model.kinds) + 1 or len(model.tests.keys) != len(templates):
        return "the number of kinds, or that of templates, differs"
    tables = [one.table for one in templates]
    if n_preceding != (n_classes if PRECEDING in tables else 1):
        return "the number of preceding classes differs"
    if roles.tolist() != np.repeat(tables, [*map(len, model.tests.keys)]).tolist():
        return "the number of features differs from that of their keys"
    if len(starts) != len(roles) + 1 or starts[0] != 0 or starts[-1] != len(codes):
        return "weights are not divided among features"
    if (starts[1:] < starts[:-1]).any() or len(codes) != len(model.weights):
        return "weights are not divided among features"
    most = np.where(roles == PRECEDING, n_classes * n_preceding, n_classes)
    if (codes < 0).any() or (codes >= np.repeat(most, np.diff(starts))).any():
        return "a weight is of a class that there is not"
    return None if np.isfinite(model.weights).all() else "a weight is not finite"
