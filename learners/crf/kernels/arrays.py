"""Arrays of conditional random fields, as kernels take them.

A family of tests, that of labels or that of label pairs, has for each test a stretch of the vector
of weights, `firsts[test]` to `lasts[test]`. The j-th weight of it is of cell
`cells[cells_at[test] + j]`: a label, or a place among the pairs. Cells are in increasing order, and
so a test with as many weights as there are cells has them in their own order. A weight is the
number in the vector, `dues[test]` nearer to zero: dues are 0 but in stochastic descent.

>>> room = room_for(Space(2, *np.array([[0, 1], [1, 1]]), EMPTY, EMPTY), longest=3, different=1)
>>> room.nodes.shape, room.edges.shape, room.factor.tolist()
((3, 2), (1, 2), [[1.0, 1.0], [1.0, 1.0]])
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any
NONE = np.zeros(0, np.int32)
NO_STARTS = np.zeros(0, np.int64)


class Family(NamedTuple):
    """Where the weights of tests are, and of which labels or label pairs."""

    firsts: Array
    lasts: Array
    cells_at: Array
    cells: Array
    dues: Array


EMPTY = Family(NO_STARTS, NO_STARTS, NO_STARTS, NONE, np.zeros(0))


class Space(NamedTuple):
    """The weights that there are; pair p is label `afters[p]` behind label `befores[p]`.

    Pairs are in increasing order of both.
    """

    n_labels: int
    befores: Array
    afters: Array
    unigrams: Family
    bigrams: Family


class Data(NamedTuple):
    """Sequences one behind the other, and the tests that are true at each position.

    `edges` numbers the different sets of tests of label pairs in a sequence: neighbours that are
    alike have the same number. It is -1 at the first position, where no label is before. Where
    tokens have a choice of labels alone, position t has choices[choice_starts[k]] to
    choices[choice_starts[k + 1]], with k = chosen[t]. For the last four see `gradient_rows`.
    """

    bounds: Array
    unigram_starts: Array
    unigram_tests: Array
    bigram_starts: Array
    bigram_tests: Array
    edges: Array
    labels: Array
    choice_starts: Array = NO_STARTS
    choices: Array = NONE
    chosen: Array = NONE
    row_starts: Array = NO_STARTS
    rows: Array = NONE
    single_starts: Array = NO_STARTS
    singles: Array = NONE


class Room(NamedTuple):
    """Arrays in which one sequence is computed, kept to be used again for the next.

    Of labels at each position `nodes` are scores, exponentials of them, then probabilities. Of the
    pairs in each set of tests so are `edges`: of all pairs, where `kept` is -1, or of so many,
    which `chosen` names. `alphas` are sums over the paths before, `values` over the paths behind,
    times the exponential of the label itself; both were divided by `scales`. `factor` is a matrix
    of exponentials of pairs, 1 where they have no weight, `slots` where a pair is among those
    chosen. There may be room for more pairs than a space has.
    """

    nodes: Array
    edges: Array
    kept: Array
    chosen: Array
    slots: Array
    alphas: Array
    values: Array
    beta: Array
    scales: Array
    factor: Array
    halves: Array
    bits: Array


def room_for(space: Space, *, longest: int, different: int) -> Room:
    """Room for sequences of so many positions and so many different sets of tests."""
    labels, pairs = space.n_labels, len(space.befores)
    halves = np.zeros(max(labels, pairs, 1))
    return Room(
        np.zeros((longest, labels)), np.zeros((different, pairs)), np.zeros(different, np.int64),
        np.zeros((different, pairs), np.int32), np.full(pairs, -1, np.int32),
        np.zeros((longest, labels)), np.zeros((longest, labels)), np.zeros(labels),
        np.zeros(longest), np.ones((labels, labels)), halves, halves.view(np.int64),
    )  # fmt: skip


def choice_room(n_labels: int, widest: int, longest: int) -> Room:
    """Room where the widest choice has so many labels."""
    halves, numbers = np.zeros(widest * widest), np.full((2, n_labels), -1, np.int32)
    return Room(
        np.zeros((longest, widest)), np.zeros((longest, widest * widest)), np.zeros(0, np.int64),
        numbers[1:], numbers[0], np.zeros((longest, widest)), np.zeros((longest, widest)),
        np.zeros(widest), np.zeros(longest), np.ones((1, 1)), halves, halves.view(np.int64),
    )  # fmt: skip


def room_of(space: Space, data: Data) -> Room:
    """Room for the longest of some sequences."""
    longest = int(np.diff(data.bounds).max(initial=1))
    if len(data.choices):
        widest = int(np.diff(data.choice_starts).max())
        return choice_room(space.n_labels, widest, longest)
    return room_for(space, longest=longest, different=int(data.edges.max(initial=0)) + 1)
