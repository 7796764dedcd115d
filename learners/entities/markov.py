"""A conditional Markov model of labels (Jansche 2002): probabilities of a sentence's labels.

From joint models of words and labels and of words, both of first order, all cancels but

    P(t | w) = prod_i T(t_i | context of i, t_{i-1})

T is one Witten-Bell chain of contexts, or several mixed log-linearly: `markov_kernels`, `mixing`.

>>> sentences = [Sequence(("the", "cat")), Sequence(("a", "dog"))]
>>> legal = np.ones((3, 2), bool)
>>> labels, options = np.array([0, 1, 0, 1]), {"legal": legal, "start": 2, "least": 1, "cv": 0}
>>> model = MarkovModel.learn(sentences, labels, [["word", "word-1"]], **options)
>>> model.best_labels([Sequence(("a", "cat"))]).tolist()
[0, 1]
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Many
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.data.records import Sequence
from glyphone.learners.entities import markov_kernels, mixing
from glyphone.learners.entities.markov_kernels import Counts
from glyphone.learners.sequences.contexts import Contexts

Array = Any
Chains = Many[Many[str]]
# Scores that are in memory at once, and estimates that are enough to find a few dozen weights.
BLOCK, HELD_OUT = 1 << 20, 1 << 23


@dataclass(frozen=True, eq=False)
class MarkovModel:
    """Contexts, counts and weights; `start` stands before the first label of a sentence.

    `biases` has a row for each label before, and one for `start` where that is no label.
    """

    contexts: Contexts
    counts: Counts
    order: Array
    cuts: Array
    start: int
    weights: Array
    biases: Array

    @classmethod
    def learn(
        cls,
        sentences: Many[Sequence],
        labels: Array,
        chains: Chains,
        *,
        legal: Array,
        start: int,
        least: int,
        cv: int,
    ) -> MarkovModel:
        """A model of sentences whose labels, one behind the other, are numbers.

        Weights of several chains are found by cross-validation over `cv` stretches of text; they
        are equal if `cv` is 0. See `Contexts` for `least`.
        """
        every = list(dict.fromkeys(context for chain in chains for context in chain))
        order = np.array([every.index(context) for chain in chains for context in chain], np.int64)
        contexts, seen = Contexts.learn(sentences, every, least=least)
        before = labels_before(labels, bounds_of(sentences), start)
        weights, biases = mixing.even_weights(len(chains), legal)
        if cv:
            held, chosen = held_out(
                sentences, labels, before, cv,
                lambda inside, given: cls.learn(
                    inside, given, chains, legal=legal, start=start, least=least, cv=0
                ),
            )  # fmt: skip
            weights, biases = mixing.fit_weights(held, labels[chosen], before[chosen], legal)
        counts = count_labels(seen, before, labels, legal.shape, contexts.size)
        cuts = np.cumsum([0, *map(len, chains)])
        return cls(contexts, counts, order, cuts, start, weights, biases)

    def log_estimates(self, contexts: Array, before: Array) -> Array:
        """Log probabilities of labels, by each chain."""
        work = len(contexts) * len(self.order)
        kernels = jit.tier(markov_kernels, work)
        found: Array = kernels.estimates(contexts, before, self.counts, self.order, self.cuts)
        return found

    def log_scores(self, contexts: Array) -> Array:
        """Log probabilities of labels for each token, behind each label that may stand before."""
        rows = [
            mixing.mix_estimates(
                self.log_estimates(contexts, before), before, self.weights, self.biases
            )
            for before in (np.full(len(contexts), p) for p in range(len(self.biases)))
        ]
        return np.stack(rows, axis=1)

    def best_labels(self, sentences: Many[Sequence]) -> Array:
        """The best labels, one sentence behind the other."""
        bounds, first, found = bounds_of(sentences), 0, [np.zeros(0, np.int64)]
        room = BLOCK // self.biases.size
        while first < len(sentences):
            last = int(np.searchsorted(bounds, bounds[first] + room, side="right")) - 1
            last = max(last, first + 1)
            scores = self.log_scores(self.contexts.numbers_for(sentences[first:last]))
            kernels = jit.tier(markov_kernels, scores.size)
            inside = bounds[first : last + 1] - bounds[first]
            found.append(kernels.best_labels(scores, inside, self.start))
            first = last
        return np.concatenate(found)


def held_out(
    sentences: Many[Sequence],
    labels: Array,
    before: Array,
    cv: int,
    learn: Callable[[Many[Sequence], Array], MarkovModel],
) -> tuple[Array, Array]:
    """Estimates for tokens by models of the other stretches of a text, and which tokens."""
    bounds = bounds_of(sentences)
    held, tokens, step = [], [], 0
    for part in np.array_split(np.arange(len(sentences)), cv):
        first, last = part[0], part[-1] + 1
        inside = np.arange(bounds[first], bounds[last])
        rest = [*sentences[:first], *sentences[last:]]
        model = learn(rest, np.delete(labels, inside))
        step = step or -(-len(labels) * len(model.weights) * model.counts.n_labels // HELD_OUT)
        contexts = model.contexts.numbers_for(sentences[first:last])[::step]
        held.append(model.log_estimates(contexts, before[inside[::step]]))
        tokens.append(inside[::step])
    return np.concatenate(held), np.concatenate(tokens)


def bounds_of(sentences: Many[Sequence]) -> Array:
    """Where sentences begin, and the last ends, if they lie one behind the other."""
    return np.cumsum([0, *(len(sentence.tokens) for sentence in sentences)])


def labels_before(labels: Array, bounds: Array, start: int) -> Array:
    """The label before each.

    >>> labels_before(np.array([1, 2, 3]), np.array([0, 2, 2, 3]), 9).tolist()
    [9, 1, 9]
    """
    found = np.concatenate(([start], labels[:-1]))
    firsts = bounds[:-1][np.diff(bounds) > 0]
    found[firsts] = start
    return found


def count_labels(
    contexts: Array, before: Array, labels: Array, shape: tuple[int, int], size: int
) -> Counts:
    """Labels behind labels in contexts, which are numbers below `size`."""
    n_before, n_labels = shape
    rows = contexts.astype(np.int64) * n_before + before[:, None]
    different, counts = np.unique(rows * n_labels + labels[:, None], return_counts=True)
    starts = np.searchsorted(different // n_labels, np.arange(size * n_before + 1))
    return Counts(
        starts.astype(np.int32), (different % n_labels).astype(np.int32), counts.astype(np.int32),
        n_before, n_labels,
    )  # fmt: skip
