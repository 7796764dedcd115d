"""Lattices of alignments against every alignment of small pairs."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.records import Pair
from glyphone.fst.alignment.training import AlignmentModel, AlignmentOptions, Unit, fit
from tests.fst.alignment.twins import Cut, cuts_of, lexicons, variants


@settings(deadline=None, max_examples=40)
@given(lexicons, variants, st.sampled_from([0.0, 0.5, 2.0, math.inf]))
def test_lattices_hold_the_good_alignments(
    pairs: list[Pair], options: AlignmentOptions, beam: float
) -> None:
    model = fit(pairs, options)
    lattices = model.lattices(pairs, beam=beam)
    for k, item in enumerate(pairs):
        cuts = cuts_of(model, item)
        arcs = slice(lattices.bounds[k], lattices.bounds[k + 1])
        sources, targets = lattices.sources[arcs], lattices.targets[arcs]
        if not cuts:
            assert lattices.n_states[k] == 0 and len(sources) == 0
            continue
        assert (sources < targets).all() and (np.diff(sources) >= 0).all()
        assert (targets < lattices.n_states[k]).all()
        units, shares = lattices.units[arcs], lattices.posteriors[arcs]
        good = {cut: p for cut, p in cuts.items() if p >= max(cuts.values()) * math.exp(-beam)}
        kept = {cut: p for cut, p in cuts.items() if cut in set(paths(item, lattices, arcs, model))}
        assert set(good) <= set(kept)
        assert lattices.costs[k] == pytest.approx(-math.log(sum(kept.values())))
        if len(sources):
            assert shares[sources == 0].sum() == pytest.approx(1.0)
        expected = defaultdict[Unit, float](float)
        for cut, p in kept.items():
            for unit in cut:
                expected[unit] += p / sum(kept.values())
        for number in set(units.tolist()) - {-1}:
            found = shares[units == number].sum()
            assert found == pytest.approx(expected[model.units[number]])


def paths(item: Pair, lattices: Any, arcs: slice, model: AlignmentModel) -> list[Cut]:
    """Every path of one lattice."""
    found: dict[int, list[tuple[int, int, Cut]]] = {0: [(0, 0, ())]}
    rows = (lattices.sources[arcs], lattices.targets[arcs], lattices.moves[arcs])
    last = 0
    for state, to, move in zip(*(row.tolist() for row in rows), strict=True):
        s, t = model.options.steps[move]
        last = max(last, to)
        for i, j, cut in found[state]:
            unit = item.source[i : i + s], item.target[j : j + t]
            found.setdefault(to, []).append((i + s, j + t, (*cut, unit)))
    return [cut for _, _, cut in found[last]]
