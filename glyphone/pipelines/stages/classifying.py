"""The adapter that makes a stage of any scikit-learn classifier or regressor.

>>> from sklearn.feature_extraction import DictVectorizer
>>> from sklearn.linear_model import LogisticRegression
>>> from sklearn.pipeline import make_pipeline
>>> seen, right = [{"digits": 7}, {"digits": 2}, {"digits": 8}, {"digits": 1}], [True, False] * 2
>>> learner = make_pipeline(DictVectorizer(), LogisticRegression()).fit(seen, right)
>>> found = (Candidate((0, 3), "two", "2", {"digits": 1}),)
>>> (item,) = Classify(model=learner, label="True", feature="number")([Item("two", found)])
>>> item.candidates[0].score < 0.1, sorted(item.candidates[0].features)
(True, ['digits', 'number'])
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, Literal

import numpy as np

from glyphone.data.errors import GlyphoneError, ItemError, UnknownName
from glyphone.data.fields import Between, WrongSetting
from glyphone.data.records import Candidate
from glyphone.pipelines.registry import Item, add_score
from glyphone.pipelines.resources import Learner

# No probability counts as less in a log-linear sum.
SMALLEST = 1e-300


@dataclass(frozen=True)
class Classify:
    """The prediction of a learner for each candidate, or for each text as a whole.

    `reads` is its input: the features of candidates, as the dicts that a DictVectorizer
    takes, or as rows of numbers if `columns` names them; the `text` of candidates; or the whole
    `document`, which then is the one candidate.

    The score of a candidate becomes the probability of the class `label`. Without one, candidates
    are sorted into classes: each becomes `n`, the most probable classes being their values, and
    their probabilities the scores. A classifier without `predict_proba` has its word taken: 1 or 0.
    The prediction of a regressor is the score. In the features stands, under the name `feature`, ln
    of the probability, or the prediction.
    """

    model: Learner
    reads: Literal["features", "text", "document"] = "features"
    columns: tuple[str, ...] = ()
    label: str | None = None
    n: Annotated[int, Between(1)] = 1
    feature: str = "classifier"

    def __post_init__(self) -> None:
        from sklearn.exceptions import NotFittedError
        from sklearn.utils.validation import check_is_fitted

        try:
            check_is_fitted(self.model)
        except (NotFittedError, TypeError) as error:
            raise WrongSetting("model", f"model is no fitted learner: {error}") from None
        if any(np.ndim(label) for label in getattr(self.model, "classes_", ())):
            remedy = "train one learner for each of them"
            raise WrongSetting("model", "model answers several questions at once", remedy=remedy)
        if self.label is not None and self.label not in self.labels:
            unknown = UnknownName("class", self.label, self.labels)
            raise WrongSetting("label", unknown.message, remedy=unknown.remedy)

    @cached_property
    def labels(self) -> list[str]:
        """The classes as text; a regressor has none."""
        return [str(label) for label in getattr(self.model, "classes_", ())]

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        if self.reads == "document":
            whole = ((item, (0, len(item.text))) for item in items)
            items = [item.with_candidates([Candidate(span, item.text, "")]) for item, span in whole]
        every = [candidate for item in items for candidate in item.candidates]
        classified = iter(self.classify(every) if every else [])
        return [
            item.with_candidates(chain.from_iterable(next(classified) for _ in item.candidates))
            for item in items
        ]

    def classify(self, candidates: Sequence[Candidate]) -> Iterator[list[Candidate]]:
        """The candidates that replace each candidate."""
        rows = self.rows(candidates)
        try:
            answers = self.shares(rows) if self.labels else self.model.predict(rows)
        except GlyphoneError as error:  # a learner that refuses these rows may take others
            raise ItemError(error.message, remedy=error.remedy) from error
        if not self.labels:
            for candidate, value in zip(candidates, answers, strict=True):
                yield [add_score(candidate, self.feature, float(value), float(value))]
            return
        for candidate, shares in zip(candidates, answers, strict=True):
            if self.label is not None:
                yield [
                    self.with_class(
                        candidate, candidate.value, shares[self.labels.index(self.label)]
                    )
                ]
            else:
                best = np.argsort(-shares, kind="stable")[: self.n].tolist()
                yield [self.with_class(candidate, self.labels[k], shares[k]) for k in best]

    def with_class(self, candidate: Candidate, value: str, share: float) -> Candidate:
        feature = math.log(max(share, SMALLEST))
        return add_score(replace(candidate, value=value), self.feature, feature, float(share))

    def rows(self, candidates: Sequence[Candidate]) -> Any:
        if self.reads != "features":
            return [candidate.text for candidate in candidates]
        if not self.columns:
            return [dict(candidate.features) for candidate in candidates]
        try:
            return np.array([[c.features[name] for name in self.columns] for c in candidates])
        except KeyError as error:
            remedy = "a stage before this one must add it"
            raise ItemError(
                f"a candidate has no feature {error.args[0]!r}", remedy=remedy
            ) from None

    def shares(self, rows: Any) -> Any:
        """The probability of each class for each row."""
        if hasattr(self.model, "predict_proba"):
            return self.model.predict_proba(rows)
        return (self.model.predict(rows)[:, None] == self.model.classes_).astype(float)
