"""Decision trees as they are drawn: questions and decisions in words, to a given depth.

Places are called as in `glyphone.models.trees.reasons`.

>>> from glyphone.data.records import Pair
>>> from glyphone.fst.alignment.training import AlignmentOptions
>>> from glyphone.models.trees.training import TreeOptions, fit_tree
>>> lexicon = {"ca": "ka", "ci": "si", "co": "ko", "ici": "isi", "aca": "aka"}
>>> pairs = [Pair(tuple(word), tuple(phones)) for word, phones in lexicon.items()]
>>> one_each = AlignmentOptions(max_source=1, max_target=1)
>>> options = TreeOptions(previous=0, splits="questions", confidence=None, alignment=one_each)
>>> model = fit_tree(pairs, options).model
>>> twig = twig_of(model, letter="c")
>>> twig.text, [(below.label, below.text, below.note) for below in twig.below]
('right1', [('i', 's', '2'), ('edge a c o', 'k', '3')])
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from glyphone.data.errors import UnknownName
from glyphone.drawing.labels import symbol_text
from glyphone.learners.trees.arrays import LEAF, Tree
from glyphone.learners.trees.columns import Columns
from glyphone.learners.trees.rules import branch_codes
from glyphone.models.trees.model import TreeModel
from glyphone.models.trees.reasons import SILENT, columns_of, names_of

OTHER, MORE = "other", "…"
# Symbols that a label lists before the rest of them is left to the pointer.
LISTED = 6
Array = Any


@dataclass(frozen=True)
class Twig:
    """A node as it is drawn: its question or decision, the values that lead to it, and more.

    `about` is shown where the pointer rests; `hidden` counts the nodes below that are left out.
    """

    text: str
    label: str = ""
    note: str = ""
    about: str = ""
    hidden: int = 0
    below: tuple[Twig, ...] = ()

    @cached_property
    def size(self) -> int:
        """How many nodes are drawn."""
        return 1 + sum(twig.size for twig in self.below)

    @cached_property
    def rows(self) -> int:
        return sum(twig.rows for twig in self.below) or 1


def twig_of(
    model: TreeModel, *, letter: str | None = None, depth: int | None = None, stage: int = 1
) -> Twig:
    """A tree as it is drawn: all of it, or the part about one letter, `depth` questions deep."""
    if not 1 <= stage <= len(model.trees):
        raise UnknownName("tree", str(stage), map(str, range(1, len(model.trees) + 1)))
    tree, node = model.trees[stage - 1], 0
    if letter is not None:
        symbols = model.source.writing.split(letter).symbols
        label = model.source.symbols.get(symbols[0], 0) if len(symbols) == 1 else 0
        branch = int(tree.table(0)[label]) if label else 0
        if not branch:
            raise UnknownName("letter of the tree", letter, model.source.symbols)
        node = tree.children(0)[branch - 1]
    return Drawing(model, tree).twig(node, depth, {})


@dataclass(frozen=True, eq=False)
class Drawing:
    """A tree, and its model, which has the symbols of its codes."""

    model: TreeModel
    tree: Tree

    def twig(
        self,
        node: int,
        depth: int | None,
        allowed: dict[int, Array],
        label: str = "",
        values: str = "",
    ) -> Twig:
        """A node; `allowed` are the codes of each column with which one comes here.

        `values` are all those of the branch that leads to it, which `label` may shorten.
        """
        tree, total, errors = self.tree, self.tree.totals[node], self.errors[node]
        decision = self.output_text(int(tree.decisions[node]))
        note = f"{total:.6g}" + (f", {errors:.6g} wrong" if errors else "")
        about = (f"{values}: " if values else "") + f"{decision} ({note})"
        attribute = int(tree.nodes[node, 0])
        if attribute == LEAF or depth == 0:
            hidden = self.sizes[node] - 1
            note += f", {hidden} nodes below" if hidden else ""
            return Twig(decision, label, note, about, hidden)
        children = list(tree.children(node))
        codes = [allowed.get(attribute, True) & branch_codes(tree, child) for child in children]
        names = [self.value_names(attribute, has) for has in codes]
        longest = max(range(len(names)), key=lambda k: len(names[k]))
        below = []
        for k, (child, has) in enumerate(zip(children, codes, strict=True)):
            listed = " ".join(names[k][:LISTED]) + (f" {MORE}" if len(names[k]) > LISTED else "")
            shown = OTHER if k == longest and len(names[k]) > LISTED else listed
            further = {**allowed, attribute: has}
            deeper = None if depth is None else depth - 1
            below.append(self.twig(child, deeper, further, shown, " ".join(names[k])))
        return Twig(self.questions[attribute], label, "", about, 0, tuple(below))

    @cached_property
    def errors(self) -> list[float]:
        found: list[float] = self.tree.errors().tolist()
        return found

    @cached_property
    def sizes(self) -> list[int]:
        """How many nodes there are from each node on."""
        found = [1] * len(self.tree.nodes)
        for node in range(len(found) - 1, 0, -1):
            found[self.tree.parents[node]] += found[node]
        return found

    def output_text(self, unit: int) -> str:
        return " ".join(map(symbol_text, self.model.output_of_unit(unit))) or SILENT

    def value_names(self, column: int, codes: Array) -> list[str]:
        """The codes of a column in words; the last one stands for unknown values."""
        names = self.columns.symbols[column]
        known = codes[:-1].nonzero()[0].tolist()
        return [symbol_text(names[code]) for code in known if code < len(names)]

    @cached_property
    def columns(self) -> Columns:
        return columns_of(self.model)

    @cached_property
    def questions(self) -> list[str]:
        return names_of(self.model)
