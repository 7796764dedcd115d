"""Every estimator of counts, utilities, entities and structure: an example, searches, files."""

from __future__ import annotations

import doctest
import inspect
import pkgutil
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import Phrase
from glyphone.learners import combinations, counts, entities, latent, utility
from glyphone.learners.entities.phrases import Mention
from glyphone.models.learners import file as learner_file

COUNTS = np.array([[8, 0, 9], [0, 1, 9], [0, 9, 9], [1, 6, 9]] * 3)
ROWS = np.random.default_rng(0).normal(size=(12, 3))
CLASSES = np.array(["tax", "tax", "war", "war"] * 3)
LINES = ["El señor Paz vive en Lima", "Ana viaja a Quito"] * 6
LABELS = ["O O B-PER O O B-LOC", "B-PER O O B-LOC"] * 6
WORDS = [line.split() for line in LINES]
MENTIONS = [Mention(Sequence(tuple(words)), Phrase(0, 1)) for words in WORDS]


def found_in(package: Any) -> list[type]:
    """The estimators of a package that nothing is derived from."""
    modules = [
        import_module(f"{package.__name__}.{part.name}")
        for part in pkgutil.iter_modules(package.__path__)
    ]
    return [
        kind
        for module in modules
        for kind in vars(module).values()
        if inspect.isclass(kind) and issubclass(kind, BaseEstimator)
        if kind.__module__ == module.__name__ and not kind.__subclasses__()
    ]


PACKAGES = (combinations, counts, utility, entities, latent)
EVERY = [kind for package in PACKAGES for kind in found_in(package)]


def task(kind: type) -> tuple[Any, Any, dict[str, list[Any]]]:
    """The data that an estimator learns from, and a setting to search."""
    if kind.__module__.startswith(counts.__name__):
        return COUNTS, CLASSES, {"smoothing": [0.1, 1.0]}
    if kind.__module__.startswith(combinations.__name__):
        return COUNTS, CLASSES, {"degree": [1, 3]}
    if kind.__module__.startswith(utility.__name__):
        return ROWS, CLASSES, {"alpha": [0.3, 0.5]}
    tags = [labels.split() for labels in LABELS]
    return {
        "PhraseFeatures": (MENTIONS, CLASSES, {"inner": [1, 2]}),
        "MarkovTagger": (WORDS, [[tag[0] for tag in row] for row in tags], {"cv": [0, 2]}),
        "LatentCRF": (WORDS, tags, {"states": [1, 2], "max_iter": [5]}),
        "EntityRecognizer": (WORDS, tags, {"classifier": [None], "tagger": [None]}),
    }[kind.__name__]


def answers(learner: Any, X: Any) -> Any:
    if hasattr(learner, "predict_proba"):
        return learner.predict_proba(X)
    found = learner.predict(X) if hasattr(learner, "predict") else learner.transform(X).toarray()
    return found if isinstance(found, np.ndarray) else np.array(found, object)


def test_they_are_all_here() -> None:
    assert len(EVERY) == 14


@pytest.mark.parametrize("kind", EVERY)
def test_an_example(kind: type) -> None:
    assert any(test.examples for test in doctest.DocTestFinder(recurse=False).find(kind))


@pytest.mark.parametrize("kind", EVERY)
def test_pipelines_searches_and_files(kind: type, tmp_path: Path) -> None:
    X, y, grid = task(kind)
    steps = [("as it is", FunctionTransformer()), ("it", kind())]
    if issubclass(kind, TransformerMixin):
        steps.append(("classifier", LogisticRegression()))
    named = {f"it__{name}": values for name, values in grid.items()}
    search = GridSearchCV(Pipeline(steps), named, cv=2).fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    learner = search.best_estimator_.named_steps["it"]
    learner_file.save(learner, tmp_path / "x.glyphone")
    again = learner_file.load(tmp_path / "x.glyphone")
    np.testing.assert_array_equal(answers(again, X), answers(learner, X))
    refitted = answers(clone(again).fit(X, y), X)
    np.testing.assert_array_equal(refitted, answers(learner, X))
