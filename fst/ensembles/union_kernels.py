"""Kernels: the outputs that several models propose, put together, and their weight by each model.

Item i has the outputs firsts[i] to firsts[i + 1]; output k is labels[offsets[k]:offsets[k + 1]].

>>> firsts = np.array([[0, 1], [1, 3]])  # one item, of which one model proposes 1, another 2
>>> merge_outputs(firsts, np.array([0, 1, 3, 4]), np.array([7, 8, 9, 7], np.int32))
(array([0, 2]), array([0, 1, 3]), array([7, 8, 9], dtype=int32))
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.fst.context.history_kernels import HistoryRows
from glyphone.fst.joint.kernels.arrays import Joint

kernel_arrays = sibling(__name__, "glyphone.data.kernels.arrays")
history_kernels = sibling(__name__, "glyphone.fst.context.history_kernels")
joint_arrays = sibling(__name__, "glyphone.fst.joint.kernels.arrays")
joint_ends = sibling(__name__, "glyphone.fst.joint.kernels.ends")
joint_trellis = sibling(__name__, "glyphone.fst.joint.kernels.trellis")
joint_lattices = sibling(__name__, "glyphone.fst.joint.kernels.lattices")

Array = Any


@kernel
def merge_outputs(firsts: Array, offsets: Array, labels: Array) -> tuple[Array, Array, Array]:
    """The distinct outputs of each item, in the order in which they are proposed.

    firsts[m] are the bounds of the outputs that model m proposes.
    """
    n_models, n_items = len(firsts), firsts.shape[1] - 1
    kept, bounds = np.empty(len(offsets) - 1, np.int64), np.zeros(n_items + 1, np.int64)
    n, n_labels = 0, 0
    for item in range(n_items):
        begin = n
        for model in range(n_models):
            for k in range(firsts[model, item], firsts[model, item + 1]):
                output, new = labels[offsets[k] : offsets[k + 1]], True
                for other in kept[begin:n]:
                    if np.array_equal(labels[offsets[other] : offsets[other + 1]], output):
                        new = False
                        break
                if new:
                    kept[n] = k
                    n += 1
                    n_labels += len(output)
        bounds[item + 1] = n
    ends, written = np.zeros(n + 1, np.int64), np.empty(n_labels, np.int32)
    for k in range(n):
        output = labels[offsets[kept[k]] : offsets[kept[k] + 1]]
        ends[k + 1] = ends[k] + len(output)
        written[ends[k] : ends[k + 1]] = output
    return bounds, ends, written


@kernel
def score_outputs(
    joint: Joint,
    symbols: Array,
    bounds: Array,
    firsts: Array,
    offsets: Array,
    labels: Array,
    with_paths: bool,
) -> tuple[Array, Array, Array]:
    """ln of the weight of each output, summed over its paths, and the units of the best of these.

    A label of 0 is a symbol that the model does not know; the weight is then 0, as it is without a
    path.
    """
    n = len(offsets) - 1
    masses, path_bounds = np.full(n, -np.inf), np.zeros(n + 1, np.int64)
    units = np.empty(64, np.int32)
    trellis = joint_arrays.trellis_room(joint_lattices.ROOM)
    for item in range(len(bounds) - 1):
        string = symbols[bounds[item] : bounds[item + 1]]
        known = np.count_nonzero(string) == len(string)
        if known:
            context = joint_trellis.context_of(joint, string, np.inf)
        for k in range(firsts[item], firsts[item + 1]):
            path_bounds[k + 1] = path_bounds[k]
            output = labels[offsets[k] : offsets[k + 1]]
            if not known or np.count_nonzero(output) < len(output):
                continue
            trellis, last, _, mass, _ = joint_lattices.pair_trellis(
                joint, string, output, context, trellis
            )
            if last < 0:
                continue
            masses[k] = -mass
            if with_paths:
                path = joint_ends.path_units(trellis, last)
                while path_bounds[k] + len(path) > len(units):
                    units = kernel_arrays.doubled_rows(units)
                path_bounds[k + 1] = path_bounds[k] + len(path)
                units[path_bounds[k] : path_bounds[k + 1]] = path
    return masses, units[: path_bounds[n]], path_bounds


@kernel
def path_scores(
    rows: HistoryRows,
    symbols: Array,
    bounds: Array,
    firsts: Array,
    units: Array,
    path_bounds: Array,
) -> Array:
    """ln P of each path by a model of histories; -inf if there is no path."""
    scores = np.full(len(path_bounds) - 1, -np.inf)
    for item in range(len(bounds) - 1):
        string = symbols[bounds[item] : bounds[item + 1]]
        history_kernels.write_path_scores(
            rows, string, units, path_bounds, firsts[item], firsts[item + 1], scores
        )
    return scores


@kernel
def path_spans(
    joint: Joint,
    symbols: Array,
    bounds: Array,
    firsts: Array,
    offsets: Array,
    units: Array,
    path_bounds: Array,
) -> tuple[Array, Array]:
    """The symbols of its string that each label of each output is from, begins and ends; all
    symbols if there is no path."""
    begins, ends = np.zeros(offsets[-1], np.int32), np.zeros(offsets[-1], np.int32)
    for item in range(len(bounds) - 1):
        string = symbols[bounds[item] : bounds[item + 1]]
        for k in range(firsts[item], firsts[item + 1]):
            low, high = offsets[k], offsets[k + 1]
            path = units[path_bounds[k] : path_bounds[k + 1]]
            if len(path):
                joint_lattices.write_unit_spans(
                    joint, string, path, begins[low:high], ends[low:high]
                )
            else:
                ends[low:high] = len(string)
    return begins, ends
