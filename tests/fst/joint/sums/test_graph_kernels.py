"""Graphs whose arcs add up: what may follow every node, against sums over all sequences."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import takewhile

import numpy as np
import pytest
from hypothesis import given, settings

from glyphone.data.kernels import jit
from glyphone.fst.alignment.units import Labels
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.sums import array_kernels, graph_kernels
from glyphone.fst.joint.sums.array_kernels import Graph
from glyphone.fst.joint.sums.lists import arc_lists
from tests.fst.joint.twins import log_domain, models, random_model, relation, seeds, strings
from tests.fst.support import mass

FAST = jit.compiled(graph_kernels)
# The cost of a share of 1e-16, below which sums of doubles are rounding.
ROUNDED = 36.0


def graph_of(model: JointModel, string: Labels) -> Graph:
    joint, labels = model.joint, np.array(string, np.int32)
    room, made = array_kernels.graph_room(joint, 2, 80), array_kernels.node_table(joint)
    found: Graph = graph_kernels.string_graph(joint, arc_lists(joint), labels, -1, room, made)
    assert (made == -1).all()
    return found


@settings(deadline=None, max_examples=150)
@given(models, strings)
def test_the_rest_of_the_start_is_the_mass_of_all_paths(model: JointModel, string: Labels) -> None:
    costs = [cost for found in relation(model, string).values() for cost in found]
    found, expected = graph_kernels.total_cost(graph_of(model, string)), mass(costs)
    # Where nothing leads to the end, what is left of rounded sums is not zero, but next to it.
    assert found == pytest.approx(expected, rel=1e-5) or min(found, expected) > ROUNDED


@settings(deadline=None, max_examples=60)
@given(models, strings)
def test_rests_are_those_of_every_state(model: JointModel, string: Labels) -> None:
    """The rest of a node in the second row, by the plain twin of a model that starts there."""
    graph = graph_of(model, string)
    layers = model.joint.layers
    row, states = layers if len(string) else 0, arc_lists(model.joint).states
    for node in range(graph.bounds[row], graph.bounds[row + 1])[:4]:
        state = int(states[graph.states[node]])
        expected = rest_from(model, state, string[row // layers :])
        rest = graph.rests[node]
        found = graph.scales[row] - math.log(rest) if rest > 1e-12 else math.inf
        if expected < graph.scales[row] + 25:
            assert found == pytest.approx(expected, rel=1e-5, abs=1e-5)


def rest_from(model: JointModel, state: int, string: Labels) -> float:
    return log_domain(replace(model, ngrams=replace(model.ngrams, start=state)), string)[1]


@settings(deadline=None, max_examples=30)
@given(seeds)
def test_a_room_may_be_used_again_and_both_tiers_agree(seed: int) -> None:
    model = random_model(seed)
    joint, lists = model.joint, arc_lists(model.joint)
    rooms = [kernels.graph_room(joint, 2, 80) for kernels in (array_kernels, FAST.graph_arrays)]
    made = [array_kernels.node_table(joint) for _ in rooms]
    before: Labels | None = None
    for string in [(1,) * 9, (), (1, 2), (1, 2, 1, 3), (1, 2, 1, 3), (1, 2, 1), (3, 1, 2, 1), (1,)]:
        labels, fresh = np.array(string, np.int32), graph_of(model, string)
        pairs = takewhile(lambda pair: pair[0] == pair[1], zip(before or (), string, strict=False))
        alike = -1 if before is None else len(list(pairs))
        for place, kernels in enumerate((graph_kernels, FAST)):
            arrays = (joint, lists, labels, alike, rooms[place], made[place])
            again = rooms[place] = Graph(*kernels.string_graph(*arrays))
            n_rows, n = int(fresh.sizes[0]), int(fresh.bounds[fresh.sizes[0]])
            assert again.bounds[: n_rows + 1].tolist() == fresh.bounds[: n_rows + 1].tolist()
            assert again.states[:n].tolist() == fresh.states[:n].tolist()
            assert again.rests[:n].tolist() == pytest.approx(fresh.rests[:n].tolist())
            assert (made[place] == -1).all()
        before = string


def test_a_long_string_keeps_its_scale() -> None:
    model = random_model(5)
    string = (1,) * 800
    found = graph_kernels.total_cost(graph_of(model, string))
    assert found == pytest.approx(log_domain(model, string)[1], rel=1e-6)
    assert found > 750, "what no number of 64 bits can say"
