"""Named entities in two phases (Jansche 2002): phrases are found first, then sorted into kinds.

Where phrases begin and end follows regularities that all kinds share; kinds need a wider view.

>>> sentences = [["El", "señor", "Paz", "vive", "en", "Lima"], ["Ana", "viaja", "a", "Quito"]] * 2
>>> labels = [["O", "O", "B-PER", "O", "O", "B-LOC"], ["B-PER", "O", "O", "B-LOC"]] * 2
>>> recognizer = EntityRecognizer().fit(sentences, labels)
>>> recognizer.predict([["Eva", "vive", "en", "Quito"]])
[('B-PER', 'O', 'O', 'B-LOC')]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.validation import check_is_fitted

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Sequence as Sentence
from glyphone.data.treebanks.chunks import Phrase, labels_of, phrases_of, score_phrases, split_label
from glyphone.learners.entities.phrases import Mention, PhraseFeatures
from glyphone.learners.entities.tagger import CHAINS, CLUSTER_CHAINS, MarkovTagger
from glyphone.learners.sequences.clusters import Clusters
from glyphone.learners.sequences.sentences import SentenceEstimator, bio_labels, sentence_records

Labels = tuple[str, ...]
# Bits of classes of words that classifiers look at, if there are clusters.
CLUSTER_BITS = (4, 6, 10, 20)


class EntityRecognizer(SentenceEstimator):
    """Labels the tokens of sentences in BIO, with kinds: B-LOC, I-LOC, O.

    `tagger` finds phrases, a `MarkovTagger` unless given; `classifier` predicts the kind
    of a `Mention`, logistic regression on `PhraseFeatures` unless given. Both are cloned. With
    `clusters` both look at the classes of words, too, in the column `cluster` of sentences.

    >>> X, y = [["Ana", "ve", "Lima"]] * 3, [["B-PER", "O", "B-LOC"]] * 3
    >>> EntityRecognizer(tagger=MarkovTagger(cv=0)).fit(X, y).predict([["Lima", "ve", "Lima"]])
    [('B-PER', 'O', 'B-LOC')]
    """

    tagger_: Any
    classifier_: Any

    def __init__(
        self, *, tagger: Any = None, classifier: Any = None, clusters: Clusters | None = None
    ) -> None:
        self.tagger = tagger
        self.classifier = classifier
        self.clusters = clusters

    def fit(self, X: Iterable[Any], y: Iterable[Sequence[str]] | None = None) -> EntityRecognizer:
        """Learns from the labels `y`, or from those in the records."""
        sentences = self.records(X)
        given = bio_labels(sentences, y)
        self.tagger_ = default_tagger(self.clusters) if self.tagger is None else clone(self.tagger)
        self.tagger_.fit(
            sentences, [tuple(split_label(label)[0] for label in one) for one in given]
        )
        found = phrase_mentions(sentences, map(phrases_of, given))
        kinds = [mention.phrase.kind for mention in found]
        if len(set(kinds)) < 2:
            there = f"kind {kinds[0]!r} only" if kinds else "no phrase"
            remedy = "give phrases of two kinds, or use MarkovTagger alone"
            raise GlyphoneError(f"there is {there} to learn from", remedy=remedy)
        self.classifier_ = (
            default_classifier(self.clusters) if self.classifier is None else clone(self.classifier)
        )
        self.classifier_.fit(found, kinds)
        return self

    def extract(self, X: Iterable[Any]) -> list[list[Phrase]]:
        """The phrases of each sentence, without kinds."""
        check_is_fitted(self)
        return [phrases_of(labels) for labels in self.tagger_.predict(self.records(X))]

    def mentions(self, X: Iterable[Any], phrases: Iterable[Iterable[Phrase]]) -> list[Mention]:
        """The phrases of sentences, as the classifier sees them."""
        return phrase_mentions(self.records(X), phrases)

    def classify(self, X: Iterable[Any], phrases: Iterable[Iterable[Phrase]]) -> list[list[Phrase]]:
        """The phrases with the kinds that are predicted for them."""
        check_is_fitted(self)
        given = [*map(list, phrases)]
        asked = self.mentions(X, given)
        kinds = iter(self.classifier_.predict(asked).tolist() if asked else [])
        return [[replace(phrase, kind=next(kinds)) for phrase in one] for one in given]

    def scored_phrases(self, X: Iterable[Any]) -> list[list[tuple[Phrase, float]]]:
        """The phrases of each sentence, with the probability of their kinds, given the phrases."""
        sentences = sentence_records(X)
        found = self.extract(sentences)
        asked = self.mentions(sentences, found)
        shares = iter(self.classifier_.predict_proba(asked) if asked else [])

        def scored(phrase: Phrase) -> tuple[Phrase, float]:
            row = next(shares)
            kind = int(row.argmax())
            return replace(phrase, kind=str(self.classifier_.classes_[kind])), float(row[kind])

        return [[*map(scored, phrases)] for phrases in found]

    def predict(self, X: Iterable[Any]) -> list[Labels]:
        """The labels of each sentence."""
        sentences = sentence_records(X)
        found = self.classify(sentences, self.extract(sentences))
        return [
            labels_of(phrases, len(sentence.tokens))
            for sentence, phrases in zip(sentences, found, strict=True)
        ]

    def score(self, X: Iterable[Any], y: Iterable[Sequence[str]] | None = None) -> float:
        """F of phrases with their kinds."""
        sentences = sentence_records(X)
        return score_phrases(bio_labels(sentences, y), self.predict(sentences))[""].f


def phrase_mentions(
    sentences: Iterable[Sentence], phrases: Iterable[Iterable[Phrase]]
) -> list[Mention]:
    """Every phrase in its sentence."""
    return [
        Mention(sentence, phrase)
        for sentence, inside in zip(sentences, phrases, strict=True)
        for phrase in inside
    ]


def default_tagger(clusters: Clusters | None) -> MarkovTagger:
    """The tagger of phrases where none is given, for sentences with a column of clusters or not."""
    return MarkovTagger(chains=CHAINS if clusters is None else (*CHAINS, *CLUSTER_CHAINS))


def default_classifier(clusters: Clusters | None) -> Any:
    """The classifier of kinds where none is given."""
    bits = () if clusters is None else CLUSTER_BITS
    return make_pipeline(
        PhraseFeatures(bits=bits), LogisticRegression(C=1.0, tol=1e-3, max_iter=200)
    )
