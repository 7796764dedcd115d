"""Composition: every path once, whatever epsilons there are on either side."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.fst import backend
from glyphone.fst.automata.att import format_text, parse_text
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.lattices import string_kernels
from glyphone.fst.lattices.arrays import CYCLIC, Lattice
from tests.fst.support import (
    Labels,
    Path,
    cascade_paths,
    labels,
    lattice_of,
    lattice_paths,
    machines,
    paths,
)


def rounded(found: Sequence[Path]) -> list[tuple[Labels, float]]:
    return sorted((output, round(cost, 9)) for output, cost in found)


stages = st.lists(machines, min_size=1, max_size=3)


@settings(deadline=None, max_examples=400)
@given(stages, labels)
def test_every_path_once(machines: list[Transducer], string: Labels) -> None:
    lattice = lattice_of(machines, string)
    expected = cascade_paths(machines, string)
    if lattice.n_states <= 0:
        assert lattice.n_states == 0
        assert not expected
        return
    assert rounded([path[:2] for path in lattice_paths(lattice)]) == rounded(expected)


@settings(deadline=None, max_examples=100)
@given(stages, labels)
def test_pynini_finds_the_same_paths(machines: list[Transducer], string: Labels) -> None:
    pynini = pytest.importorskip("pynini")
    product = backend.from_transducer(chain(string))
    for machine in machines:
        product = pynini.compose(product, backend.from_transducer(machine).arcsort("ilabel"))
    found = product.paths()
    peers = []
    while not found.done():
        peers.append((tuple(filter(None, found.olabels())), float(str(found.weight()))))
        found.next()
    lattice = lattice_of(machines, string)
    ours = [path[:2] for path in lattice_paths(lattice)] if lattice.n_states > 0 else []
    assert rounded(ours) == rounded(peers)


@settings(deadline=None, max_examples=100)
@given(stages, labels)
def test_kaldifst_finds_the_same_paths(machines: list[Transducer], string: Labels) -> None:
    """OpenFst once more, on platforms that pynini has no wheels for."""
    kaldifst = pytest.importorskip("kaldifst")
    product = chain(string)
    for machine in machines:
        first, second = (
            kaldifst.compile("\n".join(format_text(fst)), keep_state_numbering=True)
            for fst in (product, machine)
        )
        kaldifst.arcsort(first, "olabel")
        product = parse_text(kaldifst.compose(first, second).to_str().splitlines())
    lattice = lattice_of(machines, string)
    ours = [path[:2] for path in lattice_paths(lattice)] if lattice.n_states > 0 else []
    assert rounded(ours) == rounded(list(paths(product, string)))


@settings(deadline=None, max_examples=200)
@given(stages, labels)
def test_a_lattice_is_trimmed_and_in_topological_order(
    machines: list[Transducer], string: Labels
) -> None:
    lattice = lattice_of(machines, string)
    if lattice.n_states == 0:
        return
    assert lattice.n_states == len(lattice.finals) == len(lattice.offsets) - 1
    sources = np.repeat(np.arange(lattice.n_states), np.diff(lattice.offsets))
    assert (sources < lattice.targets).all()
    reached, alive = {0}, set(np.flatnonzero(np.isfinite(lattice.finals)).tolist())
    for source, target in zip(sources.tolist(), lattice.targets.tolist(), strict=True):
        reached |= {target} if source in reached else set()
    for source, target in zip(sources.tolist()[::-1], lattice.targets.tolist()[::-1], strict=True):
        alive |= {source} if target in alive else set()
    assert reached == alive == set(range(lattice.n_states))


@settings(deadline=None, max_examples=60)
@given(stages, labels)
def test_every_path_reads_the_whole_string(machines: list[Transducer], string: Labels) -> None:
    lattice = lattice_of(machines, string)
    for _, _, arcs in lattice_paths(lattice) if lattice.n_states > 0 else ():
        read = [
            (lattice.begins[arc], lattice.ends[arc]) for arc in arcs if lattice.begins[arc] >= 0
        ]
        assert read == [(place, place + 1) for place in range(len(string))]


def chain(string: Labels) -> Transducer:
    n = len(string)
    finals = [math.inf] * n + [0.0]
    places = list(range(n))
    return Transducer.from_arcs(
        0, finals, places, string, string, [0.0] * n, [place + 1 for place in places]
    )


def one_machine(*arcs: tuple[int, int, int, int, float], finals: Sequence[float]) -> Transducer:
    sources, targets, ilabels, olabels, weights = zip(*arcs, strict=True)
    return Transducer.from_arcs(0, finals, sources, ilabels, olabels, weights, targets)


@pytest.mark.parametrize(
    ("arcs", "finals", "expected"),
    [
        ([(0, 0, 0, 1, 1.0), (0, 0, 1, 1, 0.0)], [0.0], CYCLIC),
        ([(0, 0, 0, 0, 1.0), (0, 0, 1, 1, 0.0)], [0.0], CYCLIC),
        # the cycle is never left: state 1 has no way to an end
        ([(0, 0, 1, 1, 0.0), (0, 1, 0, 0, 0.0), (1, 1, 0, 1, 0.0)], [0.0, math.inf], 2),
        # the cycle is never reached: label 2 is not read
        ([(0, 0, 1, 1, 0.0), (0, 1, 2, 2, 0.0), (1, 1, 0, 1, 0.0)], [0.0, 0.0], 2),
        # no path, by an infinite weight on the way or at the end
        ([(0, 0, 1, 1, math.inf)], [0.0], 0),
        ([(0, 0, 1, 1, 0.0)], [math.inf], 0),
    ],
)
def test_cycles_and_dead_ends(
    arcs: list[tuple[int, int, int, int, float]], finals: list[float], expected: int
) -> None:
    assert lattice_of([one_machine(*arcs, finals=finals)], (1,)).n_states == expected


def test_the_lattice_of_a_string() -> None:
    for string in ((), (3,), (3, 4, 3)):
        lattice: Lattice = string_kernels.string_lattice(np.array(string, np.int32))
        assert [path[:2] for path in lattice_paths(lattice)] == [(string, 0.0)]
