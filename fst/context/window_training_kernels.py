"""Kernels: the weights of windows, by AdaGrad (Duchi, Hazan and Singer 2011), letter by letter.

No feature is shared by two letters, so that each is a problem of its own: the examples of a letter
are the places where it stands, `golds` the candidates that read it there. With p the probabilities
of the candidates, an example of weight v moves the weight w of candidate u in each of its rows by

    g = v * (p(u) - [u is gold]) + penalty * w / examples of the row
    w -= rate * g / sqrt(G)

where G is the sum of the g * g so far. The second term is that of a Gaussian prior, whose share
falls to each example of a row alike.

>>> rows, lengths = np.array([[1, 0], [1, 4]], np.int32), np.array([1, 2])
>>> table = WeightTable(np.array([0, 2, 0, 1, 1, 0], np.uint8), np.zeros((6, 2), np.float32))
>>> golds, weights = np.array([0, 1]), np.ones(2)
>>> losses = [train_epoch(table, rows, lengths, golds, weights, golds, 2, 0.5) for _ in range(9)]
>>> bool(losses[0] > losses[1] > losses[8])
True
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.fst.context.window_kernels import MOST_CANDIDATES, MOST_FEATURES, MOST_PLAIN

window_kernels = sibling(__name__, "glyphone.fst.context.window_kernels")

Array = Any
# What the sums of squared gradients begin with.
LEAST_SQUARE = 0.1


class WeightTable(NamedTuple):
    """Rows: candidates[row] is how long it is, the next are its candidates.

    weights[k] has the weight of candidates[k] and its sum of squared gradients, and, where a row
    begins, its penalty.
    """

    candidates: Array
    weights: Array


@kernel
def feature_slots(
    labels: Array,
    bounds: Array,
    words: Array,
    examples: Array,
    vowels: Array,
    rich: bool,
    mask: int,
) -> tuple[Array, Array]:
    """The slots of the features of some places, labels[examples], each in a word; their numbers."""
    room = MOST_FEATURES if rich else MOST_PLAIN
    slots = np.zeros((len(examples), room), np.int32)
    lengths = np.zeros(len(examples), np.int64)
    hashes = np.empty(MOST_FEATURES, np.int64)
    for k in range(len(examples)):
        first, last = bounds[words[k]], bounds[words[k] + 1]
        string = labels[first:last]
        facts = window_kernels.place_facts(string, vowels)
        place = examples[k] - first
        lengths[k] = window_kernels.write_features(string, place, facts, vowels, rich, hashes)
        for feature in range(lengths[k]):
            slots[k, feature] = hashes[feature] & mask
    return slots, lengths


@kernel
def weight_table(
    slots: Array,
    lengths: Array,
    golds: Array,
    n_slots: int,
    everybody: int,
    least: int,
    penalty: float,
) -> tuple[WeightTable, Array]:
    """A table without weights, and where the row of each slot begins: 0 if it has none.

    A row has the candidates that its slot was seen with and, if that was more than once, those of
    `everybody`, bit by bit. A slot that was seen less than `least` times has none.
    """
    masks, tallies = np.zeros(n_slots, np.int64), np.zeros(n_slots, np.int32)
    for k in range(len(slots)):
        for feature in range(lengths[k]):
            masks[slots[k, feature]] |= 1 << golds[k]
            tallies[slots[k, feature]] += 1
    size = 1
    for slot in range(n_slots):
        if tallies[slot] > 1:
            masks[slot] |= everybody
        if tallies[slot] >= least:
            size += 1
            rest = masks[slot]
            while rest != 0:
                rest &= rest - 1
                size += 1
    starts, row = np.zeros(n_slots, np.int32), 1
    candidates, weights = np.zeros(size, np.uint8), np.zeros((size, 2), np.float32)
    for slot in range(n_slots):
        if tallies[slot] >= least:
            count = 0
            for candidate in range(MOST_CANDIDATES):
                if (masks[slot] >> candidate) & 1:
                    count += 1
                    candidates[row + count] = candidate
                    weights[row + count, 1] = LEAST_SQUARE
            starts[slot], candidates[row], weights[row, 0] = row, count, penalty / tallies[slot]
            row += count + 1
    return WeightTable(candidates, weights), starts


@kernel
def make_rows(slots: Array, lengths: Array, starts: Array) -> None:
    """Write the rows of slots in their place, without the slots that have no row."""
    for k in range(len(slots)):
        n = 0
        for feature in range(lengths[k]):
            row = starts[slots[k, feature]]
            if row != 0:
                slots[k, n] = row
                n += 1
        lengths[k] = n


@kernel
def train_epoch(
    table: WeightTable,
    rows: Array,
    lengths: Array,
    golds: Array,
    importance: Array,
    order: Array,
    n_candidates: int,
    rate: float,
) -> float:
    """Take a step for each example, in an order; return the mean loss."""
    candidates, weights = table.candidates, table.weights
    totals, loss, mass = np.empty(MOST_CANDIDATES), 0.0, 0.0
    for k in order:
        totals[:n_candidates] = 0.0
        for feature in range(lengths[k]):
            row = rows[k, feature]
            for entry in range(row + 1, row + 1 + candidates[row]):
                totals[candidates[entry]] += weights[entry, 0]
        greatest, sum_ = totals[0], 0.0
        for candidate in range(1, n_candidates):
            greatest = max(greatest, totals[candidate])
        for candidate in range(n_candidates):
            totals[candidate] = math.exp(totals[candidate] - greatest)
            sum_ += totals[candidate]
        scale = importance[k] / sum_
        loss -= importance[k] * math.log(totals[golds[k]] / sum_ + 1e-30)
        mass += importance[k]
        for candidate in range(n_candidates):
            totals[candidate] *= scale
        totals[golds[k]] -= importance[k]
        for feature in range(lengths[k]):
            row = rows[k, feature]
            penalty = weights[row, 0]
            for entry in range(row + 1, row + 1 + candidates[row]):
                gradient = totals[candidates[entry]] + penalty * weights[entry, 0]
                weights[entry, 1] += gradient * gradient
                weights[entry, 0] -= rate * gradient / math.sqrt(weights[entry, 1])
    return loss / max(mass, 1e-30)
