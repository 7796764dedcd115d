"""One transducer in place of several has their outputs, costs and numbers of paths."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from glyphone.fst.automata.composition import compose_all
from glyphone.fst.automata.transducer import Transducer
from tests.fst.support import Labels, cascade_paths, machines

STRINGS = [string for n in range(4) for string in product((1, 2), repeat=n)]


@given(st.lists(machines, min_size=2, max_size=3), st.sampled_from(STRINGS))
def test_paths_are_those_of_all(stages: list[Transducer], string: Labels) -> None:
    found = compose_all(stages)
    assert sorted(cascade_paths(found, string)) == sorted(cascade_paths(stages, string))


def test_a_silent_arc_at_the_start_is_taken_once() -> None:
    one = Transducer.from_arcs(0, [0.0, 0.0], [0, 1], [0, 1], [2, 1], [0, 0], [1, 0])
    two = Transducer.from_arcs(0, [0.0], [0, 0], [1, 2], [1, 2], [0, 0], [0, 0])
    both = compose_all([one, two])
    for string in STRINGS:
        assert sorted(cascade_paths(both, string)) == sorted(cascade_paths([one, two], string))


def test_what_reads_nothing_is_taken_up() -> None:
    one = Transducer.from_arcs(0, [0.0, np.inf], [0, 1], [1, 0], [1, 2], [0.25, 0.5], [1, 0])
    two = Transducer.from_arcs(0, [0.0], [0, 0], [1, 2], [0, 2], [0, 0], [0, 0])
    (both,) = compose_all([one, two])
    assert (both.n_states, both.ilabels.tolist(), both.olabels.tolist()) == (1, [1], [2])


def test_one_that_never_ends_is_left_as_it_is() -> None:
    one = Transducer.from_arcs(0, [0.0], [0], [1], [1], [0.0], [0])
    two = Transducer.from_arcs(0, [0.0], [0, 0], [0, 1], [7, 1], [0, 0], [0, 0])
    assert compose_all([one, two]) == (one, two)
