"""Blocks of strings sorted by their beginnings, which are decoded faster so.

Strings that begin alike visit the same n-grams, which are then still in the cache of the processor.
Answers do not depend on the order, and are put back where their strings stood.

>>> order_by_prefix(np.array([2, 1, 3, 2, 1], np.int32), np.array([0, 1, 3, 5]))
array([1, 0, 2])
>>> places, bounds = places_of_rows(np.array([0, 1, 3, 5]), np.array([1, 0, 2]))
>>> places, bounds
(array([1, 2, 0, 3, 4]), array([0, 2, 3, 5]))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from glyphone.data.kernels.arrays import row_bounds
from glyphone.fst.lattices.block_kernels import Block

Array = Any
# Strings are sorted by so many labels, or by as many as 63 bits hold.
MOST_LABELS = 8
# A block of so few strings is decoded faster than it is sorted.
FEW = 32


def decode_sorted(decode: Callable[[Array, Array], Block], labels: Array, bounds: Array) -> Block:
    """The answers of a decoder, which is given the strings sorted by their beginnings."""
    if len(bounds) <= FEW:
        return decode(labels, bounds)
    order = order_by_prefix(labels, bounds)
    places, moved = places_of_rows(bounds, order)
    return restore_order(decode(labels[places], moved), order)


def order_by_prefix(labels: Array, bounds: Array) -> Array:
    """The numbers of strings labels[bounds[k]:bounds[k + 1]], sorted by their first labels."""
    bits = max(1, int(labels.max(initial=0)).bit_length())
    keys, padded = np.zeros(len(bounds) - 1, np.int64), np.append(labels, 0)
    for place in range(min(MOST_LABELS, 63 // bits)):
        inside = bounds[:-1] + place < bounds[1:]
        keys = keys << bits | padded[np.where(inside, bounds[:-1] + place, len(labels))]
    return np.argsort(keys, kind="stable")


def places_of_rows(bounds: Array, order: Array) -> tuple[Array, Array]:
    """The places of the members of rows in another order, and the bounds of the rows in it."""
    lengths = np.diff(bounds)[order]
    moved = row_bounds(lengths)
    return np.repeat(bounds[:-1][order] - moved[:-1], lengths) + np.arange(moved[-1]), moved


def restore_order(found: Block, order: Array) -> Block:
    """Answers to sorted strings, in the order that the strings had before."""
    before = np.empty_like(order)
    before[order] = np.arange(len(order))
    return select_items(found, before)


def select_items(found: Block, items: Array) -> Block:
    """The answers to the strings with some numbers, in the order of these."""
    answers, firsts = places_of_rows(found.firsts, items)
    return select_answers(found._replace(statuses=found.statuses[items], firsts=firsts), answers)


def select_answers(found: Block, answers: Array) -> Block:
    """The block with some of its answers, which must stand by strings."""
    places, offsets = places_of_rows(found.offsets, answers)
    traced = places[: len(found.begins)]  # all or none
    return found._replace(
        costs=found.costs[answers],
        posteriors=found.posteriors[answers],
        offsets=offsets,
        labels=found.labels[places],
        begins=found.begins[traced],
        ends=found.ends[traced],
    )


def concatenate_blocks(one: Block, other: Block) -> Block:
    """Two blocks as one, the strings of the first before those of the other."""

    def joined(a: Array, b: Array) -> Array:
        return np.concatenate([a, b[1:] + a[-1]])

    plain = ("statuses", "costs", "posteriors", "labels", "begins", "ends")
    rest = {name: np.concatenate([getattr(one, name), getattr(other, name)]) for name in plain}
    return Block(
        firsts=joined(one.firsts, other.firsts), offsets=joined(one.offsets, other.offsets), **rest
    )
