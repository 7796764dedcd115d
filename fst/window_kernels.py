"""Kernels: a log-linear model of units given the letters around them.

    ln P(u | x, i) = sum of w(f, u) over the features f of place i, less a constant of the place

A feature is a pattern of letters around place i, hashed to a slot. The rows of a slot are the
units that it was seen with; a weight that was never seen is 0. Units are told by their place among
the candidates of the letter, at most 63.

>>> slots = np.empty(MOST_FEATURES, np.int64)
>>> features(np.array([3, 1, 2]), 1, 1023, slots)
45
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.fst.jit import kernel

Array = Any
LEFT, RIGHT, LONGEST = 3, 4, 6
FARTHEST = 4
MOST_FEATURES = 64
MOST_CANDIDATES = 63
# A unit is never thought less likely than e to the -FLOOR times the likeliest one.
FLOOR = 15.0


class Windows(NamedTuple):
    """Rows of features: starts[slot] is 0, or where its row is: a count, then candidates.

    weights[k] belongs to candidates[k]. Bit `slot` of `present` says whether there is a row, in a
    thirtieth of the memory. Unit u is number places[u] among the candidates of its letter, or -1;
    sizes[letter] is how many that has. A slot is a hash & mask.
    """

    present: Array
    starts: Array
    candidates: Array
    weights: Array
    places: Array
    sizes: Array
    mask: int


@kernel
def mix(hash_: int, symbol: int) -> int:
    product: int = ((hash_ ^ (symbol + 1)) & 0x7FFFFFFF) * 0x5BD1E995
    return product ^ (product >> 29)


@kernel
def letter(string: Array, place: int) -> int:
    return int(string[place]) if 0 <= place < len(string) else 0


@kernel
def features(string: Array, place: int, mask: int, slots: Array) -> int:
    """The slots of the features of a place; returns how many.

    They are: the stretches of letters with the place in them, one end of the word included; the
    place and its neighbours with one letter two to four further off; and with the first or last
    two or three letters of the word.
    """
    n, size = 0, len(string)
    left = mix(1, 1)
    for before in range(LEFT + 1):
        if before > place + 1:
            break
        left = mix(left, 100 + before)
        hash_ = left
        for at in range(place - before, min(place + RIGHT, place - before + LONGEST - 1, size) + 1):
            hash_ = mix(hash_, letter(string, at))
            if at >= place:
                slots[n] = hash_ & mask
                n += 1
    centre, one_left = int(string[place]), letter(string, place - 1)
    one_right = letter(string, place + 1)
    alone = mix(mix(2, 2), centre)
    with_left = mix(mix(alone, 11), one_left)
    with_right = mix(mix(alone, 12), one_right)
    with_both = mix(mix(with_left, 13), one_right)
    for core in (alone, with_left, with_right, with_both):
        for distance in range(2, FARTHEST + 1):
            slots[n] = mix(mix(core, 20 + distance), letter(string, place + distance)) & mask
            slots[n + 1] = mix(mix(core, 30 + distance), letter(string, place - distance)) & mask
            n += 2
    last_two = mix(mix(3, letter(string, size - 1)), letter(string, size - 2))
    first_two = mix(mix(4, letter(string, 0)), letter(string, 1))
    ends = (
        last_two,
        mix(last_two, letter(string, size - 3)),
        first_two,
        mix(first_two, letter(string, 2)),
    )
    for core in (with_left, with_right, with_both):
        for end in ends:
            slots[n] = mix(core, end & 0xFFFFFFF) & mask
            n += 1
    return n


@kernel
def seen(
    labels: Array, bounds: Array, units: Array, places: Array, mask: int, masks: Array
) -> None:
    """Which candidates each slot occurs with: bit k of masks[slot] for candidate k."""
    slots = np.empty(MOST_FEATURES, np.int64)
    for item in range(len(bounds) - 1):
        string = labels[bounds[item] : bounds[item + 1]]
        for place in range(len(string)):
            candidate = places[units[bounds[item] + place]]
            if candidate >= 0:
                for k in range(features(string, place, mask, slots)):
                    masks[slots[k]] |= 1 << candidate


@kernel
def sizes_of_rows(masks: Array) -> Array:
    """How many candidates each slot was seen with."""
    counts = np.zeros(len(masks), np.uint8)
    for slot in range(len(masks)):
        rest = masks[slot]
        while rest != 0:
            rest &= rest - 1
            counts[slot] += 1
    return counts


@kernel
def laid_out(masks: Array, starts: Array, candidates: Array) -> None:
    """Rows of the candidates that were seen."""
    row = 1
    for slot in range(len(masks)):
        if masks[slot] != 0:
            starts[slot], count = row, 0
            for candidate in range(MOST_CANDIDATES):
                if (masks[slot] >> candidate) & 1:
                    count += 1
                    candidates[row + count] = candidate
            candidates[row] = count
            row += count + 1


@kernel
def scores(windows: Windows, slots: Array, n: int, totals: Array) -> None:
    """Adds up the weights of n slots for each candidate."""
    present, starts = windows.present, windows.starts
    candidates, weights = windows.candidates, windows.weights
    for k in range(n):
        slot = slots[k]
        if (present[slot >> 3] >> (slot & 7)) & 1:
            row = starts[slot]
            for entry in range(row + 1, row + 1 + candidates[row]):
                totals[candidates[entry]] += weights[entry]


@kernel
def epoch(
    windows: Windows,
    labels: Array,
    bounds: Array,
    units: Array,
    order: Array,
    squares: Array,
    rate: float,
) -> float:
    """Goes once through some words, in an order, by AdaGrad; returns the mean loss of a place.

    `squares` are the sums of squared gradients so far.
    """
    starts, candidates, weights = windows.starts, windows.candidates, windows.weights
    slots, totals = np.empty(MOST_FEATURES, np.int64), np.empty(MOST_CANDIDATES)
    loss, n_places = 0.0, 0
    for item in order:
        string = labels[bounds[item] : bounds[item + 1]]
        for place in range(len(string)):
            gold = windows.places[units[bounds[item] + place]]
            n_candidates = windows.sizes[string[place]]
            if gold < 0 or n_candidates < 2:
                continue
            totals[:n_candidates] = 0.0
            n = features(string, place, windows.mask, slots)
            scores(windows, slots, n, totals)
            greatest, sum_ = totals[:n_candidates].max(), 0.0
            for k in range(n_candidates):
                totals[k] = math.exp(totals[k] - greatest)
                sum_ += totals[k]
            for k in range(n_candidates):
                totals[k] /= sum_
            loss -= math.log(totals[gold] + 1e-30)
            totals[gold] -= 1.0
            n_places += 1
            for k in range(n):
                row = starts[slots[k]]
                for entry in range(row + 1, row + 1 + candidates[row]):
                    gradient = totals[candidates[entry]]
                    squares[entry] += gradient * gradient
                    weights[entry] -= rate * gradient / math.sqrt(squares[entry])
    return loss / max(1, n_places)


@kernel
def factors(windows: Windows, string: Array, firsts: Array, strength: float) -> tuple[Array, Array]:
    """How likely the units at each place are beside the likeliest, to the power of `strength`.

    That of unit u at a place is shares[shifts[place] + u].
    """
    n, shifts = 0, np.zeros(len(string) + 1, np.int64)
    for place in range(len(string)):
        shifts[place] = n - firsts[string[place]]
        n += firsts[string[place] + 1] - firsts[string[place]]
    shares = np.full(n, math.exp(-strength * FLOOR))
    slots, totals = np.empty(MOST_FEATURES, np.int64), np.empty(MOST_CANDIDATES)
    for place in range(len(string)):
        n_candidates = windows.sizes[string[place]]
        totals[:n_candidates] = 0.0
        n = features(string, place, windows.mask, slots)
        scores(windows, slots, n, totals)
        greatest = -np.inf
        for k in range(n_candidates):
            greatest = max(greatest, totals[k])
        for unit in range(firsts[string[place]], firsts[string[place] + 1]):
            candidate = windows.places[unit]
            if candidate >= 0:
                behind = min(greatest - totals[candidate], FLOOR)
                shares[shifts[place] + unit] = math.exp(-strength * behind)
    return shares, shifts
