"""Decision diagrams of a tree: functions of the letters around, each kept once.

A diagram is a leaf, written ~k for output k, or a node that asks for the code in one column and has
a diagram for each code. No path asks for a column twice, and a node whose diagrams are all the same
one is that one. (Bryant 1986; here with many values, and without one order of columns.) What is
left of a diagram when one code is known is its cofactor.

>>> forest = Forest(n_codes=3)
>>> soft = forest.node(1, (~0, ~1, ~0))
>>> whole = forest.node(0, (soft, soft, ~1))
>>> forest.cofactor(whole, 0, 2), forest.cofactor(whole, 1, 1), forest.cofactor(whole, 0, 0) == soft
(-2, -2, True)
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from glyphone.learners.trees.arrays import ATTRIBUTE, Tree


class Overgrown(Exception):
    """There are more diagrams than there is room for."""


class Forest:
    """All the diagrams that there are so far, at most so many."""

    def __init__(self, *, n_codes: int, most: float = math.inf) -> None:
        self.n_codes = n_codes
        self.most = most
        self.columns: list[int] = []
        self.branches: list[tuple[int, ...]] = []
        # Bit c: somewhere below, column c is asked for.
        self.asked: list[int] = []
        self.numbers: dict[tuple[int, tuple[int, ...]], int] = {}
        self.known: dict[tuple[int, int, int], int] = {}

    def node(self, column: int, branches: tuple[int, ...]) -> int:
        """The diagram that asks for a column first."""
        first = branches[0]
        if all(branch == first for branch in branches):
            return first
        key = (column, branches)
        number = self.numbers.get(key)
        if number is None:
            if len(self.columns) >= self.most:
                raise Overgrown
            number = self.numbers[key] = len(self.columns)
            asked = 1 << column
            for branch in branches:
                asked |= self.asked_by(branch)
            self.columns.append(column)
            self.branches.append(branches)
            self.asked.append(asked)
        return number

    def asked_by(self, diagram: int) -> int:
        """The columns that a diagram asks for, as bits."""
        return self.asked[diagram] if diagram >= 0 else 0

    def cofactor(self, diagram: int, column: int, code: int) -> int:
        """The diagram that remains when the code in a column is known."""
        if diagram < 0 or not self.asked[diagram] >> column & 1:
            return diagram
        if self.columns[diagram] == column:
            # No path asks for a column twice.
            return self.branches[diagram][code]
        key = (diagram, column, code)
        found = self.known.get(key)
        if found is None:
            parts = [self.cofactor(part, column, code) for part in self.branches[diagram]]
            found = self.known[key] = self.node(self.columns[diagram], tuple(parts))
        return found

    def of_tree(self, tree: Tree, decisions: Sequence[int]) -> int:
        """The diagram of a tree whose node k decides for output decisions[k]."""
        found = [~decision for decision in decisions]
        # Children follow their parents, so that from the end all parts are there.
        for node in range(len(found) - 1, -1, -1):
            column, _, before = tree.nodes[node, :].tolist()
            if tree.nodes[node, ATTRIBUTE] >= 0:
                table = tree.table(node)[: self.n_codes].tolist()
                parts = {
                    branch: found[before + branch] if branch else found[node]
                    for branch in set(table)
                }
                branches = [
                    self.cofactor(parts[branch], column, code) for code, branch in enumerate(table)
                ]
                found[node] = self.node(column, tuple(branches))
        return found[0]
