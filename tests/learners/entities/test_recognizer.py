"""Two phases: phrases, their kinds, both together; what classifiers see; odd and bad input."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError, SkipTestWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import Phrase, check_labels, phrases_of
from glyphone.learners.entities.phrases import Mention, PhraseFeatures, mention_features
from glyphone.learners.entities.recognizer import EntityRecognizer, phrase_mentions
from glyphone.learners.entities.tagger import MarkovTagger
from glyphone.models.learners.file import load, save
from tests.learners.entities.sentences import bare, sentences

TRAIN, TEST = sentences(0, 200), sentences(1, 50)
QUICK = MarkovTagger(cv=0)


@pytest.fixture(scope="module")
def recognizer() -> EntityRecognizer:
    return EntityRecognizer().fit(TRAIN)


def test_entities_are_found_and_sorted(recognizer: EntityRecognizer) -> None:
    assert recognizer.score(TEST) == 1.0
    assert recognizer.predict(TEST) == [sentence.labels for sentence in TEST]


def test_kinds_depend_on_surroundings(recognizer: EntityRecognizer) -> None:
    text = [["El", "señor", "Xyz", "vive", "en", "Xyz", "."]]
    assert recognizer.predict(text) == [("O", "O", "B-PER", "O", "O", "B-LOC", "O")]


def test_phases_can_be_asked_for_one_by_one(recognizer: EntityRecognizer) -> None:
    extracted = recognizer.extract(TEST)
    assert extracted == [phrases_of(bare(sentence.labels)) for sentence in TEST]
    sorted_ = recognizer.classify(TEST, extracted)
    assert sorted_ == [phrases_of(sentence.labels) for sentence in TEST]
    assert recognizer.classify(TEST[:2], [[], []]) == [[], []]


def test_other_parts_may_be_given() -> None:
    naive = make_pipeline(PhraseFeatures(inner=3, outer=1, near=0), MultinomialNB(alpha=0.1))
    other = EntityRecognizer(tagger=QUICK, classifier=naive).fit(TRAIN)
    assert other.score(TEST) > 0.9
    assert not hasattr(naive[0], "columns_") and not hasattr(QUICK, "model_")


def test_clones_pickles_files_and_searches(recognizer: EntityRecognizer, tmp_path: Path) -> None:
    assert not hasattr(clone(recognizer), "classifier_")
    save(recognizer, tmp_path / "names.glyphone")
    for again in (pickle.loads(pickle.dumps(recognizer)), load(tmp_path / "names.glyphone")):
        assert again.predict(TEST) == recognizer.predict(TEST)
    quick = EntityRecognizer(tagger=QUICK)
    search = GridSearchCV(quick, {"tagger__chains": [[[""]], [["word", "case", ""]]]}, cv=3)
    assert search.fit(TRAIN).best_params_ == {"tagger__chains": [["word", "case", ""]]}
    labels = [sentence.labels for sentence in TRAIN]
    assert cross_val_score(quick, [s.tokens for s in TRAIN], labels, cv=3).min() > 0.8


CHECKS = (
    "estimator_cloneable estimator_repr estimator_tags_renamed get_params_invariance "
    "no_attributes_set_in_init parameters_default_constructible set_params valid_tag_types"
)


@pytest.mark.parametrize("check", CHECKS.split())
@pytest.mark.parametrize("learner", [EntityRecognizer(), MarkovTagger(), PhraseFeatures()])
def test_scikit_learn_finds_nothing_wrong(learner: Any, check: str) -> None:
    """Checks that need no table of numbers; those that do are left out, for so its tags say."""
    getattr(estimator_checks, f"check_{check}")(type(learner).__name__, learner)
    with pytest.warns(SkipTestWarning, match="requires input"):
        results = estimator_checks.check_estimator(learner, on_skip=None)
    assert {result["status"] for result in results} == {"passed"}


def test_odd_sentences(recognizer: EntityRecognizer) -> None:
    found = recognizer.predict([[], ["Quito"], [".", "."], ["Xyzzy", "Plugh"]])
    assert found[0] == () and found[1][0].startswith("B-") and found[2] == ("O", "O")
    for labels in found:
        check_labels(labels)
    assert recognizer.predict([]) == []


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([["a", "b"]], [["O", "O"]], "there is no phrase to learn from"),
        ([["a", "b"]], [["B-LOC", "I-LOC"]], "there is kind 'LOC' only to learn from"),
        ([["a", "b"]], [["B-LOC", "I-PER"]], "'I-PER' follows 'B-LOC'"),
        ([], [], "no token to learn from"),
    ],
)
def test_what_is_refused(X: list[list[str]], y: list[list[str]], message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        EntityRecognizer().fit(X, y)


def test_no_answer_before_fitting() -> None:
    for ask in (EntityRecognizer().predict, EntityRecognizer().extract):
        with pytest.raises(NotFittedError):
            ask(TEST)
    with pytest.raises(NotFittedError):
        PhraseFeatures().transform([])


def test_features_of_a_mention() -> None:
    sentence = Sequence(("«", "La", "Casa", "Ávila", "de", "EFE"))
    found = [*mention_features(Mention(sentence, Phrase(2, 4)), inner=2, outer=2, near=0)]
    assert {
        "length=2", "distance=2", "phrase=casa avila", "shapes=U U", "in=avila", "first1=Casa",
        "first2=Avila", "last1=Avila", "last1 shape=U", "last2 ends=asa", "before1=la",
        "before2=«", "before1 shape=U", "behind1=de", "behind2=efe", "behind2 shape=UA",
        "before=la «", "behind=de efe", "around=la de", "in ends=vila",
    } <= {*found}  # fmt: skip
    edge = [*mention_features(Mention(sentence, Phrase(0, 6)), inner=1, outer=1, near=0)]
    assert {"before1=<s>", "behind1=<s>", "distance=0", "length=6"} <= {*edge}
    assert not any(feature.startswith(("first2", "before2")) for feature in edge)
    near = {*mention_features(Mention(sentence, Phrase(3, 4)), inner=0, outer=0, near=2)}
    assert {f for f in near if " near=" in f} == {
        "before near=casa", "before near=la", "behind near=de", "behind near=efe"
    }  # fmt: skip
    none = [*mention_features(Mention(sentence, Phrase(2, 4)), inner=0, outer=0, near=0)]
    assert {feature.split("=")[0].split(" ")[0] for feature in none} == {
        "length", "distance", "phrase", "shapes", "outlines", "in"
    }  # fmt: skip


def test_columns_of_features() -> None:
    found = phrase_mentions(TRAIN, [phrases_of(sentence.labels) for sentence in TRAIN])
    every = PhraseFeatures(min_count=1).fit(found)
    table = every.transform(found)
    assert table.shape == (len(found), len(every.columns_))
    for row, mention in zip(table[:5].toarray(), found, strict=False):
        there = {*mention_features(mention, inner=2, outer=2, near=5)}
        assert {name for name, column in every.columns_.items() if row[column]} == there
    counts = (table.toarray() > 0).sum(axis=0)
    assert table.max(axis=0).toarray().ravel() == pytest.approx(1 / np.sqrt(1 + np.log(counts)))
    often = PhraseFeatures(min_count=5).fit(found)
    assert {*often.columns_} == {n for n, column in every.columns_.items() if counts[column] >= 5}
    assert every.transform([]).shape == (0, len(every.columns_))
    with pytest.raises(GlyphoneError, match="no feature is seen 2 times"):
        PhraseFeatures(min_count=2).fit(found[:0])
