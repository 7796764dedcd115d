"""Levels of a tree that is read letter by letter: beginnings of windows that decide alike.

The window of a letter is `left` letters, the letter itself and `right` more, with code 0, the edge,
for those beyond the ends of the word. Level k has classes of beginnings of k letters: two are in
one class if the tree decides alike whatever follows. A word has no letters before its first edge on
the left nor behind that on the right, so that codes which cannot come make no difference.

>>> import numpy as np
>>> tree = Tree(  # the letter 1 is output 1 before 2, and all else is output 0
...     nodes=np.array([[0, 0, 0], [1, 3, 2], [-1, 6, 0], [-1, 6, 0], [-1, 6, 0]], np.int32),
...     decisions=np.array([0, 0, 0, 0, 1], np.int32), parents=np.array([-1, 0, 0, 1, 1], np.int32),
...     tables=np.array([0, 1, 2, 1, 1, 2], np.uint8), widths=np.array([3, 3]), totals=np.ones(5),
...     starts=np.arange(6), classes=np.array([0, 0, 0, 0, 1]), counts=np.ones(5), n_classes=2,
...     smoothing=0.0)
>>> levels = levels_of(tree, tree.decisions.tolist(), left=0, right=1, n_letters=2, largest=9)
>>> [step.tolist() for step in levels.steps], levels.decided[1].tolist()
([[[-1, 0, 1]], [[0, 0, 1], [0, 0, 0]]], [-1, 0])
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.learners.trees.arrays import Tree
from glyphone.models.trees.compiling.diagrams import Forest, Overgrown

Array = Any
Future = tuple[int, ...]
EDGE = 0
OPEN = -1
# Room for diagrams: some for any tree, and more for each beginning of a window.
FEWEST, DIAGRAMS = 10_000, 4


class TooLarge(Exception):
    """After `read` letters of a window there are more classes than there is room for."""

    def __init__(self, read: int, n_known: int) -> None:
        super().__init__(f"{n_known} classes at level {read}")
        self.read, self.n_known = read, n_known


@dataclass(frozen=True, eq=False)
class Levels:
    """steps[k][c, x] is the class at level k + 1 after code x, or -1 where x cannot come.

    decided[k][c] is the output that all of class c at level k have, OPEN if it depends, for the
    levels from left + 1 on; edges[k] is the class at level k after edges alone, for k up to `left`.
    """

    steps: tuple[Array, ...]
    decided: dict[int, Array]
    edges: tuple[int, ...]
    left: int
    right: int
    n_letters: int


def levels_of(
    tree: Tree, decisions: Sequence[int], *, left: int, right: int, n_letters: int, largest: int
) -> Levels:
    """The levels of a tree whose node k decides for output decisions[k].

    TooLarge if there are more than `largest` beginnings to tell apart.
    """
    forest = Forest(n_codes=n_letters + 1, most=FEWEST + DIAGRAMS * largest)
    cofactor, letters = forest.cofactor, range(1, n_letters + 1)
    try:
        whole = forest.of_tree(tree, decisions)
    except Overgrown:
        raise TooLarge(0, len(forest.columns)) from None
    edges, steps = [0], list[Array]()

    def before(level: int, number: int, future: Future) -> Iterator[tuple[int, Future]]:
        # At one place of each level nothing but edges has been read.
        for code in range(int(number != edges[level]), n_letters + 1):
            yield code, tuple([cofactor(part, level, code) for part in future])

    def centre(level: int, number: int, future: Future) -> Iterator[tuple[int, int]]:
        return zip(letters, future, strict=True)

    def behind(level: int, number: int, diagram: int) -> Iterator[tuple[int, int]]:
        over = diagram
        for column in range(level, left + 1 + right):
            over = cofactor(over, column, EDGE)
        yield EDGE, over
        for code in letters:
            yield code, cofactor(diagram, level, code)

    # Until the letter itself is read, a class is a diagram for each letter that it may be.
    known: list[Any] = [tuple([cofactor(whole, left, letter) for letter in letters])]
    for level in range(left + 1 + right):
        follow: Any = before if level < left else centre if level == left else behind
        numbers: dict[Any, int] = {}
        step = np.full((len(known), n_letters + 1), OPEN, np.int64)
        for number, item in enumerate(known):
            try:
                for code, after in follow(level, number, item):
                    step[number, code] = numbers.setdefault(after, len(numbers))
            except Overgrown:
                raise TooLarge(level + 1, len(forest.columns)) from None
            if len(numbers) > largest:
                raise TooLarge(level + 1, len(numbers))
        steps.append(step)
        if level < left:
            edges.append(int(step[edges[level], EDGE]))
        known = list(numbers)
    outputs = np.array([~leaf for leaf in known], np.int64)
    return reduce_levels(steps, outputs, edges, left=left, right=right, n_letters=n_letters)


def reduce_levels(
    steps: Sequence[Array], outputs: Array, edges: Sequence[int], *,
    left: int, right: int, n_letters: int,
) -> Levels:  # fmt: skip
    """Levels with the fewest classes, found from the last level to the first."""
    classes, found, decided = outputs, list[Array](), {len(steps): np.arange(outputs.max() + 1)}
    starts = [0] * (left + 1)
    for level in range(len(steps) - 1, -1, -1):
        step = np.where(steps[level] < 0, OPEN, classes[steps[level]])
        if level <= left:
            # The one place where an edge may come is known, and needs no column.
            step[:, EDGE] = OPEN
        classes, fresh = number_rows(step, {})
        found.append(step[fresh])
        if level <= left:
            starts[level] = int(classes[edges[level]])
        else:
            below = decided[level + 1][step[fresh]]
            alike = (below == below[:, :1]).all(axis=1)
            decided[level] = np.where(alike, below[:, 0], OPEN)
    return Levels(tuple(reversed(found)), decided, tuple(starts), left, right, n_letters)


def number_rows(rows: Array, known: dict[bytes, int]) -> tuple[Array, Array]:
    """The number of each row, and the places of the rows that are new; `known` grows by these.

    Distinct rows are numbered in the order in which they come.

    >>> numbers, fresh = number_rows(np.array([[3, 1], [0, 0], [3, 1]]), {})
    >>> numbers.tolist(), fresh.tolist()
    ([0, 1, 0], [0, 1])
    """
    before = len(known)
    # Rows without columns are all alike, and have no bytes for a key.
    filled = rows if rows.shape[1] else np.zeros((len(rows), 1))
    plain = np.ascontiguousarray(filled, np.int32)
    keys = plain.view(f"V{plain.itemsize * plain.shape[1]}").ravel().tolist()
    found = [known.setdefault(key, len(known)) for key in keys]
    numbers = np.array(found, np.int64)
    new = np.flatnonzero(numbers >= before)
    _, first = np.unique(numbers[new], return_index=True)
    return numbers, new[first]
