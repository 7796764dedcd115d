"""The estimator: scikit-learn's own checks, its tools, degenerate and missing input."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

from glyphone.data.errors import GlyphoneError
from glyphone.learners.trees.estimator import SymbolicTree
from glyphone.learners.trees.growing import SPLITS


def table(seed: int = 0, n: int = 120) -> tuple[Any, Any]:
    """Letters, and what the first sounds like before the second."""
    random = np.random.default_rng(seed)
    X = np.array(list("abceiou"))[random.integers(0, 7, (n, 3))]
    soft = np.isin(X[:, 1], list("ei"))
    y = np.where(X[:, 0] == "c", np.where(soft, "s", "k"), X[:, 0])
    return X, y


def test_scikit_learn_finds_nothing_wrong() -> None:
    results = check_estimator(SymbolicTree(), on_skip=None)
    assert sum(result["status"] == "passed" for result in results) > 50
    assert {result["status"] for result in results} <= {"passed", "skipped"}


@pytest.mark.parametrize("splits", SPLITS)
def test_what_can_be_learnt_is(splits: str) -> None:
    X, y = table(n=600)
    tree = SymbolicTree(splits=splits, min_leaf=1).fit(X, y)
    assert tree.score(*table(1)) == 1.0
    assert tree.predict(X).dtype == y.dtype


def test_clones_pickles_and_stands_in_pipelines_and_searches() -> None:
    X, y = table()
    tree = SymbolicTree(splits="binary", questions={"soft": "ei"}, random_state=3).fit(X, y)
    again = pickle.loads(pickle.dumps(tree))
    assert np.array_equal(again.predict_proba(X), tree.predict_proba(X))
    assert clone(tree).get_params() == tree.get_params()
    grid = {"criterion": ["gain", "gini"], "confidence": [None, 0.25], "max_depth": [0, None]}
    search = GridSearchCV(SymbolicTree(), grid, cv=3).fit(X, y)
    assert search.best_params_["max_depth"] is None
    assert search.best_score_ == 1.0
    lower = FunctionTransformer(np.char.lower)
    assert cross_val_score(make_pipeline(lower, tree), np.char.upper(X), y, cv=3).min() == 1.0


def test_probabilities_are_shares_and_smoothed_ones_never_nought() -> None:
    X, y = table(n=300)
    y[:60] = "k"
    tree = SymbolicTree(max_depth=1).fit(X, y)
    shares, nodes = tree.predict_proba(X), tree.apply(X)
    for node in np.unique(nodes):
        gold = y[nodes == node]
        expected = [(gold == label).mean() for label in tree.classes_]
        assert shares[nodes == node][0] == pytest.approx(expected)
    assert np.isneginf(tree.predict_log_proba(X)).any()
    smooth = SymbolicTree(max_depth=1, smoothing=1.0).fit(X, y)
    assert smooth.predict_proba(X).min() > 0
    assert smooth.predict_proba(X).sum(axis=1) == pytest.approx(1)
    assert np.isfinite(smooth.predict_log_proba(X)).all()
    assert np.array_equal(tree.classes_[shares.argmax(axis=1)], tree.predict(X))


def test_one_row_one_class_and_columns_that_say_nothing() -> None:
    assert SymbolicTree().fit([["a", "b"]], ["x"]).predict([["c", "d"]]).tolist() == ["x"]
    X, y = table()
    one = SymbolicTree().fit(X, np.full(len(y), "x"))
    assert one.predict_proba(X).tolist() == [[1.0]] * len(X)
    constant = SymbolicTree().fit(np.full((4, 2), "a"), ["p", "q", "q", "p"])
    assert len(constant.tree_.nodes) == 1
    assert constant.predict([["a", "z"]]).tolist() == ["p"]  # a tie: the first class
    assert constant.export_rules() == "otherwise -> p (4, 2)\n"


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.empty((0, 2)), [], "0 sample"),
        (np.empty((3, 0)), [0, 1, 0], "0 feature"),
        ([["a"]], ["x", "y"], "inconsistent numbers of samples"),
        ([["a"], ["b"]], [0.5, 1.5], "Unknown label type"),
    ],
)
def test_what_nothing_can_be_learnt_from_is_refused(X: Any, y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SymbolicTree().fit(X, y)


def test_weights_of_nought() -> None:
    X, y = table()
    weights = (np.arange(len(y)) % 2).astype(float)
    half = SymbolicTree().fit(X[1::2], y[1::2])
    assert SymbolicTree().fit(X, y, weights).export_rules() == half.export_rules()
    with pytest.raises(ValueError, match="non-zero"):
        SymbolicTree().fit(X, y, 0 * weights)


def test_missing_values_are_values() -> None:
    X = np.array([[1.0], [1.0], [np.nan], [np.nan], [2.0], [2.0]])
    y = ["a", "a", "b", "b", "a", "a"]
    tree = SymbolicTree().fit(X, y)
    assert tree.predict([[np.nan], [1.0]]).tolist() == ["b", "a"]
    assert "x0 in {missing} -> b (2, 0)" in tree.export_rules()
    mixed = np.array([["e"], ["e"], [None], [None], [3], [3]], object)
    assert SymbolicTree().fit(mixed, y).predict(mixed).tolist() == y
    never = SymbolicTree().fit(X[:2], y[:2])
    assert never.predict([[np.nan]]).tolist() == ["a"]


def test_rows_that_end_early_are_told() -> None:
    X, y = table()
    tree = SymbolicTree().fit(X, y)
    new = X[:3].copy()
    new[1, 0] = "z"
    assert tree.stops_early(new).tolist() == [False, True, False]
    assert tree.predict(new)[1] == SymbolicTree(max_depth=0).fit(X, y).predict(new)[1]
    assert not SymbolicTree(unseen="largest").fit(X, y).stops_early(new).any()


def test_questions_hold_for_values_that_no_row_had_there() -> None:
    rows = ["ba", "be", "bk", "bt", "ca", "ce", "ck", "ct", "ii"]
    X = [list(row) for row in rows]
    y = ["v", "v", "c", "c", "v", "v", "c", "c", "v"]
    tree = SymbolicTree(splits="questions", questions={"vowel": {1: "aeiou"}}).fit(X[:8], y[:8])
    assert tree.predict([["b", "o"]]).tolist() == ["c"]  # no row of training had o at all
    tree = SymbolicTree(splits="questions", questions={"vowel": "aeiou"}).fit(X, y)
    assert tree.predict([["b", "i"]]).tolist() == ["v"]
    with pytest.raises(GlyphoneError, match="question 'vowel' is about column 2"):
        SymbolicTree(questions={"vowel": {2: "aeiou"}}).fit(X, y)


def test_alpha_is_found_by_cross_validation() -> None:
    X, y = table(n=300)
    noisy = np.where(np.random.default_rng(0).random(len(y)) < 0.3, "b", y)
    options: dict[str, Any] = {"confidence": None, "min_leaf": 1, "splits": "binary"}
    whole = SymbolicTree(**options).fit(X, noisy)
    pruned = SymbolicTree(ccp_alpha="cv", cv=4, random_state=1, **options).fit(X, noisy)
    assert pruned.ccp_alpha_ > 0
    assert len(pruned.tree_.nodes) < len(whole.tree_.nodes)
    assert pruned.score(*table(1)) > whole.score(*table(1))
    again = SymbolicTree(ccp_alpha=pruned.ccp_alpha_, **options).fit(X, noisy)
    assert again.export_rules() == pruned.export_rules()


def test_options_are_refused_when_fitted() -> None:
    with pytest.raises(GlyphoneError, match="confidence is 2"):
        SymbolicTree(confidence=2).fit(*table())
    with pytest.raises(GlyphoneError, match="ccp_alpha"):
        SymbolicTree(ccp_alpha="cross").fit(*table())
    with pytest.raises(GlyphoneError, match="cv is 1"):
        SymbolicTree(ccp_alpha="cv", cv=1).fit(*table())
