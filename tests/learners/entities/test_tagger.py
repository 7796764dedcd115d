"""The tagger: labels of phrases and of any other kind, scikit-learn's tools, odd and bad input."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import check_labels
from glyphone.learners.entities.tagger import MarkovTagger
from glyphone.models.learners.file import load, save
from tests.learners.entities.sentences import bare, sentences

TRAIN, TEST = sentences(0, 200), sentences(1, 50)


@pytest.fixture(scope="module")
def tagger() -> MarkovTagger:
    return MarkovTagger().fit(TRAIN, [bare(sentence.labels) for sentence in TRAIN])


def test_phrases_are_found(tagger: MarkovTagger) -> None:
    assert tagger.classes_.tolist() == ["O", "B", "I"]
    assert tagger.score(TEST, [bare(sentence.labels) for sentence in TEST]) == 1.0


def test_any_labels_are_learnt() -> None:
    tags = [tuple(token[0] for token in sentence.tokens) for sentence in TRAIN]
    tagger = MarkovTagger(scheme=None, cv=0).fit(TRAIN, tags)
    gold = [tuple(token[0] for token in sentence.tokens) for sentence in TEST]
    assert tagger.predict(TEST) == gold
    assert tagger.score(TEST, gold) == 1.0
    wrong = [("?",) * len(labels) for labels in gold]
    assert tagger.score(TEST, wrong) == 0.0


def test_kinds_may_be_labels_too() -> None:
    tagger = MarkovTagger().fit(TRAIN)
    assert tagger.classes_.tolist() == ["O", "B-LOC", "B-PER", "I-LOC", "I-PER"]
    assert tagger.score(TEST) > 0.95


def test_what_stands_before_the_first_label_is_no_label() -> None:
    X = [["a", "a"], ["a", "a", "a"]] * 5
    y = [["first", "then"], ["first", "then", "then"]] * 5
    tagger = MarkovTagger(chains=[["word", ""]], scheme=None, cv=0).fit(X, y)
    assert tagger.predict([["a"], ["a"] * 4]) == [("first",), ("first", "then", "then", "then")]


def test_labels_are_bio_whatever_the_text(tagger: MarkovTagger) -> None:
    random = np.random.default_rng(3)
    words = ["del", "Río", "Paz", "de", "EFE", "1", "de"]
    found = tagger.predict([list(random.choice(words, 12)) for _ in range(200)])
    assert any("I" in labels for labels in found)
    for labels in found:
        check_labels(labels)


def test_unknown_capitals_and_degenerate_sentences(tagger: MarkovTagger) -> None:
    found = tagger.predict([["Xyzzy", "Plugh", "Foo"], [], ["Quito"], [".", ",", "."]])
    assert "B" in found[0]
    assert found[1:] == [(), ("B",), ("O", "O", "O")]
    assert tagger.predict([]) == []


def test_sentences_do_not_depend_on_each_other(tagger: MarkovTagger) -> None:
    together = tagger.predict(TEST)
    assert [tagger.predict([sentence])[0] for sentence in TEST] == together


def test_clones_pickles_files_and_searches(tagger: MarkovTagger, tmp_path: Path) -> None:
    assert clone(tagger).get_params() == tagger.get_params()
    assert not hasattr(clone(tagger), "model_")
    save(tagger, tmp_path / "tagger.glyphone")
    for again in (pickle.loads(pickle.dumps(tagger)), load(tmp_path / "tagger.glyphone")):
        assert again.predict(TEST) == tagger.predict(TEST)
    grid = {"chains": [[["case"]], [["word", "case", ""]]], "cv": [0]}
    search = GridSearchCV(MarkovTagger(scheme=None), grid, cv=3)
    search.fit(TRAIN, [sentence.labels for sentence in TRAIN])
    assert search.best_params_["chains"] == [["word", "case", ""]]


def test_columns_are_contexts() -> None:
    rows = [Sequence(s.tokens, {"kind": bare(s.labels)}, bare(s.labels)) for s in TRAIN]
    tagger = MarkovTagger(chains=[["kind", ""]], cv=0).fit(rows)
    assert tagger.predict(rows) == [row.labels for row in rows]
    with pytest.raises(GlyphoneError, match="there is no column 'kind'"):
        tagger.predict(TEST)


def test_two_fits_are_one() -> None:
    one, other = (MarkovTagger(cv=2).fit(TRAIN) for _ in range(2))
    assert np.array_equal(one.model_.weights, other.model_.weights)


def test_little_to_learn_from() -> None:
    assert MarkovTagger().fit([["a"]], [["O"]]).predict([["b", "a"]]) == [("O", "O")]
    assert MarkovTagger().fit([["a"], []], [["B"], []]).predict([["a"]]) == [("B",)]
    three = MarkovTagger(scheme=None).fit([["a"], ["b"], ["c"]], [["x"], ["y"], ["x"]])
    assert set(three.predict([["a", "b"]])[0]) <= {"x", "y"}


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([], [], "no token to learn from"),
        ([[]], [[]], "no token to learn from"),
        (["a b"], [["O", "O"]], "sentence 1 is 'a b', which is no list of words"),
        ([["a", 3]], [["O", "O"]], "sentence 1 is .*, which is no list of words"),
        ([["a"], ["b", "c"]], [["O"], ["O"]], "'b c': sentence 2 has 2 tokens and 1 labels"),
        ([["a"]], [["O"], ["O"]], "1 sentences have 2 lists of labels"),
        ([["a"]], None, "sentence 1 has 1 tokens and 0 labels"),
        ([["a"], ["a", "b"]], [["O"], ["O", "I"]], "sentence 2: item 'b': 'I' follows 'O'"),
        ([["a"]], [["NOUN"]], "sentence 1: item 'a': no label of a phrase: 'NOUN'"),
    ],
)
def test_what_is_refused(X: list[object], y: list[list[str]] | None, message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        MarkovTagger().fit(X, y)


def test_options_that_are_refused() -> None:
    with pytest.raises(UnknownName, match="no scheme of labels named 'iob'"):
        MarkovTagger(scheme="iob").fit(TRAIN)
    for chains in ([], [[]], ["word word-1"]):
        with pytest.raises(GlyphoneError, match="chains are"):
            MarkovTagger(chains=chains).fit(TRAIN)
    for cv in (-1, 1):
        with pytest.raises(GlyphoneError, match=f"cv is {cv}"):
            MarkovTagger(cv=cv).fit(TRAIN)
    with pytest.raises(NotFittedError):
        MarkovTagger().predict(TEST)
