"""Graphs with failure arcs: what may follow every node, against sums over all sequences."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from glyphone.data import jit
from glyphone.fst import failure_graphs
from glyphone.fst.failure_graphs import Graph, Marks
from glyphone.fst.failure_lists import lists_of
from glyphone.fst.joint import JointModel
from glyphone.fst.joint_units import Labels

from .joint_twins import log_domain, models, random_model, relation, seeds, strings
from .support import mass

FAST = jit.compiled(failure_graphs)


def graph_of(model: JointModel, string: Labels) -> Graph:
    joint, room = model.joint, failure_graphs.room_of(80)
    marks, labels = failure_graphs.marks_of(joint), np.array(string, np.int32)
    found: Graph = failure_graphs.graph_of(joint, lists_of(joint), labels, room, marks)
    assert (marks.made == -1).all()
    assert (marks.left == -1).all()
    return found


@settings(deadline=None, max_examples=150)
@given(models, strings)
def test_the_rest_of_the_start_is_the_mass_of_all_paths(model: JointModel, string: Labels) -> None:
    costs = [cost for found in relation(model, string).values() for cost in found]
    assert failure_graphs.total(graph_of(model, string)) == pytest.approx(mass(costs), rel=1e-5)


@settings(deadline=None, max_examples=60)
@given(models, strings)
def test_rests_are_those_of_every_state(model: JointModel, string: Labels) -> None:
    """The rest of a node in the second row, by the plain twin of a model that starts there."""
    graph = graph_of(model, string)
    layers = model.joint.layers
    row = layers if len(string) else 0
    for node in range(graph.bounds[row], graph.bounds[row + 1])[:4]:
        state = int(graph.states[node])
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
    joint, lists = model.joint, lists_of(model.joint)
    rooms = [failure_graphs.room_of(80), FAST.room_of(80)]
    marks = [Marks(*kernels.marks_of(joint)) for kernels in (failure_graphs, FAST)]
    for string in [(1,) * 9, (), (1, 2), (3, 1, 2, 1), (1,)]:
        labels = np.array(string, np.int32)
        fresh = graph_of(model, string)
        for place, kernels in enumerate((failure_graphs, FAST)):
            again = Graph(*kernels.graph_of(joint, lists, labels, rooms[place], marks[place]))
            rooms[place] = again
            assert again.bounds.tolist() == fresh.bounds.tolist()
            n = int(fresh.bounds[-1])
            assert again.states[:n].tolist() == fresh.states[:n].tolist()
            assert again.rests[:n].tolist() == pytest.approx(fresh.rests[:n].tolist())


def test_a_long_string_keeps_its_scale() -> None:
    model = random_model(5)
    string = (1,) * 800
    found = failure_graphs.total(graph_of(model, string))
    assert found == pytest.approx(log_domain(model, string)[1], rel=1e-6)
    assert found > 750, "what no number of 64 bits can say"
