"""A reranker: shares of several models, and weights of features of whole outputs.

Lists of candidates come from models that have not seen their words, so that the shares and weights
are right for new words; see `glyphone.fst.ensembles.reranking.feature_kernels` for them. The shares
alone are those of the greatest conditional likelihood, found by Newton's method. Weights of
features are trained by AdaGrad, from there on.

>>> lists = no_paths(np.array([0, 2, 4]), np.array([[0.0], [-1.0], [-2.0], [0.0]]))
>>> ranker = fit_shares(lists, np.array([True, False, False, True]))
>>> bool(ranker.shares[0] > 0.5), ranker.totals(lists).argmax()
(True, np.int64(0))
"""

from __future__ import annotations

import math
import unicodedata
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.fst.ensembles.reranking import training_kernels
from glyphone.fst.ensembles.reranking.feature_kernels import ALL, NOTHING
from glyphone.fst.ensembles.reranking.training_kernels import Lists

LEAST_BITS, MOST_BITS = 10, 22
# Weights that are further from nought are stored; a feature this light decides nothing.
NEGLIGIBLE = 1e-3
# What a share is drawn to without lists that say better, and how strongly.
USUAL_SHARE, DRAW = 0.1, 1.0
STEPS = 25
TEMPERATURES = [round(2 ** (k / 20), 4) for k in range(-40, 61)]
# Nothing is surer than this: one wrong answer must not outweigh all others.
SUREST = 1e-6

Array = Any


@dataclass(frozen=True, eq=False)
class Reranker:
    """The shares of models in the logarithm, and weights of hashed features, a power of two."""

    shares: Array
    weights: Array = field(default_factory=lambda: np.zeros(1, np.float32))
    level: int = NOTHING

    def totals(self, lists: Lists) -> Array:
        """ln of the weight of each candidate, but for a constant of its list."""
        if self.level == NOTHING:
            return shared(lists.scores, self.shares)
        kernels = jit.tier(training_kernels, 64 * len(lists.labels))
        found: Array = kernels.totals(lists, self.shares, self.weights, self.level)
        return found


def no_paths(firsts: Array, scores: Array) -> Lists:
    """Lists of candidates of which nothing is known but scores."""
    n = len(scores)
    none, bounds = np.zeros(0, np.int64), np.zeros(n + 1, np.int64)
    no_vowels = np.zeros(0, np.bool_)
    return Lists(firsts, scores, bounds, none, bounds, none, none, none, no_vowels)


def shared(scores: Array, shares: Array) -> Array:
    """scores @ shares, added up in one order whatever the size of a block."""
    found = np.zeros(len(scores))
    for column, share in zip(scores.T, shares, strict=True):
        found += share * column
    return found


def log_sums(totals: Array, firsts: Array) -> Array:
    """ln of the sum of exp over each list; no list is empty."""
    if not len(totals):
        return np.zeros(0)
    greatest = np.maximum.reduceat(totals, firsts[:-1])
    safe = np.where(np.isfinite(greatest), greatest, 0.0)
    exps = np.exp(totals - np.repeat(safe, np.diff(firsts)))
    with np.errstate(divide="ignore"):
        return safe + np.log(np.add.reduceat(exps, firsts[:-1]))


def losses(totals: Array, firsts: Array, right: Array) -> Array:
    """-ln P of the right candidates of each list; infinity for a list without any."""
    return log_sums(totals, firsts) - log_sums(np.where(right, totals, -np.inf), firsts)


def fit_shares(lists: Lists, right: Array) -> Reranker:
    """The shares that make right candidates likeliest, a little drawn to the usual ones."""
    firsts, scores = lists.firsts, lists.scores
    scale = scores.std(0) + 1e-9
    columns, sizes = scores / scale, np.diff(firsts)
    useful = np.repeat(np.logical_or.reduceat(right, firsts[:-1]), sizes)

    def at(shares: Array) -> tuple[float, Array, Array]:
        """The objective, and the probabilities of candidates, of all and of the right ones."""
        totals = shared(columns, shares)
        lost = losses(totals, firsts, right)
        everyone = np.exp(totals - np.repeat(log_sums(totals, firsts), sizes))
        among = log_sums(np.where(right, totals, -np.inf), firsts)
        with np.errstate(invalid="ignore", over="ignore"):
            chosen = np.exp(totals - np.repeat(among, sizes))
        gone = float(lost[np.isfinite(lost)].sum()) + DRAW / 2 * float(
            ((shares - usual) ** 2).sum()
        )
        return gone, everyone * useful, np.where(right, chosen, 0.0)

    usual = USUAL_SHARE * scale
    shares = usual
    loss, everyone, chosen = at(shares)
    for _ in range(STEPS):
        slope = columns.T @ (chosen - everyone) - DRAW * (shares - usual)
        means = np.add.reduceat(columns * everyone[:, None], firsts[:-1])
        bend = (columns * everyone[:, None]).T @ columns - means.T @ means
        step = np.linalg.solve(bend + DRAW * np.eye(len(shares)), slope)
        length = 1.0
        while length > 1e-4:
            there = at(shares + length * step)
            if there[0] < loss:
                break
            length /= 2
        else:
            break
        shares, gain = shares + length * step, loss - there[0]
        loss, everyone, chosen = there
        if gain < 1e-6 * (1 + abs(loss)):
            break
    return Reranker(shares / scale)


def fit_reranker(
    lists: Lists,
    right: Array,
    start: Reranker,
    *,
    level: int = ALL,
    penalty: float = 4.0,
    tolerance: float = 0.0,
    rate: float = 0.05,
    epochs: int = 12,
    seed: int = 0,
) -> Reranker:
    """Weights of features of whole outputs beside the shares of models, which begin at `start`."""
    n_symbols = max(1, len(lists.labels) + len(lists.reads))
    bits = min(MOST_BITS, max(LEAST_BITS, math.ceil(math.log2(4 * n_symbols))))
    kernels = jit.tier(training_kernels, 64 * n_symbols)
    counts = np.zeros(1 << bits, np.int32)
    kernels.counted(lists, level, len(counts) - 1, counts)
    weights = np.zeros(1 << bits, np.float32)
    squares = np.full(1 << bits, 1e-8, np.float32)
    shares, share_squares = start.shares.copy(), np.full(len(start.shares), 1e-8)
    random = np.random.default_rng(seed)
    useful = np.flatnonzero(np.logical_or.reduceat(right, lists.firsts[:-1]))
    for round_ in range(epochs):
        kernels.epoch(
            lists,
            right,
            random.permutation(useful),
            shares,
            start.shares,
            weights,
            counts,
            share_squares,
            squares,
            level,
            rate * (1 - 0.9 * round_ / epochs),
            penalty,
            tolerance,
        )
    weights[np.abs(weights) < NEGLIGIBLE] = 0.0
    # Half precision, so that a model is the same before and after it is saved.
    return Reranker(shares, weights.astype(np.float16).astype(np.float32), level)


def heads(ranker: Reranker, lists: Lists, right: Array) -> Array:
    """Whether the candidate at the head of each list is right."""
    found: Array = right[bests_of(ranker.totals(lists), lists.firsts)]
    return found


def bests_of(totals: Array, firsts: Array) -> list[int]:
    """The candidate at the head of each list."""
    return [a + int(np.argmax(totals[a:b])) for a, b in bounds_of(firsts)]


def errors(ranker: Reranker, lists: Lists, right: Array) -> int:
    """How many lists have a wrong candidate at their head."""
    found = heads(ranker, lists, right)
    return int(len(found) - np.count_nonzero(found))


def fit_temperature(totals: Array, firsts: Array, right: Array, *, missing: float = 0.0) -> float:
    """The temperature at which the posteriors of best answers say best how often they are right.

    They are shares of what is not `missing`; totals are ln of the weights of candidates.
    """
    bests = bests_of(totals, firsts)
    good = right[bests]

    def loss(temperature: float) -> float:
        shares = np.exp(totals[bests] / temperature - log_sums(totals / temperature, firsts))
        shares *= 1 - missing
        given = np.where(good, shares, 1 - shares)
        return float(-np.log(np.clip(given, SUREST, 1)).sum())

    return min(TEMPERATURES, key=loss)


def bounds_of(firsts: Array) -> Iterable[tuple[int, int]]:
    return zip(firsts[:-1].tolist(), firsts[1:].tolist(), strict=True)


def chosen(lists: Lists, items: Array) -> tuple[Lists, Array]:
    """The lists of some items, and which candidates are in them."""
    sizes = np.diff(lists.firsts)[items]
    firsts = np.concatenate([[0], np.cumsum(sizes)])
    rows = np.repeat(lists.firsts[:-1][items] - firsts[:-1], sizes) + np.arange(firsts[-1])
    labels, offsets = cut(lists.offsets, rows)
    units, path_bounds = cut(lists.path_bounds, rows)
    return Lists(
        firsts,
        lists.scores[rows],
        offsets,
        lists.labels[labels],
        path_bounds,
        lists.reads[units],
        lists.writes[units],
        lists.marks[units],
        lists.vowels[units],
    ), rows


def cut(bounds: Array, rows: Array) -> tuple[Array, Array]:
    """The places of what some rows hold, end to end, and where each row begins there."""
    sizes = np.diff(bounds)[rows]
    ends = np.concatenate([[0], np.cumsum(sizes)])
    return np.repeat(bounds[:-1][rows] - ends[:-1], sizes) + np.arange(ends[-1]), ends


def joined(parts: Sequence[Lists]) -> Lists:
    """Lists end to end."""

    def ends(name: str) -> Array:
        columns = [getattr(part, name) for part in parts]
        starts = np.cumsum([0, *(column[-1] for column in columns)])
        return np.concatenate(
            [[0], *(c[1:] + s for c, s in zip(columns, starts[:-1], strict=True))]
        )

    bounds = ("firsts", "offsets", "path_bounds")
    rest = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in Lists._fields
        if name not in bounds
    }
    return Lists(**{name: ends(name) for name in bounds}, **rest)


def digest(symbols: Iterable[str]) -> int:
    """A number for some symbols, from 2 on, that does not depend on the labels of a model.

    >>> digest(["a", "b"]) == digest(["a", "b"]) != digest(["ab"])
    True
    """
    text = "\0".join(symbols)
    return 2 + (zlib.crc32(text.encode("utf-8", "surrogatepass")) & 0x7FFFFFF)


def marks_of(symbols: Iterable[str]) -> str:
    """What symbols are besides letters: accents, lengths, tones, figures for stress.

    >>> marks_of(["t", "o\\u0301ː"]), marks_of(["AA1"])
    ('|\\u0301ː', '1')
    """
    return "|".join(
        "".join(c for c in unicodedata.normalize("NFD", s) if unicodedata.category(c) not in _PLAIN)
        for s in symbols
    )


_PLAIN = ("Lu", "Ll", "Lo", "Lt")
