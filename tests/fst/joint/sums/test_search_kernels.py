"""The n best by the sums over their paths, against sums over all sequences of units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.kernels import jit
from glyphone.data.writing import Writing
from glyphone.fst.alignment.units import Labels, LabelUnit, Units
from glyphone.fst.interface.codec import Side
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.sums import answers as joint_answers
from glyphone.fst.joint.sums import decoding_kernels as joint_decoding_kernels
from glyphone.fst.joint.sums.lists import arc_lists
from glyphone.fst.lattices.block_kernels import NO_PATH, OK, TRUNCATED, Block
from glyphone.fst.ngrams.counts import flatten
from glyphone.fst.ngrams.smoothing import train
from tests.fst.joint.twins import READ, random_ngrams, relation, seeds, strings
from tests.fst.support import mass

FAST = jit.compiled(joint_decoding_kernels)
ENOUGH = 10**6


def mixed_model(seed: int) -> JointModel:
    """Units that write one symbol each, some of them alike, and some of which read nothing."""
    random = np.random.default_rng(seed)
    drawn: list[LabelUnit] = []
    for _ in range(random.integers(3, 9)):
        source = tuple(random.integers(1, 4, random.integers(1, 4)).tolist())
        drawn.append((source, (int(random.integers(1, 4)),)))
    drawn += [((label,), (1,)) for label in range(1, random.integers(2, 5))]
    insertions = int(random.choice([0, 0, 1, 2]))
    drawn += [((), (int(random.integers(1, 4)),)) for _ in range(insertions)]
    units, _ = Units.arrange(drawn, n_labels=4)
    sides = Side(Writing(), READ), Side(Writing(), {"x": 1, "y": 2, "z": 3})
    ngrams = random_ngrams(random, len(units)).astype(np.float32)
    return JointModel(*sides, units, ngrams, insertions=insertions, beam=0.1, summed=True)


models = seeds.map(mixed_model)


def block_of(
    model: JointModel,
    block: Sequence[Labels],
    *,
    n: int,
    budget: int = ENOUGH,
    kernels: ModuleType = joint_decoding_kernels,
) -> Block:
    labels, bounds = flatten(block)
    joint = model.joint
    return Block(*kernels.decode(joint, arc_lists(joint), labels, bounds, n, budget, True))


def rows(found: Block, item: int) -> list[tuple[Labels, float, float]]:
    low, high = found.firsts[item], found.firsts[item + 1]
    cuts = found.offsets[low : high + 1].tolist()
    labels = [tuple(found.labels[a:b].tolist()) for a, b in pairwise(cuts)]
    costs, shares = found.costs[low:high].tolist(), found.posteriors[low:high].tolist()
    return list(zip(labels, costs, shares, strict=True))


@settings(deadline=None, max_examples=200)
@given(models, strings, st.integers(1, 40))
def test_n_best_is_exact(model: JointModel, string: Labels, n: int) -> None:
    masses = {output: mass(costs) for output, costs in relation(model, string).items()}
    total = mass(list(masses.values()))
    found = block_of(model, [string], n=n)
    answers = rows(found, 0)
    assert found.statuses[0] == (OK if masses else NO_PATH)
    assert len(answers) == min(n, len(masses))
    assert len({output for output, _, _ in answers}) == len(answers)
    for output, cost, share in answers:
        assert cost == pytest.approx(masses[output], rel=1e-4, abs=1e-5)
        assert share == pytest.approx(math.exp(total - masses[output]), rel=1e-4)
    best = sorted(masses.values())[: len(answers)]
    assert [cost for _, cost, _ in answers] == pytest.approx(best, rel=1e-4, abs=1e-5)


@settings(deadline=None, max_examples=50)
@given(models, st.lists(strings, min_size=1, max_size=4))
def test_both_tiers_agree_and_blocks_are_of_single_strings(
    model: JointModel, block: list[Labels]
) -> None:
    plain = block_of(model, block, n=3)
    fast = block_of(model, block, n=3, kernels=FAST)
    for item, string in enumerate(block):
        alone = block_of(model, [string], n=3)
        assert rows(plain, item) == rows(alone, 0)
        assert [row[0] for row in rows(fast, item)] == [row[0] for row in rows(plain, item)]
    assert fast.posteriors.tolist() == pytest.approx(plain.posteriors.tolist())
    assert fast.begins.tolist() == plain.begins.tolist()
    assert fast.ends.tolist() == plain.ends.tolist()


@settings(deadline=None, max_examples=100)
@given(models.filter(lambda model: model.insertions == 0), strings)
def test_spans_follow_one_another(model: JointModel, string: Labels) -> None:
    found = block_of(model, [string], n=5)
    for k in range(found.firsts[1]):
        low, high = found.offsets[k], found.offsets[k + 1]
        spans = list(zip(found.begins[low:high], found.ends[low:high], strict=True))
        place = 0
        for (begin, end), label in zip(spans, found.labels[low:high], strict=True):
            assert begin == place <= end
            assert (string[begin:end], (int(label),)) in set(
                zip(model.units.sources, model.units.targets, strict=True)
            )
            place = end
        assert place == len(string)


def tied() -> JointModel:
    """Three ways to write a letter, all of one probability."""
    units, _ = Units.arrange([((1,), (label,)) for label in (3, 1, 2)], n_labels=4)
    sides = Side(Writing(), READ), Side(Writing(), {"x": 1, "y": 2, "z": 3})
    ngrams = train([0, 1, 2], [0, 1, 2, 3], n_words=3, order=1).astype(np.float32)
    return JointModel(*sides, units, ngrams, summed=True)


def test_ties_are_broken_by_labels() -> None:
    answers = [output for output, _, _ in rows(block_of(tied(), [(1, 1)], n=9), 0)]
    assert answers == sorted(answers)
    assert len(answers) == 9


def test_what_was_found_so_far_is_the_answer_when_the_budget_is_spent() -> None:
    model, string = tied(), (1,) * 6
    found = block_of(model, [string, (1,)], n=500, budget=60)
    assert found.statuses.tolist() == [TRUNCATED, OK]
    (answer,) = [row[0] for row in rows(found, 0)][:1]
    assert len(answer) == 6
    assert 1 <= len(rows(found, 0)) < 500
    assert len(rows(found, 1)) == 3


def test_sums_are_used_where_every_unit_writes_one_symbol() -> None:
    model = tied()
    assert joint_answers.applies(model.joint)
    assert not joint_answers.applies(replace(model, summed=False).joint)
    silent = Units.of([((1,), ()), ((1,), (1,)), ((1,), (2,))], n_labels=4)
    assert not joint_answers.applies(replace(model, units=silent).joint)
    assert [answer.output for answer in model.nbest("aa", 2)] == ["xx", "xy"]
    assert [answer.posterior for answer in model.nbest("aa", 2)] == pytest.approx([1 / 9, 1 / 9])
