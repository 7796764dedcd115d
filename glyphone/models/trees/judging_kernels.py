"""Kernels: the probabilities of several outputs of each word by trees.

The outputs of a word mostly begin alike, and are written by the same units. The distribution over
the units of a letter behind some chunks is therefore computed once for all of them. Of the ways in
which units may write an output most are next to impossible, and end in nothing; they are followed
only where no other leads to the end.

>>> ROOM, NEGLIGIBLE
(64, 1e-05)
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, sibling
from glyphone.models.trees.tables import Trees

kernel_arrays = sibling(__name__, "glyphone.data.kernels.arrays")
joint_pairs = sibling(__name__, "glyphone.fst.joint.kernels.pairs")
find_slot = sibling(__name__, "glyphone.data.kernels.arrays").find_slot
tree_trellis = sibling(__name__, "glyphone.models.trees.trellis_kernels")

Array = Any
# Nodes that a letter has, at first, and distributions that are kept.
ROOM = 64
# The share of all that is written so far below which a node is not followed.
NEGLIGIBLE = 1e-5


class Nodes(NamedTuple):
    """States, with the number of labels of the output that are written, and their masses.

    The nodes of one letter are in one column, those of the next in the other.
    """

    states: Array
    ends: Array
    masses: Array


class Known(NamedTuple):
    """Distributions over the units of a letter, end to end, and the place where that of a key
    begins.

    A key stands for a place in the word and a state; `sizes` are the length of all distributions
    and the number of keys.
    """

    keys: Array
    places: Array
    shares: Array
    sizes: Array


class Window(NamedTuple):
    """The letters of a word with edges around it, and arrays in which a row is put together.

    `source` is where the distribution of a row is found: the shares of one tree, or the pool.
    """

    around: Array
    row: Array
    pool: Array
    tips: Array
    source: Array


@kernel
def score_outputs(
    trees: Trees, symbols: Array, bounds: Array, firsts: Array, offsets: Array, labels: Array
) -> Array:
    """ln P of the outputs firsts[i] to firsts[i + 1] of each word, over all their paths.

    A label of 0 is a symbol that is not known: its word, or output, has the probability 0.
    """
    found = np.full(len(offsets) - 1, -np.inf)
    row = np.zeros(trees.left + 1 + trees.right + trees.previous, np.int64)
    pool, tips = np.zeros(trees.most, np.float32), np.zeros(len(trees.roots), np.int64)
    source = trees.shares if len(trees.roots) == 1 else pool
    nodes = Nodes(np.empty((ROOM, 2), np.int64), np.empty((ROOM, 2), np.int64), np.empty((ROOM, 2)))
    known = Known(
        np.full(4 * ROOM, -1, np.int64),
        np.empty(4 * ROOM, np.int64),
        np.empty(ROOM * trees.most, np.float32),
        np.zeros(2, np.int64),
    )
    for item in range(len(bounds) - 1):
        string = symbols[bounds[item] : bounds[item + 1]]
        if np.count_nonzero(string) < len(string):
            continue
        around = tree_trellis.pad_word(string, trees.left, trees.right)
        window = Window(around, row, pool, tips, source)
        known.keys[:] = -1
        known.sizes[:] = 0
        for k in range(firsts[item], firsts[item + 1]):
            output = labels[offsets[k] : offsets[k + 1]]
            if np.count_nonzero(output) < len(output):
                continue
            for least in (NEGLIGIBLE, 0.0):
                found[k], nodes, known = score_output(
                    trees, string, output, least, window, nodes, known
                )
                if found[k] > -np.inf:
                    break
    return found


@inlined
def score_output(
    trees: Trees,
    string: Array,
    output: Array,
    least: float,
    window: Window,
    nodes: Nodes,
    known: Known,
) -> tuple[float, Nodes, Known]:
    """ln P of an output over the paths whose nodes have a share of `least`, and the room, which may
    be new.
    """
    nodes.states[0, 0], nodes.ends[0, 0], nodes.masses[0, 0] = 0, 0, 1.0
    n, total = 1, 0.0
    wrap = trees.base ** max(trees.previous - 1, 0)
    n_states = wrap * trees.base
    for place in range(len(string)):
        low, high = trees.firsts[string[place]], trees.firsts[string[place] + 1]
        now, then, last = place % 2, (place + 1) % 2, 0
        for node in range(n):
            if nodes.masses[node, now] < least:
                continue
            state, begin = nodes.states[node, now], nodes.ends[node, now]
            key = place * n_states + state
            entry = find_slot(known.keys, key)
            if known.keys[entry] == -1:
                if is_full(known, high - low):
                    known = larger_known(known, high - low)
                add_shares(trees, window, place, state, key, high - low, known)
                entry = find_slot(known.keys, key)
            shares = known.places[entry] - low
            for end in range(begin, min(begin + trees.widest, len(output)) + 1):
                unit, behind = joint_pairs.units_writing(
                    trees.written, trees.labels, low, high, output, begin, end
                )
                prob = np.float64(known.shares[shares + unit]) if unit < behind else 0.0
                if prob == 0.0:
                    continue
                target = (state % wrap) * trees.base + trees.chunks[unit]
                other = place_of(nodes.states, nodes.ends, last, then, target, end)
                if other == last:
                    if last == len(nodes.states):
                        nodes = larger_nodes(nodes)
                    nodes.states[last, then], nodes.ends[last, then] = target, end
                    nodes.masses[last, then] = 0.0
                    last += 1
                nodes.masses[other, then] += nodes.masses[node, now] * prob
        n, scale = last, normalize_masses(nodes.masses, last, then)
        if scale == 0.0:
            n = 0
            break
        total += math.log(scale)
    side, mass = len(string) % 2, 0.0
    for node in range(n):
        if nodes.ends[node, side] == len(output):
            mass += nodes.masses[node, side]
    total = total + math.log(mass) if mass > 0.0 else -np.inf
    return total, nodes, known


@inlined
def add_shares(
    trees: Trees, window: Window, place: int, state: int, key: int, size: int, known: Known
) -> None:
    """Add the distribution of a letter behind the chunks of a state, for which there is room."""
    n_letters, begin = trees.left + 1 + trees.right, known.sizes[0]
    window.row[:n_letters] = window.around[place : place + n_letters]
    tree_trellis.write_chunks(window.row, n_letters, state, trees.base)
    first = tree_trellis.expect_units(trees, window.row, size, window.pool, window.tips)
    known.shares[begin : begin + size] = window.source[first : first + size]
    entry = find_slot(known.keys, key)
    known.keys[entry], known.places[entry] = key, begin
    known.sizes[0] += size
    known.sizes[1] += 1


@inlined
def is_full(known: Known, size: int) -> bool:
    """Whether there is no room for a distribution over so many units."""
    is_short: bool = known.sizes[0] + size > len(known.shares)
    return is_short or 2 * (known.sizes[1] + 1) >= len(known.keys)


@kernel
def larger_known(known: Known, size: int) -> Known:
    """The known distributions, with room for one more over so many units."""
    keys, places, shares, sizes = known
    while sizes[0] + size > len(shares):
        shares = kernel_arrays.doubled_rows(shares)
    if 2 * (sizes[1] + 1) >= len(keys):
        keys, places = kernel_arrays.larger_table(keys, places)
    return Known(keys, places, shares, sizes)


@kernel
def larger_nodes(nodes: Nodes) -> Nodes:
    """Room for twice as many nodes, with those that there are."""
    return Nodes(
        kernel_arrays.doubled_rows(nodes.states),
        kernel_arrays.doubled_rows(nodes.ends),
        kernel_arrays.doubled_rows(nodes.masses),
    )


@inlined
def place_of(states: Array, ends: Array, n: int, column: int, state: int, end: int) -> int:
    """The number of the node with a state and an end, or n if there is none."""
    node = 0
    while node < n and (states[node, column] != state or ends[node, column] != end):
        node += 1
    return node


@inlined
def normalize_masses(masses: Array, n: int, column: int) -> float:
    """The sum of the masses of nodes, which are divided by it if it is above 0."""
    scale = 0.0
    for node in range(n):
        scale += masses[node, column]
    if scale > 0.0:
        for node in range(n):
            masses[node, column] /= scale
    return scale
