"""Labels as numbers, and masks of the labels that tokens may have.

>>> label_numbers([("b", "a"), ("c",)], ("a", "b")).tolist()
[1, 0, -1]
>>> mask_of([[None, ["a"]]], [Sequence(("x", "y"))], ("a", "b")).tolist()
[[True, True], [True, False]]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from collections.abc import Sequence as Many
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Sequence

Array = Any
Labels = tuple[str, ...]
# For each sequence the labels that each token may have; None: every label.
Allowed = Iterable[Many[Collection[str] | None] | None]


@dataclass(frozen=True)
class Labelling:
    """Labels of a sequence, and the probability of all of them together."""

    labels: Labels
    probability: float


def label_numbers(given: Iterable[Iterable[str]], names: Many[str]) -> Array:
    """The number of each label, one sequence behind the other; -1 for labels without a name."""
    number = {label: k for k, label in enumerate(names)}
    return np.array([number.get(label, -1) for some in given for label in some], np.int32)


def mask_of(allowed: Allowed, records: Many[Sequence], names: Many[str]) -> Array:
    """A row for each token, a column for each label.

    >>> mask_of([[["c"]]], [Sequence(("x",))], ("a", "b"))
    Traceback (most recent call last):
    glyphone.data.errors.GlyphoneError: sequence 1: item 'x': at 0: none of the labels ['c'] is ...
    """
    given = [*allowed]
    if len(given) != len(records):
        raise GlyphoneError(f"{len(records)} sequences, {len(given)} lists of allowed labels")
    rows = []
    for nth, (some, record) in enumerate(zip(given, records, strict=True), 1):
        each = [None] * len(record.tokens) if some is None else [*some]
        if len(each) != len(record.tokens):
            message = f"{len(record.tokens)} tokens, {len(each)} collections of allowed labels"
            raise _refusal(message, nth, record, None, "give one for each token, None for any")
        for place, may in enumerate(each):
            row = [may is None or name in may for name in names]
            if not any(row):
                message = f"none of the labels {sorted(may or ())} is known"
                raise _refusal(message, nth, record, place, f"allow one of {', '.join(names)}")
            rows.append(row)
    return np.array(rows, np.bool_).reshape(-1, len(names))


def _refusal(
    message: str, nth: int, record: Sequence, place: int | None, remedy: str
) -> GlyphoneError:
    item = " ".join(record.tokens) if place is None else record.tokens[place]
    path = f"sequence {nth}"
    return GlyphoneError(message, path=path, item=item, offset=place, remedy=remedy)
