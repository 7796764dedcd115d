"""Pruning: subtrees that become leaves.

Pessimistic error pruning (Quinlan 1993): n rows with e errors are expected to have

    U(n, e) = n * q,   q = the (1 - confidence) quantile of Beta(e + 1, n - e), 1 if e = n

errors in new data, and a subtree is a leaf if that has no more than its leaves in all, plus 0.1.

Cost-complexity pruning (Breiman, Friedman, Olshen and Stone 1984): of all subtrees that of the
least

    errors / rows + alpha * leaves

and the smallest of several.

>>> [round(float(u), 2) for u in expected_errors(np.array([6.0, 2.0]), np.array([0.0, 2.0]), 0.25)]
[1.24, 2.0]
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from glyphone.data.kernels import jit
from glyphone.learners.trees import pruning_kernels
from glyphone.learners.trees.growing_kernels import Grown

Array = Any
# A subtree must be expected to save so many errors.
WORTH = 0.1
# Costs of a leaf, in errors, that cross-validation chooses from.
ALPHAS = (0.0, *(0.05 * 2 ** (step / 2) for step in range(24)))


def expected_errors(totals: Array, errors: Array, confidence: float) -> Array:
    """U(n, e) of leaves."""
    from scipy.special import betaincinv

    pairs, places = np.unique(np.stack([totals, errors], axis=1), axis=0, return_inverse=True)
    n, e = pairs.T
    some = e < n
    upper = betaincinv(e + 1, np.where(some, n - e, 1), 1 - confidence)
    return (n * np.where(some, upper, 1.0))[places.reshape(-1)]


def pessimistic_leaves(grown: Grown, leaves: Array, confidence: float) -> Array:
    """Whether each node is a leaf of the pruned tree, or lies below one, by expected errors."""
    alone = expected_errors(grown.totals, grown.errors, confidence)
    return _kernels(grown).collapsed_nodes(grown.parents, leaves, alone, WORTH)


def cost_complexity_leaves(grown: Grown, leaves: Array, alpha: float) -> Array:
    """Whether each node is a leaf or lies below one, at the least cost with `alpha` a leaf."""
    # Sums of shares are compared, which equal ones must not fail by a rounding error.
    alone = grown.errors / grown.totals[0] + alpha
    return _kernels(grown).collapsed_nodes(grown.parents, leaves, alone, 1e-12)


def reached_nodes(grown: Grown, leaves: Array) -> Array:
    """Whether each node has no leaf above it."""
    return _kernels(grown).reached_nodes(grown.parents, leaves)


def best_alpha(
    trees: Sequence[tuple[Grown, Array, Array]], alphas: Sequence[float] = ALPHAS
) -> float:
    """The alpha whose trees make the fewest mistakes, the greatest of several.

    Beside each tree stand the mistakes, on rows that it has not grown from, about those that come
    by and those that end at each node: see
    `glyphone.learners.trees.pruning_kernels.count_mistakes`.
    """
    least, best = np.inf, 0.0
    for alpha in alphas:
        found = 0.0
        for grown, passing, ending in trees:
            leaves = cost_complexity_leaves(grown, grown.attributes < 0, alpha / grown.totals[0])
            here = reached_nodes(grown, leaves)
            found += passing[here & leaves].sum() + ending[here & ~leaves].sum()
        if found <= least + 1e-9:
            least, best = found, alpha
    return best


def _kernels(grown: Grown) -> ModuleType:
    return jit.tier(pruning_kernels, len(grown.parents))
