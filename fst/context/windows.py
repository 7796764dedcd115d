"""Windows: probabilities of the unit that reads a place, given the letters on both sides of it.

    P(u | x, i) = exp sum_f w(f, u) / sum over units v that read letter i of exp sum_f w(f, v)

f runs over hashed patterns of letters around place i: see `glyphone.fst.context.window_kernels`,
and `glyphone.fst.context.window_training_kernels` for how weights are found on aligned words. A
joint model multiplies these probabilities in: its n-grams know which units follow each other,
windows know the letters further right.

>>> from glyphone.fst.ngrams.counts import flatten
>>> units = Units.of([((1,), (1,)), ((1,), (2,)), ((2,), (1,))], n_labels=3)
>>> rows = [[units.numbers[unit] for unit in [((1,), (1,)), ((2,), (1,))]]] * 5
>>> windows = fit_windows(units, *flatten(rows))
>>> shares, shifts = windows.factors(np.array([1, 2], np.int32))
>>> [bool(share > 0.5) for share in shares]
[True, False, True]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from glyphone.data import progress
from glyphone.data.kernels import jit
from glyphone.fst.alignment.units import Units
from glyphone.fst.context import vowels as context_vowels
from glyphone.fst.context import window_kernels, window_training_kernels
from glyphone.fst.context.candidates import candidate_counts, candidate_places
from glyphone.fst.context.window_kernels import UNIT, Windows

# All figures here were tuned on held-out training words: CMUdict, and SIGMORPHON 2021 low, medium.
RATE, PENALTY = 0.2, 0.3
LEAST_BITS, MOST_BITS = 6, 26
# Slots for each example: the fewer there are, the less they have in common.
SLOTS_OF_FEW, SLOTS_OF_MANY = 64, 2
# A letter that stands in no more places has all its candidates in each row, and rows of features
# that were seen once: there is little to learn from, and room enough.
FEW_PLACES = 8192
# With less text than this, what is a vowel around a place says what its letters cannot yet.
LITTLE_TEXT = 300_000
# How often a letter must be seen before units that were seen once are suspected.
OFTEN = 1000
WORDS_FOR_VOWELS = 10_000
# A row with weights for this part of all candidates has a place for each, and is added at once.
LEAST_FULL = 3
GREATEST, LEAST = (1 << 15) - 1, UNIT // 50

Array = Any


@dataclass(frozen=True, eq=False)
class WindowModel:
    """Letter l has 2 ** bits[l] slots, or none if bits[l] is 0; one letter's follow another's.

    `slots`, sorted, are those that have a row; `counts`, how long each is. Rows hold `candidates`
    and their `weights`, in parts of 1 / UNIT. `places[u]` is the place of unit u among the
    candidates of its letter, or -1. `vowels` marks the letters that behave like vowels, `rich` says
    whether features look for them on all sides.
    """

    units: Units
    bits: Array
    slots: Array
    counts: Array
    candidates: Array
    weights: Array
    places: Array
    vowels: Array
    rich: bool
    ngram_share: float
    window_share: float

    @cached_property
    def sizes(self) -> Array:
        """The number of candidates of each letter."""
        return candidate_counts(self.units, self.places)

    @cached_property
    def windows(self) -> Windows:
        """The rows in the form that the kernels take."""
        room = np.where(self.bits > 0, 1 << self.bits, 0)
        bases = np.cumsum(room) - room
        packed = self.weights.astype(np.int32) * 64 + self.candidates
        ends = np.cumsum(self.counts, dtype=np.int64)
        alone = self.counts == 1
        starts = np.zeros(int(room.sum()), np.int32)
        starts[self.slots[alone]] = packed[ends[alone] - 1] * 2 + 1
        lengths = self.counts[~alone].astype(np.int64)
        sizes = self.sizes[np.searchsorted(bases + room, self.slots[~alone], side="right")]
        full = lengths * LEAST_FULL >= sizes
        taken = 1 + np.where(full, sizes, lengths)
        heads = 1 + np.cumsum(taken) - taken
        starts[self.slots[~alone]] = heads * 2
        entries = np.zeros(1 + int(taken.sum()), np.int32)
        entries[heads] = np.where(full, -1, lengths)
        # A weight goes behind the head of its row: to its candidate, or after the one before it.
        several, of_full = np.repeat(~alone, self.counts), np.repeat(full, lengths)
        first = 1 + np.repeat(heads, lengths)
        within = np.arange(len(first)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        at = first + np.where(of_full, self.candidates[several], within)
        entries[at] = np.where(of_full, self.weights[several], packed[several])
        arrays = (starts, entries, bases, np.maximum(room - 1, 0), self.places)
        return windows_of(*arrays, self.sizes, self.vowels, rich=self.rich)

    def factors(self, string: Array, *, strength: float = 1.0) -> tuple[Array, Array]:
        """The likelihood of the units at each place beside the likeliest, to a power.

        That of a unit is shares[shifts[place] + unit].
        """
        kernels = jit.tier(window_kernels, 64 * len(string))
        firsts = self.units.firsts
        shares, shifts = kernels.unit_factors(self.windows, string, firsts, strength, math.inf)
        return shares, shifts


def windows_of(*arrays: Array, rich: bool) -> Windows:
    """The arrays as read-only views, as they are in a model from a file: kernels are then compiled
    for one type of arrays only."""
    views = [array.view() for array in arrays]
    for view in views:
        view.flags.writeable = False
    return Windows._make([*views, rich])


_NONE = np.zeros(0, np.int64)
NO_WINDOWS = windows_of(
    _NONE.astype(np.int32),
    _NONE.astype(np.int32),
    _NONE,
    _NONE,
    _NONE,
    _NONE,
    _NONE.astype(np.bool_),
    rich=False,
)


class LetterRows(NamedTuple):
    """The rows of one letter, its slots counted from 0."""

    slots: Array
    counts: Array
    candidates: Array
    weights: Array


def fit_windows(
    units: Units,
    tokens: Array,
    offsets: Array,
    *,
    weights: Sequence[float] | None = None,
    rounds: int | None = None,
    rate: float = RATE,
    seed: int = 0,
    jobs: int = 1,
) -> WindowModel:
    """The windows of aligned words, whose units are tokens[offsets[i]:offsets[i + 1]].

    Each unit must read one letter. `weights` say how often each word counts, `rounds` how often
    all are gone through: from 15 times if they are few to twice. `rate` is how far the weights move
    at first: less where the same letters are read in many ways. The model does not depend on how
    many `jobs` there are.
    """
    labels = np.array([source[0] for source in units.sources], np.int32)[tokens]
    places = candidate_places(units, np.bincount(tokens, minlength=len(units)), often=OFTEN)
    sizes, rich = candidate_counts(units, places), len(tokens) < LITTLE_TEXT
    vowels = mark_vowels(labels, offsets, units.n_labels)
    rounds = default_rounds(len(tokens)) if rounds is None else rounds
    words = np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))
    importance = word_importance(weights, np.diff(offsets))
    usable = (places[tokens] >= 0) & (sizes[labels] > 1) & (importance[words] > 0)
    order = np.argsort(labels, kind="stable").astype(np.int32)
    order = order[usable[order]]
    edges = np.searchsorted(labels[order], np.arange(units.n_labels + 1)).tolist()
    bits = np.zeros(units.n_labels, np.int64)
    kernels = jit.tier(window_training_kernels, 64 * len(tokens))

    def fitted(letter: int) -> LetterRows:
        examples = order[edges[letter] : edges[letter + 1]]
        golds, of = places[tokens[examples]], words[examples]
        size, n_slots = int(sizes[letter]), 1 << int(bits[letter])
        few = len(examples) <= FEW_PLACES
        slots, lengths = kernels.feature_slots(
            labels, offsets, of, examples, vowels, rich, n_slots - 1
        )
        everybody, least = ((1 << size) - 1, 1) if few else (0, 2)
        table, starts = kernels.weight_table(
            slots, lengths, golds, n_slots, everybody, least, PENALTY
        )
        kernels.make_rows(slots, lengths, starts)
        random = np.random.default_rng([seed, letter])
        for round_ in range(rounds):
            turns, step = random.permutation(len(examples)), rate * (1 - round_ / rounds)
            kernels.train_epoch(table, slots, lengths, golds, importance[of], turns, size, step)
        return pack_rows(table, starts)

    letters = [x for x in range(units.n_labels) if edges[x] < edges[x + 1]]
    for x in letters:
        n = edges[x + 1] - edges[x]
        slots = n * (SLOTS_OF_FEW if n <= FEW_PLACES else SLOTS_OF_MANY)
        bits[x] = min(MOST_BITS, max(LEAST_BITS, math.ceil(math.log2(slots))))
    found = map_letters(fitted, letters, jobs)
    room = np.where(bits > 0, 1 << bits, 0)
    bases = (np.cumsum(room) - room)[letters]
    empty = LetterRows(_NONE, *(_NONE.astype(t) for t in (np.uint8, np.uint8, np.int16)))
    shifted = [
        rows._replace(slots=base + rows.slots) for base, rows in zip(bases, found, strict=True)
    ]
    rows = LetterRows._make(
        np.concatenate(columns) for columns in zip(empty, *shifted, strict=True)
    )
    shares = default_shares(len(tokens))
    return WindowModel(
        units, bits, *rows, places, vowels, rich=rich, ngram_share=shares[0], window_share=shares[1]
    )


def pack_rows(table: window_training_kernels.WeightTable, starts: Array) -> LetterRows:
    """Rows of weights as whole numbers, without those near 0."""
    slots = np.flatnonzero(starts)
    heads = starts[slots]
    inner = np.ones(len(table.candidates), np.bool_)
    inner[0] = inner[heads] = False
    numbers = np.rint(table.weights[inner, 0] * UNIT)
    kept = np.abs(numbers) >= LEAST
    rows = np.repeat(np.arange(len(heads)), table.candidates[heads])[kept]
    counts = np.bincount(rows, minlength=len(heads)).astype(np.uint8)
    weights = np.clip(numbers[kept], -GREATEST, GREATEST).astype(np.int16)
    return LetterRows(slots[counts > 0], counts[counts > 0], table.candidates[inner][kept], weights)


def map_letters(
    function: Callable[[int], LetterRows], letters: Sequence[int], jobs: int
) -> list[LetterRows]:
    """The rows of letters, in their order."""
    name = "learning windows of letters"
    if jobs == 1:
        return [function(letter) for letter in progress.steps(letters, name)]
    with ThreadPoolExecutor(jobs) as pool:
        found = pool.map(function, letters)
        return list(progress.steps(found, name, total=len(letters)))


def default_rounds(n_places: int) -> int:
    """The number of rounds of training for so many places."""
    return max(2, min(15, round(1000 / math.sqrt(max(1, n_places)))))


def default_shares(n_places: int) -> tuple[float, float]:
    """The shares of n-grams and windows in the logarithm, which have 0.9 in all.

    Windows generalise from fewer words than n-grams do; from hardly any words neither can.

    >>> [[round(share, 2) for share in default_shares(n)] for n in (50, 1000, 60_000, 850_000)]
    [[0.8, 0.1], [0.48, 0.42], [0.46, 0.44], [0.57, 0.33]]
    """
    share = 0.33 + 0.1 * math.log10(850_000 / max(1, n_places))
    share = min(0.5, max(0.33, share)) * n_places / (n_places + 200)
    return 0.9 - share, share


def word_importance(weights: Sequence[float] | None, lengths: Array) -> Array:
    """The weight of each word, scaled so that a place counts 1 on average."""
    if weights is None:
        return np.ones(len(lengths))
    found = np.array(weights, np.float64)
    total = float((found * lengths).sum())
    return found * (lengths.sum() / total) if total > 0 else found


def mark_vowels(labels: Array, offsets: Array, n_labels: int) -> Array:
    """Whether each letter behaves like a vowel, by some thousands of the words."""
    step = -(-(len(offsets) - 1) // WORDS_FOR_VOWELS)
    words = (labels[offsets[k] : offsets[k + 1]].tolist() for k in range(0, len(offsets) - 1, step))
    vowels = np.zeros(n_labels, np.bool_)
    vowels[sorted(context_vowels.find_vowels(words))] = True
    return vowels
