"""A tree as rules for people: one line for each leaf, and the first line that holds decides.

    letter in {c}, next in {e i} -> s (2, 0)

says that of the rows with this letter and one of those next, 2 weighed, the decision was wrong for
0. Where a value was not seen the tree decides at an inner node, and a line for that node follows
those below it, unless the node above decides alike; the last line, that of the root, holds always.
`matched` applies what is printed, and no more.

>>> rule = Rule((Condition("next", ("e", None), negated=True),), "a b", 3.0, 1.0)
>>> print(rule)
next not in {e missing} -> "a b" (3, 1)
>>> parsed(str(rule)) == rule, matched([rule], {"next": "i"}), matched([rule], {"next": "e"})
(True, 'a b', None)
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from glyphone.learners.trees.arrays import BEFORE, LEAF, Tree
from glyphone.learners.trees.columns import Columns, missing

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
        return f"{written(self.column)} {verb} {{{' '.join(map(written, self.values))}}}"

    def holds(self, value: Any) -> bool:
        return ((None if missing(value) else value) in self.values) != self.negated


@dataclass(frozen=True)
class Rule:
    """Conditions that all hold, a class, the weight of such rows, and how many are not of it."""

    conditions: tuple[Condition, ...]
    decision: Any
    total: float
    errors: float

    def __str__(self) -> str:
        conditions = ", ".join(map(str, self.conditions)) or "otherwise"
        return f"{conditions} -> {written(self.decision)} ({self.total:.12g}, {self.errors:.12g})"


@dataclass(frozen=True)
class Step:
    """A node on the way of a row: what it decides, and the condition under which it goes on.

    `value` is what the row has there; `condition` is None where the row ends.
    """

    node: int
    decision: Any
    total: float
    errors: float
    value: Any = None
    condition: Condition | None = None


def written(symbol: Any) -> str:
    """A symbol as it stands in a rule, in quotes if it could be taken for something else.

    >>> written("é"), written("a b"), written("1"), written(1), written(None)
    ('é', '"a b"', '"1"', '1', 'missing')
    """
    if missing(symbol):
        return "missing"
    if isinstance(symbol, int | float):
        return repr(symbol)
    text = symbol if isinstance(symbol, str) else repr(symbol)
    plain = WORD.fullmatch(text) and not NUMBER.match(text) and text.isprintable()
    quoted = text.startswith('"') or text in RESERVED or not plain
    return json.dumps(text, ensure_ascii=False) if quoted else text


def read(text: str) -> Any:
    """The symbol that `written` wrote: a string, a number, or None."""
    if text.startswith('"'):
        return json.loads(text)
    if text in ("missing", "True", "False"):
        return {"missing": None, "True": True, "False": False}[text]
    if not NUMBER.match(text):
        return text
    return int(text) if text.lstrip("+-").isdigit() else float(text)


def parsed(line: str) -> Rule:
    """The rule of a line."""
    match = RULE.fullmatch(line.strip())
    if match is None:
        raise ValueError(f"no rule: {line!r}")
    left, decision, total, errors = match.groups()
    conditions = tuple(
        Condition(read(column), tuple(map(read, WORD.findall(values))), bool(negated))
        for column, negated, values in CONDITION.findall(left)
    )
    return Rule(conditions, read(decision), float(total), float(errors))


def matched(rules: Sequence[Rule], row: Mapping[str, Any]) -> Any:
    """What the first rule decides all of whose conditions hold, None if there is none."""
    for rule in rules:
        if all(condition.holds(row[condition.column]) for condition in rule.conditions):
            return rule.decision
    return None


def branch_codes(tree: Tree, node: int) -> Array:
    """Which codes of the column that a node's parent asks about lead to it."""
    parent = tree.parents[node]
    return tree.table(parent) == node - tree.nodes[parent, BEFORE]


def condition_of(codes: Array, symbols: Sequence[Any], name: str) -> Condition:
    """A set of codes as a condition: what unknown values may pass says what must not."""
    negated = bool(codes[-1])
    listed = codes[:-1] != negated
    return Condition(name, tuple(x for x, has in zip(symbols, listed, strict=True) if has), negated)


def rules(tree: Tree, columns: Columns, labels: Sequence[Any], names: Sequence[str]) -> list[Rule]:
    """The rules of a tree, in the order in which they are tried."""
    errors, found = tree.errors(), []
    decisions = tree.decisions.tolist()
    # A node, what its rows may have in each column, and what a line after its own decides.
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


def path(
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
