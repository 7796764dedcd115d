"""Which candidates are telephone numbers, when each has a probability: no two share a word.

Of candidates that overlap those are chosen whose odds against a threshold t have the greatest
product (`number_choices`):

    value(S) = sum over c in S of ln p(c)/(1 - p(c)) - ln t/(1 - t)

With `alpha`, those are kept, of the candidates that are chosen so for any small t, whose expected F
is greatest (see `glyphone.learners.utility.decoding`); alpha is how much recall counts.

>>> pair = [NumberCandidate(0, 7, "5551212"), NumberCandidate(3, 7, "1212")]
>>> [found] = decided([pair], [0.9, 0.6], Deciding())
>>> [(one.kept, one.reason) for one in found]
[(True, ''), (False, 'shares words with a likelier number')]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from glyphone.data import jit
from glyphone.data.errors import GlyphoneError
from glyphone.voicemail import number_choices
from glyphone.voicemail.records import Nearby, NumberCandidate, changed

LEAST = 1e-9


@dataclass(frozen=True, kw_only=True)
class Deciding:
    """What is kept: of what probability, or of what expected F."""

    threshold: float = 0.4
    alpha: float | None = None

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            remedy = "give a number between 0 and 1"
            raise GlyphoneError(f"the threshold is {self.threshold}", remedy=remedy)
        if self.alpha is not None and not 0 < self.alpha <= 1:
            remedy = "give a number above 0, and not above 1"
            raise GlyphoneError(f"alpha is {self.alpha}", remedy=remedy)


def decided(
    rows: Sequence[Sequence[NumberCandidate]], scores: Sequence[float], how: Deciding
) -> list[list[NumberCandidate]]:
    """The candidates of each message with their scores, which are in one row, and whether they are
    kept."""
    # What is decided by expected F must be there to decide about.
    least = odds(how.threshold if how.alpha is None else LEAST)
    spans = [one.span for row in rows for one in row]
    begins, ends = np.array(spans, np.int64).reshape(-1, 2).T
    gains = np.array([odds(score) - least for score in scores])
    bounds = np.cumsum([0, *map(len, rows)])
    kernels = jit.tier(number_choices, len(spans))
    taken = kernels.chosen(begins.copy(), ends.copy(), gains, bounds).tolist()
    return [
        told(row, scores[a:b], {place for place, kept in enumerate(taken[a:b]) if kept}, how)
        for row, (a, b) in zip(rows, pairwise(bounds.tolist()), strict=True)
    ]


def told(
    candidates: Sequence[NumberCandidate], scores: Sequence[float], chosen: set[int], how: Deciding
) -> list[NumberCandidate]:
    """The candidates of one message, of which some are chosen."""
    if not candidates:
        return []
    if how.alpha is not None and chosen:
        from glyphone.learners.utility.decoding import decode_f

        found = decode_f([scores[place] for place in sorted(chosen)], alpha=how.alpha).labels
        chosen = {place for place, kept in zip(sorted(chosen), found, strict=True) if kept}
    chosen -= {place for place in chosen if candidates[place].replaced_by in chosen}
    kept = Nearby([candidates[place] for place in sorted(chosen)])
    return [
        changed(
            one,
            score=score,
            kept=place in chosen,
            reason="" if place in chosen else reason(one, kept, replaced=one.replaced_by in chosen),
        )
        for place, (one, score) in enumerate(zip(candidates, scores, strict=True))
    ]


def odds(probability: float) -> float:
    """Their logarithm."""
    safe = min(max(probability, 1e-12), 1 - 1e-12)
    return math.log(safe) - math.log1p(-safe)


def reason(one: NumberCandidate, kept: Nearby[NumberCandidate], *, replaced: bool) -> str:
    """Why a candidate is not kept."""
    if replaced:
        return "replaced by a correction"
    if kept.overlapping(one.begin, one.end):
        return "shares words with a likelier number"
    likeliest = max(one.readings, key=lambda reading: reading.posterior, default=None)
    if likeliest and likeliest.posterior > one.posterior:
        return f"looks like {likeliest.label}"
    return "unlikely"
