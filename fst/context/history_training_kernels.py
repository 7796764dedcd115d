"""Kernels: the weights of models of histories, by AdaGrad (Duchi, Hazan and Singer 2011).

With p the probabilities of the candidates, a place moves the weight w of candidate u in the row of
each of its features by

    g = p(u) - [u is right] + penalty * w / times that the row was met
    w -= rate * g / sqrt(G)

where G is the sum of the g * g so far. The second term is that of a Gaussian prior, whose share
falls to each place alike.

>>> labels, bounds, units = np.array([1, 1]), np.array([0, 1, 2]), np.array([0, 1])
>>> places, no_vowels, mask = np.array([0, 1]), np.zeros(2, np.bool_), 4095
>>> masks, counts, starts = (np.zeros(4096, np.int64) for _ in range(3))
>>> met = mark_candidates(labels, bounds, units, places, no_vowels, mask, masks, counts)
>>> candidates, weights = candidate_rows(met, masks, counts, starts)
>>> rows = history_kernels.HistoryRows(
...     starts, candidates, weights, places, np.array([0, 2]), no_vowels, mask
... )
>>> squares, words = np.full(len(weights), 0.1), np.array([0, 0, 1])
>>> losses = [train_epoch(rows, labels, bounds, units, words, squares, 0.5, 0.0) for _ in range(5)]
>>> bool(losses[0] > losses[4])
True
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.fst.context.history_kernels import MOST_FEATURES, HistoryRows
from glyphone.fst.context.window_kernels import MOST_CANDIDATES

kernel_arrays = sibling(__name__, "glyphone.data.kernels.arrays")
history_kernels = sibling(__name__, "glyphone.fst.context.history_kernels")

Array = Any
# Where the right unit lacks less than this of certainty there is nothing to learn.
SURE = 1e-3


@kernel
def mark_candidates(
    labels: Array,
    bounds: Array,
    units: Array,
    places: Array,
    vowels: Array,
    mask: int,
    masks: Array,
    counts: Array,
) -> Array:
    """Mark the candidates that each slot occurs with, bit k of masks[slot] for candidate k, and
    count the occurrences of slots.

    Returns the slots in the order in which they are met.
    """
    slots, met, n_met = np.empty(MOST_FEATURES, np.int64), np.empty(1024, np.int32), 0
    for item in range(len(bounds) - 1):
        string = labels[bounds[item] : bounds[item + 1]]
        path = units[bounds[item] : bounds[item + 1]]
        for place in range(len(string)):
            candidate = places[path[place]]
            if candidate >= 0:
                for k in range(
                    history_kernels.place_features(string, path, place, vowels, mask, slots)
                ):
                    if masks[slots[k]] == 0:
                        if n_met == len(met):
                            met = kernel_arrays.doubled_rows(met)
                        met[n_met] = slots[k]
                        n_met += 1
                    masks[slots[k]] |= 1 << candidate
                    counts[slots[k]] += 1
    return met[:n_met]


@kernel
def candidate_rows(met: Array, masks: Array, counts: Array, starts: Array) -> tuple[Array, Array]:
    """Rows of the candidates that were seen, and room for their weights.

    Rows stand in the order in which slots are met, so that those of one place, most of which occur
    nowhere else, lie side by side in memory: an epoch takes half the time.
    """
    n = 1
    for slot in met:
        starts[slot] = n
        n += 1
        rest = masks[slot]
        while rest != 0:
            rest &= rest - 1
            n += 1
    candidates, weights = np.zeros(n, np.uint8), np.zeros(n, np.float32)
    for slot in met:
        row, count = starts[slot], 0
        for candidate in range(MOST_CANDIDATES):
            if (masks[slot] >> candidate) & 1:
                count += 1
                candidates[row + count] = candidate
        candidates[row], weights[row] = count, 1.0 / counts[slot]
    return candidates, weights


@kernel
def train_epoch(
    rows: HistoryRows,
    labels: Array,
    bounds: Array,
    units: Array,
    order: Array,
    squares: Array,
    rate: float,
    penalty: float,
) -> float:
    """Go once through some words, in an order, by AdaGrad; return the mean loss of a place.

    `squares` are the sums of squared gradients so far. The penalty is for the whole lexicon, so
    each time that a slot is met it takes its share.
    """
    starts, candidates, weights = rows.starts, rows.candidates, rows.weights
    slots, totals = np.empty(MOST_FEATURES, np.int64), np.empty(MOST_CANDIDATES)
    loss, n_places = 0.0, 0
    for item in order:
        string = labels[bounds[item] : bounds[item + 1]]
        path = units[bounds[item] : bounds[item + 1]]
        for place in range(len(string)):
            gold = rows.places[path[place]]
            n_candidates = rows.sizes[string[place]]
            if gold < 0 or n_candidates < 2:
                continue
            totals[:] = 0.0
            n = history_kernels.place_features(string, path, place, rows.vowels, rows.mask, slots)
            history_kernels.add_weights(rows, slots, 0, n, totals)
            total = history_kernels.log_sum(totals, n_candidates)
            # A slot that letters share has rows of candidates that this one does not have.
            totals[n_candidates:] = 0.0
            loss += total - totals[gold]
            for k in range(n_candidates):
                totals[k] = math.exp(totals[k] - total)
            totals[gold] -= 1.0
            n_places += 1
            if totals[gold] > -SURE:
                continue
            for k in range(n):
                row = starts[slots[k]]
                decay = penalty * weights[row]
                for entry in range(row + 1, row + 1 + candidates[row]):
                    gradient = totals[candidates[entry]] + decay * weights[entry]
                    squares[entry] += gradient * gradient
                    weights[entry] -= rate * gradient / math.sqrt(squares[entry])
    return loss / max(1, n_places)
