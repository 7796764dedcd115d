"""Blocks of strings: each is answered as if it were alone."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.lattices.block_kernels import NO_PATH, OK, TRUNCATED
from glyphone.fst.transducers import decoding_kernels as transducer_decoding_kernels
from tests.fst.support import Labels, cascade_paths, costs_of, decode, labels, machines

blocks = st.lists(labels, max_size=5)


@settings(deadline=None, max_examples=150)
@given(st.lists(machines, min_size=1, max_size=2), blocks, st.integers(1, 3))
def test_a_block_is_its_strings(stages: list[Transducer], strings: list[Labels], n: int) -> None:
    found = decode(transducer_decoding_kernels, stages, strings, n=n)
    bounds = found.offsets.tolist()
    for item, string in enumerate(strings):
        best = costs_of(cascade_paths(stages, string))
        expected = sorted(best, key=lambda output: (best[output], output))[:n]
        rows = range(found.firsts[item], found.firsts[item + 1])
        assert [tuple(found.labels[bounds[k] : bounds[k + 1]].tolist()) for k in rows] == expected
        assert [found.costs[k] for k in rows] == [best[output] for output in expected]
        assert found.statuses[item] == (OK if expected else NO_PATH)
    assert len(found.begins) == len(found.ends) == len(found.labels)
    assert len(decode(transducer_decoding_kernels, stages, strings, n=n, spans=False).begins) == 0


@settings(deadline=None, max_examples=100)
@given(st.lists(machines, min_size=1, max_size=2), labels)
def test_a_spent_budget_still_answers(stages: list[Transducer], string: Labels) -> None:
    best = costs_of(cascade_paths(stages, string))
    found = decode(transducer_decoding_kernels, stages, [string], n=3, budget=0)
    if not best:
        assert found.statuses.tolist() == [NO_PATH]
        return
    assert found.statuses[0] in (OK, TRUNCATED)
    assert len(found.costs) >= 1
    output = tuple(found.labels[: found.offsets[1]].tolist())
    assert found.costs[0] == best[output] == min(best.values())
    assert 0 < found.posteriors[0] <= 1
    assert found.offsets[-1] == len(found.labels) == len(found.begins)


def test_an_empty_block() -> None:
    machine = Transducer.from_arcs(0, [0.0], [0], [1], [1], [0.0], [0])
    found = decode(transducer_decoding_kernels, [machine], [])
    assert [len(row) for row in found] == [0, 1, 0, 0, 1, 0, 0, 0]


def test_an_empty_machine_answers_nothing() -> None:
    nothing = Transducer.from_arcs(-1, [], [], [], [], [], [])
    full = Transducer.from_arcs(0, [0.0], [0], [1], [1], [0.0], [0])
    for stages in ([nothing], [full, nothing], [nothing, full]):
        statuses = decode(transducer_decoding_kernels, stages, [(), (1,)]).statuses
        assert np.array_equal(statuses, [NO_PATH, NO_PATH])
