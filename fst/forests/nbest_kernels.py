"""Kernels: the n best trees of a composed forest.

Every item keeps its n best subtrees. Subtree i of the left child and j of the right one, counted
from 1, need be joined only if i * j <= n: so many pairs are at least as good (Huang and Chiang
2005). Of equals, those of earlier choices come first.

>>> table = Subtrees(np.array([0]), np.array([-1.0]), *np.zeros((3, 1), np.int64))
>>> float(table.log_weights[0])
-1.0
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.fst.forests.composition_kernels import (
    ARC,
    FIRST,
    INNER,
    LAST,
    N_ITEMS,
    Automaton,
    ForestRoom,
    PackedForests,
)

forest_composition = sibling(__name__, "glyphone.fst.forests.composition_kernels")
kernel_arrays = sibling(__name__, "glyphone.data.kernels.arrays")
doubled_rows = kernel_arrays.doubled_rows
token_step = forest_composition.token_step

Array = Any


class Subtrees(NamedTuple):
    """Subtrees, best first: item k has the rows offsets[k] to offsets[k + 1].

    A row has its arc, -1 for a leaf, and the rows of its children, -1 for none.
    """

    offsets: Array
    log_weights: Array
    arcs: Array
    lefts: Array
    rights: Array


@kernel
def n_best_trees(
    packed: PackedForests, automaton: Automaton, space: ForestRoom, log_params: Array, n: int
) -> tuple[Subtrees, Array, Array]:
    """The n best subtrees of every item; the rows of the n best trees, and their log weights."""
    n_items = space.sizes[N_ITEMS]
    offsets = np.zeros(n_items + 1, np.int64)
    log_weights, rows = np.empty(64), np.empty((64, 3), np.int64)
    for item in range(n_items):
        pair = space.items[item, 0]
        symbol = packed.symbols[space.pairs[pair, 0]]
        if symbol != INNER:
            state = space.states[space.pairs[pair, 1], 0]
            scores = np.full(1, token_step(automaton, state, symbol)[0])
            joined = np.full((1, 3), -1, np.int64)
        else:
            scores, joined = candidate_subtrees(
                packed, space, log_params, item, n, offsets, log_weights
            )
        begin = offsets[item]
        kept = np.argsort(-scores, kind="mergesort")[:n]
        while begin + len(kept) > len(log_weights):
            log_weights, rows = doubled_rows(log_weights), doubled_rows(rows)
        for place in range(len(kept)):
            log_weights[begin + place] = scores[kept[place]]
            rows[begin + place] = joined[kept[place]]
        offsets[item + 1] = begin + len(kept)
    table = Subtrees(offsets, log_weights, rows[:, 0], rows[:, 1], rows[:, 2])
    trees, scores = best_trees(automaton, space, offsets, log_weights, n)
    return table, trees, scores


@kernel
def candidate_subtrees(
    packed: PackedForests,
    space: ForestRoom,
    log_params: Array,
    item: int,
    n: int,
    offsets: Array,
    log_weights: Array,
) -> tuple[Array, Array]:
    """Subtrees of an item that may be among its n best: log weights, and (arc, left, right)."""
    scores, joined = np.empty(64), np.empty((64, 3), np.int64)
    size = 0
    for arc in range(space.items[item, ARC], space.items[item + 1, ARC]):
        choice, left, right = space.arcs[arc, 0], space.arcs[arc, 1], space.arcs[arc, 2]
        log_factor = packed.log_weights[choice]
        if packed.patterns[choice] >= 0:
            log_factor += log_params[packed.patterns[choice]]
        n_left = offsets[left + 1] - offsets[left] if left >= 0 else 1
        n_right = offsets[right + 1] - offsets[right] if right >= 0 else 1
        for i in range(n_left):
            for j in range(min(n_right, n // (i + 1))):
                if size == len(scores):
                    scores, joined = doubled_rows(scores), doubled_rows(joined)
                joined[size, 0] = arc
                joined[size, 1] = offsets[left] + i if left >= 0 else -1
                joined[size, 2] = offsets[right] + j if right >= 0 else -1
                score = log_factor
                score += log_weights[joined[size, 1]] if left >= 0 else 0.0
                score += log_weights[joined[size, 2]] if right >= 0 else 0.0
                scores[size] = score
                size += 1
    return scores[:size], joined[:size]


@kernel
def best_trees(
    automaton: Automaton, space: ForestRoom, offsets: Array, log_weights: Array, n: int
) -> tuple[Array, Array]:
    """The rows of the n best trees and their log weights, their ends included."""
    first, last = offsets[space.pairs[0, FIRST]], offsets[space.pairs[0, LAST]]
    totals = np.empty(last - first)
    for item in range(space.pairs[0, FIRST], space.pairs[0, LAST]):
        end, _ = token_step(automaton, space.states[space.items[item, 1], 0], automaton.end)
        for row in range(offsets[item], offsets[item + 1]):
            totals[row - first] = log_weights[row] + end
    order = np.argsort(-totals, kind="mergesort")[:n]
    possible = order[totals[order] > -np.inf]
    return possible + first, totals[possible]


@kernel
def write_choices(
    packed: PackedForests, space: ForestRoom, table: Subtrees, tree: int, chosen: Array
) -> int:
    """Write the choices of the tree of a row in preorder; return their number."""
    waiting = np.empty(len(chosen) + 1, np.int64)
    waiting[0] = tree
    n_waiting, n_chosen = 1, 0
    while n_waiting > 0:
        n_waiting -= 1
        row = waiting[n_waiting]
        if table.arcs[row] < 0:
            continue
        choice = space.arcs[table.arcs[row], 0]
        if packed.sources[choice] >= 0:
            chosen[n_chosen] = choice
            n_chosen += 1
        if table.rights[row] >= 0:
            waiting[n_waiting] = table.rights[row]
            n_waiting += 1
        if table.lefts[row] >= 0:
            waiting[n_waiting] = table.lefts[row]
            n_waiting += 1
    return n_chosen
