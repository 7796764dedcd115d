"""The adapter that makes stages of learners: what they are asked, and what becomes of answers."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import is_regressor
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils import all_estimators

from glyphone.data.errors import ItemError
from glyphone.data.fields import WrongSetting
from glyphone.data.records import Candidate
from glyphone.learners.counts.bayes import ZeroInflatedBinomialNB
from glyphone.pipelines.pipeline import Pipeline
from glyphone.pipelines.registry import Item
from glyphone.pipelines.stages.classifying import Classify
from tests.glyphone.pipelines.support import candidates, phone_learner

FOUND = tuple(
    Candidate((0, 1), "x", f"{k}", {"words": k, "after": 0}, 0.0) for k in (1.0, 4.0, 7.0, 10.0)
)
ITEMS = [Item("a", FOUND[:1]), Item("b"), Item("c", FOUND[1:])]
COLUMNS = np.array([[c.features["words"], c.features["after"]] for c in FOUND])
FAMILIES = """
    BernoulliNB DummyClassifier ExtraTreeClassifier GaussianNB GradientBoostingClassifier
    KNeighborsClassifier LinearDiscriminantAnalysis LinearSVC LogisticRegression MLPClassifier
    NearestCentroid Perceptron RandomForestClassifier RidgeClassifier SGDClassifier SVC
    DecisionTreeRegressor GaussianProcessRegressor HuberRegressor KNeighborsRegressor KernelRidge
    LinearRegression PoissonRegressor RandomForestRegressor SVR
""".split()
TEXTS = ["one two two", "three", "one one", "three three two"]


def spread(items: list[Item]) -> list[Candidate]:
    return [candidate for item in items for candidate in item.candidates]


@pytest.mark.parametrize("columns", [(), ("words", "after")])
def test_probabilities_of_a_label(columns: tuple[str, ...]) -> None:
    learner: Any = phone_learner()
    if columns:
        learner = LogisticRegression().fit(COLUMNS, ["other", "other", "number", "number"])
        expected = learner.predict_proba(COLUMNS)[:, 0]
    else:
        expected = learner.predict_proba([dict(c.features) for c in FOUND])[:, 0]
    stage = Classify(model=learner, columns=columns, label="number", feature="phone")
    found = stage(ITEMS)
    assert [len(item.candidates) for item in found] == [1, 0, 3]
    assert [c.score for c in spread(found)] == pytest.approx(expected.tolist())
    assert [c.value for c in spread(found)] == [c.value for c in FOUND]
    for candidate in spread(found):
        assert candidate.features["phone"] == pytest.approx(math.log(candidate.score))


def test_classes_become_values() -> None:
    learner = make_pipeline(CountVectorizer(), MultinomialNB()).fit(TEXTS, [*"pqpr"])
    shares = learner.predict_proba(TEXTS)
    for reads in ("text", "document"):
        given = [Item(t, (Candidate((0, len(t)), t, "old"),)) for t in TEXTS]
        found = Classify(model=learner, reads=reads, n=2)(given)  # type: ignore[arg-type]
        for item, row in zip(found, shares, strict=True):
            order = np.argsort(-row)[:2]
            assert [c.value for c in item.candidates] == learner.classes_[order].tolist()
            assert [c.score for c in item.candidates] == pytest.approx(row[order].tolist())
            assert {c.span for c in item.candidates} == {(0, len(item.text))}


def test_the_word_of_a_classifier_without_probabilities() -> None:
    learner = LinearSVC().fit(COLUMNS, [False, False, True, True])
    stage = Classify(model=learner, columns=("words", "after"), label="True")
    assert [c.score for c in spread(stage(ITEMS))] == [0.0, 0.0, 1.0, 1.0]
    sorted_out = spread(Classify(model=learner, columns=("words", "after"))(ITEMS))
    assert [(c.value, c.score) for c in sorted_out] == [("False", 1.0)] * 2 + [("True", 1.0)] * 2


def test_a_regressor() -> None:
    learner = LinearRegression().fit(COLUMNS, COLUMNS[:, 0] * 2)
    stage = Classify(model=learner, columns=("words", "after"), feature="twice")
    found = spread(stage(ITEMS))
    assert [c.score for c in found] == pytest.approx([2, 8, 14, 20])
    assert [c.features["twice"] for c in found] == [c.score for c in found]
    assert [c.value for c in found] == [c.value for c in FOUND]


def test_every_family_of_scikit_learn() -> None:
    """Trees, forests, neighbours, kernels, networks ... : they are asked, and not looked into."""
    options = {
        "GradientBoostingClassifier": {"n_estimators": 3},
        "MLPClassifier": {"max_iter": 5, "random_state": 0},
        "RandomForestClassifier": {"n_estimators": 3, "random_state": 0},
        "RandomForestRegressor": {"n_estimators": 3, "random_state": 0},
    }
    rows, seen = np.tile(COLUMNS, (5, 1)), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, kind in all_estimators(type_filter=["classifier", "regressor"]):
            if name in FAMILIES:
                learner = kind(**options.get(name, {})).fit(rows, rows[:, 0] > 5)
                found = spread(Classify(model=learner, columns=("words", "after"))(ITEMS))
                scores = [c.score for c in found]
                assert len(found) == 4 and np.isfinite(scores).all(), name
                expected = learner.predict(COLUMNS)
                if is_regressor(learner):
                    assert scores == pytest.approx(expected.tolist()), name
                else:
                    assert [c.value for c in found] == [*map(str, expected)], name
                seen += 1
    assert seen == len(FAMILIES)


def test_rows_that_a_learner_of_ours_refuses() -> None:
    """A count below 0 is the fault of one item; words never seen, and none, are no fault."""
    rows = [{"tax": 2, "vote": 1}, {"war": 2}] * 2
    learner = make_pipeline(DictVectorizer(), ZeroInflatedBinomialNB()).fit(rows, [*"abab"])
    counts: list[dict[str, float]] = [{"tax": 1}, {"tax": -1}, {"war": 0.5}, {"zebra": 3}, {}]
    given = [Item(f"{k}", (Candidate((0, 1), "x", "", one),)) for k, one in enumerate(counts)]
    found, _ = Pipeline((Classify(model=learner),)).run_stages(given)
    assert [str(item.error or "") for item in found] == [
        "",
        "glyphone.classify.v1: row 0, column 0: -1 is negative: Negative values in data are not "
        "counts (give counts, not shares or tf-idf)",
        "glyphone.classify.v1: row 0, column 2: 0.5 is not a whole number (give counts, not "
        "shares or tf-idf)",
        "",
        "",
    ]
    values = [item.candidates[0].score for item in found if not item.error]
    assert values[0] > 0.6 and values[1:] == pytest.approx([0.5, 0.5])


def test_learners_that_will_not_do() -> None:
    with pytest.raises(WrongSetting, match="model is no fitted learner: This LogisticRegression"):
        Classify(model=LogisticRegression())
    with pytest.raises(WrongSetting, match=r"no class named 'numbr' .did you mean number"):
        Classify(model=phone_learner(), label="numbr")
    several = KNeighborsClassifier(2).fit(COLUMNS, [[0, 0], [0, 1], [1, 0], [1, 1]])
    with pytest.raises(WrongSetting, match=r"several questions at once .train one learner for"):
        Classify(model=several)
    regressor = LinearRegression().fit(COLUMNS, COLUMNS[:, 0])
    with pytest.raises(WrongSetting, match=r"no class named 'x' .there are none"):
        Classify(model=regressor, label="x")


def test_features_that_are_missing_or_no_numbers() -> None:
    learner = LogisticRegression().fit(COLUMNS, [0, 0, 1, 1])
    with pytest.raises(ItemError, match="a candidate has no feature 'width'"):
        Classify(model=learner, columns=("words", "width"))(ITEMS)
    odd = Item("odd", (Candidate((0, 1), "x", "", {"words": math.nan, "after": 1}),))
    stages = Pipeline((Classify(model=learner, columns=("words", "after"), label="1"),))
    found, _ = stages.run_stages([*ITEMS, odd])
    assert [bool(item.error) for item in found] == [False, False, False, True]
    assert "NaN" in str(found[-1].error)
    empty = Classify(model=learner, columns=("words",))([Item("a")])
    assert empty == [Item("a")]


def test_every_feature_that_a_pipeline_gives(tmp_path: Path) -> None:
    """A vectorizer in a learner meets features that it does not know, and leaves them out."""
    learner = make_pipeline(DictVectorizer(), LogisticRegression()).fit(
        [{"a": 1}, {"b": 1}], [0, 1]
    )
    (item,) = Classify(model=learner, label="1")([Item("x", candidates(0.5))])
    assert 0 < item.candidates[0].score < 1
