"""Tests of labels and of pairs of labels that are true at the positions of sequences, as numbers.

The first token has no tests of pairs.

>>> seen, labels = observe_tests([Sequence(("a", "b"))], "*:%x[0,0]\\nB"), np.array([0, 0])
>>> found, data = Tests.learn(seen, labels)
>>> list(found.unigrams), list(found.bigrams)
(['*:a', '*:b'], ['*:b', 'b'])
"""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data.records import Sequence
from glyphone.learners.crf.kernels.arrays import Data
from glyphone.learners.sequences.observations import (
    Numbers,
    ObservedTests,
    Templates,
    known_numbers,
    number_tests,
    observe_tests,
    pack_rows,
)

Array = Any


@dataclass(frozen=True)
class Tests:
    """Numbers of tests, those of labels and those of pairs."""

    unigrams: Numbers
    bigrams: Numbers

    @classmethod
    def learn(cls, seen: ObservedTests, labels: Array, *, min_count: int = 1) -> tuple[Tests, Data]:
        """Tests that are true at so many positions, in the order of their first one, and where."""
        unigrams, of_labels = number_tests(*seen.with_marks("u*", before=0), min_count)
        bigrams, of_pairs = number_tests(*seen.with_marks("b*", before=1), min_count)
        return cls(unigrams, bigrams), data_of(seen.bounds, of_labels, of_pairs, labels)

    def data(self, sequences: Many[Sequence], templates: Templates, labels: Array) -> Data:
        """The known tests of all positions; labels one sequence behind the other."""
        seen = observe_tests(sequences, templates)
        of_labels = known_numbers(*seen.with_marks("u*", before=0), self.unigrams)
        of_pairs = known_numbers(*seen.with_marks("b*", before=1), self.bigrams)
        return data_of(seen.bounds, of_labels, of_pairs, labels)


def data_of(bounds: Array, unigrams: Array, bigrams: Array, labels: Array) -> Data:
    """The data of rows of numbers of tests, -1 for none, for kernels."""
    edges = np.full(len(bigrams), -1, np.int32)
    firsts, lengths = bounds[:-1], np.diff(bounds)
    changed = np.ones(len(edges), np.int64)
    changed[1:] = (bigrams[1:] != bigrams[:-1]).any(axis=1)
    changed[firsts[lengths > 0]] = 0
    changed[firsts[lengths > 1] + 1] = 1
    edges = np.cumsum(changed) - np.repeat(
        np.concatenate(([0], np.cumsum(changed)))[firsts], lengths
    )
    return Data(bounds, *pack_rows(unigrams), *pack_rows(bigrams), edges - 1, labels)
