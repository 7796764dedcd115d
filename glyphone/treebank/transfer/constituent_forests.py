"""Constituents of a source tree as forests of target trees, by rules that say what may differ.

A rule lists the orders that the children of some constituents may have (Jansche 2005):

    C:    S v O,  S O v,  v S O            S, O:    a n,  n a

A source constituent with one of these orders may have any other of them in the target that has the
same children, or some of them: `n` beside `a n` lets the target lack the adjective. Another kind of
rule says which labels may become which; that of a word over its tag changes the tag. A choice has a
pattern, the number of P(what the source has | what the target has) in a list of multinomials with
Dirichlet priors, `same` for what does not differ and `other` for all else.

>>> grammar = ConstituentGrammar((OrderRule(("S",), (("a", "n"), ("n", "a")), other=0.5),))
>>> tree = Tree("S", (Tree("a", (Tree("old"),)), Tree("n", (Tree("dogs"),))))
>>> forest = grammar.forest_of(tree)
>>> [str(forest.tree_of(choices)) for choices in forest.derivations()]
['(S (a old) (n dogs))', '(S (n dogs) (a old))']
>>> grammar.rows[1]
Row(name='S: n a', outcomes=('a n', 'n a'), prior=(0.5, 1.0))
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

Reads = Literal["words", "tags"]
# Words of the target that a word may become, with their probabilities; the second is its tag.
Targets = Callable[[str, str], Iterable[tuple[str, float]]]
EVERY_LABEL = "*"


@dataclass(frozen=True)
class OrderRule:
    """Orders of children, and the prior counts of the same and of any other order."""

    labels: Symbols
    orders: tuple[Symbols, ...]
    same: float = 1.0
    other: float = 1.0


@dataclass(frozen=True)
class LabelRule:
    """What a label may become, itself among it."""

    label: str
    becomes: Symbols
    same: float = 1.0
    other: float = 1.0


class Row(NamedTuple):
    """A multinomial: what it is of, its outcomes, and its Dirichlet prior."""

    name: str
    outcomes: Symbols
    prior: tuple[float, ...]


def itself(form: str, tag: str) -> Iterable[tuple[str, float]]:
    return ((form, 1.0),)


@dataclass
class ConstituentGrammar:
    """Rules, and the multinomials and symbols that the forests of a treebank share.

    Constituents in `keep` are as they are; `*` stands for all labels that no rule has.
    """

    orders: tuple[OrderRule, ...] = ()
    relabelled: tuple[LabelRule, ...] = ()
    keep: frozenset[str] = frozenset()
    reads: Reads = "tags"
    targets: Targets = itself
    symbols: dict[str, int] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    _firsts: list[int] = field(default_factory=lambda: [0])
    _numbers: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for rule in self.orders:
            for target in rule.orders:
                sources = [one for one in rule.orders if not Counter(target) - Counter(one)]
                self._add(_named(rule, target), map(" ".join, sources), " ".join(target), rule)
        for label in dict.fromkeys(label for change in self.relabelled for label in change.becomes):
            changes = [change for change in self.relabelled if label in change.becomes]
            outcomes = dict.fromkeys([label, *(change.label for change in changes)])
            self._add(f"label {label}", outcomes, label, changes[0])

    def _add(
        self, name: str, outcomes: Iterable[str], same: str, rule: OrderRule | LabelRule
    ) -> None:
        found = tuple(outcomes)
        prior = tuple(rule.same if one == same else rule.other for one in found)
        self._numbers[name] = len(self.rows)
        self.rows.append(Row(name, found, prior))
        self._firsts.append(self._firsts[-1] + len(found))

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Row r has the parameters offsets[r] to offsets[r + 1]."""
        return np.array(self._firsts, np.int64)

    def symbol(self, text: str) -> int:
        return self.symbols.setdefault(text, len(self.symbols))

    def forest_of(self, tree: Tree) -> Forest:
        """The forest of a source tree; tokens are places of its words."""
        if not tree.children:
            raise ItemError("a tree without words", remedy="remove it, or give it a constituent")
        planting = _Planting(self, ForestBuilder())
        return planting.builder.build(planting.node(tree, top=True))

    def rule_of(self, label: str) -> OrderRule | None:
        """The rule for the children of a label; ItemError if the label is not known."""
        for rule in self.orders:
            if label in rule.labels:
                return rule
        known = label in self.keep or EVERY_LABEL in self.keep
        if known or any(label == one.label for one in self.relabelled):
            return None
        remedy = 'name it in `keep`, or keep = ["*"], or write a rule for it'
        raise ItemError(f"the transfer file does not know the label {label!r}", remedy=remedy)

    def becomes(self, label: str) -> Symbols:
        """What a label may become; only itself if it has no rule, but others may become it."""
        for rule in self.relabelled:
            if rule.label == label:
                return rule.becomes
        return (label,) if f"label {label}" in self._numbers else ()

    def parameter(self, name: str, outcome: str) -> int:
        row = self._numbers[name]
        return self._firsts[row] + self.rows[row].outcomes.index(outcome)


def _named(rule: OrderRule, order: Symbols) -> str:
    return f"{', '.join(rule.labels)}: {' '.join(order)}"


@dataclass
class _Planting:
    """One forest in the making."""

    grammar: ConstituentGrammar
    builder: ForestBuilder
    token: int = 0

    def node(self, tree: Tree, *, top: bool = False) -> int:
        if not tree.children:
            return self.word(tree.label, "")
        if len(tree.children) == 1 and not tree.children[0].children:
            form, place = tree.children[0].label, self.token
            return self.relabelled(tree.label, lambda label: self.word(form, label, place))
        # A bracket without a label round the whole tree, as in the Penn Treebank, is no rule's.
        rule = None if top and not tree.label else self.grammar.rule_of(tree.label)
        children = [self.node(child) for child in tree.children]
        source = tuple(child.label for child in tree.children)
        choices = [Choice(tuple(children))]
        if rule is not None and source in rule.orders:
            choices = [
                Choice(
                    tuple(children[place] for place in places_of(source, target)),
                    self.grammar.parameter(_named(rule, target), " ".join(source)),
                )
                for target in rule.orders
                if not Counter(target) - Counter(source)
            ]
        return self.relabelled(
            tree.label, lambda label: self.builder.add_node(choices, label=label)
        )

    def relabelled(self, source: str, make: Callable[[str], int]) -> int:
        """The node under each label that this one may become."""
        becomes = self.grammar.becomes(source)
        if not becomes:
            return make(source)
        return self.builder.add_node(
            [
                Choice((make(label),), self.grammar.parameter(f"label {label}", source))
                for label in becomes
            ]
        )

    def word(self, form: str, tag: str, place: int | None = None) -> int:
        """The leaf of a word, or a node of the words that it may become."""
        place = self.token if place is None else place
        self.token = place + 1
        reads_tags = self.grammar.reads == "tags"
        found = [
            (
                self.builder.add_leaf(
                    self.grammar.symbol((tag or word) if reads_tags else word.lower()),
                    token=place,
                    label=tag,
                    word=word,
                ),
                share,
            )
            for word, share in self.grammar.targets(form, tag)
        ]
        if len(found) == 1:
            return found[0][0]
        return self.builder.add_node(
            [Choice((leaf,), -1, math.log(share)) for leaf, share in found]
        )


def places_of(source: Symbols, target: Symbols) -> list[int]:
    """The places of the children of a target order in the source; equals keep their order.

    >>> places_of(("NP", "V", "NP"), ("V", "NP", "NP"))
    [1, 0, 2]
    """
    waiting: dict[str, list[int]] = {}
    for place, label in enumerate(source):
        waiting.setdefault(label, []).append(place)
    return [waiting[label].pop(0) for label in target]
