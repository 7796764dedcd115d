"""Kernels: a log-linear model of a unit given all letters around it and the units before it.

    ln P(u | x, i, u1 ... u(i-1)) = sum of w(f, u) over the features f of place i, less a constant

Each unit reads one letter. Features are patterns of letters and of units before, hashed to slots; a
slot has a row of the units that it was seen with, by their place among the candidates of the
letter. Wider than `glyphone.fst.context.window_kernels`, and with a memory, the model is too slow
to search with, but it scores the few outputs that faster ones propose.

>>> slots = np.empty(MOST_FEATURES, np.int64)
>>> string, no_vowels = np.array([3, 1, 2]), np.zeros(4, np.bool_)
>>> letter_features(string, 1, no_vowels, 1023, slots)
124
>>> history_features(string, np.array([7, 8, 9]), 1, 1023, slots, 124)
130
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.fst.context.window_kernels import MOST_CANDIDATES

window_kernels = sibling(__name__, "glyphone.fst.context.window_kernels")
mix_hash, letter_at = window_kernels.mix_hash, window_kernels.letter_at

Array = Any
REACH, LONGEST, HISTORY, AHEAD = 7, 10, 5, 3
FARTHEST = 4
MOST_FEATURES = 256
# What a unit costs that is no candidate, or that a model which never saw its letter must score.
UNSEEN = -12.0


class HistoryRows(NamedTuple):
    """Rows of features: starts[slot] is 0, or where its row is: a count, then candidates.

    weights[k] belongs to candidates[k], and that at the head of a row is one over how often the
    slot was seen. Unit u is number places[u] among the candidates of its letter, or -1;
    sizes[letter] is how many that has. A slot is a hash & mask.
    """

    starts: Array
    candidates: Array
    weights: Array
    places: Array
    sizes: Array
    vowels: Array
    mask: int


@kernel
def letter_features(string: Array, place: int, vowels: Array, mask: int, slots: Array) -> int:
    """Write the slots of the features of letters; return their number.

    They are: the stretches of letters with the place in them, one end of the word included; and,
    each with the place and up to two neighbours on each side: the first and last letters of the
    word, one letter two to four further off, the vowels and consonants that follow and go before,
    the nearest vowels and how many letters away they are, and how many syllables there are.
    """
    n, size = 0, len(string)
    left = mix_hash(1, 1)
    for before in range(min(REACH, place + 1) + 1):
        left = mix_hash(left, 100 + before)
        hash_ = left
        for at in range(place - before, min(place + REACH, place - before + LONGEST - 1, size) + 1):
            hash_ = mix_hash(hash_, letter_at(string, at))
            if at >= place:
                slots[n] = hash_ & mask
                n += 1
    one_left, one_right = letter_at(string, place - 1), letter_at(string, place + 1)
    alone = mix_hash(mix_hash(2, 2), int(string[place]))
    with_left, with_right = (
        mix_hash(mix_hash(alone, 11), one_left),
        mix_hash(mix_hash(alone, 12), one_right),
    )
    with_both = mix_hash(mix_hash(with_left, 13), one_right)
    widest = mix_hash(
        mix_hash(with_both, letter_at(string, place - 2)), letter_at(string, place + 2)
    )
    cores = (alone, with_left, with_right, with_both, widest)

    last_two = mix_hash(mix_hash(3, letter_at(string, size - 1)), letter_at(string, size - 2))
    last_three = mix_hash(last_two, letter_at(string, size - 3))
    first_two = mix_hash(mix_hash(4, letter_at(string, 0)), letter_at(string, 1))
    first_three = mix_hash(first_two, letter_at(string, 2))
    last_four = mix_hash(last_three, letter_at(string, size - 4))
    for core in cores:
        for end in (last_two, last_three, last_four, first_two, first_three):
            slots[n] = mix_hash(core, end & 0xFFFFFFF) & mask
            n += 1

    for core in cores[:4]:
        for distance in range(2, FARTHEST + 1):
            slots[n] = (
                mix_hash(mix_hash(core, 20 + distance), letter_at(string, place + distance)) & mask
            )
            slots[n + 1] = (
                mix_hash(mix_hash(core, 30 + distance), letter_at(string, place - distance)) & mask
            )
            n += 2

    for way in range(4):
        core = cores[way]
        begin, end = place - way % 2, place + way // 2
        hash_ = mix_hash(core, 555)
        for at in range(end + 1, end + 4):
            hash_ = mix_hash(hash_, 1 + int(vowels[string[at]]) if at < size else 0)
            slots[n] = hash_ & mask
            n += 1
        hash_ = mix_hash(core, 556)
        for at in range(begin - 1, begin - 4, -1):
            hash_ = mix_hash(hash_, 1 + int(vowels[string[at]]) if at >= 0 else 0)
            slots[n] = hash_ & mask
            n += 1
        for at in range(end + 1, end + 4):
            hash_ = mix_hash(hash_, 11 + int(vowels[string[at]]) if at < size else 10)
            slots[n] = hash_ & mask
            n += 1

    at = place + 1
    while at < size and not vowels[string[at]]:
        at += 1
    next_vowel = mix_hash(41 + min(at - place, 4), letter_at(string, at)) & 0xFFFFFFF
    after_it = mix_hash(next_vowel, letter_at(string, at + 1)) & 0xFFFFFFF
    at = place - 1
    while at >= 0 and not vowels[string[at]]:
        at -= 1
    last_vowel = mix_hash(51 + min(place - at, 4), letter_at(string, at)) & 0xFFFFFFF
    before, after = 0, 0
    for at in range(1, size):
        if vowels[string[at]] and not vowels[string[at - 1]]:
            before += int(at <= place)
            after += int(at > place)
    syllables = 7000 + 10 * min(before, 4) + min(after, 4)
    for core in cores:
        slots[n] = mix_hash(core, next_vowel) & mask
        slots[n + 1] = mix_hash(core, after_it) & mask
        slots[n + 2] = mix_hash(core, last_vowel) & mask
        slots[n + 3] = mix_hash(mix_hash(core, last_vowel), next_vowel) & mask
        slots[n + 4] = mix_hash(core, 6000 + min(after, 4)) & mask
        slots[n + 5] = mix_hash(core, syllables) & mask
        n += 6
    return n


@kernel
def history_features(
    string: Array, units: Array, place: int, mask: int, slots: Array, n: int
) -> int:
    """Write the slots of the units before a place behind n others; return the new number of
    slots."""
    hash_ = mix_hash(5, 5)
    for back in range(1, HISTORY + 1):
        hash_ = mix_hash(hash_, int(units[place - back]) + 2 if place >= back else 1)
        with_letters = mix_hash(hash_, int(string[place]) + 1000)
        slots[n] = with_letters & mask
        n += 1
        for ahead in range(1, AHEAD + 1):
            if place + ahead > len(string):
                break
            with_letters = mix_hash(with_letters, letter_at(string, place + ahead) + 1000)
            slots[n] = with_letters & mask
            n += 1
        if place < back:
            break
    return n


@kernel
def place_features(
    string: Array, units: Array, place: int, vowels: Array, mask: int, slots: Array
) -> int:
    """Write all slots of a place; return their number."""
    n = letter_features(string, place, vowels, mask, slots)
    return history_features(string, units, place, mask, slots, n)


@kernel
def add_weights(rows: HistoryRows, slots: Array, first: int, last: int, totals: Array) -> None:
    """Add the weights of some slots, first to last, to the total of each candidate."""
    starts, candidates, weights = rows.starts, rows.candidates, rows.weights
    for k in range(first, last):
        row = starts[slots[k]]
        for entry in range(row + 1, row + 1 + candidates[row]):
            totals[candidates[entry]] += weights[entry]


@kernel
def log_sum(totals: Array, n: int) -> float:
    """ln of the sum of the exponentials of the first n totals."""
    greatest, sum_ = -np.inf, 0.0
    for k in range(n):
        greatest = max(greatest, totals[k])
    for k in range(n):
        sum_ += math.exp(totals[k] - greatest)
    return greatest + math.log(sum_)


@kernel
def write_path_scores(
    rows: HistoryRows,
    string: Array,
    units: Array,
    bounds: Array,
    first: int,
    last: int,
    scores: Array,
) -> None:
    """Write scores[k] = ln P of the path units[bounds[k]:bounds[k + 1]], for k from `first` to
    `last`.

    All paths are for the same string. Weights of letters are added up once; paths of another
    length, which no path of this model's units has, are left alone.
    """
    slots = np.empty(MOST_FEATURES, np.int64)
    totals, sums = np.zeros((len(string), MOST_CANDIDATES)), np.empty(MOST_CANDIDATES)
    for place in range(len(string)):
        n = letter_features(string, place, rows.vowels, rows.mask, slots)
        add_weights(rows, slots, 0, n, totals[place])
    for k in range(first, last):
        path = units[bounds[k] : bounds[k + 1]]
        if len(path) != len(string) or len(path) == 0:
            continue
        scores[k] = 0.0
        for place in range(len(string)):
            candidate, n_candidates = rows.places[path[place]], rows.sizes[string[place]]
            if candidate < 0 or n_candidates == 0:
                scores[k] += UNSEEN
                continue
            sums[:n_candidates] = totals[place, :n_candidates]
            n = history_features(string, path, place, rows.mask, slots, 0)
            add_weights(rows, slots, 0, n, sums)
            scores[k] += sums[candidate] - log_sum(sums, n_candidates)
