"""Kernels for labels that depend on those before them (see `labels` for histories).

>>> chain = np.array([[0.4, 0.4], [0.1, 0.9]])
>>> joint_ones(chain).round(6).tolist()
[[0.0, 0.04, 0.36], [0.0, 0.06, 0.36]]
>>> most_probable(chain).tolist()
[False, False]
>>> best_boundaries(np.array([0.0, 0.9, 0.3]), 2).tolist()
[True, False, False]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel

Array = Any


@kernel
def counted_before(probabilities: Array) -> Array:
    """found[i, h, c]: the probability of c ones among the first i labels, the last ones being h."""
    n, histories = probabilities.shape
    found = np.zeros((n + 1, histories, n + 1))
    found[0, 0, 0] = 1.0
    for i in range(n):
        for h in range(histories):
            p = probabilities[i, h]
            off = 2 * h % histories
            for c in range(i + 1):
                mass = found[i, h, c]
                found[i + 1, off, c] += mass * (1.0 - p)
                found[i + 1, off + 1, c + 1] += mass * p
    return found


@kernel
def joint_ones(probabilities: Array) -> Array:
    """found[i, s]: the probability that label i is 1 and s labels are; two histories at least."""
    n, histories = probabilities.shape
    before, found = counted_before(probabilities), np.zeros((n, n + 1))
    # after[h, r]: the probability of r ones among the labels behind i, where history is h.
    after, further = np.zeros((histories, n + 1)), np.zeros((histories, n + 1))
    after[:, 0] = 1.0
    for i in range(n - 1, -1, -1):
        for h in range(1, histories, 2):
            for c in range(1, i + 2):
                mass = before[i + 1, h, c]
                for r in range(n - i):
                    found[i, c + r] += mass * after[h, r]
        for h in range(histories):
            p = probabilities[i, h]
            off = 2 * h % histories
            further[h, 0] = (1.0 - p) * after[off, 0]
            for r in range(1, n - i + 1):
                further[h, r] = (1.0 - p) * after[off, r] + p * after[off + 1, r - 1]
        after, further = further, after
    return found


@kernel
def most_probable(probabilities: Array) -> Array:
    """The most probable sequence of labels; of several, the one with zeros behind (Viterbi)."""
    n, histories = probabilities.shape
    # best[h]: the logarithm of what the best labels behind i have, where history is h.
    best, better = np.zeros(histories), np.zeros(histories)
    choices = np.zeros((n, histories), np.bool_)
    for i in range(n - 1, -1, -1):
        for h in range(histories):
            p = probabilities[i, h]
            off = 2 * h % histories
            zero = -np.inf if p == 1.0 else np.log1p(-p) + best[off]
            one = -np.inf if p == 0.0 else np.log(p) + best[(off + 1) % histories]
            choices[i, h] = one > zero
            better[h] = max(zero, one)
        best, better = better, best
    found, history = np.zeros(n, np.bool_), 0
    for i in range(n):
        found[i] = choices[i, history]
        history = (2 * history + found[i]) % histories
    return found


@kernel
def best_boundaries(inside: Array, window: int) -> Array:
    """The labels that disagree least with windows that hold a 1 with probability inside[i].

    inside[i] is of the window that ends with label i, from i = window - 1 on. The distance to the
    last 1 describes a window: 1 where the label itself is 1, at most `window` where it is in the
    window, `window` + 1 for all that is further.
    """
    n, far = len(inside), window + 1
    best, better = np.zeros(far + 1), np.zeros(far + 1)
    choices = np.zeros((n, far + 1), np.bool_)
    for i in range(n - 1, -1, -1):
        held = 1.0 - inside[i] if i >= window - 1 else 0.0
        empty = inside[i] if i >= window - 1 else 0.0
        for distance in range(1, far + 1):
            further = min(distance + 1, far)
            zero = best[further] + (held if further < far else empty)
            one = best[1] + held
            choices[i, distance] = one < zero
            better[distance] = min(zero, one)
        best, better = better, best
    found, distance = np.zeros(n, np.bool_), far
    for i in range(n):
        found[i] = choices[i, distance]
        distance = 1 if found[i] else min(distance + 1, far)
    return found
