"""Arrays of semi-Markov fields, as kernels take them.

A sentence is a way through nodes (boundary between tokens, state). Class 0 is a token outside
phrases, O; the others are kinds of phrases. A state has a `preceding` class: the last kind of
phrase before the boundary, 0 if there was none. After a phrase of a class the state is `entered`
[class], after O it is `kept` [state].

`packed_states` has a node for each boundary and preceding class: the label of O is split by the
kind of the phrase before it, and since everything that follows a phrase sees as much as what
follows such an O, both end in one node (Okanohara, Miyao, Tsuruoka and Tsujii 2006).

>>> packed_states(2)
States(preceding=array([0, 1, 2]), entered=array([0, 1, 2]), kept=array([0, 1, 2]))
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any
# Roles of features: which tokens of a segment they are looked up at.
BEGIN, END, IN, EACH, PRECEDING, SEGMENT = range(6)
N_TABLES = 4


class States(NamedTuple):
    """The class before each state, the state after a phrase of each class, and that after O."""

    preceding: Array
    entered: Array
    kept: Array


class Features(NamedTuple):
    """The weights of features, in their order.

    Feature k has those from `starts[k]` to `starts[k + 1]`, each of a class, its code; for a
    feature that goes with the preceding class too, the code is class * `n_preceding` + preceding.
    """

    starts: Array
    codes: Array
    roles: Array
    n_classes: int
    n_preceding: int


class Data(NamedTuple):
    """Sentences one behind the other, their candidates and features.

    Candidates that end with token t stand from `firsts[t]` on, the token alone first, then in the
    order of their lengths; `begins` are their first tokens. A token alone may always be O; it may
    be a phrase if it is `open`. `gold` is the class of a candidate that is one of the segments
    that are right, else -1. The features of tokens and those of candidates are rows of two tables.
    """

    bounds: Array
    firsts: Array
    begins: Array
    open: Array
    gold: Array
    starts: Array
    tests: Array
    segment_starts: Array
    segment_tests: Array


class Room(NamedTuple):
    """Arrays in which one sentence is computed, kept to be used again for the next.

    `tables` are summed weights at each token, a table for each role, `moves` those of classes with
    preceding ones. `scores` are of candidates, then exponentials, then expectations; `flat` has
    them in one row. `alphas` are sums over ways to a node, whose logarithms are `logs` more;
    `inflow` and `outflow` are sums over ways before and behind the phrases that begin at a token,
    `kept` over ways behind an O.
    """

    tables: Array
    moves: Array
    scores: Array
    flat: Array
    alphas: Array
    betas: Array
    inflow: Array
    outflow: Array
    kept: Array
    logs: Array
    totals: Array
    units: Array
    sums: Array
    halves: Array
    bits: Array


def packed_states(n_kinds: int) -> States:
    """A state for each preceding class."""
    every = np.arange(n_kinds + 1)
    return States(every, every, every)


def one_state(n_kinds: int) -> States:
    """The only state of fields that do not look at the preceding class."""
    return States(np.zeros(1, np.int64), np.zeros(n_kinds + 1, np.int64), np.zeros(1, np.int64))


def states_for(features: Features) -> States:
    """The states that features need."""
    n_kinds = features.n_classes - 1
    return packed_states(n_kinds) if features.n_preceding > 1 else one_state(n_kinds)


def room_for(features: Features, states: States, *, tokens: int, candidates: int) -> Room:
    """Room for sentences of so many tokens and candidates."""
    n_classes, n_states = features.n_classes, len(states.preceding)
    moves = n_classes * features.n_preceding
    halves = np.zeros(max(candidates * n_classes, moves))
    scores = np.zeros((candidates, n_classes))
    return Room(
        np.zeros((N_TABLES, tokens, n_classes)), np.zeros((tokens, moves)),
        scores, scores.reshape(-1), np.zeros((tokens + 1, n_states)),
        np.zeros((tokens + 1, n_states)), np.zeros((tokens, n_classes)),
        np.zeros((tokens, n_classes)), np.zeros((tokens, n_states)), np.zeros(tokens + 1),
        np.zeros(tokens), np.zeros((tokens, n_classes)), np.zeros((2, n_classes)), halves,
        halves.view(np.int64),
    )  # fmt: skip


def room_of(features: Features, states: States, data: Data) -> Room:
    """Room for the largest of some sentences."""
    candidates = np.diff(data.firsts[data.bounds])
    return room_for(
        features, states, tokens=int(np.diff(data.bounds).max(initial=1)),
        candidates=int(candidates.max(initial=1)),
    )  # fmt: skip


def work_of(features: Features, data: Data) -> int:
    """The number of weights and scores, about, that one pass through sentences looks at."""
    found: int = len(data.tests) + len(data.segment_tests) + len(data.begins) * features.n_classes
    return found


class Lists(NamedTuple):
    """The best ways to each node of a sentence, the best first: so many, `counts`, with `scores`.

    A way ends with a candidate of a class; the way before it is `befores`, state * length of a
    list + place in it. `inflow` has the best ways to a token and on to each class that begins
    there.
    """

    counts: Array
    scores: Array
    candidates: Array
    classes: Array
    befores: Array
    inflow_counts: Array
    inflow: Array
    inflow_befores: Array


def lists_for(features: Features, states: States, *, tokens: int, n: int) -> Lists:
    """Lists of n ways for sentences of so many tokens."""
    nodes = (tokens + 2, len(states.preceding))  # the last has the ways to the end, of all states
    begins = (tokens, features.n_classes)
    return Lists(
        np.zeros(nodes, np.int32), np.zeros((*nodes, n)), np.zeros((*nodes, n), np.int32),
        np.zeros((*nodes, n), np.int32), np.zeros((*nodes, n), np.int32),
        np.zeros(begins, np.int32), np.zeros((*begins, n)), np.zeros((*begins, n), np.int32),
    )  # fmt: skip
