"""Windows: the letters around each place of a word, as rows of codes for a learner.

A word of n letters has n places, its letters, or with empty slots 2n + 1: slot 0, letter 1, slot 1
and so on to slot n (Jansche 2001). The row of letter i is letters i - left to i + right; that of
the slot behind letter i has `left` letters up to i, the empty symbol in the centre, and `right`
letters from i + 1. The code EDGE stands beyond both ends; letters have the codes 1, 2, 3 ...

>>> letter_windows(np.array([3, 1, 2]), np.array([0, 2, 3]), left=1, right=1).tolist()
[[0, 3, 1], [3, 1, 0], [0, 2, 0]]
>>> slot_windows(np.array([3, 1]), np.array([0, 2]), left=1, right=1, empty=4).tolist()
[[0, 4, 3], [0, 3, 1], [3, 4, 1], [3, 1, 0], [1, 4, 0]]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError

Array = Any
EDGE = 0
# Windows of more letters than this on a side are longer than words.
WIDEST = 100


def letter_windows(labels: Array, bounds: Array, *, left: int, right: int) -> Array:
    """A row for each letter of words labels[bounds[i]:bounds[i + 1]], in order."""
    padded, places = _pad_words(labels, bounds, left, right)
    return padded[places[:, None] + np.arange(-left, right + 1)]


def slot_windows(labels: Array, bounds: Array, *, left: int, right: int, empty: int) -> Array:
    """A row for each slot and letter of words; `empty` is the code of the empty symbol."""
    padded, places = _pad_words(labels, bounds, left, right, least=empty)
    words = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    letters = 2 * np.arange(len(labels)) + words + 1
    found = np.empty((2 * len(labels) + len(bounds) - 1, left + 1 + right), padded.dtype)
    found[letters] = padded[places[:, None] + np.arange(-left, right + 1)]
    # A slot stands before each letter, and behind the last one of each word.
    for rows, last in ((letters - 1, places - 1), (letters + 1, places)):
        found[rows, :left] = padded[last[:, None] + np.arange(1 - left, 1)]
        found[rows, left + 1 :] = padded[last[:, None] + np.arange(1, right + 1)]
        found[rows, left] = empty
    alone = np.flatnonzero(np.diff(bounds) == 0)
    found[2 * np.asarray(bounds)[alone] + alone] = EDGE
    found[2 * np.asarray(bounds)[alone] + alone, left] = empty
    return found


def _pad_words(
    labels: Array, bounds: Array, left: int, right: int, *, least: int = 0
) -> tuple[Array, Array]:
    """Words with edges between them, and where each letter is; small codes take one byte."""
    for name, size in (("left", left), ("right", right)):
        if not 0 <= size <= WIDEST:
            raise GlyphoneError(
                f"a window has {size} letters on the {name}", remedy=f"take 0 to {WIDEST}"
            )
    room = max(left, right) + 1
    words = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    places = np.arange(len(labels)) + room * (words + 1)
    greatest = max(least, int(np.max(labels, initial=0)))
    padded = np.zeros(len(labels) + room * len(bounds), np.uint8 if greatest < 256 else np.int32)
    padded[places] = labels
    return padded, places
