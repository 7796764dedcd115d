"""Kernels: the best alignments of pairs, and lattices of all alignments that are nearly as good.

States, moves and ids are those of `glyphone.fst.alignment.sum_kernels`, costs negative natural
logarithms.

>>> round(float(write_posteriors(np.array([[0, 1, 7, 0], [0, 1, 8, 1]]), np.ones(2), 2)), 3)
0.307
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.fst.alignment.sum_kernels import BEST, Corpus, Moves, UnitTable

kernel_arrays = sibling(__name__, "glyphone.data.kernels.arrays")
lattice_sums = sibling(__name__, "glyphone.fst.lattices.sum_kernels")
sum_kernels = sibling(__name__, "glyphone.fst.alignment.sum_kernels")

Array = Any
INFINITY = np.inf
# Costs that differ by no more are ties.
MARGIN = 1e-12
LARGEST = float(np.finfo(np.float64).max)


@kernel
def best_paths(
    ids: Array, costs: Array, moves: Moves, n: int, p: int, most: int
) -> tuple[Array, Array, Array, Array]:
    """The `most` best paths: how long each is, its cost, and its units and moves.

    Every state keeps its best paths in order, with the state and rank that each comes from. On
    equal costs the path whose last move comes first in `steps` is before, then by the same rule
    the one that is before in the state that the move comes from, fewer insertions first.
    """
    width = moves.gap + 1
    best = np.full(((n + 1) * (p + 1) * width, most), INFINITY)
    back = np.full(((n + 1) * (p + 1) * width, most, 3), -1, np.int32)
    best[0, 0] = 0.0
    for i in range(n + 1):
        low, high = sum_kernels.band(i, n, p, moves)
        for j in range(low, high + 1):
            cell = i * (p + 1) + j
            for m in range(len(moves.steps)):
                s, t = moves.steps[m, 0], moves.steps[m, 1]
                if s > i or t > j:
                    continue
                past, cost = cell - s * (p + 1) - t, costs[ids[m, cell]]
                for g in range(moves.gap + (s > 0)):
                    state = cell * width + (0 if s > 0 else g + 1)
                    offer_paths(best, back, state, past * width + g, cost, m)
    ends = best[(n + 1) * (p + 1) * width - width :].copy().reshape(-1)
    return read_paths(best, back, ids, moves, n, p, ends)


@kernel
def offer_paths(best: Array, back: Array, state: int, past: int, cost: float, move: int) -> None:
    """Sort the paths to `past`, one move longer, into the paths to `state`."""
    most = best.shape[1]
    for rank in range(most):
        total = best[past, rank] + cost
        if total == INFINITY or total >= best[state, most - 1] - MARGIN:
            break
        place = most - 1
        while place > 0 and total < best[state, place - 1] - MARGIN:
            best[state, place] = best[state, place - 1]
            back[state, place] = back[state, place - 1]
            place -= 1
        best[state, place] = total
        back[state, place, 0], back[state, place, 1], back[state, place, 2] = past, rank, move


@kernel
def read_paths(
    best: Array, back: Array, ids: Array, moves: Moves, n: int, p: int, ends: Array
) -> tuple[Array, Array, Array, Array]:
    """The paths to the end state, whatever its g, out of the tables of `best_paths`."""
    most, width = best.shape[1], moves.gap + 1
    lengths, path_costs = np.zeros(most, np.int64), np.full(most, INFINITY)
    units = np.empty((most, n + p), np.int32)
    steps = np.empty((most, n + p), np.int8)
    for number in range(most):
        end = 0
        for other in range(1, len(ends)):
            if ends[other] < ends[end] - MARGIN:
                end = other
        if ends[end] == INFINITY:
            break
        path_costs[number], ends[end] = ends[end], INFINITY
        state, rank = len(best) - width + end // most, end % most
        length = 0
        while back[state, rank, 0] >= 0:
            move = back[state, rank, 2]
            units[number, length], steps[number, length] = ids[move, state // width], move
            state, rank = back[state, rank, 0], back[state, rank, 1]
            length += 1
        units[number, :length] = units[number, :length][::-1].copy()
        steps[number, :length] = steps[number, :length][::-1].copy()
        lengths[number] = length
    return lengths, path_costs, units, steps


@kernel
def best_alignments(
    corpus: Corpus,
    usable: Array,
    table: UnitTable,
    moves: Moves,
    costs: Array,
    first: int,
    last: int,
) -> tuple[Array, Array, Array, Array]:
    """The best path of each pair: lengths, costs, and units and moves end to end."""
    scratch = np.empty(
        (len(moves.steps), sum_kernels.most_cells(corpus, usable, first, last)), np.int32
    )
    room = corpus.source_bounds[last] - corpus.source_bounds[first]
    room += corpus.target_bounds[last] - corpus.target_bounds[first]
    lengths, path_costs = np.zeros(last - first, np.int64), np.full(last - first, INFINITY)
    units, steps = np.empty(room, np.int32), np.empty(room, np.int8)
    used = 0
    for item in range(first, last):
        if not usable[item]:
            continue
        n, p = sum_kernels.pair_sizes(corpus, item)
        ids = scratch[:, : (n + 1) * (p + 1)]
        sum_kernels.write_unit_ids(ids, corpus, table, moves, item)
        length, cost, unit, step = best_paths(ids, costs, moves, n, p, 1)
        units[used : used + length[0]] = unit[0, : length[0]]
        steps[used : used + length[0]] = step[0, : length[0]]
        lengths[item - first], path_costs[item - first] = length[0], cost[0]
        used += length[0]
    return lengths, path_costs, units[:used].copy(), steps[:used].copy()


@kernel
def n_best_alignments(
    corpus: Corpus,
    usable: Array,
    table: UnitTable,
    moves: Moves,
    costs: Array,
    item: int,
    most: int,
) -> tuple[Array, Array, Array, Array]:
    """The `most` best paths of one pair: lengths, costs, and a row of units and moves for each."""
    n, p = sum_kernels.pair_sizes(corpus, item)
    ids = np.empty((len(moves.steps), (n + 1) * (p + 1)), np.int32)
    sum_kernels.write_unit_ids(ids, corpus, table, moves, item)
    return best_paths(ids, costs, moves, n, p, most)


@kernel
def add_hard_counts(
    corpus: Corpus, usable: Array, table: UnitTable, moves: Moves, values: Array, costs: Array,
    first: int, last: int, counts: Array,
) -> float:  # fmt: skip
    """Add the units of the best paths to `counts`; return the log likelihood of these paths."""
    lengths, path_costs, units, _ = best_alignments(
        corpus, usable, table, moves, costs, first, last
    )
    log_likelihood, place = 0.0, 0
    for row in range(last - first):
        weight = corpus.weights[first + row]
        for _ in range(lengths[row]):
            counts[units[place]] += weight
            place += 1
        if path_costs[row] < INFINITY:
            log_likelihood -= weight * path_costs[row]
    return log_likelihood


@kernel
def backward_costs(ids: Array, costs: Array, moves: Moves, n: int, p: int) -> Array:
    """The least cost of any path from each state to the end, [cell, g]."""
    after = np.full(((n + 1) * (p + 1), moves.gap + 1), INFINITY)
    after[-1] = 0.0
    for i in range(n, -1, -1):
        low, high = sum_kernels.band(i, n, p, moves)
        for j in range(high, low - 1, -1):
            cell = i * (p + 1) + j
            for m in range(len(moves.steps)):
                s, t = moves.steps[m, 0], moves.steps[m, 1]
                if s > i or t > j:
                    continue
                past, cost = cell - s * (p + 1) - t, costs[ids[m, cell]]
                if s > 0:
                    through = cost + after[cell, 0]
                    for g in range(moves.gap + 1):
                        after[past, g] = min(after[past, g], through)
                else:
                    for g in range(moves.gap):
                        through = cost + after[cell, g + 1]
                        after[past, g] = min(after[past, g], through)
    return after


@kernel
def alignment_lattices(
    corpus: Corpus, usable: Array, table: UnitTable, moves: Moves, costs: Array, beam: float,
    first: int, last: int,
) -> tuple[Array, Array, Array, Array, Array]:  # fmt: skip
    """The arcs on paths that cost at most `beam` more than the best one, sorted by source state.

    Of each pair the number of states, the number of arcs and the sum over its paths; then the
    rows (source state, target state, unit, move) of all arcs and their posteriors.
    """
    scratch = np.empty(
        (len(moves.steps), sum_kernels.most_cells(corpus, usable, first, last)), np.int32
    )
    shapes = np.zeros((last - first, 2), np.int64)
    masses = np.full(last - first, INFINITY)
    arcs, posteriors = np.empty((64, 4), np.int32), np.empty(64)
    used = 0
    for item in range(first, last):
        if not usable[item]:
            continue
        n, p = sum_kernels.pair_sizes(corpus, item)
        ids = scratch[:, : (n + 1) * (p + 1)]
        sum_kernels.write_unit_ids(ids, corpus, table, moves, item)
        before = sum_kernels.forward_sums(ids, costs, moves, n, p, BEST)
        if before[-1].min() == INFINITY:
            continue
        after = backward_costs(ids, costs, moves, n, p)
        begin = used
        worst = min(before[-1].min() + beam + MARGIN, LARGEST)
        numbers, n_states = number_states(before, after, worst)
        for i in range(n + 1):
            for j in range(p + 1):
                cell = i * (p + 1) + j
                for g in range(moves.gap + 1):
                    if numbers[cell, g] < 0:
                        continue
                    for m in range(len(moves.steps)):
                        s, t = moves.steps[m, 0], moves.steps[m, 1]
                        if i + s > n or j + t > p or (s == 0 and g == moves.gap):
                            continue
                        to, layer = cell + s * (p + 1) + t, 0 if s > 0 else g + 1
                        if numbers[to, layer] < 0:
                            continue
                        cost = costs[ids[m, to]]
                        if before[cell, g] + cost + after[to, layer] <= worst:
                            if used == len(arcs):
                                arcs = kernel_arrays.doubled_rows(arcs)
                                posteriors = kernel_arrays.doubled_rows(posteriors)
                            arcs[used, 0], arcs[used, 1] = numbers[cell, g], numbers[to, layer]
                            arcs[used, 2], arcs[used, 3] = ids[m, to], m
                            posteriors[used] = cost
                            used += 1
        shapes[item - first] = (n_states, used - begin)
        masses[item - first] = write_posteriors(arcs[begin:used], posteriors[begin:used], n_states)
    return (
        shapes[:, 0].copy(),
        shapes[:, 1].copy(),
        masses,
        arcs[:used].copy(),
        posteriors[:used].copy(),
    )


@kernel
def number_states(before: Array, after: Array, worst: float) -> tuple[Array, int]:
    """Numbers for the states on good paths, -1 for others, and how many there are; all ends have
    the last number."""
    numbers = np.full(before.shape, -1, np.int32)
    found = 0
    for cell in range(len(before) - 1):
        for g in range(before.shape[1]):
            if before[cell, g] + after[cell, g] <= worst:
                numbers[cell, g] = found
                found += 1
    numbers[-1] = found
    return numbers, found + 1


@kernel
def write_posteriors(arcs: Array, posteriors: Array, n_states: int) -> float:
    """Write posteriors in the place of costs; return the sum over all paths, as a cost."""
    before, after = np.full(n_states, INFINITY), np.full(n_states, INFINITY)
    before[0] = after[-1] = 0.0
    for arc in range(len(arcs)):
        state, to = arcs[arc, 0], arcs[arc, 1]
        before[to] = lattice_sums.log_add(before[to], before[state] + posteriors[arc])
    for arc in range(len(arcs) - 1, -1, -1):
        state, to = arcs[arc, 0], arcs[arc, 1]
        after[state] = lattice_sums.log_add(after[state], posteriors[arc] + after[to])
    total: float = after[0]
    for arc in range(len(arcs)):
        through = before[arcs[arc, 0]] + posteriors[arc] + after[arcs[arc, 1]]
        posteriors[arc] = math.exp(total - through)
    return total
