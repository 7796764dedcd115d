"""Ensembles of trees over symbols: a forest, and boosting.

Both average the class probabilities of their trees, each of which asks, at each node, about a
random few of the columns (Ho 1998; Breiman 2001). In a forest trees know nothing of each other.
In boosting a row that the trees before find hard weighs more: with p the mean probability that they
give to its class,

    1 + emphasis * (1 - p)

times its first weight. That is arcing (Breiman 1998) by probabilities. Where the same row
has several classes, as a spelling has several sounds, AdaBoost and its kin (SAMME: Zhu, Zou, Rosset
and Hastie 2009), whose weights grow exponentially, soon learn from nothing but such rows.

>>> X = [[first, second] for first in "abc" for second in "xyz"] * 3
>>> y = [first if second == "x" else second for first, second in X]
>>> forest = SymbolicForest(n_trees=5, random_state=0).fit(X, y)
>>> boosting = SymbolicBoosting(n_trees=5, random_state=0).fit(X, y)
>>> forest.score(X, y) > 0.9, boosting.predict([["a", "y"]]).tolist()
(True, ['y'])
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import jit
from glyphone.learners.trees import applying_kernels
from glyphone.learners.trees import growing as tree_growing
from glyphone.learners.trees.arrays import Tree
from glyphone.learners.trees.estimator import Questions, SymbolicClassifier, question_codes
from glyphone.learners.trees.growing import GrowingOptions

Array = Any


class SymbolicEnsemble(SymbolicClassifier):
    """Several trees that differ."""

    max_attributes: int | None

    def _options_for(self, seed: int) -> GrowingOptions:
        """Options of a tree that asks about half of the columns, rounded up, by default."""
        half = -(-self.n_features_in_ // 2)
        limit = half if self.max_attributes is None else self.max_attributes
        return self._growing_options(seed, max_attributes=limit)


class SymbolicForest(SymbolicEnsemble):
    """The mean of trees that differ by chance; options are those of `SymbolicTree`.

    `max_attributes` is half of the columns, rounded up, unless it is given. With `bootstrap`, each
    tree learns from rows drawn with replacement. The result does not depend on `n_jobs`.
    """

    def __init__(
        self,
        *,
        n_trees: int = 50,
        criterion: str = "gain",
        splits: str = "binary",
        questions: Questions | None = None,
        min_leaf: float = 2,
        min_split: float | None = None,
        max_depth: int | None = None,
        max_attributes: int | None = None,
        confidence: float | None = 0.25,
        ccp_alpha: float = 0.0,
        smoothing: float = 0.0,
        unseen: str = "stop",
        bootstrap: bool = False,
        n_jobs: int = 1,
        random_state: Any = None,
    ) -> None:
        self.n_trees = n_trees
        self.criterion = criterion
        self.splits = splits
        self.questions = questions
        self.min_leaf = min_leaf
        self.min_split = min_split
        self.max_depth = max_depth
        self.max_attributes = max_attributes
        self.confidence = confidence
        self.ccp_alpha = ccp_alpha
        self.smoothing = smoothing
        self.unseen = unseen
        self.bootstrap = bootstrap
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SymbolicForest:
        """Grows the trees, `n_jobs` at a time."""
        codes, classes, weights = self._encode_training(X, y, sample_weight)
        questions = question_codes(self.questions, self.columns_)
        seeds = seeds_of(self.random_state, self.n_trees)
        widths, n_classes = self.columns_.widths, len(self.classes_)

        def tree(seed: int) -> Tree:
            options = self._options_for(seed)
            drawn = bootstrap_weights(weights, seed) if self.bootstrap else weights
            return tree_growing.grow_tree(
                codes, classes, widths, n_classes, weights=drawn, options=options,
                questions=questions,
            )  # fmt: skip

        if self.n_jobs == 1:
            self.trees_ = tuple(map(tree, seeds))
        else:
            with ThreadPoolExecutor(self.n_jobs) as pool:
                self.trees_ = tuple(pool.map(tree, seeds))
        return self


class SymbolicBoosting(SymbolicEnsemble):
    """Trees for rows that the trees before find hard; options are those of `SymbolicTree`.

    A row that they surely get wrong weighs 1 + `emphasis` times one that they surely get right.
    `max_attributes` is half of the columns, rounded up, unless it is given.
    """

    def __init__(
        self,
        *,
        n_trees: int = 50,
        emphasis: float = 10.0,
        criterion: str = "gain",
        splits: str = "binary",
        questions: Questions | None = None,
        min_leaf: float = 2,
        min_split: float | None = None,
        max_depth: int | None = None,
        max_attributes: int | None = None,
        confidence: float | None = 0.25,
        ccp_alpha: float = 0.0,
        smoothing: float = 0.0,
        unseen: str = "stop",
        random_state: Any = None,
    ) -> None:
        self.n_trees = n_trees
        self.emphasis = emphasis
        self.criterion = criterion
        self.splits = splits
        self.questions = questions
        self.min_leaf = min_leaf
        self.min_split = min_split
        self.max_depth = max_depth
        self.max_attributes = max_attributes
        self.confidence = confidence
        self.ccp_alpha = ccp_alpha
        self.smoothing = smoothing
        self.unseen = unseen
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SymbolicBoosting:
        """Grows one tree after the other."""
        codes, classes, weights = self._encode_training(X, y, sample_weight)
        questions, n_classes = question_codes(self.questions, self.columns_), len(self.classes_)
        if not self.emphasis >= 0:
            raise GlyphoneError(f"emphasis is {self.emphasis}", remedy="it must be 0 or more")
        trees: list[Tree] = []
        found, hard = np.zeros(len(codes)), weights
        for seed in seeds_of(self.random_state, self.n_trees):
            tree = tree_growing.grow_tree(
                codes, classes, self.columns_.widths, n_classes, weights=hard,
                options=self._options_for(seed), questions=questions,
            )  # fmt: skip
            kernels = jit.tier(applying_kernels, codes.size)
            found += kernels.class_shares(tree, kernels.end_nodes(tree, codes), classes)
            trees.append(tree)
            hard = weights * (1 + self.emphasis * (1 - found / len(trees)))
            hard *= weights.sum() / hard.sum()
        self.trees_ = tuple(trees)
        return self


def seeds_of(random_state: Any, n_trees: int) -> list[int]:
    """A seed for each tree."""
    if n_trees < 1:
        raise GlyphoneError(f"n_trees is {n_trees}", remedy="it must be 1 or more")
    seeds: list[int] = check_random_state(random_state).randint(2**31 - 1, size=n_trees).tolist()
    return seeds


def bootstrap_weights(weights: Array, seed: int) -> Array:
    """The weights of rows times how often each is drawn; those without weight never are.

    >>> bootstrap_weights(np.array([1.0, 0.0, 2.0]), 0).tolist()
    [0.0, 0.0, 4.0]
    """
    rows = np.flatnonzero(weights > 0)
    drawn = np.random.default_rng(seed).integers(0, len(rows), len(rows))
    return weights * np.bincount(rows[drawn], minlength=len(weights))
