"""Outputs of a string judged together, beside one by one, and beside a brute-force twin."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given

from glyphone.data.records import Alignment
from glyphone.data.writing import Writing
from glyphone.fst.ensembles import prefix_kernels as ensemble_prefix_kernels
from glyphone.fst.ensembles import union_kernels
from glyphone.fst.joint.model import JointModel
from glyphone.fst.joint.training import train_joint
from tests.fst.joint.twins import random_model, relation, seeds, strings
from tests.fst.support import mass


def arrays_of(outputs: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    return np.cumsum([0, *map(len, outputs)]), np.array(
        [x for row in outputs for x in row], np.int32
    )


def masses(model: JointModel, string: tuple[int, ...], outputs: list[list[int]]) -> list[float]:
    offsets, labels = arrays_of(outputs)
    bounds, firsts = np.array([0, len(string)]), np.array([0, len(outputs)])
    given_ = (np.array(string, np.int32), bounds, firsts, offsets, labels)
    found: list[float] = ensemble_prefix_kernels.score_outputs(model.joint, *given_).tolist()
    one_by_one = union_kernels.score_outputs(model.joint, *given_, False)[0].tolist()
    assert found == pytest.approx(one_by_one, abs=1e-3)
    return found


@given(seeds, strings)
def test_weights_are_sums_over_all_paths(seed: int, string: tuple[int, ...]) -> None:
    model = random_model(seed)
    weights = {y: mass(costs) for y, costs in relation(model, string).items()}
    outputs = [list(y) for y in weights] + [[1] * 20, [0], [1, 0], []]
    found = masses(model, string, outputs)
    for output, weight in zip(outputs, found, strict=True):
        cost = weights.get(tuple(output), math.inf)
        assert weight == pytest.approx(-cost, abs=1e-3)


def test_strings_that_are_not_known_or_have_no_outputs() -> None:
    model = random_model(0)
    bounds, firsts = np.array([0, 2, 3, 4]), np.array([0, 1, 1, 2])
    offsets, labels = arrays_of([[1], [1]])
    strings = np.array([1, 0, 1, 1], np.int32)
    found = ensemble_prefix_kernels.score_outputs(
        model.joint, strings, bounds, firsts, offsets, labels
    )
    alone = masses(model, (1,), [[1]])
    assert found.tolist() == pytest.approx([-math.inf, *alone])


def test_what_is_next_to_impossible_is_followed_where_nothing_else_leads_to_the_end() -> None:
    """All but one word in a million say x of a; only its reading goes on with a c that is z."""
    often, once = ("x",), ("y",)
    rows = [Alignment(((("a",), often), (("b",), often)))] * 400
    rows += [Alignment(((("a",), once), (("c",), ("z",))))]
    weights = [1e6] * 400 + [1.0]
    model = train_joint(rows, source=Writing(), target=Writing(), order=3, weights=weights)
    phones = model.target.symbols
    string = tuple(model.source.encode("ac").labels)
    outputs = [[phones[p] for p in output] for output in ("xz", "yz", "xx", "yx")]
    found = masses(model, string, outputs)
    alone = [masses(model, string, [output])[0] for output in outputs]
    assert found == pytest.approx(alone, abs=1e-3) and np.isfinite(found[1])


def test_there_is_room_for_as_many_nodes_as_there_are() -> None:
    model = random_model(3)
    string = (1, 2) * 6
    outputs = sorted(
        {tuple(o) for o in np.random.default_rng(0).integers(1, 3, (300, 12)).tolist()}
    )
    found = masses(model, string, [list(output) for output in outputs])
    assert len(found) > 200
