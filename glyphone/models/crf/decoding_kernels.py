"""Kernels: blocks of words decoded by a conditional random field, and scores of outputs.

>>> GREATEST
600.0
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.fst.lattices.arrays import Lattice
from glyphone.fst.lattices.block_kernels import OK, TRUNCATED
from glyphone.fst.lattices.nbest_kernels import NBest
from glyphone.models.crf.arrays import Chain, Room

block_kernels = sibling(__name__, "glyphone.fst.lattices.block_kernels")
chain_kernels = sibling(__name__, "glyphone.models.crf.chain_kernels")
trimming_kernels = sibling(__name__, "glyphone.fst.lattices.trimming_kernels")
write_row = sibling(__name__, "glyphone.data.kernels.arrays").write_row
nbest_kernels = sibling(__name__, "glyphone.fst.lattices.nbest_kernels")
written_labels = sibling(__name__, "glyphone.fst.joint.kernels.ends").written_labels
n_choices = chain_kernels.n_choices

Array = Any
# A wider beam, in nats, is none.
GREATEST = 600.0


@leaf
def is_within(room: Room, t: int, x: int, y: int, width: int, least: float) -> bool:
    """Whether the best path with two labels in a row, or with one at the beginning, has a score of
    `least` or more.
    """
    before = room.bests[t - 1, x] + room.edges[t, x * width + y] if t > 0 else 0.0
    return bool(before + room.nodes[t, y] + room.rests[t, y] >= least)


@leaf
def spell_label(
    chain: Chain, label: int, t: int, cost: float, source: int, target: int, inner: int,
    rows: Array, costs: Array, row: int,
) -> int:  # fmt: skip
    """Write the arcs of a label, the first of which reads its letter, and return their number."""
    begin, end = chain.written[label], chain.written[label + 1]
    n = max(end - begin, 1)
    costs[row] = cost
    for k in range(n):
        into = target if k == n - 1 else inner + k
        output = np.int64(chain.outputs[begin + k]) if begin < end else np.int64(0)
        read, stop = (np.int64(t), np.int64(t + 1)) if k == 0 else (np.int64(-1), np.int64(-1))
        write_row(rows, row + k, (np.int64(source), np.int64(into), output, read, stop))
        source = into
    return int(n)


@kernel
def path_lattice(
    chain: Chain, string: Array, best: float, beam: float, log_z: float, room: Room
) -> Lattice:
    """The lattice of all paths within a beam; costs are -ln P.

    A label that writes nothing is an epsilon; one that writes several symbols, a chain of arcs.
    """
    n, least = len(string), best - beam
    n_rows, n_states, n_inner, before = 0, 1, 0, 1
    for t in range(n):
        first, width = chain.choice_starts[string[t]], n_choices(chain, string[t])
        for x in range(before):
            for y in range(width):
                if is_within(room, t, x, y, width, least):
                    label = chain.choices[first + y]
                    length = max(chain.written[label + 1] - chain.written[label], 1)
                    n_rows, n_inner = n_rows + length, n_inner + length - 1
        n_states, before = n_states + width, width
    rows, costs = np.empty((n_rows, 5), np.int64), np.zeros(n_rows)
    finals, reached = np.full(n_states + n_inner, np.inf), np.zeros(n_states, np.bool_)
    reached[0] = True
    row, behind, here, inner, before = 0, 0, 1, n_states, 1
    for t in range(n):
        first, width = chain.choice_starts[string[t]], n_choices(chain, string[t])
        for x in range(before):
            for y in range(width):
                # Rounding may leave an arc within the beam, and none that leads to it.
                if reached[behind + x] and is_within(room, t, x, y, width, least):
                    reached[here + y] = True
                    label = chain.choices[first + y]
                    cost = -room.nodes[t, y] - (room.edges[t, x * width + y] if t > 0 else 0.0)
                    length = spell_label(
                        chain, label, t, cost, behind + x, here + y, inner, rows, costs, row
                    )  # fmt: skip
                    row, inner = row + length, inner + length - 1
        behind, here, before = here, here + width, width
    for state in range(behind, behind + before):
        if reached[state]:
            finals[state] = log_z
    rows, costs, finals = rows[:row], costs[:row], finals[:inner]
    found: Lattice = trimming_kernels.trimmed_lattice(rows, costs, finals)
    return found


@kernel
def output_lattice(chain: Chain, string: Array, beam: float) -> Lattice:
    """The lattice of all outputs of a word within a beam."""
    room = chain_kernels.chain_room(chain, len(string))
    chain_kernels.score_word(chain, string, room)
    best = chain_kernels.find_best_path(chain, string, room)
    chain_kernels.write_rests(chain, string, room)
    log_z = chain_kernels.sum_paths(chain, string, 1.0, room)
    found: Lattice = path_lattice(chain, string, best, beam, log_z, room)
    return found


@leaf
def write_places(chain: Chain, path: Array, places: Array) -> None:
    """Write the letter that each output of a path comes from."""
    n = 0
    for t in range(len(path)):
        for _ in range(chain.written[path[t]], chain.written[path[t] + 1]):
            places[n] = t
            n += 1


@kernel
def best_outputs(
    chain: Chain, string: Array, n: int, best: float, log_z: float, beam: float, budget: int,
    room: Room,
) -> NBest:  # fmt: skip
    """The n best outputs by their best paths; shares are over all paths, within the beam or not."""
    chain_kernels.write_rests(chain, string, room)
    while True:
        found = path_lattice(chain, string, best, beam, log_z, room)
        answers: NBest = nbest_kernels.best_within(found, n, budget)
        far = len(answers.costs) < n or answers.costs[-1] > answers.costs[0] + beam
        if not far or answers.truncated or math.isinf(beam):
            break
        beam = np.inf if beam > GREATEST else 2 * beam
    for k in range(len(answers.costs)):
        output = answers.labels[answers.offsets[k] : answers.offsets[k + 1]]
        answers.posteriors[k] = min(1.0, chain_kernels.output_share(chain, string, output, room))
    return answers


@kernel
def decode(
    chain: Chain, symbols: Array, bounds: Array, n: int, heat: float, beam: float, budget: int,
    with_spans: bool,
) -> tuple[Array, ...]:  # fmt: skip
    """The n best outputs of each word symbols[bounds[i]:bounds[i + 1]]: the fields of a Block.

    Its `begins` say which letter each output comes from, see `tree_directions.answers`.
    """
    room = chain_kernels.chain_room(chain, np.max(np.diff(bounds)) if len(bounds) > 1 else 1)
    block = block_kernels.new_block(len(bounds) - 1, len(symbols))
    for item in range(len(bounds) - 1):
        string = symbols[bounds[item] : bounds[item + 1]]
        chain_kernels.score_word(chain, string, room)
        best = chain_kernels.find_best_path(chain, string, room)
        path = room.path[: len(string)]
        log_z = chain_kernels.sum_paths(chain, string, 1.0, room)
        if heat != 1.0:
            chain_kernels.sum_paths(chain, string, heat, room)
        alone = n == 1 or len(string) == 0
        if alone:
            output = written_labels(chain.written, chain.outputs, path)
            share = min(1.0, chain_kernels.output_share(chain, string, output, room))
            answers = nbest_kernels.NBest(
                np.array([0, len(output)]), output, np.full(1, log_z - best), np.full(1, share),
                False,
            )  # fmt: skip
        else:
            answers = best_outputs(chain, string, n, best, log_z, beam, budget, room)
        block = block_kernels.add_answers(
            block, item, TRUNCATED if answers.truncated else OK, answers
        )
        if with_spans:
            for k in range(block.firsts[item], block.firsts[item + 1]):
                low, high = block.offsets[k], block.offsets[k + 1]
                if not alone:
                    path, _ = chain_kernels.output_path(chain, string, block.labels[low:high], room)
                write_places(chain, path, block.begins[low:high])
    decoded: tuple[Array, ...] = block_kernels.block_arrays(block, with_spans)
    return decoded


@kernel
def propose_outputs(
    chain: Chain, symbols: Array, bounds: Array, least: int, most: int, margin: float, budget: int
) -> tuple[Array, ...]:
    """For each word up to `most` outputs within the margin, and `least`, if there are so many.

    They are the fields of a Block, with scores for costs. A word with a symbol that is not known
    has none.
    """
    room = chain_kernels.chain_room(chain, np.max(np.diff(bounds)) if len(bounds) > 1 else 1)
    block = block_kernels.new_block(len(bounds) - 1, len(symbols))
    nothing = nbest_kernels.NBest(
        np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0), np.empty(0), False
    )
    for item in range(len(bounds) - 1):
        string = symbols[bounds[item] : bounds[item + 1]]
        answers, near = nothing, margin
        if len(string) > 0 and np.count_nonzero(string) == len(string):
            chain_kernels.score_word(chain, string, room)
            best = chain_kernels.find_best_path(chain, string, room)
            chain_kernels.write_rests(chain, string, room)
            while True:
                found = path_lattice(chain, string, best, near, 0.0, room)
                answers = nbest_kernels.best_within(found, most, budget)
                if len(answers.costs) >= least or answers.truncated or math.isinf(near):
                    break
                near = np.inf if near > GREATEST else 2 * near
        block = block_kernels.add_answers(
            block, item, TRUNCATED if answers.truncated else OK, answers
        )
    written: tuple[Array, ...] = block_kernels.block_arrays(block, False)
    return written


@kernel
def score_outputs(
    chain: Chain, symbols: Array, bounds: Array, firsts: Array, offsets: Array, labels: Array
) -> Array:
    """ln P of the outputs firsts[i] to firsts[i + 1] of each word, over all their paths.

    A label of 0 is a symbol that is not known: its word, or output, has the probability 0.
    """
    found = np.full(len(offsets) - 1, -np.inf)
    room = chain_kernels.chain_room(chain, np.max(np.diff(bounds)) if len(bounds) > 1 else 1)
    for item in range(len(bounds) - 1):
        string = symbols[bounds[item] : bounds[item + 1]]
        if firsts[item] == firsts[item + 1] or np.count_nonzero(string) < len(string):
            continue
        chain_kernels.score_word(chain, string, room)
        chain_kernels.sum_paths(chain, string, 1.0, room)
        for k in range(firsts[item], firsts[item + 1]):
            output = labels[offsets[k] : offsets[k + 1]]
            share = chain_kernels.output_share(chain, string, output, room)
            if share > 0.0:
                found[k] = math.log(share)
    return found


@kernel
def output_posterior(
    chain: Chain, string: Array, output: Array, heat: float
) -> tuple[float, Array]:
    """The share of an output at a temperature, and the labels of its best path."""
    room = chain_kernels.chain_room(chain, len(string))
    chain_kernels.score_word(chain, string, room)
    chain_kernels.sum_paths(chain, string, heat, room)
    path, _ = chain_kernels.output_path(chain, string, output, room)
    return chain_kernels.output_share(chain, string, output, room), path
