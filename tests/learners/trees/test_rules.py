"""Rules: what is printed decides as the tree does, symbols are read as they were written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glyphone.data.errors import GlyphoneError
from glyphone.learners.trees.estimator import SymbolicTree
from glyphone.learners.trees.growing import SPLITS
from glyphone.learners.trees.rules import (
    Condition,
    Rule,
    match_rules,
    parse_rule,
    read_symbol,
    write_symbol,
)

SYMBOLS = ["a", "b", "'", "1", "in", "{", 'qu"', "a b", "missing", "->", "é", "", 3, -2, None]
NAMES = ["-1", "letter", "the next"]
symbols = st.one_of(
    st.text(), st.none(), st.integers(), st.floats(allow_nan=False), st.booleans(),
    st.sampled_from(SYMBOLS),
)  # fmt: skip


def table(seed: int, n: int = 150) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    codes = random.integers(0, len(SYMBOLS), (n, 3))
    X = np.array(SYMBOLS, object)[codes]
    return X, np.array(["x y", "z", "->"], object)[(codes[:, 0] // 3 + (codes[:, 2] > 7)) % 3]


@given(symbols)
def test_symbols_are_read_as_they_were_written(symbol: Any) -> None:
    again = read_symbol(write_symbol(symbol))
    assert again == symbol
    assert type(again) is type(symbol)


@given(st.lists(symbols, max_size=4), symbols, st.booleans(), st.text())
def test_rules_are_read_as_they_were_written(
    values: list[Any], decision: Any, negated: bool, name: str
) -> None:
    condition = Condition(name, tuple(values), negated)
    for rule in (Rule((condition, condition), decision, 3.5, 1.0), Rule((), decision, 3.0, 0.0)):
        assert parse_rule(str(rule)) == rule


@pytest.mark.parametrize("splits", SPLITS)
@pytest.mark.parametrize("unseen", ["stop", "largest"])
@pytest.mark.parametrize("smoothing", [0.0, 2.0])
def test_what_is_printed_decides_as_the_tree(splits: str, unseen: str, smoothing: float) -> None:
    X, y = table(0)
    questions = {"letters": ["a", "b", "é"], "next": {2: [3, -2, "1"]}}
    tree = SymbolicTree(
        splits=splits, unseen=unseen, smoothing=smoothing, questions=questions, criterion="gain"
    ).fit(X, y)
    lines = tree.export_rules(NAMES).splitlines()
    rules = [parse_rule(line) for line in lines]
    assert [str(rule) for rule in rules] == lines
    assert len(lines) >= tree.tree_.leaves.sum()
    new, _ = table(1, 400)
    new[::7, 0] = "never seen"
    new[::5, 2] = "nor this"
    found = [match_rules(rules, dict(zip(NAMES, row, strict=True))) for row in new.tolist()]
    assert found == tree.predict(new).tolist()
    stops = tree.stops_early(new)
    assert stops.any() == (unseen == "stop" and splits != "questions")


def test_the_weights_of_leaves_are_those_of_all_rows() -> None:
    X, y = table(2)
    tree = SymbolicTree(criterion="gain", splits="questions").fit(X, y)
    rules = [parse_rule(line) for line in tree.export_rules().splitlines()]
    assert sum(rule.total for rule in rules) == len(y)
    assert sum(rule.errors for rule in rules) == (tree.predict(X) != y).sum()
    assert rules[0].conditions[0].column in ("x0", "x1", "x2")


def test_a_path_leads_to_where_the_row_ends() -> None:
    X, y = table(3)
    X[:40, 0] = "a"
    tree = SymbolicTree(criterion="gain", confidence=None).fit(X, y)
    for row in [*X[:50].tolist(), ["never seen", "a", "b"]]:
        steps = tree.decision_path(row, NAMES)
        encoded = np.array([row], object)
        assert steps[-1].node == tree.apply(encoded)[0]
        assert steps[-1].condition is None
        assert steps[-1].decision == tree.predict(encoded)[0]
        for step in steps[:-1]:
            assert step.condition is not None
            assert step.condition.holds(step.value)
            assert step.value == row[NAMES.index(step.condition.column)]
        assert [step.total for step in steps] == sorted((s.total for s in steps), reverse=True)
        assert steps[0].node == 0


def test_names_are_as_many_as_columns() -> None:
    tree = SymbolicTree().fit(*table(4))
    with pytest.raises(GlyphoneError, match="2 names for 3 columns"):
        tree.export_rules(["a", "b"])


def test_what_is_no_rule_is_not_read() -> None:
    with pytest.raises(ValueError, match="no rule"):
        parse_rule("a -> b")
