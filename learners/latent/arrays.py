"""Arrays of latent-dynamic conditional random fields, as kernels take them.

A label has `states` hidden states. The context of a position is the last `order` labels with their
states: a code of labels, in base `n_labels`, and a code of states, in base `states`. Before the
first position stand label 0 and state 0. An arc is a context and the label and state behind it, so
that the context at its end is both codes without their first digits. Tables hold a value for each
code of labels and, within it, each code of states.

>>> shape = Shape(n_labels=3, states=2, order=1)
>>> room = room_for(shape, longest=5)
>>> room.nodes.shape, room.arcs.shape
((5, 6), (5, 36))
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any


class Shape(NamedTuple):
    """The number of labels, that of hidden states of each, and how many labels a context has."""

    n_labels: int
    states: int
    order: int


class Grams(NamedTuple):
    """The weights of tests.

    Test k goes with `sizes[k]` labels behind each other: with those whose codes are `codes` from
    `starts[k]` to `starts[k + 1]`. Each of them has a weight for every code of states, the first
    test's first one at `firsts[k]`.
    """

    sizes: Array
    starts: Array
    codes: Array
    firsts: Array


class Data(NamedTuple):
    """Sequences one behind the other; the tests that are true at each position, and its label."""

    bounds: Array
    starts: Array
    tests: Array
    labels: Array


class Room(NamedTuple):
    """Arrays in which one sequence is computed, kept to be used again for the next.

    `nodes` and `arcs` are values of contexts and of arcs at each position: scores, exponentials of
    them, then expectations. `alphas` are sums over paths to a context, divided by `scales`; `best`
    is the score of the best path from a context to the end. `gold_nodes`, `gold_arcs` and
    `gold_alphas` are those of paths through the states of given labels alone. `sums` has the scores
    of all numbers of labels up to the order, one table behind the other.
    """

    nodes: Array
    arcs: Array
    alphas: Array
    best: Array
    scales: Array
    gold_nodes: Array
    gold_arcs: Array
    gold_alphas: Array
    gold_scales: Array
    beta: Array
    values: Array
    spread: Array
    sums: Array
    halves: Array
    bits: Array


def room_for(shape: Shape, *, longest: int) -> Room:
    """Room for sequences of so many positions."""
    labels, states, order = shape
    inner, n = states**order, labels**order * states**order
    n_arcs = n * labels * states
    halves = np.zeros(n_arcs)
    size = sum((labels * states) ** k for k in range(1, order + 1))
    return Room(
        np.zeros((longest, n)), np.zeros((longest, n_arcs)), np.zeros((longest, n)),
        np.zeros((longest, n)), np.zeros(longest), np.zeros((longest, inner)),
        np.zeros((longest, inner * states)), np.zeros((longest, inner)), np.zeros(longest),
        np.zeros(n), np.zeros(n), np.zeros(inner * states), np.zeros(size), halves,
        halves.view(np.int64),
    )  # fmt: skip


def room_of(shape: Shape, data: Data) -> Room:
    """Room for the longest of some sequences."""
    return room_for(shape, longest=int(np.diff(data.bounds).max(initial=1)))


def size_of(shape: Shape, grams: Grams) -> int:
    """The number of weights."""
    return int((np.diff(grams.starts) * shape.states ** grams.sizes.astype(np.int64)).sum())


def arcs_of(shape: Shape, data: Data) -> int:
    """The number of arcs that one pass through sequences computes."""
    found: int = len(data.labels) * (shape.n_labels * shape.states) ** (shape.order + 1)
    return found
