"""The checks of the specification of letter-to-sound trees that need no data, end to end."""

from __future__ import annotations

import json
import random

import pytest

from benchmarks import slot_trees
from glyphone.data.records import Pair, Symbols
from glyphone.fst.alignment.training import ONE_TO_ONE, bag_counts, fit
from glyphone.fst.rules.cascade import cascade
from glyphone.fst.rules.interpreter import run
from glyphone.learners.trees.arrays import tree_from_record, tree_to_record
from glyphone.learners.trees.growing import GrowingOptions

TEXTE = Pair(tuple("texte"), tuple("tEkst"))
GRAMMAR = cascade(
    letters="a c e h i s t x",
    phones="a k e i s t ʃ z",
    rules="""
        c h -> ʃ
        c -> s / _ {e i}
        {c, x, h} -> {k, k s, ∅}
        s -> z / {a e i} _ {a e i}
        e -> ∅ / _ #
    """,
)


def words(n: int, *, seed: int) -> list[Symbols]:
    rng = random.Random(seed)
    return [tuple(rng.choices(GRAMMAR.letters, k=rng.randint(1, 8))) for _ in range(n)]


def said(word: Symbols) -> Pair:
    return Pair(word, run(GRAMMAR, word)[0].output)


@pytest.fixture(scope="module")
def learnt() -> object:
    pairs = [said(word) for word in words(1500, seed=1)]
    model = fit(pairs, ONE_TO_ONE)
    return slot_trees.SlotTree.of(slot_trees.Aligned.by(model, pairs), 2, slot_trees.C45)


def test_eight_instances() -> None:
    """Windows with what their slots write, from an alignment that is given."""
    counts = bag_counts([TEXTE])
    assert [counts[("t",), y] for y in ((), ("t",), ("k",))] == [10, 4, 2]
    assert sum(counts.values()) == 75
    written = ("", "t", "", "E", "", "k", "s", "t", "", "", "")
    names = dict(enumerate("$etx."))
    rows = slot_trees.windows([TEXTE.source], {"e": 1, "t": 2, "x": 3}, 1)
    found = [
        f"{' '.join(names[code] for code in row)} -> {symbol or 'nothing'}"
        for row, symbol in zip(rows.tolist(), written, strict=True)
    ]
    assert found[:8] == [
        "$ . t -> nothing",
        "$ t e -> t",
        "t . e -> nothing",
        "t e x -> E",
        "e . x -> nothing",
        "e x t -> k",
        "x . t -> s",
        "x t e -> t",
    ]


def test_a_tree_learns_what_rules_say(learnt: object) -> None:
    new = [said(word) for word in words(500, seed=2)]
    answers = slot_trees.answers(learnt.write([pair.source for pair in new]))  # type: ignore[attr-defined]
    right = sum(answer == pair.target for answer, pair in zip(answers, new, strict=True))
    assert right / len(new) > 0.97


def test_json_and_back_for_ten_thousand_words(learnt: object) -> None:
    tree = learnt.tree  # type: ignore[attr-defined]
    again = slot_trees.replace(
        learnt, tree=tree_from_record(json.loads(json.dumps(tree_to_record(tree))))
    )
    many = words(10_000, seed=3)
    assert again.write(many) == learnt.write(many)  # type: ignore[attr-defined]
    # Another tree says something else, so that equal answers mean something.
    stump = tree._replace(nodes=tree.nodes.copy())
    stump.nodes[0, 0] = -1
    assert slot_trees.replace(learnt, tree=stump).write(many) != again.write(many)


@pytest.mark.parametrize("size", [0, 1, 20])
@pytest.mark.parametrize("splits", ["subsets", "binary", "questions"])
def test_degenerate_inputs(size: int, splits: str) -> None:
    pairs = [Pair(("a",), ("x", "y", "z", "w"))]  # more than 2n + 1 phones
    training = slot_trees.Aligned.by(fit(pairs, ONE_TO_ONE), pairs)
    tree = slot_trees.SlotTree.of(
        training, size, GrowingOptions(splits=splits, min_leaf=1, confidence=None)
    )
    rows = tree.write([("a",), (), ("?",), ("a",) * 600])
    assert [len(row) for row in rows] == [3, 1, 3, 1201]
    if size > 0:
        assert slot_trees.answers(rows)[0] == ("x", "y", "z", "w")
    else:  # without a context, a slot does not know whether it is before or behind the letter
        assert rows[0][0] == rows[0][2]


def test_scores_by_hand() -> None:
    """Of two slots right and three written, where nothing is right where nothing is wanted."""

    class Fixed:
        def write(self, words: list[Symbols]) -> list[Symbols]:
            return [("", "x", "y"), ("z", "", "")]

    pairs = (Pair(("a",), ("x",)), Pair(("b",), ("z", "w")))
    test = slot_trees.Aligned(pairs, (("", "x", ""), ("z", "w", "")))
    answered = [Pair(("a",), ("x", "y")), Pair(("b",), ("z", "w"))]
    found = slot_trees.scores(Fixed(), test, answered, pairs)
    assert found == pytest.approx((100 * 4 / 6, 100 * 2 / 3, 100 * 2 / 3, 50.0))
