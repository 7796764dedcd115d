"""A bigram model that learns from the trees imputed so far: the full model of Jansche (2005).

Row w of the model, P(next | w), has the Dirichlet prior of the bigrams of the text and `ADDED` for
each other; in each sweep it is drawn from

    Dirichlet(prior of w + bigrams of w in the yields of the trees drawn)

Where text is scarce, trees add to it; where it is plentiful, this is the model that stays as it is.

>>> model = Bigrams.of([[0, 1], [0, 1, 1]], n_symbols=2)
>>> model.prior.tolist()
[[0.1, 2.1, 0.1], [0.1, 1.1, 2.1], [2.1, 0.1, 0.1]]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import GlyphoneError
from glyphone.fst.forests.automata import of_bigrams
from glyphone.fst.forests.composition_kernels import Automaton
from glyphone.treebank.sampling.multinomials import SMALLEST

Floats = NDArray[np.float64]

ADDED = 0.1
# Rows and columns are drawn anew in every sweep.
MOST_SYMBOLS = 2000


@dataclass(frozen=True, eq=False)
class Bigrams:
    """Prior counts: rows are symbols and the beginning, columns symbols and the end."""

    prior: Floats

    @classmethod
    def of(cls, text: Sequence[Sequence[int]], *, n_symbols: int) -> Bigrams:
        if n_symbols > MOST_SYMBOLS:
            raise GlyphoneError(
                f"{n_symbols:,} symbols are too many for a language model that is refined",
                remedy=f"take tags, or not more than {MOST_SYMBOLS:,} words, or leave it fixed",
            )
        return cls(np.full((n_symbols + 1, n_symbols + 1), ADDED) + counted(text, n_symbols))

    def mean(self) -> Automaton:
        """The expected model before any tree is seen."""
        return of_bigrams(np.log(self.prior / self.prior.sum(axis=1, keepdims=True)))

    def draw(self, random: np.random.Generator, yields: Sequence[Sequence[int]]) -> Automaton:
        drawn = random.gamma(self.prior + counted(yields, len(self.prior) - 1))
        drawn = np.maximum(drawn, SMALLEST)
        return of_bigrams(np.log(drawn / drawn.sum(axis=1, keepdims=True)))


def counted(lines: Sequence[Sequence[int]], n_symbols: int) -> Floats:
    """Bigrams with the beginning and the end, both of which have the number behind the symbols."""
    found = np.zeros((n_symbols + 1, n_symbols + 1))
    for line in lines:
        padded = [n_symbols, *line, n_symbols]
        np.add.at(found, (padded[:-1], padded[1:]), 1)
    return found
