"""Clusters of names from probabilities of pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit

from glyphone.matching import clustering
from glyphone.matching.clustering import SURE, UNLIKE, cluster

N = 6
ALL = np.stack(np.triu_indices(N, 1), 1)
tables = st.lists(st.floats(0, 1), min_size=len(ALL), max_size=len(ALL))


def slowly(probabilities: list[float], threshold: float) -> list[list[int]]:
    """Groups joined one after the other by the least log odds between them."""
    with np.errstate(divide="ignore"):
        values = np.clip(logit(probabilities), -SURE, SURE)
    odds = {(i, j): value for (i, j), value in zip(ALL.tolist(), values, strict=True)}
    groups = [[i] for i in range(N)]
    while len(groups) > 1:
        best, a, b = max(
            (min(odds[min(i, j), max(i, j)] for i in x for j in y), -k, -m)
            for k, x in enumerate(groups)
            for m, y in enumerate(groups[:k])
        )
        if best < np.clip(logit(threshold), -SURE, SURE):
            break
        groups[-b] += groups.pop(-a)
    return sorted(sorted(group) for group in groups)


@given(tables)
def test_a_brute_force_twin(probabilities: list[float]) -> None:
    rounded = np.round(probabilities, 6)
    if len({*rounded.tolist()} - {0.0, 1.0}) < len(rounded):
        return  # which of equal pairs is joined first is a matter of taste
    labels = cluster(N, ALL, np.array(probabilities), 0.5)
    found = sorted(np.flatnonzero(labels == label).tolist() for label in {*labels.tolist()})
    assert found == slowly(probabilities, 0.5)


def test_a_chain_is_cut() -> None:
    pairs = np.array([[0, 1], [1, 2], [0, 2]])
    assert cluster(3, pairs, np.array([0.8, 0.7, 0.01]), 0.5).tolist() == [0, 0, 1]
    assert cluster(3, pairs, np.array([0.8, 0.7, 0.55]), 0.5).tolist() == [0, 0, 0]
    assert logit(0.01) > UNLIKE
    assert cluster(3, pairs[:2], np.array([0.8, 0.7]), 0.5).tolist() == [0, 0, 1]


def test_the_order_of_pairs_does_not_matter() -> None:
    chooser = np.random.default_rng(3)
    values = chooser.random(len(ALL))
    labels = cluster(N, ALL, values, 0.6).tolist()
    for _ in range(9):
        order = chooser.permutation(len(ALL))
        assert cluster(N, ALL[order], values[order], 0.6).tolist() == labels


def test_large_components_are_cut_at_higher_thresholds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clustering, "LARGEST", 3)
    pairs = np.array([[i, i + 1] for i in range(7)])
    likely = np.array([0.99, 0.6, 0.99, 0.6, 0.99, 0.6, 0.99])
    assert cluster(8, pairs, likely, 0.5).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert {*cluster(8, pairs, np.ones(7), 0.5).tolist()} == {0}


def test_no_pairs() -> None:
    none = np.empty((0, 2), np.int64)
    assert cluster(3, none, np.empty(0), 0.5).tolist() == [0, 1, 2]
    assert cluster(0, none, np.empty(0), 0.5).tolist() == []
