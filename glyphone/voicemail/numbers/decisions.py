"""Decisions about candidates that have probabilities: no two kept ones share a word.

The set of candidates with the greatest gain over a threshold t is kept (`choice_kernels`):

    value(S) = sum over c in S of p(c) - t

With `alpha`, candidates are chosen so for a very small t, and the subset with the greatest expected
F is kept (see `glyphone.learners.utility.decoding`); alpha is the weight of recall.

>>> pair = [NumberCandidate(0, 7, "5551212"), NumberCandidate(3, 7, "1212")]
>>> [decided] = decide([pair], [0.7, 0.25], DecisionOptions())
>>> [(one.kept, one.reason) for one in decided]
[(True, ''), (False, 'shares words with a likelier number')]
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise
from typing import Any

import numpy as np

from glyphone.data.errors import GlyphoneError
from glyphone.data.kernels import jit
from glyphone.voicemail.numbers import choice_kernels
from glyphone.voicemail.records.candidates import NumberCandidate, change_candidate

Array = Any
LEAST = 1e-9


@dataclass(frozen=True, kw_only=True)
class DecisionOptions:
    """The threshold of probabilities, or the weight `alpha` of recall in the expected F."""

    threshold: float = 0.4
    alpha: float | None = None

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            remedy = "give a number between 0 and 1"
            raise GlyphoneError(f"the threshold is {self.threshold}", remedy=remedy)
        if self.alpha is not None and not 0 < self.alpha <= 1:
            remedy = "give a number above 0, and not above 1"
            raise GlyphoneError(f"alpha is {self.alpha}", remedy=remedy)


def decide(
    rows: Sequence[Sequence[NumberCandidate]], scores: Sequence[float], how: DecisionOptions
) -> list[list[NumberCandidate]]:
    """The candidates of each message with scores and decisions; `scores` are in one row."""
    # Expected F decides about all candidates that share no words, likely or not.
    least = how.threshold if how.alpha is None else LEAST
    begins, ends, bounds = spans_of(rows)
    kernels = jit.tier(choice_kernels, len(begins))
    taken = kernels.choose_candidates(
        begins, ends, np.array(scores, np.float64) - least, bounds
    ).tolist()
    return [
        decide_message(row, scores[a:b], [*compress(range(b - a), taken[a:b])], how) if row else []
        for row, (a, b) in zip(rows, pairwise(bounds.tolist()), strict=True)
    ]


def spans_of(rows: Sequence[Sequence[NumberCandidate]]) -> tuple[Array, Array, Array]:
    """Begins and ends of the candidates of all messages, and the bounds of each message."""
    begins = [one.begin for row in rows for one in row]
    ends = [one.end for row in rows for one in row]
    bounds = np.cumsum([0, *map(len, rows)])
    return np.array(begins, np.int64), np.array(ends, np.int64), bounds


def decide_message(
    candidates: Sequence[NumberCandidate],
    scores: Sequence[float],
    chosen: Sequence[int],
    how: DecisionOptions,
) -> list[NumberCandidate]:
    """The candidates of one message with decisions; `chosen` are places of candidates, in order."""
    if how.alpha is not None and chosen:
        from glyphone.learners.utility.decoding import decode_f

        labels = decode_f([scores[place] for place in chosen], alpha=how.alpha).labels
        chosen = [*compress(chosen, labels)]
    kept = {place for place in chosen if candidates[place].replaced_by not in chosen}
    begins = [candidates[place].begin for place in sorted(kept)]
    ends = [candidates[place].end for place in sorted(kept)]
    return [
        change_candidate(one, score=score, kept=True)
        if place in kept
        else change_candidate(one, score=score, reason=rejection_reason(one, begins, ends, kept))
        for place, (one, score) in enumerate(zip(candidates, scores, strict=True))
    ]


def rejection_reason(
    one: NumberCandidate, begins: Sequence[int], ends: Sequence[int], kept: Container[int | None]
) -> str:
    """The reason why a candidate is rejected; kept candidates have these begins and ends."""
    if one.replaced_by in kept:
        return "replaced by a correction"
    before = bisect_left(begins, one.end)
    if before and ends[before - 1] > one.begin:
        return "shares words with a likelier number"
    likeliest = max(one.readings, key=lambda reading: reading.posterior, default=None)
    if likeliest and likeliest.posterior > one.posterior:
        return f"looks like {likeliest.label}"
    return "unlikely"
