"""Plain twins of the trees' kernels: slow, literal, of dictionaries and lists."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Row = tuple[int, ...]
Group = list[int]
MARGIN = 1e-12


@dataclass
class Twin:
    """A node: its majority class, and children by value of an attribute."""

    decision: int
    attribute: int = -1
    groups: list[Group] = field(default_factory=list)
    children: list[Twin] = field(default_factory=list)

    def decide(self, row: Row) -> int:
        for group, child in zip(self.groups, self.children, strict=True):
            if row[self.attribute] in group:
                return child.decide(row)
        return self.decision

    def size(self) -> int:
        return 1 + sum(child.size() for child in self.children)


def entropy(counts: Sequence[float]) -> float:
    n = sum(counts)
    return -sum(c / n * math.log2(c / n) for c in counts if c)


def impurity(classes: Sequence[int], *, gini: bool = False) -> float:
    counts = list(Counter(classes).values())
    if gini:
        return 1 - sum((c / len(classes)) ** 2 for c in counts)
    return entropy(counts)


class Question:
    """Rows by value of one attribute, and what groups of values are worth."""

    def __init__(self, values: Sequence[int], classes: Sequence[int]) -> None:
        self.rows = {
            v: [c for x, c in zip(values, classes, strict=True) if x == v] for v in set(values)
        }
        self.base, self.n = impurity(classes), len(classes)

    def within(self, group: Group) -> list[int]:
        return [c for v in group for c in self.rows[v]]

    def gain(self, groups: list[Group]) -> float:
        parts = [self.within(group) for group in groups]
        return self.base - sum(len(part) / self.n * impurity(part) for part in parts)

    def ratio(self, groups: list[Group]) -> float:
        return self.gain(groups) / entropy([len(self.within(group)) for group in groups])

    def large(self, groups: list[Group], min_leaf: float) -> bool:
        return sum(len(self.within(group)) >= min_leaf for group in groups) >= 2

    def subsets(self, min_leaf: float) -> list[Group]:
        groups = [[v] for v in sorted(self.rows)]
        while len(groups) > 2:
            best, chosen = -math.inf, groups
            for i, j in itertools.combinations(range(len(groups)), 2):
                union = [g for k, g in enumerate(groups) if k != j]
                union[i] = groups[i] + groups[j]
                ratio = self.ratio(union)
                if ratio > best + MARGIN:
                    best, chosen = ratio, union
            if best <= self.ratio(groups) + MARGIN and self.large(groups, min_leaf):
                break
            groups = chosen
        return groups


def majority(classes: Sequence[int]) -> int:
    counts = Counter(classes)
    return min(counts, key=lambda c: (-counts[c], c))


def c45(rows: Sequence[Row], classes: Sequence[int], min_leaf: int = 2) -> Twin:
    """A tree by the letter of the specification, section 2.7."""
    node = Twin(majority(classes))
    if len(set(classes)) < 2 or len(rows) < 2 * min_leaf:
        return node
    kept: list[tuple[float, float, int, list[Group]]] = []
    for a in range(len(rows[0])):
        question = Question([row[a] for row in rows], classes)
        if len(question.rows) < 2:
            continue
        groups = question.subsets(min_leaf)
        gain = question.gain(groups)
        if gain > 1e-9 and question.large(groups, min_leaf):
            kept.append((gain, question.ratio(groups), a, groups))
    if not kept:
        return node
    average = sum(gain for gain, *_ in kept) / len(kept) * (1 - 1e-9)
    best = None
    for gain, ratio, a, groups in kept:
        if gain >= average and (best is None or ratio > best[0] + MARGIN):
            best = ratio, a, groups
    assert best is not None
    _, node.attribute, node.groups = best
    for group in node.groups:
        pairs = [p for p in zip(rows, classes, strict=True) if p[0][node.attribute] in group]
        node.children.append(c45([r for r, _ in pairs], [c for _, c in pairs], min_leaf))
    return node


def best_halves(values: Sequence[int], classes: Sequence[int], *, gini: bool = False) -> float:
    """The least mean impurity of two groups of values, over all ways to make two."""
    found = math.inf
    every = sorted(set(values))
    for size in range(1, len(every)):
        for ones in itertools.combinations(every, size):
            left = [c for v, c in zip(values, classes, strict=True) if v in ones]
            right = [c for v, c in zip(values, classes, strict=True) if v not in ones]
            sums = [len(part) * impurity(part, gini=gini) for part in (left, right)]
            found = min(found, sum(sums) / len(values))
    return found


def decisions(node: Twin, rows: Any) -> list[int]:
    return [node.decide(tuple(row)) for row in rows.tolist()]
