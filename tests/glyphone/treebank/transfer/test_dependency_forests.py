"""Forests of dependency trees: orders against a twin, patterns of classes, words with choices."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glyphone.data.treebanks.dependencies import Sentence, Word, crossing_words, root_of
from glyphone.data.treebanks.reordering import reorder
from glyphone.data.treebanks.spines import projective_order, ranked_dependents
from glyphone.treebank.transfer.dependencies import sides_of
from glyphone.treebank.transfer.dependency_forests import GIVEN as GIVEN_SIDES
from glyphone.treebank.transfer.dependency_forests import DependencyGrammar, Given, unmoved_mask
from glyphone.treebank.transfer.lexical import BilingualLexicon
from tests.glyphone.treebank.test_constructions import sentence

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


def orders(given: Sentence, position: int, *, moves: bool) -> Counter[tuple[int, ...]]:
    """Orders of the part of a tree below a word, by the words of the specification, one by one."""
    ranks = ranked_dependents(given)[position]
    below = {place: orders(given, place, moves=moves) for place in ranks}
    # Each row: who is beside the word, from the nearest, and whether it is on its right.
    rows = [
        [*zip(ranks, sides, strict=True)] for sides in product([False, True], repeat=len(ranks))
    ]
    for rank, one in enumerate(ranks if moves else []):
        others = ranks[:rank] + ranks[rank + 1 :]
        for first, *sides in product([False, True], repeat=len(ranks)) if rank else []:
            rows.append([(one, first), *zip(others, sides, strict=True)])
    found = Counter[tuple[int, ...]]()
    for row in rows:
        for parts in product(*(below[place].items() for place, _ in row)):
            order, times = (position,), 1
            for (part, count), (_, right) in zip(parts, row, strict=True):
                order, times = (order + part if right else part + order), times * count
            found[order] += times
    return found


@settings(max_examples=60)
@given(any_tree(), st.sampled_from(GIVEN_SIDES))
def test_forests_have_the_orders_of_a_twin(given: Sentence, side: Given) -> None:
    forest = DependencyGrammar(given=side).forest_of(given)
    expected = orders(given, root_of(given) - 1, moves=side == "source")
    found = Counter(
        tuple(forest.tokens[forest.leaves_of(tree)].tolist()) for tree in forest.derivations()
    )
    assert found == expected
    assert all(crossing_words(reorder(given, order)) == [] for order in found)
    sides = {tuple(sorted(sides_of(given, order).items())) for order in found}
    arcs = len(given.words) - 1
    assert len(sides) == 2**arcs
    if side == "target":
        assert forest.n_trees() == 2**arcs
        assert forest.n_nodes == 2 * arcs + 1


@settings(max_examples=40)
@given(any_tree(), st.sampled_from(GIVEN_SIDES))
def test_all_that_stays_gives_the_order_of_the_source(given: Sentence, side: Given) -> None:
    grammar = DependencyGrammar(given=side)
    forest, stays = grammar.forest_of(given), unmoved_mask(side)
    same = {
        pattern
        for name in grammar.classes
        for given_side, outcome in zip(*stays.nonzero(), strict=True)
        for pattern in [grammar.pattern_number(name, int(given_side), int(outcome))]
    }
    kept = [
        tree for tree in forest.derivations()
        if {p for p in forest.patterns[tree].tolist() if p >= 0} <= same
    ]  # fmt: skip
    (tree,) = kept
    assert forest.tokens[forest.leaves_of(tree)].tolist() == projective_order(given)


def test_classes_that_are_fixed() -> None:
    forest = DependencyGrammar(fixed=("det", "obj(VERB)")).forest_of(GIVEN)
    assert forest.n_trees() == 8
    found = {tuple(forest.tokens[forest.leaves_of(t)].tolist()) for t in forest.derivations()}
    assert found == {
        (0, 1, 2, 3, 4), (1, 0, 2, 3, 4), (2, 3, 4, 0, 1), (2, 3, 4, 1, 0),
        (2, 0, 1, 3, 4), (2, 1, 0, 3, 4),
    }  # fmt: skip


def test_classes_that_may_be_dropped() -> None:
    """All orders of all trees without some of these dependents, against the twin."""
    grammar = DependencyGrammar(dropped=("det", "obj(VERB)"), fixed=("amod",))
    forest = grammar.forest_of(GIVEN)
    found = {tuple(forest.tokens[forest.leaves_of(t)].tolist()) for t in forest.derivations()}
    expected = set[tuple[int, ...]]()
    for left in ([0, 1, 2, 3, 4], [0, 1, 2, 4], [0, 1, 2]):
        part = reorder(GIVEN, left)
        twin = orders(part, root_of(part) - 1, moves=True)
        expected |= {tuple(left[place] for place in order) for order in twin}
    expected = {order for order in expected if order.index(0) < order.index(1)}
    assert found == expected
    prior = grammar.multinomials(7.0).prior.reshape(len(grammar.classes), 2, -1)
    rows = {name: prior[number].tolist() for name, number in grammar.classes.items()}
    assert rows["det"] == [[7.0, 1.0, 1.0, 1.0, 1.0]] * 2
    assert rows["amod"] == [[7.0, 1.0, 1.0, 1.0, 0.0]] * 2


def test_words_and_tags_are_symbols() -> None:
    lexicon = BilingualLexicon({"rain": (("Regen", 3.0), ("Schauer", 1.0))})
    grammar = DependencyGrammar(lexicon=lexicon)
    forest = grammar.forest_of(GIVEN)
    # The verb has two dependents, of which the farther may be the nearest.
    assert forest.n_trees() == 2 * 2**2 * (2**2 + 2**2)
    assert set(grammar.symbols) == {"old", "ann", "sees", "the", "regen", "schauer"}
    assert sorted(filter(None, forest.words)) == ["Ann", "Regen", "Schauer", "old", "sees", "the"]
    assert sorted(w for w in forest.log_weights.tolist() if w) == pytest.approx(
        [-1.3863, -0.2877], abs=1e-4
    )
    tags = DependencyGrammar(reads="tags")
    tags.forest_of(GIVEN)
    assert set(tags.symbols) == {"ADJ", "PROPN", "VERB", "DET", "NOUN"}
