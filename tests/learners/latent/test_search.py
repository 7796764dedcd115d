"""Decoders beside every hidden path written out."""

from __future__ import annotations

from collections import defaultdict
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
    best = case.model.best(case.data)
    assert best.proved.all()
    rankings = case.model.rank_labels(case.data, 3)
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
        assert [shares[tuple(row)] for row in ranking.rows.tolist()] == pytest.approx(ordered[:3])
        assert np.exp(ranking.logs) == pytest.approx(ordered[:3])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tier", TIERS)
def test_hidden_paths_come_in_order(
    shape: Shape, tier: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "tier", lambda module, work: tier(module))
    case = Case.drawn(4, shape, lengths=(3, 1, 4))
    for s, ranking in enumerate(case.model.rank_paths(case.data, 10**4)):
        shares = case.paths(s)
        assert len(ranking.rows) == len(shares)
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


def test_a_bound_on_steps_is_told() -> None:
    case = Case.drawn(7, Shape(2, 3, 1), lengths=(6,), scale=0.05)
    cut = case.model.best(case.data, most=1)
    assert not cut.proved.any()
    assert cut.labels.tolist() == case.model.best(case.data, hidden=True).labels.tolist()
    assert len(case.model.rank_labels(case.data, 1, most=1)[0].rows) == 0
    assert case.model.best(case.data).proved.all()


@pytest.mark.parametrize("seed", range(20))
def test_labels_are_those_of_the_sums_of_hidden_paths(seed: int) -> None:
    """As Sun et al. (2008) find them, by paths in order until the rest can change nothing."""
    case = Case.drawn(seed, Shape(3, 2, 1), lengths=(5, 3, 1), scale=1.5)
    (best, rankings) = case.model.best(case.data), case.model.rank_paths(case.data, 10**5)
    for s, ranking in enumerate(rankings):
        mass, unknown = defaultdict[tuple[int, ...], float](float), 1.0
        for row, log in zip(ranking.rows, ranking.logs, strict=True):
            mass[tuple((row // 2).tolist())] += np.exp(log)
            unknown -= np.exp(log)
            first, *others = sorted(mass.values(), reverse=True)
            if first >= max(others, default=0.0) + unknown:
                break
        first, last = case.data.bounds[s], case.data.bounds[s + 1]
        assert max(mass, key=mass.__getitem__) == tuple(best.labels[first:last].tolist())
