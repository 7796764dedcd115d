"""Two chains that divide a message into the words before, in and behind a caller phrase.

PARTS is the chain of `chain_kernels`, whose scores are of events between two words. LABELS is a
conditional random field over labels of words: the first (B) or another word (I) of the lead of a
phrase ("this is"), of its name, or of its tail ("from the bank"); right behind it (X); or outside
(O). The label X scores the end of a phrase.

A shape has the pairs of states that may follow each other, the events at each step, and the columns
of scores that a step adds up. Two shapes can be joined to one, whose chains share no states.

>>> len(PARTS.pairs), len(LABELS.pairs), join_shapes(PARTS, LABELS).pairs.max().item()
(14, 20, 12)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from glyphone.voicemail.callers import chain_kernels as caller_chain_kernels
from glyphone.voicemail.callers.chain_kernels import (  # fmt: skip
    AFTER,
    BEFORE,
    HEADS,
    IN_LEAD,
    LEAD,
    NAME,
    NAMED,
    START,
    STOP,
    TAIL,
    UNNAMED,
)

Array = Any
# Events at a place, as bits: a phrase or a name starts, goes on or ends there; or nothing.
STARTS, GOES_ON, STOPS, NAME_STARTS, NAME_GOES_ON, NAME_STOPS, NOTHING = (1 << k for k in range(7))
NONE, MOST = -1, 4
N_LABELS = 8
O, B_LEAD, I_LEAD, B_NAME, I_NAME, B_TAIL, I_TAIL, X = range(N_LABELS)  # noqa: E741


class Shape(NamedTuple):
    """Pairs of states, events, the columns of scores that each pair uses; chains of states.

    Chain c begins in state `starts[c]`, and behind the last word it is outside any phrase; `width`
    counts the columns.
    """

    pairs: Array
    events: Array
    uses: Array
    chains: Array
    starts: Array
    width: int


def make_shape(
    steps: Iterable[tuple[int, int, tuple[int, ...]]], inside: set[int], named: set[int], width: int
) -> Shape:
    """A shape of one chain; each step is a state, the next state, and the columns it uses."""
    rows = list(steps)
    events = []
    for a, b, _ in rows:
        bits = NOTHING if a == b == BEFORE else 0
        for states, first, on, last in (
            (inside, STARTS, GOES_ON, STOPS),
            (named, NAME_STARTS, NAME_GOES_ON, NAME_STOPS),
        ):
            bits |= {(0, 1): first, (1, 1): on, (1, 0): last}.get((a in states, b in states), 0)
        events.append(bits)
    uses = np.full((len(rows), MOST), NONE)
    for row, (_, _, some) in zip(uses, rows, strict=True):
        row[: len(some)] = some
    pairs = np.array([(a, b) for a, b, _ in rows])
    return Shape(
        pairs, np.array(events), uses, np.zeros(pairs.max() + 1, int), np.array([BEFORE]), width
    )


def join_shapes(one: Shape, other: Shape) -> Shape:
    """One shape of two chains; states and columns of `other` are numbered behind those of `one`."""
    states, chains = len(one.chains), len(one.starts)
    return Shape(
        np.concatenate((one.pairs, other.pairs + states)),
        np.concatenate((one.events, other.events)),
        np.concatenate((one.uses, np.where(other.uses == NONE, NONE, other.uses + one.width))),
        np.concatenate((one.chains, other.chains + chains)),
        np.concatenate((one.starts, other.starts + states)),
        one.width + other.width,
    )


def block_diagonal(matrices: Sequence[Array]) -> Array:
    """The block diagonal matrix of some square matrices.

    >>> block_diagonal([np.ones((1, 1)), np.full((1, 1), 2.0)]).tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    size = sum(map(len, matrices))
    whole, at = np.zeros((size, size)), 0
    for matrix in matrices:
        end = at + len(matrix)
        whole[at:end, at:end] = matrix
        at = end
    return whole


def heads_of_step(a: int, b: int) -> tuple[int, ...]:
    """The heads of `chain_kernels` that score a step from part a to part b.

    >>> heads_of_step(BEFORE, NAME) == (START, NAMED, IN_LEAD + 1)
    True
    """
    heads = []
    if a != b:
        heads += [START] * (a == BEFORE) + [NAMED] * (b == NAME)
        heads += [UNNAMED] * (a == NAME) + [STOP] * (b == AFTER)
    return (*heads, *[IN_LEAD + b - LEAD] * (LEAD <= b <= TAIL))


FOLLOWERS = {
    O: (O, B_LEAD, B_NAME),
    B_LEAD: (I_LEAD, B_NAME, X),
    I_LEAD: (I_LEAD, B_NAME, X),
    B_NAME: (I_NAME, B_TAIL, X),
    I_NAME: (I_NAME, B_TAIL, X),
    B_TAIL: (I_TAIL, X),
    I_TAIL: (I_TAIL, X),
    X: (O,),
}
PARTS = make_shape(
    (
        (a, b, heads_of_step(a, b))
        for a in range(caller_chain_kernels.PARTS)
        for b in range(caller_chain_kernels.PARTS)
        if caller_chain_kernels.may_follow(a, b)
    ),
    {LEAD, NAME, TAIL},
    {NAME},
    HEADS,
)
LABELS = make_shape(
    ((x, y, (y,)) for x, followers in FOLLOWERS.items() for y in followers),
    set(range(N_LABELS)) - {O, X},
    {B_NAME, I_NAME},
    N_LABELS,
)
