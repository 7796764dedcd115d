"""Transfer of constituents: forests of the rules, and checks of transfer files."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from glyphone.data.errors import FormatError, GlyphoneError, ItemError
from glyphone.data.records import Tree
from glyphone.treebank.transfer.constituent_forests import ConstituentGrammar, LabelRule, OrderRule
from glyphone.treebank.transfer.constituent_settings import grammar_of

CLAUSES = Path(__file__).parents[4] / "data" / "samples" / "clause-orders.toml"


def leaf(tag: str, word: str) -> Tree:
    return Tree(tag, (Tree(word),))


CLAUSE = Tree(
    "C",
    (
        Tree("S", (leaf("a", "a1"), leaf("n", "n1"))),
        leaf("v", "v1"),
        Tree("O", (leaf("a", "a2"), leaf("n", "n2"))),
    ),
)


def clause_grammar() -> ConstituentGrammar:
    content = tomllib.loads(CLAUSES.read_text(encoding="utf-8"))
    del content["kind"]
    return grammar_of(content | {"keep": ["v", "a", "n"]})


def trees(grammar: ConstituentGrammar, tree: Tree) -> dict[str, list[tuple[str, str]]]:
    """The target trees, with the row and the outcome of each of their choices."""
    names = [(row.name, outcome) for row in grammar.rows for outcome in row.outcomes]
    forest = grammar.forest_of(tree)
    return {
        str(forest.tree_of(choices)): [
            names[pattern] for pattern in forest.patterns[choices] if pattern >= 0
        ]
        for choices in forest.derivations()
    }


def test_the_file_of_the_paper() -> None:
    grammar = clause_grammar()
    found = trees(grammar, CLAUSE)
    assert len(found) == 12
    assert sum(len(row.outcomes) for row in grammar.rows) == 3 * 3 + 2 * 2
    assert found["(C (v v1) (S (a a1) (n n1)) (O (n n2) (a a2)))"] == [
        ("C: v S O", "S v O"),
        ("S, O: a n", "a n"),
        ("S, O: n a", "a n"),
    ]


def test_constituents_with_other_children_stay() -> None:
    tree = Tree("C", (leaf("v", "v1"), Tree("O", (leaf("n", "n1"),))))
    assert trees(clause_grammar(), tree) == {str(tree): []}


def test_children_may_be_left_out_in_the_target() -> None:
    rule = OrderRule(("S",), (("d", "n"), ("n",)), same=9.0)
    grammar = ConstituentGrammar((rule,))
    assert grammar.rows[1].outcomes == ("d n", "n")
    assert grammar.rows[1].prior == (1.0, 9.0)
    assert grammar.rows[0].outcomes == ("d n",)
    assert trees(grammar, Tree("S", (leaf("d", "the"), leaf("n", "sea")))) == {
        "(S (d the) (n sea))": [("S: d n", "d n")],
        "(S (n sea))": [("S: n", "d n")],
    }
    assert trees(grammar, Tree("S", (leaf("n", "sea"),))) == {"(S (n sea))": [("S: n", "n")]}


def test_labels_may_change() -> None:
    grammar = ConstituentGrammar((), (LabelRule("DET", ("DET", "PRON")),), frozenset("*"))
    found = trees(grammar, Tree("S", (leaf("DET", "that"), leaf("PRON", "it"))))
    assert found == {
        "(S (DET that) (PRON it))": [("label DET", "DET"), ("label PRON", "PRON")],
        "(S (PRON that) (PRON it))": [("label PRON", "DET"), ("label PRON", "PRON")],
    }
    assert set(grammar.symbols) == {"DET", "PRON"}


def test_words_may_become_others() -> None:
    def targets(form: str, tag: str) -> list[tuple[str, float]]:
        return [("casa", 0.75), ("Hogar", 0.25)] if form == "house" else [(form, 1.0)]

    grammar = ConstituentGrammar((), (), frozenset("*"), "words", targets)
    forest = grammar.forest_of(Tree("S", (leaf("N", "house"), leaf("N", "Ann"))))
    assert [str(forest.tree_of(choices)) for choices in forest.derivations()] == [
        "(S (N casa) (N Ann))",
        "(S (N Hogar) (N Ann))",
    ]
    assert list(grammar.symbols) == ["casa", "hogar", "ann"]
    assert forest.tokens[forest.tokens >= 0].tolist() == [0, 0, 1]


def test_impossible_files_are_refused() -> None:
    with pytest.raises(ItemError, match="does not know the label 'X'"):
        clause_grammar().forest_of(Tree("X", CLAUSE.children))
    with pytest.raises(ItemError, match="a tree without words"):
        clause_grammar().forest_of(Tree("C"))
    outer = Tree("", (CLAUSE,))
    assert clause_grammar().forest_of(outer).n_trees() == 12


RULE = {"labels": ["S"], "orders": ["a n", "n a"]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({}, "has no rules"),
        ({"read": "tags"}, "no key of a transfer file for constituents named 'read'"),
        ({"reads": "lemmas"}, "reads is 'lemmas'"),
        ({"orders": {}}, "orders is no table"),
        ({"orders": [RULE | {"order": []}]}, r"no key of \[\[orders\]\] named 'order'"),
        ({"orders": [{"labels": ["S"]}]}, "orders is None"),
        ({"orders": [RULE | {"orders": ["a n", "a n"]}]}, "orders of"),
        ({"orders": [RULE | {"same": 0}]}, "same is 0"),
        ({"orders": [RULE], "other": True}, "other is True"),
        ({"orders": [RULE, RULE]}, "two rules for the label 'S'"),
        ({"orders": [RULE], "keep": "NP"}, "keep is 'NP'"),
        ({"labels": [{"label": "A", "becomes": ["B"]}]}, "the label 'A' cannot stay"),
        ({"labels": [{"label": "A", "become": ["A"]}]}, r"no key of \[\[labels\]\]"),
    ],
)
def test_files_that_are_refused(content: dict[str, Any], message: str) -> None:
    with pytest.raises(GlyphoneError, match=message):
        grammar_of(content, path="x.toml")


def test_errors_name_the_file() -> None:
    with pytest.raises(FormatError, match=r"x\.toml"):
        grammar_of({}, path="x.toml")
