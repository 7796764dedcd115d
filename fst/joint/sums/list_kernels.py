"""Kernels: the probabilities that the n-grams of a state add to those of backing off.

See `glyphone.fst.joint.sums.lists`.

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.joint.training import fit_joint
>>> joint = fit_joint([Pair(("a",), ("x",)), Pair(("a", "b"), ("x", "y"))]).model.joint
>>> ends = np.empty(len(joint.backoffs))
>>> write_end_probs(joint, ends)
>>> bool(ends[0] == joint.probs[joint.end])
True
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import leaf, sibling
from glyphone.fst.joint.kernels.arrays import Joint

first_arc = sibling(__name__, "glyphone.fst.joint.kernels.trellis").first_arc

Array = Any
# What is less than this share of a difference of numbers nearly alike is only their rounding.
ROUNDING = 1e-6


@leaf
def write_end_probs(joint: Joint, ends: Array) -> None:
    """Write P(</s> | state) of every state: the end is the last of all tokens."""
    tokens, probs, offsets = joint.tokens, joint.probs, joint.offsets
    for state in range(len(ends)):
        history, weight = state, np.float64(1.0)
        last = offsets[history + 1] - 1
        while history != 0 and (last < offsets[history] or tokens[last] != joint.end):
            weight *= joint.backoffs[history]
            history = joint.backoff_states[history]
            last = offsets[history + 1] - 1
        ends[state] = weight * probs[last]


@leaf
def write_extras(joint: Joint, extras: Array, brought: Array, behind: Array) -> None:
    """Write the probability that each n-gram adds to that of backing off.

    Where backing off leads to another state, this is all of its probability; then `brought` is the
    probability by backing off and `behind` the state that it leads to. Elsewhere `brought` stays 0.
    """
    tokens, probs, targets, offsets = joint.tokens, joint.probs, joint.targets, joint.offsets
    backoffs, backoff_states = joint.backoffs, joint.backoff_states
    for arc in range(offsets[0], offsets[1]):
        extras[arc] = probs[arc]
    for state in range(1, len(backoffs)):
        near, near_low = backoff_states[state], offsets[backoff_states[state]]
        for arc in range(offsets[state], offsets[state + 1]):
            extras[arc] = probs[arc]
            unit, history, weight = tokens[arc], near, np.float64(backoffs[state])
            if weight == 0 or unit == joint.end:
                continue
            # The tokens of a state are in order: those before were behind none of the next.
            limit = offsets[near + 1]
            near_low = place = first_arc(tokens, near_low, limit, unit)
            while history != 0 and (place == limit or tokens[place] != unit):
                weight *= backoffs[history]
                history = backoff_states[history]
                limit = offsets[history + 1]
                place = first_arc(tokens, offsets[history], limit, unit)
            weight *= probs[place]
            if targets[place] != targets[arc]:
                brought[arc], behind[arc] = weight, targets[place]
            elif abs(extras[arc] - weight) < ROUNDING * weight:
                extras[arc] = 0.0
            else:
                extras[arc] -= weight


@leaf
def number_targets(
    chunks: Array, targets: Array, spans: Array, reached: Array, stamps: Array
) -> None:
    """Number the states that arcs of a chunk lead to, where arcs stand in the order of chunks.

    A target becomes the place of its state in reached[spans[chunk]:spans[chunk + 1]]. `stamps` has
    two rows of numbers of states, all -1.
    """
    n, arc = 0, 0
    for chunk in range(len(spans) - 1):
        spans[chunk] = n
        while arc < len(chunks) and chunks[arc] == chunk:
            state = targets[arc]
            if stamps[0, state] != chunk:
                stamps[0, state], stamps[1, state] = chunk, n - spans[chunk]
                reached[n] = state
                n += 1
            targets[arc] = stamps[1, state]
            arc += 1
    spans[len(spans) - 1] = n
