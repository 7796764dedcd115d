"""What is found in a message: candidates for telephone numbers, and what else their words may be.

>>> candidate = NumberCandidate(0, 2, "9085551212", extension="12")
>>> candidate.display, candidate.groups
('908-555-1212 x12', ('908', '555', '1212'))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

# How many digits stand in each group of a number; others are not cut.
GROUPS = {7: (3, 4), 10: (3, 3, 4), 11: (1, 3, 3, 4)}


class Reading(NamedTuple):
    """Words from `begin` to before `end` read as a `label` other than a telephone number."""

    begin: int
    end: int
    label: str
    posterior: float


class Alternative(NamedTuple):
    """What the words of a candidate may come to, and its share of all that they may."""

    digits: str
    extension: str
    posterior: float


@dataclass(frozen=True)
class NumberCandidate:
    """Words from `begin` to before `end` that may be a telephone number, and its digits.

    `posterior` is the share that the span has, as a telephone number, of all readings of the
    message by the grammar, and `edges` that of readings that have bounds where it begins and ends;
    the shares of the `alternatives`, best first, are of those of the span. `maximal` says that no
    other candidate has these words and more. `support` counts the other mentions of the number,
    `replaced_by` is the place of the candidate that corrects this one, in the list that both are
    in. `score` is the probability that it is a telephone number and all of one, by whoever decided
    whether it is `kept`; if it is not, `reason` says why in a few words.
    """

    begin: int
    end: int
    digits: str
    extension: str = ""
    posterior: float = 1.0
    edges: float = 1.0
    alternatives: tuple[Alternative, ...] = ()
    readings: tuple[Reading, ...] = ()
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

    def overlaps(self, other: NumberCandidate | Reading) -> bool:
        return self.begin < other.end and other.begin < self.end

    @property
    def groups(self) -> tuple[str, ...]:
        """The digits as they are written: in three and four, where the length is usual."""
        groups, begin = [], 0
        for size in GROUPS.get(len(self.digits), (len(self.digits),)):
            groups.append(self.digits[begin : begin + size])
            begin += size
        return tuple(groups)

    @property
    def display(self) -> str:
        return "-".join(self.groups) + (f" x{self.extension}" if self.extension else "")


def made(**values: Any) -> NumberCandidate:
    """A candidate of some values, as by its name, which takes five times as long.

    >>> made(begin=0, end=2, digits="911") == NumberCandidate(0, 2, "911")
    True
    """
    return changed(EMPTY, **values)


def changed(one: NumberCandidate, **values: Any) -> NumberCandidate:
    """It with other values, as `dataclasses.replace`, which takes five times as long.

    >>> changed(NumberCandidate(0, 2, "911"), kept=True).kept
    True
    """
    found = object.__new__(NumberCandidate)
    found.__dict__.update(one.__dict__, **values)
    return found


EMPTY = NumberCandidate(0, 0, "")
