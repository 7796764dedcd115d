"""Cycles of empty input: those that an item can run into, and a witness that is one of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import CycleError
from glyphone.fst.automata.cycles import compose_with_lattice, epsilon_cycle
from glyphone.fst.automata.transducer import SymbolTable, Transducer
from glyphone.fst.lattices import string_kernels
from glyphone.fst.lattices.arrays import CYCLIC
from glyphone.fst.transducers.model import TransducerModel
from tests.fst.support import Labels, lattice_of

ARC = st.tuples(*[st.integers(0, 3)] * 2, st.integers(0, 1), st.integers(0, 3))


def from_rows(rows: list[tuple[int, ...]], ends: list[bool]) -> Transducer:
    sources, targets, ilabels, olabels = zip(*rows, strict=True) if rows else [()] * 4
    finals = [0.0 if end else math.inf for end in ends]
    table = SymbolTable.of("abc")
    return Transducer.from_arcs(
        0, finals, sources, ilabels, olabels, [0.0] * len(rows), targets, table, table
    )


random_machines = st.builds(
    from_rows, st.lists(ARC, max_size=8), st.lists(st.booleans(), min_size=4, max_size=4)
)


def loops(machine: Transducer) -> set[Labels]:
    """The outputs of every simple cycle of silent arcs, from each of its states."""
    found: set[Labels] = set()
    sources = machine.sources().tolist()
    arcs = [
        (sources[arc], int(machine.targets[arc]), int(machine.olabels[arc]))
        for arc in range(machine.n_arcs)
        if machine.ilabels[arc] == 0
    ]

    def walk(state: int, home: int, seen: frozenset[int], written: Labels) -> None:
        for source, target, label in arcs:
            if source == state and target == home:
                found.add((*written, label))
            elif source == state and target not in seen:
                walk(target, home, seen | {target}, (*written, label))

    for home in range(machine.n_states):
        walk(home, home, frozenset({home}), ())
    return found


@settings(deadline=None, max_examples=150)
@given(random_machines)
def test_a_cycle_is_found_where_there_is_one(machine: Transducer) -> None:
    every = loops(machine)
    found = epsilon_cycle(machine)
    assert found in every if every else found == ()


@settings(deadline=None, max_examples=200)
@given(random_machines, st.integers(0, 2))
def test_the_witness_is_a_cycle_of_the_item(machine: Transducer, length: int) -> None:
    """Of its states, each must be reachable by the item and lead it to an end."""
    string = (1,) * length
    states = useful_states(machine, string)
    sources, targets = machine.sources().tolist(), machine.targets.tolist()
    labels = machine.ilabels.tolist(), machine.olabels.tolist()
    rows = list(zip(sources, targets, *labels, strict=True))
    kept = [[row for row in rows if row[0] in alive and row[1] in alive] for alive in states]
    expected = set().union(*(loops(from_rows(rows, [True] * 4)) for rows in kept))
    assert (lattice_of([machine], string).n_states == CYCLIC) == bool(expected)
    found = epsilon_cycle(
        compose_with_lattice(string_kernels.string_lattice(np.array(string, np.int32)), machine)
    )
    assert found in expected if expected else found == ()


def useful_states(machine: Transducer, string: Labels) -> list[set[int]]:
    """For each place in the string, the states on a path of the whole string."""
    sources = machine.sources().tolist()
    moves = [
        ((sources[arc], place), (int(machine.targets[arc]), place + int(machine.ilabels[arc])))
        for arc in range(machine.n_arcs)
        for place in range(len(string) + 1)
        if place + machine.ilabels[arc] <= len(string)
    ]
    reached = {(0, 0)}
    alive = {(s, len(string)) for s in range(machine.n_states) if machine.finals[s] < math.inf}
    for _ in range(machine.n_states * (len(string) + 1)):
        reached |= {target for source, target in moves if source in reached}
        alive |= {source for source, target in moves if target in alive}
    return [{s for s, p in reached & alive if p == place} for place in range(len(string) + 1)]


def model(*machines: Transducer) -> TransducerModel:
    return TransducerModel.from_machines(machines, name="M")


def test_the_message_tells_what_this_item_runs_into() -> None:
    # Reading a leads to a loop of b, reading b to a loop of c; c leads to a loop with no way out.
    machine = from_rows(
        [(0, 1, 1, 0), (1, 1, 0, 2), (0, 2, 2, 0), (2, 2, 0, 3), (0, 3, 3, 0), (3, 3, 0, 1),
         (0, 0, 3, 3)],
        [True, True, True, False],
    )  # fmt: skip
    one = model(machine)
    for text, written in (("a", "b"), ("b", "c"), ("ca", "b")):
        with pytest.raises(
            CycleError, match=f"item '{text}': M: .*while {written} is written"
        ) as e:
            one(text)
        assert e.value.remedy
    assert one("cc").output == "cc"
    outputs = list(one.apply(["a", "c", "b"], jobs=1, on_error=lambda *_: None))
    assert [output and output.output for output in outputs] == [None, "c", None]


def test_the_cycle_of_a_later_stage_is_told_in_its_own_symbols() -> None:
    copy = from_rows([(0, 0, label, label) for label in (1, 2, 3)], [True])
    loop = from_rows([(0, 0, 1, 1), (0, 0, 0, 2)], [True])
    for stages in ((copy, loop), (loop, copy), (copy, loop, copy)):
        with pytest.raises(CycleError, match="while b is written"):
            model(*stages)("a")


def test_a_cycle_that_writes_nothing() -> None:
    with pytest.raises(CycleError, match="while nothing is written"):
        model(from_rows([(0, 0, 1, 1), (0, 0, 0, 0)], [True]))("a")


def test_a_deletion_has_no_finite_inverse() -> None:
    delete = from_rows([(0, 0, 1, 0), (0, 0, 2, 2)], [True])
    assert model(delete)("ab").output == "b"
    with pytest.raises(CycleError, match="while a is written"):
        model(delete).invert()("b")
