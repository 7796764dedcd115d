"""Tests that are true at the positions of sequences, as numbers.

Templates are patterns as text, see `patterns`, or a function of a sequence that gives a list of
tests for each of its tokens. The first letter of a test is its mark: u tests go with labels, b
tests with pairs of labels, * tests with both. The first token has no tests of pairs.

>>> seen, labels = observe_tests([Sequence(("a", "b"))], "*:%x[0,0]\\nB"), np.array([0, 0])
>>> found, data = Tests.learn(seen, labels)
>>> list(found.unigrams), list(found.bigrams)
(['*:a', '*:b'], ['*:b', 'b'])
>>> def shapes(sequence: Sequence) -> list[list[str]]:
...     return [["u:number" if token.isdigit() else "u:word"] for token in sequence.tokens]
>>> found, data = Tests.learn(observe_tests([Sequence(("a", "1"))], shapes), labels)
>>> list(found.unigrams)
['u:word', 'u:number']
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from collections.abc import Sequence as Many
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Sequence
from glyphone.learners.crf.features.patterns import MARKS, Pattern, SequenceColumns, parse_patterns
from glyphone.learners.crf.kernels.arrays import Data

Array = Any
Function = Callable[[Sequence], Iterable[Iterable[str]]]
Templates = str | Function | Many[Pattern]
Numbers = dict[str, int]


@dataclass(frozen=True)
class Tests:
    """Numbers of tests, those of labels and those of pairs."""

    unigrams: Numbers
    bigrams: Numbers

    @classmethod
    def learn(cls, seen: ObservedTests, labels: Array, *, min_count: int = 1) -> tuple[Tests, Data]:
        """Tests that are true at so many positions, in the order of their first one, and where."""
        families = [_number_tests(*seen.with_marks(marks), min_count) for marks in ("u*", "b*")]
        (unigrams, of_labels), (bigrams, of_pairs) = families
        return cls(unigrams, bigrams), seen.data(of_labels, of_pairs, labels)

    def data(self, sequences: Many[Sequence], templates: Templates, labels: Array) -> Data:
        """The known tests of all positions; labels one sequence behind the other."""
        seen = observe_tests(sequences, templates)
        found: list[Array] = []
        for marks, known in (("u*", self.unigrams), ("b*", self.bigrams)):
            rows, texts = seen.with_marks(marks)
            numbers = np.array([*(known.get(text, -1) for text in texts), -1], np.int32)
            found.append(numbers[rows])
        of_labels, of_pairs = found
        return seen.data(of_labels, of_pairs, labels)


@dataclass(frozen=True, eq=False)
class ObservedTests:
    """For each position a row of tests by number, -1 for none, and the texts of the tests."""

    bounds: Array
    rows: Array
    texts: list[str]

    @cached_property
    def marks(self) -> Array:
        """The mark of each text, and a blank for the number -1."""
        return np.array([*(text[0] for text in self.texts), " "])

    def with_marks(self, marks: str) -> tuple[Array, list[str]]:
        """The rows of tests with some marks, without pairs at the first position; and all texts."""
        marked = np.isin(self.marks, [*marks])
        rows = np.where(marked[self.rows], self.rows, -1)
        if "b" in marks:
            rows[self.bounds[:-1][np.diff(self.bounds) > 0]] = -1
        return rows[:, (rows >= 0).any(axis=0)], self.texts

    def data(self, unigrams: Array, bigrams: Array, labels: Array) -> Data:
        """The data of rows of numbers, for kernels."""
        edges = np.full(len(bigrams), -1, np.int32)
        firsts, lengths = self.bounds[:-1], np.diff(self.bounds)
        changed = np.ones(len(edges), np.int64)
        changed[1:] = (bigrams[1:] != bigrams[:-1]).any(axis=1)
        changed[firsts[lengths > 0]] = 0
        changed[firsts[lengths > 1] + 1] = 1
        edges = np.cumsum(changed) - np.repeat(
            np.concatenate(([0], np.cumsum(changed)))[firsts], lengths
        )
        return Data(self.bounds, *_pack_rows(unigrams), *_pack_rows(bigrams), edges - 1, labels)


def _pack_rows(rows: Array) -> tuple[Array, Array]:
    """Where the tests of each position begin, and the tests."""
    there = rows >= 0
    starts = np.concatenate(([0], np.cumsum(there.sum(axis=1))))
    return starts, rows[there].astype(np.int32)


def _number_tests(rows: Array, texts: list[str], min_count: int) -> tuple[Numbers, Array]:
    """Tests that are true often enough, numbered in the order of their first position."""
    seen, places = rows[rows >= 0], np.zeros(len(texts), np.int64)
    places[seen[::-1]] = np.arange(len(seen))  # the first position of each: written last, it stays
    enough = np.flatnonzero(np.bincount(seen, minlength=len(texts)) >= min_count)
    order = enough[np.argsort(-places[enough])]
    numbers = np.full(len(texts) + 1, -1)
    numbers[order] = np.arange(len(order))
    return {texts[k]: n for n, k in enumerate(order.tolist())}, numbers[rows]


def observe_tests(sequences: Many[Sequence], templates: Templates) -> ObservedTests:
    """The tests that are true at all positions."""
    if callable(templates):
        return _tests_by_function(sequences, templates)
    patterns = patterns_of(templates) if isinstance(templates, str) else templates
    columns = SequenceColumns(sequences)
    numbers: dict[str, int] = defaultdict(count().__next__)
    rows = np.empty((len(columns.firsts), len(patterns)), np.int32)
    for k, pattern in enumerate(patterns):
        codes, texts = pattern.tests(columns)
        rows[:, k] = np.array([numbers[text] for text in texts], np.int32)[codes]
    return ObservedTests(columns.bounds, _without_repeats(rows), [*numbers])


def pattern_values(sequences: Many[Sequence], pattern: str) -> list[str]:
    """The test of one pattern at each token.

    >>> pattern_values([Sequence(("a", "b"))], "u:%x[0,0]")
    ['u:a', 'u:b']
    """
    (one,) = patterns_of(pattern)
    numbers, texts = one.tests(SequenceColumns(sequences))
    return [texts[k] for k in numbers.tolist()]


def patterns_of(text: str) -> list[Pattern]:
    found = parse_patterns(text)
    if not found:
        raise GlyphoneError("there is no pattern", remedy="write one in each line, U:%x[0,0]")
    return found


def _tests_by_function(sequences: Many[Sequence], function: Function) -> ObservedTests:
    numbers: dict[str, int] = defaultdict(count().__next__)
    rows: list[list[int]] = []
    for sequence in sequences:
        found = [*function(sequence)]
        if len(found) != len(sequence.tokens):
            raise GlyphoneError(
                f"{len(sequence.tokens)} tokens have {len(found)} lists of tests",
                item=" ".join(sequence.tokens),
                remedy="let the function of templates give one list for each token",
            )
        rows += [[numbers[_lower_mark(test)] for test in tests] for tests in found]
    bounds = np.cumsum([0, *(len(sequence.tokens) for sequence in sequences)])
    width = max(map(len, rows), default=0)
    wide = np.full((len(rows), width), -1, np.int32)
    there = np.arange(width) < np.array([*map(len, rows)], np.int64)[:, None]
    wide[there] = np.array([*chain.from_iterable(rows)], np.int32)
    return ObservedTests(bounds, _without_repeats(wide), [*numbers])


def _lower_mark(test: str) -> str:
    """A test with its mark in small letters.

    >>> _lower_mark("Q:a")
    Traceback (most recent call last):
    glyphone.data.errors.GlyphoneError: no test: 'Q:a' (let it begin with u for labels, b for ...)
    """
    if not test or test[0] not in MARKS:
        remedy = "let it begin with u for labels, b for pairs of labels, * for both"
        raise GlyphoneError(f"no test: {test!r}", remedy=remedy)
    return test[0].lower() + test[1:]


def _without_repeats(rows: Array) -> Array:
    """Rows in which no test is twice.

    >>> _without_repeats(np.array([[0, 1, 0], [1, 2, 3]])).tolist()
    [[0, 1, -1], [1, 2, 3]]
    """
    ordered = np.sort(rows, axis=1)
    if ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).any():
        for k in range(1, rows.shape[1]):
            again = (rows[:, :k] == rows[:, k : k + 1]).any(axis=1)
            rows[again, k] = -1
    return rows
