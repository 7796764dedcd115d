"""Kernels: lattices of a joint model, and blocks of strings decoded with it.

>>> ROOM, WIDEST
(1024, 600.0)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.fst.batch import NO_PATH, TRUNCATED
from glyphone.fst.jit import inlined, kernel, sibling
from glyphone.fst.joint_kernels import NO_ROOM, Arcs, Context, Joint, Scratch, Trellis
from glyphone.fst.lattices import Lattice
from glyphone.fst.search import NBest

joint_kernels = sibling(__name__, "glyphone.fst.joint_kernels")
lattices = sibling(__name__, "glyphone.fst.lattices")
search = sibling(__name__, "glyphone.fst.search")

Array = Any
ROOM = 1024
# States that a search for the rank of one output may look at.
BUDGET = 200_000
# Beams, in nats, beyond which numbers of 64 bits see no difference.
WIDEST = 600.0
# By how much rounding may make the best path look worse than the beam.
SLACK = 1e-6


@kernel
def spelt(joint: Joint, arcs: Arcs, n_arcs: int, places: Array, finals: Array) -> Lattice:
    """The lattice of what units read and write; node k stands after places[k] symbols.

    A unit that writes nothing is an epsilon; one that writes several symbols, a chain of arcs.
    """
    n_rows, n_states = 0, len(finals)
    for arc in range(n_arcs):
        unit = arcs.units[arc]
        n_written = joint.written[unit + 1] - joint.written[unit]
        n_rows += max(1, n_written)
        n_states += max(0, n_written - 1)
    rows, costs = np.empty((n_rows, 5), np.int64), np.zeros(n_rows)
    ends = np.full(n_states, np.inf)
    ends[: len(finals)] = finals
    row, state = 0, len(finals)
    for arc in range(n_arcs):
        source, target, unit = arcs.sources[arc], arcs.targets[arc], arcs.units[arc]
        begin, end = places[source], places[target]
        if begin == end:
            begin, end = -1, -1  # it reads nothing
        costs[row] = -math.log(arcs.probs[arc]) if arcs.probs[arc] > 0 else np.inf
        first, last = joint.written[unit], joint.written[unit + 1]
        if first == last:
            rows[row] = (source, target, 0, begin, end)
            row += 1
        for place in range(first, last):
            into = target if place == last - 1 else state
            label = np.int64(joint.labels[place])
            rows[row] = (source, into, label, begin, end)
            source, begin, end = into, -1, -1
            row += 1
            state += int(place < last - 1)
    found: Lattice = lattices.trimmed(rows, costs, ends)
    return found


@inlined
def filled(
    joint: Joint,
    string: Array,
    context: Context,
    beam: float,
    trellis: Trellis,
    arcs: Arcs,
    scratch: Scratch,
) -> tuple[Trellis, Arcs, int, Array, Array]:
    """The trellis of a string in as much room as it takes; see `joint_kernels.fill`."""
    n_rows = (len(string) + 1) * joint.layers
    bounds, scales = np.zeros(n_rows + 1, np.int64), np.zeros((n_rows, 2))
    while True:
        n_arcs = joint_kernels.fill(
            joint, string, context, math.exp(-beam), trellis, arcs, scratch, bounds, scales
        )
        if n_arcs != NO_ROOM:
            return trellis, arcs, n_arcs, bounds, scales
        trellis = joint_kernels.trellis_of(2 * len(trellis.states))
        arcs = joint_kernels.arcs_of(2 * len(arcs.sources))


@inlined
def matched(
    joint: Joint, string: Array, output: Array, context: Context, limits: Array, trellis: Trellis
) -> tuple[Trellis, int, float, float, Array]:
    """All paths for a pair in as much room as they take; see `joint_kernels.match`."""
    bounds = np.zeros((len(string) + 1) * joint.layers + 1, np.int64)
    while True:
        places = np.empty(len(trellis.states), np.int64)
        last, cost, mass = joint_kernels.match(
            joint, string, output, context, limits, trellis, places, bounds
        )
        if last != NO_ROOM:
            return trellis, last, cost, mass, bounds
        trellis = joint_kernels.trellis_of(2 * len(trellis.states))


@kernel
def lattice_of(joint: Joint, trellis: Trellis, arcs: Arcs, n_arcs: int, bounds: Array) -> Lattice:
    """All paths of a filled trellis."""
    n = bounds[-1]
    places, finals = np.empty(n, np.int64), np.full(n, np.inf)
    for row in range(len(bounds) - 1):
        places[bounds[row] : bounds[row + 1]] = row // joint.layers
    for node in range(bounds[len(bounds) - 1 - joint.layers], n):
        share = joint_kernels.end_prob(joint, trellis.states[node])
        finals[node] = -math.log(share) if share > 0 else np.inf
    return spelt(joint, arcs, n_arcs, places, finals)


@kernel
def wider(beam: float) -> float:
    """The beam to try where one has lost too much."""
    return max(1.0, 2 * beam)


@kernel
def lattice(joint: Joint, string: Array, beam: float) -> Lattice:
    """All outputs of a string within a beam, or a wider one if there are none."""
    trellis, arcs = joint_kernels.trellis_of(ROOM), joint_kernels.arcs_of(ROOM)
    scratch, context = joint_kernels.scratch_of(joint), joint_kernels.context_of(joint, string)
    while True:
        trellis, arcs, n_arcs, bounds, _ = filled(
            joint, string, context, beam, trellis, arcs, scratch
        )
        found = lattice_of(joint, trellis, arcs, n_arcs, bounds)
        if found.n_states > 0 or beam > WIDEST:
            return found
        beam = wider(beam)


@kernel
def path_spans(joint: Joint, string: Array, units: Array) -> tuple[Array, Array]:
    """Which symbols of the string each output of a path comes from."""
    n = len(units)
    arcs = joint_kernels.arcs_of(n)
    places, finals = np.zeros(n + 1, np.int64), np.full(n + 1, np.inf)
    finals[n] = 0.0
    place = 0
    for k in range(n):
        arcs.sources[k], arcs.targets[k] = k, k + 1
        arcs.units[k], arcs.probs[k] = units[k], 1.0
        chunk_end = place
        while True:
            chunk = joint_kernels.chunk_of(joint.longer, joint.n_labels, string, place, chunk_end)
            if joint.firsts[chunk] <= units[k] < joint.firsts[chunk + 1]:
                break
            chunk_end += 1
        place = chunk_end
        places[k + 1] = place
    path = spelt(joint, arcs, n, places, finals)
    begins, ends = search.spans(path, np.arange(len(path.labels)))
    return begins, ends


@inlined
def best(
    joint: Joint,
    string: Array,
    context: Context,
    beam: float,
    trellis: Trellis,
    other: Trellis,
    scratch: Scratch,
) -> tuple[Trellis, Trellis, Array, NBest, bool]:
    """The units of the best path, what it writes, and whether it is the only best one."""
    no_arcs = joint_kernels.arcs_of(0)
    while True:
        trellis, _, _, nodes, scales = filled(
            joint, string, context, beam, trellis, no_arcs, scratch
        )
        last, cost, mass, tie = joint_kernels.ended(joint, trellis, nodes[:0], 0, nodes, scales)
        if last >= 0 or beam > WIDEST:
            break
        beam = wider(beam)
    units = joint_kernels.path_to(trellis, max(last, 0))
    output, share = joint_kernels.output_of(joint, units), 0.0
    node = last
    while node > 0 and not tie:
        tie = trellis.ties[node]
        node = trellis.before[node]
    if last >= 0 and not tie:
        # Rounding must not lose the best path; and in the last rows it may cost any amount.
        limits = scales[:, 0] + (beam + SLACK)
        limits[len(limits) - joint.layers :] = np.inf
        other, _, _, own, _ = matched(joint, string, output, context, limits, other)
        share = min(1.0, math.exp(mass - own))
    n = int(last >= 0)
    ends = np.array([0, len(output)])
    answers = search.NBest(ends[: n + 1], output, np.full(n, cost), np.full(n, share), False)
    return trellis, other, units, answers, not tie


@kernel
def ranked(
    joint: Joint,
    string: Array,
    context: Context,
    n: int,
    beam: float,
    budget: int,
    trellis: Trellis,
    arcs: Arcs,
    scratch: Scratch,
) -> tuple[Trellis, Arcs, Lattice, NBest]:
    """The n best outputs, and the lattice that they are from: wider, if it must be, than the beam.

    The posteriors are those of the widest lattice that was looked at.
    """
    answers = search.NBest(
        np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0), np.empty(0), False
    )
    while True:
        trellis, arcs, n_arcs, nodes, _ = filled(
            joint, string, context, beam, trellis, arcs, scratch
        )
        found = lattice_of(joint, trellis, arcs, n_arcs, nodes)
        if found.n_states > 0:
            answers = search.n_best(found, n, budget)
        if answers.truncated and len(answers.costs) == 0:
            _, masses = search.backward(found)
            answers = search.only_path(search.best_path(found), masses[0])
        if len(answers.costs) >= n or answers.truncated or beam > WIDEST:
            return trellis, arcs, found, answers
        beam = wider(beam)


@kernel
def decode(
    joint: Joint,
    symbols: Array,
    bounds: Array,
    n: int,
    beam: float,
    budget: int,
    with_spans: bool,
) -> tuple[Array, ...]:
    """The n best outputs of each string symbols[bounds[i]:bounds[i + 1]]: the fields of a Block."""
    n_items = len(bounds) - 1
    statuses = np.zeros(n_items, np.int8)
    firsts = np.zeros(n_items + 1, np.int64)
    costs, posteriors = np.empty(n_items + 1), np.empty(n_items + 1)
    offsets = np.zeros(n_items + 2, np.int64)
    labels = np.empty(2 * len(symbols) + 64, np.int32)
    begins, ends = np.empty(len(labels), np.int32), np.empty(len(labels), np.int32)
    trellis, other = joint_kernels.trellis_of(ROOM), joint_kernels.trellis_of(ROOM)
    arcs, scratch = joint_kernels.arcs_of(ROOM), joint_kernels.scratch_of(joint)
    units, found = np.empty(0, np.int32), lattices.lattice_of(symbols[:0])
    n_found, n_labels = 0, 0
    for item in range(n_items):
        string = symbols[bounds[item] : bounds[item + 1]]
        context = joint_kernels.context_of(joint, string)
        alone = n == 1
        if alone:
            trellis, other, units, answers, alone = best(
                joint, string, context, beam, trellis, other, scratch
            )
        if not alone:
            trellis, arcs, found, answers = ranked(
                joint, string, context, n, beam, budget, trellis, arcs, scratch
            )
        n_answers = len(answers.costs)
        if n_answers == 0:
            statuses[item] = NO_PATH
        elif answers.truncated:
            statuses[item] = TRUNCATED
        while n_found + n_answers >= len(costs):
            costs, posteriors = search.doubled(costs), search.doubled(posteriors)
            offsets = search.doubled(offsets)
        while n_labels + len(answers.labels) > len(labels):
            labels = search.doubled(labels)
            begins, ends = search.doubled(begins), search.doubled(ends)
        labels[n_labels : n_labels + len(answers.labels)] = answers.labels
        for k in range(n_answers):
            low, high = n_labels + answers.offsets[k], n_labels + answers.offsets[k + 1]
            if with_spans and alone:
                begins[low:high], ends[low:high] = path_spans(joint, string, units)
            elif with_spans:
                path, _, _ = search.trace(found, labels[low:high])
                begins[low:high], ends[low:high] = search.spans(found, path)
            costs[n_found], posteriors[n_found] = answers.costs[k], answers.posteriors[k]
            n_found += 1
            offsets[n_found] = high
        n_labels += len(answers.labels)
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
def rank_of(output: Array, answers: NBest) -> int:
    """The place of an output among answers, from 1, or 0."""
    for k in range(len(answers.costs)):
        if np.array_equal(answers.labels[answers.offsets[k] : answers.offsets[k + 1]], output):
            return k + 1
    return 0


@kernel
def judge(
    joint: Joint,
    xs: Array,
    x_bounds: Array,
    ys: Array,
    y_bounds: Array,
    beam: float,
    depth: int,
) -> tuple[Array, Array, Array, Array]:
    """What becomes of pairs: cost of the best path, -ln P(x, y), -ln P(x), and rank of the output.

    The rank is that among the `depth` best outputs, or 0; the beam holds for all but the pair.
    """
    n = len(x_bounds) - 1
    costs, masses, totals = np.empty(n), np.empty(n), np.empty(n)
    ranks = np.zeros(n, np.int64)
    trellis, other = joint_kernels.trellis_of(ROOM), joint_kernels.trellis_of(ROOM)
    arcs = joint_kernels.arcs_of(ROOM if depth else 0)
    scratch = joint_kernels.scratch_of(joint)
    for item in range(n):
        string = xs[x_bounds[item] : x_bounds[item + 1]]
        output = ys[y_bounds[item] : y_bounds[item + 1]]
        context = joint_kernels.context_of(joint, string)
        trellis, arcs, n_arcs, nodes, scales = filled(
            joint, string, context, beam, trellis, arcs, scratch
        )
        _, _, totals[item], _ = joint_kernels.ended(joint, trellis, nodes[:0], 0, nodes, scales)
        other, last, costs[item], masses[item], _ = matched(
            joint, string, output, context, np.full(len(scales), np.inf), other
        )
        if last >= 0 and depth > 0:
            found = lattice_of(joint, trellis, arcs, n_arcs, nodes)
            ranks[item] = rank_of(output, search.n_best(found, depth, BUDGET))
    return costs, masses, totals, ranks


@kernel
def best_units(
    joint: Joint, xs: Array, x_bounds: Array, ys: Array, y_bounds: Array
) -> tuple[Array, Array]:
    """The units of the best path of each pair, end to end, and where each begins; none, no path."""
    n = len(x_bounds) - 1
    units, bounds = np.empty(len(xs) + len(ys), np.int32), np.zeros(n + 1, np.int64)
    trellis = joint_kernels.trellis_of(ROOM)
    for item in range(n):
        string = xs[x_bounds[item] : x_bounds[item + 1]]
        output = ys[y_bounds[item] : y_bounds[item + 1]]
        n_rows = (len(string) + 1) * joint.layers
        context = joint_kernels.context_of(joint, string)
        trellis, last, _, _, _ = matched(
            joint, string, output, context, np.full(n_rows, np.inf), trellis
        )
        path = joint_kernels.path_to(trellis, max(last, 0))
        bounds[item + 1] = bounds[item] + len(path)
        units[bounds[item] : bounds[item + 1]] = path
    return units[: bounds[n]], bounds
