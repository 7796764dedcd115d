"""Measures of names: known values, lists against lists, what is learnt, and odd names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from glyphone.data.errors import UnknownName
from glyphone.learners.matching.measure import NameMeasure
from glyphone.learners.matching.named import WITH_INNER, measure
from glyphone.learners.matching.strings import SCORERS, StringMeasure

NAMES = [
    "U.S. State Department",
    "US Department of State",
    "Mr. Rumyantsev",
    "Alexander Rumyanstev",
    "Mr. Ryabev",
    "Tehran Times (Tehran)",
    "Inter Press Service",
    "Fatah Al Islam",
    "Fateh el-Islam",
    "State Press",
    "Press Times",
    "Mr. Ivanov",
    "Mr. Brown",
    "",
    "?!",
    "東京",
    "x" * 300,
]
EMPTY, MARKS = 13, 14
KINDS = [
    *("overlap", "cosine", "tfidf"),
    *SCORERS,
    *(f"{outer}/{inner}" for outer in WITH_INNER for inner in ("jaro", "3g", "contexts")),
]


def test_known_values() -> None:
    assert StringMeasure().similarity("kitten", "sitting") == pytest.approx(4 / 7)
    assert StringMeasure("damerau").similarity("ab", "ba") == 0.5
    assert StringMeasure("jaro").similarity("MARTHA", "MARHTA") == pytest.approx(0.944, abs=1e-3)
    assert measure("cosine").similarity("Prime Minister Tony Blair", "Blair") == 0.5
    assert measure("overlap").similarity("Prime Minister Tony Blair", "Tony Blair Blair") == 1
    monge = measure("monge-elkan/levenshtein")
    assert monge.similarity("ab cd", "ab cx ee") == pytest.approx((1 + 0.5) / 2)


@pytest.mark.parametrize("kind", KINDS)
def test_one_surface(kind: str) -> None:
    made = clone(measure(kind)).fit(NAMES)
    table = made.cdist(NAMES)
    i, j = np.indices(table.shape)
    pairs = np.stack([i.ravel(), j.ravel()], 1)
    by_pair = made.of_pairs(NAMES, pairs).reshape(table.shape)
    assert table == pytest.approx(by_pair, abs=1e-6)
    assert made.cdist(NAMES, NAMES[:4], workers=2) == pytest.approx(table[:, :4])
    assert made.similarity(NAMES[0], NAMES[1]) == pytest.approx(table[0, 1], abs=1e-6)
    assert (table >= 0).all() and not table[EMPTY].any() and not table[:, EMPTY].any()
    cut = made.cdist(NAMES, score_cutoff=0.5)
    assert (cut == np.where(table >= 0.5, table, 0)).all()
    if not kind.startswith(("monge-elkan", "soft-tfidf-printed")):
        assert table == pytest.approx(table.T, abs=1e-6)
    if not kind.startswith("soft-tfidf-printed"):
        words = [k for k in range(len(NAMES)) if k not in (EMPTY, MARKS)]
        assert table[words, words] == pytest.approx(1)
        assert table.max() <= 1


@pytest.mark.parametrize("kind", ["cosine", "ml-extended/contexts", "jaro"])
def test_the_best_pairs_of_a_list(kind: str) -> None:
    made = measure(kind).fit(NAMES)
    table = made.cdist(NAMES)
    all_pairs = sorted((-float(table[i, j]), i, j) for j in range(len(NAMES)) for i in range(j))
    for n in (1, 7, 1000):
        found = made.pairs(NAMES, n)
        assert [(i, j) for _, i, j in found] == [(i, j) for _, i, j in all_pairs[:n]]
        assert [score for score, _, _ in found] == pytest.approx([-x for x, _, _ in all_pairs[:n]])
    assert all(score >= 0.4 for score, _, _ in made.pairs(NAMES, 50, score_cutoff=0.4))
    everything = np.stack(np.indices((len(NAMES), len(NAMES))), -1).reshape(-1, 2)
    assert made.pairs(NAMES, 7, candidates=everything) == made.pairs(NAMES, 7)
    few = np.array([[3, 2], [9, 0], [2, 3], [4, 4]])
    assert sorted(row[1:] for row in made.pairs(NAMES, 7, candidates=few)) == [(0, 9), (2, 3)]


def test_names_of_the_paper() -> None:
    """The true partner is nearer than another, by order, words and letters that are learnt."""
    made = measure("ml-extended/contexts").fit(NAMES)
    assert made.similarity(NAMES[2], NAMES[3]) > made.similarity(NAMES[2], NAMES[4])
    assert made.similarity(NAMES[0], NAMES[1]) > made.similarity(NAMES[0], NAMES[9])


def test_soft_tfidf_exceeds_one_only_as_printed() -> None:
    """Both words of a name may have one partner, whose weight is counted once."""
    names = ["tehran teheran", "teheran x", "ana", "ben"]
    printed = NameMeasure(inner=StringMeasure("jaro"), bag=True, threshold=0.2).fit(names)
    mended = clone(printed).set_params(alignment="one-to-one").fit(names)
    assert printed.similarity("tehran teheran", "teheran") > 1 >= mended.cdist(names).max()


@given(st.lists(st.text("ab é", max_size=12), min_size=1, max_size=6))
def test_measures_of_any_names(names: list[str]) -> None:
    for kind in ("tfidf", "soft-tfidf/3g", "ml-extended/contexts"):
        table = measure(kind).fit(names).cdist(names)
        assert ((table >= 0) & (table <= 1)).all()
        assert table == pytest.approx(table.T, abs=1e-6)


@pytest.mark.parametrize("names", [["Ana Paz"], ["Ana Paz"] * 3, ["Ana", "", "?"]])
def test_lists_that_teach_nothing(names: list[str]) -> None:
    made = measure("ml/contexts").fit(names)
    assert made.similarity("Ana Paz", "Ana Paz") == pytest.approx(1)
    assert made.similarity("Ana Paz", "Ben Qua") == 0
    assert made.similarity("", "") == made.similarity("?", "Ana") == 0


def test_empty_lists() -> None:
    made = measure("ml/3g").fit(NAMES)
    assert made.cdist([], NAMES).shape == (0, len(NAMES))
    assert made.cdist(NAMES, []).shape == (len(NAMES), 0)
    assert len(made.similarities([], [])) == 0 and made.pairs([], 5) == []


@pytest.mark.parametrize("name", ["", "levenstein", "ml/", "ml/cosine", "soft/3g", "jaro/3g", "ml"])
def test_unknown_measures_are_told(name: str) -> None:
    with pytest.raises(UnknownName):
        measure(name)


@pytest.mark.parametrize("part", ["units", "alignment", "score", "weights"])
def test_unknown_parts_are_told(part: str) -> None:
    with pytest.raises(UnknownName, match="'x'"):
        NameMeasure().set_params(**{part: "x"}).fit(NAMES).cdist(NAMES)


def test_weights_are_learnt_first() -> None:
    with pytest.raises(NotFittedError):
        measure("tfidf").similarity("a", "b")
