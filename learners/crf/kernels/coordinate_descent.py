"""Kernels of block coordinate descent.

>>> weights = np.zeros(2)
>>> settle_weights(weights, np.array([-2.0, -0.3]), np.array([1.0, 1.0]), 0.5, 0.0)
>>> weights.round(6).tolist()
[0.5, 0.0]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.learners.crf.kernels.arrays import Data, Family, Room, Space

kernels = sibling(__name__, "glyphone.learners.crf.kernels.sums")
write_scores, write_exponentials = kernels.write_scores, kernels.write_exponentials
write_forward_sums, write_posteriors = kernels.write_forward_sums, kernels.write_posteriors

Array = Any
KAPPA = 1.5
# The least curvature, so that nothing is divided by zero.
LEAST = 1e-6


@leaf
def settle_weights(weights: Array, slopes: Array, bends: Array, rho1: float, rho2: float) -> None:
    """Put weights to where their parabolas are smallest.

    Those that would stay at zero under any curvature have no say in how much larger it is made.
    """
    larger = 1.0
    for k in range(len(weights)):
        bends[k] = max(bends[k], LEAST)
        if weights[k] != 0.0 or abs(slopes[k]) > rho1:
            larger = max(larger, abs(slopes[k]) / bends[k])
    for k in range(len(weights)):
        bend = bends[k] * larger * KAPPA
        z = bend * weights[k] - slopes[k]
        size = max(abs(z) - rho1, 0.0) / (bend + rho2)
        weights[k] = size if z > 0.0 else 0.0 - size


@leaf
def load_weights(
    weights: Array, family: Family, test: int, whole: Family, into: Array, chosen: Array
) -> int:
    """Write all weights of a test, zeros too, and their cells; return their number."""
    at, k = whole.cells_at[test], family.firsts[test]
    n = whole.lasts[test] - whole.firsts[test]
    for j in range(n):
        chosen[j], into[j] = whole.cells[at + j], 0.0
        if k < family.lasts[test] and family.cells[k] == chosen[j]:
            into[j] = weights[k]
            k += 1
    return int(n)


@leaf
def store_weights(
    weights: Array, family: Family, test: int, used: int, values: Array, chosen: Array
) -> int:
    """Store the weights of a test that are not zero, behind all others if they are more than they
    were, and return the number of places in use.
    """
    n = 0
    for j in range(len(values)):
        n += values[j] != 0.0
    if n > family.lasts[test] - family.firsts[test]:
        family.firsts[test] = used
        used += n
    k = family.firsts[test]
    for j in range(len(values)):
        if values[j] != 0.0:
            weights[k], family.cells[k] = values[j], chosen[j]
            k += 1
    family.lasts[test] = k
    return used


@leaf
def settle_block(
    weights: Array, family: Family, whole: Family, test: int, used: int, slopes: Array,
    bends: Array, rho1: float, rho2: float, scratch: Array, chosen: Array,
) -> int:  # fmt: skip
    """Settle the weights of a test, if there is one, given slopes and curvatures of all cells."""
    if test < 0:
        return used
    n = load_weights(weights, family, test, whole, scratch[0], chosen)
    for j in range(n):
        scratch[1, j], scratch[2, j] = slopes[chosen[j]], bends[chosen[j]]
    settle_weights(scratch[0, :n], scratch[1, :n], scratch[2, :n], rho1, rho2)
    return int(store_weights(weights, family, test, used, scratch[0, :n], chosen))


@leaf
def add_slopes(
    space: Space, data: Data, places: Array, room: Room, s: int, t: int, of_labels: bool,
    of_pairs: bool, nodes: Array, edges: Array,
) -> None:  # fmt: skip
    """Add the slopes and curvatures of one position to `nodes`, and to `edges`, those of pairs."""
    first, label, edge = data.bounds[s], data.labels[t], data.edges[t]
    if of_labels:
        for y in range(space.n_labels):
            e = room.nodes[t - first, y]
            nodes[0, y] += e
            nodes[1, y] += e * (1.0 - e)
        nodes[0, label] -= 1.0
    if of_pairs and t > first:
        alphas, values = room.alphas[t - first - 1], room.values[t - first]
        for p in range(len(space.befores)):
            e = room.edges[edge, p] * alphas[space.befores[p]] * values[space.afters[p]]
            edges[0, p] += e
            edges[1, p] += e * (1.0 - e)
        pair = places[data.labels[t - 1], label]
        if pair >= 0:
            edges[0, pair] -= 1.0


@kernel
def descend(
    weights: Array, smaller: Space, space: Space, data: Data, places: Array, room: Room,
    blocks: Any, begin: int, end: int, used: Array, rho1: float, rho2: float,
) -> int:  # fmt: skip
    """Settle the weights of some blocks, one after the other; return the first that had no room.

    `smaller` are the weights that are not zero, used[0] how many places of them are taken.
    """
    n_labels, n_pairs = space.n_labels, len(space.befores)
    nodes, edges = np.empty((2, n_labels)), np.empty((2, n_pairs))
    scratch = np.empty((3, max(n_labels, n_pairs)))
    chosen = np.empty(max(n_labels, n_pairs), np.int32)
    for b in range(begin, end):
        if used[0] + n_labels + n_pairs > len(weights):
            return b
        test, other = blocks.unigrams[b], blocks.bigrams[b]
        nodes[:, :], edges[:, :] = 0.0, 0.0
        k = blocks.starts[b]
        while k < blocks.starts[b + 1]:
            s, begun = blocks.sequences[blocks.positions[k]], k
            while k < blocks.starts[b + 1] and blocks.sequences[blocks.positions[k]] == s:
                k += 1
            first = data.bounds[s]
            low, high = blocks.positions[begun] - first, blocks.positions[k - 1] - first + 1
            write_scores(weights, smaller, data, s, True, room)
            write_exponentials(space, data, s, room)
            write_forward_sums(space, data, s, high, room)
            write_posteriors(space, data, s, low, high, room)
            for i in range(begun, k):
                t = blocks.positions[i]
                add_slopes(space, data, places, room, s, t, test >= 0, other >= 0, nodes, edges)
        used[0] = settle_block(
            weights, smaller.unigrams, space.unigrams, test, used[0], nodes[0], nodes[1], rho1,
            rho2, scratch, chosen,
        )  # fmt: skip
        used[0] = settle_block(
            weights, smaller.bigrams, space.bigrams, other, used[0], edges[0], edges[1], rho1,
            rho2, scratch, chosen,
        )  # fmt: skip
    return end
