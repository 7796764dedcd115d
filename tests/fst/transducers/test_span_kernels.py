"""Spans and their posteriors beside a reading of all paths and all segmentations."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from glyphone.data.errors import CycleError
from glyphone.data.kernels import jit
from glyphone.fst.automata.transducer import Transducer
from glyphone.fst.transducers import span_kernels
from glyphone.fst.transducers.span_kernels import NOWHERE, Gate
from glyphone.fst.transducers.spans import build_readers

LABELS, OUTPUTS = 4, 4  # 0 is nothing
EVERY_TIER = pytest.mark.parametrize("kernels", [span_kernels, jit.compiled(span_kernels)])


def machine(draws: np.random.Generator) -> Transducer:
    """A few states and arcs, some of which write without reading, forward only."""
    n = int(draws.integers(2, 5))
    arcs = []
    for source, target in product(range(n), repeat=2):
        if draws.random() < 0.6:
            silent = source > 0 and target > source and draws.random() < 0.3
            label = 0 if silent else int(draws.integers(1, LABELS))
            arcs.append((source, label, int(draws.integers(0, OUTPUTS)), draws.random(), target))
    finals = np.where(draws.random(n) < 0.5, draws.random(n), np.inf)
    columns = list(zip(*arcs, strict=True)) if arcs else [()] * 5
    sources, ilabels, olabels, weights, targets = columns
    return Transducer.from_arcs(0, finals, sources, ilabels, olabels, weights, targets)


def gate(draws: np.random.Generator, machines: int) -> Gate:
    states = 3
    steps = draws.integers(-1, states, (states, OUTPUTS))
    finals = np.where(draws.random(states) < 0.7, draws.random(states), np.inf)
    return Gate(draws.integers(0, states, machines), steps.astype(np.int64), finals)


def mass(found: Transducer, rules: Gate, number: int, labels: list[int]) -> float:
    """The sum of exp(-cost) of every way to read some labels, one path at a time."""
    total, waiting = 0.0, [(0, found.start, int(rules.starts[number]), 0.0)]
    while waiting:
        place, state, position, cost = waiting.pop()
        if place == len(labels):
            ending = cost + found.finals[state] + rules.finals[position]
            total += math.exp(-ending)
        for arc in range(found.offsets[state], found.offsets[state + 1]):
            reads = int(found.ilabels[arc])
            if reads and (place == len(labels) or labels[place] != reads):
                continue
            written = int(found.olabels[arc])
            after = int(rules.steps[position, written]) if written else position
            if after != NOWHERE:
                weight = cost + float(found.weights[arc])
                waiting.append((place + (reads > 0), int(found.targets[arc]), after, weight))
    return total


@EVERY_TIER
def test_spans_are_those_of_all_paths(kernels: object) -> None:
    draws = np.random.default_rng(0)
    n_found = 0
    for _ in range(60):
        machines = [machine(draws) for _ in range(2)]
        rules = gate(draws, 2)
        labels = draws.integers(0, LABELS, 7).astype(np.int32)
        begins, cuts = draws.random(7) < 0.8, draws.random(7) < 0.8
        rows, costs = kernels.accepted_spans(  # type: ignore[attr-defined]
            build_readers(machines, LABELS), rules, labels, begins, cuts, 4
        )
        expected = {
            (begin, end, number): total
            for begin, end in product(range(7), range(8))
            if begins[begin] and begin < end <= begin + 4 and (end == 7 or cuts[end])
            for number in range(2)
            if (total := mass(machines[number], rules, number, labels[begin:end].tolist())) > 0
        }
        assert [tuple(row) for row in rows.tolist()] == sorted(expected)
        assert np.exp(-costs) == pytest.approx([expected[key] for key in sorted(expected)])
        n_found += len(rows)
    assert n_found > 100


@EVERY_TIER
def test_posteriors_are_shares_of_all_segmentations(kernels: object) -> None:
    draws = np.random.default_rng(1)
    for _ in range(40):
        n = int(draws.integers(0, 7))
        spans = sorted(
            (begin, end)
            for begin, end in product(range(n), range(1, n + 1))
            if begin < end and draws.random() < 0.4
        )
        skips, costs = draws.random(n), draws.random(len(spans))
        begins, ends = (np.array(column, np.int64) for column in ([], []))
        if spans:
            begins, ends = np.array(spans).T
        shares, bounds = kernels.span_posteriors(  # type: ignore[attr-defined]
            skips, np.zeros(n, bool), begins, ends, costs
        )
        total, of_spans, of_bounds = 0.0, np.zeros(len(spans)), np.zeros(n + 1)
        for rows, cuts, cost in segmentations(spans, skips, costs, 0):
            weight = math.exp(-cost)
            total += weight
            of_spans[rows] += weight
            of_bounds[[0, *cuts]] += weight
        assert shares == pytest.approx(of_spans / total)
        assert bounds == pytest.approx(of_bounds / total)


def test_what_is_between_fences_is_summed_by_itself() -> None:
    skips, costs = np.array([0.3, 9.0, 0.1, 0.7]), np.array([0.2, 0.4])
    begins, ends, fences = np.array([0, 2]), np.array([1, 4]), np.array([False, True, False, False])
    shares, bounds = span_kernels.span_posteriors(skips, fences, begins, ends, costs)
    left, _ = span_kernels.span_posteriors(skips[:1], fences[:1], begins[:1], ends[:1], costs[:1])
    right, inner = span_kernels.span_posteriors(
        skips[2:], fences[2:], begins[1:] - 2, ends[1:] - 2, costs[1:]
    )
    assert shares.tolist() == [*left, *right]
    assert bounds.tolist() == [1.0, 1.0, *inner]


def segmentations(spans, skips, costs, place):  # type: ignore[no-untyped-def]
    """Every way to go on from a place: the rows used, the bounds, the cost."""
    if place == len(skips):
        yield [], [], 0.0
        return
    steps = [(place + 1, [], skips[place])]
    steps += [(e, [k], costs[k]) for k, (b, e) in enumerate(spans) if b == place]
    for goal, row, cost in steps:
        for rows, cuts, more in segmentations(spans, skips, costs, goal):
            yield row + rows, [goal, *cuts], cost + more


def test_a_machine_must_read_to_write() -> None:
    before = Transducer.from_arcs(0, [np.inf, 0.0], [0], [0], [1], [0.0], [1])
    with pytest.raises(CycleError, match="before it has read"):
        build_readers([before], 2)
    for_ever = Transducer.from_arcs(0, [np.inf, 0.0], [0, 1], [1, 0], [1, 1], [0.0, 0.0], [1, 1])
    with pytest.raises(CycleError, match="for ever"):
        build_readers([for_ever], 2)
