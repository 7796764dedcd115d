"""Kernels: names that share rare features with a name, from an inverted index.

The score of a candidate is the cosine of both names' features, weighted by idf, over the features
that were looked at: from the rarest on, as long as `budget` allows names to be visited.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf

Array = Any


class Postings(NamedTuple):
    """names[bounds[f]:bounds[f + 1]] have feature f, whose squared idf is worths[f]; `norms` are
    the Euclidean lengths of names."""

    bounds: Array
    names: Array
    worths: Array
    norms: Array


@kernel
def best_candidates(
    bounds: Array, features: Array, norms: Array, postings: Postings, budget: int, most: int
) -> tuple[Array, Array]:
    """At most so many candidates of each row of features, best first, and their scores.

    Features of a row stand from the rarest on. Places without a candidate are -1.
    """
    n = len(bounds) - 1
    found, scores = np.full((n, most), -1), np.zeros((n, most))
    totals = np.zeros(len(postings.norms))
    touched = np.empty(len(postings.norms), np.int64)
    for row in range(n):
        count = add_up(features[bounds[row] : bounds[row + 1]], postings, budget, totals, touched)
        for t in range(count):
            name = touched[t]
            score = totals[name] / (norms[row] * postings.norms[name])
            totals[name] = 0.0
            insert_candidate(found[row], scores[row], name, score)
    return found, scores


@leaf
def add_up(features: Array, postings: Postings, budget: int, totals: Array, touched: Array) -> int:
    """Add the worths of features to the totals of the names that have them; how many have any."""
    count, visited = 0, 0
    for feature in features:
        begin, end = postings.bounds[feature], postings.bounds[feature + 1]
        if visited and visited + end - begin > budget:
            break
        visited += end - begin
        for place in range(begin, end):
            name = postings.names[place]
            if totals[name] == 0.0:
                touched[count] = name
                count += 1
            totals[name] += postings.worths[feature]
    return count


@leaf
def insert_candidate(names: Array, scores: Array, name: int, score: float) -> None:
    """Keep a candidate if it is better than the last, or as good and stands before it."""
    place = len(names) - 1
    if names[place] >= 0 and not goes_before(name, score, names[place], scores[place]):
        return
    while place > 0 and (
        names[place - 1] < 0 or goes_before(name, score, names[place - 1], scores[place - 1])
    ):
        names[place], scores[place] = names[place - 1], scores[place - 1]
        place -= 1
    names[place], scores[place] = name, score


@leaf
def goes_before(name: int, score: float, other: int, other_score: float) -> bool:
    return score > other_score or (score == other_score and name < other)
