"""Naive Bayes classifiers of documents, one over each distribution of word counts.

    score(c) = ln P(c) + sum over words w of ln P(x_w | n, c)

Rows are documents, columns words, and entries whole counts, in a dense or sparse matrix. The length
n of a document is the sum of its row, over all columns, in the vocabulary or not; to count tokens
that are no word of the matrix, give them a column. `n_words` keeps those words that have most
mutual information with the class; `smoothing` is described in `estimates`.

A word that a class does not have is improbable in it, never impossible. By binomial-type models an
empty document has the probabilities of the classes; by Poisson-type models, for documents of one
size, all words are absent from it. Where there is but one class, it is the answer. Counts that are
negative, fractional or missing are refused with row and column.

>>> X = [[3, 0, 1], [2, 0, 0], [0, 2, 1], [0, 1, 2]]
>>> model = ZeroInflatedBinomialNB(smoothing=0.5).fit(X, ["tax", "tax", "war", "war"])
>>> model.predict([[1, 0, 1], [0, 1, 0], [0, 0, 0]]).tolist()
['tax', 'war', 'tax']
>>> model.off_topic_.shape
(2, 3)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, ClassVar, Self

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.learners.counts import estimates, models
from glyphone.learners.counts.checking import matrix_of
from glyphone.learners.counts.estimates import CountTable
from glyphone.learners.counts.models import CountModel, ZeroInflated
from glyphone.learners.counts.scoring import log_likelihoods
from glyphone.learners.counts.vocabulary import best_words

Array = Any
# The names of a model's parameters in an estimator.
ATTRIBUTES = {
    "mu": "means_", "k": "shapes_", "p": "probabilities_", "g": "dispersions_", "z": "off_topic_"
}  # fmt: skip


class CountNB(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The base of the classifiers: `family` is a model, zero-inflated or not, `estimate` fits it.

    After `fit`, `vocabulary_` has the columns that are used, `class_log_prior_` and the parameters,
    classes by words, in `means_`, `shapes_`, `probabilities_`, `dispersions_` and `off_topic_`.
    """

    family: ClassVar[type[CountModel]]
    inflated: ClassVar[bool] = False
    estimate: ClassVar[Callable[[CountTable, float], CountModel]]

    classes_: Array
    vocabulary_: Array
    class_log_prior_: Array

    def __init__(self, *, n_words: int | None = None, smoothing: float = 1.0) -> None:
        self.n_words = n_words
        self.smoothing = smoothing

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.positive_only = True
        # The only tag by which scikit-learn learns that numbers are whole.
        tags.input_tags.categorical = True
        # Its checks have two columns, and few models separate classes by shares of two words.
        tags.classifier_tags.poor_score = self.family.needs_length
        return tags

    def fit(self, X: Any, y: Any) -> Self:
        """Estimates a distribution of each word in each class."""
        if not 0 < self.smoothing < np.inf:
            raise GlyphoneError(
                f"smoothing is {self.smoothing}",
                remedy="take a number above 0, or one unseen word rules a class out",
            )
        if self.n_words is not None and self.n_words < 1:
            raise GlyphoneError(f"n_words is {self.n_words}", remedy="take 1 or more, or None")
        X, y = validate_data(self, X, y, accept_sparse="csr", ensure_all_finite=False)
        rows = matrix_of(X)
        check_classification_targets(y)
        self.classes_, classes = np.unique(y, return_inverse=True)
        n_classes = len(self.classes_)
        n_words = self.n_features_in_ if self.n_words is None else self.n_words
        self.vocabulary_ = best_words(rows, classes, n_classes=n_classes, n_words=n_words)
        self.class_log_prior_ = np.log(np.bincount(classes) / len(classes))
        table = CountTable(rows[:, self.vocabulary_], classes, lengths_of(rows), n_classes)
        model = self._estimate_model(table)
        for name, values in model.parameters().items():
            setattr(self, ATTRIBUTES[name], values)
        return self

    def _estimate_model(self, table: CountTable) -> CountModel:
        return type(self).estimate(table, float(self.smoothing))

    @property
    def model_(self) -> CountModel:
        """The distributions, with parameters by classes and words."""
        named = {name: getattr(self, ATTRIBUTES[name]) for name in names_of(self.family)}
        model = self.family(**named)
        return ZeroInflated(self.off_topic_, model) if self.inflated else model

    def predict_joint_log_proba(self, X: Any) -> Array:
        """ln P(c) + ln P(document | c), documents by classes."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", ensure_all_finite=False, reset=False)
        rows = matrix_of(X)
        likelihoods = log_likelihoods(self.model_, rows[:, self.vocabulary_], lengths_of(rows))
        return self.class_log_prior_ + likelihoods

    def predict_log_proba(self, X: Any) -> Array:
        """Natural logarithms of the probability of each class."""
        joint = self.predict_joint_log_proba(X)
        return joint - logsumexp(joint, axis=1, keepdims=True)

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class, in the order of `classes_`."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> Array:
        """The most probable class of each document."""
        best = self.predict_joint_log_proba(X).argmax(axis=1)
        return self.classes_[best]


def lengths_of(rows: Any) -> Array:
    return np.asarray(rows.sum(axis=1)).ravel()


def names_of(family: type[CountModel]) -> list[str]:
    return [field.name for field in fields(family)]  # type: ignore[arg-type]


class PoissonNB(CountNB):
    """Counts in passages of one size, each word with its own mean.

    >>> X, y = [[8, 0, 9], [0, 1, 9], [0, 9, 9], [1, 6, 9]], [*"aabb"]
    >>> model = PoissonNB().fit(X, y)
    >>> model.means_.round(2).tolist(), model.predict([[5, 0, 8], [0, 5, 8]]).tolist()
    ([[4.05, 0.9, 8.55], [0.92, 7.35, 8.73]], ['a', 'b'])
    """

    family, estimate = models.Poisson, estimates.poisson


class NegativeBinomialNB(CountNB):
    """Counts in passages of one size that vary more than Poisson's (Mosteller and Wallace 1964).

    >>> X, y = [[8, 0, 9], [0, 1, 9], [0, 9, 9], [1, 6, 9]], [*"aabb"]
    >>> model = NegativeBinomialNB().fit(X, y)
    >>> model.shapes_[0].round(2).tolist(), model.predict([[5, 0, 8], [0, 5, 8]]).tolist()
    ([0.35, 984609.11, 984609.11], ['a', 'b'])
    """

    family, estimate = models.NegativeBinomial, estimates.negative_binomial


class ZeroInflatedPoissonNB(CountNB):
    """Poisson where a passage is on topic.

    >>> X, y = [[8, 0, 9], [0, 1, 9], [0, 9, 9], [1, 6, 9]], [*"aabb"]
    >>> model = ZeroInflatedPoissonNB().fit(X, y)
    >>> model.off_topic_.round(2).tolist(), model.predict([[5, 0, 8], [0, 5, 8]]).tolist()
    ([[0.5, 0.25, 0.25], [0.25, 0.25, 0.25]], ['a', 'b'])
    """

    family, inflated, estimate = models.Poisson, True, estimates.zero_inflated_poisson


class ZeroInflatedNegativeBinomialNB(CountNB):
    """Negative binomial where a passage is on topic.

    >>> X, y = [[8, 0, 9], [0, 1, 9], [0, 9, 9], [1, 6, 9]], [*"aabb"]
    >>> model = ZeroInflatedNegativeBinomialNB().fit(X, y)
    >>> model.off_topic_.round(2).tolist(), model.predict([[5, 0, 8], [0, 5, 8]]).tolist()
    ([[0.5, 0.25, 0.25], [0.25, 0.25, 0.25]], ['a', 'b'])
    """

    family, inflated = models.NegativeBinomial, True
    estimate = estimates.zero_inflated_negative_binomial


class BernoulliNB(CountNB):
    """Whether words occur.

    >>> X, y = [[8, 0, 9], [0, 1, 9], [0, 9, 9], [1, 6, 9]], [*"aabb"]
    >>> model = BernoulliNB().fit(X, y)
    >>> model.probabilities_.round(2).tolist(), model.predict([[5, 0, 8], [0, 5, 8]]).tolist()
    ([[0.5, 0.5, 0.75], [0.5, 0.75, 0.75]], ['a', 'b'])
    """

    family, estimate = models.Bernoulli, estimates.bernoulli


class BinomialNB(CountNB):
    """How many of the tokens a word is.

    >>> X, y = [[8, 0, 9], [0, 1, 9], [0, 9, 9], [1, 6, 9]], [*"aabb"]
    >>> model = BinomialNB().fit(X, y)
    >>> model.probabilities_.round(2).tolist(), model.predict([[5, 0, 8], [0, 5, 8]]).tolist()
    ([[0.3, 0.07, 0.63], [0.05, 0.43, 0.51]], ['a', 'b'])
    """

    family, estimate = models.Binomial, estimates.binomial


class BetaBinomialNB(CountNB):
    """Binomial, with a p that varies from document to document.

    `method` is how dispersions are estimated: "likelihood", or the "moments" of Jansche (2003).

    >>> X, y = [[8, 0, 9], [0, 1, 9], [0, 9, 9], [1, 6, 9]], [*"aabb"]
    >>> model = BetaBinomialNB().fit(X, y)
    >>> model.dispersions_.round(2).tolist(), model.predict([[5, 0, 8], [0, 5, 8]]).tolist()
    ([[0.24, 0.01, 0.09], [0.0, 0.0, 0.0]], ['a', 'b'])
    """

    family = models.BetaBinomial
    methods: ClassVar[dict[str, Callable[[CountTable, float], CountModel]]] = {
        "likelihood": estimates.beta_binomial,
        "moments": estimates.beta_binomial_by_moments,
    }

    def __init__(
        self, *, n_words: int | None = None, smoothing: float = 1.0, method: str = "likelihood"
    ) -> None:
        super().__init__(n_words=n_words, smoothing=smoothing)
        self.method = method

    def _estimate_model(self, table: CountTable) -> CountModel:
        if self.method not in self.methods:
            raise UnknownName("method", self.method, self.methods)
        return self.methods[self.method](table, float(self.smoothing))


class ZeroInflatedBinomialNB(CountNB):
    """Binomial where a document is on topic.

    >>> X, y = [[8, 0, 9], [0, 1, 9], [0, 9, 9], [1, 6, 9]], [*"aabb"]
    >>> model = ZeroInflatedBinomialNB().fit(X, y)
    >>> model.off_topic_.round(2).tolist(), model.predict([[5, 0, 8], [0, 5, 8]]).tolist()
    ([[0.5, 0.48, 0.25], [0.45, 0.25, 0.25]], ['a', 'b'])
    """

    family, inflated, estimate = models.Binomial, True, estimates.zero_inflated_binomial
