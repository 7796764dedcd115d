"""Kernels: the most probable spans of the caller phrase and of the name in it, over all paths.

A chain goes from state to state in front of each word, and once behind the last (`shapes`). With
w(p, j) the exponential of the scores of step j at place p, divided by the sum over all paths so
far, and a and b the sums over all paths to a state and on from it, a phrase from i to k has the
probability

    P(i, k) = sum over paths inside from i to k of a(i - 1) w(i) w(i + 1) ... w(k) b(k),

where the first step enters the phrase and the last one leaves it; a name likewise. Probabilities of
several chains are mixed by the share of each chain. Ties go to the span that begins, then ends
first.

>>> from glyphone.voicemail.callers.chain_kernels import HEADS, NAMED, START, STOP
>>> from glyphone.voicemail.callers.shapes import PARTS
>>> heads = np.zeros((4, HEADS))
>>> heads[1, START] = heads[2, NAMED] = heads[3, STOP] = 3.0
>>> steps = np.zeros(len(PARTS.pairs))
>>> best = decode_spans(heads, steps, PARTS, np.ones(1), np.array([0, 4]), 1)
>>> best.spans.tolist(), [share > 0.5 for share in best.shares[0, 1:].tolist()]
([[[1, 3], [2, 3]]], [True, True])
>>> best.names.tolist()
[[[2, 3]]]
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf
from glyphone.voicemail.callers.shapes import (
    GOES_ON,
    MOST,
    NAME_GOES_ON,
    NAME_STARTS,
    NAME_STOPS,
    NONE,
    NOTHING,
    STARTS,
    STOPS,
    Shape,
)

Array = Any
# Scores are clipped, so that no product of a step overflows.
GREATEST = 100.0
ANYONE, PHRASE, NAMED_SO = range(3)


class BestSpans(NamedTuple):
    """By message: begin and end of the phrase and of the name in it; the probabilities of any
    phrase, of this phrase, and of this name; begin and end of the likeliest names in any phrase,
    and their probabilities, which are 0 where there are no more."""

    spans: Array
    shares: Array
    names: Array
    name_shares: Array


@kernel
def decode_spans(
    heads: Array, steps: Array, shape: Shape, mixed: Array, bounds: Array, n_names: int
) -> BestSpans:
    """The best spans of each message; message k has places bounds[k:k + 2].

    Places count from the first word of a message; a message without words has zeros. `steps` are
    scores of the pairs of the shape, `mixed` the share of each chain.
    """
    n, states, longest = len(bounds) - 1, len(shape.chains), 0
    for k in range(n):
        longest = max(longest, bounds[k + 1] - bounds[k])
    found, shares = np.zeros((n, 2, 2), np.int64), np.zeros((n, 3))
    names, name_shares = np.zeros((n, n_names, 2), np.int64), np.zeros((n, n_names))
    ways, tastes = np.empty((longest, len(shape.pairs))), np.empty(shape.width)
    to, on = np.empty((longest + 1, states)), np.empty((longest, states))
    once, room = np.exp(np.clip(steps, -GREATEST, GREATEST)), np.empty((2, states))
    total = np.empty(len(shape.starts))
    for k in range(n):
        first, places = bounds[k], bounds[k + 1] - bounds[k]
        if places > 1:
            weigh_steps(heads[first : first + places], once, shape, tastes, ways)
            forward_sums(places, shape, mixed, ways, to, total)
            backward_sums(places, shape, ways, on)
            shares[k, ANYONE] = 1.0 - no_phrase_probability(places, shape, mixed, ways)
            best_spans(
                0, places - 1, places, STARTS, GOES_ON, STOPS, shape, ways, to, on, room,
                found[k, :1], shares[k, PHRASE:NAMED_SO],
            )  # fmt: skip
            best_spans(
                found[k, 0, 0], found[k, 0, 1], places, NAME_STARTS, NAME_GOES_ON, NAME_STOPS,
                shape, ways, to, on, room, found[k, 1:], shares[k, NAMED_SO:],
            )  # fmt: skip
            if n_names > 0:
                best_spans(
                    0, places - 1, places, NAME_STARTS, NAME_GOES_ON, NAME_STOPS, shape, ways, to,
                    on, room, names[k], name_shares[k],
                )  # fmt: skip
    return BestSpans(found, shares, names, name_shares)


@leaf
def weigh_steps(heads: Array, once: Array, shape: Shape, tastes: Array, ways: Array) -> None:
    """Store the exponentials of the scores of all steps; no phrase goes on behind the end."""
    for p in range(len(heads)):
        for h in range(len(tastes)):
            tastes[h] = math.exp(min(max(heads[p, h], -GREATEST), GREATEST))
        for j in range(len(once)):
            value = once[j]
            for m in range(MOST):
                h = shape.uses[j, m]
                if h == NONE:
                    break
                value *= tastes[h]
            ways[p, j] = value
    for j in range(len(once)):
        if shape.events[j] & (STARTS | GOES_ON):
            ways[len(heads) - 1, j] = 0.0


@leaf
def forward_sums(
    places: int, shape: Shape, mixed: Array, ways: Array, to: Array, total: Array
) -> None:
    """to[p + 1, b]: the sum over all paths to state b at place p; normalises ways by chain."""
    to[0, :] = 0.0
    for c in range(len(mixed)):
        to[0, shape.starts[c]] = mixed[c]
    for p in range(places):
        row, before = to[p + 1], to[p]
        row[:] = 0.0
        total[:] = 0.0
        for j in range(len(shape.pairs)):
            a, b = shape.pairs[j, 0], shape.pairs[j, 1]
            value = before[a] * ways[p, j]
            row[b] += value
            total[shape.chains[b]] += value
        for c in range(len(mixed)):
            total[c] = mixed[c] / total[c] if total[c] > 0.0 else 0.0
        for b in range(len(row)):
            row[b] *= total[shape.chains[b]]
        for j in range(len(shape.pairs)):
            ways[p, j] *= total[shape.chains[shape.pairs[j, 0]]]


@leaf
def backward_sums(places: int, shape: Shape, ways: Array, on: Array) -> None:
    """on[p, a]: the sum over all paths on from state a at place p."""
    on[places - 1, :] = 1.0
    for p in range(places - 2, -1, -1):
        on[p, :] = 0.0
        for j in range(len(shape.pairs)):
            on[p, shape.pairs[j, 0]] += ways[p + 1, j] * on[p + 1, shape.pairs[j, 1]]


@leaf
def no_phrase_probability(places: int, shape: Shape, mixed: Array, ways: Array) -> float:
    """The probability that there is no phrase."""
    found = 0.0
    for j in range(len(shape.pairs)):
        if shape.events[j] & NOTHING:
            share = mixed[shape.chains[shape.pairs[j, 0]]]
            for p in range(places):
                share *= ways[p, j]
            found += share
    return found


@leaf
def best_spans(
    low: int, high: int, places: int, starts: int, goes_on: int, stops: int, shape: Shape,
    ways: Array, to: Array, on: Array, room: Array, found: Array, share: Array,
) -> None:  # fmt: skip
    """Store the most probable spans of a kind from `low` to `high`, as many as there is room for,
    and their shares."""
    last = len(share) - 1
    for begin in range(low, high):
        left = 0.0
        inside = room[0]
        inside[:] = 0.0
        for j in range(len(shape.pairs)):
            if shape.events[j] & starts:
                a, b = shape.pairs[j, 0], shape.pairs[j, 1]
                value = to[begin, a] * ways[begin, j]
                inside[b] += value
                left += value * on[begin, b]
        # The mass that is left for later ends bounds the share of each of them.
        for end in range(begin + 1, min(high + 1, places)):
            if left <= share[last]:
                break
            inside, after, ended = room[(end - begin - 1) & 1], room[(end - begin) & 1], 0.0
            after[:] = 0.0
            for j in range(len(shape.pairs)):
                a, b = shape.pairs[j, 0], shape.pairs[j, 1]
                if shape.events[j] & stops:
                    ended += inside[a] * ways[end, j] * on[end, b]
                elif shape.events[j] & goes_on:
                    after[b] += inside[a] * ways[end, j]
            if ended > share[last]:
                place = last
                while place > 0 and ended > share[place - 1]:
                    share[place] = share[place - 1]
                    found[place, 0], found[place, 1] = found[place - 1, 0], found[place - 1, 1]
                    place -= 1
                share[place], found[place, 0], found[place, 1] = ended, begin, end
            left -= ended
