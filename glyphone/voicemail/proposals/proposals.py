"""Proposals of the grammar in messages: candidates for telephone numbers, and other readings.

Readings stay rows of numbers, for they are many and few are read.

>>> from glyphone.voicemail.proposals.vocabulary import number_words
>>> words = [["meet", "at", "ten"]]
>>> rows, posteriors, bounds = np.array([[1, 3, 1]]), np.array([0.9]), np.array([0, 1])
>>> labels = ("telephone", "time")
>>> proposals = NumberProposals(number_words(words), labels, [[]], rows, posteriors, bounds)
>>> [reading.label for reading in proposals.readings_of(0)]
['time']
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.voicemail.proposals.vocabulary import NumberedWords
from glyphone.voicemail.records.candidates import NumberCandidate, OtherReading

Array = Any


@dataclass(frozen=True, eq=False)
class NumberProposals:
    """The candidates of each message, sorted by begin and end, and rows of other readings: begin,
    end, number of the label in `labels`; message k has rows[bounds[k]:bounds[k + 1]], sorted by
    begin, with their posteriors."""

    words: NumberedWords
    labels: tuple[str, ...]
    candidates: list[list[NumberCandidate]]
    rows: Array
    posteriors: Array
    bounds: Array

    def readings_of(self, message: int) -> list[OtherReading]:
        """The other readings of the words of a message."""
        part = slice(*self.bounds[message : message + 2].tolist())
        rows = zip(self.rows[part].tolist(), self.posteriors[part].tolist(), strict=True)
        return [
            OtherReading(begin, end, self.labels[kind], share) for (begin, end, kind), share in rows
        ]


def nearby_parts(parts: Array, rows: Array) -> tuple[Array, Array]:
    """For each row, the slice of the parts, sorted by begin, that may overlap it.

    Parts and rows are pairs of begin and end.

    >>> nearby_parts(np.array([[0, 2], [3, 4], [6, 7]]), np.array([[1, 4], [8, 9]]))
    (array([0, 3]), array([2, 3]))
    """
    longest = int(np.max(parts[:, 1] - parts[:, 0], initial=0))
    first = np.searchsorted(parts[:, 0], rows[:, 0] - longest, side="right")
    return first, np.searchsorted(parts[:, 0], rows[:, 1], side="left")
