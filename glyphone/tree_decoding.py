"""Kernels: blocks of words decoded with trees, and pairs judged by them.

>>> ROOM
1024
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.jit import kernel, sibling
from glyphone.fst.batch import OK, TRUNCATED
from glyphone.fst.joint_arrays import Arcs, Trellis
from glyphone.fst.joint_kernels import NO_ROOM
from glyphone.fst.joint_lattices import ROOM
from glyphone.fst.lattices import Lattice
from glyphone.fst.search import NBest
from glyphone.tree_tables import Trees

growing = sibling(__name__, "glyphone.fst.growing")
joint_arrays = sibling(__name__, "glyphone.fst.joint_arrays")
joint_kernels = sibling(__name__, "glyphone.fst.joint_kernels")
joint_lattices = sibling(__name__, "glyphone.fst.joint_lattices")
joint_match = sibling(__name__, "glyphone.fst.joint_match")
lattice_paths = sibling(__name__, "glyphone.fst.lattice_paths")
lattice_sums = sibling(__name__, "glyphone.fst.lattice_sums")
search = sibling(__name__, "glyphone.fst.search")
tree_kernels = sibling(__name__, "glyphone.tree_kernels")

Array = Any


@kernel
def filled(
    trees: Trees, string: Array, width: float, trellis: Trellis, arcs: Arcs
) -> tuple[Trellis, Arcs, int, Array, Array]:
    """The trellis of a word in as much room as it takes; see `tree_kernels.fill`."""
    bounds, scales = np.zeros(len(string) + 2, np.int64), np.zeros((len(string) + 1, 2))
    while True:
        n_arcs = tree_kernels.fill(trees, string, math.exp(-width), trellis, arcs, bounds, scales)
        if n_arcs != NO_ROOM:
            return trellis, arcs, n_arcs, bounds, scales
        trellis = joint_arrays.trellis_of(2 * len(trellis.states))
        arcs = joint_arrays.arcs_of(2 * len(arcs.sources))


@kernel
def lattice_of(trees: Trees, arcs: Arcs, n_arcs: int, bounds: Array) -> Lattice:
    """All paths of a filled trellis."""
    places, finals = np.empty(bounds[-1], np.int64), np.full(bounds[-1], np.inf)
    for place in range(len(bounds) - 1):
        places[bounds[place] : bounds[place + 1]] = place
    finals[bounds[-2] :] = 0.0
    found: Lattice = joint_lattices.spelt(trees, arcs, n_arcs, places, finals)
    return found


@kernel
def lattice(trees: Trees, string: Array, width: float) -> Lattice:
    """All outputs of a word within a beam."""
    trellis, arcs = joint_arrays.trellis_of(ROOM), joint_arrays.arcs_of(ROOM)
    _, arcs, n_arcs, bounds, _ = filled(trees, string, width, trellis, arcs)
    return lattice_of(trees, arcs, n_arcs, bounds)


@kernel
def best(
    trees: Trees, string: Array, width: float, trellis: Trellis, arcs: Arcs
) -> tuple[Trellis, Arcs, Array, NBest, bool]:
    """The units of the best path, what it writes, and whether it is the only best one."""
    trellis, arcs, n_arcs, bounds, scales = filled(trees, string, width, trellis, arcs)
    last, cost, _, tie, ends = tree_kernels.ended(trellis, bounds, scales)
    units = joint_kernels.path_to(trellis, last)
    output, share, node = joint_kernels.output_of(trees, units), 0.0, last
    while node > 0 and not tie:
        tie = trellis.ties[node]
        node = trellis.before[node]
    if not tie:
        share = joint_match.share_of(trees, trellis, arcs, n_arcs, bounds[-1], ends, output)
    answers = search.NBest(
        np.array([0, len(output)]), output, np.full(1, cost), np.full(1, min(1.0, share)), False
    )
    return trellis, arcs, units, answers, not tie


@kernel
def ranked(
    trees: Trees, string: Array, n: int, width: float, budget: int, trellis: Trellis, arcs: Arcs
) -> tuple[Trellis, Arcs, Lattice, NBest]:
    """The n best outputs, and the lattice that they are from, wider than the beam if it must be."""
    while True:
        trellis, arcs, n_arcs, bounds, _ = filled(trees, string, width, trellis, arcs)
        found = lattice_of(trees, arcs, n_arcs, bounds)
        answers = search.n_best(found, n, budget)
        if answers.truncated and len(answers.costs) == 0:
            _, masses = lattice_sums.backward(found)
            answers = search.only_path(lattice_paths.best_path(found), masses[0])
        if len(answers.costs) >= n or answers.truncated or math.isinf(width):
            return trellis, arcs, found, answers
        width = np.inf if width > joint_lattices.WIDEST else max(1.0, 2 * width)


@kernel
def path_spans(trees: Trees, units: Array) -> tuple[Array, Array]:
    """Which letters each output of a path comes from."""
    n = len(units)
    arcs, finals = joint_arrays.arcs_of(n), np.full(n + 1, np.inf)
    finals[n] = 0.0
    for k in range(n):
        arcs.sources[k], arcs.targets[k], arcs.units[k], arcs.probs[k] = k, k + 1, units[k], 1.0
    path = joint_lattices.spelt(trees, arcs, n, np.arange(n + 1), finals)
    begins, ends = lattice_paths.spans(path, np.arange(len(path.labels)))
    return begins, ends


@kernel
def all_spans(trees: Trees, units: Array, bounds: Array, offsets: Array) -> tuple[Array, Array]:
    """The same of many words, each with one path: units[bounds[i]:bounds[i + 1]]."""
    begins, ends = np.empty(offsets[-1], np.int32), np.empty(offsets[-1], np.int32)
    for item in range(len(bounds) - 1):
        low, high = offsets[item], offsets[item + 1]
        begins[low:high], ends[low:high] = path_spans(trees, units[bounds[item] : bounds[item + 1]])
    return begins, ends


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
    """The n best outputs of each word symbols[bounds[i]:bounds[i + 1]]: the fields of a Block."""
    n_items = len(bounds) - 1
    statuses = np.full(n_items, OK, np.int8)
    firsts = np.zeros(n_items + 1, np.int64)
    costs, posteriors = np.empty(n_items + 1), np.empty(n_items + 1)
    offsets = np.zeros(n_items + 2, np.int64)
    labels = np.empty(2 * len(symbols) + 64, np.int32)
    begins, ends = np.empty(len(labels), np.int32), np.empty(len(labels), np.int32)
    trellis, arcs = joint_arrays.trellis_of(ROOM), joint_arrays.arcs_of(ROOM)
    units, found = np.empty(0, np.int32), lattice_of(trees, arcs, 0, np.array([0, 1]))
    n_found, n_labels = 0, 0
    for item in range(n_items):
        string, alone = symbols[bounds[item] : bounds[item + 1]], n == 1
        if alone:
            trellis, arcs, units, answers, alone = best(trees, string, width, trellis, arcs)
        if not alone:
            trellis, arcs, found, answers = ranked(trees, string, n, width, budget, trellis, arcs)
        n_answers, more = len(answers.costs), len(answers.labels)
        statuses[item] = TRUNCATED if answers.truncated else OK
        while n_found + n_answers >= len(costs):
            costs, posteriors = growing.doubled(costs), growing.doubled(posteriors)
            offsets = growing.doubled(offsets)
        while n_labels + more > len(labels):
            labels = growing.doubled(labels)
            begins, ends = growing.doubled(begins), growing.doubled(ends)
        labels[n_labels : n_labels + more] = answers.labels
        for k in range(n_answers):
            low, high = n_labels + answers.offsets[k], n_labels + answers.offsets[k + 1]
            if with_spans and alone:
                begins[low:high], ends[low:high] = path_spans(trees, units)
            elif with_spans:
                path, _, _ = lattice_paths.trace(found, labels[low:high])
                begins[low:high], ends[low:high] = lattice_paths.spans(found, path)
            costs[n_found], posteriors[n_found] = answers.costs[k], answers.posteriors[k]
            n_found += 1
            offsets[n_found] = high
        n_labels += more
        firsts[item + 1] = n_found
    return (
        statuses,
        firsts,
        costs[:n_found],
        posteriors[:n_found],
        offsets[: n_found + 1],
        labels[:n_labels],
        begins[: n_labels if with_spans else 0],
        ends[: n_labels if with_spans else 0],
    )


@kernel
def matched(
    trees: Trees, string: Array, output: Array, trellis: Trellis
) -> tuple[Trellis, int, float, float]:
    """All paths for a pair in as much room as they take; see `tree_kernels.match`."""
    bounds = np.zeros(len(string) + 2, np.int64)
    while True:
        places = np.empty(len(trellis.states), np.int64)
        last, cost, mass = tree_kernels.match(trees, string, output, trellis, places, bounds)
        if last != NO_ROOM:
            return trellis, last, cost, mass
        trellis = joint_arrays.trellis_of(2 * len(trellis.states))


@kernel
def judge(trees: Trees, string: Array, output: Array) -> tuple[float, float, Array]:
    """The cost of the best path that reads a word and writes an output, -ln of the mass of all
    such, and the units of the best."""
    trellis = joint_arrays.trellis_of(ROOM)
    trellis, last, cost, mass = matched(trees, string, output, trellis)
    return cost, mass, joint_kernels.path_to(trellis, max(last, 0))


@kernel
def total(trees: Trees, string: Array) -> float:
    """-ln of the mass of all paths that read a word."""
    trellis, arcs = joint_arrays.trellis_of(ROOM), joint_arrays.arcs_of(0)
    trellis, _, _, bounds, scales = filled(trees, string, np.inf, trellis, arcs)
    mass: float = tree_kernels.ended(trellis, bounds, scales)[2]
    return mass
