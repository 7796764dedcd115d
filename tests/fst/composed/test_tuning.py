"""Priors chosen by held-out words."""

from __future__ import annotations

import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Pair
from glyphone.fst.composed.letters import train_letters
from glyphone.fst.composed.model import ComposedModel
from glyphone.fst.composed.tuning import FLOORS, SHARES, fit_prior, settings_like
from glyphone.fst.composed.vocabulary import Vocabulary, vocabulary_of
from tests.fst.joint.examples import even_model

MODEL = ComposedModel(even_model({"a": "x,y", "b": "x"}))


def test_the_prior_that_gets_most_right_is_chosen() -> None:
    side = MODEL.target
    good, bad = vocabulary_of([("yy", 0.5)], side), vocabulary_of([("xy", 0.5)], side)
    pairs = [Pair(("a", "a"), ("y", "y")), Pair(("a", "a"), ("y", "x")), Pair(("b",), ("x",))]
    assert fit_prior(MODEL, pairs, [None, bad, good]).prior is good
    assert fit_prior(MODEL, [Pair(("b",), ("x",))], [None, bad, good]).prior is None
    other = [Pair(("a", "a"), ("x", "x")), Pair(("q",), ("x",))]
    assert fit_prior(MODEL, other, [good, bad, None]).prior is None


def test_what_is_tried() -> None:
    words = settings_like(vocabulary_of([("x", 0.5)], MODEL.target))
    pairs = {(one.share, one.floor) for one in words if isinstance(one, Vocabulary)}
    assert pairs == {(share, floor) for share in SHARES for floor in FLOORS}
    letters = settings_like(train_letters([("x", 1.0)], MODEL.target, order=1))
    assert [one.share for one in letters] == [*SHARES]


def test_nothing_to_fit_with() -> None:
    for pairs, priors in (([], [None]), ([Pair(("a",), ("x",))], [])):
        with pytest.raises(GlyphoneError, match="nothing to fit a prior with"):
            fit_prior(MODEL, pairs, priors)
