"""Kernel: what trees think of several outputs of each word.

The outputs of a word mostly begin alike, and are written by the same units. What trees expect of a
letter behind the same chunks is therefore asked once for all of them. Of the ways in which units
may write an output most are next to impossible, and end in nothing; they are followed only where no
other leads to the end.

>>> ROOM, NEGLIGIBLE
(64, 1e-05)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.models.trees.tables import Trees

growing = sibling(__name__, "glyphone.data.kernels.arrays")
joint_match = sibling(__name__, "glyphone.fst.joint.kernels.pairs")
slot = sibling(__name__, "glyphone.data.kernels.arrays").slot
tree_kernels = sibling(__name__, "glyphone.models.trees.trellis_kernels")

Array = Any
# Nodes that a letter has, at first, and answers of trees that are kept.
ROOM = 64
# The share of all that is written so far below which a node is not followed.
NEGLIGIBLE = 1e-5


@kernel
def judged(
    trees: Trees, symbols: Array, bounds: Array, firsts: Array, offsets: Array, labels: Array
) -> Array:
    """ln P of the outputs firsts[i] to firsts[i + 1] of each word, over all their paths.

    A label of 0 is a symbol that is not known: its word, or output, has the probability 0. A node
    stands for a state and for how much of the output is written; those of one letter are in one
    column of the room, those of the next in the other.
    """
    found = np.full(len(offsets) - 1, -np.inf)
    n_letters, base = trees.left + 1 + trees.right, trees.base
    wrap = base ** max(trees.previous - 1, 0)
    n_states = wrap * base
    row = np.zeros(n_letters + trees.previous, np.int64)
    pool, tips = np.zeros(trees.most, np.float32), np.zeros(len(trees.roots), np.int64)
    source = trees.shares if len(trees.roots) == 1 else pool
    keys, places = np.full(4 * ROOM, -1, np.int64), np.empty(4 * ROOM, np.int64)
    kept = np.empty(ROOM * trees.most, np.float32)
    states, ends = np.empty((ROOM, 2), np.int64), np.empty((ROOM, 2), np.int64)
    masses = np.empty((ROOM, 2))
    for item in range(len(bounds) - 1):
        string = symbols[bounds[item] : bounds[item + 1]]
        if np.count_nonzero(string) < len(string):
            continue
        around = tree_kernels.padded(string, trees.left, trees.right)
        keys[:] = -1
        n_kept, n_known = 0, 0
        for k in range(firsts[item], firsts[item + 1]):
            output = labels[offsets[k] : offsets[k + 1]]
            if np.count_nonzero(output) < len(output):
                continue
            least = NEGLIGIBLE
            while True:
                states[0, 0], ends[0, 0], masses[0, 0] = 0, 0, 1.0
                n, total = 1, 0.0
                for place in range(len(string)):
                    letter = string[place]
                    low, high = trees.firsts[letter], trees.firsts[letter + 1]
                    now, then, last = place % 2, (place + 1) % 2, 0
                    for node in range(n):
                        if masses[node, now] < least:
                            continue
                        state, begin = states[node, now], ends[node, now]
                        key = place * n_states + state
                        entry = slot(keys, key)
                        if keys[entry] == -1:
                            row[:n_letters] = around[place : place + n_letters]
                            tree_kernels.tell(row, n_letters, state, base)
                            at = tree_kernels.expected(trees, row, high - low, pool, tips)
                            while n_kept + high - low > len(kept):
                                kept = growing.doubled(kept)
                            kept[n_kept : n_kept + high - low] = source[at : at + high - low]
                            if 2 * (n_known + 1) >= len(keys):
                                keys, places = growing.rehashed(keys, places)
                                entry = slot(keys, key)
                            keys[entry], places[entry] = key, n_kept
                            n_kept, n_known = n_kept + high - low, n_known + 1
                        shares = places[entry]
                        for end in range(begin, min(begin + trees.widest, len(output)) + 1):
                            unit, behind = joint_match.units_of(
                                trees.written, trees.labels, low, high, output, begin, end
                            )
                            prob = np.float64(kept[shares + unit - low]) if unit < behind else 0.0
                            if prob == 0.0:
                                continue
                            target = (state % wrap) * base + trees.chunks[unit]
                            other = 0
                            while other < last and (
                                states[other, then] != target or ends[other, then] != end
                            ):
                                other += 1
                            if other == last:
                                if last == len(states):
                                    states, ends = growing.doubled(states), growing.doubled(ends)
                                    masses = growing.doubled(masses)
                                states[last, then], ends[last, then] = target, end
                                masses[last, then] = 0.0
                                last += 1
                            masses[other, then] += masses[node, now] * prob
                    n, scale = last, 0.0
                    for node in range(n):
                        scale += masses[node, then]
                    if scale == 0.0:
                        break
                    for node in range(n):
                        masses[node, then] /= scale
                    total += math.log(scale)
                side, mass = len(string) % 2, 0.0
                for node in range(n):
                    if ends[node, side] == len(output):
                        mass += masses[node, side]
                if mass > 0.0:
                    found[k] = total + math.log(mass)
                if mass > 0.0 or least == 0.0:
                    break
                least = 0.0
    return found
