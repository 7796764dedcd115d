"""Pairs of names of one list or of two that are compared: all of them where they are few, else
those that share rare words, trigrams or sounds.

>>> names = ["Ana Paz", "Paz, Ana", "Bo Li"]
>>> within(names).pairs.tolist(), between(names, ["Li Bo"]).possible
([[0, 1], [0, 2], [1, 2]], 3)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from glyphone.data.names.words import read_words
from glyphone.learners.matching.candidates import CandidateIndex
from glyphone.learners.matching.evidence import CORE

Array = Any
Words = Callable[[str], Sequence[str]]
# So many pairs are compared without an index.
FEW: Final = 10_000
# Candidates of each name that an index gives.
MOST: Final = 20


def words_of(name: str) -> list[str]:
    """The words of a name by which candidates are found: without titles, legal forms, particles.

    >>> words_of("Dr. Ana de la Paz"), words_of("Ltd.")
    (['ana', 'paz'], ['ltd'])
    """
    words = read_words(name)
    return [word.canonical for word in words if word.role in CORE] or [
        word.canonical for word in words
    ]


@dataclass(frozen=True)
class Candidates:
    """Pairs of places, in order, and how many pairs there are in all."""

    pairs: Array
    possible: int

    @property
    def summary(self) -> str:
        return f"{len(self.pairs)} of {self.possible} pairs are compared"


def within(
    names: Sequence[str],
    *,
    most: int = MOST,
    jobs: int | None = None,
    words: Words = words_of,
) -> Candidates:
    """The pairs of a list, the lower place first."""
    possible = len(names) * (len(names) - 1) // 2
    if possible <= FEW:
        return Candidates(np.stack(np.triu_indices(len(names), 1), 1), possible)
    index = CandidateIndex(names, words=words)
    return Candidates(index.pairs_within(most=most, workers=jobs or -1), possible)


def between(
    names: Sequence[str],
    others: Sequence[str],
    *,
    most: int = MOST,
    jobs: int | None = None,
    words: Words = words_of,
) -> Candidates:
    """Pairs of a place in a list and one in another."""
    possible = len(names) * len(others)
    if possible <= FEW:
        return Candidates(np.indices((len(names), len(others))).reshape(2, -1).T, possible)
    index = CandidateIndex(others, words=words)
    pairs = index.pairs_with(names, most=most, workers=jobs or -1)
    return Candidates(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))], possible)


def both_ways(pairs: Array) -> Array:
    """The pairs of a list from each of both names, in order.

    >>> both_ways(np.array([[0, 1], [0, 2]])).tolist()
    [[0, 1], [0, 2], [1, 0], [2, 0]]
    """
    doubled = np.concatenate([pairs, pairs[:, ::-1]])
    return np.unique(doubled, axis=0)
