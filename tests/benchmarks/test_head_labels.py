"""Heads as labels: there and back on any tree, and labels that lead nowhere."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given

from benchmarks import head_labels
from benchmarks.head_labels import heads_of_labels, labels_of_heads
from glyphone.data.treebanks.dependencies import Sentence
from tests.data.treebanks.examples import sentence, trees


def test_examples() -> None:
    assert doctest.testmod(head_labels).failed == 0


@given(trees(most=9))
def test_there_and_back(given: Sentence) -> None:
    labels = labels_of_heads(given)
    assert heads_of_labels(labels, [word.upos for word in given.words]) == [
        word.head for word in given.words
    ]


def test_labels_count_words_of_the_same_tag() -> None:
    given = sentence("a N 3 x", "b N 3 x", "c V 0 root", "d N 5 x", "e N 2 x", "f N 3 x")
    assert labels_of_heads(given) == ("+1 V", "+1 V", "root", "+1 N", "-2 N", "-1 V")


@pytest.mark.parametrize(
    ("labels", "heads"),
    [
        (["+1 V", "root", "-1 V"], [2, 0, 2]),
        (["-1 V", "root", "+3 N"], [2, 0, 2]),
        (["root", "root", "-1 V"], [0, 1, 2]),
        (["+1 V", "-1 N", "-9 N"], [2, 1, 0]),
        (["+1 V", "-1 N", "-1 V"], [0, 1, 2]),
    ],
)
def test_labels_that_make_no_tree(labels: list[str], heads: list[int]) -> None:
    tags = ["N", "V", "N"]
    assert heads_of_labels(labels, tags) == heads
