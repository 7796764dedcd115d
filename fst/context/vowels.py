"""Sukhotin's algorithm, which finds the vowels among the letters of words (Guy 1991).

Vowels and consonants like to alternate, so the letter that stands beside others most often is a
vowel. The neighbours of each vowel found lose twice their meetings with it from their counts, and
the next vowel is looked for, until no letter meets more consonants than vowels.

>>> sorted(find_vowels(["selina", "nita", "belita", "sinel"]))
['a', 'e', 'i']
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np

Letter = TypeVar("Letter", bound=Hashable)


def find_vowels(words: Iterable[Sequence[Letter]]) -> set[Letter]:
    """The letters that behave like vowels; of two with equal counts, the first in the words."""
    numbers: dict[Letter, int] = {}
    counts: dict[tuple[int, int], int] = {}
    for word in words:
        row = [numbers.setdefault(letter, len(numbers)) for letter in word]
        for pair in pairwise(row):
            counts[pair] = counts.get(pair, 0) + 1
    beside = np.zeros((len(numbers), len(numbers)), np.int64)
    for (one, other), count in counts.items():
        if one != other:
            beside[one, other] += count
            beside[other, one] += count
    dealings, found = beside.sum(1), np.zeros(len(numbers), np.bool_)
    while not found.all():
        best = int(np.argmax(np.where(found, np.iinfo(np.int64).min, dealings)))
        if dealings[best] <= 0:
            break
        found[best] = True
        dealings = dealings - 2 * beside[best]
    return {letter for letter, number in numbers.items() if found[number]}
