"""Units that no part has learnt, against the sums over all parts that define them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import pytest

from glyphone.fst.alignment.units import LabelUnit
from glyphone.fst.channels.mixture import MixturePart, mix_models
from glyphone.fst.channels.unseen import with_unseen
from glyphone.fst.ngrams.model import NgramModel
from tests.fst.channels.test_mixture import BOUNDARIES, KINDS, PARTS, SPACE, UNITS, summed

UNSEEN: list[LabelUnit] = [((3,), (1,)), ((3,), (2,))]
PROBABILITIES = [0.05, 0.002]
EVERY = [*UNITS, *UNSEEN]


def opened() -> tuple[list[LabelUnit], NgramModel]:
    """All units, and the model, of the parts with units that none of them has learnt."""
    units, ngrams = with_unseen(
        *mix_models(PARTS, KINDS, BOUNDARIES, n_labels=4),
        UNSEEN,
        [math.log(probability) for probability in PROBABILITIES],
        n_labels=4,
    )
    return [*zip(units.sources, units.targets, strict=True)], ngrams


def found(row: Sequence[LabelUnit]) -> float:
    """P of a row by the model that was opened: the sum over all units that are alike."""
    units, ngrams = opened()
    return summed(ngrams, [[k for k, one in enumerate(units) if one == unit] for unit in row])


def by_hand(part: MixturePart, row: Sequence[int]) -> float:
    """P of numbers of units and the end by a part: an unknown one backs off to nothing."""
    ngrams, state, probability = part.ngrams, part.ngrams.start, 1.0
    for place, unit in enumerate(row):
        if unit < len(UNITS):
            log_prob, state = ngrams.advance(state, unit)
            probability *= math.exp(log_prob)
            continue
        if place == 0:  # as likely as that a name begins at all
            begins = (ngrams.advance(state, known)[0] for known in range(len(UNITS)))
            probability *= sum(map(math.exp, begins))
        else:
            while state != 0:
                probability *= math.exp(ngrams.backoffs[state])
                state = int(ngrams.backoff_states[state])
        probability *= PROBABILITIES[unit - len(UNITS)]
        state = 0
    return probability * math.exp(ngrams.advance(state, ngrams.end)[0])


def of_kind(kind: str, row: Sequence[int]) -> float:
    return sum(part.share * by_hand(part, row) for part in PARTS if part.kind == kind)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_names_of_any_units_are_sums_over_the_parts(length: int) -> None:
    for row in product(range(len(EVERY)), repeat=length):
        expected = 0.6 * 0.75 * of_kind("family", row) + 0.4 * of_kind("given", row)
        assert found([EVERY[unit] for unit in row]) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("row", [(3, 0), (1, 4), (4, 3), (0, 2)])
def test_one_name_behind_another(row: tuple[int, int]) -> None:
    expected = 0.6 * of_kind("family", row[:1]) * 0.25 * of_kind("given", row[1:])
    units = [EVERY[row[0]], SPACE, EVERY[row[1]]]
    assert found(units) == pytest.approx(expected, rel=1e-9)


def test_what_was_known_is_as_likely_as_before() -> None:
    units, ngrams = mix_models(PARTS, KINDS, BOUNDARIES, n_labels=4)
    every = [*zip(units.sources, units.targets, strict=True)]
    for row in product(UNITS, repeat=2):
        alike = [[k for k, one in enumerate(every) if one == unit] for unit in row]
        assert found(row) == pytest.approx(summed(ngrams, alike), rel=1e-9)


def test_the_model_is_sound() -> None:
    units, ngrams = opened()
    ngrams.check()
    assert len(units) == ngrams.n_words
    assert units == sorted(units, key=lambda unit: (len(unit[0]), unit))
