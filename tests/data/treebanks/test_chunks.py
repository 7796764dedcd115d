"""Phrases and labels: there and back, what is refused, and scores counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.treebanks.chunks import (
    Phrase,
    bio_of_iob1,
    check_labels,
    labels_of,
    phrases_of,
    score_phrases,
)

LABELS = ["O", "B", "I", "B-LOC", "I-LOC", "B-PER", "I-PER"]


@given(st.lists(st.sampled_from(LABELS), max_size=12))
def test_phrases_are_labels_again(labels: list[str]) -> None:
    phrases = phrases_of(labels)
    bio = labels_of(phrases, len(labels))
    check_labels(bio)
    assert phrases_of(bio) == phrases
    assert bio_of_iob1(labels) == bio
    assert [label == "O" for label in bio] == [label == "O" for label in labels]
    try:
        check_labels(labels)
    except ItemError:
        assert tuple(labels) != bio
    else:
        assert tuple(labels) == bio


@pytest.mark.parametrize(
    ("labels", "offset", "message"),
    [
        (["I-LOC"], 0, "'I-LOC' comes first"),
        (["O", "I"], 1, "'I' follows 'O'"),
        (["B-PER", "I-LOC"], 1, "'I-LOC' follows 'B-PER'"),
        (["B-PER", "I"], 1, "'I' follows 'B-PER'"),
        (["O", "B-"], 1, "no label of a phrase: 'B-'"),
        (["O", "O-LOC"], 1, "no label of a phrase: 'O-LOC'"),
        (["b-LOC"], 0, "no label of a phrase: 'b-LOC'"),
        (["O", "O", ""], 2, "no label of a phrase: ''"),
    ],
)
def test_what_is_refused(labels: list[str], offset: int, message: str) -> None:
    with pytest.raises(ItemError) as refused:
        check_labels(labels)
    assert (refused.value.offset, refused.value.message) == (offset, message)
    assert refused.value.remedy


@pytest.mark.parametrize("phrases", [[Phrase(1, 1)], [Phrase(2, 4)], [Phrase(-1, 1)]])
def test_phrases_out_of_their_sentence(phrases: list[Phrase]) -> None:
    with pytest.raises(GlyphoneError, match="not in a sentence of 3 tokens"):
        labels_of(phrases, 3)


def test_phrases_that_overlap() -> None:
    with pytest.raises(GlyphoneError, match="overlaps another"):
        labels_of([Phrase(0, 2), Phrase(1, 3)], 3)


def test_scores_are_those_counted_by_hand() -> None:
    gold = [["B-PER", "I-PER", "O", "B-LOC"], ["B-ORG", "O"], ["O"]]
    given = [["B-PER", "I-PER", "O", "B-ORG"], ["O", "I-ORG"], ["B-LOC"]]
    found = score_phrases(gold, given)
    assert list(found) == ["", "LOC", "ORG", "PER"]
    assert (found[""].right, found[""].gold, found[""].given) == (1, 3, 4)
    assert found[""].precision == 1 / 4 and found[""].recall == 1 / 3
    assert found[""].f == pytest.approx(2 / 7)
    assert (found["PER"].f, found["LOC"].f, found["ORG"].given) == (1.0, 0.0, 2)
    bare = score_phrases(gold, given, kinds=False)
    assert list(bare) == [""]
    assert (bare[""].right, bare[""].gold, bare[""].given) == (2, 3, 4)


def test_labels_without_kinds_are_counted_once() -> None:
    found = score_phrases([["B", "I", "O", "B"]], [["B", "I", "O", "O"]])
    assert {name: (s.right, s.gold, s.given) for name, s in found.items()} == {"": (1, 2, 1)}


def test_nothing_to_find_scores_nothing() -> None:
    assert score_phrases([["O"]], [["O"]])[""].f == 0.0
    assert score_phrases([], [])[""].precision == 0.0


def test_scores_of_unlike_lists() -> None:
    with pytest.raises(GlyphoneError, match="1 sentences given, 2 in the gold standard"):
        score_phrases([["O"], ["O"]], [["O"]])
    with pytest.raises(GlyphoneError, match="sentence 2 has 1 tokens, but 2 labels"):
        score_phrases([["O"], ["O"]], [["O"], ["O", "O"]])
