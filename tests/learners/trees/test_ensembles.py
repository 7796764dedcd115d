"""Ensembles: scikit-learn's checks, seeds, jobs, weights, and that they are better than a tree."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from glyphone.data.errors import GlyphoneError
from glyphone.learners.trees.ensembles import SymbolicBoosting, SymbolicForest
from glyphone.learners.trees.estimator import SymbolicTree

BOTH = [SymbolicForest, SymbolicBoosting]


def table(seed: int, n: int = 500) -> tuple[Any, Any]:
    """Classes that many columns together tell of, each a little, and chance."""
    random = np.random.default_rng(seed)
    codes = random.integers(0, 4, (n, 9))
    sums = (codes % 2).sum(axis=1)
    return np.array(list("wxyz"))[codes], np.where(random.random(n) < 0.1, 5, sums // 3)


@pytest.mark.parametrize("kind", BOTH)
def test_scikit_learn_finds_nothing_wrong(kind: Any) -> None:
    results = check_estimator(kind(n_trees=5), on_skip=None)
    assert sum(result["status"] == "passed" for result in results) > 50


@pytest.mark.parametrize("kind", BOTH)
def test_many_trees_know_more_than_one(kind: Any) -> None:
    X, y = table(0)
    many = kind(n_trees=25, confidence=None, random_state=0).fit(X, y)
    one = SymbolicTree(splits="binary", criterion="gain").fit(X, y)
    assert many.score(*table(1)) > one.score(*table(1)) + 0.03
    assert many.predict_proba(X).sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("kind", BOTH)
def test_the_seed_decides(kind: Any) -> None:
    X, y = table(0, 150)
    first, again, other = (kind(n_trees=4, random_state=s).fit(X, y) for s in (1, 1, 2))
    assert np.array_equal(first.predict_proba(X), again.predict_proba(X))
    assert not np.array_equal(first.predict_proba(X), other.predict_proba(X))
    assert np.array_equal(
        pickle.loads(pickle.dumps(first)).predict_proba(X), first.predict_proba(X)
    )
    assert clone(first).get_params() == first.get_params()


@pytest.mark.parametrize("bootstrap", [False, True])
def test_forests_do_not_depend_on_jobs(bootstrap: bool) -> None:
    X, y = table(0, 200)
    options: dict[str, Any] = {"n_trees": 6, "bootstrap": bootstrap, "random_state": 5}
    one, four = (SymbolicForest(n_jobs=jobs, **options).fit(X, y) for jobs in (1, 4))
    for tree, other in zip(one.trees_, four.trees_, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(tree, other, strict=True))


def test_a_bootstrap_leaves_rows_out() -> None:
    X, y = table(0, 200)
    forest = SymbolicForest(n_trees=3, bootstrap=True, random_state=5).fit(X, y)
    drawn = [set(np.round(tree.totals[:1]).tolist()) for tree in forest.trees_]
    assert drawn == [{200.0}] * 3
    plain = SymbolicForest(n_trees=3, random_state=5).fit(X, y)
    assert not np.array_equal(plain.trees_[0].counts, forest.trees_[0].counts)


def test_boosting_looks_at_what_is_hard() -> None:
    X, y = table(0)
    hard = np.flatnonzero(y == 5)
    boosting = SymbolicBoosting(n_trees=2, max_depth=2, random_state=0).fit(X, y)
    flat = SymbolicBoosting(n_trees=2, max_depth=2, emphasis=0, random_state=0).fit(X, y)
    share = [float(e.trees_[1].counts[: e.trees_[1].starts[1]][-1]) for e in (flat, boosting)]
    assert share[0] == len(hard)
    assert share[1] > 1.2 * share[0]
    assert boosting.trees_[1].totals[0] == pytest.approx(len(y))


def test_options_are_refused() -> None:
    X, y = table(0, 20)
    with pytest.raises(GlyphoneError, match="n_trees is 0"):
        SymbolicForest(n_trees=0).fit(X, y)
    with pytest.raises(GlyphoneError, match="emphasis is -1"):
        SymbolicBoosting(emphasis=-1).fit(X, y)
