"""Kernels: the beginning of a message as a chain of parts: before, in and after the caller phrase.

Each word is in one of five parts, which come in this order: BEFORE, LEAD ("this is"), NAME, TAIL
("from the bank"), AFTER. There is a place before each word and one behind the last. The step from
part a to part b at place p has the score

    score(p, a, b) = transitions[a, b] + sum of heads[p, h] over the events of the step;

events are that a phrase or a name starts or ends, or that a word is in LEAD, NAME or TAIL. A
conditional random field (Lafferty, McCallum and Pereira 2001) decides the start and the length of
the phrase together; forward and backward recursions give the sums over all paths.

>>> heads = np.zeros((3, HEADS))
>>> heads[1, START] = heads[1, NAMED] = heads[2, STOP] = 3.0
>>> alpha = forward_sums(heads, np.zeros((PARTS, PARTS)), np.full(3, ANY, np.uint8))
>>> beta = backward_sums(heads, np.zeros((PARTS, PARTS)), np.full(3, ANY, np.uint8))
>>> shares = np.exp(alpha + beta - log_total(alpha))
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
    """Whether part b may follow part a; between BEFORE and AFTER there is a phrase."""
    return a <= b and not (a == BEFORE and b == AFTER)


@leaf
def step_score(heads: Array, transitions: Array, p: int, a: int, b: int) -> float:
    """The score of the step from part a into part b at place p; the last place has no word."""
    score = float(transitions[a, b])
    if a != b:
        if a == BEFORE:
            score += heads[p, START]
        if b == NAME:
            score += heads[p, NAMED]
        if a == NAME:
            score += heads[p, UNNAMED]
        if b == AFTER:
            score += heads[p, STOP]
    if LEAD <= b <= TAIL:
        score += heads[p, IN_LEAD + b - LEAD]
    return score


@leaf
def is_allowed(sets: Array, p: int, b: int) -> bool:
    """Whether the word at place p may be in part b; no phrase goes on behind the last word."""
    ended = p == len(sets) - 1 and LEAD <= b <= TAIL
    return bool(sets[p] >> b & 1) and not ended


@kernel
def forward_sums(heads: Array, transitions: Array, sets: Array) -> Array:
    """alpha[p, b]: the log of the sum over all paths to part b at place p, that step included."""
    n = len(heads)
    alpha = np.full((n, PARTS), IMPOSSIBLE)
    for p in range(n):
        for b in range(PARTS):
            if not is_allowed(sets, p, b):
                continue
            for a in range(b + 1):
                if may_follow(a, b):
                    came = alpha[p - 1, a] if p else (0.0 if a == BEFORE else IMPOSSIBLE)
                    if came > NO:
                        step = came + step_score(heads, transitions, p, a, b)
                        alpha[p, b] = add_logs(alpha[p, b], step)
    return alpha


@kernel
def backward_sums(heads: Array, transitions: Array, sets: Array) -> Array:
    """beta[p, a]: the log of the sum over all paths on from part a at place p."""
    n = len(heads)
    beta = np.full((n, PARTS), IMPOSSIBLE)
    for a in range(PARTS):
        if is_allowed(sets, n - 1, a):
            beta[n - 1, a] = 0.0
    for p in range(n - 2, -1, -1):
        for a in range(PARTS):
            for b in range(a, PARTS):
                if may_follow(a, b) and is_allowed(sets, p + 1, b) and beta[p + 1, b] > NO:
                    step = beta[p + 1, b] + step_score(heads, transitions, p + 1, a, b)
                    beta[p, a] = add_logs(beta[p, a], step)
    return beta


@leaf
def add_logs(one: float, other: float) -> float:
    """log(exp(one) + exp(other))"""
    high, low = max(one, other), min(one, other)
    return high if low < NO else high + math.log1p(math.exp(low - high))


@leaf
def log_total(alpha: Array) -> float:
    """The log of the sum over all paths through the message."""
    total = IMPOSSIBLE
    for b in range(PARTS):
        total = add_logs(total, alpha[-1, b])
    return total


@kernel
def add_expected_counts(
    heads: Array, transitions: Array, sets: Array, sign: float, of_heads: Array, of_steps: Array
) -> float:
    """Add the expected count of each event, times `sign`; return the log of the sum of paths."""
    alpha = forward_sums(heads, transitions, sets)
    beta = backward_sums(heads, transitions, sets)
    whole = log_total(alpha)
    for p in range(len(heads)):
        for b in range(PARTS):
            if not is_allowed(sets, p, b) or beta[p, b] < NO:
                continue
            for a in range(b + 1):
                came = alpha[p - 1, a] if p else (0.0 if a == BEFORE else IMPOSSIBLE)
                if not may_follow(a, b) or came < NO:
                    continue
                way = came + step_score(heads, transitions, p, a, b) + beta[p, b] - whole
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
def negative_log_likelihood(
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
    loss = 0.0
    for k in range(len(bounds) - 1):
        first, last = bounds[k], bounds[k + 1]
        rows, change = heads[first:last], of_heads[first:last]
        anything = np.full(last - first, ANY, np.uint8)
        loss += add_expected_counts(rows, transitions, anything, 1.0, change, of_steps)
        loss -= add_expected_counts(rows, transitions, gold[first:last], -1.0, change, of_steps)
    return loss
