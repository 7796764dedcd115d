"""Bigram models that learn from the trees imputed so far: the full model of Jansche (2005).

Row w of the model, P(next | w), has a Dirichlet prior: the bigrams of w in the text, and `ADDED`
for every bigram. In each sweep the row is drawn from

    Dirichlet(prior of w + bigrams of w in the yields of the trees drawn)

Trees add to a small text; beside a large text they change little.

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
    """Prior counts: rows are symbols and the begin, columns are symbols and the end."""

    prior: Floats

    @classmethod
    def of(cls, text: Sequence[Sequence[int]], *, n_symbols: int) -> Bigrams:
        if n_symbols > MOST_SYMBOLS:
            raise GlyphoneError(
                f"{n_symbols:,} symbols are too many for a language model that is refined",
                remedy=f'write reads = "tags", refined = false, or at most {MOST_SYMBOLS:,} words',
            )
        return cls(np.full((n_symbols + 1, n_symbols + 1), ADDED) + count_bigrams(text, n_symbols))

    def mean_model(self) -> Automaton:
        """The expected model before any tree is drawn."""
        return of_bigrams(np.log(self.prior / self.prior.sum(axis=1, keepdims=True)))

    def draw_model(self, random: np.random.Generator, yields: Sequence[Sequence[int]]) -> Automaton:
        """A model drawn from the posterior, given the yields of trees."""
        drawn = random.gamma(self.prior + count_bigrams(yields, len(self.prior) - 1))
        drawn = np.maximum(drawn, SMALLEST)
        return of_bigrams(np.log(drawn / drawn.sum(axis=1, keepdims=True)))


def count_bigrams(lines: Sequence[Sequence[int]], n_symbols: int) -> Floats:
    """Counts of bigrams; the number behind the symbols is the begin in rows, the end in columns."""
    counts = np.zeros((n_symbols + 1, n_symbols + 1))
    for line in lines:
        padded = [n_symbols, *line, n_symbols]
        np.add.at(counts, (padded[:-1], padded[1:]), 1)
    return counts
