"""Which candidates are telephone numbers, when each has a probability: no two share a word.

Of candidates that overlap those are chosen whose odds against a threshold t have the greatest
product, by dynamic programming over where they end (weighted interval scheduling):

    value(S) = sum over c in S of ln p(c)/(1 - p(c)) - ln t/(1 - t)

With `alpha`, those are kept, of the candidates that are chosen so for any small t, whose expected F
is greatest (see `glyphone.learners.utility.decoding`); alpha is how much recall counts.

>>> pair = [NumberCandidate(0, 7, "5551212"), NumberCandidate(3, 7, "1212")]
>>> [(one.kept, one.reason) for one in decided(pair, [0.9, 0.6], Deciding())]
[(True, ''), (False, 'shares words with a likelier number')]
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from glyphone.data.errors import GlyphoneError
from glyphone.voicemail.records import Nearby, NumberCandidate

LEAST = 1e-9


@dataclass(frozen=True, kw_only=True)
class Deciding:
    """What is kept: of what probability, or of what expected F."""

    threshold: float = 0.5
    alpha: float | None = None

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            remedy = "give a number between 0 and 1"
            raise GlyphoneError(f"the threshold is {self.threshold}", remedy=remedy)
        if self.alpha is not None and not 0 < self.alpha <= 1:
            remedy = "give a number above 0, and not above 1"
            raise GlyphoneError(f"alpha is {self.alpha}", remedy=remedy)


def decided(
    candidates: Sequence[NumberCandidate], scores: Sequence[float], how: Deciding
) -> list[NumberCandidate]:
    """The candidates of a message with their scores, and whether they are kept."""
    # What is decided by expected F must be there to decide about.
    threshold = how.threshold if how.alpha is None else LEAST
    chosen = disjoint(candidates, scores, threshold)
    if how.alpha is not None and chosen:
        from glyphone.learners.utility.decoding import decode_f

        found = decode_f([scores[place] for place in sorted(chosen)], alpha=how.alpha).labels
        chosen = {place for place, kept in zip(sorted(chosen), found, strict=True) if kept}
    chosen -= {place for place in chosen if candidates[place].replaced_by in chosen}
    kept = Nearby([candidates[place] for place in sorted(chosen)])
    return [
        replace(
            one,
            score=score,
            kept=place in chosen,
            reason="" if place in chosen else reason(one, kept, replaced=one.replaced_by in chosen),
        )
        for place, (one, score) in enumerate(zip(candidates, scores, strict=True))
    ]


def disjoint(
    candidates: Sequence[NumberCandidate], scores: Sequence[float], threshold: float
) -> set[int]:
    """The places of those that are chosen; of equally good choices the one that ends first."""
    least = odds(threshold)
    ends, values = [-1], [0.0]
    chosen: list[tuple[int, int] | None] = [None]  # a candidate, and the state before it
    for place in sorted(range(len(candidates)), key=lambda k: candidates[k].span[::-1]):
        one, gain = candidates[place], odds(scores[place]) - least
        before = bisect_right(ends, one.begin) - 1
        better = gain >= 0 and values[before] + gain > values[-1]
        ends.append(one.end)
        values.append(values[before] + gain if better else values[-1])
        chosen.append((place, before) if better else None)
    found, state = set(), len(values) - 1
    while state > 0:
        step = chosen[state]
        if step is None:
            state -= 1
        else:
            found.add(step[0])
            state = step[1]
    return found


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
