"""Shares and weights of rerankers, fitted on lists of candidates some of which are right.

The shares alone are those of the greatest conditional likelihood, found by Newton's method. Weights
of features are trained by AdaGrad, from there on.

>>> from glyphone.fst.ensembles.reranking.model import lists_without_paths
>>> lists = lists_without_paths(np.array([0, 2, 4]), np.array([[0.0], [-1.0], [-2.0], [0.0]]))
>>> ranker = fit_shares(lists, np.array([True, False, False, True]))
>>> bool(ranker.shares[0] > 0.5), ranker.totals(lists).argmax()
(True, np.int64(0))
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.fst.ensembles.reranking import training_kernels
from glyphone.fst.ensembles.reranking.feature_kernels import ALL
from glyphone.fst.ensembles.reranking.model import (
    Reranker,
    best_candidates,
    log_sums,
    weighted_sums,
)
from glyphone.fst.ensembles.reranking.training_kernels import CandidateLists

LEAST_BITS, MOST_BITS = 10, 22
# Weights that are further from nought are stored; a feature this light decides nothing.
NEGLIGIBLE = 1e-3
# The share that shares are drawn to where lists say nothing, and how strongly.
USUAL_SHARE, DRAW = 0.1, 1.0
STEPS = 25
TEMPERATURES = [round(2 ** (k / 20), 4) for k in range(-40, 61)]
# No answer is surer than this: one wrong answer must not outweigh all others.
SUREST = 1e-6

Array = Any


def list_losses(totals: Array, firsts: Array, right: Array) -> Array:
    """-ln P of the right candidates of each list; infinity for a list without any."""
    return log_sums(totals, firsts) - log_sums(np.where(right, totals, -np.inf), firsts)


def fit_shares(lists: CandidateLists, right: Array) -> Reranker:
    """The shares by which right candidates are likeliest, drawn a little to the usual share."""
    firsts, scores = lists.firsts, lists.scores
    scale = scores.std(0) + 1e-9
    columns, sizes = scores / scale, np.diff(firsts)
    useful = np.repeat(np.logical_or.reduceat(right, firsts[:-1]), sizes)

    def at(shares: Array) -> tuple[float, Array, Array]:
        """The objective, and the probabilities of candidates, of all and of the right ones."""
        totals = weighted_sums(columns, shares)
        lost = list_losses(totals, firsts, right)
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
    lists: CandidateLists,
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
    kernels.count_features(lists, level, len(counts) - 1, counts)
    weights = np.zeros(1 << bits, np.float32)
    squares = np.full(1 << bits, 1e-8, np.float32)
    shares, share_squares = start.shares.copy(), np.full(len(start.shares), 1e-8)
    random = np.random.default_rng(seed)
    useful = np.flatnonzero(np.logical_or.reduceat(right, lists.firsts[:-1]))
    for round_ in range(epochs):
        kernels.train_epoch(
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


def best_are_right(ranker: Reranker, lists: CandidateLists, right: Array) -> Array:
    """Whether the best candidate of each list is right."""
    found: Array = right[best_candidates(ranker.totals(lists), lists.firsts)]
    return found


def count_errors(ranker: Reranker, lists: CandidateLists, right: Array) -> int:
    """The number of lists whose best candidate is wrong."""
    found = best_are_right(ranker, lists, right)
    return int(len(found) - np.count_nonzero(found))


def fit_temperature(totals: Array, firsts: Array, right: Array, *, missing: float = 0.0) -> float:
    """The temperature at which the posteriors of best answers are calibrated best.

    Posteriors are shares of 1 - `missing`; totals are ln of the weights of candidates.
    """
    bests = best_candidates(totals, firsts)
    good = right[bests]

    def loss(temperature: float) -> float:
        shares = np.exp(totals[bests] / temperature - log_sums(totals / temperature, firsts))
        shares *= 1 - missing
        given = np.where(good, shares, 1 - shares)
        return float(-np.log(np.clip(given, SUREST, 1)).sum())

    return min(TEMPERATURES, key=loss)
