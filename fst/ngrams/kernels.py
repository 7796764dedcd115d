"""Kernels: walks over an n-gram model in flat arrays, and counts that are not whole.

    P(w | h) = explicit(h, w) if h has an arc for w, else backoff(h) P(w | h'),

h' being the longest proper suffix of h that is a state. Arcs of a state are sorted by token; state
0, the empty history, has one arc for every token, so that a walk always ends.

>>> chances = zero_chances(2)
>>> add_events(chances, np.array([0, 0, 1]), np.array([0.5, 0.5, 2.0]))
>>> chances.tolist()
[[0.25, 0.5, 0.25, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0]]
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling

kernel_arrays = sibling(__name__, "glyphone.data.kernels.arrays")

Array = Any
N_CHANCES = 5  # P(count = 0) to P(count = 4), which is as far as Kneser-Ney discounts look


class Ngrams(NamedTuple):
    """The arrays of an n-gram model that a walk needs; see glyphone.fst.ngrams.model."""

    offsets: Array
    tokens: Array
    log_probs: Array
    targets: Array
    backoff_states: Array
    backoffs: Array


@leaf
def find_arc(ngrams: Ngrams, state: int, token: int) -> int:
    """The arc of a state for a token, or -1."""
    if state == 0:
        return token
    low, end = ngrams.offsets[state], ngrams.offsets[state + 1]
    high = end
    while low < high:
        middle = (low + high) // 2
        if ngrams.tokens[middle] < token:
            low = middle + 1
        else:
            high = middle
    return low if low < end and ngrams.tokens[low] == token else -1


@leaf
def token_step(ngrams: Ngrams, state: int, token: int) -> tuple[float, int]:
    """ln P(token | state) and the next state."""
    weight = 0.0
    arc = find_arc(ngrams, state, token)
    while arc < 0:
        weight += ngrams.backoffs[state]
        state = ngrams.backoff_states[state]
        arc = find_arc(ngrams, state, token)
    return weight + ngrams.log_probs[arc], ngrams.targets[arc]


@kernel
def state_after(ngrams: Ngrams, state: int, history: Array) -> int:
    """The state after some tokens."""
    for token in history:
        _, state = token_step(ngrams, state, token)
    return state


@kernel
def sequence_scores(ngrams: Ngrams, start: int, end: int, tokens: Array, bounds: Array) -> Array:
    """ln P of each sequence tokens[bounds[i]:bounds[i + 1]] with its end."""
    totals = np.empty(len(bounds) - 1)
    for item in range(len(totals)):
        state, total = start, 0.0
        for place in range(bounds[item], bounds[item + 1]):
            log_prob, state = token_step(ngrams, state, tokens[place])
            total += log_prob
        log_prob, _ = token_step(ngrams, state, end)
        totals[item] = total + log_prob
    return totals


@kernel
def next_log_probs(ngrams: Ngrams, state: int) -> Array:
    """ln P(w | state) for every token w."""
    log_probs = np.full(ngrams.offsets[1], np.nan)
    weight = 0.0
    while state >= 0:
        for arc in range(ngrams.offsets[state], ngrams.offsets[state + 1]):
            token = ngrams.tokens[arc]
            if np.isnan(log_probs[token]):
                log_probs[token] = weight + ngrams.log_probs[arc]
        weight += ngrams.backoffs[state]
        state = ngrams.backoff_states[state]
    return log_probs


@kernel
def is_new(ngrams: Ngrams, top: int, state: int, token: int) -> bool:
    """Whether no state from `top` down to, and without, `state` has an arc for a token."""
    while top != state:
        if find_arc(ngrams, top, token) >= 0:
            return False
        top = ngrams.backoff_states[top]
    return True


@kernel
def draw_arc(ngrams: Ngrams, top: int, share: float) -> int:
    """The arc at which the sum of all probabilities after a state reaches a share of it.

    The sum is over explicit arcs, longest history first. Where rounding lets it end before the
    share is reached, the last possible arc is the answer.
    """
    state, weight, total, last = top, 0.0, 0.0, -1
    while state >= 0:
        for arc in range(ngrams.offsets[state], ngrams.offsets[state + 1]):
            prob = math.exp(weight + ngrams.log_probs[arc])
            if prob > 0 and is_new(ngrams, top, state, ngrams.tokens[arc]):
                last = arc
                total += prob
                if total > share:
                    return last
        weight += ngrams.backoffs[state]
        state = ngrams.backoff_states[state]
    return last


@kernel
def draw_sequences(ngrams: Ngrams, start: int, end: int, random: Any, n: int, longest: int) -> Any:
    """n random sequences without their ends: tokens and bounds."""
    tokens, bounds = np.empty(64, np.int32), np.zeros(n + 1, np.int64)
    size = 0
    for item in range(n):
        state = start
        for _ in range(longest):
            arc = draw_arc(ngrams, state, random.random())
            if ngrams.tokens[arc] == end:
                break
            if size == len(tokens):
                tokens = kernel_arrays.doubled_rows(tokens)
            tokens[size] = ngrams.tokens[arc]
            size += 1
            state = ngrams.targets[arc]
        bounds[item + 1] = size
    return tokens[:size], bounds


@kernel
def link_states(ngrams: Ngrams, children: Array, start: int) -> None:
    """Fill in targets, backoff states, and explicit probabilities that are not given (NaN).

    `children[arc]` is the state of history + token, or -1; states are numbered by length.
    """
    ngrams.backoff_states[0] = -1
    if start > 0:
        ngrams.backoff_states[start] = 0
    for state in range(len(ngrams.backoffs)):
        for arc in range(ngrams.offsets[state], ngrams.offsets[state + 1]):
            target, log_prob = 0, -np.inf
            if state > 0:
                below = ngrams.backoff_states[state]
                log_prob, target = token_step(ngrams, below, ngrams.tokens[arc])
            if np.isnan(ngrams.log_probs[arc]):
                ngrams.log_probs[arc] = ngrams.backoffs[state] + log_prob
            if children[arc] >= 0:
                ngrams.backoff_states[children[arc]] = target
                target = children[arc]
            ngrams.targets[arc] = target


@kernel
def lower_log_probs(ngrams: Ngrams) -> Array:
    """ln P(w | h') of every arc (h, w); 0 for those of the empty history."""
    lower = np.zeros(len(ngrams.tokens))
    for state in range(1, len(ngrams.backoffs)):
        below = ngrams.backoff_states[state]
        for arc in range(ngrams.offsets[state], ngrams.offsets[state + 1]):
            lower[arc], _ = token_step(ngrams, below, ngrams.tokens[arc])
    return lower


@kernel
def set_backoffs(ngrams: Ngrams, smallest: float) -> None:
    """Set every backoff so that probabilities sum to one:

    backoff(h) = (1 - sum of P(w | h)) / (1 - sum of P(w | h')), both over explicit (h, w).

    Where P(w | h') leaves less than `smallest` there is nothing to back off to, and the weight
    stays as it is.
    """
    for state in range(1, len(ngrams.backoffs)):
        below = ngrams.backoff_states[state]
        left, unseen = 1.0, 1.0
        for arc in range(ngrams.offsets[state], ngrams.offsets[state + 1]):
            lower, _ = token_step(ngrams, below, ngrams.tokens[arc])
            left -= math.exp(ngrams.log_probs[arc])
            unseen -= math.exp(lower)
        if unseen >= smallest:
            ngrams.backoffs[state] = math.log(left / unseen) if left > 0 else -np.inf


@kernel
def parent_arcs(ngrams: Ngrams, levels: Array) -> Array:
    """The arc (h, w) that makes the history hw of each state; -1 for the empty one and <s>."""
    arcs = np.full(len(ngrams.backoffs), -1, np.int64)
    for depth in range(len(levels) - 2):
        for state in range(levels[depth], levels[depth + 1]):
            for arc in range(ngrams.offsets[state], ngrams.offsets[state + 1]):
                if ngrams.targets[arc] >= levels[depth + 1]:
                    arcs[ngrams.targets[arc]] = arc
    return arcs


@kernel
def raise_scores(ngrams: Ngrams, parents: Array, scores: Array) -> None:
    """Raise the score of every n-gram to that of its best continuation."""
    for state in range(len(parents) - 1, 0, -1):
        arc = parents[state]
        if arc >= 0:
            for below in range(ngrams.offsets[state], ngrams.offsets[state + 1]):
                scores[arc] = max(scores[arc], scores[below])


@kernel
def kept_suffixes(backoff_states: Array, kept: Array) -> Array:
    """The longest suffix of every state that is kept; state 0 always is."""
    nearest = np.zeros(len(kept), np.int64)
    for state in range(1, len(kept)):
        nearest[state] = state if kept[state] else nearest[backoff_states[state]]
    return nearest


@kernel
def zero_chances(n: int) -> Array:
    """The chances of n counts that are surely 0: row i, column r is P(count i = r)."""
    chances = np.zeros((n, N_CHANCES))
    chances[:, 0] = 1.0
    return chances


@kernel
def add_events(chances: Array, rows: Array, expected: Array) -> None:
    """Add independent events: `expected` times in row `rows` (Zhang and Chiang 2014, 3.3).

    An expected number of 2.3 is two sure events and one of probability 0.3.
    """
    for event in range(len(rows)):
        row = chances[rows[event]]
        whole = math.floor(expected[event])
        for part in range(min(whole, N_CHANCES) + 1):
            probability = 1.0 if part < whole else expected[event] - whole
            for count in range(N_CHANCES - 1, 0, -1):
                row[count] += probability * (row[count - 1] - row[count])
            row[0] *= 1.0 - probability
