"""Agreement of sentences: tau by its definition, heads, arcs and constituents by hand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.records import Tree
from glyphone.data.treebanks.dependencies import Sentence
from glyphone.data.treebanks.reordering import reorder
from glyphone.treebank.agreement import (
    count_constituents,
    kendall_tau,
    measure_agreement,
    places_of,
)
from tests.glyphone.treebank.test_constructions import sentence

GIVEN = sentence(
    ("old", "ADJ", 2, "amod"), ("Ann", "PROPN", 3, "nsubj"), ("sees", "VERB", 0, "root"),
    ("rain", "NOUN", 3, "obj"), (".", "PUNCT", 3, "punct"),
)  # fmt: skip


@given(st.permutations(range(7)).flatmap(lambda p: st.integers(2, 7).map(lambda n: p[:n])))
def test_tau_by_its_definition(places: list[int]) -> None:
    pairs = list(combinations(places, 2))
    turned = sum(one > other for one, other in pairs)
    assert kendall_tau(places) == pytest.approx(1 - 2 * turned / len(pairs))


@given(st.lists(st.sampled_from("abc"), max_size=7), st.randoms(use_true_random=False))
def test_places_of_the_same_words(words: list[str], random: st.DataObject) -> None:
    others = sorted(words)
    places = places_of(words, others)
    assert places is not None
    assert sorted(places) == list(range(len(words)))
    assert [others[place] for place in places] == words
    assert places_of(words, [*others, "a"]) is None
    assert places_of(words, others[1:]) is None or not words


def test_the_same_sentence_in_another_order() -> None:
    found = measure_agreement([reorder(GIVEN, [2, 3, 1, 0, 4])], [GIVEN])
    assert (found.sentences, found.same_words) == (1, 1)
    # Of six pairs the order of old and Ann, of both and sees, of both and rain has changed.
    assert found.figures["tau"] == pytest.approx(1 - 2 * 5 / 6)
    assert found.figures["heads"] == found.figures["relations"] == found.figures["arcs"] == 1.0
    assert found.figures["arcs_with_sides"] == pytest.approx(1 / 3)


def test_other_heads_and_relations() -> None:
    other = sentence(
        ("old", "ADJ", 4, "amod"), ("Ann", "PROPN", 3, "nsubj"), ("sees", "VERB", 0, "root"),
        ("rain", "NOUN", 3, "obl"),
    )  # fmt: skip
    found = measure_agreement([other], [GIVEN])
    assert found.figures == {
        "tau": 1.0, "heads": 0.75, "relations": 0.5, "arcs": pytest.approx(1 / 3),
        "arcs_with_sides": pytest.approx(1 / 3),
    }  # fmt: skip


def test_other_words() -> None:
    other = sentence(("Eva", "PROPN", 2, "nsubj:x"), ("ve", "VERB", 0, "root"))
    found = measure_agreement([other], [GIVEN])
    assert (found.sentences, found.same_words) == (1, 0)
    assert found.figures == {
        "arcs": pytest.approx(2 * 1 / (1 + 3)), "arcs_with_sides": pytest.approx(2 * 1 / (1 + 3)),
    }  # fmt: skip


def named(name: str, given: Sentence) -> Sentence:
    return Sentence(given.words, (f"# sent_id = {name}",))


def test_sentences_are_found_by_their_names() -> None:
    one = sentence(("a", "X", 0, "root"), ("b", "X", 1, "x"))
    other = sentence(("b", "X", 2, "x"), ("a", "X", 0, "root"))
    target = [named("1", one), named("2", other)]
    samples = [named("2", other), named("2", one), named("3", one)]
    found = measure_agreement(samples, target)
    assert (found.sentences, found.same_words, found.figures["tau"]) == (2, 2, 0.0)
    # Without names in one of them, numbers count, if there are as many.
    assert measure_agreement([one, one], target).figures["tau"] == 0.0
    assert measure_agreement([one], target).sentences == 0
    assert measure_agreement([one], target).figures == {}


def test_sentences_of_punctuation_and_of_a_word() -> None:
    dots = sentence((".", "PUNCT", 0, "root"))
    found = measure_agreement([dots], [dots])
    assert (found.sentences, found.same_words, found.figures) == (1, 0, {})
    word = sentence(("yes", "INTJ", 0, "root"))
    assert measure_agreement([word], [word]).figures == {"heads": 1.0, "relations": 1.0}


def leaf(tag: str, word: str) -> Tree:
    return Tree(tag, (Tree(word),))


def test_constituents() -> None:
    noun = Tree("NP", (leaf("A", "old"), leaf("N", "man")))
    one = Tree("S", (noun, leaf("V", "runs")))
    turned = Tree("S", (leaf("V", "runs"), Tree("NP", (leaf("N", "man"), leaf("A", "old")))))
    flat = Tree("S", (leaf("A", "old"), leaf("N", "man"), leaf("V", "runs")))
    assert count_constituents(one) == Counter(
        {("S", frozenset({0, 1, 2})): 1, ("NP", frozenset({0, 1})): 1}
    )
    found = measure_agreement([one, flat], [turned, one])
    assert (found.sentences, found.same_words) == (2, 2)
    assert found.figures == {
        "tau": pytest.approx((-1.0 + 1.0) / 2),
        "constituents": pytest.approx(2 * (2 + 1) / (2 + 2 + 1 + 2)),
    }
    assert measure_agreement([one], [Tree("S", (leaf("N", "rain"),))]).figures == {}
