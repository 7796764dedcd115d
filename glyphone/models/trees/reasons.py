"""The questions that trees ask about each letter of a word, in words for people.

A condition names a place, `letter`, `left1`, `right2` or, for what was written last, `wrote1`, and
what may stand there; `edge` is what stands before and after a word, ∅ what a silent letter writes.
To a model that reads backward what was written last is what follows in the output.

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.alignment.training import AlignmentOptions
>>> from glyphone.models.trees.training import TreeOptions, fit_tree
>>> lexicon = {"ca": "ka", "ci": "si", "co": "ko", "ici": "isi", "aca": "aka"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> one_to_one = AlignmentOptions(max_source=1, max_target=1)
>>> options = TreeOptions(right=1, previous=0, confidence=None, alignment=one_to_one)
>>> model = fit_tree(pairs, options).model
>>> print(*rules_of(model)[1:3], sep="\\n")
letter in {c}, right1 in {a o} -> c:k (3, 0)
letter in {c}, right1 in {i} -> c:s (2, 0)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glyphone.learners.trees import rules as tree_rules
from glyphone.learners.trees.arrays import ATTRIBUTE, BEFORE, LEAF, Tree
from glyphone.learners.trees.columns import Columns
from glyphone.learners.trees.rules import Rule, branch_codes, condition_of
from glyphone.models.trees import trellis_kernels
from glyphone.models.trees.model import TreeModel

Array = Any
EDGE, SILENT = "edge", "∅"


@dataclass(frozen=True)
class Turn:
    """A unit of a path, its cost, -ln P, and the conditions by which the first tree chose it."""

    unit: int
    cost: float
    conditions: tuple[str, ...]


def turns_of_path(model: TreeModel, text: str, units: Sequence[int]) -> list[Turn]:
    """The turn of each letter on a path of units."""
    labels = model.string(text)
    trees, columns, names = model.cold, columns_of(model), names_of(model)
    n_letters = model.left + 1 + model.right
    around = trellis_kernels.pad_word(labels, trees.left, trees.right)
    row = np.zeros(n_letters + model.previous, np.int64)
    pool, ends = np.zeros(trees.most, np.float32), np.zeros(len(trees.roots), np.int64)
    turns = []
    for place, unit in enumerate(model.in_reading_order(units)):
        row[:n_letters] = around[place : place + n_letters]
        low, high = trees.firsts[labels[place]], trees.firsts[labels[place] + 1]
        begin = trellis_kernels.expect_units(trees, row, high - low, pool, ends)
        shares = trees.shares if len(ends) == 1 else pool
        conditions = conditions_of_row(model.trees[0], row, columns, names)
        turns.append(Turn(unit, -math.log(shares[begin + unit - low]), conditions))
        if model.previous:
            row[n_letters + 1 :] = row[n_letters:-1].copy()
            row[n_letters] = trees.chunks[unit]
    return model.in_reading_order(turns)


def conditions_of_row(
    tree: Tree, row: Array, columns: Columns, names: Sequence[str]
) -> tuple[str, ...]:
    """The conditions that a row meets on its way through a tree, one for each column."""
    node, allowed = 0, dict[int, Array]()
    attribute = int(tree.nodes[0, ATTRIBUTE])
    while attribute != LEAF:
        branch = int(tree.table(node)[row[attribute]])
        if branch == 0:
            break
        node = int(tree.nodes[node, BEFORE]) + branch
        allowed[attribute] = allowed.get(attribute, True) & branch_codes(tree, node)
        attribute = int(tree.nodes[node, ATTRIBUTE])
    return tuple(
        str(condition_of(codes, columns.symbols[a], names[a])) for a, codes in allowed.items()
    )


def rules_of(model: TreeModel, number: int = 0) -> list[Rule]:
    """One of the trees as rules, of which the first that holds decides: see `tree_rules`."""
    units = model.alignment(range(len(model.units))).units
    read, write = model.source.join, model.target.join
    labels = [f"{read(x)}:{write(y) or SILENT}" for x, y in units]
    return tree_rules.rules_of(model.trees[number], columns_of(model), labels, names_of(model))


def columns_of(model: TreeModel) -> Columns:
    """The symbols of a row in the order of their codes."""
    labels = sorted(model.source.symbols, key=model.source.symbols.__getitem__)
    chunks = sorted(set(model.units.targets), key=lambda chunk: (len(chunk), chunk))
    write, decode = model.target.join, model.target.decode
    written = [write(decode(model.in_reading_order(chunk))) or SILENT for chunk in chunks]
    letters = [(EDGE, *labels)] * (model.left + 1 + model.right)
    return Columns((*letters, *[(EDGE, *written)] * model.previous))


def names_of(model: TreeModel) -> list[str]:
    """The names of the columns of a row."""
    before = [f"left{k}" for k in range(model.left, 0, -1)]
    behind = [f"right{k}" for k in range(1, model.right + 1)]
    letters = model.in_reading_order([*before, "letter", *behind])
    return [*letters, *(f"wrote{k}" for k in range(1, model.previous + 1))]
