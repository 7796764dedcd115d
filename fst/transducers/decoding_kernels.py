"""Kernel: a block of strings through a machine, all in one call that holds no lock.

>>> OK, NO_PATH
(0, 1)
"""

from __future__ import annotations

from typing import Any

from glyphone.data.kernels.jit import kernel, sibling
from glyphone.fst.lattices.arrays import CYCLIC, Machine
from glyphone.fst.lattices.block_kernels import CYCLE, NO_PATH, OK, TRUNCATED, Block
from glyphone.fst.transducers.single_path_kernels import Lookahead

blocks = sibling(__name__, "glyphone.fst.lattices.block_kernels")
lattice_paths = sibling(__name__, "glyphone.fst.lattices.path_kernels")
composition = sibling(__name__, "glyphone.fst.lattices.composition_kernels")
lattices = sibling(__name__, "glyphone.fst.lattices.string_kernels")
search = sibling(__name__, "glyphone.fst.lattices.nbest_kernels")
walk = sibling(__name__, "glyphone.fst.transducers.single_path_kernels")

Array = Any


@kernel
def lattice(machine: Machine, string: Array) -> Any:
    """All outputs of a cascade for one string."""
    result = lattices.lattice_of(string)
    for stage in range(len(machine.starts)):
        result = composition.compose(result, machine, stage)
        if result.n_states <= 0:
            break
    return result


@kernel
def decode(
    machine: Machine, symbols: Array, bounds: Array, n: int, budget: int, with_spans: bool
) -> tuple[Array, ...]:
    """The n best outputs of each string symbols[bounds[i]:bounds[i + 1]]: the fields of a Block."""
    block = blocks.block_of(len(bounds) - 1, len(symbols))
    for item in range(len(bounds) - 1):
        string = symbols[bounds[item] : bounds[item + 1]]
        block = answered(machine, string, n, budget, with_spans, block, item)
    return blocks.fields(block, with_spans)


@kernel
def decode_ahead(
    machine: Machine, symbols: Array, bounds: Array, n: int, budget: int, lookahead: Lookahead
) -> tuple[Array, ...]:
    """The n best outputs of each string, as of `decode`, without spans.

    `lookahead` saves the strings that have only one path the lattice; it learns on the way.
    """
    block = blocks.block_of(len(bounds) - 1, len(symbols))
    for item in range(len(bounds) - 1):
        string = symbols[bounds[item] : bounds[item + 1]]
        first = block.firsts[item]
        begin = block.offsets[first]
        block.firsts[item + 1] = first
        if n > 0:
            block = blocks.roomy(block, item, 1, 2 * len(string) + 16)
            length, cost = walk.only_way(machine, string, lookahead, block.labels[begin:])
            if length >= 0:
                block.costs[first], block.posteriors[first] = cost, 1.0
                block.firsts[item + 1], block.offsets[first + 1] = first + 1, begin + length
            if length != walk.SEVERAL_WAYS:
                block.statuses[item] = NO_PATH if length == walk.NO_WAY else OK
                continue
        block = answered(machine, string, n, budget, False, block, item)
    return blocks.fields(block, False)


@kernel
def answered(
    machine: Machine,
    string: Array,
    n: int,
    budget: int,
    with_spans: bool,
    block: Block,
    item: int,
) -> Block:
    """The block with the answers to the next string."""
    result = lattice(machine, string)
    if result.n_states <= 0:
        block.statuses[item] = CYCLE if result.n_states == CYCLIC else NO_PATH
        block.firsts[item + 1] = block.firsts[item]
        return block
    answers = search.n_best(result, n, budget)
    if not search.is_answered(answers):
        path = lattice_paths.best_path(result)
        answers = search.only_best(result, path)
        result = path
    block = blocks.written(block, item, TRUNCATED if answers.truncated else OK, answers)
    if with_spans:
        blocks.write_spans(block, item, result)
    return block
