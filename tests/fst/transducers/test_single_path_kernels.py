"""The only way through a transducer, against the lattice of all ways."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.kernels import jit
from glyphone.data.writing import Writing
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.interface.codec import Side
from glyphone.fst.transducers import decoding_kernels as transducer_decoding_kernels
from glyphone.fst.transducers import single_path_kernels
from glyphone.fst.transducers.model import TransducerModel
from tests.fst.support import decode, machines

strings = st.lists(st.lists(st.integers(1, 3), max_size=6), min_size=1, max_size=4)


@settings(deadline=None, max_examples=300)
@given(machines, strings, st.integers(1, 3), st.booleans())
def test_walking_and_searching_give_the_same(
    machine: Transducer, texts: list[list[int]], n: int, fast: bool
) -> None:
    side = Side(Writing(), {})
    walking = jit.compiled(single_path_kernels) if fast else single_path_kernels
    symbols = np.array([label for text in texts for label in text], np.int32)
    bounds = np.cumsum([0, *map(len, texts)])
    walked = TransducerModel((machine,), side, side).decode_by_lookahead(
        walking, transducer_decoding_kernels, symbols, bounds, n
    )
    searched = decode(transducer_decoding_kernels, [machine], texts, n=n, spans=False)
    assert walked.statuses.tolist() == searched.statuses.tolist()
    assert walked.firsts.tolist() == searched.firsts.tolist()
    assert walked.offsets.tolist() == searched.offsets.tolist()
    assert walked.labels.tolist() == searched.labels.tolist()
    np.testing.assert_allclose(walked.costs, searched.costs)
    np.testing.assert_allclose(walked.posteriors, searched.posteriors)


def room(machine: Transducer, most: int) -> single_path_kernels.Lookahead:
    full = single_path_kernels.new_lookahead(machine)
    width = full.sets.shape[1]
    return single_path_kernels.empty_lookahead(most, full.sources, full.targets, full.groups, width)


@settings(deadline=None, max_examples=200)
@given(machines, st.lists(st.integers(1, 3), max_size=6), st.integers(0, 3))
def test_without_room_the_answer_is_the_same_or_left_open(
    machine: Transducer, text: list[int], most: int
) -> None:
    packed = transducer_decoding_kernels.Machine(
        np.array([machine.start]),
        machine.offsets,
        machine.ilabels,
        machine.olabels,
        machine.weights,
        machine.targets,
        machine.finals,
        machine.reads,
    )
    string = np.array(text, np.int32)
    output = np.zeros(40, np.int32)
    certain = single_path_kernels.only_way(
        packed, string, single_path_kernels.new_lookahead(machine), output
    )
    cramped = single_path_kernels.only_way(packed, string, room(machine, most), output.copy())
    assert cramped in (certain, (single_path_kernels.SEVERAL_WAYS, 0.0))
