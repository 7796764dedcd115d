"""Kernels of the exchange algorithm over word bigrams (Martin, Liermann and Ney 1998).

A bigram model of classes predicts the class of a word by the class before, and the word by its
class. With N bigrams of classes, words and words of classes, and f(n) = n ln n, the text that
it is estimated from has the log-likelihood

    sum_gh f(N(g, h)) - 2 sum_g f(N(g)) + sum_w f(N(w))

Each word in turn is taken out of its class and put into the one where the sum is highest. What the
sum gains there depends on classes that are neighbours of the word, and on no others.

>>> logs = np.array([0.0, 0.0, 2 * np.log(2), 3 * np.log(3)])
>>> [float(entropy_term(n, logs).round(3)) for n in (0, 3, 5)]
[0.0, 3.296, 8.047]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf

Array = Any
# A move must gain more than rounding can.
LEAST_GAIN = 1e-8


class Bigrams(NamedTuple):
    """Bigrams of words by number, but for those of a word with itself, which `doubled` counts.

    after[after_starts[w]:after_starts[w + 1]] are the different words behind word w, and
    `after_counts` how often each is; those before it alike. The last word is the boundary of
    sentences, which stands before the first word of each and behind the last.
    """

    counts: Array
    doubled: Array
    after_starts: Array
    after: Array
    after_counts: Array
    before_starts: Array
    before: Array
    before_counts: Array


class Tables(NamedTuple):
    """The class of each word, and counts of classes; the boundary has the last class for itself.

    `rows` has N(g, h) in row g and column h, `columns` in row h and column g; `logs` has n ln n.
    """

    classes: Array
    rows: Array
    columns: Array
    sizes: Array
    logs: Array


class Room(NamedTuple):
    """Bigrams of a word with classes behind it and before it, and the gain of each class.

    The different classes are listed in `found_after` and `found_before`.
    """

    after: Array
    found_after: Array
    before: Array
    found_before: Array
    gains: Array


@leaf
def entropy_term(n: int, logs: Array) -> float:
    """n ln n, from a table as far as it goes."""
    found: float = logs[n] if n < len(logs) else n * np.log(n)
    return found


@kernel
def make_room(n_classes: int) -> Room:
    """Arrays for words that move between so many classes."""
    n = n_classes + 1
    return Room(
        np.zeros(n, np.int64), np.empty(n, np.int64),
        np.zeros(n, np.int64), np.empty(n, np.int64), np.empty(n_classes),
    )  # fmt: skip


@leaf
def count_classes(
    words: Array, counts: Array, first: int, last: int, classes: Array, sums: Array, found: Array
) -> int:
    """Write sums of counts to the classes of words[first:last], and these classes to `found`.

    Returns how many classes there are; all sums are zero before.
    """
    n_found = 0
    for i in range(first, last):
        one = classes[words[i]]
        if sums[one] == 0:
            found[n_found] = one
            n_found += 1
        sums[one] += counts[i]
    return n_found


@leaf
def count_neighbours(bigrams: Bigrams, w: int, classes: Array, room: Room) -> tuple[int, int]:
    """Write the bigrams of a word with classes to the room; how many are behind it and before."""
    first, last = bigrams.after_starts[w], bigrams.after_starts[w + 1]
    n_after = count_classes(
        bigrams.after, bigrams.after_counts, first, last, classes, room.after, room.found_after
    )
    first, last = bigrams.before_starts[w], bigrams.before_starts[w + 1]
    n_before = count_classes(
        bigrams.before, bigrams.before_counts, first, last, classes, room.before,
        room.found_before,
    )  # fmt: skip
    return n_after, n_before


@leaf
def shift_word(
    bigrams: Bigrams, tables: Tables, w: int, sign: int, n_after: int, n_before: int, room: Room
) -> None:
    """Add the bigrams of a word to those of its class, or take them away if `sign` is -1."""
    rows, columns, own = tables.rows, tables.columns, tables.classes[w]
    for i in range(n_after):
        other = room.found_after[i]
        rows[own, other] += sign * room.after[other]
        columns[other, own] += sign * room.after[other]
    for i in range(n_before):
        other = room.found_before[i]
        rows[other, own] += sign * room.before[other]
        columns[own, other] += sign * room.before[other]
    rows[own, own] += sign * bigrams.doubled[w]
    columns[own, own] += sign * bigrams.doubled[w]
    tables.sizes[own] += sign * bigrams.counts[w]


@leaf
def add_gains(row: Array, count: int, own: int, logs: Array, gains: Array) -> None:
    """Add f(n + count) - f(n) to the gain of each class but one, n being its number in the row."""
    for k in range(len(gains)):
        if k != own:
            gains[k] += entropy_term(row[k] + count, logs) - entropy_term(row[k], logs)


@leaf
def write_gains(
    bigrams: Bigrams, tables: Tables, w: int, n_after: int, n_before: int, room: Room
) -> None:
    """Write to room.gains what putting a word that is in no class into each would add."""
    count, doubled = bigrams.counts[w], bigrams.doubled[w]
    rows, columns, sizes, logs = tables.rows, tables.columns, tables.sizes, tables.logs
    for k in range(len(room.gains)):
        inside = rows[k, k]
        room.gains[k] = (
            entropy_term(inside + room.after[k] + room.before[k] + doubled, logs)
            - entropy_term(inside, logs)
            - 2 * (entropy_term(sizes[k] + count, logs) - entropy_term(sizes[k], logs))
        )
    for i in range(n_after):
        other = room.found_after[i]
        add_gains(columns[other], room.after[other], other, logs, room.gains)
    for i in range(n_before):
        other = room.found_before[i]
        add_gains(rows[other], room.before[other], other, logs, room.gains)


@leaf
def best_class(gains: Array, own: int) -> int:
    """The class of the highest gain: of equals the own one, then the first."""
    best = 0
    for k in range(1, len(gains)):
        if gains[k] > gains[best]:
            best = k
    return own if gains[best] <= gains[own] + LEAST_GAIN else best


@kernel
def move_words(bigrams: Bigrams, tables: Tables, begin: int, end: int) -> int:
    """Move each of the words begin:end to the class where it is best; how many were moved."""
    room = make_room(len(tables.sizes) - 1)
    classes, moved = tables.classes, 0
    for w in range(begin, end):
        own = classes[w]
        n_after, n_before = count_neighbours(bigrams, w, classes, room)
        shift_word(bigrams, tables, w, -1, n_after, n_before, room)
        write_gains(bigrams, tables, w, n_after, n_before, room)
        classes[w] = best_class(room.gains, own)
        moved += classes[w] != own
        shift_word(bigrams, tables, w, 1, n_after, n_before, room)
        for i in range(n_after):
            room.after[room.found_after[i]] = 0
        for i in range(n_before):
            room.before[room.found_before[i]] = 0
    return moved
