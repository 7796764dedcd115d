"""Kernels: a tree of which some nodes are made leaves. Children follow parents.

>>> parents, leaves = np.array([-1, 0, 0]), np.array([False, True, True])
>>> collapsed_nodes(parents, leaves, np.array([3.0, 1.0, 2.0]), 0.0).tolist()
[True, True, True]
>>> reached_nodes(parents, np.array([True, True, True])).tolist()
[True, False, False]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel

Array = Any


@kernel
def collapsed_nodes(parents: Array, leaves: Array, alone: Array, margin: float) -> Array:
    """Whether a node is a leaf, or costs no more `alone` than the leaves below it and a margin."""
    found, below = leaves.copy(), np.zeros(len(parents))
    for node in range(len(parents) - 1, -1, -1):
        if found[node] or alone[node] <= below[node] + margin:
            found[node] = True
            below[node] = alone[node]
        if node > 0:
            below[parents[node]] += below[node]
    return found


@kernel
def reached_nodes(parents: Array, leaves: Array) -> Array:
    """Whether each node has no leaf above it."""
    found = np.ones(len(parents), np.bool_)
    for node in range(1, len(parents)):
        found[node] = found[parents[node]] and not leaves[parents[node]]
    return found


@kernel
def count_mistakes(
    parents: Array, decisions: Array, ends: Array, classes: Array, weights: Array
) -> tuple[Array, Array]:
    """Wrong decisions about rows at each node: of those that come by, and of those that end."""
    passing, ending = np.zeros(len(parents)), np.zeros(len(parents))
    for i in range(len(ends)):
        node = ends[i]
        if decisions[node] != classes[i]:
            ending[node] += weights[i]
        while node >= 0:
            if decisions[node] != classes[i]:
                passing[node] += weights[i]
            node = parents[node]
    return passing, ending
