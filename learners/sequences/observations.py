"""Tests that are true at the positions of sequences, as numbers.

Templates are patterns as text, see `patterns`, or a function of a sequence that gives a list of
tests for each of its tokens. The first letter of a test is its mark: u tests go with labels, b
tests with pairs of labels, * tests with both.

>>> seen = observe_tests([Sequence(("a", "b"))], "*:%x[0,0]\\nB")
>>> seen.texts, seen.rows.tolist()
(['*:a', '*:b', 'b'], [[0, 2], [1, 2]])
>>> def shapes(sequence: Sequence) -> list[list[str]]:
...     return [["u:number" if token.isdigit() else "u:word"] for token in sequence.tokens]
>>> observe_tests([Sequence(("a", "1"))], shapes).texts
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
from glyphone.learners.sequences.patterns import MARKS, Pattern, SequenceColumns, parse_patterns

Array = Any
Function = Callable[[Sequence], Iterable[Iterable[str]]]
Templates = str | Function | Many[Pattern]
Numbers = dict[str, int]


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

    def with_marks(self, marks: str, *, before: int) -> tuple[Array, list[str]]:
        """The rows of tests with some marks, and all texts.

        Where fewer than `before` tokens stand before a position, it has none.
        """
        marked = np.isin(self.marks, [*marks])
        rows = np.where(marked[self.rows], self.rows, -1)
        lengths = np.diff(self.bounds)
        rows[np.arange(len(rows)) - np.repeat(self.bounds[:-1], lengths) < before] = -1
        return rows[:, (rows >= 0).any(axis=0)], self.texts


def pack_rows(rows: Array) -> tuple[Array, Array]:
    """Where the tests of each position begin, and the tests."""
    there = rows >= 0
    starts = np.concatenate(([0], np.cumsum(there.sum(axis=1))))
    return starts, rows[there].astype(np.int32)


def number_tests(rows: Array, texts: list[str], min_count: int) -> tuple[Numbers, Array]:
    """Tests that are true often enough, numbered in the order of their first position."""
    seen, places = rows[rows >= 0], np.zeros(len(texts), np.int64)
    places[seen[::-1]] = np.arange(len(seen))  # the first position of each: written last, it stays
    enough = np.flatnonzero(np.bincount(seen, minlength=len(texts)) >= min_count)
    order = enough[np.argsort(-places[enough])]
    numbers = np.full(len(texts) + 1, -1)
    numbers[order] = np.arange(len(order))
    return {texts[k]: n for n, k in enumerate(order.tolist())}, numbers[rows]


def known_numbers(rows: Array, texts: list[str], known: Numbers) -> Array:
    """Rows of tests by the numbers that they are known by, -1 for those that are not."""
    return np.array([*(known.get(text, -1) for text in texts), -1], np.int32)[rows]


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
