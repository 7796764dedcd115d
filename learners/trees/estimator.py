"""Decision trees over symbols, as scikit-learn estimators.

A column holds symbols: letters, classes, numbers that only name something. A node asks which of a
few sets of symbols the one of a row is in. C4.5 (Quinlan 1993) merges the values of a column into
groups, CART (Breiman, Friedman, Olshen and Stone 1984) looks for two sets: `splits` names the kind,
`criterion` the measure that they are chosen by, and `confidence` and `ccp_alpha` prune.

>>> X = [["b", "a"], ["c", "a"], ["b", "e"], ["c", "e"], ["c", "o"], ["c", "i"]]
>>> y = ["b", "k", "b", "s", "k", "s"]
>>> tree = SymbolicTree(min_leaf=1, confidence=None).fit(X, y)
>>> tree.predict([["c", "i"], ["c", "o"]]).tolist()
['s', 'k']
>>> print(tree.export_rules(["letter", "next"]), end="")
letter in {b} -> b (2, 0)
letter in {c}, next in {a o} -> k (2, 0)
letter in {c}, next in {e i} -> s (2, 0)
letter in {c} -> k (4, 2)
otherwise -> b (6, 4)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import jit
from glyphone.learners.trees import applying_kernels
from glyphone.learners.trees import growing as tree_growing
from glyphone.learners.trees import rules as tree_rules
from glyphone.learners.trees.arrays import Tree
from glyphone.learners.trees.columns import Columns
from glyphone.learners.trees.growing import GrowingOptions
from glyphone.learners.trees.rules import Step

Array = Any
Questions = Mapping[str, Any]
# Rows whose class probabilities are in memory at once, where only the best class is wanted.
BLOCK = 4096


class SymbolicClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """One tree or the mean of several, in `trees_`: rows of symbols become rows of codes."""

    columns_: Columns
    classes_: Array
    trees_: tuple[Tree, ...]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.categorical = tags.input_tags.string = True
        return tags

    def _encode_training(self, X: Any, y: Any, sample_weight: Any) -> tuple[Array, Array, Array]:
        """The codes, class numbers and weights of rows to learn from."""
        X, y = validate_data(self, X, y, dtype=None, ensure_all_finite=False)
        check_classification_targets(y)
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        self.columns_ = Columns.of(X)
        self.classes_, classes = np.unique(y, return_inverse=True)
        return self.columns_.codes_of_rows(X), classes.astype(np.int32), weights

    def _encode(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=None, ensure_all_finite=False, reset=False)
        return self.columns_.codes_of_rows(X)

    def _growing_options(self, seed: int, **changed: Any) -> GrowingOptions:
        """The options of this estimator that say how a tree grows."""
        mine = {**self.get_params(deep=False), **changed}
        names = {field.name for field in fields(GrowingOptions)} & mine.keys() - {"ccp_alpha"}
        alpha = 0.0 if mine.get("ccp_alpha", 0.0) == "cv" else mine.get("ccp_alpha", 0.0)
        return GrowingOptions(**{name: mine[name] for name in names}, ccp_alpha=alpha, seed=seed)

    def predict(self, X: Any) -> Array:
        """The class of each row."""
        codes = self._encode(X)
        found = [
            self._mean_shares(codes[first : first + BLOCK]).argmax(axis=1)
            for first in range(0, len(codes), BLOCK)
        ]
        return self.classes_[np.concatenate(found)]

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class, in the order of `classes_`, for each row."""
        return self._mean_shares(self._encode(X))

    def predict_log_proba(self, X: Any) -> Array:
        """Natural logarithms of probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def _mean_shares(self, codes: Array) -> Array:
        votes = np.zeros((len(codes), len(self.classes_)))
        kernels = jit.tier(applying_kernels, codes.size * len(self.trees_))
        for tree in self.trees_:
            kernels.add_shares(tree, kernels.end_nodes(tree, codes), 1 / len(self.trees_), votes)
        return votes


class SymbolicTree(SymbolicClassifier):
    """One decision tree.

    `criterion` is "gain_ratio", "gain" (of information) or "gini". `splits` are "subsets" (C4.5:
    values merged into any number of groups), "binary" (two sets), "values" (a branch for each) or
    "questions" (is it this value? is it in a set of `questions`?). `questions` names sets of
    values, {"vowel": "aeiou"}, about any column, or {"vowel": {2: "aeiou"}} about those named by
    index; other kinds of splits compete with them.

    A node is asked about from `min_split` rows on (twice `min_leaf` unless given) and where two
    branches get `min_leaf`; it asks about `max_attributes` random columns, if that is given.
    `confidence` prunes pessimistically, None does not; `ccp_alpha` prunes by cost and complexity,
    "cv" finds it by cross-validation in `cv` parts and sets `ccp_alpha_`.

    `smoothing` draws class probabilities towards those of the node above, as if so many rows had
    been seen there. A missing value is a value like any other. A value that was not seen at a node
    ends there (`unseen="stop"`) or takes the branch of most rows ("largest").
    """

    ccp_alpha_: float

    def __init__(
        self,
        *,
        criterion: str = "gain_ratio",
        splits: str = "subsets",
        questions: Questions | None = None,
        min_leaf: float = 2,
        min_split: float | None = None,
        max_depth: int | None = None,
        max_attributes: int | None = None,
        confidence: float | None = 0.25,
        ccp_alpha: float | str = 0.0,
        cv: int = 5,
        smoothing: float = 0.0,
        unseen: str = "stop",
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.splits = splits
        self.questions = questions
        self.min_leaf = min_leaf
        self.min_split = min_split
        self.max_depth = max_depth
        self.max_attributes = max_attributes
        self.confidence = confidence
        self.ccp_alpha = ccp_alpha
        self.cv = cv
        self.smoothing = smoothing
        self.unseen = unseen
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> SymbolicTree:
        """Grows and prunes the tree; rows of one group are in one part of cross-validation."""
        codes, classes, weights = self._encode_training(X, y, sample_weight)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        options = self._growing_options(seed)
        self.questions_ = question_codes(self.questions, self.columns_)
        arrays = (codes, classes, self.columns_.widths, len(self.classes_))
        every: dict[str, Any] = {"weights": weights, "questions": self.questions_}
        self.ccp_alpha_ = options.ccp_alpha
        if self.ccp_alpha == "cv":
            if not self.cv >= 2:
                raise GlyphoneError(f"cv is {self.cv}", remedy="it must be 2 or more")
            of = None if groups is None else np.unique(groups, return_inverse=True)[1]
            self.ccp_alpha_ = tree_growing.choose_alpha(
                *arrays, options=options, folds=self.cv, groups=of, **every
            )
        options = replace(options, ccp_alpha=self.ccp_alpha_)
        self.trees_ = (tree_growing.grow_tree(*arrays, options=options, **every),)
        return self

    @property
    def tree_(self) -> Tree:
        (tree,) = self.trees_
        return tree

    def apply(self, X: Any) -> Array:
        """The node where each row ends."""
        codes = self._encode(X)
        return jit.tier(applying_kernels, codes.size).end_nodes(self.tree_, codes)

    def stops_early(self, X: Any) -> Array:
        """Whether each row ends before a leaf, at a value that was not seen there."""
        return ~self.tree_.leaves[self.apply(X)]

    def predict(self, X: Any) -> Array:
        """The class of each row."""
        nodes = self.apply(X)
        return self.classes_[self.tree_.decisions[nodes]]

    def decision_path(self, row: Any, names: Sequence[str] | None = None) -> list[Step]:
        """The questions that one row of symbols is asked, and the decision after each."""
        codes = self._encode(np.array([row], dtype=object))[0]
        return tree_rules.decision_path(
            self.tree_, self.columns_, self._labels, list(row), codes, self._names(names)
        )

    def export_rules(self, names: Sequence[str] | None = None) -> str:
        """The tree as rules, of which the first that holds decides: see `rules`."""
        check_is_fitted(self)
        found = tree_rules.rules_of(self.tree_, self.columns_, self._labels, self._names(names))
        return "".join(f"{rule}\n" for rule in found)

    @property
    def _labels(self) -> list[Any]:
        labels: list[Any] = self.classes_.tolist()
        return labels

    def _names(self, names: Sequence[str] | None) -> list[str]:
        given = getattr(self, "feature_names_in_", None) if names is None else names
        if given is None:
            given = [f"x{a}" for a in range(self.n_features_in_)]
        if len(given) != self.n_features_in_:
            raise GlyphoneError(
                f"{len(given)} names for {self.n_features_in_} columns",
                remedy="give one name for each column",
            )
        return [str(name) for name in given]


def question_codes(questions: Questions | None, columns: Columns) -> list[tuple[int, Array]]:
    """The columns and codes of questions that some values of the column answer by yes."""
    found = []
    for name, sets in (questions or {}).items():
        of: Mapping[int, Any] = (
            sets if isinstance(sets, Mapping) else dict.fromkeys(range(len(columns.symbols)), sets)
        )
        for a, values in of.items():
            if a not in range(len(columns.symbols)):
                raise GlyphoneError(
                    f"question {name!r} is about column {a!r}",
                    remedy=f"columns are 0 to {len(columns.symbols) - 1}",
                )
            codes = columns.known_codes(a, values)
            if len(codes):
                found.append((a, codes))
    return found
