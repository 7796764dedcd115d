"""A tree as rules for people: one line for each leaf, and the first line that holds decides.

    letter in {c}, next in {e i} -> s (2, 0)

means: of the rows with this letter and one of these letters next, of weight 2 in all, the decision
was wrong for 0. Where a value was not seen the tree decides at an inner node, and a line for that
node follows those below it, unless the node above decides alike; the last line, that of the root,
holds always. `match_rules` applies the printed lines alone.

>>> rule = Rule((Condition("next", ("e", None), negated=True),), "a b", 3.0, 1.0)
>>> print(rule)
next not in {e missing} -> "a b" (3, 1)
>>> parse_rule(str(rule)) == rule
True
>>> match_rules([rule], {"next": "i"}), match_rules([rule], {"next": "e"})
('a b', None)
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from glyphone.learners.trees.arrays import BEFORE, LEAF, Tree
from glyphone.learners.trees.columns import Columns, is_missing

Array = Any
STRING = r'"(?:[^"\\]|\\.)*"'
WORD = re.compile(rf'{STRING}|[^\s"{{}},]+')
CONDITION = re.compile(rf"({STRING}|[^\s\"{{}},]+) (not )?in \{{((?:{STRING}|[^\"{{}}])*)\}}")
RULE = re.compile(rf"(.*) -> ({STRING}|\S+) \(([^,]*), ([^,]*)\)")
NUMBER = re.compile(r"[-+.]?\d|[-+]?(inf|nan)", re.IGNORECASE)
RESERVED = ("missing", "True", "False", "otherwise", "->")


@dataclass(frozen=True)
class Condition:
    """The value of a column is one of a set or, `negated`, none of it."""

    column: str
    values: tuple[Any, ...]
    negated: bool = False

    def __str__(self) -> str:
        verb = "not in" if self.negated else "in"
        return f"{write_symbol(self.column)} {verb} {{{' '.join(map(write_symbol, self.values))}}}"

    def holds(self, value: Any) -> bool:
        return ((None if is_missing(value) else value) in self.values) != self.negated


@dataclass(frozen=True)
class Rule:
    """Conditions that all hold, a class, the weight of such rows, and of those of other classes."""

    conditions: tuple[Condition, ...]
    decision: Any
    total: float
    errors: float

    def __str__(self) -> str:
        conditions = ", ".join(map(str, self.conditions)) or "otherwise"
        return (
            f"{conditions} -> {write_symbol(self.decision)} ({self.total:.12g}, {self.errors:.12g})"
        )


@dataclass(frozen=True)
class Step:
    """A node on the way of a row: its decision, and the condition under which the row goes on.

    `value` is that of the row in the column of the condition; both are None where the row ends.
    """

    node: int
    decision: Any
    total: float
    errors: float
    value: Any = None
    condition: Condition | None = None


def write_symbol(symbol: Any) -> str:
    """A symbol as it stands in a rule, in quotes if it could be taken for something else.

    >>> [write_symbol(symbol) for symbol in ("é", "a b", "1", 1, None)]
    ['é', '"a b"', '"1"', '1', 'missing']
    """
    if is_missing(symbol):
        return "missing"
    if isinstance(symbol, int | float):
        return repr(symbol)
    text = symbol if isinstance(symbol, str) else repr(symbol)
    plain = WORD.fullmatch(text) and not NUMBER.match(text) and text.isprintable()
    quoted = text.startswith('"') or text in RESERVED or not plain
    return json.dumps(text, ensure_ascii=False) if quoted else text


def read_symbol(text: str) -> Any:
    """The symbol that `write_symbol` wrote: a string, a number, or None."""
    if text.startswith('"'):
        return json.loads(text)
    if text in ("missing", "True", "False"):
        return {"missing": None, "True": True, "False": False}[text]
    if not NUMBER.match(text):
        return text
    return int(text) if text.lstrip("+-").isdigit() else float(text)


def parse_rule(line: str) -> Rule:
    """The rule of a line."""
    match = RULE.fullmatch(line.strip())
    if match is None:
        raise ValueError(f"no rule: {line!r}")
    left, decision, total, errors = match.groups()
    conditions = tuple(
        Condition(read_symbol(column), tuple(map(read_symbol, WORD.findall(values))), bool(negated))
        for column, negated, values in CONDITION.findall(left)
    )
    return Rule(conditions, read_symbol(decision), float(total), float(errors))


def match_rules(rules: Sequence[Rule], row: Mapping[str, Any]) -> Any:
    """The decision of the first rule whose conditions all hold, None if there is none."""
    for rule in rules:
        if all(condition.holds(row[condition.column]) for condition in rule.conditions):
            return rule.decision
    return None


def branch_codes(tree: Tree, node: int) -> Array:
    """Whether each code of the column of a node's parent leads to the node."""
    parent = tree.parents[node]
    return tree.table(parent) == node - tree.nodes[parent, BEFORE]


def condition_of(codes: Array, symbols: Sequence[Any], name: str) -> Condition:
    """A set of codes as a condition; negated where the set has the code of unknown values."""
    negated = bool(codes[-1])
    listed = codes[:-1] != negated
    return Condition(name, tuple(x for x, has in zip(symbols, listed, strict=True) if has), negated)


def rules_of(
    tree: Tree, columns: Columns, labels: Sequence[Any], names: Sequence[str]
) -> list[Rule]:
    """The rules of a tree, in the order in which they are tried."""
    errors, found = tree.errors(), []
    decisions = tree.decisions.tolist()
    # A node, the codes of its rows in each column, the decision of the line after its own, and
    # whether the nodes below are done.
    stack: list[tuple[int, dict[int, Array], int, bool]] = [(0, {}, LEAF, False)]
    while stack:
        node, allowed, otherwise, done = stack.pop()
        attribute = int(tree.nodes[node, 0])
        if not done and attribute != LEAF:
            if (tree.table(node) == 0).any():
                stack.append((node, allowed, otherwise, True))
            below = decisions[node] if stack and stack[-1][0] == node else otherwise
            for child in reversed(tree.children(node)):
                codes = branch_codes(tree, child)
                both = {**allowed, attribute: allowed.get(attribute, True) & codes}
                stack.append((child, both, below, False))
        elif not done or decisions[node] != otherwise:
            conditions = tuple(
                condition_of(codes, columns.symbols[a], names[a])
                for a, codes in sorted(allowed.items())
            )
            decision = labels[decisions[node]]
            found.append(Rule(conditions, decision, float(tree.totals[node]), float(errors[node])))
    return found


def decision_path(
    tree: Tree,
    columns: Columns,
    labels: Sequence[Any],
    row: Sequence[Any],
    codes: Array,
    names: Sequence[str],
) -> list[Step]:
    """The nodes that a row comes by, from the root, given its symbols and their codes."""
    errors, node = tree.errors(), 0
    steps: list[Step] = []
    while True:
        attribute, _, before = tree.nodes[node].tolist()
        known = (node, labels[tree.decisions[node]], float(tree.totals[node]), float(errors[node]))
        branch = 0 if attribute == LEAF else int(tree.table(node)[codes[attribute]])
        if branch == 0:
            return [*steps, Step(*known)]
        node = before + branch
        condition = condition_of(
            branch_codes(tree, node), columns.symbols[attribute], names[attribute]
        )
        steps.append(Step(*known, row[attribute], condition))
