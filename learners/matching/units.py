"""Names as units: their words, or the trigrams of characters of a word.

>>> split_words("U.S. State-Department"), split_trigrams("Ana")
(['u', 's', 'state', 'department'], ['##a', '#an', 'ana', 'na#', 'a##'])
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

# Letters of some scripts have vowels as marks of their own, which `\w` leaves out.
WORD: Final = re.compile(r"[^\W_]+(?:[\u0300-\u036f\u0900-\u0dff\u0e00-\u0eff]+[^\W_]*)*")
BOUNDARY: Final = "#"


def split_words(name: str) -> list[str]:
    """Runs of letters, marks and digits, in lower case."""
    return WORD.findall(unicodedata.normalize("NFKC", name).casefold())


def split_trigrams(word: str) -> list[str]:
    """Trigrams of characters, with two marks of the boundary on either side."""
    padded = f"{BOUNDARY * 2}{word.casefold()}{BOUNDARY * 2}" if word else ""
    return [padded[i : i + 3] for i in range(len(padded) - 2)]


UNITS: Final[dict[str, Callable[[str], list[str]]]] = {
    "words": split_words,
    "trigrams": split_trigrams,
}


def inverse_frequencies(rows: Sequence[Sequence[str]]) -> dict[str, float]:
    """idf(u) = log(rows / rows with u).

    >>> inverse_frequencies([["a", "b"], ["a"]])
    {'a': 0.0, 'b': 0.6931471805599453}
    """
    counts = Counter(unit for row in rows for unit in {*row})
    return {unit: float(np.log(len(rows) / n)) for unit, n in sorted(counts.items())}
