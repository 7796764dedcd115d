"""Kernels: a log-linear model of units given the letters around them.

    ln P(u | x, i) = sum of w(f, u) over the features f of place i, less a constant of the place

A feature is a pattern of letters around place i, hashed to a slot among those of letter i. A slot
has a row of units and their weights; a weight that is not there is 0. Units are numbered by their
place among the candidates of the letter, at most 63. Weights are whole numbers of 1 / UNIT, so that
sums of them are the same in any order.

>>> hashes, no_vowels = np.empty(MOST_FEATURES, np.int64), np.zeros(4, np.bool_)
>>> word = np.array([3, 1, 2])
>>> write_features(word, 1, place_facts(word, no_vowels), no_vowels, False, hashes)
22
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf

Array = Any
LEFT, RIGHT, LONGEST = 3, 3, 4
FARTHEST = 4
# At most so many features has a place, and if it is not rich.
MOST_FEATURES, MOST_PLAIN = 39, 24
MOST_CANDIDATES = 63
# More vowels than these before or after a place are as many.
MOST_VOWELS = 4
UNIT = 2048
# A unit is never thought less likely than e to the -FLOOR times the likeliest one.
FLOOR = 15.0
# Stretches of vowels and consonants: how many letters before the place and after it.
SHAPES = ((1, 1), (2, 2), (1, 2), (2, 1), (1, 3), (3, 3))


class Windows(NamedTuple):
    """Slots of features: those of a letter are starts[bases[letter]:], one more than masks[letter],
    or none where that is 0.

    starts[slot] is 0 if the slot has no row; if odd, half of it is an entry, the only one; if even,
    half of it is where the entries are, after their number. An entry is a weight * 64 + candidate.
    A number below 0 says that weights follow, one for each candidate of the letter. Unit u is
    number places[u] among the candidates of its letter, or -1; sizes[letter] is how many that has.
    `vowels` marks letters that behave like vowels.
    """

    starts: Array
    entries: Array
    bases: Array
    masks: Array
    places: Array
    sizes: Array
    vowels: Array
    rich: bool


class WindowNotes(NamedTuple):
    """Room for features and scores of the places of a string, and for shares of units there."""

    facts: Array
    hashes: Array
    counts: Array
    totals: Array
    shares: Array
    shifts: Array


@leaf
def mix_hash(hash_: int, symbol: int) -> int:
    """The hash of a sequence with one more symbol."""
    product: int = ((hash_ ^ (int(symbol) + 1)) & 0x7FFFFFFF) * 0x5BD1E995
    return product ^ (product >> 29)


@leaf
def letter_at(string: Array, place: int) -> int:
    """The letter at a place, 0 beyond the ends of the word."""
    return int(string[place]) if 0 <= place < len(string) else 0


@kernel
def place_facts(string: Array, vowels: Array) -> Array:
    """Count of vowels, and hashes, that features of all places in a string have in common.

    Row `place` has how many vowels stand before it, how many behind it, and how far off the next
    one is; the last two rows have hashes of the first and the last two to four letters.
    """
    facts = np.zeros((len(string) + 2, 4), np.int64)
    write_facts(string, vowels, facts)
    return facts


@leaf
def write_facts(string: Array, vowels: Array, facts: Array) -> None:
    """Write the rows that `place_facts` describes."""
    n, earlier, later, distance = len(string), 0, 0, 0
    for place in range(n):
        facts[place, 0] = min(earlier, MOST_VOWELS)
        earlier += int(vowels[string[place]])
    for place in range(n - 1, -1, -1):
        facts[place, 1] = min(later, MOST_VOWELS)
        facts[place, 2] = 2 * min(distance, 4) + int(later == 0)
        vowel = vowels[string[place]]
        later, distance = later + int(vowel), 0 if vowel else distance + 1
    first, last = mix_hash(4, letter_at(string, 0)), mix_hash(3, letter_at(string, n - 1))
    for far in range(1, 4):
        first, last = (
            mix_hash(first, letter_at(string, far)),
            mix_hash(last, letter_at(string, n - 1 - far)),
        )
        facts[n, far - 1], facts[n + 1, far - 1] = first & 0xFFFFFFF, last & 0xFFFFFFF


@leaf
def write_features(
    string: Array, place: int, facts: Array, vowels: Array, rich: bool, hashes: Array
) -> int:
    """Write the hashes of the features of a place; return their number.

    They are: the stretches of letters with the place in them, one end of the word included; the
    place between its neighbours with one letter two to four further off; the first or last two to
    four letters of the word and how many vowels are on that side; how many vowels there are on both
    sides, and how far off the next one is. If `rich`, also the pattern of vowels around the place.
    """
    n, size = 0, len(string)
    left = mix_hash(1, 1)
    for before in range(LEFT + 1):
        if before > place + 1:
            break
        left = mix_hash(left, 100 + before)
        hash_ = left
        for at in range(place - before, min(place + RIGHT, place - before + LONGEST - 1, size) + 1):
            hash_ = mix_hash(hash_, letter_at(string, at))
            if at >= place:
                hashes[n] = hash_
                n += 1
    alone = mix_hash(2, 2)
    with_both = mix_hash(
        mix_hash(mix_hash(alone, 11), letter_at(string, place - 1)), letter_at(string, place + 1)
    )
    for distance in range(2, FARTHEST + 1):
        behind = mix_hash(mix_hash(5, distance), letter_at(string, place + distance)) & 0xFFFFFFF
        before = mix_hash(mix_hash(6, distance), letter_at(string, place - distance)) & 0xFFFFFFF
        hashes[n], hashes[n + 1] = mix_hash(with_both, behind), mix_hash(with_both, before)
        n += 2
    earlier, later, nearest = facts[place, 0], facts[place, 1], facts[place, 2]
    behind, before = mix_hash(alone, 70 + later), mix_hash(alone, 80 + earlier)
    for far in range(3):
        hashes[n], hashes[n + 1] = (
            mix_hash(behind, facts[size + 1, far]),
            mix_hash(before, facts[size, far]),
        )
        n += 2
    counted = 8 * earlier + later
    hashes[n] = mix_hash(mix_hash(alone, 60), counted)
    hashes[n + 1] = mix_hash(mix_hash(mix_hash(alone, 64), nearest), counted)
    n += 2
    return write_shapes(string, place, vowels, hashes, n) if rich else n


@leaf
def write_shapes(string: Array, place: int, vowels: Array, hashes: Array, n: int) -> int:
    """Write more hashes, behind the first n: stretches of vowels, consonants and ends of the word
    around a place."""
    size = len(string)
    for side in range(2):
        hash_ = mix_hash(9, side)
        for distance in range(1, 6 - side):
            at = place - distance if side else place + distance
            if not -1 <= at <= size:
                break
            hash_ = mix_hash(hash_, letter_shape(string, at, vowels))
            hashes[n] = hash_
            n += 1
    for before, behind in SHAPES:
        if place - before >= -1 and place + behind <= size:
            hash_ = mix_hash(10, 10 * before + behind)
            for at in range(place - before, place + behind + 1):
                if at != place:
                    hash_ = mix_hash(hash_, letter_shape(string, at, vowels))
            hashes[n] = hash_
            n += 1
    return n


@leaf
def letter_shape(string: Array, place: int, vowels: Array) -> int:
    """1 for a consonant at a place, 2 for a vowel, 0 beyond the ends of the word."""
    return 1 + int(vowels[string[place]]) if 0 <= place < len(string) else 0


@leaf
def add_scores(
    windows: Windows, letter_: int, hashes: Array, n: int, sizes: Array, totals: Array
) -> None:
    """Add up the weights of n features for each candidate of a letter."""
    starts, entries = windows.starts, windows.entries
    base, mask = windows.bases[letter_], windows.masks[letter_]
    # Loads that wait for nothing but memory go first, so that they wait together.
    for k in range(n):
        hashes[k] = starts[base + (hashes[k] & mask)]
    several = 0
    for k in range(n):
        start = hashes[k]
        hashes[several] = start >> 1
        several += 1 - (start & 1 | int(start == 0))
        totals[start >> 1 & 63] += (start >> 7) * (start & 1)
    for k in range(several):
        sizes[k] = entries[hashes[k]]
    all_of_them = totals[: windows.sizes[letter_]]
    for k in range(several):
        first, size = hashes[k] + 1, sizes[k]
        if size < 0:
            row = entries[first : first + len(all_of_them)]
            for candidate in range(len(all_of_them)):
                all_of_them[candidate] += row[candidate]
        else:
            for entry in entries[first : first + size]:
                totals[entry & 63] += entry >> 6


@kernel
def window_notes(n_places: int, n_shares: int) -> WindowNotes:
    """Room for `n_places` places and `n_shares` shares."""
    return WindowNotes(
        np.zeros((n_places + 2, 4), np.int64),
        np.empty(MOST_FEATURES, np.int64),
        np.empty(MOST_FEATURES, np.int64),
        np.empty(MOST_CANDIDATES + 1, np.int32),
        np.ones(n_shares),
        np.zeros(n_places + 1, np.int64),
    )


@kernel
def unit_factors(
    windows: Windows, string: Array, firsts: Array, strength: float, reach: float
) -> tuple[Array, Array]:
    """The probabilities of the units at each place, divided by that of the likeliest, to the power
    of `strength`.

    The factor of unit u at a place is shares[shifts[place] + u], but 0 if it is e to the `reach`
    times less likely than the likeliest.
    """
    n = 0
    for label in string:
        n += firsts[label + 1] - firsts[label]
    notes = window_notes(len(string), n)
    write_factors(windows, string, firsts, strength, reach, notes)
    return notes.shares, notes.shifts


@leaf
def write_factors(
    windows: Windows,
    string: Array,
    firsts: Array,
    strength: float,
    reach: float,
    notes: WindowNotes,
) -> bool:
    """Write the factors of units into the shares and shifts of notes; return whether they have
    room."""
    shares, shifts, totals, n = notes.shares, notes.shifts, notes.totals, 0
    if len(string) >= len(shifts):
        return False
    for place in range(len(string)):
        shifts[place] = n - firsts[string[place]]
        n += firsts[string[place] + 1] - firsts[string[place]]
    if n > len(shares):
        return False
    shifts[len(string)] = 0
    shares[:n] = 0.0
    write_facts(string, windows.vowels, notes.facts)
    for place in range(len(string)):
        letter_ = int(string[place])
        n_candidates = windows.sizes[letter_]
        totals[:n_candidates] = 0
        if windows.masks[letter_] > 0:
            found = write_features(
                string, place, notes.facts, windows.vowels, windows.rich, notes.hashes
            )
            add_scores(windows, letter_, notes.hashes, found, notes.counts, totals)
        greatest = totals[0]
        for k in range(1, n_candidates):
            greatest = max(greatest, totals[k])
        for unit in range(firsts[letter_], firsts[letter_ + 1]):
            candidate, behind = windows.places[unit], FLOOR
            if candidate >= 0:
                behind = min((greatest - totals[candidate]) / UNIT, FLOOR)
            if behind <= reach:
                shares[shifts[place] + unit] = math.exp(-strength * behind)
    return True
