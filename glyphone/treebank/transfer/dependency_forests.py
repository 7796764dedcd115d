"""Dependency trees as forests: all orders in which dependents may stand on other sides.

The forest of a tree has, around each word, the spine of its dependents
(`glyphone.data.treebanks.spines`): each may stand on either side of what is nearer to the word. Of
two or more dependents one may also leave its rank and be the nearest: so a subject that goes behind
its verb may stand before the object. No order has crossings; some have several derivations. A
choice has a pattern: the number of a probability of the class of the dependent,

    given = "source":  P(move | side in the source); it stays, crosses to the other side, crosses
                       and is the nearest, stays and is the nearest, or, if its class may be
                       `dropped`, is left out with all below it
    given = "target":  P(side in the source | side in the target), as in Jansche (2005), without
                       other ranks, so that a tree with n arcs has 2^n orders

The second says nothing of how consistent a class is in the target: where the language model cannot
tell, a class is split. The first makes each move as likely as moves of its class have been, so that
a class moves as a whole or stays. A word that may become several has a choice for each, with its
probability.

>>> from glyphone.data.treebanks.dependencies import Word
>>> words = (Word("rain", upos="N", head=2, deprel="nsubj"), Word("stops", upos="V", head=0))
>>> grammar = Grammar()
>>> forest = grammar.forest_of(Sentence(words))
>>> forest.n_trees(), grammar.classes, grammar.symbols
(2, {'nsubj(V)': 0}, {'rain': 0, 'stops': 1})
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from glyphone.data.treebanks.classes import class_of
from glyphone.data.treebanks.dependencies import Sentence, Word, root_of
from glyphone.data.treebanks.spines import positions_bottom_up, ranked_dependents
from glyphone.fst.forests.forest import Choice, Forest, ForestBuilder
from glyphone.treebank.sampling.multinomials import Multinomials
from glyphone.treebank.transfer.lexical import Lexicon
from glyphone.treebank.transfer.word_classes import Reads, seen

Given = Literal["source", "target"]

GIVEN: tuple[Given, ...] = ("source", "target")
LEFT, RIGHT = 0, 1
SIDES = ("left", "right")
STAYS, CROSSES, CROSSES_NEAR, NEARER, DROPPED = range(5)
MOVES = ("stays", "crosses", "crosses, nearest", "stays, nearest", "dropped")


def outcomes(given: Given) -> int:
    """How many there are, of what is on a given side."""
    return len(MOVES) if given == "source" else len(SIDES)


def on_the_right(given: Given) -> NDArray[np.bool_]:
    """Whether a dependent is on the right in the target: a row for each given side."""
    if given == "target":
        return np.array([[False, False], [True, True]])
    return np.array([[False, True, True, False, False], [True, False, False, True, False]])


def of_the_source(given: Given) -> NDArray[np.bool_]:
    """Where its place is that of the source."""
    if given == "target":
        return np.eye(len(SIDES), dtype=bool)
    stays = [move == STAYS for move in range(len(MOVES))]
    return np.array([stays, stays])


@dataclass(frozen=True)
class Dependent:
    """A dependent of a word: its class, its node, and its side in the source."""

    name: str
    node: int
    side: int


@dataclass
class Grammar:
    """What forests of a treebank share: numbers of classes and symbols, which grow as they are met.

    The language model reads the words of the target in small letters, or classes of words. Classes
    of dependents in `fixed` keep their side; those in `dropped` may be left out.
    """

    reads: Reads = "words"
    lexicon: Lexicon = field(default_factory=lambda: Lexicon({}))
    fixed: Collection[str] = ()
    given: Given = "source"
    classes: dict[str, int] = field(default_factory=dict)
    symbols: dict[str, int] = field(default_factory=dict)
    dropped: Collection[str] = ()

    def symbol(self, text: str) -> int:
        return self.symbols.setdefault(text, len(self.symbols))

    def multinomials(self, strength: float) -> Multinomials:
        """A row for each class and side, with `strength` for what is as in the source.

        >>> grammar = Grammar(classes={"det": 0})
        >>> grammar.multinomials(9.0).prior.tolist()
        [9.0, 1.0, 1.0, 1.0, 0.0, 9.0, 1.0, 1.0, 1.0, 0.0]
        """
        rows = np.where(of_the_source(self.given), strength, 1.0)
        prior = np.tile(rows, (len(self.classes), 1, 1))
        if self.given == "source":
            prior[[name not in self.dropped for name in self.classes], :, DROPPED] = 0.0
        offsets = np.arange(0, prior.size + 1, outcomes(self.given))
        return Multinomials(prior.ravel(), offsets)

    def forest_of(self, sentence: Sentence) -> Forest:
        """The forest of a tree; tokens are positions of its words."""
        builder, ranks, nodes = ForestBuilder(), ranked_dependents(sentence), dict[int, int]()
        for position in positions_bottom_up(sentence):
            word = self.word(builder, sentence.words[position], position)
            dependents = [
                Dependent(
                    class_of(sentence, place), nodes[place], RIGHT if place > position else LEFT
                )
                for place in ranks[position]
            ]
            tops = [self.spine(builder, word, dependents)]
            if self.given == "source":
                for rank, one in enumerate(dependents):
                    if rank and one.name not in self.fixed:
                        node = self.nearest(builder, word, one)
                        others = dependents[:rank] + dependents[rank + 1 :]
                        tops.append(self.spine(builder, node, others))
            nodes[position] = (
                tops[0] if len(tops) == 1 else builder.add_node([Choice((top,)) for top in tops])
            )
        return builder.build(nodes[root_of(sentence) - 1])

    def spine(self, builder: ForestBuilder, node: int, dependents: Sequence[Dependent]) -> int:
        """A node and dependents around it, the nearest first, each on one side or the other."""
        for one in dependents:
            choices = [
                Choice((one.node, node), self.pattern(one, target=LEFT)),
                Choice((node, one.node), self.pattern(one, target=RIGHT)),
            ]
            if one.name in self.fixed:
                choices = [choices[one.side]]
            if one.name in self.dropped:
                choices.append(Choice((node,), self.number(one.name, one.side, DROPPED)))
            node = builder.add_node(choices, label=one.name)
        return node

    def nearest(self, builder: ForestBuilder, word: int, one: Dependent) -> int:
        """A word and the dependent that is its nearest in place of another."""
        orders = [(one.node, word), (word, one.node)]
        choices = [
            Choice(orders[one.side], self.number(one.name, one.side, NEARER)),
            Choice(orders[1 - one.side], self.number(one.name, one.side, CROSSES_NEAR)),
        ]
        return builder.add_node(choices, label=one.name)

    def pattern(self, one: Dependent, *, target: int) -> int:
        """The number of a side in the target of what keeps its rank."""
        if self.given == "source":
            return self.number(one.name, one.side, STAYS if target == one.side else CROSSES)
        return self.number(one.name, target, one.side)

    def number(self, name: str, given: int, outcome: int) -> int:
        """The number of a probability."""
        place = self.classes.setdefault(name, len(self.classes))
        return (len(SIDES) * place + given) * outcomes(self.given) + outcome

    def patterns(self) -> dict[int, str]:
        """What to write beside choices: the side in the source and what becomes of it."""
        found = {}
        for name in self.classes:
            for given, side in enumerate(SIDES):
                for outcome in range(outcomes(self.given)):
                    if self.given == "source":
                        text = f"{name} {side} {MOVES[outcome]}"
                    else:
                        text = f"{name} {SIDES[outcome]}→{side}"
                    found[self.number(name, given, outcome)] = text
        return found

    def word(self, builder: ForestBuilder, word: Word, position: int) -> int:
        """The leaf of a word, or a choice of leaves."""
        targets = self.lexicon.targets(word.form, word.upos)
        leaves = [
            builder.add_leaf(self.code(replace(word, form=form)), token=position, word=form)
            for form, _ in targets
        ]
        if len(leaves) == 1:
            return leaves[0]
        return builder.add_node(
            [
                Choice((leaf,), log_weight=math.log(share))
                for leaf, (_, share) in zip(leaves, targets, strict=True)
            ],
            label=word.form,
        )

    def code(self, word: Word) -> int:
        text = seen(word, self.reads)
        return self.symbol(text.lower() if self.reads == "words" else text)
