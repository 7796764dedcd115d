"""Candidates: the units that a letter may be read by, numbered from the most frequent on.

Models of windows and of histories choose among these; at most MOST_CANDIDATES fit into the bits of
one number.

>>> units = Units.of([((1,), (1,)), ((1,), (2,)), ((2,), (1,))], n_labels=3)
>>> places = candidate_places(units, np.array([2, 9, 1]))
>>> places.tolist(), candidate_counts(units, places).tolist()
([1, 0, 0], [0, 2, 1])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.fst.alignment.units import Units
from glyphone.fst.context.window_kernels import MOST_CANDIDATES

Array = Any


def candidate_places(units: Units, counts: Array, *, often: int = 0) -> Array:
    """The place of each unit among the candidates of its letter, or -1.

    Of a letter that was seen `often`, a unit that was seen once may well be a misalignment, and is
    no candidate unless there is no other.
    """
    places = np.full(len(units), -1, np.int64)
    firsts = units.firsts
    for first, last in zip(firsts[:-1].tolist(), firsts[1:].tolist(), strict=True):
        order = first + np.argsort(-counts[first:last], kind="stable")[:MOST_CANDIDATES]
        least = 2 if counts[first:last].sum() >= often else 1
        kept = order[(counts[order] >= least) | (order == order[:1])]
        places[kept] = np.arange(len(kept))
    return places


def candidate_counts(units: Units, places: Array) -> Array:
    """The number of candidates of each letter."""
    chosen = units.chunks[places >= 0]
    return np.bincount(chosen, minlength=units.n_labels).astype(np.int64)
