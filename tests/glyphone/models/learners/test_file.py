"""Learners of all kinds in model files: the same predictions, and what cannot be saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import ensemble, linear_model, naive_bayes, svm
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from glyphone.data.errors import FormatError, GlyphoneError
from glyphone.learners.counts.bayes import (
    BetaBinomialNB,
    NegativeBinomialNB,
    ZeroInflatedBinomialNB,
)
from glyphone.learners.trees.ensembles import SymbolicBoosting, SymbolicForest
from glyphone.learners.trees.estimator import SymbolicTree
from glyphone.learners.utility.classifier import UtilityLogisticRegression
from glyphone.models.learners import file as learner_file

RANDOM = np.random.default_rng(0)
NUMBERS = np.abs(RANDOM.normal(size=(60, 4)))
COUNTS = RANDOM.poisson(2, size=(60, 5))
CLASSES = np.where(NUMBERS[:, 0] > NUMBERS[:, 1], "yes", "nö")
TEXTS = ["a b c", "d e f", "a b", "e f f"] * 4
SYMBOLS = [[a, b] for a in "abc" for b in "xyz"]
DICTS = [{"words": k, "cue": "is" if k % 3 else "no"} for k in range(12)]
TWO = ["p", "q"]

LEARNERS: list[tuple[Any, Any, Any]] = [
    *(
        (learner, NUMBERS, CLASSES)
        for learner in (
            linear_model.LogisticRegression(),
            linear_model.SGDClassifier(loss="log_loss", random_state=0),
            linear_model.Perceptron(),
            naive_bayes.MultinomialNB(),
            naive_bayes.ComplementNB(),
            naive_bayes.GaussianNB(),
            svm.LinearSVC(),
            CalibratedClassifierCV(svm.LinearSVC()),
            MLPClassifier((3,), max_iter=2000, random_state=0),
            ensemble.BaggingClassifier(linear_model.LogisticRegression(), random_state=0),
            make_pipeline(
                ColumnTransformer([("a", StandardScaler(), [0, 1]), ("b", "passthrough", [2])]),
                linear_model.RidgeClassifier(),
            ),
            make_pipeline(OneHotEncoder(handle_unknown="ignore"), naive_bayes.BernoulliNB()),
        )
    ),
    (linear_model.LinearRegression(), NUMBERS, NUMBERS[:, 0]),
    (UtilityLogisticRegression(alpha=0.75), NUMBERS, CLASSES),
    *(
        (kind(smoothing=0.5), COUNTS, CLASSES)
        for kind in (BetaBinomialNB, NegativeBinomialNB, ZeroInflatedBinomialNB)
    ),
    *(
        (make_pipeline(vectorizer, linear_model.LogisticRegression()), TEXTS, ["p", "q"] * 8)
        for vectorizer in (
            CountVectorizer(analyzer="char", ngram_range=(1, 2)),
            TfidfVectorizer(token_pattern=r"\w"),
            HashingVectorizer(),
        )
    ),
    (make_pipeline(DictVectorizer(), naive_bayes.BernoulliNB()), DICTS, [True, False] * 6),
    *(
        (learner, SYMBOLS, [a if b == "x" else b for a, b in SYMBOLS])
        for learner in (
            SymbolicTree(min_leaf=1, questions={"vowel": "a"}, smoothing=0.5),
            SymbolicForest(n_trees=3, random_state=0),
            SymbolicBoosting(n_trees=3, random_state=0),
        )
    ),
]


def named(learner: Any) -> str:
    return type(learner[-1] if hasattr(learner, "steps") else learner).__name__


@pytest.mark.parametrize(
    ("learner", "X", "y"), LEARNERS, ids=[f"{named(x[0])}{k}" for k, x in enumerate(LEARNERS)]
)
def test_the_same_predictions(learner: Any, X: Any, y: Any, tmp_path: Path) -> None:
    learner = clone(learner).fit(X, y)
    path = tmp_path / "x.glyphone"
    learner_file.save(learner, path)
    content = path.read_bytes()
    again = learner_file.load(path)
    assert type(again) is type(learner)
    np.testing.assert_array_equal(again.predict(X), learner.predict(X))
    assert again.predict(X).dtype == learner.predict(X).dtype
    if hasattr(learner, "predict_proba"):
        np.testing.assert_array_equal(again.predict_proba(X), learner.predict_proba(X))
    assert repr(again) == repr(learner)
    learner_file.save(again, path)
    assert path.read_bytes() == content
    np.testing.assert_array_equal(clone(again).fit(X, y).predict(X), learner.predict(X))


def test_numpy_and_unzip_open_it(tmp_path: Path) -> None:
    learner = linear_model.LinearRegression().fit([[1.0], [2.0]], [1.0, 2.0])
    learner_file.save(learner, tmp_path / "x.glyphone")
    found = np.load(tmp_path / "x.glyphone")
    assert any(np.array_equal(found[name], learner.coef_) for name in found.files[1:])


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (ensemble.RandomForestClassifier(2), "RandomForestClassifier is a RandomForestClassifier,"),
        (svm.SVC(), "SVC is a SVC, which no model file holds (save what is made of numbers,"),
        (
            GridSearchCV(linear_model.LogisticRegression(), {"C": [1]}),
            "GridSearchCV is a GridSearchCV, which no model file holds (save its best_estimator_)",
        ),
        (
            make_pipeline(CountVectorizer(tokenizer=str.split, token_pattern=None)),
            "Pipeline.steps[0][1].tokenizer is a method_descriptor, which no model file holds",
        ),
        (linear_model.LogisticRegression, "is no learner (give a scikit-learn estimator)"),
        ({"a": 1}, "{'a': 1} is no learner"),
    ],
)
def test_what_cannot_be_saved(learner: Any, message: str, tmp_path: Path) -> None:
    if isinstance(learner, GridSearchCV):
        learner.fit(NUMBERS, CLASSES)
    path = tmp_path / "x.glyphone"
    with pytest.raises(GlyphoneError) as caught:
        learner_file.save(learner, path)
    assert message in str(caught.value)
    assert not path.exists()


def test_what_is_nested_in_itself(tmp_path: Path) -> None:
    learner = linear_model.LogisticRegression()
    learner.C = [learner]
    with pytest.raises(FormatError, match="is nested too deeply, or in itself"):
        learner_file.save(learner, tmp_path / "x.glyphone")
