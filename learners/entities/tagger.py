"""A tagger by a conditional Markov model, as a scikit-learn estimator over sentences.

>>> sentences = [["la", "casa", "de", "Ana"], ["Ana", "ve", "la", "mesa"]]
>>> tags = [["DET", "NOUN", "ADP", "PROPN"], ["PROPN", "VERB", "DET", "NOUN"]]
>>> tagger = MarkovTagger(scheme=None, cv=0).fit(sentences, tags)
>>> tagger.predict([["Eva", "ve", "la", "casa"]])
[('PROPN', 'VERB', 'DET', 'NOUN')]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.treebanks.chunks import OUTSIDE, continues, score_phrases
from glyphone.learners.entities.markov import MarkovModel, bounds_of
from glyphone.learners.sequences.clusters import CLUSTER, Clusters
from glyphone.learners.sequences.sentences import (
    SentenceEstimator,
    bio_labels,
    sentence_labels,
    sentence_records,
)

Array = Any
Labels = tuple[str, ...]
SCHEMES = ("bio", None)

# Each chain backs off from contexts that say much to contexts that are often seen; together they
# look at words, their neighbours, two to a side, beginnings, endings and capitals.
CHAINS = (
    ("word word-1 word+1", "word word-1", "word case-1 case+1", "word case-1", "word",
     "suffix3 case-1", "suffix2", "shape known", "shape", ""),
    ("word word+1", "known word+1", "known frequent+1", "shape case+1", ""),
    ("known word-1", "known frequent-1", "shape word-1", "shape frequent-1", "shape case-1",
     "case", ""),
    ("known word-1 word+1", "known frequent-1 frequent+1", "shape frequent-1 frequent+1",
     "shape case-1 case+1", "case", ""),
    ("suffix4 prefix4", "prefix4", "prefix3", "prefix2", "shape", ""),
    ("suffix4", "suffix3", "suffix2", "suffix1", "shape", ""),
    ("outline case-1 case+1", "outline case-1", "outline", "shape", ""),
    ("shape frequent-2 frequent-1", "known case-2 case-1 case+1 case+2", "known case-1 case+1",
     "shape", ""),
    ("shape frequent+1 frequent+2", "known case+1 case+2", "shape", ""),
)  # fmt: skip


# Chains of classes of words, if there are clusters and no chain names them.
CLUSTER_CHAINS = (
    ("shape cluster cluster+1", "shape cluster8 cluster8+1", "shape cluster4 cluster4+1",
     "shape cluster4+1", "shape", ""),
    ("shape cluster-1 cluster", "shape cluster8-1 cluster8", "shape cluster4-1 cluster4",
     "shape cluster4-1", "shape", ""),
    ("shape cluster-2 cluster-1", "shape cluster6-2 cluster6-1", "shape cluster4-2 cluster4-1",
     "shape", ""),
    ("shape cluster+1 cluster+2", "shape cluster6+1 cluster6+2", "shape cluster4+1 cluster4+2",
     "shape", ""),
    ("known cluster-1 cluster+1", "known cluster8-1 cluster8+1", "known cluster6-1 cluster6+1",
     "known cluster4-1 cluster4+1", "known", ""),
)  # fmt: skip


class MarkovTagger(SentenceEstimator):
    """Gives every token of a sentence a label that depends on its surroundings and the one before.

    `chains` are lists of contexts, each from the most specific to the least, mixed with weights
    that cross-validation over `cv` stretches of the text finds, or evenly if it is 0. `scheme` is
    "bio" if labels are those of phrases, where an I must continue one, and None for labels of any
    other kind. The feature `frequent` knows words that are seen `min_count` times. With `clusters`
    contexts may name the column `cluster`; if none does, CLUSTER_CHAINS are added.

    Sentences are lists of words or `Sequence`s, whose columns contexts may name; they do not depend
    on each other. A sentence without words gets no labels.

    >>> sentences, labels = [["Ana", "Paz", "ve"], ["ve", "a", "Eva"]], [[*"BIO"], [*"OOB"]]
    >>> MarkovTagger(cv=0).fit(sentences, labels).predict([["Eva", "Paz", "ve"], []])
    [('B', 'I', 'O'), ()]
    """

    classes_: Array
    model_: MarkovModel

    def __init__(
        self,
        *,
        chains: Sequence[Sequence[str]] = CHAINS,
        scheme: str | None = "bio",
        min_count: int = 8,
        cv: int = 5,
        clusters: Clusters | None = None,
    ) -> None:
        self.chains = chains
        self.scheme = scheme
        self.min_count = min_count
        self.cv = cv
        self.clusters = clusters

    def fit(self, X: Iterable[Any], y: Iterable[Sequence[str]] | None = None) -> MarkovTagger:
        """Learns from the labels `y`, or from those in the records."""
        self._check()
        sentences = self.records(X)
        given = (bio_labels if self.scheme else sentence_labels)(sentences, y)
        sentences = [sentence for sentence in sentences if sentence.tokens]
        first = [OUTSIDE] if self.scheme else []
        every = [*first, *sorted({label for found in given for label in found} - {*first})]
        code = {label: number for number, label in enumerate(every)}
        self.classes_ = np.array(every)
        legal, start = legal_transitions(every, self.scheme)
        self.model_ = MarkovModel.learn(
            sentences,
            np.array([code[label] for found in given for label in found]),
            self.all_chains,
            legal=legal,
            start=start,
            least=self.min_count,
            cv=min(self.cv, len(sentences)) if len(sentences) > 1 else 0,
        )
        return self

    @property
    def all_chains(self) -> Sequence[Sequence[str]]:
        """The chains, with those of classes of words where they are due."""
        named = any(CLUSTER in context for chain in self.chains for context in chain)
        return self.chains if self.clusters is None or named else (*self.chains, *CLUSTER_CHAINS)

    def predict(self, X: Iterable[Any]) -> list[Labels]:
        """The labels of each sentence that are the most probable together."""
        check_is_fitted(self)
        sentences = self.records(X)
        found = self.classes_[self.model_.best_labels(sentences)].tolist()
        return [tuple(found[a:b]) for a, b in pairwise(bounds_of(sentences))]

    def score(self, X: Iterable[Any], y: Iterable[Sequence[str]] | None = None) -> float:
        """F of phrases if the labels are BIO, else the share of labels that are right."""
        sentences = sentence_records(X)
        gold, given = sentence_labels(sentences, y), self.predict(sentences)
        if self.scheme:
            return score_phrases(gold, given)[""].f
        right = [
            a == b for x, z in zip(gold, given, strict=True) for a, b in zip(x, z, strict=True)
        ]
        return float(np.mean(right))

    def _check(self) -> None:
        if self.scheme not in SCHEMES:
            raise UnknownName("scheme of labels", str(self.scheme), ["bio"])
        if not self.chains or not all(self.chains) or any(isinstance(c, str) for c in self.chains):
            remedy = 'give lists of contexts: [["word word-1", "word"]]'
            raise GlyphoneError(f"chains are {self.chains!r:.60}", remedy=remedy)
        if self.cv < 0 or self.cv == 1:
            raise GlyphoneError(f"cv is {self.cv}", remedy="it must be 0, or 2 or more")


def legal_transitions(labels: Sequence[str], scheme: str | None) -> tuple[Array, int]:
    """Whether each label may follow each, and the row of the first: that of O, or one of its own.

    >>> legal_transitions(["O", "B", "I"], "bio")[0].tolist()
    [[True, True, False], [True, True, True], [True, True, True]]
    """
    if scheme is None:
        return np.ones((len(labels) + 1, len(labels)), bool), len(labels)
    legal = [[continues(label, before) for label in labels] for before in labels]
    return np.array(legal), labels.index(OUTSIDE)
