"""Kernels: the trellis of a word in which trees say how probable each unit is.

Row i has a node for every state, the last chunks written, that units for the first i letters lead
to. A node has the best path to it and the mass of all paths, as in
`glyphone.fst.joint.kernels.trellis`, whose nodes and arcs these are. `keep` is the share of the
best below which a node is not extended; at 0 nothing is lost.

>>> pad_word(np.array([3, 1]), 2, 1).tolist()
[0, 0, 3, 1, 0]
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, sibling
from glyphone.fst.joint.kernels.arrays import Arcs, Trellis
from glyphone.fst.joint.kernels.trellis import ALIKE, NO_ROOM
from glyphone.models.trees.shares import ALIKE as AS_GOOD
from glyphone.models.trees.tables import Trees

joint_arrays = sibling(__name__, "glyphone.fst.joint.kernels.arrays")
joint_trellis = sibling(__name__, "glyphone.fst.joint.kernels.trellis")
joint_pairs = sibling(__name__, "glyphone.fst.joint.kernels.pairs")
kernel_arrays = sibling(__name__, "glyphone.data.kernels.arrays")
find_slot = sibling(__name__, "glyphone.data.kernels.arrays").find_slot

Array = Any


@kernel
def pad_word(string: Array, left: int, right: int) -> Array:
    """A word with edges around it."""
    found = np.zeros(left + len(string) + right, np.int64)
    found[left : left + len(string)] = string
    return found


@inlined
def end_node(nodes: Array, tables: Array, node: int, codes: Array, shift: int) -> int:
    """The node where the row codes[shift:] ends that begins at a root."""
    attribute = nodes[node, 0]
    while attribute >= 0:
        branch = tables[nodes[node, 1] + codes[shift + attribute]]
        if branch == 0:
            break
        node = nodes[node, 2] + branch
        attribute = nodes[node, 0]
    return node


@kernel
def write_mean(trees: Trees, ends: Array, size: int, pool: Array, begin: int) -> None:
    """Write the mean of the distributions of several trees to the pool; the first of equals is
    favoured."""
    pool[begin : begin + size] = 0.0
    for tree in range(len(ends)):
        first = trees.rows[ends[tree]]
        for k in range(size):
            pool[begin + k] += trees.shares[first + k]
    best, alike, greatest, n = 0, 0, np.float64(0.0), np.float32(len(ends))
    for k in range(size):
        pool[begin + k] /= n
        greatest = max(greatest, np.float64(pool[begin + k]))
    for k in range(size - 1, -1, -1):
        if pool[begin + k] >= greatest * (1 - AS_GOOD):
            best, alike = k, alike + 1
    if alike > 1:
        pool[begin + best] = greatest * (1 + AS_GOOD)
    if trees.exponent != 1.0:
        for k in range(size):
            pool[begin + k] = np.float64(pool[begin + k]) ** trees.exponent


@inlined
def expect_units(trees: Trees, row: Array, size: int, pool: Array, ends: Array) -> int:
    """The distribution over the units of the letter of a row: its place in the `shares` of one
    tree, or 0, in the pool.
    """
    for tree in range(len(ends)):
        ends[tree] = end_node(trees.nodes, trees.tables, trees.roots[tree], row, 0)
    if len(ends) == 1:
        return int(trees.rows[ends[0]])
    write_mean(trees, ends, size, pool, 0)
    return 0


@inlined
def write_chunks(row: Array, n_letters: int, state: int, base: int) -> None:
    """Write the chunks of a state to a row, behind its letters."""
    for place in range(n_letters, len(row)):
        row[place] = state % base
        state //= base


@kernel
def fill_trellis(
    trees: Trees,
    string: Array,
    keep: float,
    trellis: Trellis,
    arcs: Arcs,
    bounds: Array,
    scales: Array,
) -> int:
    """The trellis of a word: row i has the nodes bounds[i] to bounds[i + 1].

    Returns the number of arcs, or NO_ROOM if the trellis or the arcs are too small.
    """
    states, bests, masses = trellis.states, trellis.bests, trellis.masses
    before, units, ties = trellis.before, trellis.units, trellis.ties
    n_letters, base = trees.left + 1 + trees.right, trees.base
    wrap = base ** max(trees.previous - 1, 0)
    around = pad_word(string, trees.left, trees.right)
    row = np.zeros(n_letters + trees.previous, np.int64)
    pool, ends = np.zeros(trees.most, np.float32), np.zeros(len(trees.roots), np.int64)
    source = trees.shares if len(trees.roots) == 1 else pool
    keys, nodes_of = np.full(64, -1, np.int64), np.empty(64, np.int64)
    record, n_arcs = len(arcs.sources) > 0, 0
    states[0], before[0], units[0], bests[0], masses[0] = 0, -1, -1, 1.0, 1.0
    bounds[0], bounds[1], ties[0] = 0, 1, False
    scales[0] = 0.0
    n, top = 1, 0
    for place in range(len(string)):
        into, first_recorded, floor = n, n_arcs, 0.0
        letter = string[place]
        low_unit, high_unit = trees.firsts[letter], trees.firsts[letter + 1]
        size, first, last = high_unit - low_unit, bounds[place], bounds[place + 1]
        most = (last - first) * size
        if n + most > len(states) or (record and n_arcs + most > len(arcs.sources)):
            return NO_ROOM
        row[:n_letters] = around[place : place + n_letters]
        # The best node goes first: the floor rises early, and fewer nodes are made in vain.
        for turn in range(first - 1, last):
            node = top if turn < first else turn
            best, mass, state = bests[node], masses[node], int(states[node])
            if turn >= first and (turn == top or best < keep or best < floor):
                continue
            write_chunks(row, n_letters, state, base)
            begin = expect_units(trees, row, size, pool, ends)
            for k in range(size):
                prob = np.float64(source[begin + k])
                reached = best * prob
                if reached < floor or reached == 0.0:
                    continue
                unit = low_unit + k
                target = (state % wrap) * base + trees.chunks[unit]
                if 2 * (n - into) >= len(keys):
                    keys, nodes_of = kernel_arrays.larger_table(keys, nodes_of)
                entry = find_slot(keys, target)
                if keys[entry] == -1:
                    keys[entry], nodes_of[entry] = target, n
                    states[n], before[n], units[n] = target, node, unit
                    bests[n], masses[n], ties[n] = reached, mass * prob, False
                    n += 1
                else:
                    other = nodes_of[entry]
                    masses[other] += mass * prob
                    if reached > bests[other] * ALIKE:
                        ties[other] = reached * ALIKE < bests[other]
                    if reached > bests[other]:
                        bests[other], before[other], units[other] = reached, node, unit
                floor = max(floor, keep * reached)
                if record:
                    arcs.sources[n_arcs], arcs.targets[n_arcs] = node, nodes_of[entry]
                    arcs.units[n_arcs], arcs.probs[n_arcs] = unit, prob
                    arcs.masses[n_arcs] = mass * prob
                    n_arcs += 1
        bounds[place + 2] = n
        keys[:] = -1
        top, mass = joint_trellis.normalise_row(
            bests[into:n], masses[into:n], scales, place, place + 1
        )
        top += into
        for arc in range(first_recorded, n_arcs):
            arcs.masses[arc] *= 1 / mass
    return n_arcs


@kernel
def best_end(
    trellis: Trellis, bounds: Array, scales: Array
) -> tuple[int, float, float, bool, Array]:
    """The best last node, the cost of its path, the mass of all paths, whether another node is
    equally good, and the share of the mass that comes by each last node."""
    first, last = bounds[-2], bounds[-1]
    best = first
    for node in range(first, last):
        if trellis.bests[node] > trellis.bests[best]:
            best = node
    tie = False
    for node in range(first, last):
        tie = tie or (node != best and trellis.bests[node] > ALIKE * trellis.bests[best])
    shares = trellis.masses[first:last].copy()
    mass = shares.sum()
    cost = scales[-1, 0] - math.log(trellis.bests[best])
    return best, cost, scales[-1, 1] - math.log(mass), tie, shares / mass


@kernel
def fill_pair_trellis(
    trees: Trees,
    string: Array,
    output: Array,
    trellis: Trellis,
    places: Array,
    bounds: Array,
) -> tuple[int, float, float]:
    """All paths that read a word and write an output: the best last node, its cost, their mass.

    A node stands for a state and for how much of the output is written, which is in `places`. The
    last node is -1 if there is no path, NO_ROOM if the trellis is too small.
    """
    states, bests, masses = trellis.states, trellis.bests, trellis.masses
    before, units = trellis.before, trellis.units
    n_letters, base = trees.left + 1 + trees.right, trees.base
    wrap = base ** max(trees.previous - 1, 0)
    around = pad_word(string, trees.left, trees.right)
    row = np.zeros(n_letters + trees.previous, np.int64)
    pool, ends = np.zeros(trees.most, np.float32), np.zeros(len(trees.roots), np.int64)
    source = trees.shares if len(trees.roots) == 1 else pool
    keys, nodes_of = np.full(64, -1, np.int64), np.empty(64, np.int64)
    scales = np.zeros((len(string) + 1, 2))
    states[0], before[0], units[0], bests[0], masses[0] = 0, -1, -1, 1.0, 1.0
    places[0], bounds[0], bounds[1], n = 0, 0, 1, 1
    for letter_place in range(len(string)):
        into, letter = n, string[letter_place]
        low, high = trees.firsts[letter], trees.firsts[letter + 1]
        row[:n_letters] = around[letter_place : letter_place + n_letters]
        for node in range(bounds[letter_place], bounds[letter_place + 1]):
            state, begin = int(states[node]), places[node]
            write_chunks(row, n_letters, state, base)
            shares = expect_units(trees, row, high - low, pool, ends)
            for end in range(begin, min(begin + trees.widest, len(output)) + 1):
                unit, behind = joint_pairs.units_writing(
                    trees.written, trees.labels, low, high, output, begin, end
                )
                prob = np.float64(source[shares + unit - low]) if unit < behind else 0.0
                if prob == 0.0:
                    continue
                if n == len(states):
                    return NO_ROOM, np.inf, np.inf
                if 2 * (n - into) >= len(keys):
                    keys, nodes_of = kernel_arrays.larger_table(keys, nodes_of)
                target = (state % wrap) * base + trees.chunks[unit]
                reached, mass = bests[node] * prob, masses[node] * prob
                entry = find_slot(keys, target * (len(output) + 1) + end)
                if keys[entry] == -1:
                    keys[entry], nodes_of[entry] = target * (len(output) + 1) + end, n
                    states[n], before[n], units[n] = target, node, unit
                    bests[n], masses[n], places[n] = reached, mass, end
                    n += 1
                else:
                    other = nodes_of[entry]
                    masses[other] += mass
                    if reached > bests[other]:
                        bests[other], before[other], units[other] = reached, node, unit
        bounds[letter_place + 2] = n
        keys[:] = -1
        if n == into:
            return -1, np.inf, np.inf
        joint_trellis.normalise_row(
            bests[into:n], masses[into:n], scales, letter_place, letter_place + 1
        )
    best, mass = -1, 0.0
    for node in range(bounds[-2], n):
        if places[node] == len(output):
            mass += masses[node]
            if best < 0 or bests[node] > bests[best]:
                best = node
    if best < 0:
        return -1, np.inf, np.inf
    return best, scales[-1, 0] - math.log(bests[best]), scales[-1, 1] - math.log(mass)
