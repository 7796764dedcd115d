"""The beginning of a message as a chain of parts: before, in and after the caller phrase.

Each word is in one of five parts, which come in this order: BEFORE, LEAD ("this is"), NAME, TAIL
("from the bank"), AFTER. There is a place before each word and one behind the last, and going on to
the part b from a at place p scores

    score(p, a, b) = transitions[a, b] + sum of heads[p, h] over the events of the step,

that is over the HEADS: a phrase or a name starts or ends, or a word is in LEAD, NAME or TAIL. A
conditional random field (Lafferty, McCallum and Pereira 2001) decides the start and the length of
the phrase together; sums over all paths are by the forward and backward recursions.

>>> heads = np.zeros((3, HEADS))
>>> heads[1, START] = heads[1, NAMED] = heads[2, STOP] = 3.0
>>> alpha = forward(heads, np.zeros((PARTS, PARTS)), np.full(3, ANY, np.uint8))
>>> beta = backward(heads, np.zeros((PARTS, PARTS)), np.full(3, ANY, np.uint8))
>>> shares = np.exp(alpha + beta - total(alpha))
>>> int(shares[1].argmax()) == NAME, bool(shares[1, NAME] > 0.9)
(True, True)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf

Array = Any

PARTS = 5
BEFORE, LEAD, NAME, TAIL, AFTER = range(PARTS)
HEADS = 7
START, NAMED, UNNAMED, STOP, IN_LEAD, IN_NAME, IN_TAIL = range(HEADS)
# Sets of parts that a word may be in, as bits.
ANY = (1 << PARTS) - 1
IMPOSSIBLE = -1e30
NO = -1e29


@leaf
def may_follow(a: int, b: int) -> bool:
    """Whether part b may follow part a; a name is never alone before what is after the phrase."""
    return a <= b and not (a == BEFORE and b == AFTER)


@leaf
def score(heads: Array, transitions: Array, p: int, a: int, b: int) -> float:
    """The score of the step from part a into part b at place p; the last place has no word."""
    found = float(transitions[a, b])
    if a != b:
        if a == BEFORE:
            found += heads[p, START]
        if b == NAME:
            found += heads[p, NAMED]
        if a == NAME:
            found += heads[p, UNNAMED]
        if b == AFTER:
            found += heads[p, STOP]
    if LEAD <= b <= TAIL:
        found += heads[p, IN_LEAD + b - LEAD]
    return found


@leaf
def allowed(sets: Array, p: int, b: int) -> bool:
    """Whether the word at place p may be in part b; behind the last word, no phrase goes on."""
    ended = p == len(sets) - 1 and LEAD <= b <= TAIL
    return bool(sets[p] >> b & 1) and not ended


@kernel
def forward(heads: Array, transitions: Array, sets: Array) -> Array:
    """alpha[p, b]: the log of the sum over all paths to part b at place p, that step included."""
    n = len(heads)
    alpha = np.full((n, PARTS), IMPOSSIBLE)
    for p in range(n):
        for b in range(PARTS):
            if not allowed(sets, p, b):
                continue
            for a in range(b + 1):
                if may_follow(a, b):
                    came = alpha[p - 1, a] if p else (0.0 if a == BEFORE else IMPOSSIBLE)
                    if came > NO:
                        step = came + score(heads, transitions, p, a, b)
                        alpha[p, b] = added(alpha[p, b], step)
    return alpha


@kernel
def backward(heads: Array, transitions: Array, sets: Array) -> Array:
    """beta[p, a]: the log of the sum over all paths on from part a at place p."""
    n = len(heads)
    beta = np.full((n, PARTS), IMPOSSIBLE)
    for a in range(PARTS):
        if allowed(sets, n - 1, a):
            beta[n - 1, a] = 0.0
    for p in range(n - 2, -1, -1):
        for a in range(PARTS):
            for b in range(a, PARTS):
                if may_follow(a, b) and allowed(sets, p + 1, b) and beta[p + 1, b] > NO:
                    step = beta[p + 1, b] + score(heads, transitions, p + 1, a, b)
                    beta[p, a] = added(beta[p, a], step)
    return beta


@leaf
def added(one: float, other: float) -> float:
    """log(exp(one) + exp(other))"""
    high, low = max(one, other), min(one, other)
    return high if low < NO else high + math.log1p(math.exp(low - high))


@leaf
def total(alpha: Array) -> float:
    """The log of the sum over all paths through the message."""
    found = IMPOSSIBLE
    for b in range(PARTS):
        found = added(found, alpha[-1, b])
    return found


@kernel
def expected(
    heads: Array, transitions: Array, sets: Array, sign: float, of_heads: Array, of_steps: Array
) -> float:
    """Adds the expected count of each event, times `sign`; returns the log of the sum of paths."""
    alpha = forward(heads, transitions, sets)
    beta = backward(heads, transitions, sets)
    whole = total(alpha)
    for p in range(len(heads)):
        for b in range(PARTS):
            if not allowed(sets, p, b) or beta[p, b] < NO:
                continue
            for a in range(b + 1):
                came = alpha[p - 1, a] if p else (0.0 if a == BEFORE else IMPOSSIBLE)
                if not may_follow(a, b) or came < NO:
                    continue
                way = came + score(heads, transitions, p, a, b) + beta[p, b] - whole
                share = sign * math.exp(way)
                of_steps[a, b] += share
                if a != b:
                    if a == BEFORE:
                        of_heads[p, START] += share
                    if b == NAME:
                        of_heads[p, NAMED] += share
                    if a == NAME:
                        of_heads[p, UNNAMED] += share
                    if b == AFTER:
                        of_heads[p, STOP] += share
                if LEAD <= b <= TAIL:
                    of_heads[p, IN_LEAD + b - LEAD] += share
    return whole


@kernel
def surprise(
    heads: Array,
    transitions: Array,
    bounds: Array,
    gold: Array,
    of_heads: Array,
    of_steps: Array,
) -> float:
    """The negative log likelihood of the gold parts; adds its gradient to `of_heads`, `of_steps`.

    Message k has the places bounds[k] to bounds[k + 1]; gold[p] is the set of right parts at p.
    """
    found = 0.0
    for k in range(len(bounds) - 1):
        first, last = bounds[k], bounds[k + 1]
        rows, change = heads[first:last], of_heads[first:last]
        anything = np.full(last - first, ANY, np.uint8)
        found += expected(rows, transitions, anything, 1.0, change, of_steps)
        found -= expected(rows, transitions, gold[first:last], -1.0, change, of_steps)
    return found
