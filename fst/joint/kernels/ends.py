"""Kernels: the last nodes of a filled trellis, and the output of its best path.

>>> from glyphone.fst.joint.kernels.arrays import trellis_room
>>> trellis = trellis_room(3)  # 0 -- unit 7 --> 1 -- unit 4 --> 2
>>> trellis.before[:], trellis.units[:] = (-1, 0, 1), (-1, 7, 4)
>>> path_units(trellis, 2).tolist()
[7, 4]
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, leaf, sibling
from glyphone.fst.joint.kernels.arrays import Joint, Trellis
from glyphone.fst.joint.kernels.trellis import ALIKE

chunk_bit = sibling(__name__, "glyphone.fst.joint.kernels.arrays").chunk_bit
unit_prob = sibling(__name__, "glyphone.fst.joint.kernels.trellis").unit_prob

Array = Any


@leaf
def end_prob(joint: Joint, state: int) -> float:
    """P(</s> | state)."""
    offsets, tokens, probs = joint.offsets, joint.tokens, joint.probs
    backoff_states, backoffs = joint.backoff_states, joint.backoffs
    bit = chunk_bit(len(joint.firsts))
    prob: float
    prob, _ = unit_prob(
        joint.masks, offsets, tokens, probs, backoff_states, backoffs, state, joint.end, bit
    )
    return prob


@leaf
def best_end(
    joint: Joint, trellis: Trellis, bounds: Array, scales: Array, ends: Array
) -> tuple[int, float, float, bool]:
    """The best last node, or -1; the cost of its path, and the mass of all paths, with </s>; and
    whether another last node is equally good.

    Only nodes k with ends[k - first] > 0, where `first` is the first of the last nodes, are ends;
    the value becomes the share of the mass that comes by the node.
    """
    offsets, tokens, probs = joint.offsets, joint.tokens, joint.probs
    backoff_states, backoffs, states = joint.backoff_states, joint.backoffs, trellis.states
    best_node, best, mass, tie, bit = -1, 0.0, 0.0, False, chunk_bit(len(joint.firsts))
    first = len(scales) - joint.layers
    reference = first
    while reference < len(scales) - 1 and bounds[reference] == bounds[reference + 1]:
        reference += 1
    for row in range(first, len(scales)):
        scale = math.exp(scales[reference, 0] - scales[row, 0])
        mass_scale = math.exp(scales[reference, 1] - scales[row, 1])
        for node in range(bounds[row], bounds[row + 1]):
            place = node - bounds[first]
            if ends[place] > 0:
                prob, _ = unit_prob(
                    joint.masks, offsets, tokens, probs, backoff_states, backoffs,
                    states[node], joint.end, bit,
                )  # fmt: skip
                ends[place] = trellis.masses[node] * mass_scale * prob
                mass += ends[place]
                reached = trellis.bests[node] * scale * prob
                if reached > best * ALIKE:
                    tie = reached * ALIKE < best
                if reached > best:
                    best_node, best = node, reached
    if best_node < 0:
        return -1, np.inf, np.inf, False
    ends /= mass
    cost, total = scales[reference, 0] - math.log(best), scales[reference, 1] - math.log(mass)
    return best_node, cost, total, tie


@inlined
def path_units(trellis: Trellis, node: int) -> Array:
    """The units of the best path to a node."""
    n, ancestor = 0, node
    while ancestor > 0:
        n, ancestor = n + 1, trellis.before[ancestor]
    units = np.empty(n, np.int32)
    for place in range(n - 1, -1, -1):
        units[place] = trellis.units[node]
        node = trellis.before[node]
    return units


@inlined
def output_labels(joint: Joint, units: Array) -> Array:
    """The labels that some units write, end to end."""
    return written_labels(joint.written, joint.labels, units)


@kernel
def written_labels(firsts: Array, labels: Array, numbers: Array) -> Array:
    """The labels of some numbers end to end: those of k are labels[firsts[k]:firsts[k + 1]]."""
    n = 0
    for k in numbers:
        n += firsts[k + 1] - firsts[k]
    output, n = np.empty(n, np.int32), 0
    for k in numbers:
        for place in range(firsts[k], firsts[k + 1]):
            output[n] = labels[place]
            n += 1
    return output
