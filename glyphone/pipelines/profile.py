"""Profiles: the items and candidates of each stage of a pipeline, and its seconds.

>>> from glyphone.data.records import Candidate
>>> found = Item("a b", (Candidate((0, 1), "a", "A"),))
>>> print(profile_page(["acme.find.v1"], [Counts.of([Item("a b")], [found], 0.5)]))
stage         items  failed  candidates in  out  rejected  seconds  items/s
acme.find.v1      1       0              0    1         0     0.50        2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

from glyphone.pipelines.registry import Item


@dataclass(frozen=True)
class Counts:
    """Items that a stage was given, with what in them; the seconds are those of its thread."""

    items: int = 0
    failed: int = 0
    before: int = 0
    after: int = 0
    rejected: int = 0
    seconds: float = 0.0

    @classmethod
    def of(cls, given: Sequence[Item], done: Sequence[Item], seconds: float) -> Counts:
        return cls(
            len(given),
            sum(item.error is not None for item in done),
            sum(len(item.candidates) for item in given),
            sum(len(item.candidates) for item in done),
            sum(len(item.rejected) for item in done) - sum(len(item.rejected) for item in given),
            seconds,
        )

    def __add__(self, other: Counts) -> Counts:
        return Counts(*map(sum, zip(astuple(self), astuple(other), strict=True)))


def profile_page(names: Sequence[str], stages: Sequence[Counts]) -> str:
    """The counts of the stages as a table."""
    from glyphone.io.tables import format_table

    head = ("stage", "items", "failed", "candidates in", "out", "rejected", "seconds", "items/s")
    lines: list[tuple[str, ...]] = [head]
    for name, counts in zip(names, stages, strict=True):
        numbers = map(str, astuple(counts)[:-1])
        speed = f"{counts.items / counts.seconds:,.0f}" if counts.seconds else ""
        lines.append((name, *numbers, f"{counts.seconds:.2f}", speed))
    return format_table(lines, "<>>>>>>>")
