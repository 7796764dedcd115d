"""Mixtures of n-gram models against the sum that defines them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from glyphone.fst.alignment.units import LabelUnit
from glyphone.fst.channels.mixture import Boundary, MixturePart, mix_models
from glyphone.fst.ngrams import smoothing
from glyphone.fst.ngrams.counts import flatten
from glyphone.fst.ngrams.model import NgramModel

UNITS: list[LabelUnit] = [((1,), (1,)), ((1,), (2,)), ((2,), (1,))]
SPACE: LabelUnit = ((3,), (3,))


def model(seed: int, order: int) -> NgramModel:
    random = np.random.default_rng(seed)
    rows = [random.integers(0, len(UNITS), random.integers(1, 4)).tolist() for _ in range(12)]
    return smoothing.train(*flatten(rows), n_words=len(UNITS), order=order)


PARTS = [
    MixturePart("family", 0.3, UNITS, model(1, 2)),
    MixturePart("family", 0.7, UNITS, model(2, 3)),
    MixturePart("given", 1.0, UNITS, model(3, 2)),
]
KINDS = {"family": 0.6, "given": 0.4}
BOUNDARIES = [Boundary("family", "given", 0.25, SPACE)]


def summed(ngrams: NgramModel, numbers: Sequence[Sequence[int]]) -> float:
    """P of a sequence of units, each of which may be any of some numbers."""
    return sum(math.exp(ngrams.score(list(row))) for row in product(*numbers))


def of_kind(kind: str, units: Sequence[int]) -> float:
    scores = [(part.share, part.ngrams.score(list(units))) for part in PARTS if part.kind == kind]
    return sum(share * math.exp(score) for share, score in scores)


def alike(sources: Sequence[LabelUnit]) -> list[list[int]]:
    units, _ = mix_models(PARTS, KINDS, BOUNDARIES, n_labels=4)
    every = [*zip(units.sources, units.targets, strict=True)]
    return [[k for k, one in enumerate(every) if one == unit] for unit in sources]


@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_mixture_is_the_sum_of_its_parts(length: int) -> None:
    _, ngrams = mix_models(PARTS, KINDS, n_labels=4)
    for row in product(range(len(UNITS)), repeat=length):
        expected = sum(prior * of_kind(kind, row) for kind, prior in KINDS.items())
        found = summed(ngrams, alike([UNITS[unit] for unit in row]))
        assert found == pytest.approx(expected)


def test_one_name_behind_another() -> None:
    _, ngrams = mix_models(PARTS, KINDS, BOUNDARIES, n_labels=4)
    for row in product(range(len(UNITS)), repeat=3):
        alone = 0.6 * 0.75 * of_kind("family", row) + 0.4 * of_kind("given", row)
        assert summed(ngrams, alike([UNITS[unit] for unit in row])) == pytest.approx(alone)
        two = 0.6 * of_kind("family", row[:2]) * 0.25 * of_kind("given", row[2:])
        units = [UNITS[row[0]], UNITS[row[1]], SPACE, UNITS[row[2]]]
        assert summed(ngrams, alike(units)) == pytest.approx(two)
    backwards = [UNITS[0], SPACE, UNITS[0], SPACE, UNITS[0]]
    assert summed(ngrams, alike(backwards)) == 0.0


def test_the_model_is_sound() -> None:
    units, ngrams = mix_models(PARTS, KINDS, BOUNDARIES, n_labels=4)
    ngrams.check()
    assert len(units) == ngrams.n_words == 3 * len(UNITS) + 1
    rows = [list(map(int, cut)) for cut in np.split(*cut_samples(ngrams))]
    assert all(math.isfinite(ngrams.score(row)) for row in rows)


def cut_samples(ngrams: NgramModel) -> tuple[np.ndarray, np.ndarray]:
    tokens, offsets = ngrams.sample(50, seed=0)
    return tokens, offsets[1:-1]
