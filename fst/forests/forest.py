"""Packed and-or forests: many trees over the same words, in flat arrays.

A node is a leaf, which has a symbol, or an or-node: it becomes one of its choices, each an ordered
list of nodes, and all subtrees are shared. Choice C of a tree weighs

    exp(log_weights[C]) * parameter[patterns[C]],

and a tree weighs the product of its choices, times the weight of its yield by an automaton (see
`glyphone.fst.forests.weighted`). A derivation names a tree: its choices in preorder.

The source clause [S v O] of Jansche (2005), whose orders and whose nouns and adjectives are free:

>>> builder = ForestBuilder()
>>> a1, n1, v, a2, n2 = (builder.add_leaf(symbol) for symbol in (0, 1, 2, 0, 1))
>>> s, o = (builder.add_node([Choice((a, n)), Choice((n, a))]) for a, n in ((a1, n1), (a2, n2)))
>>> orders = [(s, v, o), (s, o, v), (v, s, o)]
>>> forest = builder.build(builder.add_node([Choice(order) for order in orders]))
>>> forest.n_trees(), forest.longest
(12, 3)
>>> next(forest.derivations()).tolist(), forest.symbols[forest.leaves_of([4, 0, 2])].tolist()
([4, 0, 2], [0, 1, 2, 0, 1])
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import GlyphoneError
from glyphone.data.records import Tree

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
INNER, NO_PATTERN = -1, -1


class Choice(NamedTuple):
    """One way to expand a node; without children it leaves no word."""

    children: tuple[int, ...]
    pattern: int = NO_PATTERN
    log_weight: float = 0.0


@dataclass(frozen=True, eq=False)
class Forest:
    """Nodes are numbered children first; the root is the last one.

    Node N owns the choices choice_offsets[N] to choice_offsets[N + 1], choice C the children
    children[child_offsets[C]:child_offsets[C + 1]]. `tokens` are the places of the leaves in the
    source sentence. A node without a label is no constituent of its own: its children are those
    of the node above it.
    """

    symbols: Ints
    tokens: Ints
    choice_offsets: Ints
    child_offsets: Ints
    children: Ints
    patterns: Ints
    log_weights: Floats
    labels: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def n_nodes(self) -> int:
        return len(self.symbols)

    @property
    def n_choices(self) -> int:
        return len(self.patterns)

    @property
    def root(self) -> int:
        return self.n_nodes - 1

    def choices_of(self, node: int) -> range:
        return range(int(self.choice_offsets[node]), int(self.choice_offsets[node + 1]))

    def children_of(self, choice: int) -> list[int]:
        first, last = self.child_offsets[choice], self.child_offsets[choice + 1]
        found: list[int] = self.children[first:last].tolist()
        return found

    def n_trees(self) -> int:
        """The exact number of trees, whatever they weigh."""
        counts: list[int] = []
        for node in range(self.n_nodes):
            total = int(self.symbols[node] != INNER)
            for choice in self.choices_of(node):
                product = 1
                for child in self.children_of(choice):
                    product *= counts[child]
                total += product
            counts.append(total)
        return counts[self.root]

    @cached_property
    def longest(self) -> int:
        """The most choices that one tree can have."""
        lengths: list[int] = []
        for node in range(self.n_nodes):
            lengths.append(
                max(
                    (
                        1 + sum(lengths[child] for child in self.children_of(choice))
                        for choice in self.choices_of(node)
                    ),
                    default=0,
                )
            )
        return lengths[self.root]

    def derivations(self) -> Iterator[Ints]:
        """Every tree once: earlier choices first, those of the left before those of the right."""
        for derivation in self._expansions([self.root]):
            yield np.array(derivation, np.int64)

    def _expansions(self, nodes: list[int]) -> Iterator[list[int]]:
        if not nodes:
            yield []
            return
        node, later = nodes[0], nodes[1:]
        if self.symbols[node] != INNER:
            yield from self._expansions(later)
            return
        for choice in self.choices_of(node):
            for rest in self._expansions(self.children_of(choice) + later):
                yield [choice, *rest]

    def leaves_of(self, derivation: Sequence[int] | Ints) -> list[int]:
        """The leaves of a tree in their order."""
        chosen, waiting, found = iter(derivation), [self.root], list[int]()
        while waiting:
            node = waiting.pop()
            if self.symbols[node] != INNER:
                found.append(node)
            else:
                waiting += reversed(self.children_of(int(next(chosen))))
        return found

    def tree_of(self, derivation: Sequence[int] | Ints) -> Tree:
        """A tree of constituents; a leaf is its label over its word, or its word alone."""
        chosen = iter(derivation)

        def grown(node: int) -> list[Tree]:
            label = self.labels[node]
            if self.symbols[node] != INNER:
                word = Tree(self.words[node])
                return [Tree(label, (word,)) if label else word]
            children = self.children_of(int(next(chosen)))
            below = [tree for child in children for tree in grown(child)]
            return [Tree(label, tuple(below))] if label and below else below

        trees = grown(self.root)
        if len(trees) != 1:
            raise GlyphoneError("the root of the forest has no label, so that it is no tree")
        return trees[0]


class _Node(NamedTuple):
    symbol: int
    token: int
    label: str
    word: str
    choices: tuple[Choice, ...] = ()


@dataclass
class ForestBuilder:
    """Makes a forest from below; nodes without a label and with equal choices are one node."""

    _nodes: list[_Node] = field(default_factory=list)
    _known: dict[tuple[Choice, ...], int] = field(default_factory=dict)

    def add_leaf(self, symbol: int, *, token: int = -1, label: str = "", word: str = "") -> int:
        """A word at a place of the source sentence, with the number that an automaton reads."""
        if symbol < 0:
            raise GlyphoneError(f"the symbol of a leaf is {symbol}", remedy="count from 0")
        return self._append(_Node(symbol, token, label, word))

    def add_node(self, choices: Sequence[Choice], *, label: str = "") -> int:
        """An or-node with one or more choices of nodes that are there already."""
        made, number = tuple(choices), len(self._nodes)
        if not made:
            raise GlyphoneError("a node of a forest has no choices")
        for choice in made:
            if any(not 0 <= child < number for child in choice.children):
                raise GlyphoneError(f"node {number} has children that are not below it: {choice}")
        if not label and made in self._known:
            return self._known[made]
        if not label:
            self._known[made] = number
        return self._append(_Node(INNER, -1, label, "", made))

    def _append(self, node: _Node) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1

    def build(self, root: int) -> Forest:
        """The forest of a node and all nodes below it."""
        kept = self._nodes_below(root)
        numbers = {node: number for number, node in enumerate(kept)}
        nodes = [self._nodes[node] for node in kept]
        choices = [choice for node in nodes for choice in node.choices]
        return Forest(
            np.array([node.symbol for node in nodes], np.int64),
            np.array([node.token for node in nodes], np.int64),
            _offsets([len(node.choices) for node in nodes]),
            _offsets([len(choice.children) for choice in choices]),
            np.array([numbers[c] for choice in choices for c in choice.children], np.int64),
            np.array([choice.pattern for choice in choices], np.int64),
            np.array([choice.log_weight for choice in choices], np.float64),
            tuple(node.label for node in nodes),
            tuple(node.word for node in nodes),
        )

    def _nodes_below(self, root: int) -> list[int]:
        found, waiting = {root}, [root]
        while waiting:
            for choice in self._nodes[waiting.pop()].choices:
                waiting += [child for child in choice.children if child not in found]
                found.update(choice.children)
        return sorted(found)


def _offsets(lengths: list[int]) -> Ints:
    return np.cumsum([0, *lengths], dtype=np.int64)
