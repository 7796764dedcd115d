"""Histories: probabilities of a unit, given all letters of the word and the units before it.

    P(units | x) = product over the places i of P(ui | x, i, u1 ... u(i-1))

a maximum-entropy Markov model (Ratnaparkhi 1996); see `glyphone.fst.context.history_kernels`, and
`glyphone.fst.context.history_training_kernels` for how its weights are found on aligned words. With
`backward` words are read from their ends, so that the units before are those to the right.

>>> from glyphone.fst.ngrams.counts import flatten
>>> units = Units.of([((1,), (1,)), ((1,), (2,)), ((2,), (1,))], n_labels=3)
>>> rows = [[units.numbers[unit] for unit in [((1,), (1,)), ((2,), (1,))]]] * 5
>>> model = fit_histories(units, *flatten(rows), vowels=np.zeros(3, np.bool_))
>>> model.places.tolist()
[0, -1, 0]
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.fst.alignment.units import Units
from glyphone.fst.context import history_training_kernels
from glyphone.fst.context.candidates import candidate_counts, candidate_places
from glyphone.fst.context.history_kernels import HistoryRows

LEAST_BITS, MOST_BITS = 12, 24
# A weight that moves no probability by a hundredth of itself is not worth its room.
NEGLIGIBLE = 0.01

Array = Any


@dataclass(frozen=True, eq=False)
class HistoryModel:
    """Sorted `slots` that have a row of weights, and `counts`, the lengths of these.

    Rows hold `candidates` and their `weights`. `places[u]` is the place of unit u among the
    candidates of its letter, or -1. `vowels` marks the labels of letters that are vowels.
    """

    units: Units
    bits: int
    slots: Array
    counts: Array
    candidates: Array
    weights: Array
    places: Array
    vowels: Array
    backward: bool = False

    @cached_property
    def rows(self) -> HistoryRows:
        """The rows in the form that the kernels take: each after its count."""
        lengths = self.counts.astype(np.int64) + 1
        begins = 1 + np.cumsum(lengths) - lengths
        n = 1 + int(lengths.sum())
        entries = np.ones(n, np.bool_)
        entries[0] = entries[begins] = False
        candidates, weights = np.zeros(n, np.uint8), np.zeros(n, np.float32)
        candidates[begins] = self.counts
        candidates[entries], weights[entries] = self.candidates, self.weights
        starts = np.zeros(1 << self.bits, np.int32)
        starts[self.slots] = begins
        mask, sizes = (1 << self.bits) - 1, candidate_counts(self.units, self.places)
        return HistoryRows(starts, candidates, weights, self.places, sizes, self.vowels, mask)


def fit_histories(
    units: Units,
    tokens: Array,
    offsets: Array,
    *,
    vowels: Array,
    backward: bool = False,
    epochs: int = 4,
    rate: float = 0.05,
    penalty: float = 0.0,
    seed: int = 0,
) -> HistoryModel:
    """The model of aligned words, whose units are tokens[offsets[i]:offsets[i + 1]].

    Each unit must read one letter.
    """
    places = candidate_places(units, np.bincount(tokens, minlength=len(units)))
    if backward:
        tokens, offsets = tokens[::-1].copy(), offsets[-1] - offsets[::-1]
    labels = np.array([source[0] for source in units.sources], np.int32)[tokens]
    bits = min(MOST_BITS, max(LEAST_BITS, math.ceil(math.log2(64 * max(1, len(tokens))))))
    mask = (1 << bits) - 1
    kernels = jit.tier(history_training_kernels, 128 * len(tokens))
    masks, counts = np.zeros(1 << bits, np.int64), np.zeros(1 << bits, np.int32)
    met = kernels.mark_candidates(labels, offsets, tokens, places, vowels, mask, masks, counts)
    starts = np.zeros(1 << bits, np.int32)
    candidates, weights = kernels.candidate_rows(met, masks, counts, starts)
    del met, masks, counts
    squares = np.full(len(weights), 0.1, np.float32)
    rows = HistoryRows(
        starts, candidates, weights, places, candidate_counts(units, places), vowels, mask
    )
    random = np.random.default_rng(seed)
    for round_ in range(epochs):
        order = random.permutation(len(offsets) - 1)
        step = rate * (1 - round_ / epochs)
        kernels.train_epoch(rows, labels, offsets, tokens, order, squares, step, penalty)
    return drop_negligible(units, bits, starts, candidates, weights, places, vowels, backward)


def drop_negligible(
    units: Units,
    bits: int,
    starts: Array,
    candidates: Array,
    weights: Array,
    places: Array,
    vowels: Array,
    backward: bool,
) -> HistoryModel:
    """The model of rows without their negligible weights, in the order of slots."""
    slots = np.flatnonzero(starts)
    heads = starts[slots].astype(np.int64)
    sizes = candidates[heads].astype(np.int64)
    ends = np.cumsum(sizes)
    entries = np.repeat(heads + 1 - (ends - sizes), sizes) + np.arange(ends[-1] if len(ends) else 0)
    # Half precision, so that a model is the same before and after it is saved.
    rounded, choices = weights[entries].astype(np.float16), candidates[entries]
    kept = np.abs(rounded) >= NEGLIGIBLE
    sums = np.concatenate([[0], np.cumsum(kept)])
    counts = sums[ends] - sums[ends - sizes]
    full = counts > 0
    return HistoryModel(
        units,
        bits,
        slots[full].astype(np.int32),
        counts[full].astype(np.uint8),
        choices[kept],
        rounded[kept].astype(np.float32),
        places,
        vowels,
        backward,
    )
