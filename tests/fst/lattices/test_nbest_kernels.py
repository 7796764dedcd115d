"""n-best, sums, traces and spans against sums over all paths, written out."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.lattices import nbest_kernels as lattice_nbest_kernels
from glyphone.fst.lattices import prefix_kernels as lattice_prefix_kernels
from glyphone.fst.lattices import string_kernels, trimming_kernels
from glyphone.fst.lattices.arrays import Lattice
from glyphone.fst.lattices.path_kernels import best_path, trace_output
from glyphone.fst.lattices.path_kernels import output_spans as spans_of
from glyphone.fst.lattices.sum_kernels import backward_sums, forward_sums, log_add
from tests.fst.support import Labels, costs_of, lattice_of, lattice_paths, machines, mass

ENOUGH = 1_000_000


@st.composite
def random_lattices(draw: st.DrawFn) -> Lattice:
    """Lattices with many paths to one output and with outputs that are prefixes of others."""
    n = draw(st.integers(1, 6))
    steps = st.tuples(
        st.integers(0, n - 1), st.integers(1, 3), st.integers(0, 2), st.integers(0, 8)
    )
    drawn = draw(st.lists(steps, max_size=14))
    arcs = [(0, target, 0, 4) for target in range(1, n)]  # so that every state is accessible
    arcs += [(s, s + step, label, cost) for s, step, label, cost in drawn if s + step < n]
    ends = draw(st.lists(st.sampled_from([0.0, 0.5, math.inf]), min_size=n - 1, max_size=n - 1))
    rows = [(source, target, label, -1, -1) for source, target, label, _ in arcs]
    lattice: Lattice = trimming_kernels.trimmed_lattice(
        np.array(rows, np.int64).reshape(-1, 5),
        np.array([cost / 4 for *_, cost in arcs]),
        np.array([*ends, 0.25]),
    )
    return lattice


def answers(lattice: Lattice, n: int, budget: int = ENOUGH) -> list[tuple[Labels, float, float]]:
    found = lattice_nbest_kernels.n_best(lattice, n, budget)
    bounds = found.offsets.tolist()
    rows = [tuple(found.labels[a:b].tolist()) for a, b in pairwise(bounds)]
    return list(zip(rows, found.costs.tolist(), found.posteriors.tolist(), strict=True))


def shares(lattice: Lattice) -> dict[Labels, float]:
    """The posterior of every output."""
    paths = [path[:2] for path in lattice_paths(lattice)]
    total = mass([cost for _, cost in paths])
    outputs = {output for output, _ in paths}
    return {
        output: math.exp(total - mass([cost for other, cost in paths if other == output]))
        for output in outputs
    }


@settings(deadline=None, max_examples=300)
@given(random_lattices(), st.integers(1, 6))
def test_n_best_is_exact(lattice: Lattice, n: int) -> None:
    best = costs_of([path[:2] for path in lattice_paths(lattice)])
    posteriors = shares(lattice)
    expected = sorted(best, key=lambda output: (best[output], output))[:n]
    found = answers(lattice, n)
    assert [output for output, _, _ in found] == expected
    assert [cost for _, cost, _ in found] == [best[output] for output in expected]
    assert [share for _, _, share in found] == pytest.approx([posteriors[o] for o in expected])
    assert not lattice_nbest_kernels.n_best(lattice, n, ENOUGH).truncated


@settings(deadline=None, max_examples=300)
@given(random_lattices(), st.integers(1, 6))
def test_n_best_by_the_sum_over_paths_is_exact(lattice: Lattice, n: int) -> None:
    paths = [path[:2] for path in lattice_paths(lattice)]
    masses = {
        output: mass([cost for other, cost in paths if other == output]) for output, _ in paths
    }
    found = lattice_nbest_kernels.n_best(lattice, n, ENOUGH, True)
    assert found.costs.tolist() == pytest.approx(sorted(masses.values())[:n])
    bounds = found.offsets.tolist()
    rows = [tuple(found.labels[a:b].tolist()) for a, b in pairwise(bounds)]
    assert len(set(rows)) == len(rows)
    assert [masses[output] for output in rows] == pytest.approx(found.costs.tolist())
    posteriors = shares(lattice)
    assert found.posteriors.tolist() == pytest.approx([posteriors[output] for output in rows])


@settings(deadline=None, max_examples=50)
@given(random_lattices())
def test_posteriors_sum_to_one(lattice: Lattice) -> None:
    assert sum(share for *_, share in answers(lattice, 10_000)) == pytest.approx(1.0)


@settings(deadline=None, max_examples=60)
@given(random_lattices(), st.integers(1, 6))
def test_openfst_finds_the_same_costs(lattice: Lattice, n: int) -> None:
    pynini = pytest.importorskip("pynini")
    fst = pynini.Fst()
    fst.add_states(lattice.n_states)
    fst.set_start(0)
    for state in range(lattice.n_states):
        if math.isfinite(lattice.finals[state]):
            fst.set_final(state, lattice.finals[state])
        for arc in range(lattice.offsets[state], lattice.offsets[state + 1]):
            label = int(lattice.labels[arc])
            move = pynini.Arc(label, label, lattice.costs[arc], int(lattice.targets[arc]))
            fst.add_arc(state, move)
    shortest = pynini.shortestpath(fst.rmepsilon(), nshortest=n, unique=True)
    peers = sorted(float(str(weight)) for weight in shortest.paths().weights())
    assert [cost for _, cost, _ in answers(lattice, n)] == pytest.approx(peers)


@settings(deadline=None, max_examples=150)
@given(random_lattices(), st.integers(0, 60))
def test_a_budget_gives_the_beginning_of_the_answer(lattice: Lattice, budget: int) -> None:
    whole, part = answers(lattice, 50), answers(lattice, 50, budget)
    assert part == whole[: len(part)]
    assert lattice_nbest_kernels.n_best(lattice, 50, budget).truncated or part == whole


@settings(deadline=None, max_examples=150)
@given(random_lattices())
def test_the_best_path(lattice: Lattice) -> None:
    ((output, cost, _),) = lattice_paths(best_path(lattice))
    best = costs_of([path[:2] for path in lattice_paths(lattice)])
    assert cost == best[output] == min(best.values())


@settings(deadline=None, max_examples=150)
@given(random_lattices())
def test_sums_forward_and_backward(lattice: Lattice) -> None:
    paths = list(lattice_paths(lattice))
    best, after = backward_sums(lattice)
    before = forward_sums(lattice)
    total = mass([cost for _, cost, _ in paths])
    assert best[0] == min(cost for _, cost, _ in paths)
    assert after[0] == pytest.approx(total)
    at_the_ends = before + lattice.finals
    assert mass(at_the_ends.tolist()) == pytest.approx(total)
    sources = np.repeat(np.arange(lattice.n_states), np.diff(lattice.offsets))
    through = before[sources] + lattice.costs + after[lattice.targets]
    for arc, found in enumerate(through):
        assert found == pytest.approx(mass([cost for _, cost, arcs in paths if arc in arcs]))


@settings(deadline=None, max_examples=150)
@given(random_lattices(), st.lists(st.integers(1, 2), max_size=3).map(tuple))
def test_trace(lattice: Lattice, other: Labels) -> None:
    paths = list(lattice_paths(lattice))
    for output in {output for output, _, _ in paths} | {other}:
        costs = [cost for found, cost, _ in paths if found == output]
        arcs, cost, total = trace_output(lattice, np.array(output, np.int32))
        assert cost == min(costs, default=math.inf)
        assert total == pytest.approx(mass(costs))
        if costs:
            assert (output, cost, tuple(arcs.tolist())) in paths
        else:
            assert len(arcs) == 0


def plain_spans(moves: list[tuple[int, bool]]) -> list[tuple[int, int]]:
    """From (place read or -1, whether something is written), group by group."""
    groups: list[tuple[list[int], int]] = [([], 0)]
    for place, writes in moves:
        read, written = groups[-1]
        if place >= 0 and writes and read and written:
            groups.append(([place], 1))
        else:
            groups[-1] = (read + [place] * (place >= 0), written + writes)
    spans = []
    for read, written in groups:
        spans += [(read[0], read[-1] + 1) if read else (0, 0)] * written
    return spans


@settings(deadline=None, max_examples=300)
@given(
    st.lists(machines, min_size=1, max_size=2), st.lists(st.integers(1, 2), max_size=4).map(tuple)
)
def test_spans_cover_the_string(stages: list[Transducer], string: Labels) -> None:
    lattice = lattice_of(stages, string)
    for output, _, arcs in lattice_paths(lattice) if lattice.n_states > 0 else ():
        moves = [(int(lattice.begins[arc]), bool(lattice.labels[arc])) for arc in arcs]
        begins, ends = spans_of(lattice, np.array(arcs, np.int64))
        spans = list(zip(begins.tolist(), ends.tolist(), strict=True))
        assert spans == plain_spans(moves)
        assert len(spans) == len(output)
        covered = {place for begin, end in spans for place in range(begin, end)}
        assert covered == (set(range(len(string))) if output else set())
        assert spans == sorted(spans)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(-1, 4)), max_size=30), st.data())
def test_equal_prefixes_are_ordered_by_their_labels(
    nodes: list[tuple[int, int]], data: st.DataObject
) -> None:
    strings: list[Labels] = [()]
    tree = np.zeros((len(nodes) + 1, 4), np.int64)
    for parent, label in nodes:
        string = (*strings[parent % len(strings)], label)
        if string not in strings:
            lattice_prefix_kernels.plant_prefix(tree, len(strings), parent % len(strings), label)
            strings.append(string)
    a = data.draw(st.integers(0, len(strings) - 1))
    b = data.draw(st.integers(0, len(strings) - 1))
    assert lattice_prefix_kernels.precedes(a, b, np.zeros(len(strings)), tree) == (
        strings[a] < strings[b]
    )


def test_no_answers_are_asked_for() -> None:
    assert answers(string_kernels.string_lattice(np.array([1, 2], np.int32)), 0) == []


def test_log_add_at_the_limits() -> None:
    assert log_add(math.inf, math.inf) == math.inf
    assert log_add(1.0, math.inf) == log_add(math.inf, 1.0) == 1.0
    assert log_add(-1000.0, 1000.0) == -1000.0
    assert log_add(2.0, 2.0) == pytest.approx(2 - math.log(2))
