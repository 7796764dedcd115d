"""Logistic regression for a utility, as a scikit-learn classifier of two classes.

>>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["keep", "drop", "keep", "keep"]
>>> careful = UtilityLogisticRegression(alpha=0.25, positive="keep", restarts=9, random_state=0)
>>> careful.set_params(pull=0.0).fit(X, y).predict(X).tolist()
['drop', 'drop', 'keep', 'keep']
>>> careful.set_params(alpha=0.5).fit(X, y).predict(X).tolist()
['keep', 'keep', 'keep', 'keep']
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import special
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from glyphone.data.errors import GlyphoneError
from glyphone.learners.utility.labels import check_alpha
from glyphone.learners.utility.objectives import WeightedRows
from glyphone.learners.utility.rational import parse_utility
from glyphone.learners.utility.training import TrainedStart, UtilityOptions, train_starts

Array = Any


class Unusable(GlyphoneError, ValueError):
    """Data that nothing can be learnt from; scikit-learn expects a ValueError."""


class UtilityLogisticRegression(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Linear classifier that maximises a utility of expected hits, misses and false alarms.

    `utility` is "f", where `alpha` weighs recall and 1 - `alpha` precision (1/2 is F1, b^2/(1+b^2)
    F_b); or "sensitivity-specificity", with the same weights; or any rational function that is
    written out, as "hits / (hits + misses + 2 * false_alarms)": see `parse_utility`.

    The first start is maximum likelihood, with L2 penalty by `C` as in LogisticRegression; `pull`
    says how strongly the solution is pulled there, and `restarts` random starts are tried beside.
    `sharpness` is how steep probabilities are where decisions change: one number, or several for
    stages, each of which begins where the one before ends. `standardize` measures columns by their
    standard deviations. `positive` is the class that is looked for, the last one unless given.

    Probabilities fit the decisions and are not calibrated: decoders of expected utility (see
    `decoding`) need those of maximum likelihood.

    Fitted: `coef_` and `intercept_`, for the last of `classes_`; `utility_`, as reached in
    training, less the penalty; `utilities_`, those of all starts; `n_iter_`.

    >>> X, y = [[k] for k in range(8)], [0, 0, 0, 1, 0, 0, 1, 1]
    >>> [UtilityLogisticRegression(alpha=a).fit(X, y).predict(X).tolist() for a in (0.7, 0.2)]
    [[1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0, 1, 1]]
    """

    classes_: Array
    coef_: Array
    intercept_: Array
    utilities_: Array

    def __init__(
        self,
        *,
        utility: str = "f",
        alpha: float = 0.5,
        positive: Any = None,
        C: float = 1.0,
        pull: float = 1.0,
        sharpness: Any = 1.0,
        restarts: int = 0,
        standardize: bool = True,
        max_iter: int = 500,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        self.utility = utility
        self.alpha = alpha
        self.positive = positive
        self.C = C
        self.pull = pull
        self.sharpness = sharpness
        self.restarts = restarts
        self.standardize = standardize
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> UtilityLogisticRegression:
        """Learns from rows and their classes; a row of weight 2 counts as two."""
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        check_classification_targets(y)
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        self.classes_ = two_classes(y, weights)
        looked_for = self._positive_index()
        positive = (y == self.classes_[looked_for]).astype(np.float64)
        rows = WeightedRows.of(X, positive, weights, scale=self.standardize)
        starts = train_starts(rows, self._training_options(), check_random_state(self.random_state))
        best = max(starts, key=lambda start: start.utility)
        self._warn(starts, best)
        sign = 1 if looked_for else -1
        intercept, slopes = rows.own_units(sign * best.theta)
        self.coef_, self.intercept_ = slopes[None, :], np.array([intercept])
        self.utilities_ = np.array([start.utility for start in starts])
        self.utility_ = best.utility
        self.n_iter_ = best.steps
        return self

    def decision_function(self, X: Any) -> Array:
        """x.theta, above 0 where the last class is decided for."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return X @ self.coef_[0] + self.intercept_[0]

    def predict(self, X: Any) -> Array:
        """The class of each row."""
        above = self.decision_function(X) > 0
        return self.classes_[above.astype(int)]

    def predict_proba(self, X: Any) -> Array:
        """The probabilities that training used, in the order of `classes_`."""
        z = self._stages()[-1] * self.decision_function(X)
        return np.column_stack([special.expit(-z), special.expit(z)])

    def _positive_index(self) -> int:
        """The index of the class that is looked for."""
        if self.positive is None:
            return 1
        found = np.flatnonzero(self.classes_ == self.positive)
        if not len(found):
            raise Unusable(
                f"the positive class {self.positive!r} is not in the data",
                remedy=f"classes are {self.classes_.tolist()}",
            )
        return int(found[0])

    def _stages(self) -> tuple[float, ...]:
        return tuple(float(value) for value in np.atleast_1d(self.sharpness))

    def _training_options(self) -> UtilityOptions:
        checks = {
            "C": self.C > 0,
            "pull": 0 <= self.pull < np.inf,
            "sharpness": len(self._stages()) > 0 and min(self._stages()) > 0,
            "restarts": self.restarts >= 0,
            "max_iter": self.max_iter >= 1,
            "tol": self.tol > 0,
        }
        for name, fine in checks.items():
            if not fine:
                raise GlyphoneError(f"{name} is {getattr(self, name)}", remedy=RANGES[name])
        return UtilityOptions(
            utility=parse_utility(self.utility, alpha=check_alpha(self.alpha)),
            sharpness=self._stages(),
            pull=self.pull,
            C=self.C,
            restarts=self.restarts,
            max_iter=self.max_iter,
            tol=self.tol,
        )

    def _warn(self, starts: list[TrainedStart], best: TrainedStart) -> None:
        """Warns where more steps or more starts might find something better."""
        if not best.converged:
            warnings.warn(
                f"stopped after max_iter = {self.max_iter} steps; give more, or a larger pull",
                ConvergenceWarning,
                stacklevel=3,
            )
        near = sum(start.utility > best.utility - 1e-4 for start in starts)
        if len(starts) > 1 and near == 1:
            warnings.warn(
                f"only one of {len(starts)} starts found the best utility, {best.utility:.4f}; "
                "give more restarts",
                ConvergenceWarning,
                stacklevel=3,
            )


RANGES = {
    "C": "it must be above 0",
    "pull": "it must be 0 or more, and finite",
    "sharpness": "give numbers above 0",
    "restarts": "it must be 0 or more",
    "max_iter": "it must be 1 or more",
    "tol": "it must be above 0",
}


def two_classes(y: Array, weights: Array) -> Array:
    """The classes of rows that weigh something."""
    found = np.unique(y)
    if len(found) > 2:
        raise Unusable(
            f"Only binary classification is supported. There are {len(found)} classes: "
            f"{', '.join(map(str, found[:5]))}{', …' if len(found) > 5 else ''}",
            remedy="put it into OneVsRestClassifier",
        )
    present = [one for one in found if weights[y == one].sum() > 0]
    if len(present) < 2:
        names = repr(present[0].item()) if present else "none"
        raise Unusable(
            f"only one class, {names}, in {len(y)} rows",
            remedy="give rows of both classes, with weights above 0",
        )
    return found
