"""Kernel: the best answers of trees that do not look at the output so far, without a search.

Each letter is decided alone, and the probabilities of its units add up to one: the mass of
all paths is known, and only paths with the output of the best one have to be found.

>>> pad_words(np.array([3, 1, 2]), np.array([0, 2, 3]), 1).tolist()
[0, 3, 1, 0, 2, 0]
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, sibling
from glyphone.models.trees.tables import Trees

tree_trellis = sibling(__name__, "glyphone.models.trees.trellis_kernels")
chunk_bit = sibling(__name__, "glyphone.fst.joint.kernels.arrays").chunk_bit
end_node, write_mean = tree_trellis.end_node, tree_trellis.write_mean

Array = Any


@kernel
def pad_words(symbols: Array, bounds: Array, room: int) -> Array:
    """Words with so many edges before each, and behind the last."""
    found = np.zeros(len(symbols) + room * len(bounds), np.int64)
    for item in range(len(bounds) - 1):
        shift = room * (item + 1)
        for place in range(bounds[item], bounds[item + 1]):
            found[shift + place] = symbols[place]
    return found


@kernel
def decode(trees: Trees, symbols: Array, bounds: Array) -> tuple[Array, Array, Array, Array, Array]:
    """For each word its cost, posterior and where its output ends; all labels, and all units."""
    n_items, widest, longest = len(bounds) - 1, trees.widest, 0
    for item in range(n_items):
        longest = max(longest, bounds[item + 1] - bounds[item])
    costs, posteriors = np.zeros(n_items), np.zeros(n_items)
    offsets = np.zeros(n_items + 1, np.int64)
    labels, units = np.empty(widest * len(symbols), np.int32), np.empty(len(symbols), np.int32)
    room = max(trees.left, trees.right)
    codes = pad_words(symbols, bounds, room)
    alone, ends = len(trees.roots) == 1, np.zeros(len(trees.roots), np.int64)
    pool = trees.shares if alone else np.empty(longest * trees.most, np.float32)
    begins, norms = np.empty(longest, np.int64), np.empty(longest)
    now, later = np.zeros(widest * longest + 1), np.zeros(widest * longest + 1)
    ahead = np.empty(longest + 1, np.int64)
    nodes, tables, firsts = trees.nodes, trees.tables, trees.firsts
    n_labels = 0
    for item in range(n_items):
        first, last = bounds[item], bounds[item + 1]
        shift = room * (item + 1) - trees.left
        for place in range(first, last):
            low, at = firsts[symbols[place]], place - first
            if alone:
                node = end_node(nodes, tables, 0, codes, shift + place)
                unit = trees.bests[node]
                costs[item] += trees.prices[node]
                begins[at], norms[at] = trees.rows[node], trees.norms[node]
            else:
                size = firsts[symbols[place] + 1] - low
                for tree in range(len(ends)):
                    ends[tree] = end_node(nodes, tables, trees.roots[tree], codes, shift + place)
                begin = at * trees.most
                write_mean(trees, ends, size, pool, begin)
                best, norm = 0, np.float64(0.0)
                for k in range(size):
                    norm += pool[begin + k]
                    if pool[begin + k] > pool[begin + best]:
                        best = k
                unit = np.int32(low + best)
                costs[item] -= math.log(np.float64(pool[begin + best])) / trees.exponent
                begins[at], norms[at] = begin, norm
            units[place] = unit
            for k in range(trees.written[unit], trees.written[unit + 1]):
                labels[n_labels] = trees.labels[k]
                n_labels += 1
        offsets[item + 1] = n_labels
        output, string = labels[offsets[item] : n_labels], symbols[first:last]
        posteriors[item] = output_share(
            trees, string, output, units[first:last], pool, begins, norms, now, later, ahead
        )
    return costs, posteriors, offsets, labels[:n_labels], units


@inlined
def output_share(
    trees: Trees, string: Array, output: Array, units: Array, pool: Array, begins: Array,
    norms: Array, now: Array, later: Array, ahead: Array,
) -> float:  # fmt: skip
    """The probability of all paths that write the output of some units, a path themselves.

    now[p] is the probability of the paths through the letters so far that write the first p
    symbols. Paths go on while a later letter can write the next symbol: ahead[place] has the bits
    of such symbols.
    """
    written, labels, sizes, masks = trees.written, trees.labels, trees.sizes, trees.masks
    heads = trees.heads
    low, high, known, size = 0, 0, 0, len(output)
    now[0], ahead[len(string)] = 1.0, 0
    for place in range(len(string) - 1, -1, -1):
        ahead[place] = ahead[place + 1] | masks[string[place]]
    for place in range(len(string)):
        letter, shift = string[place], begins[place] - trees.firsts[string[place]]
        n_known = written[units[place] + 1] - written[units[place]]
        highest = min(high + trees.widest, size)
        later[low : highest + 1] = 0.0
        for p in range(low, high + 1):
            bit = chunk_bit(output[p]) if p < size else 0
            if now[p] == 0.0 or (p < size and ahead[place] & bit == 0):
                continue
            mass = now[p] / norms[place]
            if sizes[letter, 0] < sizes[letter, 1]:
                later[p] += mass * pool[shift + sizes[letter, 0]]
            if masks[letter] & bit == 0:
                continue
            for n in range(1, min(trees.widest, size - p) + 1):
                unit, few, many = -1, sizes[letter, n], sizes[letter, n + 1]
                if p == known and n == n_known:
                    unit = units[place]
                else:
                    # Units of as many symbols are sorted by them.
                    for other in range(few, many):
                        few += heads[other] < output[p]
                    while unit < 0 and few < many and heads[few] == output[p]:
                        unit, first = few, written[few]
                        for k in range(1, n):
                            unit = unit if labels[first + k] == output[p + k] else -1
                        few += 1
                if unit >= 0:
                    later[p + n] += mass * pool[shift + unit]
        known += n_known
        while low < highest and later[low] == 0.0:
            low += 1
        high = highest
        while high > low and later[high] == 0.0:
            high -= 1
        now, later = later, now
    return min(1.0, float(now[size])) if high == size else 0.0
