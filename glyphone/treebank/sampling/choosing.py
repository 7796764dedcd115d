"""Choices among the sampled trees of a forest: the most frequent, random ones, or the best.

>>> trees = Counter({(0, 2): 5, (1, 2): 3, (0, 3): 2})
>>> frequent_trees(trees, 2)
[((0, 2), 0.5), ((1, 2), 0.3)]
>>> drawn = random_trees(trees, 1000, np.random.default_rng(1))
>>> 450 < sum(tree == (0, 2) for tree, _ in drawn) < 550
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import Literal

import numpy as np

from glyphone.fst.forests.forest import Forest
from glyphone.fst.forests.weighted import WeightedForest

# The choices of a tree, and its frequency or probability.
Chosen = tuple[tuple[int, ...], float]
TreeChoice = Literal["frequent", "sampled", "best"]
Trees = Counter[tuple[int, ...]]
# A key of derivations: derivations with equal keys are one tree.
Alike = Callable[[Forest, tuple[int, ...]], Hashable]


def order_key(forest: Forest, tree: tuple[int, ...]) -> Hashable:
    """The key by which derivations of the same words in the same order are one tree."""
    return tuple(forest.leaves_of(tree))


def derivation_key(forest: Forest, tree: tuple[int, ...]) -> Hashable:
    """The key by which each derivation is a tree of its own."""
    return tree


def merge_alike(forest: Forest, trees: Trees, alike: Alike) -> Trees:
    """Counts of trees; of derivations that are one tree the most frequent stands for all."""
    firsts: dict[Hashable, tuple[int, ...]] = {}
    merged = Trees()
    for tree in sorted(trees, key=lambda tree: (-trees[tree], tree)):
        merged[firsts.setdefault(alike(forest, tree), tree)] += trees[tree]
    return merged


def frequent_trees(trees: Trees, n: int) -> list[Chosen]:
    """The n most frequent trees with their frequencies; ties go to the earlier choices."""
    order = sorted(trees, key=lambda tree: (-trees[tree], tree))
    return [(tree, trees[tree] / trees.total()) for tree in order[:n]]


def random_trees(trees: Trees, n: int, random: np.random.Generator) -> list[Chosen]:
    """n draws from the sampled trees by their counts, each with its frequency."""
    order = sorted(trees)
    shares = np.array([trees[tree] for tree in order]) / trees.total()
    places = random.choice(len(order), size=n, p=shares).tolist()
    return [(order[place], float(shares[place])) for place in places]


def best_trees(weighted: WeightedForest, n: int, alike: Alike) -> list[Chosen]:
    """The n best trees, given the parameters, with their probabilities.

    The best derivation stands for a tree; others among the best derivations add to its probability.
    """
    asked = n
    while True:
        firsts: dict[Hashable, tuple[int, ...]] = {}
        shares: dict[tuple[int, ...], float] = {}
        several = weighted.n_best(asked)
        for choices, share in several:
            tree = tuple(choices.tolist())
            first = firsts.setdefault(alike(weighted.forest, tree), tree)
            shares[first] = shares.get(first, 0.0) + share
        if len(shares) >= n or len(several) < asked:
            return [*shares.items()][:n]
        asked *= 2
