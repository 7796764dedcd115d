"""Kernels: a log-linear model of a unit given all letters around it and the units before it.

    ln P(u | x, i, u1 ... u(i-1)) = sum of w(f, u) over the features f of place i, less a constant

Each unit reads one letter. Features are patterns of letters and of units before, hashed to slots;
a slot has a row of the units that it was seen with, told by their place among the candidates of the
letter. Wider than `glyphone.fst.window_kernels`, and with a memory, the model is too slow to search
with, but it scores the few outputs that faster ones propose.

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

from glyphone.data.jit import kernel, sibling

window_kernels = sibling(__name__, "glyphone.fst.window_kernels")
mix, letter = window_kernels.mix, window_kernels.letter

Array = Any
REACH, LONGEST, HISTORY, AHEAD = 7, 10, 5, 3
FARTHEST = 4
MOST_FEATURES = 256
MOST_CANDIDATES = 63
# What a unit costs that is no candidate, or that a model which never saw its letter must score.
UNSEEN = -12.0
# Where the right unit lacks less than this of certainty there is nothing to learn.
SURE = 1e-3


class Rows(NamedTuple):
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
    """The slots of what the letters say; returns how many.

    They are: the stretches of letters with the place in them, one end of the word included; and,
    each with the place and up to two neighbours on each side: the first and last letters of the
    word, one letter two to four further off, the vowels and consonants that follow and go before,
    the nearest vowels and how many letters away they are, and how many syllables there are.
    """
    n, size = 0, len(string)
    left = mix(1, 1)
    for before in range(min(REACH, place + 1) + 1):
        left = mix(left, 100 + before)
        hash_ = left
        for at in range(place - before, min(place + REACH, place - before + LONGEST - 1, size) + 1):
            hash_ = mix(hash_, letter(string, at))
            if at >= place:
                slots[n] = hash_ & mask
                n += 1
    one_left, one_right = letter(string, place - 1), letter(string, place + 1)
    alone = mix(mix(2, 2), int(string[place]))
    with_left, with_right = mix(mix(alone, 11), one_left), mix(mix(alone, 12), one_right)
    with_both = mix(mix(with_left, 13), one_right)
    widest = mix(mix(with_both, letter(string, place - 2)), letter(string, place + 2))
    cores = (alone, with_left, with_right, with_both, widest)

    last_two = mix(mix(3, letter(string, size - 1)), letter(string, size - 2))
    last_three = mix(last_two, letter(string, size - 3))
    first_two = mix(mix(4, letter(string, 0)), letter(string, 1))
    first_three = mix(first_two, letter(string, 2))
    last_four = mix(last_three, letter(string, size - 4))
    for core in cores:
        for end in (last_two, last_three, last_four, first_two, first_three):
            slots[n] = mix(core, end & 0xFFFFFFF) & mask
            n += 1

    for core in cores[:4]:
        for distance in range(2, FARTHEST + 1):
            slots[n] = mix(mix(core, 20 + distance), letter(string, place + distance)) & mask
            slots[n + 1] = mix(mix(core, 30 + distance), letter(string, place - distance)) & mask
            n += 2

    for way in range(4):
        core = cores[way]
        begin, end = place - way % 2, place + way // 2
        hash_ = mix(core, 555)
        for at in range(end + 1, end + 4):
            hash_ = mix(hash_, 1 + int(vowels[string[at]]) if at < size else 0)
            slots[n] = hash_ & mask
            n += 1
        hash_ = mix(core, 556)
        for at in range(begin - 1, begin - 4, -1):
            hash_ = mix(hash_, 1 + int(vowels[string[at]]) if at >= 0 else 0)
            slots[n] = hash_ & mask
            n += 1
        for at in range(end + 1, end + 4):
            hash_ = mix(hash_, 11 + int(vowels[string[at]]) if at < size else 10)
            slots[n] = hash_ & mask
            n += 1

    at = place + 1
    while at < size and not vowels[string[at]]:
        at += 1
    next_vowel = mix(41 + min(at - place, 4), letter(string, at)) & 0xFFFFFFF
    after_it = mix(next_vowel, letter(string, at + 1)) & 0xFFFFFFF
    at = place - 1
    while at >= 0 and not vowels[string[at]]:
        at -= 1
    last_vowel = mix(51 + min(place - at, 4), letter(string, at)) & 0xFFFFFFF
    before, after = 0, 0
    for at in range(1, size):
        if vowels[string[at]] and not vowels[string[at - 1]]:
            before += int(at <= place)
            after += int(at > place)
    syllables = 7000 + 10 * min(before, 4) + min(after, 4)
    for core in cores:
        slots[n] = mix(core, next_vowel) & mask
        slots[n + 1] = mix(core, after_it) & mask
        slots[n + 2] = mix(core, last_vowel) & mask
        slots[n + 3] = mix(mix(core, last_vowel), next_vowel) & mask
        slots[n + 4] = mix(core, 6000 + min(after, 4)) & mask
        slots[n + 5] = mix(core, syllables) & mask
        n += 6
    return n


@kernel
def history_features(
    string: Array, units: Array, place: int, mask: int, slots: Array, n: int
) -> int:
    """Puts the slots of the units before a place behind n others; returns how many there are."""
    hash_ = mix(5, 5)
    for back in range(1, HISTORY + 1):
        hash_ = mix(hash_, int(units[place - back]) + 2 if place >= back else 1)
        with_letters = mix(hash_, int(string[place]) + 1000)
        slots[n] = with_letters & mask
        n += 1
        for ahead in range(1, AHEAD + 1):
            if place + ahead > len(string):
                break
            with_letters = mix(with_letters, letter(string, place + ahead) + 1000)
            slots[n] = with_letters & mask
            n += 1
        if place < back:
            break
    return n


@kernel
def features(
    string: Array, units: Array, place: int, vowels: Array, mask: int, slots: Array
) -> int:
    """All slots of a place."""
    n = letter_features(string, place, vowels, mask, slots)
    return history_features(string, units, place, mask, slots, n)


@kernel
def seen(
    labels: Array,
    bounds: Array,
    units: Array,
    places: Array,
    vowels: Array,
    mask: int,
    masks: Array,
    counts: Array,
) -> Array:
    """Which candidates each slot occurs with, bit k of masks[slot] for candidate k; how often.

    Returns the slots in the order in which they are met.
    """
    slots, met, n_met = np.empty(MOST_FEATURES, np.int64), np.empty(1024, np.int32), 0
    for item in range(len(bounds) - 1):
        string = labels[bounds[item] : bounds[item + 1]]
        path = units[bounds[item] : bounds[item + 1]]
        for place in range(len(string)):
            candidate = places[path[place]]
            if candidate >= 0:
                for k in range(features(string, path, place, vowels, mask, slots)):
                    if masks[slots[k]] == 0:
                        if n_met == len(met):
                            met = doubled(met)
                        met[n_met] = slots[k]
                        n_met += 1
                    masks[slots[k]] |= 1 << candidate
                    counts[slots[k]] += 1
    return met[:n_met]


@kernel
def doubled(array: Array) -> Array:
    larger = np.empty(2 * len(array), array.dtype)
    larger[: len(array)] = array
    return larger


@kernel
def laid_out(met: Array, masks: Array, counts: Array, starts: Array) -> tuple[Array, Array]:
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
def add_up(rows: Rows, slots: Array, first: int, last: int, totals: Array) -> None:
    """Adds up the weights of some slots for each candidate."""
    starts, candidates, weights = rows.starts, rows.candidates, rows.weights
    for k in range(first, last):
        row = starts[slots[k]]
        for entry in range(row + 1, row + 1 + candidates[row]):
            totals[candidates[entry]] += weights[entry]


@kernel
def log_sum(totals: Array, n: int) -> float:
    greatest, sum_ = -np.inf, 0.0
    for k in range(n):
        greatest = max(greatest, totals[k])
    for k in range(n):
        sum_ += math.exp(totals[k] - greatest)
    return greatest + math.log(sum_)


@kernel
def epoch(
    rows: Rows,
    labels: Array,
    bounds: Array,
    units: Array,
    order: Array,
    squares: Array,
    rate: float,
    penalty: float,
) -> float:
    """Goes once through some words, in an order, by AdaGrad; returns the mean loss of a place.

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
            n = features(string, path, place, rows.vowels, rows.mask, slots)
            add_up(rows, slots, 0, n, totals)
            total = log_sum(totals, n_candidates)
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


@kernel
def score_paths(
    rows: Rows, string: Array, units: Array, bounds: Array, first: int, last: int, scores: Array
) -> None:
    """scores[k] = ln P of the path units[bounds[k]:bounds[k + 1]], for k from `first` to `last`.

    Each is for the same string. What letters say is looked up once; paths of another length, which
    no path of this model's units has, are left alone.
    """
    slots = np.empty(MOST_FEATURES, np.int64)
    totals, sums = np.zeros((len(string), MOST_CANDIDATES)), np.empty(MOST_CANDIDATES)
    for place in range(len(string)):
        n = letter_features(string, place, rows.vowels, rows.mask, slots)
        add_up(rows, slots, 0, n, totals[place])
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
            add_up(rows, slots, 0, n, sums)
            scores[k] += sums[candidate] - log_sum(sums, n_candidates)
