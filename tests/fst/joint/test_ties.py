"""Answers of joint models that cost the same: one order, whichever way they are asked for."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from glyphone.fst.joint.model import BEAM, JointModel
from tests.fst.joint.examples import even_model, near, text
from tests.fst.joint.twins import Labels, models, random_model, strings


@settings(max_examples=80)
@example(random_model(7804), (1, 3), 2.0)
@given(models, strings, st.sampled_from([2.0, BEAM, math.inf]))
def test_one_answer_is_the_first_of_several(model: JointModel, string: Labels, beam: float) -> None:
    """Also where several outputs, or several alignments of one, are exactly as good."""
    model = replace(model, beam=beam)
    one, (first, *_) = model.nbest(text(string), 1), [*model.nbest(text(string), 2), None]
    if first is None:
        assert one == []
    elif beam == math.inf:
        assert (one[0].output, one[0].spans) == (first.output, first.spans)
        assert (one[0].cost, one[0].posterior) == (near(first.cost), near(first.posterior))
    else:  # a beam that loses outputs is made wider for n of them
        assert first.cost <= one[0].cost + 1e-9


@pytest.mark.parametrize("order", [1, 2])
def test_equal_costs_are_ordered_by_labels(order: int) -> None:
    # With one state for all, ways meet in it; with several, they stay apart until the end.
    model = even_model({"a": "z,xy,yx", "b": "w,vw"}, order=order)
    for string, first in {"a": "xy", "ab": "xyvw", "bab": "vwxyvw", "aaa": "xyxyxy"}.items():
        assert model.nbest(string, 2)[0].output == first
        assert model(string).output == first
        assert [found.output for found in model.apply([string]) if found] == [first]
    answers = model.nbest("ab", 6)
    outputs = ["xyvw", "xyw", "yxvw", "yxw", "zvw", "zw"]
    assert [answer.output for answer in answers] == outputs
    assert [answer.cost for answer in answers] == [answers[0].cost] * 6


def test_equal_alignments_have_the_same_spans() -> None:
    # ab -> xy as (a:x)(b:y) or as (a:)(b:xy) costs the same.
    model = even_model({"a": "x,", "b": "y,xy"})
    best = model("ab")
    same = next(a for a in model.nbest("ab", 9) if a.output == best.output)
    assert best == same
    twice = next(a for a in model.nbest("ab", 9) if a.output == "xy")
    assert twice.posterior > 1.9 * min(a.posterior for a in model.nbest("ab", 9))
