"""The combined score of names: matchers that learn from other sets than they are measured on.

Of each set a matcher learns from at most 600 right pairs, as many wrong ones that Soft-TFIDF has
for the nearest, and as many any; sets count alike, however large they are. Words are weighed by the
names of their own set.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from matching_data import PairTask
from matching_peers import Scored
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from glyphone.evaluation.pairs import NO, YES
from glyphone.learners.matching.matcher import NameMatcher
from glyphone.learners.matching.named import measure
from glyphone.matching.spellings import NameSpeller

Array = Any
MOST, FOLDS = 600, 5
STRENGTH = 0.03
# Pairs whose features are made at a time.
BLOCK = 20_000


@dataclass(frozen=True, eq=False)
class Featured:
    """A set, the features of its pairs, and those of the pairs that others learn from."""

    task: PairTask

    def features(self, pairs: Array) -> Array:
        matcher = NameMatcher(speller=NameSpeller({})).weigh_words(self.task.names)
        names = [(self.task.names[one], self.task.names[other]) for one, other in pairs]
        blocks = (names[begin : begin + BLOCK] for begin in range(0, len(names), BLOCK))
        return np.concatenate([matcher.features(block).astype(np.float32) for block in blocks])

    @cached_property
    def learnt(self) -> tuple[Array, Array]:
        """The features and labels of pairs to learn from."""
        places = self._learnt_places()
        return self.features(self.task.pairs[places]), self.task.labels[places]

    def _learnt_places(self) -> Array:
        draw = np.random.default_rng(0)
        right, wrong = (np.flatnonzero(self.task.labels == label) for label in (YES, NO))
        if len(wrong) > 2 * MOST:
            fitted = measure("soft-tfidf/3g").fit(self.task.names)
            scores = fitted.of_pairs(self.task.names, self.task.pairs[wrong])
            nearest = wrong[np.argsort(-scores, kind="stable")[:MOST]]
            wrong = np.union1d(nearest, draw.choice(wrong, MOST, replace=False))
        if len(right) > MOST:
            right = draw.choice(right, MOST, replace=False)
        return np.sort(np.concatenate([right, wrong]))


def learn(sets: Sequence[Featured]) -> NameMatcher:
    """A matcher of several sets."""
    learnt = [one.learnt for one in sets]
    values, labels = map(np.concatenate, zip(*learnt, strict=True))
    sizes = [len(one) for _, one in learnt]
    weights = np.repeat(len(values) / len(sets) / np.array(sizes), sizes)
    return NameMatcher(strength=STRENGTH).fit_features(values, labels, weights)


def by_other_sets(asked: Featured, others: Sequence[Featured]) -> Scored:
    """The probabilities of a matcher of the other sets."""
    matcher = learn([one for one in others if one is not asked])
    began = time.perf_counter()
    found = matcher.probabilities_of(asked.features(asked.task.pairs))
    return Scored("combined, of other sets", found, time.perf_counter() - began)


def by_folds(asked: Featured) -> Scored:
    """The probabilities of matchers that have learnt from pairs of names of other things.

    Things are what right pairs join; each is in one of five folds, and a pair is judged by a
    matcher of the pairs that have no name in its folds.
    """
    task, began = asked.task, time.perf_counter()
    values = asked.features(task.pairs)
    seconds = time.perf_counter() - began
    folds = np.array([*folds_of(task)])[task.pairs]
    scores = np.zeros(len(task.pairs))
    for one, other in combinations_with_replacement(range(FOLDS), 2):
        tested = (np.sort(folds, 1) == (one, other)).all(1)
        learnt = ~np.isin(folds, (one, other)).any(1)
        matcher = NameMatcher(strength=STRENGTH)
        matcher.fit_features(values[learnt], task.labels[learnt])
        began = time.perf_counter()
        scores[tested] = matcher.probabilities_of(values[tested])
        seconds += time.perf_counter() - began
    return Scored("combined, by folds", scores, seconds)


def folds_of(task: PairTask) -> Iterator[int]:
    """The fold of each name, which is that of the names that are one with it."""
    right = task.pairs[task.labels == YES]
    size = len(task.names)
    graph = coo_array((np.ones(len(right)), (right[:, 0], right[:, 1])), shape=(size, size))
    number, things = connected_components(graph, directed=False)
    folds: Mapping[int, int] = dict(enumerate(np.random.default_rng(0).permutation(number) % FOLDS))
    return (int(folds[thing]) for thing in things)
