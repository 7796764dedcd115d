"""The weights of a reranking stage, tuned on items whose answers are known.

They begin where right candidates are likeliest (`glyphone.fst.ensembles.reranking.fitting`), and
where one feature alone decides. From each of these, one weight at a time is moved to where the
named measure is best, until none gains anything; the best end is taken, of equal ones the
likeliest. Moves are tried at `STEPS` values of each sign, geometric around the size of the weights.
Measures are:

    accuracy      share of items whose first candidate is right
    mrr           mean of 1 / rank of the first right candidate, 0 where none is right
    likelihood    mean ln of the share of right candidates, over items that have any

>>> from glyphone.data.records import Candidate
>>> items = [Item("a", (Candidate((0, 1), "a", "x", {"one": -1.0, "two": -3.0}),
...                     Candidate((0, 1), "a", "y", {"one": -2.0, "two": -1.0})))]
>>> stage = tune_weights(items, [{"y"}], features=["one", "two"], measure="accuracy")
>>> stage(items)[0].candidates[0].value
'y'
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.fst.ensembles.reranking.fitting import fit_shares, list_losses
from glyphone.fst.ensembles.reranking.model import lists_without_paths
from glyphone.pipelines.registry import Item
from glyphone.pipelines.stages.reranking import Rerank, rows_of

STEPS, ROUNDS = 25, 10

Array = Any
Measure = Callable[[Array, Array, Array], float]


def ranks_of_right(totals: Array, firsts: Array, right: Array) -> Array:
    """The place of the first right candidate of each item, from 1; 0 where none is right."""
    ranks = np.zeros(len(firsts) - 1, np.int64)
    items = np.repeat(np.arange(len(ranks)), np.diff(firsts))
    order = np.lexsort((np.arange(len(totals)), -totals, items))
    places = np.arange(len(totals)) - firsts[items] + 1
    for k in np.flatnonzero(right[order])[::-1].tolist():
        ranks[items[k]] = places[k]
    return ranks


def accuracy(totals: Array, firsts: Array, right: Array) -> float:
    return float((ranks_of_right(totals, firsts, right) == 1).mean())


def mean_reciprocal_rank(totals: Array, firsts: Array, right: Array) -> float:
    ranks = ranks_of_right(totals, firsts, right)
    return float(np.where(ranks > 0, 1 / np.maximum(ranks, 1), 0.0).mean())


def likelihood(totals: Array, firsts: Array, right: Array) -> float:
    lost = list_losses(totals, firsts, right)
    return -float(lost[np.isfinite(lost)].mean())


MEASURES: dict[str, Measure] = {
    "accuracy": accuracy,
    "likelihood": likelihood,
    "mrr": mean_reciprocal_rank,
}


def tune_weights(
    items: Sequence[Item],
    references: Sequence[Collection[str]],
    *,
    features: Sequence[str],
    measure: str = "accuracy",
) -> Rerank:
    """A reranking stage whose weights are best for these items; references are right values.

    Items without candidates, or without a right one, count as they are: no weights help them.
    """
    if measure not in MEASURES:
        raise UnknownName("measure", measure, MEASURES)
    useful = [
        (item, right) for item, right in zip(items, references, strict=True) if item.candidates
    ]
    rows = [rows_of(item, features) for item, _ in useful]
    right = np.array([c.value in gold for item, gold in useful for c in item.candidates], np.bool_)
    if not right.any():
        raise GlyphoneError("no candidate is right", remedy="give items with some that are")
    firsts = np.cumsum([0, *(len(item.candidates) for item, _ in useful)])
    weights = best_weights(np.concatenate(rows), firsts, right, MEASURES[measure])
    return Rerank(weights=dict(zip(features, weights.tolist(), strict=True)))


def best_weights(rows: Array, firsts: Array, right: Array, measure: Measure) -> Array:
    def at(weights: Array) -> tuple[float, float]:
        totals = rows @ weights
        return measure(totals, firsts, right), likelihood(totals, firsts, right)

    likeliest = fit_shares(lists_without_paths(firsts, rows), right).shares
    starts = [likeliest, *np.diag(np.sign(likeliest) / (rows.std(0) + 1e-9))]
    return max((climb_weights(start, at) for start in starts), key=lambda end: end[0])[1]


def climb_weights(start: Array, at: Callable[[Array], Any]) -> tuple[Any, Array]:
    """Where moving one weight at a time ends, and how good that is."""
    weights, best = start, at(start)
    size = float(np.abs(start).max()) or 1.0
    moves = size * np.geomspace(1e-3, 1e1, STEPS)
    for _ in range(ROUNDS):
        before = best[0]
        for k in range(len(weights)):
            tried = [
                np.concatenate([weights[:k], [value], weights[k + 1 :]])
                for value in (0.0, *moves, *-moves)
            ]
            found = max(((at(one), one) for one in tried), key=lambda end: end[0])
            if found[0] > best:
                best, weights = found
        if best[0] <= before:
            break
    return best, weights
