"""Scores of several stages combined log-linearly.

With f_k(c) the features of candidate c, and w_k their weights,

    score(c) = exp(sum over k of w_k f_k(c)) / the same summed over the candidates of the item

and candidates come best first. Weights are tuned by `glyphone.pipelines.stages.tuning`.

>>> found = (Candidate((0, 1), "a", "x", {"one": -1.0, "two": -3.0}),
...          Candidate((0, 1), "a", "y", {"one": -2.0, "two": -1.0}))
>>> (item,) = Rerank(weights={"one": 1.0, "two": 0.5})([Item("a", found)])
>>> [(candidate.value, candidate.score) for candidate in item.candidates]
[('x', 0.5), ('y', 0.5)]
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from glyphone.data.errors import ItemError
from glyphone.data.fields import WrongSetting
from glyphone.data.records import Candidate
from glyphone.pipelines.registry import Item


@dataclass(frozen=True)
class Rerank:
    """Candidates in the order of weighted sums of their features; of equal ones the first leads."""

    weights: Mapping[str, float]

    def __post_init__(self) -> None:
        if not self.weights:
            remedy = "name the features that are added up, each with its weight"
            raise WrongSetting("weights", "weights are none", remedy=remedy)

    def __call__(self, items: Sequence[Item]) -> list[Item]:
        return [self.rerank(item) if item.candidates else item for item in items]

    def rerank(self, item: Item) -> Item:
        shares = np.array(list(self.weights.values()))
        totals = rows_of(item, [*self.weights]) @ shares
        scores = np.exp(totals - totals.max())
        scores /= scores.sum()
        order = np.argsort(-totals, kind="stable").tolist()
        return item.with_candidates(
            replace(item.candidates[k], score=float(scores[k])) for k in order
        )


def rows_of(item: Item, names: Sequence[str]) -> np.ndarray:
    """The features of an item's candidates, a row for each."""
    return np.array(
        [[value_of(candidate, name, item) for name in names] for candidate in item.candidates]
    )


def value_of(candidate: Candidate, name: str, item: Item) -> float:
    value = candidate.features.get(name)
    if value is None or not math.isfinite(value):
        has = f"has no feature {name!r}" if value is None else f"has {value} as {name!r}"
        remedy = "a stage before this one must give it a number"
        raise ItemError(f"{candidate.value!r} {has}", item=item.text, remedy=remedy)
    return float(value)
