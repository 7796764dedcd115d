"""Conditional random fields as scikit-learn estimators over sequences (Lafferty et al. 2001).

>>> sentences = [["la", "casa", "de", "Ana"], ["Ana", "ve", "la", "mesa"]]
>>> tags = [["DET", "NOUN", "ADP", "PROPN"], ["PROPN", "VERB", "DET", "NOUN"]]
>>> tagger = SequenceCRF(templates="*:%x[0,0]\\n*:%x[-1,0]\\nB", rho1=0.05).fit(sentences, tags)
>>> tagger.predict([["Ana", "ve", "la", "casa"]])
[('PROPN', 'VERB', 'DET', 'NOUN')]
>>> tagger.predict([["la", "casa"]], allowed=[[["DET"], ["VERB"]]])
[('DET', 'VERB')]
>>> tagger.predict_nbest([["la", "casa"]], n=2)[0][0].labels
('DET', 'NOUN')
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from collections.abc import Sequence as Many
from dataclasses import asdict, fields
from itertools import pairwise
from operator import eq
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Sequence
from glyphone.learners.crf.chain.choices import Choices, space_of_choices
from glyphone.learners.crf.chain.model import EVERY, ChainModel
from glyphone.learners.crf.features.numbering import Tests
from glyphone.learners.crf.features.stages import all_patterns, stages_of
from glyphone.learners.crf.features.weights import size_of, weights_of
from glyphone.learners.crf.kernels.arrays import Data, Space
from glyphone.learners.crf.training.loop import TrainingOptions
from glyphone.learners.crf.training.memory import MemoryNeed
from glyphone.learners.crf.training.solve import solve
from glyphone.learners.optimization.loop import STOPPED, TrainingProgress
from glyphone.learners.optimization.weights import NO_WEIGHTS
from glyphone.learners.sequences.clusters import Clusters
from glyphone.learners.sequences.labels import Allowed, Labelling, Labels, label_numbers, mask_of
from glyphone.learners.sequences.observations import Function, pattern_values
from glyphone.learners.sequences.sentences import (
    SentenceEstimator,
    sentence_labels,
    sentence_records,
)

Array = Any
# The token, those beside it, and what label follows what.
TEMPLATES = "*0:%x[0,0]\n*-1:%x[-1,0]\n*+1:%x[1,0]\nB"

MEMORY = "memory"


class SequenceCRF(SentenceEstimator):
    """Gives every token of a sequence a label, all labels of a sequence together.

    `templates` are patterns as text (see `patterns`), a function of a sequence that gives a list of
    tests for each token (see `observations`), or a list of texts, for incremental training: each
    adds patterns, whose tests have weights where less specific tests of those before do (see
    `stages`). Tests that are true `min_count` times have weights, of the labels and pairs that
    `weights` names (see `weights`). With a pattern for `choices` a token may have only the labels
    that were seen with the value of the pattern (see `choices`).

    The objective is rho1 |theta|_1 + rho2 / 2 |theta|_2^2 - ln P of the right labels.
    `optimizer` is "owl-qn"; "sgd" for large problems, which has no rho2 and begins with steps of
    `eta`, times `decay` after each iteration; "bcd" where memory is short; "lbfgs" for rho1 = 0,
    which goes on from three such iterations.
    Training ends after `max_iter` iterations, where the objective has fallen by less than `tol` in
    five, or where the error on the sequences `dev`, if they are given to `fit`, has not been below
    its lowest for `patience`. Then up to `polish` iterations of L-BFGS without rho1 follow, for the
    weights that are not zero.

    `memory` is the number of gigabytes that training may take, by default those that are free. With
    `warm_start` training begins with the weights of the last one. `verbose` reports on stderr the
    memory that is needed, then progress; "memory" the memory alone. With `clusters` patterns may
    name the column `cluster`. The result does not depend on `n_jobs`.
    """

    classes_: Array
    model_: ChainModel
    n_weights_: int
    history_: list[dict[str, Any]]
    ended_: str

    def __init__(
        self,
        *,
        templates: str | Function | Many[str] = TEMPLATES,
        min_count: int = 1,
        weights: str = "all",
        choices: str | None = None,
        optimizer: str = "owl-qn",
        rho1: float = 0.5,
        rho2: float = 1e-5,
        max_iter: int = 200,
        tol: float = 1e-4,
        patience: int = 5,
        polish: int = 0,
        eta: float = 0.8,
        decay: float = 0.85,
        memory: float | None = None,
        warm_start: bool = False,
        verbose: bool | str = False,
        n_jobs: int = 1,
        random_state: int = 0,
        clusters: Clusters | None = None,
    ) -> None:
        self.templates = templates
        self.min_count = min_count
        self.weights = weights
        self.choices = choices
        self.optimizer = optimizer
        self.rho1 = rho1
        self.rho2 = rho2
        self.max_iter = max_iter
        self.tol = tol
        self.patience = patience
        self.polish = polish
        self.eta = eta
        self.decay = decay
        self.memory = memory
        self.warm_start = warm_start
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.clusters = clusters

    def fit(
        self,
        X: Iterable[Any],
        y: Iterable[Many[str]] | None = None,
        *,
        dev: Iterable[Sequence] | None = None,
    ) -> SequenceCRF:
        """Learns from the labels `y`, or from those in the records. An interrupt ends training.

        The weights at that time are kept; `ended_` is the reason of the end.
        """
        options = self._training_options()
        records = self.records(X)
        given = sentence_labels(records, y)
        names = tuple(sorted({label for some in given for label in some}))
        codes = label_numbers(given, names)
        others = None if dev is None else self.records(dev)
        start = self.model_ if self.warm_start and hasattr(self, "model_") else None
        choices = None
        if self.choices is not None:
            choices = Choices.learn(pattern_values(records, self.choices), codes, len(names))
        history: list[TrainingProgress] = []
        for seen in stages_of(self.templates, records):
            tests, data = Tests.learn(
                seen(start.active if start else ()), codes, min_count=self.min_count
            )
            data = self._with_choices(data, records, choices)
            space = self._weight_space(data, names, tests)
            held_out = None
            if others is not None:
                codes_of = label_numbers(sentence_labels(others, None), names)
                held_out = tests.data(others, all_patterns(self.templates), codes_of)
                held_out = self._with_choices(held_out, others, choices)
            found, self.ended_ = solve(
                data, space, tests, options,
                start=start.weights_in(names, tests, space) if start else NO_WEIGHTS,
                report=self._report, held_out=held_out, history=history,
            )  # fmt: skip
            start = ChainModel.of(names, tests, space, found, choices)
            self.model_, self.n_weights_ = start, size_of(space)
            if self.ended_ == STOPPED:
                break
        self.classes_ = np.array(names)
        self.history_ = [asdict(progress) for progress in history]
        self._report(f"ended: {self.ended_}, {len(self.model_.weights):,} weights")
        return self

    @classmethod
    def of(cls, model: ChainModel, *, templates: str | Function | Many[str]) -> SequenceCRF:
        """A learner with a model that it has not trained."""
        found = cls(templates=templates)
        found.classes_, found.model_ = np.array(model.labels), model
        found.n_weights_, found.history_, found.ended_ = len(model.weights), [], "read"
        return found

    def predict(self, X: Iterable[Any], *, allowed: Allowed | None = None) -> list[Labels]:
        """The best labels of each sequence; `allowed` are those that each token may have."""
        data, mask = self._data_and_mask(X, allowed)
        names = self.model_.labels
        found = [names[code] for code in self.model_.best(data, mask).tolist()]
        return [tuple(found[first:last]) for first, last in pairwise(data.bounds.tolist())]

    def predict_marginals(self, X: Iterable[Any], *, allowed: Allowed | None = None) -> list[Array]:
        """For each sequence the probabilities of labels, a row for each token."""
        data, mask = self._data_and_mask(X, allowed)
        return np.split(self.model_.probabilities(data, mask)[0], data.bounds[1:-1])

    def predict_nbest(
        self, X: Iterable[Any], *, n: int = 10, allowed: Allowed | None = None
    ) -> list[list[Labelling]]:
        """The n most probable labellings of each sequence, the best first."""
        if n < 1:
            raise GlyphoneError(f"n is {n}", remedy="ask for one labelling or more")
        data, mask = self._data_and_mask(X, allowed)
        names, logs = self.model_.labels, self.model_.probabilities(data, mask)[1]
        return [
            [
                Labelling(tuple(names[code] for code in path.tolist()), math.exp(score - log))
                for path, score in zip(*ways, strict=True)
            ]
            for ways, log in zip(self.model_.n_best(data, n, mask), logs.tolist(), strict=True)
        ]

    def log_probability(
        self, X: Iterable[Any], y: Iterable[Many[str]] | None = None
    ) -> list[float]:  # fmt: skip
        """ln P of the labels of each sequence; -inf if one of them was not there in training."""
        records = sentence_records(X)
        codes = label_numbers(sentence_labels(records, y), self.model_.labels)
        asked = self._data_and_mask(records, None)[0]
        found: list[float] = self.model_.log_probabilities(asked, codes).tolist()
        return found

    def score(self, X: Iterable[Any], y: Iterable[Many[str]] | None = None) -> float:
        """The share of tokens with the right label."""
        records = sentence_records(X)
        given = [label for some in sentence_labels(records, y) for label in some]
        found = [label for some in self.predict(records) for label in some]
        return float(sum(map(eq, found, given)) / len(given))

    def _training_options(self) -> TrainingOptions:
        if type(self.min_count) is not int or self.min_count < 1:
            raise GlyphoneError(f"min_count is {self.min_count}", remedy="give 1 or more")
        if self.choices is not None and (self.weights != "all" or self.optimizer == "bcd"):
            remedy = 'take weights="all" and another optimizer, or leave out choices'
            message = f"choices go with all weights there may be, not {self.weights!r}, and not bcd"
            raise GlyphoneError(message, remedy=remedy)
        names = [field.name for field in fields(TrainingOptions)]
        given = {name: value for name, value in vars(self).items() if name in names}
        return TrainingOptions(**given, jobs=self.n_jobs, seed=self.random_state)

    def _with_choices(self, data: Data, records: Many[Sequence], choices: Choices | None) -> Data:
        """Data with the choices of labels of tokens, if the learner has any."""
        if choices is None or self.choices is None:
            return data
        return choices.add_to(data, choices.numbers_for(pattern_values(records, self.choices)))

    def _weight_space(self, data: Data, names: Labels, tests: Tests) -> Space:
        """The space of weights."""
        n_tests = len(tests.unigrams), len(tests.bigrams)
        if self.choices is not None:
            return space_of_choices(data, len(names), n_tests)
        return weights_of(data, len(names), n_tests, self.weights)

    def _data_and_mask(self, X: Iterable[Any], allowed: Allowed | None) -> tuple[Data, Array]:
        check_is_fitted(self)
        records = self.records(X)
        data = self.model_.data(records, all_patterns(self.templates), self.choices)
        return data, EVERY if allowed is None else mask_of(allowed, records, self.model_.labels)

    def _report(self, progress: TrainingProgress | MemoryNeed | str) -> None:
        if self.verbose and (self.verbose != MEMORY or isinstance(progress, MemoryNeed)):
            print(progress, file=sys.stderr, flush=True)
