"""Forests and their trees: counts, yields, packing, and the example of Jansche (2005)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError
from glyphone.fst.forests.forest import INNER, Choice, Forest, ForestBuilder
from glyphone.fst.forests.packing import pack
from tests.fst.forests.twins import random_forest

seeds = st.integers(0, 2**32 - 1)


def source_clause() -> Forest:
    """[S v O] with S = a1 n1 and O = a2 n2; pattern numbers are those of theta, less one."""
    builder = ForestBuilder()
    a1, n1, v, a2, n2 = (
        builder.add_leaf("anv".index(word[0]), token=token, word=word)
        for token, word in enumerate(("a1", "n1", "v", "a2", "n2"))
    )
    subject = builder.add_node([Choice((a1, n1), 6), Choice((n1, a1), 7)], label="S")
    object_ = builder.add_node([Choice((a2, n2), 6), Choice((n2, a2), 7)], label="O")
    orders = [(subject, v, object_), (subject, object_, v), (v, subject, object_)]
    choices = [Choice(order, 2 * number) for number, order in enumerate(orders)]
    return builder.build(builder.add_node(choices, label="C"))


def test_the_example_has_twelve_trees() -> None:
    forest = source_clause()
    yields = {
        " ".join(forest.words[leaf] for leaf in forest.leaves_of(tree))
        for tree in forest.derivations()
    }
    assert forest.n_trees() == len(yields) == 12
    assert "v n1 a1 a2 n2" in yields
    tree = forest.tree_of([6, 1, 2])
    assert str(tree) == "(C v (S n1 a1) (O a2 n2))"


def test_packing_makes_the_nodes_of_the_paper() -> None:
    packed = pack([source_clause()])
    v, subject, object_ = 2, 5, 6
    assert np.stack([packed.lefts, packed.rights])[:, packed.sources < 0].T.tolist() == [
        [v, object_],
        [object_, v],
        [subject, object_],
    ]
    assert packed.draws.tolist() == [0, 5]  # C, VO or another, S, O, and the end


@given(seeds)
def test_trees_are_as_many_as_are_enumerated(seed: int) -> None:
    forest = random_forest(np.random.default_rng(seed))
    trees = [tuple(tree.tolist()) for tree in forest.derivations()]
    assert len(trees) == len(set(trees)) == forest.n_trees()
    assert max(map(len, trees)) == forest.longest


@given(seeds)
def test_packed_forests_have_the_same_yields(seed: int) -> None:
    random = np.random.default_rng(seed)
    forests = [random_forest(random) for _ in range(2)]
    packed = pack(forests)

    def yields(node: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Choices of the forest, in preorder, and symbols, for every tree below a node."""
        if packed.symbols[node] != INNER:
            return [((), (int(packed.symbols[node]),))]
        found = []
        for choice in range(packed.offsets[node], packed.offsets[node + 1]):
            own = (int(packed.sources[choice]),) if packed.sources[choice] >= 0 else ()
            children = [c for c in (packed.lefts[choice], packed.rights[choice]) if c >= 0]
            rows = [(own, ())]
            for child in children:
                below = yields(child)
                rows = [(a + c, b + d) for a, b in rows for c, d in below]
            found += rows
        return found

    for number, forest in enumerate(forests):
        expected = [
            (tuple(tree.tolist()), tuple(forest.symbols[forest.leaves_of(tree)].tolist()))
            for tree in forest.derivations()
        ]
        assert sorted(yields(packed.bounds[number + 1] - 1)) == sorted(expected)
        room = packed.draws[number + 1] - packed.draws[number]
        assert forest.longest < room


def test_nodes_without_labels_are_shared_and_spliced() -> None:
    builder = ForestBuilder()
    a, b, c = (builder.add_leaf(symbol, word=word) for symbol, word in enumerate("abc"))
    assert builder.add_node([Choice((a, b))]) == builder.add_node([Choice((a, b))])
    assert builder.add_node([Choice((a, b))], label="X") != builder.add_node(
        [Choice((a, b))], label="X"
    )
    top = builder.add_node([Choice((c, builder.add_node([Choice((a, b))]))), Choice(())], label="S")
    forest = builder.build(top)
    assert str(forest.tree_of([1, 0])) == "(S c a b)"


def test_what_is_not_below_the_root_is_left_out() -> None:
    builder = ForestBuilder()
    a, b = builder.add_leaf(0), builder.add_leaf(1)
    builder.add_node([Choice((a, b))])
    forest = builder.build(builder.add_node([Choice((b,))]))
    assert forest.symbols.tolist() == [1, INNER]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda builder: builder.add_leaf(-1), "the symbol of a leaf is -1"),
        (lambda builder: builder.add_node([]), "a node of a forest has no choices"),
        (
            lambda builder: builder.add_node([Choice((5,))]),
            "node 0 has children that are not below it",
        ),
    ],
)
def test_refusals(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(GlyphoneError, match=message):
        make(ForestBuilder())


def test_a_root_without_a_label_is_no_tree() -> None:
    builder = ForestBuilder()
    leaves = builder.add_leaf(0, word="a"), builder.add_leaf(1, word="b")
    forest = builder.build(builder.add_node([Choice(leaves)]))
    with pytest.raises(GlyphoneError, match="no label"):
        forest.tree_of([0])
