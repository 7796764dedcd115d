"""Kernel: a block of strings through a machine, all in one call that holds no lock.

>>> OK, NO_PATH
(0, 1)
"""

from __future__ import annotations

from typing import Any

from glyphone.data.kernels.jit import Flag, kernel, sibling
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
    machine: Machine,
    symbols: Array,
    bounds: Array,
    n: int,
    budget: int,
    with_spans: Flag = None,
    lookahead: Lookahead | None = None,
) -> tuple[Array, ...]:
    """The n best outputs of each string symbols[bounds[i]:bounds[i + 1]]: the fields of a Block.

    `lookahead` saves the strings that have only one path the lattice, where there are to be no
    spans; it learns on the way.
    """
    block = blocks.block_of(len(bounds) - 1, len(symbols))
    for item in range(len(bounds) - 1):
        string = symbols[bounds[item] : bounds[item + 1]]
        block.firsts[item + 1] = block.firsts[item]
        if lookahead is not None and n > 0:
            block = blocks.roomy(block, item, 1, 2 * len(string) + 16)
            if add_only_answer(machine, string, lookahead, block, item):
                continue
        block, outputs = add_answers(machine, string, n, budget, block, item)
        if with_spans is not None:
            blocks.write_spans(block, item, outputs)
    return blocks.fields(block, with_spans)


@kernel
def add_only_answer(
    machine: Machine, string: Array, lookahead: Lookahead, block: Block, item: int
) -> bool:
    """Writes the answer to a string that has one path, or none; whether it does."""
    first = block.firsts[item]
    begin = block.offsets[first]
    length, cost = walk.only_way(machine, string, lookahead, block.labels[begin:])
    if length >= 0:
        block.costs[first], block.posteriors[first] = cost, 1.0
        block.offsets[first + 1], block.firsts[item + 1] = begin + length, first + 1
    if length != walk.SEVERAL_WAYS:
        block.statuses[item] = NO_PATH if length == walk.NO_WAY else OK
    return bool(length != walk.SEVERAL_WAYS)


@kernel
def add_answers(
    machine: Machine, string: Array, n: int, budget: int, block: Block, item: int
) -> tuple[Block, Any]:
    """The block with the answers to one more string, and the lattice that they come from."""
    outputs = lattice(machine, string)
    if outputs.n_states <= 0:
        block.statuses[item] = CYCLE if outputs.n_states == CYCLIC else NO_PATH
        return block, outputs
    answers = search.n_best(outputs, n, budget)
    if not search.is_answered(answers):
        path = lattice_paths.best_path(outputs)
        answers = search.only_best(outputs, path)
        outputs = path
    status = TRUNCATED if answers.truncated else OK
    return blocks.written(block, item, status, answers), outputs
