"""Kernels: blocks of strings answered by the sums over paths: see
`glyphone.fst.joint.sums.search_kernels`.

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.joint.sums.lists import arc_lists
>>> from glyphone.fst.joint.training import fit_joint
>>> pairs = [Pair(("a",), (phone,), weight) for phone, weight in [("x", 3.0), ("y", 1.0)]]
>>> joint = fit_joint(pairs).model.joint
>>> symbols, bounds = np.array([1, 1], np.int32), np.array([0, 1, 2])
>>> block = decode(joint, arc_lists(joint), symbols, bounds, 1, 100, True)
>>> [row.tolist() for row in block[4:]]
[[0, 1, 2], [1, 1], [0, 0], [1, 1]]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.fst.joint.kernels.arrays import Joint
from glyphone.fst.joint.sums.array_kernels import ROOM
from glyphone.fst.joint.sums.lists import ArcLists
from glyphone.fst.lattices.block_kernels import NO_PATH, OK, TRUNCATED

block_kernels = sibling(__name__, "glyphone.fst.lattices.block_kernels")
graph_arrays = sibling(__name__, "glyphone.fst.joint.sums.array_kernels")
graph_kernels = sibling(__name__, "glyphone.fst.joint.sums.graph_kernels")
joint_arrays = sibling(__name__, "glyphone.fst.joint.kernels.arrays")
joint_ends = sibling(__name__, "glyphone.fst.joint.kernels.ends")
joint_trellis = sibling(__name__, "glyphone.fst.joint.kernels.trellis")
joint_lattices = sibling(__name__, "glyphone.fst.joint.kernels.lattices")
search_kernels = sibling(__name__, "glyphone.fst.joint.sums.search_kernels")

Array = Any


@leaf
def n_shared_symbols(symbols: Array, bounds: Array, item: int) -> int:
    """The number of symbols that a string and the one before begin with alike."""
    begin, before, n = bounds[item], bounds[item - 1], 0
    most = min(bounds[item + 1] - begin, begin - before)
    while n < most and symbols[begin + n] == symbols[before + n]:
        n += 1
    return n


@kernel
def decode(
    joint: Joint,
    lists: ArcLists,
    symbols: Array,
    bounds: Array,
    n: int,
    budget: int,
    with_spans: bool,
) -> tuple[Array, ...]:
    """The n best outputs of each string symbols[bounds[i]:bounds[i + 1]]: the fields of a Block."""
    graph, made = graph_arrays.graph_room(joint, 2, ROOM), graph_arrays.node_table(joint)
    values = search_kernels.symbol_values(joint)
    trellis = joint_arrays.trellis_room(joint_lattices.ROOM)
    block = block_kernels.new_block(len(bounds) - 1, len(symbols))
    for item in range(len(bounds) - 1):
        string = symbols[bounds[item] : bounds[item + 1]]
        alike = n_shared_symbols(symbols, bounds, item) if item else -1
        graph = graph_kernels.string_graph(joint, lists, string, alike, graph, made)
        answers = search_kernels.n_best(lists, graph, n, budget, values)
        status = TRUNCATED if answers.truncated else OK
        block = block_kernels.add_answers(
            block, item, status if len(answers.costs) else NO_PATH, answers
        )
        if not with_spans or len(answers.costs) == 0:
            continue
        context = joint_trellis.context_of(joint, string, np.inf)
        for k in range(block.firsts[item], block.firsts[item + 1]):
            low, high = block.offsets[k], block.offsets[k + 1]
            trellis, last, _, _, _ = joint_lattices.pair_trellis(
                joint, string, block.labels[low:high], context, trellis
            )
            units = joint_ends.path_units(trellis, max(last, 0))
            begins, ends = block.begins[low:high], block.ends[low:high]
            joint_lattices.write_unit_spans(joint, string, units, begins, ends)
    decoded: tuple[Array, ...] = block_kernels.block_arrays(block, with_spans)
    return decoded
