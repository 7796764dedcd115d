"""Alignments whose units grow wider as long as many pairs cannot be aligned otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from glyphone.data.records import Alignment, Pair
from glyphone.fst.alignment.options import AlignmentOptions, Refusal
from glyphone.fst.alignment.training import fit

# A few pairs that cannot be aligned are probably wrong; so many show that units are too narrow.
MANY_REFUSED, SHARE_REFUSED, LONGEST_TARGET = 10, 0.01, 4


def align_widening(
    pairs: Sequence[Pair], alignment: AlignmentOptions, *, widen: bool = True, jobs: int
) -> tuple[list[Alignment | None], list[Refusal]]:
    """Alignments, and refusals, by units of as many target symbols as many pairs need.

    Units grow from `alignment.max_target` up to LONGEST_TARGET symbols while at least MANY_REFUSED
    pairs and SHARE_REFUSED of all are refused, and wider units align some of them.
    """
    alignments, refusals = fit(pairs, alignment, jobs=jobs).align_all(pairs, jobs=jobs)
    while widen and alignment.max_target < LONGEST_TARGET:
        if len(refusals) < max(MANY_REFUSED, SHARE_REFUSED * len(pairs)):
            break
        alignment = replace(alignment, max_target=alignment.max_target + 1)
        found, still = fit(pairs, alignment, jobs=jobs).align_all(pairs, jobs=jobs)
        if len(still) == len(refusals):
            break
        alignments, refusals = found, still
    return alignments, refusals
