"""Names put together into clusters by the probabilities that pairs of them are one.

Names that a chain of likely pairs joins make a component. Chains grow through names that could be
anybody's: J. Smith is likely to be John Smith, and likely to be Jane Smith. So a component is
divided again by complete linkage: groups are joined, the most alike first, as long as each name of
the one and each of the other are one with at least the probability of the threshold. Pairs that
nobody compared count as `UNLIKE`.

>>> pairs = np.array([[0, 1], [0, 2], [1, 2], [3, 4]])
>>> cluster(5, pairs, np.array([0.9, 0.8, 0.01, 0.7]), 0.5).tolist()
[0, 0, 1, 2, 2]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform
from scipy.special import logit

from glyphone.data.kernels.arrays import row_bounds

Array = Any
# Log odds of pairs that were not compared, and the most and least that any have.
UNLIKE: Final = -7.0
SURE: Final = 14.0
# The pairs of a component of more names are too many to be looked at.
LARGEST: Final = 1_000
LINKAGE: Final = "complete"


class Component(NamedTuple):
    """Names that are joined, in order, and the pairs of their places here, with their log odds."""

    names: Array
    pairs: Array
    odds: Array


def cluster(n: int, pairs: Array, probabilities: Array, threshold: float) -> Array:
    """The number of the cluster of each of n names; clusters are numbered by their first names."""
    with np.errstate(divide="ignore"):
        odds = np.clip(logit(probabilities), -SURE, SURE)
    edge = float(np.clip(logit(threshold), -SURE, SURE))
    found = np.arange(n)
    todo = [(Component(np.arange(n), pairs, odds), edge)]
    while todo:
        whole, level = todo.pop()
        for part in components(whole, level):
            if len(part.names) > LARGEST and level < SURE:
                todo.append((part, min(level + 1.0, SURE)))
            elif 2 < len(part.names) <= LARGEST:
                found[part.names] = part.names[divided(part, edge)]
            else:
                found[part.names] = part.names[0]
    return np.unique(found, return_inverse=True)[1]


def components(whole: Component, level: float) -> Iterator[Component]:
    """The components of several names by the pairs that have at least these log odds."""
    n, pairs = len(whole.names), whole.pairs
    kept = pairs[whole.odds >= level]
    graph = coo_matrix((np.ones(len(kept)), (kept[:, 0], kept[:, 1])), shape=(n, n))
    labels = connected_components(graph, directed=False)[1]
    order = np.argsort(labels, kind="stable")
    bounds = row_bounds(np.bincount(labels))
    places = np.empty(n, np.int64)
    places[order] = np.arange(n) - bounds[labels[order]]
    inside = np.flatnonzero(labels[pairs[:, 0]] == labels[pairs[:, 1]])
    inside = inside[np.argsort(labels[pairs[inside, 0]], kind="stable")]
    ends = row_bounds(np.bincount(labels[pairs[inside, 0]], minlength=len(bounds) - 1))
    for label in np.flatnonzero(np.diff(bounds) > 1).tolist():
        names = order[bounds[label] : bounds[label + 1]]
        own = inside[ends[label] : ends[label + 1]]
        yield Component(whole.names[names], places[pairs[own]], whole.odds[own])


def divided(part: Component, edge: float) -> Array:
    """For each name of a component the place, in it, of the first name of its group."""
    n = len(part.names)
    table = np.full((n, n), UNLIKE)
    i, j = part.pairs.T
    table[i, j] = table[j, i] = part.odds
    np.fill_diagonal(table, SURE)
    tree = linkage(squareform(SURE - table, checks=False), LINKAGE)
    labels = fcluster(tree, SURE - edge, "distance")
    return np.unique(labels, return_index=True)[1][labels - 1]
