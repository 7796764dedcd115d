"""Latent-dynamic conditional random fields as scikit-learn estimators (Sun, Morency, Okanohara and
Tsujii 2008).

A label has hidden states of its own, which tell apart what the label alone does not: after `he gave
her` a noun phrase goes on more often than after `he is her`, though both are B O B.

>>> sentences = [["he", "gave", "her", "books"], ["it", "is", "her"]] * 3
>>> tags = [["B", "O", "B", "B"], ["B", "O", "B"]] * 3
>>> tagger = LatentCRF(states=2, rho2=0.1, random_state=1).fit(sentences, tags)
>>> tagger.predict([["he", "is", "her", "books"]])
[('B', 'O', 'B', 'B')]
>>> tagger.predict_nbest([["it", "is"]], n=2)[0][0].labels
('B', 'O')
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from collections.abc import Sequence as Many
from dataclasses import asdict
from itertools import pairwise
from operator import eq
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.data.records import Sequence
from glyphone.learners.latent.arrays import Data, Shape
from glyphone.learners.latent.grams import data_of, learn_tests, prune
from glyphone.learners.latent.model import MOST_STEPS, LatentModel
from glyphone.learners.latent.training import LatentProblem, StartOptions, fit_weights
from glyphone.learners.optimization.descent import dense_weights
from glyphone.learners.optimization.loop import TrainingProgress, Watcher
from glyphone.learners.optimization.weights import Weights
from glyphone.learners.sequences.clusters import Clusters
from glyphone.learners.sequences.labels import Labelling, Labels, label_numbers
from glyphone.learners.sequences.observations import Function, observe_tests
from glyphone.learners.sequences.sentences import (
    SentenceEstimator,
    sentence_labels,
)

Array = Any
# The token, those beside it, and what follows what.
TEMPLATES = "*0:%x[0,0]\n*-1:%x[-1,0]\n*+1:%x[1,0]\nB"
# Ways to choose labels: those that are best together, those of the best hidden path, and the best
# of each token.
LABELS, HIDDEN, MARGINALS = "labels", "hidden", "marginals"
DECODERS = (LABELS, HIDDEN, MARGINALS)


class LatentCRF(SentenceEstimator):
    """Gives every token of a sequence a label, by hidden states that each label has.

    `templates` are patterns as text (see `glyphone.learners.sequences.patterns`) or a function of a
    sequence that gives a list of tests for each token. Tests that are true `min_count` times have
    weights, of the states of labels, and of up to `order` + 1 of these behind each other, that were
    seen with them. With one state this is the `SequenceCRF` whose weights are those seen.

    The objective is -ln P of the right labels, rho1 |theta|_1, and rho2 / 2 times the squares of
    what the states of labels have in common, and `apart` times those of how they differ (see
    `training`). It has many minima: of `starts` starts, beside the weights of a chain by the
    deviation `spread`, each takes `trial` iterations, and the best of them goes on. Training ends
    after `max_iter` iterations, where the objective has fallen by less than `tol` in five, or where
    the error on the sequences `dev`, if they are given to `fit`, has not been below its lowest for
    `patience`.

    `decoder` says which labels are predicted: "labels" that are the most probable together, summed
    over all their hidden paths; those of the best "hidden" path; or the most probable of each token
    by their "marginals". The search for the first takes at most `max_steps` steps for each token;
    where it has to end, the labels are those of the best hidden path. `predict_proved` says which
    are sure to be the best. With `clusters` patterns may name the column `cluster`.

    >>> X, y = [["Ana", "Paz", "ve"], ["ve", "a", "Eva"]] * 2, [[*"BIO"], [*"OOB"]] * 2
    >>> LatentCRF(states=2, rho2=0.1).fit(X, y).predict([["Eva", "Paz", "ve"], []])
    [('B', 'I', 'O'), ()]
    """

    classes_: Array
    model_: LatentModel
    n_weights_: int
    history_: list[dict[str, Any]]
    ended_: str

    def __init__(
        self,
        *,
        templates: str | Function = TEMPLATES,
        min_count: int = 1,
        states: int = 4,
        order: int = 1,
        decoder: str = LABELS,
        max_steps: int = MOST_STEPS,
        rho1: float = 0.0,
        rho2: float = 1.0,
        apart: float = 4.0,
        starts: int = 3,
        spread: float = 0.1,
        trial: int = 20,
        max_iter: int = 120,
        tol: float = 1e-4,
        patience: int = 10,
        clusters: Clusters | None = None,
        verbose: bool = False,
        n_jobs: int = 1,
        random_state: int = 0,
    ) -> None:
        self.templates = templates
        self.min_count = min_count
        self.states = states
        self.order = order
        self.decoder = decoder
        self.max_steps = max_steps
        self.rho1 = rho1
        self.rho2 = rho2
        self.apart = apart
        self.starts = starts
        self.spread = spread
        self.trial = trial
        self.max_iter = max_iter
        self.tol = tol
        self.patience = patience
        self.clusters = clusters
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self,
        X: Iterable[Any],
        y: Iterable[Many[str]] | None = None,
        *,
        dev: Iterable[Sequence] | None = None,
    ) -> LatentCRF:
        """Learns from the labels `y`, or from those in the records. An interrupt ends training.

        The weights at that time are kept; `ended_` is the reason of the end.
        """
        self._check()
        records = self.records(X)
        given = sentence_labels(records, y)
        names = tuple(sorted({label for some in given for label in some}))
        codes, shape = label_numbers(given, names), Shape(len(names), self.states, self.order)
        seen = observe_tests(records, self.templates)
        tests, grams, data = learn_tests(seen, codes, shape, min_count=self.min_count)
        problem = LatentProblem(data, shape, grams, self.rho2, self.apart, self.n_jobs)
        self._report(f"{problem.size:,} weights of {len(grams.sizes):,} tests")
        error_of = None
        if dev is not None:
            held_out = self.records(dev)
            right = label_numbers(sentence_labels(held_out, None), names)
            asked = data_of(observe_tests(held_out, self.templates), tests, right)

            def error_of(weights: Weights) -> float:
                dense = dense_weights(weights, problem.size)
                found = self._codes(LatentModel(names, shape, tests, grams, dense), asked)
                return float((found != right).mean())

        options = StartOptions(self.starts, self.spread, self.trial, self.random_state)
        attempt, self.ended_ = fit_weights(
            problem, options, rho1=self.rho1, max_iter=self.max_iter, tol=self.tol,
            watcher_of=lambda: Watcher(self.patience, error_of, self._report),
            report=self._report,
        )  # fmt: skip
        pruned = prune(tests, grams, attempt.weights(), self.states)
        self.model_ = LatentModel(names, shape, *pruned)
        self.n_weights_ = problem.size
        self.classes_ = np.array(names)
        self.history_ = [asdict(progress) for progress in attempt.watcher.history]
        self._report(f"ended: {self.ended_}, {len(self.model_.weights):,} weights")
        return self

    def predict(self, X: Iterable[Any], *, decoder: str | None = None) -> list[Labels]:
        """The labels of each sequence, by this `decoder` if one is named."""
        data = self._data(X)
        return self._named(self._codes(self.model_, data, decoder), data)

    def predict_proved(self, X: Iterable[Any]) -> tuple[list[Labels], list[bool]]:
        """The labels of each sequence that are best together, and whether that is proved."""
        data = self._data(X)
        found = self.model_.best(data, most=self.max_steps, jobs=self.n_jobs)
        return self._named(found.labels, data), found.proved.tolist()

    def predict_marginals(self, X: Iterable[Any]) -> list[Array]:
        """For each sequence the probabilities of labels, a row for each token."""
        return [states.sum(axis=2) for states in self.predict_states(X)]

    def predict_states(self, X: Iterable[Any]) -> list[Array]:
        """For each token of each sequence the probabilities of states, a row for each label."""
        data = self._data(X)
        found = self.model_.state_probabilities(data, jobs=self.n_jobs)
        return np.split(found, data.bounds[1:-1])

    def predict_nbest(self, X: Iterable[Any], *, n: int = 10) -> list[list[Labelling]]:
        """The n most probable labellings of each sequence, the best first."""
        if n < 1:
            raise GlyphoneError(f"n is {n}", remedy="ask for one labelling or more")
        names = self.model_.labels if hasattr(self, "model_") else ()
        return [
            [
                Labelling(tuple(names[code] for code in row), math.exp(log))
                for row, log in zip(one.rows.tolist(), one.logs.tolist(), strict=True)
            ]
            for one in self.model_.rank_labels(self._data(X), n, most=self.max_steps)
        ]

    def log_probability(
        self, X: Iterable[Any], y: Iterable[Many[str]] | None = None
    ) -> list[float]:
        """ln P of the labels of each sequence; -inf if one of them was not there in training."""
        records = self.records(X)
        codes = label_numbers(sentence_labels(records, y), self.model_.labels)
        found: list[float] = self.model_.log_probabilities(self._data(records), codes).tolist()
        return found

    def score(self, X: Iterable[Any], y: Iterable[Many[str]] | None = None) -> float:
        """The share of tokens with the right label."""
        records = self.records(X)
        given = [label for some in sentence_labels(records, y) for label in some]
        found = [label for some in self.predict(records) for label in some]
        return float(sum(map(eq, found, given)) / len(given))

    def _codes(self, model: LatentModel, data: Data, decoder: str | None = None) -> Array:
        """The numbers of labels by a decoder."""
        chosen = self.decoder if decoder is None else decoder
        if chosen not in DECODERS:
            raise UnknownName("decoder", chosen, DECODERS)
        if chosen == MARGINALS:
            states = model.state_probabilities(data, jobs=self.n_jobs)
            return states.sum(axis=2).argmax(axis=1).astype(np.int32)
        hidden = chosen == HIDDEN
        return model.best(data, most=self.max_steps, hidden=hidden, jobs=self.n_jobs).labels

    def _named(self, codes: Array, data: Data) -> list[Labels]:
        found = [self.model_.labels[code] for code in codes.tolist()]
        return [tuple(found[first:last]) for first, last in pairwise(data.bounds.tolist())]

    def _data(self, X: Iterable[Any]) -> Data:
        check_is_fitted(self)
        return self.model_.data(self.records(X), self.templates)

    def _check(self) -> None:
        for name, least in (
            ("min_count", 1), ("states", 1), ("order", 1), ("max_steps", 1), ("rho1", 0.0),
            ("rho2", 0.0), ("apart", 0.0), ("starts", 1), ("spread", 0.0), ("trial", 1),
            ("max_iter", 1), ("tol", 0.0), ("patience", 1), ("n_jobs", 1),
        ):  # fmt: skip
            value = getattr(self, name)
            if not least <= value < np.inf:
                raise GlyphoneError(f"{name} is {value}", remedy=f"give {least} or more")
        if self.decoder not in DECODERS:
            raise UnknownName("decoder", self.decoder, DECODERS)
        if self.order > 2:
            remedy = "take 1 or 2: arcs grow with the power of labels and states"
            raise GlyphoneError(f"order is {self.order}", remedy=remedy)

    def _report(self, progress: TrainingProgress | str) -> None:
        if self.verbose:
            print(progress, file=sys.stderr, flush=True)
