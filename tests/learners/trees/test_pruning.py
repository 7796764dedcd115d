"""Pruning: beta quantiles, the least cost over all subtrees, cross-validation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from glyphone.data.kernels import jit
from glyphone.learners.trees import growing as tree_growing
from glyphone.learners.trees import pruning as tree_pruning
from glyphone.learners.trees import pruning_kernels
from glyphone.learners.trees.growing import GrowingOptions
from glyphone.learners.trees.growing_kernels import Grown
from tests.learners.trees.test_growing import data, fit, same

Array = Any


@given(st.integers(1, 500), st.integers(0, 500), st.sampled_from([0.05, 0.25, 0.5]))
def test_expected_errors_are_a_quantile(n: int, e: int, confidence: float) -> None:
    e = min(e, n)
    q = 1.0 if e == n else beta.ppf(1 - confidence, e + 1, n - e)
    found = tree_pruning.expected_errors(np.array([n, 1.0]), np.array([e, 0.0]), confidence)
    assert found[0] == pytest.approx(n * q)
    # Of n rows without errors: n * (1 - confidence ** (1 / n)).
    assert found[1] == pytest.approx(1 - confidence)


def whole(codes: Array, gold: Array, **options: Any) -> Grown:
    widths, weights = codes.max(axis=0).astype(int) + 2, np.ones(len(codes))
    found = tree_growing.grow_unpruned(
        codes, gold, widths, 3, weights, GrowingOptions(**options), ()
    )
    return found[1]


def children(grown: Grown, node: int) -> list[int]:
    return np.flatnonzero(grown.parents == node).tolist()


def least(grown: Grown, node: int, alone: Array, margin: float) -> tuple[float, set[int]]:
    """The cost of the pruned subtree below a node, and its leaves, by recursion."""
    below = [least(grown, child, alone, margin) for child in children(grown, node)]
    cost = sum(found for found, _ in below)
    if not below or alone[node] <= cost + margin:
        return alone[node], {node}
    return cost, set().union(*(leaves for _, leaves in below))


@pytest.mark.parametrize("seed", range(12))
def test_pruned_trees_are_those_of_the_recursion(seed: int) -> None:
    codes, gold = data(seed, n=150)
    grown = whole(codes, gold)
    inner = grown.attributes < 0
    upper = tree_pruning.expected_errors(grown.totals, grown.errors, 0.25)
    leaves = tree_pruning.pessimistic_leaves(grown, inner, 0.25)
    found = np.flatnonzero(leaves & tree_pruning.reached_nodes(grown, leaves))
    assert set(found.tolist()) == least(grown, 0, upper, 0.1)[1]
    for alpha in (0.0, 0.004, 0.01, 0.05, 1.0):
        leaves = tree_pruning.cost_complexity_leaves(grown, inner, alpha)
        found = np.flatnonzero(leaves & tree_pruning.reached_nodes(grown, leaves))
        assert set(found.tolist()) == least(grown, 0, grown.errors / 150 + alpha, 1e-12)[1]
    assert found.tolist() == [0]


def test_both_tiers_collapse_alike() -> None:
    grown = whole(*data(3, n=150))
    leaves, alone = grown.attributes < 0, grown.errors + 0.7
    fast = jit.compiled(pruning_kernels)
    arrays = grown.parents, leaves, alone, 0.1
    assert np.array_equal(fast.collapsed_nodes(*arrays), pruning_kernels.collapsed_nodes(*arrays))
    ends, classes = np.flatnonzero(leaves), np.flatnonzero(leaves) % 3
    decisions = np.arange(len(leaves)) % 3
    two = [
        kernels.count_mistakes(grown.parents, decisions, ends, classes, ends * 0.5)
        for kernels in (fast, pruning_kernels)
    ]
    assert np.array_equal(two[0], two[1])
    assert two[0][0][0] == (ends * 0.5)[decisions[0] != classes].sum()


def test_a_greater_alpha_makes_smaller_trees_and_confidence_too() -> None:
    codes, gold = data(1, n=400, values=6)
    by_alpha = [len(fit(codes, gold, confidence=None, ccp_alpha=a).nodes) for a in (0, 0.005, 1)]
    assert by_alpha[0] > by_alpha[1] > by_alpha[2] == 1
    by_confidence = [len(fit(codes, gold, confidence=c).nodes) for c in (None, 0.5, 0.25, 0.001)]
    assert by_confidence == sorted(by_confidence, reverse=True)
    assert by_confidence[0] > by_confidence[2] > by_confidence[3]


def test_cross_validation_prunes_noise_and_keeps_what_holds() -> None:
    random = np.random.default_rng(0)
    codes = random.integers(0, 4, (600, 4)).astype(np.uint8)
    noise = random.integers(0, 2, 600)
    signal = np.where(random.random(600) < 0.1, 1 - codes[:, 0] % 2, codes[:, 0] % 2)
    options: dict[str, Any] = {
        "options": GrowingOptions(confidence=None, seed=4),
        "weights": np.ones(600),
    }
    widths = np.full(4, 5)
    sizes = []
    for gold in (noise, signal):
        alpha = tree_growing.choose_alpha(codes, gold, widths, 2, **options)
        assert alpha == tree_growing.choose_alpha(codes, gold, widths, 2, **options)
        sizes.append(len(fit(codes, gold, confidence=None, ccp_alpha=alpha).nodes))
    assert sizes[0] <= 20
    assert sizes[1] == 3


def test_rows_of_a_group_are_not_in_two_parts() -> None:
    # Each row is there ten times with a class of its own: only groups can tell that it is noise.
    random = np.random.default_rng(1)
    codes = np.repeat(random.integers(0, 9, (40, 4)), 10, axis=0).astype(np.uint8)
    groups, gold = np.repeat(np.arange(40), 10), np.repeat(random.integers(0, 2, 40), 10)
    options: dict[str, Any] = {"options": GrowingOptions(confidence=None), "weights": np.ones(400)}
    alone = tree_growing.choose_alpha(codes, gold, np.full(4, 10), 2, **options)
    together = tree_growing.choose_alpha(codes, gold, np.full(4, 10), 2, groups=groups, **options)
    assert together > alone


def test_no_pruning_is_the_tree_as_it_has_grown() -> None:
    codes, gold = data(2)
    grown = whole(codes, gold)
    tree = fit(codes, gold, confidence=None)
    assert np.array_equal(tree.parents, grown.parents)
    assert np.array_equal(tree.errors(), grown.errors)
    assert not same(tree, fit(codes, gold, confidence=0.1))
