"""Proposals of a joint model to an ensemble, beside its n best outputs."""

from __future__ import annotations

import numpy as np
import pytest

from glyphone.fst.joint.kernels.arrays import Beam
from glyphone.fst.joint.search import decode_strings, propose_outputs
from tests.fst.joint.twins import random_model

WIDE = Beam(np.inf, np.inf)
STRINGS = ((1, 2, 1), (2,), (), (1, 1, 2, 2))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("least", "most"), [(1, 3), (1, 1000), (5, 8), (1000, 1000)])
@pytest.mark.parametrize("margin", [0.5, 2.0, 6.0])
def test_the_best_outputs_within_a_margin(seed: int, least: int, most: int, margin: float) -> None:
    joint = random_model(seed).joint
    labels = np.array([x for string in STRINGS for x in string], np.int32)
    bounds = np.cumsum([0, *map(len, STRINGS)])
    every = decode_strings(joint, labels, bounds, n=most, beam=WIDE)
    some = propose_outputs(joint, labels, bounds, least=least, most=most, margin=margin, beam=WIDE)
    for item in range(len(STRINGS)):
        first, last = every.firsts[item : item + 2]
        near = every.costs[first:last] <= every.costs[first] + margin if first < last else []
        n = max(int(np.sum(near)), min(least, last - first))
        begin, end = some.firsts[item : item + 2]
        assert end - begin == n
        assert some.costs[begin:end] == pytest.approx(every.costs[first : first + n])
        for k in range(n):
            mine, theirs = (
                block.labels[block.offsets[at + k] : block.offsets[at + k + 1]].tolist()
                for block, at in ((some, begin), (every, first))
            )
            assert mine == theirs


def test_a_narrow_beam_widens_until_there_are_enough() -> None:
    joint = random_model(1).joint
    labels, bounds = np.array([1, 2, 1], np.int32), np.array([0, 3])
    narrow = Beam(1e-3, 1e-3)
    wanted = len(decode_strings(joint, labels, bounds, n=50, beam=WIDE).costs)

    def found(least: int) -> int:
        settings = {"least": least, "most": 50, "margin": 2.0}
        return len(propose_outputs(joint, labels, bounds, **settings, beam=narrow).costs)

    assert found(50) == wanted
    assert 1 <= found(1) <= wanted
