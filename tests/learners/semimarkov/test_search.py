"""The best segmentations beside every segmentation written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glyphone.data.kernels import jit
from glyphone.learners.semimarkov import search_kernels
from glyphone.learners.semimarkov.arrays import (
    States,
    lists_for,
    one_state,
    packed_states,
    room_of,
)
from tests.learners.semimarkov.test_sums import WITHOUT_PRECEDING
from tests.learners.semimarkov.twins import TEMPLATES, Case, split_states

CASES = [
    (TEMPLATES, packed_states(2)),
    (TEMPLATES, split_states(2)),
    (WITHOUT_PRECEDING, one_state(2)),
]


@pytest.mark.parametrize(("templates", "states"), CASES)
@pytest.mark.parametrize("tier", [lambda module: module, jit.compiled])
@pytest.mark.parametrize(("seed", "share", "n"), [(1, 1.0, 7), (2, 0.5, 3), (3, 0.2, 200)])
def test_best_segmentations_come_in_order(
    templates: str, states: States, tier: Any, seed: int, share: float, n: int
) -> None:
    case = Case.drawn(seed, lengths=(4, 1, 5, 3), share=share, templates=templates)
    kernels, data, model = tier(search_kernels), case.data, case.model
    room, lists = room_of(model.features, states, data), None
    for s in range(len(case.sentences)):
        ways = case.ways(s)
        ordered = sorted(ways.values(), reverse=True)[:n]
        lists = lists_for(model.features, states, tokens=5, n=n)
        rows, scores = kernels.rank_segmentations(
            model.weights, model.features, states, data, s, room, lists
        )
        found = [way_of(case, s, row) for row in rows]
        assert len({*found}) == len(found) == len(ordered)
        assert [ways[way] for way in found] == pytest.approx(ordered)
        assert np.exp(scores - scores[0]) == pytest.approx(np.array(ordered) / ordered[0])
    best = np.full(len(data.begins), -1, np.int32)
    kernels.write_best_segments(
        model.weights, model.features, states, data, 0, len(case.sentences), room,
        lists_for(model.features, states, tokens=5, n=1), best,
    )  # fmt: skip
    for s in range(len(case.sentences)):
        ways = case.ways(s)
        first, last = data.firsts[data.bounds[s : s + 2]]
        assert ways[way_of(case, s, best[first:last])] == pytest.approx(max(ways.values()))


def way_of(case: Case, s: int, classes: Any) -> tuple[tuple[int, int, int], ...]:
    """The segments whose classes are not -1, of the candidates of a sentence."""
    data, first = case.data, case.data.bounds[s]
    before = data.firsts[first]
    found = []
    for k in np.flatnonzero(classes >= 0).tolist():
        last = int(np.searchsorted(data.firsts, before + k, side="right")) - 1
        begin = int(data.begins[before + k] - first)
        found.append((begin, last - int(first) + 1, int(classes[k])))
    return tuple(sorted(found))
