"""Options that cannot be, and those with which training runs away."""

from __future__ import annotations

import math
from typing import Any

import pytest

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.learners.crf.training.gradient_descent import GradientDescent
from glyphone.learners.crf.training.loop import TrainingOptions
from glyphone.learners.optimization.loop import Watcher
from glyphone.learners.optimization.weights import NO_WEIGHTS
from tests.learners.crf.training.test_loop import CASES, problem_of


def test_what_runs_away_is_refused() -> None:
    watcher = Watcher(5, None, lambda progress: None)
    with pytest.raises(GlyphoneError, match=r"objective has become .* smaller eta"):
        watcher(math.nan, NO_WEIGHTS)
    descent = GradientDescent(problem_of(CASES[0]), NO_WEIGHTS, eta=1e6, decay=1.0, seed=0)
    assert math.inf in [descent.iterate()[0] for _ in range(3)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_iter": 0}, "max_iter is 0"),
        ({"tol": math.nan}, "tol is nan"),
        ({"patience": 0}, "patience is 0"),
        ({"memory": math.nan}, "memory is nan"),
        ({"eta": math.nan}, "eta is nan"),
        ({"decay": 1.5}, "decay is 1.5"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        TrainingOptions(**options)


def test_an_unknown_optimizer() -> None:
    with pytest.raises(UnknownName, match="owl-qn"):
        TrainingOptions(optimizer="owlqn")
