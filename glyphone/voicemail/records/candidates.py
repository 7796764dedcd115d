"""Candidates for telephone numbers in a message, and other readings of their words.

>>> candidate = NumberCandidate(0, 2, "9085551212", extension="12")
>>> candidate.display, candidate.groups
('908-555-1212 x12', ('908', '555', '1212'))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

# The digits in each group of a number, by its length; numbers of other lengths are one group.
GROUPS = {7: (3, 4), 10: (3, 3, 4), 11: (1, 3, 3, 4)}


class OtherReading(NamedTuple):
    """Words from `begin` to before `end` read as a `label` other than a telephone number."""

    begin: int
    end: int
    label: str
    posterior: float


class Alternative(NamedTuple):
    """Digits that the words of a candidate may mean, and their share among the alternatives."""

    digits: str
    extension: str
    posterior: float


@dataclass(frozen=True)
class NumberCandidate:
    """Words from `begin` to before `end` that may be a telephone number, and its digits.

    `posterior` is the share of the span, as a telephone number, among all readings of the message
    by the grammar; `edges` is the lower posterior of its two bounds. Posteriors of the
    `alternatives`, best first, sum to 1. `maximal`: no other candidate has these words and more.
    `support` counts the other mentions of the number; `replaced_by` is the place of the candidate
    that corrects this one, in the list of the message. `score` is the probability that the span is
    exactly a telephone number; a candidate that is not `kept` has a `reason` in a few words.
    """

    begin: int
    end: int
    digits: str
    extension: str = ""
    posterior: float = 1.0
    edges: float = 1.0
    alternatives: tuple[Alternative, ...] = ()
    readings: tuple[OtherReading, ...] = ()
    maximal: bool = True
    area: bool = False
    corrected: bool = False
    hesitant: bool = False
    support: int = 0
    replaced_by: int | None = None
    score: float = 0.0
    kept: bool = False
    reason: str = ""

    @property
    def span(self) -> tuple[int, int]:
        return self.begin, self.end

    def overlaps(self, other: NumberCandidate | OtherReading) -> bool:
        return self.begin < other.end and other.begin < self.end

    @property
    def groups(self) -> tuple[str, ...]:
        """The digits in groups of three and four, where the length is usual."""
        groups, begin = [], 0
        for size in GROUPS.get(len(self.digits), (len(self.digits),)):
            groups.append(self.digits[begin : begin + size])
            begin += size
        return tuple(groups)

    @property
    def display(self) -> str:
        return "-".join(self.groups) + (f" x{self.extension}" if self.extension else "")


def make_candidate(**values: Any) -> NumberCandidate:
    """A candidate of some values; five times faster than the constructor.

    >>> make_candidate(begin=0, end=2, digits="911") == NumberCandidate(0, 2, "911")
    True
    """
    return change_candidate(EMPTY, **values)


def change_candidate(old: NumberCandidate, **values: Any) -> NumberCandidate:
    """A copy with other values; five times faster than `dataclasses.replace`.

    >>> change_candidate(NumberCandidate(0, 2, "911"), kept=True).kept
    True
    """
    candidate = object.__new__(NumberCandidate)
    candidate.__dict__.update(old.__dict__, **values)
    return candidate


EMPTY = NumberCandidate(0, 0, "")
