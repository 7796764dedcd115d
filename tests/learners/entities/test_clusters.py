"""Taggers and recognisers that look at classes of words."""

from __future__ import annotations

from pathlib import Path

import pytest
from sklearn.base import clone

from glyphone.data.records import Sequence
from glyphone.learners.clusters.estimator import WordClasses
from glyphone.learners.crf.estimator import SequenceCRF
from glyphone.learners.entities.recognizer import EntityRecognizer
from glyphone.learners.entities.tagger import CHAINS, CLUSTER_CHAINS, MarkovTagger
from glyphone.learners.sequences.clusters import Clusters, with_clusters
from glyphone.models.learners import file as learner_file
from tests.learners.entities.sentences import sentences

TRAIN = sentences(0, 100)
CLUSTERS = WordClasses(n_classes=8).fit(TRAIN).clusters_
# Words that nobody has seen, of classes that have been.
SAME_CLASS = Clusters({"zzz": "0", "Lima": "10", "Xyz": "10", "ve": "11"})


def test_a_word_is_known_by_its_class() -> None:
    text, labels = [["ve", "Lima"], ["zzz", "ve"]] * 3, [["O", "B"], ["O", "O"]] * 3
    chain = ("cluster", "cluster1", "")
    tagger = MarkovTagger(chains=[chain], cv=0, clusters=SAME_CLASS).fit(text, labels)
    assert tagger.predict([["Xyz", "zzz"], []]) == [("B", "O"), ()]


def test_columns_do_what_clusters_do() -> None:
    inside = MarkovTagger(cv=0, clusters=CLUSTERS)
    beside = MarkovTagger(cv=0, chains=(*CHAINS, *CLUSTER_CHAINS))
    bare = [tuple(label[0] for label in one.labels) for one in TRAIN]
    given = with_clusters(TRAIN, CLUSTERS)
    assert inside.fit(TRAIN, bare).predict(TRAIN) == beside.fit(given, bare).predict(given)
    assert with_clusters(TRAIN, None) == TRAIN


def test_chains_that_name_classes_are_left_alone() -> None:
    own = [["cluster4-1 word", ""]]
    assert MarkovTagger(chains=own, clusters=CLUSTERS).all_chains == own
    assert MarkovTagger(clusters=CLUSTERS).all_chains == (*CHAINS, *CLUSTER_CHAINS)
    assert MarkovTagger().all_chains == CHAINS


@pytest.mark.parametrize(
    "learner",
    [
        MarkovTagger(cv=0, scheme=None, clusters=CLUSTERS),
        EntityRecognizer(clusters=CLUSTERS),
        SequenceCRF(templates='U:%m[0,cluster,"^.."]\nU:%x[-1,cluster]\nB', clusters=CLUSTERS),
    ],
)
def test_files_hold_the_classes(learner: object, tmp_path: Path) -> None:
    fitted = clone(learner).fit(TRAIN)
    learner_file.save(fitted, tmp_path / "x.glyphone")
    again = learner_file.load(tmp_path / "x.glyphone")
    assert again.clusters == CLUSTERS
    assert again.predict(TRAIN) == fitted.predict(TRAIN)


def test_the_classifier_sees_classes() -> None:
    found = EntityRecognizer(clusters=CLUSTERS).fit(TRAIN)
    assert any("cluster=" in name for name in found.classifier_[0].columns_)
    assert found.tagger_.clusters is None  # the file has them once
    plain = EntityRecognizer(tagger=MarkovTagger(cv=0)).fit(TRAIN)
    assert not any("cluster=" in name for name in plain.classifier_[0].columns_)


def test_learners_of_older_versions_have_no_clusters(tmp_path: Path) -> None:
    fitted = MarkovTagger(cv=0, scheme=None).fit([["a", "b"]], [["x", "y"]])
    del fitted.clusters
    learner_file.save(fitted, tmp_path / "x.glyphone")
    again = learner_file.load(tmp_path / "x.glyphone")
    assert again.predict([Sequence(("a",))]) == [("x",)]
