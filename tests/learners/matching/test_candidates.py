"""Candidates: those of the index against all names compared one by one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.kernels import jit
from glyphone.learners.matching import candidate_kernels, similar_words
from glyphone.learners.matching.candidate_kernels import Rows
from glyphone.learners.matching.candidates import CandidateIndex, kept_share
from glyphone.learners.matching.similar_words import (
    LETTERS,
    WordIndex,
    features_of_word,
    grams_of_word,
)
from glyphone.learners.matching.units import split_words

names_of = st.lists(st.text("abé ", max_size=20), max_size=7)


def like(one: str, other: str) -> float:
    grams, others = {*grams_of_word(one)}, {*grams_of_word(other)}
    cosine = len(grams & others) / math.sqrt(len(grams) * len(others))
    return max(0.0, 2 * math.sqrt(cosine) - 1)


def are_similar(one: str, other: str) -> bool:
    return bool({*features_of_word(one)} & {*features_of_word(other)}) and like(one, other) > 0


def scores_of(names: list[str], asked: list[str]) -> Iterator[list[tuple[int, float]]]:
    """All names of a list with a word like one of each name asked for, best first."""
    rows = [{*split_words(name)} for name in names]
    counts = Counter(word for row in rows for word in row)

    def share(row: set[str], other: set[str]) -> float:
        weights = {word: math.log1p(len(names) / max(1, counts[word])) ** 2 for word in row}
        common = sum(w * max(like(word, x) for x in other) for word, w in weights.items())
        return common / sum(weights.values())

    for own in map(split_words, asked):
        near = [i for i, row in enumerate(rows) if any(are_similar(a, b) for a in own for b in row)]
        found = [(i, math.sqrt(share({*own}, rows[i]) * share(rows[i], {*own}))) for i in near]
        yield sorted(found, key=lambda one: (-round(one[1], 5), one[0]))


@pytest.mark.parametrize("compiled", [False, True])
@given(names=names_of, asked=names_of)
def test_candidates_have_words_in_common(
    names: list[str], asked: list[str], compiled: bool
) -> None:
    if compiled:
        jit.end_plain_tier()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(similar_words, "MOST", 1000)
        found, scores = CandidateIndex(names, budget=10**9).candidates(asked, most=4)
    for row, of_row, all_similar in zip(found, scores, scores_of(names, asked), strict=True):
        kept = [(int(i), score) for i, score in zip(row, of_row, strict=True) if i >= 0]
        assert len(kept) == min(4, len(all_similar))
        best = [score for _, score in all_similar[:4]]
        assert [score for _, score in kept] == pytest.approx(best, abs=1e-5)
        assert dict(kept) == pytest.approx({i: dict(all_similar)[i] for i, _ in kept}, abs=1e-5)


def test_similar_words() -> None:
    words = ["rumyantsev", "ryabev", "tehran", "rumyanstev", "румянцев", "x" * 999]
    index = WordIndex(words)
    similar = index.similar_to(["rumjantsew", "tehran", "ż", "z" * 500])
    found = [
        {words[k]: float(x) for k, x in zip(similar.words[i:j], similar.likes[i:j], strict=True)}
        for i, j in pairwise(similar.bounds)
    ]
    assert found[0].keys() == {"rumyantsev", "rumyanstev"} and found[1] == {"tehran": 1}
    assert found[0] == pytest.approx({word: like("rumjantsew", word) for word in found[0]})
    assert found[2:] == [{}, {}]
    assert len(grams_of_word("".join(map(chr, range(0x4E00, 0x5E00))))) == LETTERS + 1
    assert index.similar_to().words.tolist() == index.similar_to(words).words.tolist()


@pytest.mark.parametrize("kernels", [candidate_kernels, jit.compiled(candidate_kernels)])
def test_best_totals_are_kept(kernels: ModuleType) -> None:
    random = np.random.default_rng(1)
    totals = random.integers(0, 9, 40).astype(np.float32)
    sums = np.full(40, 10, np.float32)
    touched = np.concatenate([np.flatnonzero(totals), np.zeros(40)]).astype(np.int32)
    order = sorted(np.flatnonzero(totals), key=lambda owner: -totals[owner])
    for most in (1, 7, 100):
        given, now = touched.copy(), totals.copy()
        scratch = np.empty(40, np.int16), np.zeros(candidate_kernels.LEVELS, np.int64)
        count = kernels.keep_best((totals > 0).sum(), given, now, sums, 8.0, most, *scratch)
        assert sorted(given[:count]) == sorted(order[:most])
        assert not now.any() and not scratch[1].any()


def test_units_with_many_owners_are_passed_over() -> None:
    postings = Rows(np.array([0, 3, 7, 9]), np.array([0, 1, 2, 0, 1, 2, 3, 3, 4]))
    totals, touched = np.zeros(5, np.float32), np.zeros(5, np.int32)
    worths = np.array([1.0, 2.0, 4.0])
    count = candidate_kernels.add_up(np.arange(3), worths, postings, 5, totals, touched)
    assert touched[:count].tolist() == [0, 1, 2, 3, 4] and totals.tolist() == [1, 1, 1, 4, 4]


def test_a_budget_ends_at_frequent_features() -> None:
    names = ["Ana Paz", "Ana Sol", "Ana Mar", "Ana Paz Rey"] * 3
    plenty = CandidateIndex(names).candidates(["Ana Paz"], most=12)[0]
    little = CandidateIndex(names, budget=6).candidates(["Ana Paz"], most=12)[0]
    assert (plenty >= 0).sum() == 12 and {*little[little >= 0].tolist()} == {0, 3, 4, 7, 8, 11}


def test_the_rarest_word_of_a_name_is_visited_whatever_the_budget() -> None:
    names = [*["Ivan Petrov"] * 4, "Ivanow Ivanov", "Ivan Ivanof"]
    assert CandidateIndex(names, budget=2).candidates(names[:1], most=9)[0].max() == 3


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
    monkeypatch.setattr("glyphone.learners.matching.similar_words.ROWS", 3)
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
