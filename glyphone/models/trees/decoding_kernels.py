"""Kernels: blocks of words decoded with trees, and scores of pairs.

>>> ROOM
1024
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.fst.joint.kernels.arrays import Arcs, Trellis
from glyphone.fst.joint.kernels.lattices import ROOM
from glyphone.fst.joint.kernels.trellis import NO_ROOM
from glyphone.fst.lattices.arrays import Lattice
from glyphone.fst.lattices.block_kernels import OK, TRUNCATED
from glyphone.fst.lattices.nbest_kernels import NBest
from glyphone.models.trees.tables import Trees

block_kernels = sibling(__name__, "glyphone.fst.lattices.block_kernels")
joint_arrays = sibling(__name__, "glyphone.fst.joint.kernels.arrays")
joint_ends = sibling(__name__, "glyphone.fst.joint.kernels.ends")
joint_lattices = sibling(__name__, "glyphone.fst.joint.kernels.lattices")
joint_pairs = sibling(__name__, "glyphone.fst.joint.kernels.pairs")
lattice_paths = sibling(__name__, "glyphone.fst.lattices.path_kernels")
nbest_kernels = sibling(__name__, "glyphone.fst.lattices.nbest_kernels")
tree_trellis = sibling(__name__, "glyphone.models.trees.trellis_kernels")

Array = Any


@kernel
def fill_trellis(
    trees: Trees, string: Array, width: float, trellis: Trellis, arcs: Arcs
) -> tuple[Trellis, Arcs, int, Array, Array]:
    """The trellis of a word in as much room as it takes; see `tree_trellis.fill_trellis`."""
    bounds, scales = np.zeros(len(string) + 2, np.int64), np.zeros((len(string) + 1, 2))
    while True:
        n_arcs = tree_trellis.fill_trellis(
            trees, string, math.exp(-width), trellis, arcs, bounds, scales
        )
        if n_arcs != NO_ROOM:
            return trellis, arcs, n_arcs, bounds, scales
        trellis = joint_arrays.trellis_room(2 * len(trellis.states))
        arcs = joint_arrays.arc_room(2 * len(arcs.sources))


@kernel
def trellis_lattice(trees: Trees, arcs: Arcs, n_arcs: int, bounds: Array) -> Lattice:
    """All paths of a filled trellis."""
    places, finals = np.empty(bounds[-1], np.int64), np.full(bounds[-1], np.inf)
    for place in range(len(bounds) - 1):
        places[bounds[place] : bounds[place + 1]] = place
    finals[bounds[-2] :] = 0.0
    found: Lattice = joint_lattices.spelling_lattice(trees, arcs, n_arcs, places, finals)
    return found


@kernel
def output_lattice(trees: Trees, string: Array, width: float) -> Lattice:
    """All outputs of a word within a beam."""
    trellis, arcs = joint_arrays.trellis_room(ROOM), joint_arrays.arc_room(ROOM)
    _, arcs, n_arcs, bounds, _ = fill_trellis(trees, string, width, trellis, arcs)
    return trellis_lattice(trees, arcs, n_arcs, bounds)


@kernel
def best_answer(
    trees: Trees, string: Array, width: float, trellis: Trellis, arcs: Arcs
) -> tuple[Trellis, Arcs, Array, NBest, bool]:
    """The units of the best path, its output, and whether it is the only best one."""
    trellis, arcs, n_arcs, bounds, scales = fill_trellis(trees, string, width, trellis, arcs)
    last, cost, _, tie, ends = tree_trellis.best_end(trellis, bounds, scales)
    units = joint_ends.path_units(trellis, last)
    output, share, node = joint_ends.output_labels(trees, units), 0.0, last
    while node > 0 and not tie:
        tie = trellis.ties[node]
        node = trellis.before[node]
    if not tie:
        share = joint_pairs.output_share(trees, trellis, arcs, n_arcs, bounds[-1], ends, output)
    answers = nbest_kernels.NBest(
        np.array([0, len(output)]), output, np.full(1, cost), np.full(1, min(1.0, share)), False
    )
    return trellis, arcs, units, answers, not tie


@kernel
def best_outputs(
    trees: Trees, string: Array, n: int, width: float, budget: int, trellis: Trellis, arcs: Arcs
) -> tuple[Trellis, Arcs, Lattice, NBest]:
    """The n best outputs, and the lattice that they are from, wider than the beam if it must be."""
    while True:
        trellis, arcs, n_arcs, bounds, _ = fill_trellis(trees, string, width, trellis, arcs)
        found = trellis_lattice(trees, arcs, n_arcs, bounds)
        answers = nbest_kernels.best_within(found, n, budget)
        if len(answers.costs) >= n or answers.truncated or math.isinf(width):
            return trellis, arcs, found, answers
        width = np.inf if width > joint_lattices.WIDEST else max(1.0, 2 * width)


@kernel
def write_path_places(trees: Trees, units: Array, places: Array) -> None:
    """Write the letter that each output of a path comes from."""
    n = 0
    for place in range(len(units)):
        for _ in range(trees.written[units[place]], trees.written[units[place] + 1]):
            places[n] = place
            n += 1


@kernel
def write_arc_places(found: Lattice, path: Array, places: Array) -> None:
    """Write the letter of each output of a path of a lattice, in which only the first arc of a unit
    reads its letter."""
    n, place = 0, 0
    for arc in path:
        if found.begins[arc] >= 0:
            place = found.begins[arc]
        if found.labels[arc] != 0:
            places[n] = place
            n += 1


@kernel
def decode(
    trees: Trees,
    symbols: Array,
    bounds: Array,
    n: int,
    width: float,
    budget: int,
    with_spans: bool,
) -> tuple[Array, ...]:
    """The n best outputs of each word symbols[bounds[i]:bounds[i + 1]]: the fields of a Block.

    Its `begins` say which letter each output comes from, see `tree_directions.answers`.
    """
    trellis, arcs = joint_arrays.trellis_room(ROOM), joint_arrays.arc_room(ROOM)
    units, found = np.empty(0, np.int32), trellis_lattice(trees, arcs, 0, np.array([0, 1]))
    block = block_kernels.new_block(len(bounds) - 1, len(symbols))
    for item in range(len(bounds) - 1):
        string, alone = symbols[bounds[item] : bounds[item + 1]], n == 1
        if alone:
            trellis, arcs, units, answers, alone = best_answer(trees, string, width, trellis, arcs)
        if not alone:
            trellis, arcs, found, answers = best_outputs(
                trees, string, n, width, budget, trellis, arcs
            )
        status = TRUNCATED if answers.truncated else OK
        block = block_kernels.add_answers(block, item, status, answers)
        if with_spans:
            for k in range(block.firsts[item], block.firsts[item + 1]):
                low, high = block.offsets[k], block.offsets[k + 1]
                if alone:
                    write_path_places(trees, units, block.begins[low:high])
                else:
                    path, _, _ = lattice_paths.trace_output(found, block.labels[low:high])
                    write_arc_places(found, path, block.begins[low:high])
    decoded: tuple[Array, ...] = block_kernels.block_arrays(block, with_spans)
    return decoded


@kernel
def match_pair(
    trees: Trees, string: Array, output: Array, trellis: Trellis
) -> tuple[Trellis, int, float, float]:
    """All paths for a pair in as much room as they take; see `tree_trellis.fill_pair_trellis`."""
    bounds = np.zeros(len(string) + 2, np.int64)
    while True:
        places = np.empty(len(trellis.states), np.int64)
        last, cost, mass = tree_trellis.fill_pair_trellis(
            trees, string, output, trellis, places, bounds
        )
        if last != NO_ROOM:
            return trellis, last, cost, mass
        trellis = joint_arrays.trellis_room(2 * len(trellis.states))


@kernel
def score_pair(trees: Trees, string: Array, output: Array) -> tuple[float, float, Array]:
    """The cost of the best path that reads a word and writes an output, -ln of the mass of all
    such, and the units of the best."""
    trellis = joint_arrays.trellis_room(ROOM)
    trellis, last, cost, mass = match_pair(trees, string, output, trellis)
    return cost, mass, joint_ends.path_units(trellis, max(last, 0))


@kernel
def total_cost(trees: Trees, string: Array) -> float:
    """-ln of the mass of all paths that read a word."""
    trellis, arcs = joint_arrays.trellis_room(ROOM), joint_arrays.arc_room(0)
    trellis, _, _, bounds, scales = fill_trellis(trees, string, np.inf, trellis, arcs)
    mass: float = tree_trellis.best_end(trellis, bounds, scales)[2]
    return mass
