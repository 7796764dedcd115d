"""Kernels: the answers to a block of strings, written down one string after the other.

>>> from glyphone.fst.lattices.nbest_kernels import NBest
>>> block = new_block(1, 2)
>>> answers = NBest(np.array([0, 1]), np.array([7], np.int32), np.array([0.5]), np.ones(1), True)
>>> block = add_answers(block, 0, TRUNCATED, answers)
>>> statuses, firsts, costs, *_ = block_arrays(block, False)
>>> statuses.tolist(), firsts.tolist(), costs.tolist()
([3], [0, 1], [0.5])
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import inlined, kernel, leaf, sibling
from glyphone.fst.lattices.arrays import Lattice
from glyphone.fst.lattices.nbest_kernels import NBest

kernel_arrays = sibling(__name__, "glyphone.data.kernels.arrays")
lattice_paths = sibling(__name__, "glyphone.fst.lattices.path_kernels")
copy_values, doubled_rows = kernel_arrays.copy_values, kernel_arrays.doubled_rows

Array = Any
# What became of a string.
OK, NO_PATH, CYCLE, TRUNCATED = 0, 1, 2, 3


class Block(NamedTuple):
    """Answers for strings: item i has hypotheses firsts[i] to firsts[i + 1].

    Hypothesis k writes labels[offsets[k]:offsets[k + 1]]; begins and ends, if asked for, are the
    span of the string that each label comes from. While answers are being written there is room
    behind the last.
    """

    statuses: Array
    firsts: Array
    costs: Array
    posteriors: Array
    offsets: Array
    labels: Array
    begins: Array
    ends: Array


@kernel
def new_block(n_items: int, n_symbols: int) -> Block:
    """An empty block, with room for the answers that `n_items` strings have in most cases."""
    room = 2 * n_symbols + 64
    return Block(
        np.zeros(n_items, np.int8),
        np.zeros(n_items + 1, np.int64),
        np.empty(n_items + 1),
        np.empty(n_items + 1),
        np.zeros(n_items + 2, np.int64),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
    )


@leaf
def has_room(block: Block, item: int, n_answers: int, n_labels: int) -> bool:
    """Whether a block has room for more answers and labels, from the answers of an item on."""
    first = block.firsts[item]
    return bool(
        first + n_answers < len(block.costs)
        and block.offsets[first] + n_labels <= len(block.labels)
    )


@kernel
def larger_block(block: Block, item: int, n_answers: int, n_labels: int) -> Block:
    """The block with room for more answers and labels, from the answers of an item on."""
    statuses, firsts, costs, posteriors, offsets, labels, begins, ends = block
    n_found = firsts[item]
    while n_found + n_answers >= len(costs):
        costs, posteriors, offsets = (
            doubled_rows(costs),
            doubled_rows(posteriors),
            doubled_rows(offsets),
        )
    while offsets[n_found] + n_labels > len(labels):
        labels, begins, ends = doubled_rows(labels), doubled_rows(begins), doubled_rows(ends)
    return Block(statuses, firsts, costs, posteriors, offsets, labels, begins, ends)


@inlined
def roomy_block(block: Block, item: int, n_answers: int, n_labels: int) -> Block:
    """The block, or a larger one, with room for more answers from those of an item on."""
    if not has_room(block, item, n_answers, n_labels):
        block = larger_block(block, item, n_answers, n_labels)
    return block


@inlined
def add_answers(block: Block, item: int, status: int, answers: NBest) -> Block:
    """The block with the status of string `item` and the answers to it."""
    block = roomy_block(block, item, len(answers.costs), len(answers.labels))
    write_answers(block, item, status, answers)
    return block


@leaf
def write_answers(block: Block, item: int, status: int, answers: NBest) -> None:
    """Write the status of string `item` and the answers to it into a block that has room."""
    n, first = len(answers.costs), block.firsts[item]
    n_labels = block.offsets[first]
    copy_values(answers.labels, block.labels, n_labels)
    copy_values(answers.costs, block.costs, first)
    copy_values(answers.posteriors, block.posteriors, first)
    for k in range(1, n + 1):
        block.offsets[first + k] = answers.offsets[k] + n_labels
    block.statuses[item], block.firsts[item + 1] = status, first + n


@kernel
def write_spans(block: Block, item: int, lattice: Lattice) -> None:
    """Write the spans of the answers to a string, by their best paths in the lattice."""
    for k in range(block.firsts[item], block.firsts[item + 1]):
        low, high = block.offsets[k], block.offsets[k + 1]
        path, _, _ = lattice_paths.trace_output(lattice, block.labels[low:high])
        lattice_paths.write_output_spans(
            lattice, path, block.begins[low:high], block.ends[low:high]
        )


@kernel
def block_arrays(block: Block, with_spans: bool) -> tuple[Array, ...]:
    """The arrays of a block without the room behind the last answer; no spans unless they are asked
    for.

    The answer is a plain tuple, because numba runs Python code to make a named one for Python, and
    crashes if a signal is raised there.
    """
    n_found = block.firsts[-1]
    n_labels = block.offsets[n_found]
    n_spans = n_labels if with_spans else 0
    return (
        block.statuses,
        block.firsts,
        block.costs[:n_found],
        block.posteriors[:n_found],
        block.offsets[: n_found + 1],
        block.labels[:n_labels],
        block.begins[:n_spans],
        block.ends[:n_spans],
    )
