"""The order in which strings are best answered: those that begin alike, one after another.

They come by the same n-grams, which are then near the processor still. What becomes of a string
does not depend on the others, so that the answers are put back where their strings stood.

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

from glyphone.data.kernels.arrays import bounds_of
from glyphone.fst.lattices.block_kernels import Block

Array = Any
# So many labels, or as many of them as 63 bits hold, tell whether strings begin alike.
MOST_LABELS = 8
# So many strings are answered before others could have been put in order.
FEW = 32


def decode_sorted(decode: Callable[[Array, Array], Block], labels: Array, bounds: Array) -> Block:
    """What a function makes of strings, which it is given in the better order."""
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
    """Where the members of rows stand if these come in another order, and the bounds there."""
    lengths = np.diff(bounds)[order]
    moved = bounds_of(lengths)
    return np.repeat(bounds[:-1][order] - moved[:-1], lengths) + np.arange(moved[-1]), moved


def restore_order(found: Block, order: Array) -> Block:
    """Answers to strings in another order, in the order that they had before."""
    before = np.empty_like(order)
    before[order] = np.arange(len(order))
    return select_items(found, before)


def select_items(found: Block, items: Array) -> Block:
    """The answers to some strings, in the order in which these are told."""
    answers, firsts = places_of_rows(found.firsts, items)
    return select_answers(found._replace(statuses=found.statuses[items], firsts=firsts), answers)


def select_answers(found: Block, answers: Array) -> Block:
    """The same strings with some of the answers, in an order that fits them."""
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
    """The answers to some strings, and behind them those to others."""

    def joined(a: Array, b: Array) -> Array:
        return np.concatenate([a, b[1:] + a[-1]])

    plain = ("statuses", "costs", "posteriors", "labels", "begins", "ends")
    rest = {name: np.concatenate([getattr(one, name), getattr(other, name)]) for name in plain}
    return Block(
        firsts=joined(one.firsts, other.firsts), offsets=joined(one.offsets, other.offsets), **rest
    )
