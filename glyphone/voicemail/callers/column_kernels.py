"""Kernels: columns of codes for each place of a message, from which features are made.

A place is before a word, or behind the last one. Columns hold the forms and classes of words around
it, the distances to the next finite verb and the next subject, the classes of the next and the last
two informative words, and the distances back to the last name and the last preposition.

>>> roles = np.array([0, 0, 0, NAME, CLAUSE | INFORMATIVE, PREPOSITION | INFORMATIVE])
>>> forms = classes = np.array([3, 2, 5, 4], np.int32)
>>> rows = place_columns(forms, classes, np.array([0, 4]), roles, 9)
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

# Words before and behind a place whose forms or classes are columns.
FORMS_BEFORE, FORMS_AFTER = 3, 5
CLASSES_BEFORE, CLASSES_AFTER = 4, 7
FORM = 0
CLASS = FORM + FORMS_BEFORE + FORMS_AFTER
NEXT_CLAUSE = CLASS + CLASSES_BEFORE + CLASSES_AFTER
NEXT_SUBJECT, NEXT_TWO, LAST_TWO, SINCE_NAME, SINCE_PREPOSITION, POSITION = range(
    NEXT_CLAUSE + 1, NEXT_CLAUSE + 7
)
WIDTH = POSITION + 1
# The greatest distance, and the greatest position; greater ones have the same code.
FAR, LATE = 8, 12
BEFORE, END = 0, 1
# Roles of classes, as bits of `roles`; and a base for two classes in one column.
CLAUSE, SUBJECT, NAME, PREPOSITION, INFORMATIVE = 1, 2, 4, 8, 16
BASE = 64


@kernel
def place_columns(forms: Array, classes: Array, bounds: Array, roles: Array, most: int) -> Array:
    """A row of columns for each place; message k has the words bounds[k] to bounds[k + 1].

    The first `most` words of a message have places; their columns may describe words behind them.
    roles[c] has the bits of class c.
    """
    total = 0
    for k in range(len(bounds) - 1):
        total += min(bounds[k + 1] - bounds[k], most) + 1
    rows = np.zeros((total, WIDTH), np.int32)
    row = 0
    for k in range(len(bounds) - 1):
        first, last = bounds[k], bounds[k + 1]
        for place in range(first, first + min(last - first, most) + 1):
            write_surroundings(forms, classes, first, place, last, rows[row])
            write_next_classes(classes, place, last, roles, rows[row])
            write_last_classes(classes, first, place, roles, rows[row])
            rows[row, POSITION] = min(place - first, LATE)
            row += 1
    return rows


@kernel
def write_surroundings(
    forms: Array, classes: Array, first: int, place: int, last: int, row: Array
) -> None:
    for k in range(FORMS_BEFORE + FORMS_AFTER):
        at = place + k - FORMS_BEFORE
        row[FORM + k] = BEFORE if at < first else END if at >= last else forms[at]
    for k in range(CLASSES_BEFORE + CLASSES_AFTER):
        at = place + k - CLASSES_BEFORE
        row[CLASS + k] = BEFORE if at < first else END if at >= last else classes[at]


@kernel
def write_next_classes(classes: Array, place: int, last: int, roles: Array, row: Array) -> None:
    row[NEXT_CLAUSE] = row[NEXT_SUBJECT] = FAR
    seen = 0
    for k in range(FAR):
        if place + k >= last:
            break
        kind = classes[place + k]
        bits = roles[kind]
        if bits & CLAUSE and row[NEXT_CLAUSE] == FAR:
            row[NEXT_CLAUSE] = k
        if bits & SUBJECT and row[NEXT_SUBJECT] == FAR:
            row[NEXT_SUBJECT] = k
        if bits & INFORMATIVE and seen < 2:
            row[NEXT_TWO] = row[NEXT_TWO] * BASE + kind
            seen += 1


@kernel
def write_last_classes(classes: Array, first: int, place: int, roles: Array, row: Array) -> None:
    row[SINCE_NAME] = row[SINCE_PREPOSITION] = FAR
    seen = 0
    for k in range(1, FAR + 1):
        if place - k < first:
            break
        kind = classes[place - k]
        bits = roles[kind]
        if bits & PREPOSITION and row[SINCE_PREPOSITION] == FAR:
            row[SINCE_PREPOSITION] = k
        if bits & INFORMATIVE and seen < 2:
            row[LAST_TWO] = row[LAST_TWO] * BASE + kind
            seen += 1
        if bits & NAME:
            row[SINCE_NAME] = k
            break
