"""Forests of target trees for source trees of constituents, by rules of orders and of labels.

A rule of orders lists the orders that the children of some constituents may have (Jansche 2005):

    C:    S v O,  S O v,  v S O            S, O:    a n,  n a

A source constituent with one of these orders may have any of the orders in the target that has only
children of the source: `n` beside `a n` lets the target lack the adjective. A rule of labels lists
the labels that a label may become; the label above a word is its tag. The pattern of a choice is
the number of P(source | target) in a list of multinomials with Dirichlet priors: the prior count is
`same` for the order or label of the target, `other` for all others.

>>> grammar = ConstituentGrammar((OrderRule(("S",), (("a", "n"), ("n", "a")), other=0.5),))
>>> tree = Tree("S", (Tree("a", (Tree("old"),)), Tree("n", (Tree("dogs"),))))
>>> forest = grammar.forest_of(tree)
>>> [str(forest.tree_of(choices)) for choices in forest.derivations()]
['(S (a old) (n dogs))', '(S (n dogs) (a old))']
>>> grammar.rows[1]
OutcomeRow(name='S: n a', outcomes=('a n', 'n a'), prior=(0.5, 1.0))
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import ItemError
from glyphone.data.records import Symbols, Tree
from glyphone.fst.forests.forest import Choice, Forest, ForestBuilder

ConstituentReads = Literal["words", "tags"]
# Words of the target that a word may become, with their probabilities; the second is its tag.
TargetFunction = Callable[[str, str], Iterable[tuple[str, float]]]
EVERY_LABEL = "*"


@dataclass(frozen=True)
class OrderRule:
    """Orders of the children of constituents with these labels, and prior counts."""

    labels: Symbols
    orders: tuple[Symbols, ...]
    same: float = 1.0
    other: float = 1.0


@dataclass(frozen=True)
class LabelRule:
    """The labels that a label may become, itself among them, and prior counts."""

    label: str
    becomes: Symbols
    same: float = 1.0
    other: float = 1.0


class OutcomeRow(NamedTuple):
    """A multinomial: its name, its outcomes, and its Dirichlet prior."""

    name: str
    outcomes: Symbols
    prior: tuple[float, ...]


def keep_word(form: str, tag: str) -> Iterable[tuple[str, float]]:
    return ((form, 1.0),)


@dataclass
class ConstituentGrammar:
    """Rules, and the multinomials and symbols that the forests of a treebank share.

    Children of labels in `keep` keep their order; `*` stands for all labels without a rule.
    """

    orders: tuple[OrderRule, ...] = ()
    relabelled: tuple[LabelRule, ...] = ()
    keep: frozenset[str] = frozenset()
    reads: ConstituentReads = "tags"
    targets: TargetFunction = keep_word
    symbols: dict[str, int] = field(default_factory=dict)
    rows: list[OutcomeRow] = field(default_factory=list)
    _firsts: list[int] = field(default_factory=lambda: [0])
    _numbers: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for rule in self.orders:
            for target in rule.orders:
                sources = [one for one in rule.orders if not Counter(target) - Counter(one)]
                self._add_row(
                    order_name(rule, target), map(" ".join, sources), " ".join(target), rule
                )
        for label in dict.fromkeys(label for change in self.relabelled for label in change.becomes):
            changes = [change for change in self.relabelled if label in change.becomes]
            outcomes = dict.fromkeys([label, *(change.label for change in changes)])
            self._add_row(f"label {label}", outcomes, label, changes[0])

    def _add_row(
        self, name: str, outcomes: Iterable[str], same: str, rule: OrderRule | LabelRule
    ) -> None:
        row = tuple(outcomes)
        prior = tuple(rule.same if outcome == same else rule.other for outcome in row)
        self._numbers[name] = len(self.rows)
        self.rows.append(OutcomeRow(name, row, prior))
        self._firsts.append(self._firsts[-1] + len(row))

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Row r of the multinomials has the parameters offsets[r] to offsets[r + 1]."""
        return np.array(self._firsts, np.int64)

    def symbol_code(self, text: str) -> int:
        return self.symbols.setdefault(text, len(self.symbols))

    def forest_of(self, tree: Tree) -> Forest:
        """The forest of a source tree; its tokens are the places of words in the source."""
        if not tree.children:
            raise ItemError("a tree without words", remedy="remove it, or give it a constituent")
        planter = ForestPlanter(self, ForestBuilder())
        return planter.builder.build(planter.add_tree(tree, top=True))

    def rule_of(self, label: str) -> OrderRule | None:
        """The rule for the children of a label, None to keep them; ItemError for unknown labels."""
        for rule in self.orders:
            if label in rule.labels:
                return rule
        known = label in self.keep or EVERY_LABEL in self.keep
        if known or any(label == one.label for one in self.relabelled):
            return None
        remedy = 'name it in `keep`, or keep = ["*"], or write a rule for it'
        raise ItemError(f"the transfer file does not know the label {label!r}", remedy=remedy)

    def labels_after(self, label: str) -> Symbols:
        """The labels that a label may become; none if no rule has the label at all.

        A label without a rule that other labels may become becomes only itself.
        """
        for rule in self.relabelled:
            if rule.label == label:
                return rule.becomes
        return (label,) if f"label {label}" in self._numbers else ()

    def parameter_number(self, name: str, outcome: str) -> int:
        row = self._numbers[name]
        return self._firsts[row] + self.rows[row].outcomes.index(outcome)


def order_name(rule: OrderRule, order: Symbols) -> str:
    return f"{', '.join(rule.labels)}: {' '.join(order)}"


@dataclass
class ForestPlanter:
    """Builds the forest of one tree; `token` is the place of the next word."""

    grammar: ConstituentGrammar
    builder: ForestBuilder
    token: int = 0

    def add_tree(self, tree: Tree, *, top: bool = False) -> int:
        """Adds the nodes of a tree, and returns the node of its root."""
        if not tree.children:
            return self.add_word(tree.label, "")
        if len(tree.children) == 1 and not tree.children[0].children:
            form, place = tree.children[0].label, self.token
            return self.add_labels(tree.label, lambda label: self.add_word(form, label, place))
        # The Penn Treebank has a bracket without a label round the whole tree.
        rule = None if top and not tree.label else self.grammar.rule_of(tree.label)
        children = [self.add_tree(child) for child in tree.children]
        source = tuple(child.label for child in tree.children)
        choices = [Choice(tuple(children))]
        if rule is not None and source in rule.orders:
            choices = [
                Choice(
                    tuple(children[place] for place in places_of(source, target)),
                    self.grammar.parameter_number(order_name(rule, target), " ".join(source)),
                )
                for target in rule.orders
                if not Counter(target) - Counter(source)
            ]
        return self.add_labels(
            tree.label, lambda label: self.builder.add_node(choices, label=label)
        )

    def add_labels(self, source: str, add_node: Callable[[str], int]) -> int:
        """Adds a node under each label that a label may become, and returns their choice."""
        labels = self.grammar.labels_after(source)
        if not labels:
            return add_node(source)
        return self.builder.add_node(
            [
                Choice((add_node(label),), self.grammar.parameter_number(f"label {label}", source))
                for label in labels
            ]
        )

    def add_word(self, form: str, tag: str, place: int | None = None) -> int:
        """Adds the leaf of a word, or a choice of the words that it may become."""
        place = self.token if place is None else place
        self.token = place + 1
        reads_tags = self.grammar.reads == "tags"
        leaves = [
            (
                self.builder.add_leaf(
                    self.grammar.symbol_code((tag or word) if reads_tags else word.lower()),
                    token=place,
                    label=tag,
                    word=word,
                ),
                share,
            )
            for word, share in self.grammar.targets(form, tag)
        ]
        if len(leaves) == 1:
            return leaves[0][0]
        return self.builder.add_node(
            [Choice((leaf,), -1, math.log(share)) for leaf, share in leaves]
        )


def places_of(source: Symbols, target: Symbols) -> list[int]:
    """The places in the source of the children of a target order; equal labels keep their order.

    >>> places_of(("NP", "V", "NP"), ("V", "NP", "NP"))
    [1, 0, 2]
    """
    waiting: dict[str, list[int]] = {}
    for place, label in enumerate(source):
        waiting.setdefault(label, []).append(place)
    return [waiting[label].pop(0) for label in target]
