"""Windows: what the letters on both sides of a place say about the unit that reads it.

    P(u | x, i) = exp sum over f of w(f, u) / the same for all units that read letter i

f runs over hashed patterns of letters around place i: see `glyphone.fst.window_kernels`. The
weights are trained by AdaGrad (Duchi, Hazan and Singer 2011) on aligned words, letter by letter,
and only pairs of pattern and unit that were seen have one. A joint model is pulled towards what is
probable here: its n-grams know which units follow each other, windows what comes further right.

>>> from glyphone.fst.ngram_counts import flat
>>> units = Units.of([((1,), (1,)), ((1,), (2,)), ((2,), (1,))], n_labels=3)
>>> rows = [[units.numbers[unit] for unit in [((1,), (1,)), ((2,), (1,))]]] * 5
>>> windows = fit_windows(units, *flat(rows), epochs=2)
>>> shares, shifts = windows.factors(np.array([1, 2], np.int32))
>>> [bool(share > 0.5) for share in shares]
[True, False, True]
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from glyphone.fst import jit, window_kernels
from glyphone.fst.joint_units import Units
from glyphone.fst.window_kernels import MOST_CANDIDATES, Windows

# The shares of n-grams and windows in the logarithm, tuned on held-out words of CMUdict.
NGRAM_SHARE, WINDOW_SHARE = 0.57, 0.33
NO_WINDOWS = Windows(
    np.zeros(0, np.uint8),
    np.zeros(0, np.int32),
    np.zeros(0, np.uint8),
    np.zeros(0, np.float32),
    np.zeros(0, np.int64),
    np.zeros(0, np.int64),
    0,
)
LEAST_BITS, MOST_BITS = 12, 23
# A unit that was seen once is as likely a misalignment.
LEAST_COUNT = 2

Array = Any


@dataclass(frozen=True, eq=False)
class WindowModel:
    """`slots`, sorted, are those that have a row; `counts`, how long each is.

    Rows hold `candidates` and their `weights`. `places[u]` is the place of unit u among the
    candidates of its letter, or -1.
    """

    units: Units
    bits: int
    slots: Array
    counts: Array
    candidates: Array
    weights: Array
    places: Array
    ngram_share: float = NGRAM_SHARE
    window_share: float = WINDOW_SHARE

    @property
    def mask(self) -> int:
        return (1 << self.bits) - 1

    @cached_property
    def sizes(self) -> Array:
        """How many candidates each letter has."""
        return sizes_of(self.units, self.places)

    @cached_property
    def windows(self) -> Windows:
        """The rows as the kernels want them: each after its count."""
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
        present = np.packbits(starts != 0, bitorder="little")
        return Windows(present, starts, candidates, weights, self.places, self.sizes, self.mask)

    def factors(self, string: Array, *, strength: float = 1.0) -> tuple[Array, Array]:
        """The likelihood of the units at each place beside the likeliest; see the kernel."""
        kernels = jit.tier(window_kernels, 64 * len(string))
        shares, shifts = kernels.factors(self.windows, string, self.units.firsts, strength)
        return shares, shifts


def fit_windows(
    units: Units,
    tokens: Array,
    offsets: Array,
    *,
    epochs: int = 2,
    rate: float = 0.1,
    seed: int = 0,
) -> WindowModel:
    """The windows of aligned words, whose units are tokens[offsets[i]:offsets[i + 1]].

    Each unit must read one letter.
    """
    labels = np.array([source[0] for source in units.sources], np.int32)[tokens]
    places = places_of(units, np.bincount(tokens, minlength=len(units)))
    sizes = sizes_of(units, places)
    bits = min(MOST_BITS, max(LEAST_BITS, math.ceil(math.log2(64 * max(1, len(tokens))))))
    mask = (1 << bits) - 1
    kernels = jit.tier(window_kernels, 64 * len(tokens))
    masks = np.zeros(1 << bits, np.int64)
    kernels.seen(labels, offsets, tokens, places, mask, masks)
    counts = kernels.sizes_of_rows(masks)
    n = 1 + int(counts.sum()) + int(np.count_nonzero(counts))
    starts, candidates = np.zeros(1 << bits, np.int32), np.zeros(n, np.uint8)
    kernels.laid_out(masks, starts, candidates)
    present = np.packbits(starts != 0, bitorder="little")
    weights, squares = np.zeros(n, np.float32), np.full(n, 0.1, np.float32)
    windows = Windows(present, starts, candidates, weights, places, sizes, mask)
    random = np.random.default_rng(seed)
    for round_ in range(epochs):
        order = random.permutation(len(offsets) - 1)
        step = rate * (1 - round_ / epochs)
        kernels.epoch(windows, labels, offsets, tokens, order, squares, step)
    slots = np.flatnonzero(starts).astype(np.int32)
    entries = np.ones(n, np.bool_)
    entries[0] = entries[starts[slots]] = False
    # Half precision, so that a model is the same before and after it is saved.
    rounded = weights[entries].astype(np.float16).astype(np.float32)
    return WindowModel(units, bits, slots, counts[slots], candidates[entries], rounded, places)


def places_of(units: Units, counts: Array) -> Array:
    """The place of each unit among the candidates of its letter: the most frequent come first."""
    places = np.full(len(units), -1, np.int64)
    firsts = units.firsts
    for first, last in zip(firsts[:-1].tolist(), firsts[1:].tolist(), strict=True):
        order = first + np.argsort(-counts[first:last], kind="stable")[:MOST_CANDIDATES]
        kept = order[(counts[order] >= LEAST_COUNT) | (order == order[:1])]
        places[kept] = np.arange(len(kept))
    return places


def sizes_of(units: Units, places: Array) -> Array:
    """How many candidates each letter has."""
    chosen = units.chunks[places >= 0]
    return np.bincount(chosen, minlength=units.n_labels).astype(np.int64)
