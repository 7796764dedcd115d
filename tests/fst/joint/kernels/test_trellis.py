"""Kernels of joint models: both tiers, little room, and each step against a plain twin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.kernels import jit
from glyphone.data.records import Alignment
from glyphone.data.writing import Writing
from glyphone.fst.alignment.units import Labels, Units
from glyphone.fst.joint.kernels import arrays as joint_arrays
from glyphone.fst.joint.kernels import decoding as joint_decoding
from glyphone.fst.joint.kernels import lattices as joint_lattices
from glyphone.fst.joint.kernels import pairs as joint_pairs
from glyphone.fst.joint.kernels import trellis as joint_kernels
from glyphone.fst.joint.kernels.arrays import Beam
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.training import train_joint
from glyphone.fst.lattices.block_kernels import Block
from glyphone.fst.ngrams.counts import flatten
from tests.fst.joint.twins import log_domain, models, output_of, random_model, relation, strings
from tests.fst.support import mass

FAST = jit.compiled(joint_decoding)
FAST_LATTICES = jit.compiled(joint_lattices)
FAST_KERNELS = jit.compiled(joint_kernels)
FAST_ARRAYS = jit.compiled(joint_arrays)

blocks = st.lists(strings, min_size=1, max_size=4)
beams = st.sampled_from([0.0, 1.0, 10.0, math.inf])


def decode(
    kernels: ModuleType,
    model: JointModel,
    block: Sequence[Labels],
    *,
    n: int,
    budget: int = 10**6,
    spans: bool = True,
) -> Block:
    labels, bounds = flatten(block)
    beam = Beam(model.beam, math.inf)
    scratch = joint_arrays.trellis_scratch(model.joint)
    arrays = kernels.decode(model.joint, labels, bounds, n, beam, budget, spans or None, scratch)
    return Block(*arrays)


def judge(
    kernels: ModuleType, model: JointModel, pairs: Sequence[tuple[Labels, Labels]], depth: int
) -> tuple[Any, ...]:
    xs, ys = flatten([x for x, _ in pairs]), flatten([y for _, y in pairs])
    found: tuple[Any, ...] = kernels.score_pairs(model.joint, *xs, *ys, depth)
    return found


def same(a: Sequence[Any], b: Sequence[Any]) -> bool:
    return all(
        np.asarray(x).dtype == np.asarray(y).dtype and np.array_equal(x, y)
        for x, y in zip(a, b, strict=True)
    )


@settings(max_examples=100)
@given(models, blocks, st.integers(1, 4), beams, st.sampled_from([0, 20, 10**6]), st.booleans())
def test_both_tiers_agree(
    model: JointModel, block: list[Labels], n: int, beam: float, budget: int, spans: bool
) -> None:
    model = replace(model, beam=beam)
    rows = [
        decode(kernels, model, block, n=n, budget=budget, spans=spans)
        for kernels in (joint_decoding, FAST)
    ]
    assert same(*rows)
    assert len(rows[0].begins) == (len(rows[0].labels) if spans else 0)


@settings(max_examples=60)
@given(models, strings, beams, st.integers(0, 3))
def test_both_tiers_judge_alike(model: JointModel, string: Labels, beam: float, depth: int) -> None:
    pairs = [(string, output) for output in [(), (1,), *list(relation(model, string))[:3]]]
    assert same(*(judge(kernels, model, pairs, depth) for kernels in (joint_decoding, FAST)))
    xs, ys = flatten([x for x, _ in pairs]), flatten([y for _, y in pairs])
    assert same(*(k.best_units(model.joint, *xs, *ys) for k in (joint_decoding, FAST)))
    row = np.array(string, np.int32)
    assert same(
        *(
            k.output_lattice(model.joint, row, Beam(beam, math.inf))
            for k in (joint_lattices, FAST_LATTICES)
        )
    )


@settings(max_examples=60)
@given(models, strings)
def test_judged_pairs(model: JointModel, string: Labels) -> None:
    every = relation(model, string)
    outputs = [*list(every)[:4], (1, 2, 1, 2, 1, 2)]
    pairs = [(string, output) for output in outputs]
    costs, masses, totals, ranks = judge(FAST, model, pairs, len(every))
    expected = [every.get(output, [math.inf]) for output in outputs]
    assert costs.tolist() == pytest.approx([min(one) for one in expected], rel=1e-5, abs=1e-5)
    assert masses.tolist() == pytest.approx([mass(one) for one in expected], rel=1e-5, abs=1e-5)
    total = mass([cost for one in every.values() for cost in one])
    assert totals.tolist() == pytest.approx([total] * len(pairs), rel=1e-5, abs=1e-5)
    assert [rank > 0 for rank in ranks[:-1]] == [True] * (len(pairs) - 1)


@settings(max_examples=60)
@given(models, blocks, st.integers(1, 3), st.sampled_from([1, 3]))
def test_little_room(model: JointModel, block: list[Labels], n: int, room: int) -> None:
    """Arrays that are too small at first change nothing."""
    pairs = [(string, (1,)) for string in block]
    expected = decode(joint_decoding, model, block, n=n), judge(joint_decoding, model, pairs, 9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joint_lattices, "ROOM", room)
        assert same(decode(joint_decoding, model, block, n=n), expected[0])
        assert same(judge(joint_decoding, model, pairs, 9), expected[1])


@settings(max_examples=60)
@given(models, blocks, st.sampled_from([1, 2, 50]), beams)
def test_scratch_is_as_good_as_new(
    model: JointModel, block: list[Labels], room: int, beam: float
) -> None:
    """Counts go on, so that nothing that earlier strings left behind is taken for new."""
    joint = model.joint
    for lattices, kernels, arrays in (
        (joint_lattices, joint_kernels, joint_arrays),
        (FAST_LATTICES, FAST_KERNELS, FAST_ARRAYS),
    ):
        used = arrays.trellis_scratch(joint)
        for string in block:
            row = np.array(string, np.int32)
            context, before = kernels.context_of(joint, row, math.inf), used.counters.copy()
            found, arcs, n_arcs, bounds, scales = lattices.string_trellis(
                joint, row, context, beam, arrays.trellis_room(room), arrays.arc_room(room), used
            )
            assert used.counters[0] >= before[0] + len(scales) - 1
            assert used.counters[1] >= used.seen.max()
            assert used.counters[0] >= used.marks[:, 0].max()
            scratch, trellis, room_for = (
                arrays.trellis_scratch(joint), arrays.trellis_room(4096), arrays.arc_room(4096)
            )  # fmt: skip
            new = lattices.string_trellis(joint, row, context, beam, trellis, room_for, scratch)
            assert (new[2], new[3].tolist(), new[4].tolist()) == (
                n_arcs,
                bounds.tolist(),
                scales.tolist(),
            )
            n = bounds[-1]
            assert same([part[:n] for part in found], [part[:n] for part in new[0]])
            assert same([part[:n_arcs] for part in arcs], [part[:n_arcs] for part in new[1]])


@settings(max_examples=60)
@given(models)
def test_steps(model: JointModel) -> None:
    ngrams, joint = model.ngrams, model.joint
    lists = (
        joint.masks, joint.offsets, joint.tokens, joint.probs, joint.backoff_states, joint.backoffs
    )  # fmt: skip
    chunks = [*model.units.chunks, len(model.units.firsts)]
    for state in range(ngrams.n_states):
        for unit in range(ngrams.end + 1):
            log_prob, target = ngrams.advance(state, unit)
            bit = joint_arrays.chunk_bit(int(chunks[unit]))
            plain = joint_kernels.unit_prob(*lists, state, unit, bit)
            assert plain == FAST_KERNELS.unit_prob(*lists, state, unit, bit)
            assert plain[0] == pytest.approx(math.exp(log_prob), rel=1e-5)
            assert joint.targets[plain[1]] == target


@settings(max_examples=60)
@given(models, strings)
def test_chunks_and_units(model: JointModel, string: Labels) -> None:
    units, joint = model.units, model.joint
    row = np.array(string, np.int32)
    for begin in range(len(string) + 1):
        for end in range(begin, len(string) + 1):
            chunk = joint_kernels.chunk_of(units.longer, units.n_labels, row, begin, end)
            first, last = joint.firsts[chunk], joint.firsts[chunk + 1]
            assert list(range(first, last)) == [
                unit for unit, source in enumerate(units.sources) if source == string[begin:end]
            ]
            for size in range(4):
                for written in product((1, 2), repeat=size):
                    output = np.array([2, *written, 1], np.int32)
                    low, high = joint_pairs.units_writing(
                        joint.written, joint.labels, first, last, output, 1, 1 + size
                    )
                    found = units.numbers.get((string[begin:end], written))
                    assert [*range(low, high)] == ([] if found is None else [found])


def test_many_symbols_are_not_too_many_for_32_bits() -> None:
    n_labels = 70_000
    units = Units.of([((60_000, 69_000), ())], n_labels=n_labels)
    string = np.array([60_000, 69_000], np.int32)
    for kernels in (joint_kernels, FAST_KERNELS):
        assert kernels.chunk_of(units.longer, n_labels, string, 0, 2) == n_labels


def test_long_strings_neither_vanish_nor_overflow() -> None:
    """Each letter has nine sounds: the sum of all paths is e to the 4000 times the best one."""
    rows = [Alignment(((("a",), (y,)),) * 3) for y in "pqrstuvwx"]
    model = train_joint(rows, source=Writing(), target=Writing(), order=1)
    string = (1,) * 2000
    cost, total = log_domain(model, string)
    assert cost > total + 4000
    output = (1,) * 2000
    _, own = log_domain(model, string, output)
    for kernels in (joint_decoding, FAST):
        found = judge(kernels, model, [(string, output), (string, output[1:])], 0)
        assert found[0].tolist() == pytest.approx([cost, math.inf], rel=1e-5)
        assert found[1].tolist() == pytest.approx([own, math.inf], rel=1e-5)
        assert found[2].tolist() == pytest.approx([total] * 2, rel=1e-5)
    best = decode(FAST, replace(model, beam=1e-3), [string], n=1)
    assert best.costs.tolist() == pytest.approx([cost], rel=1e-5)
    assert best.labels.tolist() == list(output)


def test_an_empty_block() -> None:
    for kernels in (joint_decoding, FAST):
        found = decode(kernels, random_model(1), [], n=2)
        assert [len(row) for row in found] == [0, 1, 0, 0, 1, 0, 0, 0]


def test_paths_of_pairs() -> None:
    model = random_model(3)
    block = [string for size in range(4) for string in product((1, 2, 3), repeat=size)]
    pairs = [(x, y) for x in block for y in list(relation(model, x))[:2]]
    assert len(pairs) > 10
    pairs.insert(3, ((1,), (1, 2, 1, 2, 1, 2)))
    for kernels in (joint_decoding, FAST):
        xs, ys = flatten([x for x, _ in pairs]), flatten([y for _, y in pairs])
        units, bounds = kernels.best_units(model.joint, *xs, *ys)
        for k, (x, y) in enumerate(pairs):
            path = units[bounds[k] : bounds[k + 1]].tolist()
            if k == 3:
                assert path == []
                continue
            assert output_of(model, path) == y
            assert tuple(label for unit in path for label in model.units.sources[unit]) == x
