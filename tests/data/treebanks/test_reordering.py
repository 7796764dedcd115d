"""Sentences in another order: every column follows, spaces and text are told anew."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import ItemError
from glyphone.data.treebanks.conllu import format_lines
from glyphone.data.treebanks.dependencies import EmptyNode, MultiwordToken, Sentence, check_tree
from glyphone.data.treebanks.punctuation import (
    insert_punctuation,
    positions_of_words,
    without_punctuation,
)
from glyphone.data.treebanks.reordering import reorder
from glyphone.data.treebanks.spacing import spaces_of, text_of
from tests.data.treebanks.examples import sentence, trees

ANN = sentence("Ann PROPN 2 nsubj", "sees VERB 0 root", "the DET 4 det", "rain NOUN 2 obj")


def arcs(given: Sentence) -> dict[str, str]:
    """The form of the head of each form."""
    forms = ["", *(word.form for word in given.words)]
    return {word.form: forms[word.head or 0] for word in given.words}


def test_words_in_another_order() -> None:
    found = reorder(ANN, [3, 2, 1, 0])
    assert [word.form for word in found.words] == ["rain", "the", "sees", "Ann"]
    assert [word.head for word in found.words] == [3, 1, 0, 3]
    assert [word.deprel for word in found.words] == ["obj", "det", "root", "nsubj"]


def test_words_left_out_and_forms() -> None:
    given = sentence("a X 2 x", "b X 3 y", "c X 0 root", "d X 2 z")
    found = reorder(given, [3, 0, 2], forms=["D", "A", "C"])
    assert [word.form for word in found.words] == ["D", "A", "C"]
    assert [(word.head, word.deprel) for word in found.words] == [(3, "z"), (3, "x"), (0, "root")]
    found = reorder(sentence("a X 2 x", "b X 0 root", "c X 1 y"), [0, 2])
    assert [(word.head, word.deprel) for word in found.words] == [(0, "root"), (1, "y")]
    with pytest.raises(ItemError, match="the root is left out, and several words depend on it: A"):
        reorder(ANN, [0, 3])


@pytest.mark.parametrize("order", [[], [0, 0, 1, 2], [0, 4], [-1, 0]])
def test_no_order(order: list[int]) -> None:
    with pytest.raises(ItemError, match="is no order of 4 words"):
        reorder(ANN, order)
    with pytest.raises(ItemError, match="1 forms for 2 words"):
        reorder(ANN, [1, 0], forms=["a"])
    with pytest.raises(ItemError, match="its heads run in a circle"):
        reorder(sentence("a X 2 x", "b X 1 x"), [1, 0])


def test_multiword_tokens_empty_nodes_and_enhanced_dependencies() -> None:
    columns = ("ab", *["_"] * 8)
    words = sentence("a X 2 x", "b X 0 root", "c X 2 x", "d X 2 x").words
    deps = ("2:x|2.1:y", "0:root", "2:x", "2:x|3:z")
    empty = (
        EmptyNode(0, 1, ("e", *["_"] * 6, "2:x", "_")),
        EmptyNode(2, 1, ("f", *["_"] * 6, "3:x", "_")),
        EmptyNode(3, 1, ("g", *["_"] * 6, "4:x", "_")),
    )
    given = Sentence(
        tuple(replace(word, deps=dep) for word, dep in zip(words, deps, strict=True)),
        ("# sent_id = 1", "# text = abc d"),
        (MultiwordToken(1, 2, columns), MultiwordToken(3, 4, ("cd", *columns[1:]))),
        empty,
    )
    found = reorder(given, [3, 0, 1, 2])
    assert found.multiword == (MultiwordToken(2, 3, columns),)
    assert [word.deps for word in found.words] == ["3:x|4:z", "3:x|3.1:y", "0:root", "3:x"]
    assert [(n.after, n.number, n.columns[0], n.columns[7]) for n in found.empty] == [
        (0, 1, "e", "3:x"),
        (3, 1, "f", "4:x"),
        (4, 1, "g", "1:x"),
    ]
    assert found.comments == ("# sent_id = 1", "# text = d ab c")
    # Without c, its empty node stands behind b, and nothing depends on it.
    found = reorder(given, [1, 0, 3])
    assert found.multiword == ()
    assert [(n.after, n.number, n.columns[0], n.columns[7]) for n in found.empty] == [
        (0, 1, "e", "1:x"),
        (1, 1, "f", "_"),
        (1, 2, "g", "3:x"),
    ]
    assert [word.deps for word in found.words] == ["0:root", "1:x|1.1:y", "1:x"]
    assert reorder(given, [0, 1, 2, 3], forms=["A", *"bcd"]).multiword == given.multiword[1:]


def test_spaces() -> None:
    given = sentence(
        "no X 5 x", "( PUNCT 3 p", "Ann X 5 s", ") PUNCT 3 p", "ve VERB 0 root", "a ADP 7 c",
        "l X 5 o", ", PUNCT 5 p", "si X 5 s", ". PUNCT 5 p",
    )  # fmt: skip
    joined = {1, 2, 5, 6, 8}
    words = tuple(
        replace(word, misc="SpaceAfter=No" if place in joined else "_")
        for place, word in enumerate(given.words)
    )
    given = replace(given, words=words, comments=("# text = no (Ann) ve al, si.",))
    assert text_of(given) == "no (Ann) ve al, si."
    order = insert_punctuation(given, [4, 8, 5, 6, 2, 0])
    assert order == [4, 8, 5, 6, 7, 1, 2, 3, 0, 9]
    found = reorder(given, order)
    assert text_of(found) == found.comment("text") == "ve si al, (Ann) no."
    assert [word.misc for word in found.words][-2:] == ["SpaceAfter=No", "_"]
    assert spaces_of(given, [0]) == [True]


def test_punctuation_stays_with_words_begins_and_ends() -> None:
    given = sentence(
        "¡ PUNCT 4 p", "« PUNCT 3 p", "a X 4 s", "b X 0 root", "- PUNCT 4 p", "c X 4 o",
        "« PUNCT 8 p", "d X 4 o", "» PUNCT 8 p", "! PUNCT 4 p",
    )  # fmt: skip
    assert positions_of_words(given) == [2, 3, 5, 7]
    assert insert_punctuation(given, [7, 5, 3, 2]) == [0, 1, 6, 7, 5, 3, 4, 2, 8, 9]
    # Where b is left out, its mark goes with a.
    assert insert_punctuation(given, [7, 5, 2]) == [0, 1, 6, 7, 5, 2, 4, 8, 9]


def test_sentences_of_punctuation() -> None:
    with pytest.raises(ItemError, match="punctuation alone"):
        without_punctuation(sentence(". PUNCT 0 root"))
    with pytest.raises(ItemError, match="the root is left out"):
        without_punctuation(sentence("a X 2 x", ". PUNCT 0 root", "b X 2 x"))
    found = without_punctuation(sentence("a X 2 x", ". PUNCT 0 root", "b X 1 x"))
    assert [(word.head, word.deprel) for word in found.words] == [(0, "root"), (1, "x")]


@given(trees(), st.data())
def test_any_order(given: Sentence, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(given.words))))
    found = reorder(given, order)
    check_tree(found)
    format_lines(found)
    assert arcs(found) == arcs(given)
    assert {word.form: word.deprel for word in found.words} == {
        word.form: word.deprel for word in given.words
    }
    for word in found.words:
        if word.deps != "_":
            assert word.deps == f"{word.head}:x"
    assert len(found.empty) == len(given.empty)
    assert found.comment("text") in (text_of(found), "something")
    back = reorder(found, [order.index(place) for place in range(len(order))])
    assert arcs(back) == arcs(given)
    assert [word.form for word in back.words] == [word.form for word in given.words]
    assert [word.deps for word in back.words] == [word.deps for word in given.words]
    assert [replace(node, columns=node.columns[1:]) for node in back.empty] == [
        replace(node, columns=node.columns[1:]) for node in given.empty
    ]


@given(trees(), st.data())
def test_any_words_left_out(given: Sentence, data: st.DataObject) -> None:
    size = len(given.words)
    order = data.draw(st.lists(st.integers(0, size - 1), min_size=1, unique=True))
    kept = {given.words[place].form for place in order}
    heads = arcs(given)

    def above(form: str) -> str:
        return heads[form] if heads[form] in kept or not heads[form] else above(heads[form])

    expected = {form: above(form) for form in kept}
    if list(expected.values()).count("") > 1:
        with pytest.raises(ItemError, match="the root is left out"):
            reorder(given, order)
        return
    found = reorder(given, order)
    check_tree(found)
    format_lines(found)
    assert arcs(found) == expected


@given(trees(), st.data())
def test_punctuation_comes_back(given: Sentence, data: st.DataObject) -> None:
    kept = positions_of_words(given)
    assert insert_punctuation(given, kept) == list(range(len(given.words)))
    order = insert_punctuation(given, data.draw(st.permutations(kept)))
    assert sorted(order) == list(range(len(given.words)))
