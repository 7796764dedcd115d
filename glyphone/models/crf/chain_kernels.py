"""Kernels: the scores of a word's labels, the best, and sums over all (Lafferty et al. 2001).

    P(y | x) = exp(sum over places t of s(t, y[t]) + e(t, y[t-1], y[t])) / Z(x)

s and e are the summed weights of the windows around the letter. To the power of `heat`, which is
one over the temperature, everything is multiplied by it before exponentials are taken.

>>> from glyphone.models.crf.arrays import Table, chain_of
>>> none = np.zeros(0, int)
>>> table = Table(((0, 0),), np.array([0]), np.array([1]), np.array([1]), np.array([1]),
...     np.log([3.0]), none, none, none, np.zeros(0))
>>> chain = chain_of(table, choices=[[0, 1]], chunks=[(7,), (8,)])
>>> string = np.array([1, 1])
>>> room = chain_room(chain, 2)
>>> score_word(chain, string, room)
>>> round(float(find_best_path(chain, string, room)), 3), room.path.tolist()
(2.197, [1, 1])
>>> round(float(np.exp(sum_paths(chain, string, 1.0, room))), 6)
16.0
>>> round(float(output_share(chain, string, np.array([7, 8]), room)), 6)
0.1875
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.models.crf.arrays import Chain, Room
from glyphone.models.crf.trie_kernels import FARTHEST

write_exp = sibling(__name__, "glyphone.data.kernels.exponentials").write_exp
code_at = sibling(__name__, "glyphone.models.crf.trie_kernels").code_at
find_slot = sibling(__name__, "glyphone.data.kernels.arrays").find_slot

Array = Any


@kernel
def chain_room(chain: Chain, longest: int) -> Room:
    """Room for words of so many letters."""
    most, n_labels = chain.most, len(chain.written) - 1
    n = max(longest, 1)
    halves = np.zeros(max(most * most, 1))
    return Room(
        np.zeros((n, most)),
        np.zeros((n, most * most)),
        np.zeros((n, most)),
        np.zeros((n, most * most)),
        np.zeros(n),
        np.zeros((2, most)),
        np.zeros((n, most)),
        np.zeros((n, most), np.int32),
        np.zeros((n, most)),
        np.zeros(n, np.int32),
        np.full(n_labels, -1, np.int32),
        np.full(n_labels, -1, np.int32),
        halves,
        halves.view(np.int64),
    )


@leaf
def n_choices(chain: Chain, letter: int) -> int:
    """The number of labels that a letter may have."""
    return int(chain.choice_starts[letter + 1] - chain.choice_starts[letter])


@leaf
def mark_choices(chain: Chain, letter: int, slots: Array, marked: bool) -> None:
    """Write the places of labels among the choices of a letter, or -1 unless they are to be
    `marked`."""
    first = chain.choice_starts[letter]
    for k in range(n_choices(chain, letter)):
        slots[chain.choices[first + k]] = k if marked else -1


@leaf
def add_node_weights(chain: Chain, node: int, t: int, width: int, room: Room) -> None:
    """Add the weights of a node to the scores of a place, which has `width` choices."""
    before, after = room.before_slots, room.after_slots
    for k in range(chain.of_labels[node], chain.of_labels[node + 1]):
        y = after[chain.labels[k]]
        if y >= 0:
            room.nodes[t, y] += chain.weights[k]
    if t > 0:
        for k in range(chain.of_pairs[node], chain.of_pairs[node + 1]):
            x, y = before[chain.befores[k]], after[chain.afters[k]]
            if x >= 0 and y >= 0:
                room.edges[t, x * width + y] += chain.pair_weights[k]


@leaf
def score_word(chain: Chain, string: Array, room: Room) -> None:
    """Write the scores of all labels and pairs of a word."""
    n, before, n_letters = len(string), 0, chain.n_codes - 1 - 2 * FARTHEST
    for t in range(n):
        width = n_choices(chain, string[t])
        room.nodes[t, :width] = 0.0
        room.edges[t, : before * width] = 0.0
        mark_choices(chain, string[t], room.after_slots, True)
        if t > 0:
            mark_choices(chain, string[t - 1], room.before_slots, True)
        for root in range(len(chain.roots)):
            node = root
            add_node_weights(chain, node, t, width, room)
            for place in range(t + chain.roots[root, 0], t + chain.roots[root, 1] + 1):
                code = code_at(string, place, n_letters)
                node = chain.values[find_slot(chain.keys, node * chain.n_codes + code)]
                if node < 0:
                    break
                add_node_weights(chain, node, t, width, room)
        if t > 0:
            mark_choices(chain, string[t - 1], room.before_slots, False)
        mark_choices(chain, string[t], room.after_slots, False)
        before = width


@leaf
def find_best_path(chain: Chain, string: Array, room: Room) -> float:
    """Write the best path to room.path; return its score; of equals, that with the first labels at
    the end."""
    n, before = len(string), 0
    if n == 0:
        return 0.0
    for t in range(n):
        width = n_choices(chain, string[t])
        for y in range(width):
            best, back = (0.0 if t == 0 else -np.inf), 0
            for x in range(before):
                found = room.bests[t - 1, x] + room.edges[t, x * width + y]
                if found > best:
                    best, back = found, x
            room.bests[t, y], room.back[t, y] = best + room.nodes[t, y], back
        before = width
    y = 0
    for other in range(before):
        if room.bests[n - 1, other] > room.bests[n - 1, y]:
            y = other
    best = room.bests[n - 1, y]
    for t in range(n - 1, -1, -1):
        room.path[t] = chain.choices[chain.choice_starts[string[t]] + y]
        y = room.back[t, y]
    return float(best)


@leaf
def write_rests(chain: Chain, string: Array, room: Room) -> None:
    """Write to room.rests, for each label, the score of the best labels that may follow."""
    n = len(string)
    for t in range(n - 1, -1, -1):
        width = n_choices(chain, string[t])
        if t == n - 1:
            room.rests[t, :width] = 0.0
        for x in range(n_choices(chain, string[t - 1]) if t > 0 else 0):
            best = -np.inf
            for y in range(width):
                reached = room.edges[t, x * width + y] + room.nodes[t, y] + room.rests[t, y]
                best = max(best, reached)
            room.rests[t - 1, x] = best


@leaf
def sum_paths(chain: Chain, string: Array, heat: float, room: Room) -> float:
    """ln Z; the factors and scales of all places are left in the room."""
    total, before = 0.0, 0
    for t in range(len(string)):
        width = n_choices(chain, string[t])
        nodes, edges = room.node_factors[t, :width], room.edge_factors[t, : before * width]
        highest = room.nodes[t, 0]
        for y in range(width):
            highest = max(highest, room.nodes[t, y])
        for y in range(width):
            nodes[y] = heat * (room.nodes[t, y] - highest)
        write_exp(nodes, room.halves, room.bits)
        for k in range(before * width):
            edges[k] = heat * room.edges[t, k]
        write_exp(edges, room.halves, room.bits)
        old, new, scale = room.sums[(t + 1) % 2], room.sums[t % 2], 0.0
        for y in range(width):
            new[y] = 1.0 if t == 0 else 0.0
        for x in range(before):
            for y in range(width):
                new[y] += old[x] * edges[x * width + y]
        for y in range(width):
            new[y] *= nodes[y]
            scale += new[y]
        for y in range(width):
            new[y] /= scale
        room.scales[t] = scale
        total += heat * highest + math.log(scale)
        before = width
    return total


@leaf
def label_end(chain: Chain, label: int, output: Array, begin: int) -> int:
    """The end in the output of a label that is written from a place on, or -1 if the output goes on
    otherwise."""
    first, last = chain.written[label], chain.written[label + 1]
    if begin + last - first > len(output):
        return -1
    for k in range(last - first):
        if chain.outputs[first + k] != output[begin + k]:
            return -1
    return int(begin + last - first)


@kernel
def output_share(chain: Chain, string: Array, output: Array, room: Room) -> float:
    """The share of all paths that write an output, by the factors of `sum_paths`.

    A cell of a table is a label at a place, behind so much of the output.
    """
    n, n_written = len(string), len(output)
    if n == 0:
        return 1.0 if n_written == 0 else 0.0
    cells, before = np.zeros((2, n_written + 1, chain.most)), 0
    low, high = 0, 0
    for t in range(n):
        letter = string[t]
        first, width = chain.choice_starts[letter], n_choices(chain, letter)
        old, new = cells[(t + 1) % 2], cells[t % 2]
        next_low, next_high = n_written + 1, -1
        new[:] = 0.0
        for k in range(low, high + 1):
            for y in range(width):
                end = label_end(chain, chain.choices[first + y], output, k)
                if end < 0:
                    continue
                found = 1.0 if t == 0 else 0.0
                for x in range(before):
                    found += old[k, x] * room.edge_factors[t, x * width + y]
                if found > 0.0:
                    new[end, y] += found * room.node_factors[t, y] / room.scales[t]
                    next_low, next_high = min(next_low, end), max(next_high, end)
        low, high, before = next_low, next_high, width
    total = 0.0
    if high == n_written:
        for y in range(before):
            total += cells[(n - 1) % 2, n_written, y]
    return total


@kernel
def output_path(chain: Chain, string: Array, output: Array, room: Room) -> tuple[Array, float]:
    """The labels of the best path that writes an output, and its score; none, and -inf."""
    n, n_written = len(string), len(output)
    best = np.full((n + 1, n_written + 1, chain.most), -np.inf)
    back = np.zeros((n + 1, n_written + 1, chain.most, 2), np.int64)
    best[0, 0, 0] = 0.0
    before = 1
    for t in range(n):
        letter = string[t]
        first, width = chain.choice_starts[letter], n_choices(chain, letter)
        for k in range(n_written + 1):
            for x in range(before):
                if best[t, k, x] == -np.inf:
                    continue
                for y in range(width):
                    end = label_end(chain, chain.choices[first + y], output, k)
                    if end < 0:
                        continue
                    edge = room.edges[t, x * width + y] if t > 0 else 0.0
                    found = best[t, k, x] + edge + room.nodes[t, y]
                    if found > best[t + 1, end, y]:
                        best[t + 1, end, y] = found
                        back[t + 1, end, y, 0], back[t + 1, end, y, 1] = k, x
        before = width
    y = int(np.argmax(best[n, n_written]))
    highest = best[n, n_written, y]
    if highest == -np.inf:
        return np.zeros(0, np.int32), highest
    path, k = np.zeros(n, np.int32), n_written
    for t in range(n, 0, -1):
        path[t - 1] = chain.choices[chain.choice_starts[string[t - 1]] + y]
        k, y = back[t, k, y, 0], back[t, k, y, 1]
    return path, highest
