"""Columns of codes for each place of a message, from which features are made.

A place is before a word, or behind the last one. Columns hold the forms and classes of words around
it, the distances to the next finite verb and the next subject, the classes of the next and the last
two informative words, and the distances back to the last name and the last preposition.

>>> telling = np.array([0, 0, 0, NAME, CLAUSE | TELLING, PREPOSITION | TELLING])
>>> forms = classes = np.array([3, 2, 5, 4], np.int32)
>>> rows = columns(forms, classes, np.array([0, 4]), telling, 9)
>>> rows.shape == (5, WIDTH), rows[1, FORM : FORM + 8].tolist()
(True, [0, 0, 3, 2, 5, 4, 1, 1])
>>> [rows[1, k].item() for k in (POSITION, NEXT_CLAUSE, NEXT_TWO, SINCE_NAME)]
[1, 2, 324, 1]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel

Array = Any

# Words before and behind a place of which form or class is looked at.
FORMS_BEFORE, FORMS_AFTER = 3, 5
CLASSES_BEFORE, CLASSES_AFTER = 4, 7
FORM = 0
CLASS = FORM + FORMS_BEFORE + FORMS_AFTER
NEXT_CLAUSE = CLASS + CLASSES_BEFORE + CLASSES_AFTER
NEXT_SUBJECT, NEXT_TWO, LAST_TWO, SINCE_NAME, SINCE_PREPOSITION, POSITION = range(
    NEXT_CLAUSE + 1, NEXT_CLAUSE + 7
)
WIDTH = POSITION + 1
# The greatest distance, and the position from which on places are alike.
FAR, LATE = 8, 12
BEFORE, END = 0, 1
# Roles of classes, as bits of `telling`; and a base for two classes in one column.
CLAUSE, SUBJECT, NAME, PREPOSITION, TELLING = 1, 2, 4, 8, 16
BASE = 64


@kernel
def columns(forms: Array, classes: Array, bounds: Array, telling: Array, most: int) -> Array:
    """Rows for the places of messages of which message k has words bounds[k] to bounds[k + 1].

    No more than `most` words have places; words behind them are looked at. telling[c] has the bits
    of class c.
    """
    total = 0
    for k in range(len(bounds) - 1):
        total += min(bounds[k + 1] - bounds[k], most) + 1
    found = np.zeros((total, WIDTH), np.int32)
    row = 0
    for k in range(len(bounds) - 1):
        first, last = bounds[k], bounds[k + 1]
        for place in range(first, first + min(last - first, most) + 1):
            around(forms, classes, first, place, last, found[row])
            ahead(classes, place, last, telling, found[row])
            back(classes, first, place, telling, found[row])
            found[row, POSITION] = min(place - first, LATE)
            row += 1
    return found


@kernel
def around(forms: Array, classes: Array, first: int, place: int, last: int, row: Array) -> None:
    for k in range(FORMS_BEFORE + FORMS_AFTER):
        at = place + k - FORMS_BEFORE
        row[FORM + k] = BEFORE if at < first else END if at >= last else forms[at]
    for k in range(CLASSES_BEFORE + CLASSES_AFTER):
        at = place + k - CLASSES_BEFORE
        row[CLASS + k] = BEFORE if at < first else END if at >= last else classes[at]


@kernel
def ahead(classes: Array, place: int, last: int, telling: Array, row: Array) -> None:
    row[NEXT_CLAUSE] = row[NEXT_SUBJECT] = FAR
    seen = 0
    for k in range(FAR):
        if place + k >= last:
            break
        kind = classes[place + k]
        bits = telling[kind]
        if bits & CLAUSE and row[NEXT_CLAUSE] == FAR:
            row[NEXT_CLAUSE] = k
        if bits & SUBJECT and row[NEXT_SUBJECT] == FAR:
            row[NEXT_SUBJECT] = k
        if bits & TELLING and seen < 2:
            row[NEXT_TWO] = row[NEXT_TWO] * BASE + kind
            seen += 1


@kernel
def back(classes: Array, first: int, place: int, telling: Array, row: Array) -> None:
    row[SINCE_NAME] = row[SINCE_PREPOSITION] = FAR
    seen = 0
    for k in range(1, FAR + 1):
        if place - k < first:
            break
        kind = classes[place - k]
        bits = telling[kind]
        if bits & PREPOSITION and row[SINCE_PREPOSITION] == FAR:
            row[SINCE_PREPOSITION] = k
        if bits & TELLING and seen < 2:
            row[LAST_TWO] = row[LAST_TWO] * BASE + kind
            seen += 1
        if bits & NAME:
            row[SINCE_NAME] = k
            break
