"""Units that no part of a mixture has learnt, with a given probability after any history.

An unseen unit is a unigram of every part: the part backs off to it from any history, and the next
history is empty. So an unseen unit does not favour a part, and the unit behind it has no context.
The probabilities of all other units stay, so those of a part sum to a little more than one.

>>> from glyphone.fst.channels.mixture import MixturePart, mix_models
>>> from glyphone.fst.ngrams.smoothing import train
>>> ngrams = train([0, 1], [0, 1, 2], n_words=2, order=2)
>>> part = MixturePart("family", 1.0, (((1,), (1,)), ((2,), (2,))), ngrams)
>>> units, mixture = mix_models([part], {"family": 1.0}, n_labels=3)
>>> units, mixture = with_unseen(units, mixture, [((3,), (1,))], [math.log(0.1)], n_labels=4)
>>> (part,), _ = part_states(mixture)
>>> probs = np.exp(mixture.log_probs[mixture.offsets[part] : mixture.offsets[part + 1]])
>>> round(float(probs[units.sources.index((3,))]), 3)
0.1
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from glyphone.fst.alignment.units import LabelUnit, Units
from glyphone.fst.channels.mixture import Array, MixtureArcs, assemble_mixture, empty_history_arcs
from glyphone.fst.ngrams.model import NgramModel


def with_unseen(
    units: Units,
    ngrams: NgramModel,
    unseen: Sequence[LabelUnit],
    log_probs: Sequence[float],
    *,
    n_labels: int,
) -> tuple[Units, NgramModel]:
    """The units and the model of a mixture with unseen units, one copy of each for every part."""
    parts, n_short = part_states(ngrams)
    old = [*zip(units.sources, units.targets, strict=True)]
    arranged, numbers = Units.arrange([*old, *(list(unseen) * len(parts))], n_labels=n_labels)
    end = len(arranged)
    known = ngrams.sources() != 0
    arcs = [
        empty_history_arcs(end),
        MixtureArcs(
            ngrams.sources()[known],
            np.append(numbers[: len(old)], end)[ngrams.tokens[known]],
            ngrams.log_probs[known].astype(np.float64),
            ngrams.targets[known],
        ),
    ]
    bottoms = short_backoffs(ngrams, n_short)
    for place, part in enumerate(parts):
        first = len(old) + place * len(unseen)
        tokens = numbers[first : first + len(unseen)]
        for state in range(1, n_short):
            share = 1.0 if state == part else share_of_part(ngrams, state, bottoms == part)
            if state != part and (state in parts or share == 0):
                continue
            arcs.append(
                MixtureArcs(
                    np.full(len(unseen), state),
                    tokens,
                    math.log(share) + np.asarray(log_probs),
                    np.full(len(unseen), part),
                )
            )
    model = assemble_mixture(
        MixtureArcs.joined(arcs),
        ngrams.backoff_states,
        ngrams.backoffs.astype(np.float64),
        n_words=end,
        n_short=n_short,
    )
    return arranged, model


def part_states(ngrams: NgramModel) -> tuple[list[int], int]:
    """The states of the empty histories of the parts, and the number of states up to these."""
    n_short = int(ngrams.levels[2])
    behind = ngrams.backoff_states[n_short:]
    return sorted({int(state) for state in behind if 0 < state < n_short}), n_short


def short_backoffs(ngrams: NgramModel, n_short: int) -> Array:
    """The short state to which each state backs off in the end; a short state is its own."""
    bottoms = np.arange(ngrams.n_states)
    while (longer := bottoms >= n_short).any():
        bottoms[longer] = ngrams.backoff_states[bottoms[longer]]
    return bottoms


def share_of_part(ngrams: NgramModel, entry: int, of_part: Array) -> float:
    """The probability that the unit after an entry is of a part."""
    low, high = ngrams.offsets[entry], ngrams.offsets[entry + 1]
    log_probs = ngrams.log_probs[low:high].astype(np.float64)
    return float(np.exp(log_probs[of_part[ngrams.targets[low:high]]]).sum())
