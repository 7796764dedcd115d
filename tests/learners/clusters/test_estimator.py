"""`WordClasses` as an estimator: settings, seeds, unknown words, columns for taggers."""

from __future__ import annotations

from pathlib import Path

import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Sequence
from glyphone.learners.clusters.estimator import WordClasses
from glyphone.learners.entities.tagger import MarkovTagger
from glyphone.models.learners import file as learner_file
from tests.learners.clusters import twins
from tests.learners.entities.sentences import sentences


def test_words_in_the_same_places_share_a_class() -> None:
    text = [
        [article, adjective, noun]
        for article in ("a", "the", "one")
        for adjective in ("red", "old", "big")
        for noun in ("cat", "dog", "cow", "man")
    ]
    found = WordClasses(n_classes=3, min_count=1).fit(text)
    groups = ("a", "the", "one"), ("red", "old", "big"), ("cat", "dog", "cow", "man")
    assert len({found.class_of(group[0]) for group in groups}) == 3
    for group in groups:
        assert len({found.class_of(word) for word in group}) == 1


def test_the_seed_alone_decides() -> None:
    text = twins.random_text(0, n=300, words="abcdefghijklmnopqrstuvwxyz")
    settings = {"n_classes": 4, "min_count": 1, "max_iter": 1}
    one = WordClasses(**settings, random_state=1).fit(text)
    again = clone(one).fit(iter(text))
    assert one.clusters_ == again.clusters_
    other = WordClasses(**settings, random_state=2).fit(text)
    assert one.clusters_ != other.clusters_


def test_more_classes_than_words_are_as_many_as_words() -> None:
    found = WordClasses(n_classes=100, min_count=1).fit([["a", "b", "c", "a"]])
    assert len(found.bits_) == 3
    only = WordClasses(n_classes=5, min_count=1).fit([["a"]])
    assert (only.bits_, only.class_of("a"), only.class_of("B")) == (("0",), 0, -1)


def test_an_unknown_word_has_the_class_of_rare_words_of_its_shape() -> None:
    found = WordClasses(n_classes=3).fit([["la", "Ana"], ["la", "Paz"], ["la", "Eva"]])
    assert found.class_of("Quito") == found.class_of("Ana") >= 0
    assert found.prefix("Quito", 1) == found.bits_[found.class_of("Ana")][0]
    assert (found.class_of("perro"), found.prefix("perro", 2)) == (-1, "?")


def test_history_tells_of_each_pass() -> None:
    found = WordClasses(n_classes=3, min_count=1).fit(twins.random_text(1, n=50))
    assert [one["iteration"] for one in found.history_] == [*range(len(found.history_))]
    assert found.history_[0]["perplexity"] > found.history_[-1]["perplexity"] > 1


def test_sentences_get_a_column() -> None:
    records = [Sequence(("la", "Paz"), {"pos": ("D", "N")}, ("O", "B")), Sequence(())]
    classes = WordClasses(n_classes=2, min_count=1).fit(records)
    first, empty = classes.transform(records)
    assert first.columns["pos"] == ("D", "N") and first.labels == ("O", "B")
    assert [*map(len, first.columns["cluster"])] == [1, 1]
    assert empty.columns["cluster"] == ()


def test_a_pipeline_of_classes_and_a_tagger(tmp_path: Path) -> None:
    records = sentences(0, 60)
    tagger = MarkovTagger(chains=[["cluster cluster-1", "cluster2", ""]], cv=0)
    pipeline = make_pipeline(WordClasses(n_classes=8, min_count=1), tagger)
    pipeline.fit(records)
    learner_file.save(pipeline, tmp_path / "x.glyphone")
    again = learner_file.load(tmp_path / "x.glyphone")
    assert again.predict(records) == pipeline.predict(records)


@pytest.mark.parametrize("setting", ["n_classes", "min_count", "max_iter"])
def test_settings_are_checked(setting: str) -> None:
    with pytest.raises(GlyphoneError, match=f"{setting} is 0"):
        WordClasses(**{setting: 0}).fit([["a"]])


def test_texts_that_are_no_lists_are_refused() -> None:
    with pytest.raises(GlyphoneError, match="sentence 2 is 'a b', which is no list of words"):
        WordClasses().fit([["a"], "a b"])
