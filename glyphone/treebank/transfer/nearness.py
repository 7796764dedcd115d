"""How near the order of a source is to that of a target, told by text alone.

An n-gram model of the target finds its own sentences likelier than the same words shuffled; it
finds source sentences likelier than shuffled ones as far as their order is that of the target. The
nearness r is the second gain for a word as a share of the first, between 0.05 and 0.98, the gain of
the target on lines that the model has not seen. From English, by tags: Irish .3, Welsh .7, Swedish
.96. The prior in favour of the source's sides is in proportion to the odds r / (1 - r).

>>> text = [[0, 1, 2]] * 20
>>> nearness(text[:5], text, n_symbols=3) > 0.9 > 0.1 > nearness([[2, 1, 0]], text, n_symbols=3)
True
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.fst.ngrams.smoothing import train

Lines = Sequence[Sequence[int]]

LEAST, MOST = 0.05, 0.98
SHUFFLES = 4
# Prior counts for each sentence at even odds.
EVEN = 0.3


def nearness(source: Lines, text: Lines, *, n_symbols: int) -> float:
    """The share of what order tells about target sentences that it tells about source ones."""
    halves = ([*text[::2]], [*text[1::2]]) if len(text) > 1 else ([*text], [*text])
    learnt, held_out = halves
    tokens = [code for line in learnt for code in line]
    offsets = np.cumsum([0, *map(len, learnt)])
    model = train(tokens, offsets, n_words=n_symbols, order=2, smoothing="witten-bell")

    def gain(lines: Lines) -> float:
        """How much likelier a word is than in shuffled lines."""
        random = np.random.default_rng(0)
        many = [line for line in lines for _ in range(SHUFFLES)]
        shuffled = [random.permutation(np.array(line, np.int64)).tolist() for line in many]
        return mean(lines) - mean(shuffled)

    def mean(lines: Lines) -> float:
        codes = [code for line in lines for code in line]
        bounds = np.cumsum([0, *map(len, lines)])
        return float(model.score_many(codes, bounds).sum()) / max(len(codes), 1)

    possible = gain(held_out)
    if not source or not np.isfinite(possible):
        raise GlyphoneError("there is no text to compare orders with", remedy="give more text")
    share = gain(source) / possible if possible > 0 else 1.0
    return float(np.clip(share, LEAST, MOST))


def strength_of(source: Lines, text: Lines, *, n_symbols: int) -> float:
    """Prior counts for the same side, at least 1.

    >>> round(strength_of([[0, 1]] * 100, [[0, 1]] * 50, n_symbols=2))
    1470
    """
    near = nearness(source, text, n_symbols=n_symbols)
    return max(1.0, EVEN * len(source) * near / (1 - near))
