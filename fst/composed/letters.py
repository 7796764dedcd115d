"""An n-gram model of words letter by letter, behind a model that writes words.

    P'(z | x) is proportional to P(z | x) P(z)^share

Every symbol that can be written has some probability, as the last history backs off to all alike.

>>> from glyphone.data.writing import Writing
>>> side = Side(Writing(), {"a": 1, "b": 2})
>>> letters = train_letters([("ab", 3.0), ("aab", 1.0), ("ac", 9.0)], side, order=2)
>>> letters.symbols, letters.ngrams.score([0, 1]) > letters.ngrams.score([1, 0])
(('a', 'b'), True)
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import GlyphoneError
from glyphone.fst.composed.letters_kernels import Letters
from glyphone.fst.interface.codec import Side
from glyphone.fst.ngrams import smoothing
from glyphone.fst.ngrams.counts import flatten
from glyphone.fst.ngrams.file import ngrams_from_arrays, ngrams_to_arrays
from glyphone.fst.ngrams.model import NgramModel

SHARE, ORDER = 0.5, 6

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class LetterModel:
    """An n-gram model; the symbol of token k is symbols[k]."""

    symbols: tuple[str, ...]
    ngrams: NgramModel
    share: float = SHARE

    def __post_init__(self) -> None:
        if not 0 < self.share < math.inf:
            message = f"a letter model with share {self.share!r}"
            raise GlyphoneError(message, remedy="give a number above 0")

    def arrays(self, labels: Mapping[str, int], *, temperature: float = 1.0) -> Letters:
        """The arrays of the model for kernels, in other labels, at a temperature."""
        numbers = {symbol: token for token, symbol in enumerate(self.symbols)}
        unknown = next((symbol for symbol in labels if symbol not in numbers), None)
        if unknown is not None:
            remedy = "train it with the symbols of the model that it stands behind"
            raise GlyphoneError("is not known to the letter model", symbol=unknown, remedy=remedy)
        tokens = np.zeros(max(labels.values(), default=0) + 1, np.int64)
        for symbol, label in labels.items():
            tokens[label] = numbers[symbol]
        # Plain Python would add up in the 32 bits of the model.
        arrays = self.ngrams.astype(np.float64).ngrams
        share = self.share / temperature
        return Letters(arrays, self.ngrams.start, self.ngrams.end, tokens, share)

    def fingerprint(self) -> str:
        """A checksum of everything that the weights depend on."""
        crc = zlib.crc32(repr((self.symbols, self.share)).encode())
        for array in self.ngrams.ngrams:
            crc = zlib.crc32(np.ascontiguousarray(array).tobytes(), crc)
        return f"{crc:08x}"


def train_letters(
    words: Iterable[tuple[str, float]],
    side: Side,
    *,
    order: int = ORDER,
    share: float = SHARE,
    smoothing_method: smoothing.Smoothing = "witten-bell",
) -> LetterModel:
    """The model of words and how often each counts; those that a side cannot write are left out."""
    symbols = tuple(sorted(side.symbols, key=side.symbols.__getitem__))
    numbers = {symbol: token for token, symbol in enumerate(symbols)}
    rows, weights = [], []
    for word, weight in words:
        row = [numbers.get(symbol, -1) for symbol in side.writing.split(word).symbols]
        if row and -1 not in row:
            rows.append(row)
            weights.append(weight)
    if not rows:
        remedy = "give words in the letters that the model writes"
        raise GlyphoneError("a letter model has no words to learn from", remedy=remedy)
    ngrams = smoothing.train(
        *flatten(rows),
        n_words=len(symbols),
        order=order,
        smoothing=smoothing_method,
        weights=weights,
    )
    return LetterModel(symbols, ngrams.astype(np.float32), share)


def settings_of(letters: LetterModel) -> dict[str, Any]:
    """The entries of a manifest for a letter model."""
    symbols, start = list(letters.symbols), letters.ngrams.start
    return {"symbols": symbols, "start": start, "share": letters.share}


def to_arrays(letters: LetterModel, prefix: str = "") -> dict[str, Array]:
    return ngrams_to_arrays(letters.ngrams, prefix)


def from_arrays(
    arrays: Mapping[str, Array], prefix: str, settings: Mapping[str, Any]
) -> LetterModel:
    """The model of a file, whose arrays are checked for kernels."""
    symbols, share = settings["symbols"], settings["share"]
    if not isinstance(symbols, list) or not all(isinstance(one, str) and one for one in symbols):
        raise TypeError("the symbols of a letter model are not strings")
    if len(set(symbols)) < len(symbols) or type(share) is not float:
        raise ValueError(f"a letter model has the share {share!r}, or a symbol twice")
    ngrams = ngrams_from_arrays(arrays, prefix, settings["start"], len(symbols))
    ngrams.check()
    if any(array.dtype != np.float32 for array in (ngrams.log_probs, ngrams.backoffs)):
        raise ValueError("the probabilities of a letter model are not of 32 bits")
    return LetterModel(tuple(symbols), ngrams, share)
