"""Logistic regression over features and their products, as a scikit-learn classifier.

>>> X = [[a, b] for a in (0, 1) for b in (0, 1)] * 5
>>> y = ["odd" if a != b else "even" for a, b in X]
>>> CombinationClassifier(degree=1).fit(X, y).score(X, y)
0.5
>>> learner = CombinationClassifier().fit(X, y)
>>> learner.predict([[1, 1], [0, 1]]).tolist()
['even', 'odd']
>>> print(learner.export_rules(["rain", "sun"], n=1), end="")
rain * sun -> even  2.197
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

import numpy as np
from scipy import sparse, special
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from glyphone.data.errors import GlyphoneError
from glyphone.learners.combinations.arrays import NONE, Products
from glyphone.learners.combinations.examples import examples_of
from glyphone.learners.combinations.products import product_matrix, products_of, rows_of
from glyphone.learners.combinations.training import Grafting, GraftingOptions, Round
from glyphone.learners.optimization.loop import LAST

Array = Any
DEGREES = (1, 2, 3)


class Unusable(GlyphoneError, ValueError):
    """Data that nothing can be learnt from; scikit-learn expects a ValueError."""


class CombinationClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Multiclass logistic regression over features and all products of up to `degree` of them.

    The objective is rho1 |w|_1 - ln P of the right classes, `rho1` being C of Okanohara and Tsujii
    (2009), and 1 / C of scikit-learn's and liblinear's logistic regression. Its minimum over all
    products is found without making them: bounds say which could matter, and `batch` of these, by
    default as many as there are weights, join the weights at a time until none is missing.

    Values are 0 or more. They need not be at most 1: a product is bounded by the value of one
    factor and the greatest ones of the others. `bias` is the value of a feature that all rows have,
    whose weights are penalised like others: less, the larger it is; 0 leaves it out.

    A weight joins if its slope is above rho1 by more than the share `tol` of it; those that have
    joined are fitted as closely. At `max_active` weights, or after `max_iter` iterations of fitting
    them, training ends before it is at the minimum; so it does at an interrupt.

    Fitted: `products_`, a row of the numbers of its factors for each product, -1 for none;
    `weights_`, a sparse matrix of products by `classes_`, or by the last of two classes alone, and
    `intercept_`; `objective_`; `ended_`, the reason of the end; `history_`, a row for each round.

    >>> X = [[0.5, 2.0, 0.0], [3.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0]] * 5
    >>> learner = CombinationClassifier(rho1=0.1).fit(X, ["both", "one", "none", "both"] * 5)
    >>> learner.predict_proba(X[:2]).round(2).tolist(), learner.ended_
    ([[0.99, 0.01, 0.0], [0.0, 0.0, 0.99]], 'converged')
    """

    classes_: Array
    products_: Array
    weights_: Array
    intercept_: Array
    objective_: float
    ended_: str
    history_: list[dict[str, Any]]

    def __init__(
        self,
        *,
        degree: int = 2,
        rho1: float = 1.0,
        batch: int | None = None,
        max_active: int | None = None,
        bias: float = 1.0,
        max_iter: int = 10_000,
        tol: float = 1e-4,
        verbose: bool = False,
    ) -> None:
        self.degree = degree
        self.rho1 = rho1
        self.batch = batch
        self.max_active = max_active
        self.bias = bias
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.positive_only = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> CombinationClassifier:
        """Learns from rows and their classes; a row of weight 2 counts as two."""
        options = self._training_options()
        X, y = validate_data(self, X, y, accept_sparse="csr", ensure_all_finite=False)
        check_classification_targets(y)
        matrix = self._matrix(X)
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        self.classes_, labels = np.unique(y, return_inverse=True)
        n_there, n_rows = len(np.unique(labels[weights > 0])), np.count_nonzero(weights)
        if n_there < 2:
            raise Unusable(
                f"{n_there} class in {n_rows} rows of weights above 0",
                remedy="give rows of two classes or more",
            )
        if len(self.classes_) == 2:
            labels = 1 - labels
        examples = examples_of(matrix, labels, weights, len(self.classes_), float(self.bias))
        grafting = Grafting(examples, options, self._report)
        self.ended_ = grafting.run()
        self._keep(grafting)
        if self.ended_ == LAST:
            warnings.warn(
                f"stopped after max_iter = {self.max_iter} iterations; give more, or a larger rho1",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def predict(self, X: Any) -> Array:
        """The class of each row."""
        scores = self._scores(X)
        best = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[best]

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class, in the order of `classes_`, for each row."""
        scores = self._scores(X)
        if scores.ndim == 1:
            return special.expit(np.column_stack([-scores, scores]))
        return special.softmax(scores, axis=1)

    def predict_log_proba(self, X: Any) -> Array:
        """Natural logarithms of probabilities."""
        scores = self._scores(X)
        if scores.ndim == 1:
            return special.log_expit(np.column_stack([-scores, scores]))
        return special.log_softmax(scores, axis=1)

    def export_rules(self, names: Iterable[str] | None = None, *, n: int | None = None) -> str:
        """The `n` strongest weights, or all of them, strongest first, a line each: the factors, the
        class, and the weight, which of two classes stands by the one that it speaks for."""
        check_is_fitted(self)
        known = self._names(names)
        there = self.weights_.tocoo()
        none = np.full((len(self.intercept_), self.products_.shape[1]), NONE)
        factors = np.vstack([self.products_[there.row], none])
        labels = np.append(there.col, np.arange(len(self.intercept_)))
        weights = np.append(there.data, self.intercept_)
        ranked = np.argsort(-np.abs(weights), kind="stable")
        found = []
        for k in ranked[weights[ranked] != 0][:n]:
            label, weight = labels[k], weights[k]
            if len(self.classes_) == 2:
                label, weight = int(weight > 0), abs(weight)
            product = " * ".join(known[f] for f in factors[k] if f != NONE) or "constant"
            found.append(f"{product} -> {self.classes_[label]}  {weight:.4g}\n")
        return "".join(found)

    def _scores(self, X: Any) -> Array:
        """The scores of classes, in the order of `classes_`; of two, that of the last."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", ensure_all_finite=False, reset=False)
        made = product_matrix(rows_of(self._matrix(X)), self._products())
        scores = (made @ self.weights_).toarray() + self.intercept_
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def _matrix(self, X: Any) -> Any:
        """Features as a sparse matrix, after a check of their values."""
        matrix = sparse.csr_array(X, dtype=np.float64)
        refuse_others(matrix, self._names(None))
        return matrix

    def _names(self, names: Iterable[str] | None) -> list[str]:
        given = getattr(self, "feature_names_in_", None) if names is None else [*names]
        if given is None:
            given = [f"x{k}" for k in range(self.n_features_in_)]
        if len(given) != self.n_features_in_:
            raise GlyphoneError(
                f"{len(given)} names for {self.n_features_in_} features",
                remedy="give one name for each feature",
            )
        return [str(name) for name in given]

    def _products(self) -> Products:
        """The products, each under its last factor."""
        return products_of(self.products_, np.arange(self.n_features_in_, 0, -1))

    def _keep(self, grafting: Grafting) -> None:
        """Takes the weights that are not zero."""
        numbers, values = grafting.set.active_weights()
        products, labels = grafting.numbering.parts(numbers)
        products, rows = np.unique(products, return_inverse=True)
        factors = grafting.numbering.factors(products)
        constant = factors[:, 0] == self.n_features_in_
        weights = sparse.csr_array(
            (values, (rows, labels)), (len(products), grafting.numbering.n_scored)
        )
        self.intercept_ = weights[constant].sum(axis=0) * float(self.bias)
        self.products_, self.weights_ = factors[~constant], weights[~constant]
        self.objective_ = float(grafting.set.objective)
        self.n_iter_ = grafting.iterations
        self.history_ = [asdict(one) for one in grafting.history]

    def _training_options(self) -> GraftingOptions:
        checks = {
            "degree": self.degree in DEGREES,
            "rho1": 0 < self.rho1 < np.inf,
            "batch": self.batch is None or self.batch >= 1,
            "max_active": self.max_active is None or self.max_active >= 1,
            "bias": 0 <= self.bias < np.inf,
            "max_iter": self.max_iter >= 1,
            "tol": 0 < self.tol < 1,
        }
        for name, fine in checks.items():
            if not fine:
                raise GlyphoneError(f"{name} is {getattr(self, name)}", remedy=RANGES[name])
        return GraftingOptions(
            **{one.name: getattr(self, one.name) for one in fields(GraftingOptions)}
        )

    def _report(self, one: Round) -> None:
        if self.verbose:
            print(one, file=sys.stderr, flush=True)


RANGES = {
    "degree": "it must be 1, 2 or 3",
    "rho1": "it must be above 0, and finite: without a penalty every product has a weight",
    "batch": "it must be 1 or more, or None",
    "max_active": "it must be 1 or more, or None",
    "bias": "it must be 0 or more, and finite",
    "max_iter": "it must be 1 or more",
    "tol": "it must be above 0, and below 1",
}


def refuse_others(matrix: Any, names: list[str]) -> None:
    """Raises for the first value that no product can be bounded with."""
    values = matrix.data
    for wrong, message, remedy in (
        (np.isnan(values), "is NaN", "leave the row out, or fill it in"),
        (np.isinf(values), "is infinity (inf)", "leave the row out, or fill it in"),
        # scikit-learn looks for these words.
        (
            values < 0,
            "is below 0: Negative values in data passed to CombinationClassifier",
            "scale the feature to 0 and above, or make two of it, one for each sign",
        ),
    ):
        if wrong.any():
            at = int(np.argmax(wrong))
            row = int(np.searchsorted(matrix.indptr, at, side="right")) - 1
            raise Unusable(
                f"row {row}, feature {names[matrix.indices[at]]!r}: {values[at]:g} {message}",
                remedy=remedy,
            )
