"""A joint model against every sequence of units that there is."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.errors import NoOutput
from glyphone.data.records import Alignment, Hypothesis
from glyphone.fst.joint.model import INSERTIONS, JointModel
from tests.fst.joint.examples import near, text
from tests.fst.joint.twins import (
    READ,
    WRITTEN,
    Labels,
    Relation,
    best_costs,
    costs_with,
    labels_of,
    models,
    relation,
    shares,
    strings,
    text_of,
)
from tests.fst.support import lattice_paths, mass

outputs = st.lists(st.integers(1, 2), max_size=5).map(tuple)
temperatures = st.sampled_from([0.5, 1.0, 1.0, 1.7])


def check_ranking(answers: list[Hypothesis], every: Relation, n: int) -> None:
    """The n least costs, each with an output that has it."""
    assert [answer.cost for answer in answers] == near(best_costs(every)[:n])
    written = [labels_of(WRITTEN, answer.output) for answer in answers]
    assert len(set(written)) == len(written)
    assert [min(every[output]) for output in written] == near(best_costs(every)[:n])


@settings(max_examples=100)
@given(models, strings, temperatures)
def test_the_best_output(model: JointModel, string: Labels, temperature: float) -> None:
    every = relation(model, string)
    model = replace(model, temperature=temperature)
    if not every:
        with pytest.raises(NoOutput, match="no units read them in this order"):
            model(text(string))
        return
    best = model(text(string))
    check_ranking([best], every, 1)
    expected = shares(every, temperature)[labels_of(WRITTEN, best.output)]
    assert best.posterior == near(expected)
    assert best.symbols == tuple(best.output)


@settings(max_examples=100)
@given(models, strings, st.integers(1, 8), temperatures)
def test_the_n_best_outputs(model: JointModel, string: Labels, n: int, temperature: float) -> None:
    every = relation(model, string)
    answers = replace(model, temperature=temperature).nbest(text(string), n)
    check_ranking(answers, every, n)
    posteriors = shares(every, temperature)
    for answer in answers:
        assert answer.posterior == near(posteriors[labels_of(WRITTEN, answer.output)])


@settings(max_examples=100)
@given(models, strings, outputs, temperatures)
def test_score(model: JointModel, string: Labels, output: Labels, temperature: float) -> None:
    every = relation(model, string)
    posteriors = shares(every, temperature)
    model = replace(model, temperature=temperature)
    for written in {output, *list(every)[:3]}:
        found = model.score(text(string), text_of(WRITTEN, written))
        if written not in every:
            assert found.log_probability == -math.inf
            assert (found.posterior, found.rank, found.alignment) == (0, None, Alignment(()))
            continue
        assert -found.log_probability == near(mass(every[written]))
        assert found.posterior == near(posteriors[written])
        read, wrote = found.alignment.pair.source, found.alignment.pair.target
        assert ("".join(read), "".join(wrote)) == (text(string), text_of(WRITTEN, written))
        units = [
            model.units.numbers[labels_of(READ, "".join(x)), labels_of(WRITTEN, "".join(y))]
            for x, y in found.alignment.units
        ]
        assert costs_with(model.ngrams)(units) == near(min(every[written]))
        assert found.rank is not None
        assert best_costs(every)[found.rank - 1] == near(min(every[written]))


@settings(max_examples=80)
@given(models, strings)
def test_the_lattice_has_every_path(model: JointModel, string: Labels) -> None:
    every = relation(model, string)
    if not every:
        with pytest.raises(NoOutput):
            model.lattice(text(string))
        return
    found: Relation = {}
    for output, cost, _ in lattice_paths(model.lattice(text(string))):
        found.setdefault(output, []).append(cost)
    assert {output: len(costs) for output, costs in found.items()} == {
        output: len(costs) for output, costs in every.items()
    }
    for output, costs in found.items():
        assert sorted(costs) == near(sorted(every[output]))


@settings(max_examples=80)
@given(models, outputs.map(lambda output: output[:3]))
def test_the_inverse_is_the_same_relation(model: JointModel, output: Labels) -> None:
    inverse = model.invert()
    silent = () in model.units.targets
    assert inverse.insertions == (INSERTIONS if silent else 0)
    flipped = relation(inverse, output)
    answers = inverse.nbest(text_of(WRITTEN, output), 5)
    assert [answer.cost for answer in answers] == near(best_costs(flipped)[:5])
    for string, costs in list(flipped.items())[:4]:
        back = inverse.score(text_of(WRITTEN, output), text(string))
        assert -back.log_probability == near(mass(costs))
        if not silent and model.insertions == 0:
            forth = model.score(text(string), text_of(WRITTEN, output))
            assert back.log_probability == near(forth.log_probability)


@settings(max_examples=60)
@given(models, strings, st.integers(1, 4))
def test_twice_inverted(model: JointModel, string: Labels, n: int) -> None:
    if model.insertions:
        model = replace(model, insertions=INSERTIONS)
    twice = model.invert().invert()
    if () not in model.units.sources:
        model = replace(model, insertions=0)
    assert twice.units.sources == model.units.sources
    assert np.array_equal(twice.ngrams.tokens, model.ngrams.tokens)
    assert np.array_equal(twice.ngrams.targets, model.ngrams.targets)
    assert twice.nbest(text(string), n) == model.nbest(text(string), n)
