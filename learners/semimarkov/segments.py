"""Segments that are right, and candidates for segments, as arrays.

>>> sentences, labels = [Sequence(("a", "b", "c"))], [("B-x", "I-x", "O")]
>>> gold, too_long = gold_segments(labels, ("x",), max_length=5)
>>> gold.begins.tolist(), gold.lasts.tolist(), gold.classes.tolist(), gold.preceding.tolist()
([0, 2], [1, 2], [1, 0], [0, 1])
>>> kept = np.ones((3, 2), bool)
>>> found, missing = candidates_of(np.array([0, 3]), kept, gold)
>>> found.firsts.tolist(), found.begins.tolist(), found.gold.tolist()
([0, 1, 3, 5], [0, 1, 0, 2, 1], [-1, -1, 1, 0, -1])
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Many
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.records import Sequence as Sequence
from glyphone.data.treebanks.chunks import Phrase, phrases_of

Array = Any
STRANGE = -1


class Segments(NamedTuple):
    """Segments of sentences that stand one behind the other, in order, each O on its own.

    `classes` are kinds from 1 on, 0 for O, -1 for kinds that are not known; `preceding` are the
    classes of the last phrases before, 0 if there are none.
    """

    begins: Array
    lasts: Array
    classes: Array
    preceding: Array

    def phrases(self) -> Segments:
        """The segments that are phrases."""
        return Segments(*(column[self.classes != 0] for column in self))


class Candidates(NamedTuple):
    """Candidates for segments; see `Data`."""

    firsts: Array
    begins: Array
    open: Array
    gold: Array

    @property
    def lasts(self) -> Array:
        """The last token of each candidate."""
        return np.repeat(np.arange(len(self.firsts) - 1), np.diff(self.firsts))


def segments_of(phrases: Iterable[Phrase], length: int) -> list[Phrase]:
    """The phrases, and a segment of one token without a kind for each token outside them.

    >>> segments_of([Phrase(1, 3, "x")], 4)
    [Phrase(begin=0, end=1, kind=''), Phrase(begin=1, end=3, kind='x'), Phrase(begin=3, end=4, ...
    """
    found, place = list[Phrase](), 0
    for phrase in [*phrases, Phrase(length, length)]:
        found += [Phrase(k, k + 1) for k in range(place, phrase.begin)]
        found += [phrase] * (phrase.end > phrase.begin)
        place = phrase.end
    return found


def preceding_classes(classes: Iterable[int]) -> list[int]:
    """The class of the last phrase before each segment of a sentence, 0 if there is none.

    >>> preceding_classes([0, 1, 0, 0, 2])
    [0, 0, 1, 1, 1]
    """
    found, last = [], 0
    for one in classes:
        found.append(last)
        last = one or last
    return found


def gold_segments(
    labels: Iterable[Many[str]], kinds: Many[str], *, max_length: int
) -> tuple[Segments, list[int]]:
    """The segments of sentences with BIO labels, and the sentences of phrases that are too long.

    A phrase of more than `max_length` tokens is left out, its tokens are O.
    """
    numbers = {kind: k for k, kind in enumerate(kinds, 1)}
    rows: list[tuple[int, int, int]] = []
    preceding, too_long, first = list[int](), list[int](), 0
    for nth, given in enumerate(labels):
        phrases = phrases_of(given)
        short = [phrase for phrase in phrases if phrase.end - phrase.begin <= max_length]
        too_long += [nth] * (len(phrases) - len(short))
        taken = {phrase: numbers.get(phrase.kind, STRANGE) for phrase in short}
        found = segments_of(short, len(given))
        classes = [taken.get(segment, 0) for segment in found]
        rows += [
            (first + segment.begin, first + segment.end - 1, one)
            for segment, one in zip(found, classes, strict=True)
        ]
        preceding += preceding_classes(classes)
        first += len(given)
    begins, lasts, every = np.array(rows, np.int64).reshape(-1, 3).T
    return Segments(begins, lasts, every, np.array(preceding, np.int64)), too_long


def spans_within(bounds: Array, max_length: int) -> Array:
    """Whether a span of so many tokens and one more ends with each token, in its sentence.

    >>> spans_within(np.array([0, 2, 3]), 2).tolist()
    [[True, False], [True, True], [True, False]]
    """
    places = np.arange(bounds[-1]) - np.repeat(bounds[:-1], np.diff(bounds))
    found: Array = np.arange(max_length) <= places[:, None]
    return found


def candidates_of(
    bounds: Array, kept: Array, gold: Segments | None = None, *, forced: bool = False
) -> tuple[Candidates, Array]:
    """Candidates among spans, and the segments of `gold` that are none.

    A row of `kept` has the spans that end with a token, from those of one token on. Segments of
    `gold` are candidates in any case if they are `forced` to be.
    """
    kept = kept & spans_within(bounds, kept.shape[1])
    at = () if gold is None else (gold.lasts, gold.lasts - gold.begins)
    if gold is not None and forced:
        kept[at] |= gold.classes > 0
    there = kept.copy()
    there[:, 0] = True
    lasts, others = np.nonzero(there)
    firsts = np.concatenate(([0], np.cumsum(there.sum(axis=1))))
    marks = np.full(len(lasts), -1, np.int32)
    missing = np.zeros(0, np.int64)
    if gold is not None:
        valid = (gold.classes == 0) | ((gold.classes > 0) & kept[at])
        numbers = np.cumsum(there).reshape(there.shape)[at] - 1
        marks[numbers[valid]] = gold.classes[valid]
        missing = np.flatnonzero(~valid)
    begins = (lasts - others).astype(np.int32)
    return Candidates(firsts, begins, kept[lasts, others], marks), missing
