"""Constituents of dependency trees: ranks, orders, there and back, and classes."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given

from glyphone.data.errors import ItemError
from glyphone.data.records import Tree
from glyphone.data.treebanks.brackets import words_of
from glyphone.data.treebanks.classes import class_of
from glyphone.data.treebanks.dependencies import Sentence, Word, crossing_words, dependents_of
from glyphone.data.treebanks.reordering import reorder
from glyphone.data.treebanks.spines import (
    constituents_of,
    projective_order,
    ranked_dependents,
    sentence_from_constituents,
)
from tests.data.treebanks.examples import sentence, trees

GIVEN = sentence(
    "a X 3 l2", "b X 3 l1", "c V 0 root", "d X 3 r1", "e X 6 l1", "f N 3 r2", "g X 6 r1"
)  # fmt: skip


def test_ranks() -> None:
    assert ranked_dependents(GIVEN) == [[], [], [3, 5, 1, 0], [], [], [6, 4], []]
    assert str(constituents_of(GIVEN)) == (
        "(root (l2>V (X a) (l1>V (X b) (V<r2 (V<r1 (V c) (X d)) (l1>N (X e) (N<r1 (N f) (X g)))))))"
    )


def descendants(given: Sentence, number: int) -> set[int]:
    below = dependents_of(given)[number]
    return {number}.union(*(descendants(given, word) for word in below))


@given(trees(most=9))
def test_the_projective_order(given: Sentence) -> None:
    order = projective_order(given)
    assert sorted(order) == list(range(len(given.words)))
    if not crossing_words(given):
        assert order == list(range(len(given.words)))
    found = reorder(given, order)
    assert crossing_words(found) == []
    # Nothing changes sides, nor its rank.
    for number, (before, after) in enumerate(
        zip(ranked_dependents(given), inverse(found, order), strict=True)
    ):
        assert before == after, number


def inverse(found: Sentence, order: list[int]) -> list[list[int]]:
    """The ranks in a sentence that was reordered, by the positions before."""
    ranks = ranked_dependents(found)
    return [[order[d] for d in ranks[order.index(place)]] for place in range(len(order))]


@given(trees(most=9))
def test_every_constituent_is_in_one_piece(given: Sentence) -> None:
    tree = constituents_of(given)
    found = [given.words[place].form for place in projective_order(given)]
    assert words_of(tree) == tuple(found)
    agenda, spans = [tree], []
    while agenda:
        node = agenda.pop()
        if len(node.children) == 2:
            spans.append(set(words_of(node)))
        agenda.extend(node.children)
    assert len(spans) == len(found) - 1
    every = [
        {given.words[n - 1].form for n in descendants(given, k + 1)} for k in range(len(found))
    ]
    assert all(len(below) == 1 or below in spans for below in every)


@given(trees(most=9))
def test_constituents_and_back(given: Sentence) -> None:
    bare = Sentence(
        tuple(
            Word(word.form, upos=word.upos, head=word.head, deprel=word.deprel)
            for word in given.words
        )
    )
    assert sentence_from_constituents(constituents_of(given)) == reorder(
        bare, projective_order(given)
    )


def test_all_orders_of_the_spine() -> None:
    """Every dependent on either side: two to the power of arcs orders, all projective."""
    orders = {tuple(order_of(GIVEN, sides)) for sides in product([0, 1], repeat=7)}
    assert len(orders) == 2**6
    for order in orders:
        found = reorder(GIVEN, order)
        assert crossing_words(found) == []


def order_of(given: Sentence, sides: tuple[int, ...]) -> list[int]:
    """The order in which each dependent is left (0) or right of its spine."""
    ranks = ranked_dependents(given)

    def spine(position: int) -> list[int]:
        found = [position]
        for dependent in ranks[position]:
            below = spine(dependent)
            found = found + below if sides[dependent] else below + found
        return found

    return spine(next(place for place, word in enumerate(given.words) if word.head == 0))


def test_a_sentence_of_one_word() -> None:
    given = sentence("yes INTJ 0 root")
    assert str(constituents_of(given)) == "(root (INTJ yes))"
    assert sentence_from_constituents(constituents_of(given)) == given


def test_long_sentences() -> None:
    rows = [f"w X {number} x" for number in range(5000)]
    given = sentence(*rows)
    assert projective_order(given) == list(range(5000))
    assert [word.head for word in sentence_from_constituents(constituents_of(given)).words] == list(
        range(5000)
    )


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (Tree("root", (Tree("S", (Tree("a"), Tree("b"))),)), "the constituent 'S' is not"),
        (Tree("root", (Tree("a"),)), "the constituent 'a' is not"),
        (Tree("root", (Tree("x>V", (Tree("N", (Tree("a"),)),) * 3),)), "the constituent 'x>V'"),
        (Tree("root", (Tree("N", (Tree("a"),)),) * 2), "the root 'root' has 2 heads"),
    ],
)
def test_other_trees(tree: Tree, message: str) -> None:
    with pytest.raises(ItemError, match=message) as refused:
        sentence_from_constituents(tree)
    assert refused.value.remedy


def test_arrows_in_labels() -> None:
    with pytest.raises(ItemError, match="'<N' has an arrow"):
        constituents_of(sentence("a <N 0 root"))
    with pytest.raises(ItemError, match="'x>' has an arrow"):
        constituents_of(sentence("a N 0 root", "b N 1 x>"))


def test_classes() -> None:
    given = sentence("a N 2 nmod:poss", "b N 3 obl", "c VERB 0 root", "d N 3 amod:x", "e N 3 obj")
    assert [class_of(given, place) for place in range(5)] == [
        "nmod(N)", "obl(VERB)", "root", "amod", "obj(VERB)",
    ]  # fmt: skip
