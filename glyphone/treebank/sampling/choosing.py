"""Which of the sampled trees are written: the most frequent, some at random, or the best.

>>> trees = Counter({(0, 2): 5, (1, 2): 3, (0, 3): 2})
>>> frequent(trees, 2)
[((0, 2), 0.5), ((1, 2), 0.3)]
>>> drawn = at_random(trees, 1000, np.random.default_rng(1))
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
Way = Literal["frequent", "sampled", "best"]
Trees = Counter[tuple[int, ...]]
# What a tree is, of which there may be several derivations.
Alike = Callable[[Forest, tuple[int, ...]], Hashable]


def by_order(forest: Forest, tree: tuple[int, ...]) -> Hashable:
    """The same words in the same order are one tree."""
    return tuple(forest.leaves_of(tree))


def by_choices(forest: Forest, tree: tuple[int, ...]) -> Hashable:
    """Each derivation is a tree."""
    return tree


def together(forest: Forest, trees: Trees, alike: Alike) -> Trees:
    """Trees that are alike as one, which is the most frequent of them."""
    firsts: dict[Hashable, tuple[int, ...]] = {}
    found = Trees()
    for tree in sorted(trees, key=lambda tree: (-trees[tree], tree)):
        found[firsts.setdefault(alike(forest, tree), tree)] += trees[tree]
    return found


def frequent(trees: Trees, n: int) -> list[Chosen]:
    """The most frequent, with their frequencies; of equals those of the earlier choices."""
    order = sorted(trees, key=lambda tree: (-trees[tree], tree))
    return [(tree, trees[tree] / trees.total()) for tree in order[:n]]


def at_random(trees: Trees, n: int, random: np.random.Generator) -> list[Chosen]:
    """Draws from those sampled, one as likely as another, each with its frequency."""
    order = sorted(trees)
    shares = np.array([trees[tree] for tree in order]) / trees.total()
    places = random.choice(len(order), size=n, p=shares).tolist()
    return [(order[place], float(shares[place])) for place in places]


def best(weighted: WeightedForest, n: int, alike: Alike) -> list[Chosen]:
    """The best of all trees, given the parameters, with their probabilities.

    Of those that are alike the best counts, and others among the best add to its probability.
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
