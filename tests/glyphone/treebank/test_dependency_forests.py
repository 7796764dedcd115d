"""Forests of dependency trees: every order once, patterns of classes, words with choices."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.dependency_trees import Sentence, Word, crossing
from glyphone.data.reordering import reordered
from glyphone.data.spines import projective_order
from glyphone.treebank.dependency_forests import Grammar
from glyphone.treebank.dependency_transfer import sides_of
from glyphone.treebank.lexical import Lexicon

from .test_constructions import sentence

GIVEN = sentence(
    ("old", "ADJ", 2, "amod"), ("Ann", "PROPN", 3, "nsubj"), ("sees", "VERB", 0, "root"),
    ("the", "DET", 5, "det"), ("rain", "NOUN", 3, "obj"),
)  # fmt: skip


@st.composite
def any_tree(draw: st.DrawFn) -> Sentence:
    size = draw(st.integers(1, 6))
    names = draw(st.permutations(range(1, size + 1)))
    heads = [0] * size
    for place in range(1, size):
        heads[names[place] - 1] = names[draw(st.integers(0, place - 1))]
    return Sentence(tuple(Word(f"w{n}", upos="X", head=h) for n, h in enumerate(heads)))


@settings(max_examples=40)
@given(any_tree())
def test_every_choice_of_sides_is_one_tree(given: Sentence) -> None:
    forest = Grammar().forest_of(given)
    arcs = len(given.words) - 1
    assert forest.n_trees() == 2**arcs
    assert forest.n_nodes == 2 * arcs + 1
    found = set()
    for tree in forest.derivations():
        order = forest.tokens[forest.leaves_of(tree)].tolist()
        assert crossing(reordered(given, order)) == []
        found.add(tuple(sorted(sides_of(given, order).items())))
    dependents = [place for place, word in enumerate(given.words) if word.head]
    every = product([False, True], repeat=arcs)
    assert found == {tuple(zip(dependents, sides, strict=True)) for sides in every}


@settings(max_examples=40)
@given(any_tree())
def test_all_sides_of_the_source_give_its_order(given: Sentence) -> None:
    grammar = Grammar()
    forest = grammar.forest_of(given)
    # The pattern of a choice is 4 * class + 2 * side in the target + side in the source.
    same = [
        tree for tree in forest.derivations()
        if all(p // 2 % 2 == p % 2 for p in forest.patterns[tree].tolist())
    ]  # fmt: skip
    (tree,) = same
    assert forest.tokens[forest.leaves_of(tree)].tolist() == projective_order(given)


def test_classes_that_are_fixed() -> None:
    forest = Grammar(fixed=("det", "obj(VERB)")).forest_of(GIVEN)
    assert forest.n_trees() == 4
    orders = {tuple(forest.tokens[forest.leaves_of(t)].tolist()) for t in forest.derivations()}
    assert orders == {(0, 1, 2, 3, 4), (1, 0, 2, 3, 4), (2, 3, 4, 0, 1), (2, 3, 4, 1, 0)}


def test_words_and_tags_are_symbols() -> None:
    lexicon = Lexicon({"rain": (("Regen", 3.0), ("Schauer", 1.0))})
    grammar = Grammar(lexicon=lexicon)
    forest = grammar.forest_of(GIVEN)
    assert forest.n_trees() == 2 * 2**4
    assert set(grammar.symbols) == {"old", "ann", "sees", "the", "regen", "schauer"}
    assert sorted(forest.words) == [
        "",
        "",
        "",
        "",
        "",
        "Ann",
        "Regen",
        "Schauer",
        "old",
        "sees",
        "the",
    ]
    assert sorted(w for w in forest.log_weights.tolist() if w) == pytest.approx(
        [-1.3863, -0.2877], abs=1e-4
    )
    tags = Grammar(reads="tags")
    tags.forest_of(GIVEN)
    assert set(tags.symbols) == {"ADJ", "PROPN", "VERB", "DET", "NOUN"}
