"""Candidates: those of the index against all names compared one by one."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.kernels import jit
from glyphone.learners.matching import candidate_kernels
from glyphone.learners.matching.candidates import CandidateIndex, features_of_word, kept_share
from glyphone.learners.matching.units import split_words

names_of = st.lists(st.text("abé ", max_size=8), max_size=9)


def features(name: str) -> set[str]:
    return {feature for word in split_words(name) for feature in features_of_word(word)}


def cosines(names: list[str], asked: list[str]) -> list[list[tuple[int, float]]]:
    """All names of a list that share a feature with each name asked for, best first."""
    counts = Counter(feature for name in names for feature in features(name))
    worth = {feature: math.log1p(len(names) / n) ** 2 for feature, n in counts.items()}

    def norm(name: str) -> float:
        return math.sqrt(sum(worth.get(feature, 0.0) for feature in features(name)))

    rows = []
    for name in asked:
        shared = [(i, features(name) & features(other)) for i, other in enumerate(names)]
        row = [
            (i, sum(map(worth.__getitem__, common)) / norm(name) / norm(names[i]))
            for i, common in shared
            if common
        ]
        rows.append(sorted(row, key=lambda one: (-round(one[1], 9), one[0])))
    return rows


@pytest.mark.parametrize("compiled", [False, True])
@given(names=names_of, asked=names_of)
def test_candidates_share_features(names: list[str], asked: list[str], compiled: bool) -> None:
    if compiled:
        jit.end_plain_tier()
    found, scores = CandidateIndex(names, budget=10**9).candidates(asked, most=4)
    for row, of_row, all_shared in zip(found, scores, cosines(names, asked), strict=True):
        kept = [(int(i), score) for i, score in zip(row, of_row, strict=True) if i >= 0]
        assert len(kept) == min(4, len(all_shared))
        assert [score for _, score in kept] == pytest.approx([s for _, s in all_shared[:4]])
        assert dict(kept) == pytest.approx({i: dict(all_shared)[i] for i, _ in kept})


def test_a_budget_ends_at_frequent_features() -> None:
    names = ["Ana Paz", "Ana Sol", "Ana Mar", "Ana Paz Rey"] * 3
    plenty = CandidateIndex(names).candidates(["Ana Paz"], most=12)[0]
    little = CandidateIndex(names, budget=6).candidates(["Ana Paz"], most=12)[0]
    assert (plenty >= 0).sum() == 12 and {*little[little >= 0].tolist()} == {0, 3, 4, 7, 8, 11}


def test_pairs_stand_once() -> None:
    names = ["Filip Paz", "Philipp Paz", "Ana Sol", "Anna Sol", "東京", ""]
    index = CandidateIndex(names)
    within = index.pairs_within(most=2, workers=2)
    assert (within[:, 0] < within[:, 1]).all()
    assert {(0, 1), (2, 3)} <= {(int(i), int(j)) for i, j in within}
    assert len(np.unique(within, axis=0)) == len(within)
    between = index.pairs_with(["Phillip", "大阪"], most=2)
    assert sorted(map(tuple, between.tolist())) == [(0, 0), (0, 1)]
    assert kept_share(within, [(0, 1), (2, 3), (0, 2), (4, 5)]) == 0.5
    assert kept_share(within, []) == 0


def test_empty_indexes() -> None:
    assert CandidateIndex([]).pairs_within().shape == (0, 2)
    assert CandidateIndex([]).pairs_with(["Ana"]).shape == (0, 2)
    assert CandidateIndex(["Ana"]).pairs_with([]).shape == (0, 2)


def test_results_do_not_depend_on_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glyphone.learners.matching.candidates.ROWS", 3)
    names = [f"{a}n{b} {b}r{a}" for a in "aeiou" for b in "aeiou"]
    index = CandidateIndex(names)
    one, two = (index.pairs_within(most=3, workers=workers) for workers in (1, 2))
    assert one.tolist() == two.tolist()


def test_kernels_keep_the_best() -> None:
    for kernels in (candidate_kernels, jit.compiled(candidate_kernels)):
        names, scores = np.full(2, -1), np.zeros(2)
        for name, score in ((5, 0.1), (7, 0.3), (3, 0.1), (9, 0.3), (1, 0.05)):
            kernels.insert_candidate(names, scores, name, score)
        assert names.tolist() == [7, 9] and scores.tolist() == [0.3, 0.3]
