"""Kernel: a block of strings through a machine, all in one call that holds no lock.

>>> OK, NO_PATH
(0, 1)
"""

from __future__ import annotations

from typing import Any

from glyphone.data.kernels.jit import Flag, kernel, sibling
from glyphone.fst.lattices.arrays import CYCLIC, Machine
from glyphone.fst.lattices.block_kernels import CYCLE, NO_PATH, OK, TRUNCATED, Block

block_kernels = sibling(__name__, "glyphone.fst.lattices.block_kernels")
lattice_paths = sibling(__name__, "glyphone.fst.lattices.path_kernels")
composition_kernels = sibling(__name__, "glyphone.fst.lattices.composition_kernels")
string_kernels = sibling(__name__, "glyphone.fst.lattices.string_kernels")
nbest_kernels = sibling(__name__, "glyphone.fst.lattices.nbest_kernels")

Array = Any


@kernel
def output_lattice(machine: Machine, string: Array) -> Any:
    """The lattice of all outputs of a cascade for one string."""
    result = string_kernels.string_lattice(string)
    for stage in range(len(machine.starts)):
        result = composition_kernels.compose(result, machine, stage)
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
) -> tuple[Array, ...]:
    """The n best outputs of each string symbols[bounds[i]:bounds[i + 1]]: the fields of a Block."""
    block = block_kernels.new_block(len(bounds) - 1, len(symbols))
    for item in range(len(bounds) - 1):
        string = symbols[bounds[item] : bounds[item + 1]]
        block, outputs = add_answers(machine, string, n, budget, block, item)
        if with_spans is not None:
            block_kernels.write_spans(block, item, outputs)
    return block_kernels.block_arrays(block, with_spans is not None)


@kernel
def add_answers(
    machine: Machine, string: Array, n: int, budget: int, block: Block, item: int
) -> tuple[Block, Any]:
    """The block with the answers to one more string, and the lattice that they come from."""
    outputs = output_lattice(machine, string)
    if outputs.n_states <= 0:
        block.statuses[item] = CYCLE if outputs.n_states == CYCLIC else NO_PATH
        block.firsts[item + 1] = block.firsts[item]
        return block, outputs
    answers = nbest_kernels.n_best(outputs, n, budget)
    if not nbest_kernels.is_answered(answers):
        path = lattice_paths.best_path(outputs)
        answers = nbest_kernels.only_best(outputs, path)
        outputs = path
    status = TRUNCATED if answers.truncated else OK
    return block_kernels.add_answers(block, item, status, answers), outputs
