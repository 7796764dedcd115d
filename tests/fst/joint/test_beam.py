"""Beams and budgets of joint models: what they may lose, and what they never do."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from glyphone.data.records import Alignment
from glyphone.data.writing import Writing
from glyphone.fst.joint.model import BEAM, JointModel
from glyphone.fst.joint.training import train_joint
from tests.fst.joint.examples import even_model, near, text
from tests.fst.joint.twins import (
    WRITTEN,
    Labels,
    best_costs,
    labels_of,
    log_domain,
    models,
    random_model,
    relation,
    strings,
)


@settings(max_examples=80)
@example(random_model(1_238_064_803), (), 0.5, 2)  # pruned here, and found again behind
@given(models, strings, st.sampled_from([0.0, 0.5, 3.0, BEAM]), st.integers(1, 3))
def test_a_beam_only_loses(model: JointModel, string: Labels, beam: float, n: int) -> None:
    every = relation(model, string)
    narrow = replace(model, beam=beam)
    answers = narrow.nbest(text(string), n)
    assert len(answers) == min(n, len(every))
    for place, answer in enumerate(answers):
        assert answer.cost >= best_costs(every)[place] - 1e-5
        assert answer.cost >= min(every[labels_of(WRITTEN, answer.output)]) - 1e-5
        assert 0 < answer.posterior <= 1


def test_the_end_may_turn_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that falls out of the beam at the last symbol can be the best of all that end."""
    # Were arcs ranked, x would be too late to be looked at.
    monkeypatch.setattr("glyphone.fst.joint.search.RANKED_LENGTH", -1)
    rows = [Alignment(((("a",), ("x",)),))] * 4
    rows += [Alignment(((("a",), ("y",)), (("b",), ("z",))))] * 8
    model = train_joint(rows, source=Writing(), target=Writing(), order=2)
    start = [model.ngrams.begin]
    x, y = (model.units.numbers[(1,), (model.target.symbols[name],)] for name in "xy")
    assert model.ngrams.log_prob(start, x) < model.ngrams.log_prob(start, y) - 0.5
    best, exact = replace(model, beam=0.5)("a"), replace(model, beam=math.inf)("a")
    assert best.output == exact.output == "x"
    assert best.posterior >= exact.posterior > 0.5


def test_a_beam_that_ends_in_nothing_is_made_wider() -> None:
    """The best path after one letter may lead nowhere at the next."""
    rows = [Alignment(((("a",), ("x",)),))] * 8
    rows += [Alignment(((("a",), ("y",)), (("b",), ("z",))))]
    model = train_joint(rows, source=Writing(), target=Writing(), order=2)
    ngrams = model.ngrams
    backoffs = ngrams.backoffs.copy()
    backoffs[ngrams.state_of([ngrams.begin, model.units.numbers[(1,), (1,)]])] = -np.inf
    shut = replace(model, ngrams=replace(ngrams, backoffs=backoffs))
    exact = replace(shut, beam=math.inf)
    for beam in (0.0, 0.5):
        narrow = replace(shut, beam=beam)
        assert narrow("ab") == exact("ab")
        assert narrow.nbest("ab", 1)[0].output == narrow.nbest("ab", 3)[0].output == "yz"
        assert narrow.lattice("ab").n_states > 0


@given(models, strings)
def test_exact_is_without_a_beam(model: JointModel, string: Labels) -> None:
    every = relation(model, string)
    if every:
        narrow = replace(model, beam=0.1)
        assert narrow.exact()(text(string)).cost == near(best_costs(every)[0])


def test_a_spent_budget_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glyphone.fst.joint.search.BUDGET", 0)
    model = even_model({"a": "z,y,x", "b": "v,w"})
    answers = model.nbest("abab", 3)
    assert len(answers) == 1
    assert answers[0].truncated
    assert answers[0].cost == near(log_domain(model, (1, 2, 1, 2))[0])
    assert 0 < answers[0].posterior < 1
