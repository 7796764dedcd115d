"""Links behind the score of a measure: they keep the order, and their worths sum to the score."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import UnknownName
from glyphone.learners.matching.links import align_units
from glyphone.learners.matching.measure import NameMeasure
from glyphone.learners.matching.named import measure, trigrams_in_context

WORDS = "abbott borodin castell dvorak eriksen farkas boris elena".split()
names = st.text("abn ", max_size=12)


@pytest.fixture(scope="module")
def measures() -> list[NameMeasure]:
    inner = NameMeasure("trigrams", bag=True)
    known = [
        NameMeasure("words", inner=inner, alignment=alignment, score=score, weights=weights)
        for alignment in ("ordered", "swapped", "extended")
        for score, weights in (("cosine", "idf"), ("overlap", "one"), ("mean", "one"))
    ]
    return [one.fit(["a b", "b nn", "an ab ba", "bbb a"]) for one in known]


@given(names, names)
def test_worths_sum_to_the_score(measures: list[NameMeasure], one: str, other: str) -> None:
    for known in measures:
        found = align_units(known, one, other)
        assert found.score == pytest.approx(known.similarity(one, other), abs=1e-6)
        assert [found.first, found.second] == [one.split(), other.split()]
        places = np.array([link.places for link in found.links]).reshape(-1, 2)
        assert all(len({*column}) == len(column) for column in places.T.tolist())
        if known.alignment == "ordered":
            assert (np.diff(places, axis=0) > 0).all()


def test_trigrams_in_context() -> None:
    known = trigrams_in_context().fit(WORDS)
    found = align_units(known, "borodin", "borodni")
    assert found.score == pytest.approx(known.similarity("borodin", "borodni"), abs=1e-6)
    linked = {(found.first[i], found.second[j]) for (i, j), _ in found.links}
    assert {("##b", "##b"), ("rod", "rod")} <= linked and ("odi", "bor") not in linked


def test_swaps() -> None:
    """A B C and C A are linked by an extended swap alone."""
    linked = {
        alignment: [link.places for link in align_units(known, "a b c", "c a").links]
        for alignment in ("ordered", "swapped", "extended")
        for known in [NameMeasure(alignment=alignment, weights="one")]
    }
    assert linked["extended"] == [(0, 1), (2, 0)]
    assert len(linked["ordered"]) == len(linked["swapped"]) == 1


def test_units_without_weight_and_other_alignments() -> None:
    one_name = NameMeasure(alignment="ordered").fit(["ana"])
    assert align_units(one_name, "ana", "ana").links == []
    cosine = measure("soft-tfidf/jaro")
    assert isinstance(cosine, NameMeasure)
    with pytest.raises(UnknownName, match="no alignment in order named 'one-to-one'"):
        align_units(cosine.fit(["ana"]), "ana", "ana")
