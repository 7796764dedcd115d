"""Kernels: the only way through a transducer, for strings that have one.

Most grammars give most strings one output by one path, but not deterministically: a rule with a
right context guesses what comes, and most guesses die. The rest of the string, read backwards,
leads a deterministic automaton (the subset construction on the reversed transducer) to the set
of states from which the rest can be read to an end. With these sets at hand every step forward is
certain, and a string costs two steps for each of its symbols. The automaton is worked out as
strings ask for it, and kept.

>>> from glyphone.fst.automata.transducer import Transducer
>>> loop = Transducer.from_arcs(0, [0.0], [0], [1], [2], [0.5], [0])
>>> machine = Machine(
...     np.array([0]), loop.offsets, loop.ilabels, loop.olabels, loop.weights, loop.targets,
...     loop.finals, loop.reads)
>>> output = np.zeros(9, np.int32)
>>> only_way(machine, np.array([1, 1]), new_lookahead(loop), output), output[:2].tolist()
((2, 1.0), [2, 2])
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.lattices.arrays import Machine
from glyphone.fst.lattices.block_kernels import NO_PATH, OK, Block

block_kernels = sibling(__name__, "glyphone.fst.lattices.block_kernels")
composition_kernels = sibling(__name__, "glyphone.fst.lattices.composition_kernels")

Array = Any
INFINITY = np.inf
UNKNOWN = -1
# Room for the sets of a grammar; a large learned model gets few of them, and needs none.
MOST_SETS, MOST_BYTES = 4096, 64 << 20
NO_WAY, SEVERAL_WAYS = -1, -2
# The status of a string that may have several paths.
UNDECIDED = -1


class Lookahead(NamedTuple):
    """The deterministic automaton of string ends, as far as strings have asked for it.

    Arcs of the transducer, grouped by input label, epsilons first. Bit q of row r of `sets`: from
    state q any rest can be read that leads to r. `steps[r, label]` is the row one symbol before, or
    UNKNOWN. Rows are found by the hash of their set; `filled[0]` of them are in use. `members` is
    room for the states of one set.
    """

    sources: Array
    targets: Array
    groups: Array
    steps: Array
    sets: Array
    hashes: Array
    buckets: Array
    filled: Array
    members: Array


def new_lookahead(machine: Transducer) -> Lookahead:
    """An automaton with room for as many sets as memory allows, none of them known yet."""
    usable = np.flatnonzero(np.isfinite(machine.weights))
    arcs = usable[np.argsort(machine.ilabels[usable], kind="stable")]
    n_labels = int(machine.ilabels.max(initial=0)) + 1
    width = (machine.n_states + 7) // 8
    return empty_lookahead(
        min(MOST_SETS, MOST_BYTES // (width + 4 * n_labels)),
        machine.sources()[arcs],
        machine.targets[arcs],
        np.searchsorted(machine.ilabels[arcs], np.arange(n_labels + 1)),
        width,
    )


def empty_lookahead(
    most: int, sources: Array, targets: Array, groups: Array, width: int
) -> Lookahead:
    """An automaton over some arcs with room for `most` sets, each in `width` bytes."""
    return Lookahead(
        sources,
        targets,
        groups,
        np.full((most, len(groups) - 1), UNKNOWN, np.int32),
        np.zeros((most, width), np.uint8),
        np.zeros(most, np.int64),
        np.full(2 * most + 1, UNKNOWN, np.int64),
        np.zeros(1, np.int64),
        np.zeros(8 * width, np.bool_),
    )


@kernel
def decode(
    machine: Machine, symbols: Array, bounds: Array, lookahead: Lookahead
) -> tuple[Array, ...]:
    """The answers to strings symbols[bounds[i]:bounds[i + 1]] of one path: the fields of a Block.

    A string that may have several paths is UNDECIDED. `lookahead` grows on the way.
    """
    block = block_kernels.new_block(len(bounds) - 1, len(symbols))
    for item in range(len(bounds) - 1):
        string = symbols[bounds[item] : bounds[item + 1]]
        block.firsts[item + 1] = block.firsts[item]
        block = block_kernels.roomy_block(block, item, 1, 2 * len(string) + 16)
        add_only_answer(machine, string, lookahead, block, item)
    return block_kernels.block_arrays(block, False)


@kernel
def add_only_answer(
    machine: Machine, string: Array, lookahead: Lookahead, block: Block, item: int
) -> None:
    """Write the answer to a string that has one path, and the status of any string."""
    first = block.firsts[item]
    begin = block.offsets[first]
    length, cost = only_way(machine, string, lookahead, block.labels[begin:])
    if length >= 0:
        block.costs[first], block.posteriors[first] = cost, 1.0
        block.offsets[first + 1], block.firsts[item + 1] = begin + length, first + 1
        block.statuses[item] = OK
    else:
        block.statuses[item] = NO_PATH if length == NO_WAY else UNDECIDED


@leaf
def has_state(bits: Array, state: int) -> bool:
    """Whether a set, as bits, has a state."""
    return (bits[state >> 3] >> (state & 7)) & 1 != 0


@leaf
def close_set(members: Array, lookahead: Lookahead) -> None:
    """Add the states from which epsilons lead to a member."""
    changed = True
    while changed:
        changed = False
        for arc in range(lookahead.groups[0], lookahead.groups[1]):
            source = lookahead.sources[arc]
            if members[lookahead.targets[arc]] and not members[source]:
                members[source] = changed = True


@leaf
def row_of_set(members: Array, lookahead: Lookahead) -> int:
    """The row of a set, a new one if it has none yet; UNKNOWN if there is no room."""
    key = 0
    for state in range(len(members)):
        if members[state]:
            key = (key * 31 + state) & 0xFFFFFFFFFF
    place = key % len(lookahead.buckets)
    while lookahead.buckets[place] != UNKNOWN:
        row = lookahead.buckets[place]
        same = lookahead.hashes[row] == key
        for state in range(len(members) if same else 0):
            same = same and has_state(lookahead.sets[row], state) == members[state]
        if same:
            return row
        place = (place + 1) % len(lookahead.buckets)
    row = lookahead.filled[0]
    if row == len(lookahead.sets):
        return UNKNOWN
    for state in range(len(members)):
        if members[state]:
            lookahead.sets[row, state >> 3] |= 1 << (state & 7)
    lookahead.hashes[row] = key
    lookahead.buckets[place] = row
    lookahead.filled[0] += 1
    return row


@leaf
def row_before(row: int, label: int, lookahead: Lookahead) -> int:
    """The row of the states from which a label leads into the set of a row."""
    if lookahead.steps[row, label] == UNKNOWN:
        members = lookahead.members
        members[:] = False
        for arc in range(lookahead.groups[label], lookahead.groups[label + 1]):
            if has_state(lookahead.sets[row], lookahead.targets[arc]):
                members[lookahead.sources[arc]] = True
        close_set(members, lookahead)
        lookahead.steps[row, label] = row_of_set(members, lookahead)
    return lookahead.steps[row, label]


@leaf
def write_rests(string: Array, finals: Array, lookahead: Lookahead, rows: Array) -> None:
    """Write the row of the rest of a string at each position; the first may be UNKNOWN."""
    rows[:] = UNKNOWN
    if lookahead.filled[0] == 0:
        lookahead.members[:] = False
        for state in range(len(finals)):
            lookahead.members[state] = finals[state] < INFINITY
        close_set(lookahead.members, lookahead)
        if row_of_set(lookahead.members, lookahead) == UNKNOWN:
            return
    row = 0
    rows[len(string)] = 0
    for position in range(len(string) - 1, -1, -1):
        if string[position] >= len(lookahead.groups) - 1:  # a label that no arc has
            break
        row = row_before(row, string[position], lookahead)
        if row == UNKNOWN:
            break
        rows[position] = row


@kernel
def only_way(
    machine: Machine, string: Array, lookahead: Lookahead, output: Array
) -> tuple[int, float]:
    """Write the output of the only path for a string; return (number of labels, cost).

    The number is NO_WAY if there is no path, and SEVERAL_WAYS if there may be more than one, or no
    room for its output.
    """
    rows = np.empty(len(string) + 1, np.int64)
    write_rests(string, machine.finals, lookahead, rows)
    if rows[0] == UNKNOWN:
        return SEVERAL_WAYS, 0.0
    state = machine.starts[0]
    if not has_state(lookahead.sets[rows[0]], state):
        return NO_WAY, 0.0
    position, n_labels, cost = 0, 0, 0.0
    while True:
        ways, chosen, ended = 0, 0, False
        if position == len(string) and machine.finals[state] < INFINITY:
            ways, ended = 1, True
        end = machine.offsets[state + 1]
        arc = machine.offsets[state]
        while arc < end and machine.ilabels[arc] == 0:
            target, price = machine.targets[arc], machine.weights[arc]
            if price < INFINITY and has_state(lookahead.sets[rows[position]], target):
                ways, chosen, ended = ways + 1, arc, False
            arc += 1
        if position < len(string):
            arc = composition_kernels.first_arc(machine.ilabels, arc, end, string[position])
            while arc < end and machine.ilabels[arc] == string[position]:
                target, price = machine.targets[arc], machine.weights[arc]
                if price < INFINITY and has_state(lookahead.sets[rows[position + 1]], target):
                    ways, chosen, ended = ways + 1, arc, False
                arc += 1
        if ways != 1 or n_labels == len(output):
            return SEVERAL_WAYS, 0.0
        if ended:
            return n_labels, cost + float(machine.finals[state])
        if machine.olabels[chosen] != 0:
            output[n_labels] = machine.olabels[chosen]
            n_labels += 1
        cost += float(machine.weights[chosen])
        position += machine.ilabels[chosen] != 0
        state = machine.targets[chosen]
