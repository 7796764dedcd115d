"""Decoders beside every hidden path written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glyphone.data.kernels import jit
from glyphone.learners.latent.arrays import Shape
from tests.learners.latent.twins import Case

SHAPES = [Shape(2, 2, 1), Shape(2, 3, 1), Shape(3, 2, 1), Shape(2, 2, 2), Shape(2, 1, 2)]
TIERS = [lambda module: module, jit.compiled]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_best_labels_are_those_of_all_their_paths(
    shape: Shape, tier: Any, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "tier", lambda module, work: tier(module))
    case = Case.drawn(seed, shape, lengths=(4, 0, 1, 3, 5), scale=0.5)
    best = case.model.best(case.data, most=10**4)
    assert best.proved.all()
    rankings = case.model.rank(case.data, 3, most=10**4)
    for s, sentence in enumerate(case.sentences):
        if not sentence.tokens:
            assert rankings[s].rows.shape == (1, 0)
            continue
        first, last = case.data.bounds[s], case.data.bounds[s + 1]
        shares = case.labellings(s)
        ordered = sorted(shares.values(), reverse=True)
        found = tuple(best.labels[first:last].tolist())
        assert shares[found] == pytest.approx(ordered[0], rel=1e-12)
        ranking = rankings[s]
        assert ranking.proved
        assert [shares[tuple(row)] for row in ranking.rows.tolist()] == pytest.approx(ordered[:3])
        assert np.exp(ranking.logs) == pytest.approx(ordered[:3])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tier", TIERS)
def test_hidden_paths_come_in_order(
    shape: Shape, tier: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "tier", lambda module, work: tier(module))
    case = Case.drawn(4, shape, lengths=(3, 1, 4))
    for s, ranking in enumerate(case.model.rank(case.data, 10**4, most=10**4, hidden=True)):
        shares = case.paths(s)
        assert len(ranking.rows) == len(shares) == ranking.n_paths
        paths = [tuple(divmod(code, shape.states) for code in row) for row in ranking.rows.tolist()]
        assert len({*paths}) == len(paths)
        found = np.exp(ranking.logs)
        assert found == pytest.approx([shares[path] for path in paths])
        assert (np.diff(found) <= 1e-12).all()
        assert found.sum() == pytest.approx(1.0, abs=1e-9)


def test_best_hidden_path_is_viterbi() -> None:
    shape = Shape(3, 2, 1)
    case = Case.drawn(6, shape, lengths=(5, 2))
    best = case.model.best(case.data, hidden=True)
    for s in range(2):
        shares = case.paths(s)
        path = max(shares, key=shares.__getitem__)
        first, last = case.data.bounds[s], case.data.bounds[s + 1]
        assert best.labels[first:last].tolist() == [label for label, _ in path]


def test_a_bound_on_paths_is_told() -> None:
    shape = Shape(2, 3, 1)
    case = Case.drawn(7, shape, lengths=(6,), scale=0.05)
    (ranking,) = case.model.rank(case.data, 1, most=2)
    assert not ranking.proved and ranking.n_paths == 2
    assert not case.model.best(case.data, most=2).proved.any()
    assert case.model.best(case.data, most=10**5).proved.all()
