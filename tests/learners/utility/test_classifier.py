"""The classifier: scikit-learn's checks, what it is better at, edge cases, bad input."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, fbeta_score, recall_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from glyphone.data.errors import GlyphoneError
from glyphone.learners.utility.classifier import UtilityLogisticRegression

Array = Any


@parametrize_with_checks([UtilityLogisticRegression()])
def test_scikit_learn_finds_nothing_wrong(estimator: Any, check: Any) -> None:
    check(estimator)


def skewed(seed: int, n: int = 1500) -> tuple[Array, Array]:
    return make_classification(
        n, 12, n_informative=6, n_clusters_per_class=3, weights=[0.9], random_state=seed
    )


def test_f_is_above_maximum_likelihood() -> None:
    X, y = skewed(0)
    likely = make_pipeline(StandardScaler(), LogisticRegression()).fit(X[:800], y[:800])
    for_f = UtilityLogisticRegression().fit(X[:800], y[:800])
    ours, theirs = (f1_score(y[800:], one.predict(X[800:])) for one in (for_f, likely))
    assert ours > theirs + 0.1


def test_alpha_weighs_recall() -> None:
    X, y = skewed(1)
    recalls = [
        recall_score(y, UtilityLogisticRegression(alpha=alpha).fit(X, y).predict(X))
        for alpha in (0.25, 0.5, 0.75, 0.95)
    ]
    assert recalls == sorted(recalls)
    assert recalls[-1] > recalls[0] + 0.2


def test_each_alpha_is_best_at_its_own_f() -> None:
    X, y = skewed(2, 3000)
    found = {
        alpha: UtilityLogisticRegression(alpha=alpha, pull=0.1).fit(X, y).predict(X)
        for alpha in (0.25, 0.75)
    }
    for alpha, other in ((0.25, 0.75), (0.75, 0.25)):
        beta = (alpha / (1 - alpha)) ** 0.5
        assert fbeta_score(y, found[alpha], beta=beta) > fbeta_score(y, found[other], beta=beta)


def test_sensitivity_and_specificity() -> None:
    X, y = skewed(3)
    balanced, likely = (
        one.fit(X, y).predict(X)
        for one in (
            UtilityLogisticRegression(utility="sensitivity-specificity"),
            LogisticRegression(),
        )
    )

    def both(predicted: Array) -> float:
        return recall_score(y, predicted) + recall_score(y, predicted, pos_label=0)

    assert both(balanced) > both(likely) + 0.1


def test_names_and_what_they_stand_for_are_one() -> None:
    X, y = skewed(4, 300)
    named = UtilityLogisticRegression(alpha=0.3).fit(X, y)
    written = UtilityLogisticRegression(
        utility="hits / (hits + 0.3 * misses + 0.7 * false_alarms)"
    ).fit(X, y)
    assert named.coef_ == pytest.approx(written.coef_, rel=1e-4, abs=1e-6)


def test_the_positive_class_may_be_any() -> None:
    X, y = skewed(5, 400)
    names = np.where(y == 1, "a rare one", "many")
    rare = UtilityLogisticRegression(positive="a rare one").fit(X, names)
    same = UtilityLogisticRegression().fit(X, y)
    assert (rare.predict(X) == "a rare one").tolist() == (same.predict(X) == 1).tolist()
    assert rare.coef_ == pytest.approx(-same.coef_)
    assert rare.predict_proba(X)[:, 0] == pytest.approx(same.predict_proba(X)[:, 1])
    other = UtilityLogisticRegression(positive="many").fit(X, names)
    assert (other.predict(X) == "many").sum() > (rare.predict(X) == "many").sum()


def test_sparse_rows_learn_the_same() -> None:
    X, y = skewed(6, 400)
    X = np.where(np.abs(X) > 1, X, 0)
    full, thin = (UtilityLogisticRegression().fit(x, y) for x in (X, sparse.csr_array(X)))
    assert thin.coef_ == pytest.approx(full.coef_, rel=1e-3, abs=1e-5)
    assert np.array_equal(thin.predict(sparse.csc_array(X)), full.predict(X))


def test_pipelines_grids_and_pickles() -> None:
    X, y = skewed(7, 400)
    learner = make_pipeline(MaxAbsScaler(), UtilityLogisticRegression(standardize=False))
    grid = GridSearchCV(
        learner, {"utilitylogisticregression__pull": [0.1, 10.0]}, scoring="f1", cv=3
    )
    grid.fit(sparse.csr_array(X), y)
    assert grid.best_score_ > f1_score(y, np.ones(400))
    again = pickle.loads(pickle.dumps(grid.best_estimator_))
    assert np.array_equal(again.predict_proba(X), grid.best_estimator_.predict_proba(X))
    one = UtilityLogisticRegression(sharpness=(1.0, 3.0), restarts=2)
    assert clone(one).get_params() == one.get_params()


def test_fitted_attributes_are_plain() -> None:
    fitted = vars(UtilityLogisticRegression().fit(*skewed(8, 200)))
    kinds = {name: type(value) for name, value in fitted.items() if name.endswith("_")}
    assert kinds == {
        "classes_": np.ndarray, "coef_": np.ndarray, "intercept_": np.ndarray,
        "utilities_": np.ndarray, "utility_": float, "n_iter_": int, "n_features_in_": int,
    }  # fmt: skip


def test_restarts_are_told_and_the_seed_decides() -> None:
    X, y = [[0.0], [1], [2], [3]], [1, 0, 1, 1]
    options: dict[str, Any] = {"alpha": 0.25, "pull": 0.0}
    found = UtilityLogisticRegression(restarts=30, random_state=1, **options).fit(X, y)
    assert found.utilities_.shape == (31,)
    assert found.utility_ == found.utilities_.max() == pytest.approx(8 / 9, abs=1e-3)
    assert np.ptp(found.utilities_) > 0.05
    again = UtilityLogisticRegression(restarts=30, random_state=1, **options).fit(X, y)
    assert np.array_equal(found.utilities_, again.utilities_)


def test_warnings_of_too_few_steps_and_starts() -> None:
    X, y = skewed(9, 300)
    with pytest.warns(ConvergenceWarning, match="max_iter = 2 steps; give more"):
        UtilityLogisticRegression(max_iter=2).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="only one of 2 starts found"):
        UtilityLogisticRegression(
            restarts=1, pull=0.0, random_state=0, sharpness=10.0, max_iter=5000
        ).fit(X[:60], y[:60])


def test_edge_cases() -> None:
    X, y = skewed(10, 100)
    one = np.zeros(100, int)
    one[3] = 1
    assert UtilityLogisticRegression(pull=0.0).fit(X, one).predict(X)[3] == 1
    flat = UtilityLogisticRegression().fit(np.full((100, 1), 0.1), y)
    assert flat.coef_.tolist() == [[0.0]]
    apart = np.linspace(-1, 1, 100)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        free = UtilityLogisticRegression(pull=0.0, C=np.inf).fit(apart, apart[:, 0] > 0.5)
    assert np.array_equal(free.predict(apart), apart[:, 0] > 0.5)
    assert np.isfinite(free.coef_).all()
    every = UtilityLogisticRegression(alpha=1.0).fit(X, y)
    assert every.predict(X).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0}, r"alpha is 0 \(it must be above 0 and at most 1\)"),
        ({"pull": -1}, r"pull is -1 \(it must be 0 or more, and finite\)"),
        ({"C": 0}, "C is 0"),
        ({"sharpness": ()}, r"sharpness is \(\)"),
        ({"sharpness": (1, -1)}, "give numbers above 0"),
        ({"restarts": -1}, "restarts is -1"),
        ({"utility": "hit"}, r"no number named 'hit' \(did you mean hits\?\)"),
        ({"positive": 7}, r"positive class 7 is not in the data \(classes are \[0, 1\]\)"),
    ],
)
def test_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        UtilityLogisticRegression(**options).fit([[0.0], [1.0]], [0, 1])


def test_bad_data_are_refused() -> None:
    X = [[0.0], [1.0], [2.0]]
    with pytest.raises(GlyphoneError, match="only one class, 'drop', in 3 rows"):
        UtilityLogisticRegression().fit(X, ["drop"] * 3)
    with pytest.raises(GlyphoneError, match="only one class, 0, in 3 rows"):
        UtilityLogisticRegression().fit(X, [0, 1, 0], sample_weight=[1, 0, 1])
    with pytest.raises(GlyphoneError, match="There are 3 classes: 0, 1, 2"):
        UtilityLogisticRegression().fit(X, [0, 1, 2])
    with pytest.raises(ValueError, match="NaN"):
        UtilityLogisticRegression().fit([[0.0], [np.nan], [1.0]], [0, 1, 0])
