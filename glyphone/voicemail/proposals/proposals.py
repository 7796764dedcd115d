"""What the grammar proposes in messages: candidates for telephone numbers, and other readings.

Readings stay rows of numbers, for there are many of them and hardly anyone looks at one.

>>> from glyphone.voicemail.proposals.vocabulary import numbered
>>> words = [["meet", "at", "ten"]]
>>> rows, posteriors, bounds = np.array([[1, 3, 1]]), np.array([0.9]), np.array([0, 1])
>>> proposals = Proposals(numbered(words), ("telephone", "time"), [[]], rows, posteriors, bounds)
>>> [reading.label for reading in proposals.readings(0)]
['time']
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.voicemail.proposals.vocabulary import Numbered
from glyphone.voicemail.records.candidates import NumberCandidate, Reading

Array = Any


@dataclass(frozen=True, eq=False)
class Proposals:
    """The candidates of each message, by where they begin and end, and rows of what else words may
    be: begin, end, the number of the label among `labels`; message k has rows[bounds[k]:bounds[k +
    1]], sorted by begin, with their posteriors."""

    words: Numbered
    labels: tuple[str, ...]
    candidates: list[list[NumberCandidate]]
    rows: Array
    posteriors: Array
    bounds: Array

    def readings(self, message: int) -> list[Reading]:
        """What else the words of a message may be."""
        part = slice(*self.bounds[message : message + 2].tolist())
        rows = zip(self.rows[part].tolist(), self.posteriors[part].tolist(), strict=True)
        return [Reading(begin, end, self.labels[kind], share) for (begin, end, kind), share in rows]


def near(parts: Array, rows: Array) -> tuple[Array, Array]:
    """The first and behind the last of some parts, sorted by begin, that may have places in common
    with each row; both are begins and ends.

    >>> near(np.array([[0, 2], [3, 4], [6, 7]]), np.array([[1, 4], [8, 9]]))
    (array([0, 3]), array([2, 3]))
    """
    longest = int(np.max(parts[:, 1] - parts[:, 0], initial=0))
    first = np.searchsorted(parts[:, 0], rows[:, 0] - longest, side="right")
    return first, np.searchsorted(parts[:, 0], rows[:, 1], side="left")
