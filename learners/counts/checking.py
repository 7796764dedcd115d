"""Checks of counts: whole numbers, not negative, and no more than there are tokens.

>>> counts_of([0, 2.0, 1]).tolist()
[0.0, 2.0, 1.0]
>>> counts_of([0, 2.5])
Traceback (most recent call last):
...
glyphone.learners.counts.checking.BadCounts: row 1: 2.5 is not a whole number (give counts...)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from glyphone.data.errors import GlyphoneError

Array = Any
WHOLE = "give counts, not shares or tf-idf"


class BadCounts(GlyphoneError, ValueError):
    """Not counts; scikit-learn expects a ValueError."""


def counts_of(values: Any, *, name: str = "counts") -> Array:
    """A vector of counts, one for each passage."""
    found = np.asarray(values)
    if found.ndim != 1 or len(found) == 0 or not np.issubdtype(found.dtype, np.number):
        raise BadCounts(f"{name}: shape {found.shape} of {found.dtype}", remedy="give a vector")
    found = found.astype(float)
    refuse_others(found, lambda place: f"row {place}")
    return found


def lengths_of(values: Any, counts: Array) -> Array:
    """A vector of lengths, none below the count of its passage."""
    found = counts_of(values, name="lengths")
    if len(found) != len(counts):
        raise BadCounts(f"{len(found)} lengths of {len(counts)} counts", remedy="give one for each")
    short = np.flatnonzero(found < counts)
    if len(short):
        row = int(short[0])
        raise BadCounts(
            f"row {row}: {counts[row]:g} occurrences among {found[row]:g} tokens",
            remedy="a length counts all tokens",
        )
    return found


def matrix_of(X: Any) -> Any:
    """A matrix of counts as a sparse one of rows, without stored zeros."""
    found = sparse.csr_matrix(X, dtype=np.float64)
    if not found.has_canonical_format or not found.data.all():
        found = found.copy()
        found.sum_duplicates()
        found.eliminate_zeros()

    def place(entry: int) -> str:
        row = int(np.searchsorted(found.indptr, entry, side="right")) - 1
        return f"row {row}, column {found.indices[entry]}"

    refuse_others(found.data, place)
    return found


def refuse_others(values: Array, place: Any) -> None:
    """Raises for the first value that is no count; `place` says where it is."""
    for wrong, message, remedy in (
        (np.isnan(values), "{} is NaN", "leave the row out, or fill it in"),
        (np.isinf(values), "{} is inf", "leave the row out, or fill it in"),
        # scikit-learn looks for these words.
        (values < 0, "{} is negative: Negative values in data are not counts", WHOLE),
        (values != np.floor(values), "{} is not a whole number", WHOLE),
    ):
        if wrong.any():
            at = int(np.argmax(wrong))
            raise BadCounts(f"{place(at)}: {message.format(f'{values[at]:g}')}", remedy=remedy)
