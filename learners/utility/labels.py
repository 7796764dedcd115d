"""Probabilities of label sequences, and the decisions of decoders.

Labels y_1 .. y_n are 0 or 1. Independent ones are an array of n probabilities of 1. Where a label
depends on the m before it, there is a column for each history: column h holds the probability of 1
after the m labels that h has as binary digits, the latest last; before the first label all are 0.

>>> by_history(check_probabilities([0.9, 0.2])).shape
(2, 1)
>>> after_one = check_probabilities([[0.5, 0.5], [0.1, 0.9]])
>>> next_history(0, 1, histories=2), float(after_one[1, 1])
(1, 0.9)
>>> check_probabilities([0.5, 1.5])
Traceback (most recent call last):
    ...
glyphone.data.errors.GlyphoneError: at 1: 1.5 is no probability (it must be from 0 to 1)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.errors import GlyphoneError

Array = Any


class Decision(NamedTuple):
    """The labels that are decided for, and the utility or loss that is expected of them."""

    labels: Array
    value: float


def check_probabilities(probabilities: Any) -> Array:
    """Probabilities as an array of floats; anything else is refused with its place."""
    try:
        found = np.ascontiguousarray(probabilities, np.float64)
    except (TypeError, ValueError) as error:
        raise GlyphoneError(
            f"these are no probabilities: {error}",
            remedy="give numbers, one for each label or one row for each label",
        ) from error
    if found.ndim not in (1, 2):
        raise GlyphoneError(
            f"probabilities have {found.ndim} dimensions",
            remedy="give one number for each label or one row for each label",
        )
    if found.ndim == 2 and found.shape[1].bit_count() != 1:
        raise GlyphoneError(
            f"there are {found.shape[1]} probabilities for each label",
            remedy="there must be 1, 2, 4 ...: one for each history of the labels before it",
        )
    bad = np.argwhere(~((found >= 0) & (found <= 1)))
    if len(bad):
        place = tuple(bad[0].tolist())
        column = f"column {place[1]}: " if len(place) == 2 else ""
        raise GlyphoneError(
            f"{column}{found[place]} is no probability",
            offset=place[0],
            remedy="it must be from 0 to 1",
        )
    return found[:, 0] if found.ndim == 2 and found.shape[1] == 1 else found


def by_history(probabilities: Array) -> Array:
    """One row for each label, one column for each history."""
    return probabilities[:, None] if probabilities.ndim == 1 else probabilities


def next_history(history: int, label: int, *, histories: int) -> int:
    """The history after one more label."""
    return (2 * history + label) % histories


def check_labels(labels: Any, n: int) -> Array:
    """A hypothesis as an array of booleans, one for each of n labels."""
    given = np.asarray(labels)
    if given.shape != (n,):
        raise GlyphoneError(
            f"the hypothesis is of shape {given.shape}, with probabilities for {n} labels",
            remedy="give one label for each",
        )
    bad = np.flatnonzero(~((given == 0) | (given == 1)))
    if len(bad):
        raise GlyphoneError(
            f"{given[bad[0]]} is no label", offset=int(bad[0]), remedy="it must be 0 or 1"
        )
    return given.astype(bool)


def check_alpha(alpha: float) -> float:
    """The weight of recall in the F score."""
    if not 0 < alpha <= 1:
        raise GlyphoneError(f"alpha is {alpha}", remedy="it must be above 0 and at most 1")
    return float(alpha)
