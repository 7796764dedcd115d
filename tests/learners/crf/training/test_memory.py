"""Memory of optimisers: as much as is said, and refused where it is too much."""

from __future__ import annotations

import numpy as np
import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.learners.crf.training.coordinate_descent import CoordinateDescent
from glyphone.learners.crf.training.gradient_descent import GradientDescent
from glyphone.learners.crf.training.memory import check_memory, memory_needed
from glyphone.learners.crf.training.working_set import WorkingSet
from glyphone.learners.optimization.weights import NO_WEIGHTS
from tests.learners.crf.training.test_loop import CASES, named, problem_of


def test_memory_is_counted_as_it_is_taken() -> None:
    """The vectors of an optimiser are as many, and as long, as was said."""
    case = CASES[0]
    problem = problem_of(case)
    size = {"weights": problem.size, "occurrences": 10**6}
    descent = GradientDescent(problem, NO_WEIGHTS, eta=0.5, decay=0.8, seed=0)
    assert memory_needed("sgd", **size).bytes == descent.sums.nbytes
    for taken, n_vectors in (
        (WorkingSet(problem_of(case), NO_WEIGHTS), 16),
        (WorkingSet(problem_of(case, rho1=0.0), NO_WEIGHTS), 26),
    ):
        for _ in range(12):
            taken.iterate()
        values = vars(taken.descent).values()
        vectors = [value for value in values if isinstance(value, np.ndarray)]
        vectors += taken.descent.steps + taken.descent.turns
        assert sum(vector.nbytes for vector in vectors) == n_vectors * 8 * len(taken.numbers)
    blocks = CoordinateDescent(problem, NO_WEIGHTS, named(case))
    blocks.iterate()
    assert len(blocks.current_weights().values) < problem.size


def test_what_does_not_fit_is_refused_with_what_would() -> None:
    size = {"weights": 251_000_000, "occurrences": 1_100_000}
    with pytest.raises(GlyphoneError) as refused:
        check_memory("sgd", 1e9, **size)
    text = str(refused.value)
    assert text.startswith("sgd: 251,000,000 weights, 1 number for each, 2.0 GB: more than the 1.0")
    assert "owl-qn (0.4 GB) or bcd (17.6 MB) would fit" in text
    with pytest.raises(GlyphoneError, match="no optimizer would fit"):
        check_memory("lbfgs", 10.0, **size)
    assert check_memory("bcd", 1e9, **size).bytes < 1e9
