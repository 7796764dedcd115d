"""Kernels: a log-linear model of whole outputs, trained on lists of candidates.

    P(y | x) = exp(sum over m of a(m) s(m, y) + sum over f of w(f)) / the same for the whole list

s(m, y) is the score of y by model m. f runs over hashed features of the output and its path: see
`glyphone.fst.ensembles.reranking.feature_kernels`. With P the probability that a right one is
chosen, the loss of a list is (1 - P^q) / q (Zhang and Sabuncu 2018): at the tolerance q = 0 that is
-ln P, at 1 how often a wrong one is chosen. Some words defy all evidence; the more tolerance, the
less is learnt of them.

>>> found = np.empty(2)
>>> round(float(write_slopes(np.zeros(2), np.array([True, False]), 0.0, found)), 6), found.tolist()
(0.693147, [-0.5, 0.5])
>>> float(write_slopes(np.zeros(2), np.array([True, False]), 1.0, found)), found.tolist()
(0.5, [-0.25, 0.25])
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling

feature_kernels = sibling(__name__, "glyphone.fst.ensembles.reranking.feature_kernels")

Array = Any


class CandidateLists(NamedTuple):
    """Candidates of items, the scores that models give them, their outputs and their paths."""

    firsts: Array
    scores: Array
    offsets: Array
    labels: Array
    path_bounds: Array
    reads: Array
    writes: Array
    marks: Array
    vowels: Array


@kernel
def candidate_features(lists: CandidateLists, k: int, level: int, mask: int, slots: Array) -> int:
    """Write the slots of the features of candidate k; return their number."""
    first, last = lists.path_bounds[k], lists.path_bounds[k + 1]
    return int(
        feature_kernels.output_features(
            lists.labels[lists.offsets[k] : lists.offsets[k + 1]],
            lists.reads[first:last],
            lists.writes[first:last],
            lists.marks[first:last],
            lists.vowels[first:last],
            level,
            mask,
            slots,
        )
    )


@kernel
def most_candidate_features(lists: CandidateLists) -> int:
    """The greatest number of features of any candidate."""
    longest, most = 0, 0
    for k in range(len(lists.offsets) - 1):
        longest = max(longest, lists.offsets[k + 1] - lists.offsets[k])
        most = max(most, lists.path_bounds[k + 1] - lists.path_bounds[k])
    return int(feature_kernels.most_features(most, longest))


@kernel
def count_features(lists: CandidateLists, level: int, mask: int, counts: Array) -> None:
    """Add to each slot the number of candidates that have a feature of it."""
    slots = np.empty(most_candidate_features(lists), np.int64)
    for k in range(len(lists.offsets) - 1):
        for at in range(candidate_features(lists, k, level, mask, slots)):
            counts[slots[at]] += 1


@kernel
def candidate_scores(lists: CandidateLists, shares: Array, weights: Array, level: int) -> Array:
    """ln of the weight of each candidate."""
    mask, slots = len(weights) - 1, np.empty(most_candidate_features(lists), np.int64)
    found = np.zeros(len(lists.offsets) - 1)
    for k in range(len(found)):
        for model in range(len(shares)):
            found[k] += shares[model] * lists.scores[k, model]
        for at in range(candidate_features(lists, k, level, mask, slots)):
            found[k] += weights[slots[at]]
    return found


@kernel
def write_slopes(scores: Array, right: Array, tolerance: float, found: Array) -> float:
    """Write the slopes of the loss of a list; return the loss.

    Slopes are P^q (P(k) - P(k | a right one is chosen)).
    """
    greatest, greatest_right = -np.inf, -np.inf
    for k in range(len(scores)):
        greatest = max(greatest, scores[k])
        if right[k]:
            greatest_right = max(greatest_right, scores[k])
    if greatest_right == -np.inf:
        found[:] = 0.0
        return 0.0
    all_, right_ones = 0.0, 0.0
    for k in range(len(scores)):
        all_ += math.exp(scores[k] - greatest)
        if right[k]:
            right_ones += math.exp(scores[k] - greatest_right)
    for k in range(len(scores)):
        found[k] = math.exp(scores[k] - greatest) / all_
        if right[k]:
            found[k] -= math.exp(scores[k] - greatest_right) / right_ones
    loss = greatest - greatest_right + math.log(all_) - math.log(right_ones)
    if tolerance == 0.0:
        return loss
    found *= math.exp(-tolerance * loss)
    return (1.0 - math.exp(-tolerance * loss)) / tolerance


@kernel
def train_epoch(
    lists: CandidateLists,
    right: Array,
    order: Array,
    shares: Array,
    prior: Array,
    weights: Array,
    counts: Array,
    share_squares: Array,
    squares: Array,
    level: int,
    rate: float,
    penalty: float,
    tolerance: float,
) -> float:
    """Take a step for each list, in an order, by AdaGrad; return the mean loss of a list.

    The shares of models are drawn to `prior`, other weights to zero; the penalty is for all lists,
    so each time that a feature is met it takes its share. `squares` are the sums of squared
    gradients so far.
    """
    mask, size = len(weights) - 1, most_candidate_features(lists)
    n_models, most = len(shares), 0
    for item in order:
        most = max(most, lists.firsts[item + 1] - lists.firsts[item])
    slots, counts_of = np.empty((most, size), np.int64), np.empty(most, np.int64)
    scores, steps, loss = np.empty(most), np.empty(most), 0.0
    for item in order:
        first = lists.firsts[item]
        n = lists.firsts[item + 1] - first
        for k in range(n):
            score = 0.0
            for model in range(n_models):
                score += shares[model] * lists.scores[first + k, model]
            counts_of[k] = candidate_features(lists, first + k, level, mask, slots[k])
            for at in range(counts_of[k]):
                score += weights[slots[k, at]]
            scores[k] = score
        loss += write_slopes(scores[:n], right[first : first + n], tolerance, steps[:n])
        for model in range(n_models):
            gradient = 0.0
            for k in range(n):
                gradient += steps[k] * lists.scores[first + k, model]
            if gradient != 0.0:
                gradient += penalty * (shares[model] - prior[model]) / len(right)
                share_squares[model] += gradient * gradient
                shares[model] -= rate * gradient / math.sqrt(share_squares[model])
        for k in range(n):
            if abs(steps[k]) < 1e-4:
                continue
            for at in range(counts_of[k]):
                slot = slots[k, at]
                gradient = steps[k] + penalty * weights[slot] / counts[slot]
                squares[slot] += gradient * gradient
                weights[slot] -= rate * gradient / math.sqrt(squares[slot])
    return loss / max(1, len(order))
