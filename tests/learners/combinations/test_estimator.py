"""The classifier: scikit-learn's checks, rules, and values that it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction import DictVectorizer
from sklearn.utils.estimator_checks import parametrize_with_checks

from glyphone.data.errors import GlyphoneError
from glyphone.learners.combinations.arrays import Numbering
from glyphone.learners.combinations.estimator import CombinationClassifier
from tests.learners.combinations import twins

Array = Any


@parametrize_with_checks([CombinationClassifier()])
def test_scikit_learn_finds_nothing_wrong(estimator: Any, check: Any) -> None:
    check(estimator)


def test_probabilities_are_those_of_enumerated_products() -> None:
    X, y, _ = twins.drawn(1, n_labels=4, most=2.0)
    learner = CombinationClassifier(degree=3, rho1=0.1).fit(X, y)
    scores = np.tile(learner.intercept_, (len(X), 1))
    for row, weights in zip(learner.products_, learner.weights_.toarray(), strict=True):
        scores += X[:, row[row >= 0]].prod(axis=1)[:, None] * weights
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    assert np.allclose(learner.predict_proba(X), shares)
    assert np.allclose(np.exp(learner.predict_log_proba(X)), shares)
    assert (learner.predict(X) == shares.argmax(axis=1)).all()


def test_forms_and_orders_of_rows_change_nothing() -> None:
    X, y, _ = twins.drawn(2, n_labels=3)
    plain = CombinationClassifier(rho1=0.3).fit(X, y)
    order = np.random.default_rng(0).permutation(len(y))
    kinds = (sparse.csr_array, sparse.csc_matrix, sparse.coo_array)
    for other in (X[order], *(kind(X[order]) for kind in kinds)):
        learner = CombinationClassifier(rho1=0.3).fit(other, y[order])
        assert learner.objective_ == plain.objective_
        assert np.array_equal(learner.predict_proba(other), plain.predict_proba(X)[order])


def test_rules_come_strongest_first_with_their_names() -> None:
    rows = [{"noun": a, "verb": b, "far": c} for a in (0, 1) for b in (0, 1) for c in (0, 1)] * 9
    vectorizer = DictVectorizer()
    X = vectorizer.fit_transform(rows)
    y = ["yes" if row["noun"] and row["verb"] else "no" for row in rows]
    learner = CombinationClassifier(rho1=2.0).fit(X, y)
    lines = learner.export_rules(vectorizer.get_feature_names_out()).splitlines()
    assert lines[0].startswith("noun * verb -> yes  ")
    assert lines[1].startswith("constant -> no  ")
    weights = [float(line.split()[-1]) for line in lines]
    assert weights == sorted(weights, reverse=True)
    assert learner.export_rules(n=1).startswith("x1 * x2 -> yes  ")
    several = CombinationClassifier(rho1=0.5).fit(
        X, [str(row["noun"] + row["verb"]) for row in rows]
    )
    assert {line.split("-> ")[1][0] for line in several.export_rules().splitlines()} == set("012")
    with pytest.raises(GlyphoneError, match="2 names for 3 features"):
        learner.export_rules(["a", "b"])


def test_the_constant_is_penalised_less_where_it_is_larger() -> None:
    X, y = np.zeros((20, 1)), [1] * 15 + [0] * 5
    shares = [
        CombinationClassifier(rho1=2.0, bias=bias).fit(X, y).predict_proba(X)[0, 1]
        for bias in (0.0, 1.0, 1000.0)
    ]
    assert shares == pytest.approx([0.5, 13 / 20, 15 / 20], abs=1e-3)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.nan, r"row 1, feature 'x1': nan is NaN \(leave the row out"),
        (np.inf, r"row 1, feature 'x1': inf is infinity \(inf\) \(leave the row out"),
        (-2.0, r"row 1, feature 'x1': -2 is below 0: .* \(scale the feature to 0"),
    ],
)
def test_values_that_are_refused(value: float, message: str) -> None:
    X = np.ones((4, 2))
    X[1, 1] = value
    with pytest.raises(ValueError, match=message):
        CombinationClassifier().fit(X, [0, 1, 0, 1])
    learner = CombinationClassifier().fit(np.ones((4, 2)), [0, 1, 0, 1])
    with pytest.raises(GlyphoneError, match=message):
        learner.predict(X)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"degree": 4}, r"degree is 4 \(it must be 1, 2 or 3\)"),
        ({"degree": 2.5}, "degree is 2.5"),
        ({"rho1": 0.0}, r"rho1 is 0.0 \(it must be above 0, and finite"),
        ({"batch": 0}, "batch is 0"),
        ({"max_active": 0}, "max_active is 0"),
        ({"bias": -1.0}, "bias is -1"),
        ({"max_iter": 0}, "max_iter is 0"),
        ({"tol": 0.0}, "tol is 0.0"),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        CombinationClassifier(**options).fit([[1.0], [0.0]], [0, 1])


def test_data_that_nothing_can_be_learnt_from() -> None:
    X = np.ones((3, 2))
    with pytest.raises(ValueError, match=r"1 class in 3 rows .* \(give rows of two classes"):
        CombinationClassifier().fit(X, ["a"] * 3)
    with pytest.raises(ValueError, match="1 class in 2 rows of weights above 0"):
        CombinationClassifier().fit(X, [*"aab"], [1.0, 1.0, 0.0])
    with pytest.raises(ValueError, match=r"0 feature\(s\)"):
        CombinationClassifier().fit(np.ones((3, 0)), [*"aab"])


def test_numbers_of_products_have_64_bits() -> None:
    with pytest.raises(GlyphoneError, match="too many products of 3 of 2,000,000 features"):
        Numbering(2_000_000, 3, 2).check()
    Numbering(1_000_000, 3, 2).check()
