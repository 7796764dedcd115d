"""Semi-Markov fields of segments as scikit-learn estimators (Okanohara, Miyao, Tsuruoka and Tsujii
2006).

A segment is seen as a whole: its words together, its length, whether it comes again, and the kind
of the phrase before it, however far.

>>> sentences = [["Ana", "Paz", "ve", "Lima"], ["ve", "a", "Eva", "Paz"], ["viaja", "a", "Lima"]]
>>> labels = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "O", "B-PER", "I-PER"], ["O", "O", "B-LOC"]]
>>> learner = SemiMarkovCRF(max_length=3, rho2=0.1).fit(sentences, labels)
>>> learner.predict([["Eva", "Paz", "viaja", "a", "Lima"]])
[('B-PER', 'I-PER', 'O', 'O', 'B-LOC')]
>>> learner.predict_segments([["Ana", "viaja"]])
[[Phrase(begin=0, end=1, kind='PER')]]
>>> learner.predict_nbest([["a", "Lima"]], n=2)[0][0].labels
('O', 'B-LOC')
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from collections.abc import Sequence as Many
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Sequence
from glyphone.data.treebanks.chunks import Phrase, labels_of, score_phrases, split_label
from glyphone.learners.optimization.descent import dense_weights
from glyphone.learners.optimization.loop import TrainingProgress, Watcher
from glyphone.learners.optimization.weights import Weights
from glyphone.learners.semimarkov.arrays import states_for
from glyphone.learners.semimarkov.bayes import SpanFilter
from glyphone.learners.semimarkov.features import SegmentTests
from glyphone.learners.semimarkov.model import Candidacy, SegmentModel
from glyphone.learners.semimarkov.segments import (
    Segments,
    candidates_of,
    gold_segments,
    spans_within,
)
from glyphone.learners.semimarkov.templates import (
    FILTERING,
    default_filter,
    default_templates,
    parse_templates,
)
from glyphone.learners.semimarkov.training import SegmentProblem, fit_weights
from glyphone.learners.semimarkov.values import TokenValues
from glyphone.learners.sequences.clusters import Clusters
from glyphone.learners.sequences.labels import Labelling, Labels
from glyphone.learners.sequences.sentences import SentenceEstimator, bio_labels

Array = Any
# Learnt from 500 sentences of JNLPBA it keeps 11 % of their spans, with every phrase, and of other
# sentences 31 %, with 99.5 % of phrases.
FILTER = 1e-6


class SemiMarkovCRF(SentenceEstimator):
    """Labels the tokens of sentences in BIO, with kinds, by segments of up to `max_length` tokens.

    A phrase of the training sentences that is longer is left out: its tokens are learnt as O.
    `too_long_` counts such phrases, which are never found either.

    `templates` name the features of segments, `filter_templates` those of the filter (see
    `templates`); by default both are those for words and the columns of the first sentence.
    Features that are seen `min_count` times in right segments have weights, for each class that
    they were seen with. The filter is naive Bayes: spans that it gives less than the probability
    `filter` are no candidates, but right segments always are in training; None keeps all spans.
    `filter_kept_` is the share of spans that it keeps in training, `filter_recall_` the share of
    right phrases among them. Where it keeps nothing everything is O.

    The objective is rho1 |theta|_1 + rho2 / 2 |theta|_2^2 - ln P of the right segments. It is
    convex, and nothing is random. Training ends after `max_iter` iterations, where the objective
    has fallen by less than `tol` in five, or where 1 - F on the sentences `dev`, if they are given
    to `fit`, has not been below its lowest for `patience`. Results do not depend on `n_jobs`. With
    `clusters` the classes of words are a column, `cluster`.
    """

    classes_: Array
    model_: SegmentModel
    n_weights_: int
    filter_kept_: float
    filter_recall_: float
    too_long_: int
    history_: list[dict[str, Any]]
    ended_: str

    def __init__(
        self,
        *,
        templates: str | None = None,
        max_length: int = 10,
        filter: float | None = FILTER,
        filter_templates: str | None = None,
        min_count: int = 1,
        rho1: float = 0.0,
        rho2: float = 1.0,
        max_iter: int = 200,
        tol: float = 1e-4,
        patience: int = 10,
        clusters: Clusters | None = None,
        verbose: bool = False,
        n_jobs: int = 1,
    ) -> None:
        self.templates = templates
        self.max_length = max_length
        self.filter = filter
        self.filter_templates = filter_templates
        self.min_count = min_count
        self.rho1 = rho1
        self.rho2 = rho2
        self.max_iter = max_iter
        self.tol = tol
        self.patience = patience
        self.clusters = clusters
        self.verbose = verbose
        self.n_jobs = n_jobs

    def fit(
        self,
        X: Iterable[Any],
        y: Iterable[Many[str]] | None = None,
        *,
        dev: Iterable[Sequence] | None = None,
    ) -> SemiMarkovCRF:
        """Learns from the labels `y`, or from those in the records. An interrupt ends training.

        The weights at that time are kept; `ended_` is the reason of the end.
        """
        self._check()
        records = self.records(X)
        given = bio_labels(records, y)
        kinds = kinds_of(given)
        gold, too_long = gold_segments(given, kinds, max_length=self.max_length)
        self.too_long_ = len(too_long)
        if too_long:
            rest = f"more than {self.max_length} tokens, which are learnt as O"
            self._report(f"{len(too_long):,} phrases have {rest}")
        if not len(gold.phrases().begins):
            raise GlyphoneError("there is no phrase to learn from", remedy="give labels B and I")
        templates, filtering = self._templates(records)
        values = TokenValues.learn(records, names_in(templates, filtering))
        candidacy = self._candidacy(values, gold, filtering)
        tests, features, counts = SegmentTests.learn(
            values, gold, templates, self.max_length, len(kinds) + 1, min_count=self.min_count
        )
        kept = candidacy.kept(values)
        data = tests.data(values, candidates_of(values.bounds, kept, gold, forced=True)[0])
        problem = SegmentProblem(data, features, states_for(features), self.rho2, self.n_jobs)
        self._report(f"{problem.size:,} weights, {len(data.begins):,} candidates")
        model = SegmentModel(
            kinds, values.known, candidacy, tests, features, np.zeros(problem.size)
        )
        watcher = Watcher(self.patience, self._error_on(model, dev), self._report)
        weights, self.ended_ = fit_weights(
            problem, watcher, counts, rho1=self.rho1, max_iter=self.max_iter, tol=self.tol
        )
        pruned = tests.prune(features, weights)
        self.model_ = SegmentModel(kinds, values.known, candidacy, *pruned)
        self.n_weights_ = problem.size
        self.classes_ = np.array(kinds)
        self.history_ = [asdict(progress) for progress in watcher.history]
        self._report(f"ended: {self.ended_}, {len(self.model_.weights):,} weights")
        return self

    def predict(self, X: Iterable[Any]) -> list[Labels]:
        """The labels of each sentence."""
        records = self.records(X)
        found = self.predict_segments(records)
        return [
            labels_of(phrases, len(record.tokens))
            for record, phrases in zip(records, found, strict=True)
        ]

    def predict_segments(self, X: Iterable[Any]) -> list[list[Phrase]]:
        """The phrases of each sentence that are the most probable together."""
        check_is_fitted(self)
        return self.model_.best(self.records(X), jobs=self.n_jobs)

    def predict_nbest(self, X: Iterable[Any], *, n: int = 10) -> list[list[Labelling]]:
        """The n most probable labellings of each sentence, the best first."""
        check_is_fitted(self)
        if n < 1:
            raise GlyphoneError(f"n is {n}", remedy="ask for one labelling or more")
        records = self.records(X)
        return [
            [Labelling(labels_of(phrases, len(record.tokens)), share) for phrases, share in rows]
            for record, rows in zip(
                records, self.model_.rank(records, n, jobs=self.n_jobs), strict=True
            )
        ]

    def segment_probabilities(
        self, X: Iterable[Any], *, least: float = 0.01
    ) -> list[dict[Phrase, float]]:
        """The phrases that are at least so probable, each with its probability."""
        check_is_fitted(self)
        return [*map(dict, self.model_.probable(self.records(X), least, jobs=self.n_jobs))]

    def scored_phrases(self, X: Iterable[Any]) -> list[list[tuple[Phrase, float]]]:
        """The predicted phrases of each sentence, each with its probability."""
        check_is_fitted(self)
        return self.model_.scored(self.records(X), jobs=self.n_jobs)

    def log_probability(
        self, X: Iterable[Any], y: Iterable[Many[str]] | None = None
    ) -> list[float]:
        """ln P of the labels of each sentence; -inf if a phrase is no candidate, or of a kind that
        was not there in training.
        """
        check_is_fitted(self)
        records = self.records(X)
        given, most = bio_labels(records, y), self.model_.candidacy.max_length
        gold, too_long = gold_segments(given, self.model_.kinds, max_length=most)
        data, missing = self.model_.data(records, gold)
        found = -self.model_.surprises(data)
        found[too_long] = -np.inf
        found[np.searchsorted(data.bounds, gold.begins[missing], side="right") - 1] = -np.inf
        logs: list[float] = found.tolist()
        return logs

    def score(self, X: Iterable[Any], y: Iterable[Many[str]] | None = None) -> float:
        """F of phrases with their kinds."""
        records = self.records(X)
        return score_phrases(bio_labels(records, y), self.predict(records))[""].f

    def _templates(self, records: Many[Sequence]) -> tuple[str, str]:
        """The templates of segments, and those of the filter."""
        columns = [*next(record.columns for record in records if record.tokens)]
        return (
            default_templates(columns) if self.templates is None else self.templates,
            default_filter(columns) if self.filter_templates is None else self.filter_templates,
        )

    def _candidacy(self, values: TokenValues, gold: Segments, templates: str) -> Candidacy:
        """The filter of candidates, and how many it keeps."""
        every = Candidacy(self.max_length)
        self.filter_kept_ = self.filter_recall_ = 1.0
        if self.filter is None:
            return every
        phrases = gold.phrases()
        found = replace(
            every, threshold=self.filter,
            filter=SpanFilter.learn(values, phrases, self.max_length, templates),
        )  # fmt: skip
        kept = found.kept(values) & spans_within(values.bounds, self.max_length)
        self.filter_kept_ = float(kept.sum() / every.kept(values).sum())
        self.filter_recall_ = float(kept[phrases.lasts, phrases.lasts - phrases.begins].mean())
        self._report(
            f"candidates: {100 * self.filter_kept_:.1f} % of spans, "
            f"{100 * self.filter_recall_:.2f} % of right phrases"
        )
        if not kept.any():
            print(
                f"warning: filter={self.filter} keeps no candidate: everything is O; lower it",
                file=sys.stderr, flush=True,
            )  # fmt: skip
        return found

    def _error_on(self, model: SegmentModel, dev: Iterable[Sequence] | None) -> Any:
        """A function from weights to 1 - F on held-out sentences; None if there are none."""
        if dev is None:
            return None
        records = self.records(dev)
        given = bio_labels(records, None)
        data, _ = model.data(records)

        def error_of(weights: Weights) -> float:
            now = replace(model, weights=dense_weights(weights, len(model.weights)))
            phrases = now.phrases(data, now.best_classes(data))
            found = [
                labels_of(row, len(record.tokens))
                for record, row in zip(records, phrases, strict=True)
            ]
            return 1.0 - score_phrases(given, found)[""].f

        return error_of

    def _check(self) -> None:
        for name, least in (
            ("max_length", 1), ("min_count", 1), ("rho1", 0.0), ("rho2", 0.0), ("max_iter", 1),
            ("tol", 0.0), ("patience", 1), ("n_jobs", 1),
        ):  # fmt: skip
            value = getattr(self, name)
            if not least <= value < np.inf:
                raise GlyphoneError(f"{name} is {value}", remedy=f"give {least} or more")
        if self.filter is not None and not 0.0 <= self.filter <= 1.0:
            remedy = "give a probability, 1e-6, or None to keep all spans"
            raise GlyphoneError(f"filter is {self.filter}", remedy=remedy)

    def _report(self, progress: TrainingProgress | str) -> None:
        if self.verbose:
            print(progress, file=sys.stderr, flush=True)


def kinds_of(labels: Iterable[Many[str]]) -> tuple[str, ...]:
    """The kinds of the phrases that BIO labels mark.

    >>> kinds_of([("B-LOC", "O"), ("B-PER", "I-PER")])
    ('LOC', 'PER')
    """
    split = {split_label(label) for label in {label for given in labels for label in given}}
    return tuple(sorted({kind for mark, kind in split if mark != "O"}))


def names_in(templates: str, filtering: str) -> list[str]:
    """The features of words and the columns that templates name."""
    parsed = parse_templates(templates) + parse_templates(filtering, roles=FILTERING)
    return sorted({name for template in parsed for name, _ in template.places})
