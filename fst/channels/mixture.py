"""Several n-gram models over units as one: names of several kinds, and one name behind another.

A sequence is of one kind, or of two with a boundary between them, and the parts of a kind are
alternatives:

    P(u) = sum over kinds of P(kind) * sum over its parts of share(part) * P(u | part)

The states of a part are those of its own model. Only the empty history is shared, where nothing is
possible: a part's own unigrams stand in a state before it, and its first units in entries, one of
the start and one of each kind, that list the first units of all parts. A unit of two parts stands
there twice, with a number for each part; the search sums over units that read and write alike.

>>> from glyphone.fst.ngrams.smoothing import train
>>> ngrams = train([0, 1], [0, 1, 2], n_words=2, order=2)
>>> parts = [MixturePart("family", 1.0, (((1,), (1,)), ((2,), (2,))), ngrams)]
>>> units, mixture = mix_models(parts, {"family": 1.0}, n_labels=3)
>>> round(float(np.exp(mixture.score([1]) - ngrams.score([1]))), 6)
1.0
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glyphone.data import progress
from glyphone.fst.alignment.units import LabelUnit, Units
from glyphone.fst.ngrams.model import NgramModel

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class MixturePart:
    """A model of names of a kind, and its share of these names; unit k is its token k."""

    kind: str
    share: float
    units: Sequence[LabelUnit]
    ngrams: NgramModel


@dataclass(frozen=True)
class Boundary:
    """A unit between a name of one kind and a name of another behind it, and its probability."""

    before: str
    behind: str
    probability: float
    unit: LabelUnit


@dataclass(frozen=True, eq=False)
class MixtureArcs:
    """Arcs of an automaton, in any order."""

    sources: Array
    tokens: Array
    log_probs: Array
    targets: Array

    @classmethod
    def joined(cls, several: Sequence[MixtureArcs]) -> MixtureArcs:
        return cls(
            np.concatenate([one.sources for one in several]),
            np.concatenate([one.tokens for one in several]),
            np.concatenate([one.log_probs for one in several]),
            np.concatenate([one.targets for one in several]),
        )


@progress.step("joining models of kinds")
def mix_models(
    parts: Sequence[MixturePart],
    kinds: Mapping[str, float],
    boundaries: Sequence[Boundary] = (),
    *,
    n_labels: int,
) -> tuple[Units, NgramModel]:
    """The units of all parts and boundaries, and the model; `kinds` has P(kind)."""
    labels = [unit for part in parts for unit in part.units]
    units, numbers = Units.arrange(
        [*labels, *(boundary.unit for boundary in boundaries)], n_labels=n_labels
    )
    crossings = numbers[len(labels) :]
    end = len(units)
    # State 0 is empty; then the entries, the empty histories of the parts, and their other states.
    entries = {kind: place for place, kind in enumerate(["", *kinds], 1)}
    n_short = 1 + len(entries) + len(parts)
    first_state, first_unit = n_short, 0
    arcs = [empty_history_arcs(end)]
    backoff_states, backoffs = [np.full(n_short, 0)], [np.full(n_short, -np.inf)]
    for place, part in enumerate(parts):
        ngrams = part.ngrams
        own = np.append(numbers[first_unit : first_unit + len(part.units)], end)
        states = first_state - 1 + np.arange(ngrams.n_states)
        states[0] = 1 + len(entries) + place
        ends = ngrams.tokens == ngrams.end
        log_probs = ngrams.log_probs.astype(np.float64)
        leaving = [one for one in boundaries if one.before == part.kind]
        staying = np.log1p(-sum(one.probability for one in leaving))
        inside = MixtureArcs(
            states[ngrams.sources()],
            own[ngrams.tokens],
            log_probs + np.where(ends, staying, 0.0),
            np.where(ends, 0, states[ngrams.targets]),
        )
        arcs.append(inside)
        for boundary, token in zip(boundaries, crossings, strict=True):
            if boundary in leaving:
                n_ends = int(ends.sum())
                arcs.append(
                    MixtureArcs(
                        inside.sources[ends],
                        np.full(n_ends, token),
                        log_probs[ends] + np.log(boundary.probability),
                        np.full(n_ends, entries[boundary.behind]),
                    )
                )
        entering = first_unit_arcs(ngrams, own, states, np.log(part.share))
        for entry, prior in ("", kinds[part.kind]), (part.kind, 1.0):
            sources = np.full(len(entering.tokens), entries[entry])
            log_probs = entering.log_probs + np.log(prior)
            arcs.append(replace(entering, sources=sources, log_probs=log_probs))
        backoff_states.append(states[ngrams.backoff_states[1:]])
        backoffs.append(ngrams.backoffs[1:])
        first_state += ngrams.n_states - 1
        first_unit += len(part.units)
    model = assemble_mixture(
        MixtureArcs.joined(arcs),
        np.concatenate(backoff_states),
        np.concatenate(backoffs),
        n_words=end,
        n_short=n_short,
    )
    return units, model


def empty_history_arcs(end: int) -> MixtureArcs:
    """The arcs of the empty history, all of probability 0."""
    zeros = np.zeros(end + 1, np.int64)
    return MixtureArcs(zeros, np.arange(end + 1), np.full(end + 1, -np.inf), zeros)


def first_unit_arcs(
    ngrams: NgramModel, numbers: Array, states: Array, log_share: float
) -> MixtureArcs:
    """All units that a sequence of a part may begin with; the end is none of them."""
    firsts = [ngrams.advance(ngrams.start, token) for token in range(ngrams.n_words)]
    return MixtureArcs(
        np.zeros(ngrams.n_words, np.int64),
        numbers[:-1],
        log_share + np.array([log_prob for log_prob, _ in firsts]),
        states[[target for _, target in firsts]],
    )


def assemble_mixture(
    arcs: MixtureArcs, backoff_states: Array, backoffs: Array, *, n_words: int, n_short: int
) -> NgramModel:
    """The n-gram model of some arcs, which starts in state 1."""
    n_states = len(backoffs)
    order = np.lexsort((arcs.tokens, arcs.sources))
    offsets = np.zeros(n_states + 1, np.int64)
    np.cumsum(np.bincount(arcs.sources, minlength=n_states), out=offsets[1:])
    backoff_states = backoff_states.astype(np.int32)
    backoff_states[0] = -1
    backoffs[0] = 0.0
    return NgramModel(
        n_words,
        1,
        offsets,
        arcs.tokens[order].astype(np.int32),
        arcs.log_probs[order],
        arcs.targets[order].astype(np.int32),
        backoff_states,
        backoffs,
        np.array([0, 1, n_short, n_states, n_states][: 4 + (n_short < n_states)]),
    )
