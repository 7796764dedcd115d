"""Words that are read from their end: rows, answers and lattices turned round, and back.

Trees decide letter after letter, and look at their own output so far. A model that reads backward
is one of words and outputs turned round, so that kernels know one direction only; words are turned
before them and answers after them, here. Kernels of trees return the place of the letter that wrote
each label, from which its span follows in both directions alike: silent letters go with the output
before them in the word, or at the beginning with the first.

>>> letter_spans(np.array([1, 3, 3]), np.array([0, 3]), np.array([5]))  # "haexe", read as a, k s
(array([0, 3, 3]), array([3, 5, 5]))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from glyphone.data.kernels import arrays as data_arrays
from glyphone.data.kernels import jit
from glyphone.data.records import Alignment
from glyphone.fst.lattices import trimming_kernels
from glyphone.fst.lattices.arrays import Lattice
from glyphone.fst.lattices.block_kernels import Block

Array = Any
Row = TypeVar("Row", bound=Sequence[Any])


def in_reading_order(row: Row, *, backward: bool) -> Row:
    """A row in the order of the word in the order of reading, or the other way round."""
    return row[::-1] if backward else row  # type: ignore[return-value]


def turn_alignment(given: Alignment, *, backward: bool) -> Alignment:
    """The units of a word, and the chunks of each, in the order of reading.

    >>> given = Alignment(((("a",), ("a",)), (("x",), ("k", "s"))))
    >>> turn_alignment(given, backward=True).pair.target
    ('s', 'k', 'a')
    """
    units = [
        tuple(in_reading_order(chunk, backward=backward) for chunk in unit) for unit in given.units
    ]
    return Alignment(tuple((x, y) for x, y in in_reading_order(units, backward=backward)))


def turn_rows(labels: Array, bounds: Array, *, backward: bool) -> Array:
    """Rows of letters or of their attributes in the order of reading, or the other way round.

    >>> turn_rows(np.array([1, 2, 3]), np.array([0, 2, 3]), backward=True)
    array([2, 1, 3])
    """
    kernels = jit.tier(data_arrays, len(labels))
    return kernels.reversed_rows(labels, bounds) if backward else labels


def turn_answers(found: Block, bounds: Array, *, backward: bool, traced: bool) -> Block:
    """The answers of kernels in the order of words, and if they are traced, with their spans.

    `begins` of the kernels has the place, in the order of reading, of the letter that wrote each
    label.
    """
    labels, offsets = turn_rows(found.labels, found.offsets, backward=backward), found.offsets
    begins = ends = found.begins[:0]
    if traced:
        lengths = np.repeat(np.diff(bounds), np.diff(found.firsts))
        places = turn_rows(found.begins, offsets, backward=backward)
        if backward:
            places = np.repeat(lengths, np.diff(offsets)) - 1 - places
        begins, ends = letter_spans(places, offsets, lengths)
    return found._replace(labels=labels, begins=begins, ends=ends)


def letter_spans(places: Array, offsets: Array, lengths: Array) -> tuple[Array, Array]:
    """The begin and end of the letters that each label comes from, by the places of their writers.

    Output k has the labels offsets[k] to offsets[k + 1], and is of a word of lengths[k] letters.
    """
    sizes = np.diff(offsets)
    first, fresh = np.zeros(len(places), np.bool_), np.ones(len(places), np.bool_)
    first[offsets[:-1][sizes > 0]] = True
    fresh[1:] = (places[1:] != places[:-1]) | first[1:]
    heads, groups = np.flatnonzero(fresh), np.cumsum(fresh) - 1
    last = np.append(first[heads][1:], True)[: len(heads)]
    begins = np.where(first[heads], 0, places[heads])
    ends = np.append(places[heads][1:], 0)[: len(heads)]
    ends[last] = lengths[sizes > 0]
    return begins[groups], ends[groups]


def turn_lattice(found: Lattice, n_letters: int, *, backward: bool) -> Lattice:
    """The lattice with all paths in the order of the word, which begin where reading ended.

    The output of a unit is a chain of arcs, of which the first reads its letter, also when turned.
    """
    if not backward:
        return found
    sources = np.repeat(np.arange(found.n_states), np.diff(found.offsets))
    begins, ends, costs = (row.copy() for row in (found.begins, found.ends, found.costs))
    into = dict(zip(found.targets.tolist(), range(len(sources)), strict=True))
    for arc in np.flatnonzero(begins < 0).tolist():  # with states in order, from the letter on
        before = into[int(sources[arc])]  # the only one: a state inside a chain
        for row in (begins, ends, costs):
            row[[before, arc]] = row[[arc, before]]
    reads = begins >= 0
    begins, ends = np.where(reads, n_letters - ends, -1), np.where(reads, n_letters - begins, -1)
    # No path goes on from an end, nor does one cost anything: all of them are one beginning.
    numbers = np.where(np.isinf(found.finals), np.arange(1, found.n_states + 1), 0)
    rows = np.stack([numbers[found.targets], numbers[sources], found.labels, begins, ends], axis=1)
    finals = np.full(found.n_states + 1, np.inf)
    finals[numbers[0]] = 0.0
    kernels = jit.tier(trimming_kernels, len(rows))
    turned: Lattice = kernels.trimmed_lattice(rows.astype(np.int64), costs, finals)
    return turned
