"""Kernels: hashed features of whole outputs and their paths, for a reranker.

They describe patterns that no model with a short memory sees: which marks (accents, lengths, tones)
and which vowels go together in a word, what a beginning or an ending does to them, and n-grams of
symbols and of units.

A path has four numbers for each unit: of the letters that it `reads`, of the symbols that it
`writes`, of their `marks`, and whether a vowel letter is read. They are equal in all models,
whatever their labels.

>>> slots = np.empty(most_features(2, 3), np.int64)
>>> path = np.array([5, 6]), np.array([7, 8]), np.array([0, 9]), np.array([False, True])
>>> output_features(np.array([1, 2, 3]), *path, ENDS, 1023, slots)
26
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling

mix_hash = sibling(__name__, "glyphone.fst.context.window_kernels").mix_hash

Array = Any
LONGEST = 4
FARTHEST = 8
# How far features of marks and of vowels alone go, with those of endings and n-grams, with those of
# where in the word each mark stands, and none.
TIERS, ENDS, ALL, NOTHING = 1, 2, 3, 0
LONGEST_END = 6
_LOW = 0xFFFFFFF


@kernel
def most_features(n_units: int, n_labels: int) -> int:
    """The greatest number of features of an output of so many labels and units."""
    return 64 + 2 * n_labels + n_units * (10 + 2 * FARTHEST + 4 * (LONGEST_END + 1))


@kernel
def tier_features(row: Array, n: int, kind: int, mask: int, slots: Array, found: int) -> int:
    """Write the features of the first n of a row behind `found` others: n-grams, pairs further
    apart, and the whole row; return the new number of slots."""
    for size in range(2, LONGEST + 1):
        for begin in range(-1, n + 2 - size):
            hash_ = mix_hash(kind, size)
            for at in range(begin, begin + size):
                hash_ = mix_hash(hash_, row[at] + 2 if 0 <= at < n else int(at >= n))
            slots[found] = hash_ & mask
            found += 1
    whole = mix_hash(kind, 91)
    for one in range(n):
        whole = mix_hash(whole, row[one])
        for other in range(one + 2, min(n, one + FARTHEST)):
            slots[found] = mix_hash(mix_hash(mix_hash(kind, 92), row[one]), row[other]) & mask
            found += 1
    slots[found] = whole & mask
    return found + 1


@kernel
def end_features(
    reads: Array, vowels: Array, nuclei: Array, marks: Array, n: int, mask: int, slots: Array
) -> int:
    """Write the slots of features of beginnings and endings of the word with their vowels and
    marks; return their number."""
    found, size = 0, len(reads)
    last_marks = mix_hash(mix_hash(61, marks[n - 1] if n > 0 else 1), marks[n - 2] if n > 1 else 1)
    last_three = mix_hash(mix_hash(last_marks, marks[n - 3] if n > 2 else 1), min(n, 4))
    ending, sounds = 62, 63
    beginning, first_sounds, first_marks, inside = 64, 65, 66, 0
    n_last = 0
    for k in range(1, min(LONGEST_END, size) + 1):
        place = size - k
        ending = mix_hash(ending, reads[place])
        if vowels[place]:
            n_last += 1
            sounds = mix_hash(sounds, nuclei[n - n_last])
        if k <= 4:
            slots[found] = mix_hash(mix_hash(67, ending & _LOW), last_marks & _LOW) & mask
            slots[found + 1] = mix_hash(mix_hash(68, ending & _LOW), last_three & _LOW) & mask
            found += 2
        beginning = mix_hash(beginning, reads[k - 1])
        if vowels[k - 1]:
            first_sounds = mix_hash(first_sounds, nuclei[inside])
            first_marks = mix_hash(first_marks, marks[inside])
            inside += 1
        if k >= 2:
            after = marks[inside] if inside < n else 1
            slots[found] = mix_hash(mix_hash(69, ending & _LOW), sounds & _LOW) & mask
            slots[found + 1] = mix_hash(mix_hash(70, beginning & _LOW), first_sounds & _LOW) & mask
            both = mix_hash(first_marks, after)
            slots[found + 2] = mix_hash(mix_hash(71, beginning & _LOW), both & _LOW) & mask
            found += 3
    return found


@kernel
def mark_features(reads: Array, marks: Array, n: int, mask: int, slots: Array) -> int:
    """Write the slots of features of each mark by its vowel, counted from either end, with the
    beginning and ending of the word; return their number.

    Features without a beginning and an ending stand for the place of a mark in any word.
    """
    found, size, beginning, ending = 0, len(reads), 75, 76
    for k in range(min(LONGEST_END, size) + 1):
        if k > 0:
            beginning = mix_hash(beginning, reads[k - 1])
            ending = mix_hash(ending, reads[size - k])
        for end in (beginning, ending):
            for vowel in range(n):
                if marks[vowel] != 0:
                    for place in (2 * vowel, 2 * (n - vowel) + 1):
                        slots[found] = mix_hash(mix_hash(end & _LOW, marks[vowel]), place) & mask
                        found += 1
    return found


@kernel
def output_features(
    output: Array,
    reads: Array,
    writes: Array,
    marks: Array,
    vowels: Array,
    level: int,
    mask: int,
    slots: Array,
) -> int:
    """Write the slots of the features of an output and its path; return their number."""
    if level == NOTHING:
        return 0
    n = 0
    nuclei, accents = np.empty(len(writes), np.int64), np.empty(len(writes), np.int64)
    marked = 0
    for place in range(len(writes)):
        if vowels[place]:
            nuclei[n], accents[n] = writes[place], marks[place]
            marked += int(marks[place] != 0)
            n += 1
    found = tier_features(nuclei, n, 31, mask, slots, 0)
    slots[found] = mix_hash(mix_hash(32, min(marked, 4)), min(n, 5)) & mask
    found += 1
    if marked:
        found = tier_features(accents, n, 33, mask, slots, found)
        for place in range(n):
            times, first = 0, True
            for other in range(n):
                times += int(accents[other] == accents[place])
                first = first and (other >= place or accents[other] != accents[place])
            if first and accents[place] != 0:
                slots[found] = mix_hash(mix_hash(34, accents[place]), min(times, 3)) & mask
                found += 1
    if level < ENDS:
        return found
    found += end_features(reads, vowels, nuclei, accents, n, mask, slots[found:])
    for size in (3, 4):
        for begin in range(-2, len(output) + 2 - size):
            hash_ = mix_hash(35, size)
            for at in range(begin, begin + size):
                inside = 0 <= at < len(output)
                hash_ = mix_hash(hash_, int(output[at]) + 2 if inside else int(at >= len(output)))
            slots[found] = hash_ & mask
            found += 1
    for begin in range(-1, len(reads) - 1):
        hash_ = 36
        for at in range(begin, begin + 3):
            inside = 0 <= at < len(reads)
            hash_ = mix_hash(hash_, reads[at] if inside else 1)
            hash_ = mix_hash(hash_, writes[at] if inside else 1)
        slots[found] = hash_ & mask
        found += 1
    if level == ALL and marked:
        found += mark_features(reads, accents, n, mask, slots[found:])
    return found
