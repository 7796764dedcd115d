"""Labels that are best by other utilities than F: zero-one, Hamming and P_k.

The most probable sequence maximises the zero-one utility. Hamming loss and P_k are sums over
windows, of one label or of k, of the probability of disagreeing; they need no more than the
probability that each window holds a 1, and labels that disagree least are found from there.

>>> decode_zero_one([0.9, 0.4]).labels.tolist(), round(decode_zero_one([0.9, 0.4]).value, 2)
([True, False], 0.54)
>>> decode_hamming([0.9, 0.4]).labels.tolist(), decode_hamming([0.9, 0.4]).value
([True, False], 0.5)
>>> decode_boundaries([0.4, 0.9, 0.3], window=2).labels.tolist()
[False, True, False]
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.learners.utility import chain_kernels
from glyphone.learners.utility.labels import Decision, by_history, check_probabilities, next_history
from glyphone.learners.utility.simple_functions import check_window, state_distributions

Array = Any


def decode_zero_one(probabilities: Any) -> Decision:
    """The most probable labels, and their probability."""
    known = by_history(check_probabilities(probabilities))
    labels = jit.tier(chain_kernels, known.size).most_probable(known)
    value, history = 1.0, 0
    for row, y in zip(known, labels.tolist(), strict=True):
        value *= row[history] if y else 1 - row[history]
        history = next_history(history, y, histories=known.shape[1])
    return Decision(labels, float(value))


def decode_hamming(probabilities: Any) -> Decision:
    """The labels with the fewest expected mistakes, and how many these are."""
    ones = window_probabilities(check_probabilities(probabilities), 1)
    return Decision(ones > 0.5, float(np.minimum(ones, 1 - ones).sum()))


def decode_boundaries(probabilities: Any, *, window: int) -> Decision:
    """The labels with the smallest expected P_k for windows of k labels, and this loss."""
    known = check_probabilities(probabilities)
    n, inside = len(known), window_probabilities(known, check_window(window))
    labels = jit.tier(chain_kernels, n * window).best_boundaries(inside, window)
    if n < window:
        return Decision(labels, 0.0)
    has = np.lib.stride_tricks.sliding_window_view(labels, window).any(axis=1)
    inside = inside[window - 1 :]
    return Decision(labels, float(np.where(has, 1 - inside, inside).mean()))


@dataclass(frozen=True)
class LastOne:
    """A simple function: how many labels ago y had its last 1, at most `window`."""

    window: int

    def start(self, z: Array) -> int:
        return self.window

    def transition(self, state: int, z: Array, i: int, y: int) -> int:
        return 0 if y else min(state + 1, self.window)

    def value(self, state: int, z: Array) -> float:
        return float(state)


def window_probabilities(probabilities: Array, window: int) -> Array:
    """The probability of a 1 among the `window` labels that end with each label."""
    layers = state_distributions(LastOne(window), probabilities, probabilities)
    next(layers)
    return np.array(
        [
            math.fsum(mass for (distance, _), mass in masses.items() if distance < window)
            for masses in layers
        ]
    )
