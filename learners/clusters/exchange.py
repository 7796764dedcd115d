"""Classes of words by the exchange algorithm, until no word moves.

>>> from glyphone.learners.clusters.bigrams import count_bigrams, number_words
>>> text = [[article, noun] for article in ("a", "the") for noun in ("cat", "dog", "cow")]
>>> vocabulary, numbers = number_words(text, min_count=1)
>>> bigrams = count_bigrams(numbers, vocabulary.counts)
>>> tables = start_tables(bigrams, n_classes=2, seed=0)
>>> history = exchange(bigrams, tables, max_iter=5)
>>> vocabulary.words, tables.classes.tolist()
(['a', 'the', 'cat', 'cow', 'dog'], [1, 1, 0, 0, 0, 2])
>>> history[0].log_likelihood < history[-1].log_likelihood
True
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data import progress
from glyphone.data.kernels import jit
from glyphone.learners.clusters import exchange_kernels
from glyphone.learners.clusters.exchange_kernels import Bigrams, Tables

Array = Any
# Words between two looks at a terminal, and counts whose n ln n are looked up.
TOGETHER, LOOKED_UP = 500, 1 << 16


@dataclass(frozen=True)
class Pass:
    """The end of a pass over all words; the first is the start."""

    iteration: int
    moved: int
    log_likelihood: float
    perplexity: float

    def __str__(self) -> str:
        return (
            f"pass {self.iteration}: {self.moved:,} words moved, log-likelihood "
            f"{self.log_likelihood:,.1f}, perplexity {self.perplexity:,.2f}"
        )


def start_tables(bigrams: Bigrams, *, n_classes: int, seed: int) -> Tables:
    """Classes to begin with: one for each of the most frequent words, others drawn by chance."""
    n_words = len(bigrams.counts) - 1
    classes = np.random.default_rng(seed).integers(0, n_classes, n_words + 1)
    firsts = min(n_classes, n_words)
    classes[:firsts] = np.arange(firsts)
    classes[-1] = n_classes
    return tables_of(bigrams, classes, n_classes)


def tables_of(bigrams: Bigrams, classes: Array, n_classes: int) -> Tables:
    """The counts of given classes of words, the last of which is that of the boundary."""
    rows = np.zeros((n_classes + 1, n_classes + 1), np.int64)
    words = np.repeat(np.arange(len(classes)), np.diff(bigrams.after_starts))
    np.add.at(rows, (classes[words], classes[bigrams.after]), bigrams.after_counts)
    np.add.at(rows, (classes, classes), bigrams.doubled)
    sizes = np.bincount(classes, weights=bigrams.counts, minlength=n_classes + 1).astype(np.int64)
    logs = entropy_terms(np.arange(min(int(sizes.sum()) + 1, LOOKED_UP)))
    return Tables(classes.astype(np.int64), rows, np.ascontiguousarray(rows.T), sizes, logs)


def entropy_terms(counts: Array) -> Array:
    """n ln n of each count.

    >>> entropy_terms(np.array([0, 1])).tolist()
    [0.0, 0.0]
    """
    return counts * np.log(np.maximum(counts, 1))


def log_likelihood(bigrams: Bigrams, tables: Tables) -> float:
    """ln P of the text, boundaries included, by the bigram model of its classes."""
    parts = (tables.rows, 1.0), (tables.sizes, -2.0), (bigrams.counts, 1.0)
    return float(sum(factor * entropy_terms(part).sum() for part, factor in parts))


def exchange(
    bigrams: Bigrams,
    tables: Tables,
    *,
    max_iter: int,
    report: Callable[[Pass], None] = lambda _: None,
) -> list[Pass]:
    """Moves words, the most frequent first, until none does or `max_iter` passes are over."""
    n_words, total = len(bigrams.counts) - 1, int(bigrams.counts.sum())
    work = (len(bigrams.after) + n_words) * len(tables.sizes)
    kernels = jit.tier(exchange_kernels, work)
    history: list[Pass] = []

    def note(moved: int) -> None:
        found = log_likelihood(bigrams, tables)
        history.append(Pass(len(history), moved, found, math.exp(-found / total)))
        report(history[-1])

    note(0)
    with progress.step("moving words between classes, passes at most", max_iter) as passes:
        for _ in range(max_iter):
            moved = sum(
                kernels.move_words(bigrams, tables, begin, min(begin + TOGETHER, n_words))
                for begin in range(0, n_words, TOGETHER)
            )
            note(int(moved))
            passes.advance()
            if not moved:
                break
    return history
