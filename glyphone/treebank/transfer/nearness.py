"""Nearness of the order of a source to the order of a target, measured on text alone.

An n-gram model of the target gives its own sentences a higher probability than shuffled sentences.
It does so for source sentences as far as these have the order of the target. The nearness r is the
gain for a word of the source as a share of the gain for a word of the target, on lines that the
model has not seen; it is clipped to 0.05 to 0.98. From English, by tags: Irish .3, Welsh .7,
Swedish .96. The prior count of the sides of the source is in proportion to the odds r / (1 - r).

>>> text = [[0, 1, 2]] * 20
>>> [measure_nearness(lines, text, n_symbols=3) > 0.5 for lines in (text[:5], [[2, 1, 0]])]
[True, False]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.fst.ngrams.smoothing import train

CodedLines = Sequence[Sequence[int]]

LEAST, MOST = 0.05, 0.98
SHUFFLES = 4
# Prior counts for each sentence at even odds.
EVEN = 0.3


def measure_nearness(source: CodedLines, text: CodedLines, *, n_symbols: int) -> float:
    """The gain of source sentences over shuffled ones, as a share of the gain of target sentences.

    Gains are in nats a word; lines are of numbers of symbols.
    """
    halves = ([*text[::2]], [*text[1::2]]) if len(text) > 1 else ([*text], [*text])
    learnt, held_out = halves
    tokens = [code for line in learnt for code in line]
    offsets = np.cumsum([0, *map(len, learnt)])
    model = train(tokens, offsets, n_words=n_symbols, order=2, smoothing="witten-bell")

    def order_gain(lines: CodedLines) -> float:
        """The mean log probability of a word, less that in shuffled lines."""
        random = np.random.default_rng(0)
        many = [line for line in lines for _ in range(SHUFFLES)]
        shuffled = [random.permutation(np.array(line, np.int64)).tolist() for line in many]
        return mean_score(lines) - mean_score(shuffled)

    def mean_score(lines: CodedLines) -> float:
        codes = [code for line in lines for code in line]
        bounds = np.cumsum([0, *map(len, lines)])
        return float(model.score_many(codes, bounds).sum()) / max(len(codes), 1)

    possible = order_gain(held_out)
    if not source or not np.isfinite(possible):
        raise GlyphoneError("there is no text to compare orders with", remedy="give more text")
    share = order_gain(source) / possible if possible > 0 else 1.0
    return float(np.clip(share, LEAST, MOST))


def strength_of(source: CodedLines, text: CodedLines, *, n_symbols: int) -> float:
    """The prior count of staying on the side of the source, at least 1.

    >>> round(strength_of([[0, 1]] * 100, [[0, 1]] * 50, n_symbols=2))
    1470
    """
    near = measure_nearness(source, text, n_symbols=n_symbols)
    return max(1.0, EVEN * len(source) * near / (1 - near))
