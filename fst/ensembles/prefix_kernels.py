"""Kernels: the weights that a joint model gives to several outputs of each string, all at once.

The outputs of a string mostly begin alike. They are put into a tree of prefixes, and a node of the
trellis stands for a state of the n-gram model and for a prefix: a common beginning is summed up
once. Of the ways in which units may write an output most are next to impossible; they are followed
only where no other leads to the end.

>>> prefixes = output_trie(np.array([7, 8, 7, 9], np.int32), np.array([0, 2, 4]), 0, 2)
>>> prefixes.ends.tolist(), prefixes.labels[:4].tolist(), prefixes.depths[:4].tolist()
([2, 3], [0, 7, 8, 9], [0, 1, 2, 2])
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.fst.joint.kernels.arrays import Context, Joint
from glyphone.fst.joint.kernels.trellis import NO_ROOM

end_prob = sibling(__name__, "glyphone.fst.joint.kernels.ends").end_prob
joint_trellis = sibling(__name__, "glyphone.fst.joint.kernels.trellis")
joint_arrays = sibling(__name__, "glyphone.fst.joint.kernels.arrays")
chunk_bit, rows_before = joint_arrays.chunk_bit, joint_arrays.rows_before
find_slot = sibling(__name__, "glyphone.data.kernels.arrays").find_slot
units_writing = sibling(__name__, "glyphone.fst.joint.kernels.pairs").units_writing
chunk_of, unit_prob = joint_trellis.chunk_of, joint_trellis.unit_prob

Array = Any
ROOM = 256
# The share of the heaviest node of its row below which a node is not followed.
NEGLIGIBLE = 1e-5


class Trie(NamedTuple):
    """Prefixes of outputs, the empty one first.

    Each has a label, a length, its first child and the next child of its parent, or -1, and the
    number of an output that begins so. Output k ends at ends[k].
    """

    labels: Array
    depths: Array
    children: Array
    siblings: Array
    rows: Array
    ends: Array


class PrefixRoom(NamedTuple):
    """Room for nodes and for a table of the nodes of one row.

    A node has a state, a prefix and the mass of the paths to it; a row has bounds, and a scale for
    its masses.
    """

    states: Array
    tries: Array
    masses: Array
    keys: Array
    nodes: Array
    stack: Array
    rows: Array
    scales: Array


@kernel
def output_trie(labels: Array, offsets: Array, first: int, last: int) -> Trie:
    """The prefixes of the outputs from number `first` to `last`.

    An output with a label of 0 has none, and ends at -1.
    """
    size = offsets[last] - offsets[first] + 1
    trie = Trie(
        np.zeros(size, np.int32),
        np.zeros(size, np.int64),
        np.full(size, -1, np.int64),
        np.full(size, -1, np.int64),
        np.full(size, first, np.int64),
        np.full(last - first, -1, np.int64),
    )
    plant_outputs(trie, labels, offsets, first, last)
    return trie


@leaf
def plant_outputs(trie: Trie, labels: Array, offsets: Array, first: int, last: int) -> None:
    """Enter the outputs into the trie."""
    n = 1
    for k in range(first, last):
        node = 0
        for place in range(offsets[k], offsets[k + 1]):
            if labels[place] == 0:
                node = -1
        if node < 0:
            continue
        for place in range(offsets[k], offsets[k + 1]):
            child = trie.children[node]
            while child >= 0 and trie.labels[child] != labels[place]:
                child = trie.siblings[child]
            if child < 0:
                child, depth = n, place - offsets[k] + 1
                trie.labels[n], trie.depths[n], trie.rows[n] = labels[place], depth, k
                trie.siblings[n], trie.children[node] = trie.children[node], n
                n += 1
            node = child
        trie.ends[k - first] = node


@kernel
def prefix_room(size: int, n_rows: int, n_prefixes: int) -> PrefixRoom:
    """Room for `size` nodes in `n_rows` rows, with `n_prefixes` prefixes."""
    return PrefixRoom(
        np.empty(size, np.int32),
        np.empty(size, np.int64),
        np.empty(size),
        np.full(2 * size, -1, np.int64),
        np.empty(2 * size, np.int64),
        np.empty(n_prefixes, np.int64),
        np.zeros(n_rows + 1, np.int64),
        np.zeros(n_rows),
    )


@kernel
def score_outputs(
    joint: Joint, symbols: Array, bounds: Array, firsts: Array, offsets: Array, labels: Array
) -> Array:
    """ln of the weight of each output, summed over its paths.

    A label of 0 is a symbol that the model does not know; the weight is then 0, as it is without a
    path.
    """
    found = np.full(len(offsets) - 1, -np.inf)
    room = prefix_room(ROOM, ROOM, ROOM)
    for item in range(len(bounds) - 1):
        string = symbols[bounds[item] : bounds[item + 1]]
        first, last = firsts[item], firsts[item + 1]
        if first == last or np.count_nonzero(string) < len(string):
            continue
        trie = output_trie(labels, offsets, first, last)
        context = joint_trellis.context_of(joint, string, np.inf)
        n_rows, least = (len(string) + 1) * joint.layers, NEGLIGIBLE
        while True:
            n = NO_ROOM
            if n_rows <= len(room.scales) and len(trie.labels) <= len(room.stack):
                n = fill_rows(joint, string, context, trie, labels, offsets, least, n_rows, room)
            if n == NO_ROOM:
                room = prefix_room(
                    2 * len(room.states),
                    max(n_rows, len(room.scales)),
                    max(len(trie.labels), len(room.stack)),
                )
            elif write_weights(joint, trie, n_rows, n, room, found[first:last]) or least == 0.0:
                break
            else:
                least = 0.0
    return found


@leaf
def fill_rows(
    joint: Joint,
    string: Array,
    context: Context,
    trie: Trie,
    labels: Array,
    offsets: Array,
    least: float,
    n_rows: int,
    room: PrefixRoom,
) -> int:
    """Fill all rows; return the number of nodes, or NO_ROOM."""
    joint_offsets, tokens, probs, targets = joint.offsets, joint.tokens, joint.probs, joint.targets
    backoff_states, backoffs, masks = joint.backoff_states, joint.backoffs, joint.masks
    written, unit_labels, widest, layers = joint.written, joint.labels, joint.widest, joint.layers
    shares, shifts, n_prefixes = context.shares, context.shifts, len(trie.labels)
    depths, children, siblings, examples = trie.depths, trie.children, trie.siblings, trie.rows
    states, tries, masses, stack = room.states, room.tries, room.masses, room.stack
    keys, nodes, rows, scales = room.keys, room.nodes, room.rows, room.scales
    states[0], tries[0], masses[0], rows[0], rows[1], scales[0] = joint.start, 0, 1.0, 0, 1, 0.0
    keys[:] = -1
    n = 1
    for row in range(1, n_rows):
        into, reference, end = n, -1, row // layers
        nearest, farthest = rows_before(row, layers, joint.longest)
        for source in range(nearest, farthest - 1, -1):
            if rows[source] == rows[source + 1]:
                continue
            chunk = chunk_of(joint.longer, joint.n_labels, string, source // layers, end)
            first, last, bit = joint.firsts[chunk], joint.firsts[chunk + 1], chunk_bit(chunk)
            reference = source if reference < 0 else reference
            scale = math.exp(scales[reference] - scales[source]) if source != reference else 1.0
            shift = shifts[source // layers]
            for node in range(rows[source], rows[source + 1]):
                if masses[node] < least:
                    continue
                above, n_stack = tries[node], 1
                stack[0] = above
                while n_stack > 0:
                    n_stack -= 1
                    prefix = stack[n_stack]
                    if depths[prefix] - depths[above] < widest:
                        child = children[prefix]
                        while child >= 0:
                            stack[n_stack] = child
                            n_stack, child = n_stack + 1, siblings[child]
                    begin = offsets[examples[prefix]]
                    low, high = units_writing(
                        written, unit_labels, first, last, labels,
                        begin + depths[above], begin + depths[prefix],
                    )  # fmt: skip
                    for unit in range(low, high):
                        prob, arc = unit_prob(
                            masks, joint_offsets, tokens, probs, backoff_states, backoffs,
                            states[node], unit, bit,
                        )  # fmt: skip
                        mass = masses[node] * scale * prob * shares[shift + unit]
                        if mass == 0:
                            continue
                        if n == len(states):
                            return NO_ROOM
                        target = int(targets[arc])
                        entry = find_slot(keys, target * n_prefixes + prefix)
                        if keys[entry] == -1:
                            keys[entry], nodes[entry] = target * n_prefixes + prefix, n
                            states[n], tries[n], masses[n] = target, prefix, mass
                            n += 1
                        else:
                            masses[nodes[entry]] += mass
        rows[row + 1] = n
        heaviest = 0.0
        for node in range(into, n):
            heaviest = max(heaviest, masses[node])
        for node in range(into, n):
            masses[node] /= heaviest
        if n > into:
            scales[row] = scales[reference] - math.log(heaviest)
            keys[:] = -1
    return n


@leaf
def write_weights(
    joint: Joint, trie: Trie, n_rows: int, n: int, room: PrefixRoom, found: Array
) -> bool:
    """Write the weight of each output; return whether no output that the trie has was lost."""
    rows, scales, masses, tries = room.rows, room.scales, room.masses, room.tries
    complete = True
    for k in range(len(found)):
        total, row, reference = 0.0, n_rows - joint.layers, -1
        for node in range(rows[row], n):
            while rows[row + 1] <= node:
                row += 1
            if tries[node] == trie.ends[k]:
                reference = row if reference < 0 else reference
                share = masses[node] * math.exp(scales[reference] - scales[row])
                total += share * end_prob(joint, room.states[node])
        if total > 0.0:
            found[k] = math.log(total) - scales[reference]
        complete = complete and (trie.ends[k] < 0 or total > 0.0)
    return complete
