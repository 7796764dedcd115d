"""Windows: a plain twin of probabilities, room for features, vowels and shares."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from glyphone.data.kernels import jit
from glyphone.fst.context import window_kernels, windows
from glyphone.fst.context.window_kernels import MOST_FEATURES, MOST_PLAIN
from glyphone.fst.context.windows import default_shares, fit_windows, mark_vowels
from glyphone.fst.ngrams.counts import flatten
from tests.fst.context.twins import corpus, twin_factors


@pytest.mark.parametrize("kernels", [window_kernels, jit.compiled(window_kernels)])
@pytest.mark.parametrize("least_full", [0, windows.LEAST_FULL])
def test_factors_are_those_of_a_plain_twin(
    kernels: Any, least_full: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(windows, "LEAST_FULL", least_full)
    units, rows = corpus(60, seed=1)
    model = fit_windows(units, *flatten(rows))
    starts, entries = model.windows.starts, model.windows.entries
    heads = entries[starts[(starts > 0) & (starts % 2 == 0)] >> 1]
    assert (starts % 2).any() and len(heads)  # rows of one entry, and others:
    assert bool((heads < 0).any()) == bool(least_full)
    for row in rows[:20]:
        string = [units.sources[unit][0] for unit in row]
        labels = np.array(string, np.int32)
        for reach in (math.inf, 1.5):
            shares, shifts = kernels.unit_factors(model.windows, labels, units.firsts, 1.0, reach)
            for place, expected in enumerate(twin_factors(model, string)):
                assert max(expected.values()) == 1
                for unit, share in expected.items():
                    kept = share if share >= math.exp(-reach) else 0.0
                    assert shares[shifts[place] + unit] == pytest.approx(kept, rel=1e-9)


@pytest.mark.parametrize(("rich", "most"), [(False, MOST_PLAIN), (True, MOST_FEATURES)])
def test_no_place_has_more_features_than_there_is_room_for(rich: bool, most: int) -> None:
    room, vowels = np.empty(4 * MOST_FEATURES, np.int64), np.ones(2, np.bool_)
    counts = [
        window_kernels.write_features(
            word, place, window_kernels.place_facts(word, vowels), vowels, rich, room
        )
        for word in (np.ones(size, np.int32) for size in range(1, 20))
        for place in range(len(word))
    ]
    assert max(counts) <= most


def test_vowels() -> None:
    words = [[1, 2, 3, 2], [4, 2], [1, 5, 4, 5], [3, 5, 1, 2]]
    labels, offsets = flatten(words)
    assert np.flatnonzero(mark_vowels(labels, offsets, 6)).tolist() == [2, 5]


def test_shares() -> None:
    shares = [default_shares(n) for n in (0, 1, 100, 10_000, 1_000_000, 100_000_000)]
    assert all(sum(pair) == pytest.approx(0.9) and min(pair) >= 0 for pair in shares)
    assert shares[0][1] == 0 and shares[2][1] < shares[3][1] > shares[4][1]
    assert shares[4] == pytest.approx(shares[5], abs=1e-3)
