"""The error for a lexicon from which nothing can be learnt, with the reasons.

>>> from glyphone.data.records import Pair
>>> pair = Pair(("a",), ("b",) * 9)
>>> print(NothingLearnt.of((Refusal(0, pair, "its target is too long"),)))
no pair can be learnt from, the first of 1 because its target is too long
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair
from glyphone.data.writing import Writing
from glyphone.fst.alignment import training as alignment_training
from glyphone.fst.alignment.training import AlignmentOptions, Refusal

Fitted = TypeVar("Fitted")


class NothingLearnt(GlyphoneError):
    """No pair can be aligned; `refusals` has the reason of each."""

    refusals: tuple[Refusal, ...] = ()

    @classmethod
    def of(cls, refusals: tuple[Refusal, ...]) -> NothingLearnt:
        reason = refusals[0].reason
        error = cls(f"no pair can be learnt from, the first of {len(refusals)} because {reason}")
        error.refusals = refusals
        return error


def fit_or_explain(
    fit: Callable[..., Fitted],
    pairs: Sequence[Pair],
    options: object,
    alignment: AlignmentOptions,
    *,
    source: Writing,
    target: Writing,
    jobs: int,
    name: str,
) -> Fitted:
    """The model that `fit` makes of pairs; NothingLearnt, with refusals, if none can be aligned."""
    try:
        return fit(pairs, options, source=source, target=target, jobs=jobs, name=name)
    except GlyphoneError as error:
        refusals = alignment_training.fit(pairs, replace(alignment, rounds=0)).refusals
        if len(refusals) < len(pairs):
            raise
        raise NothingLearnt.of(refusals) from error
