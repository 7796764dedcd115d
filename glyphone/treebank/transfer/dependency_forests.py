"""Forests of dependency trees: all orders in which dependents may stand on other sides.

The forest of a tree has, around each word, the spine of its dependents
(`glyphone.data.treebanks.spines`): each dependent may stand on either side of the word and of the
dependents that are nearer to it. One of two or more dependents may also become the nearest: a
subject that moves behind its verb may stand before the object. No order has crossings; some have
several derivations. The pattern of a choice is the number of a probability of the class of the
dependent,

    given = "source":  P(move | side in the source); the dependent stays, crosses to the other side,
                       crosses and becomes the nearest, stays and becomes the nearest, or, if its
                       class may be `dropped`, is left out with all words below it
    given = "target":  P(side in the source | side in the target), as in Jansche (2005), without
                       other ranks, so that a tree with n arcs has 2^n orders

The second does not make a class consistent in the target: where the language model is undecided, a
class is split. The first makes each move as likely as moves of its class have been, so that a class
moves as a whole or stays. A word with several translations has a choice for each, with its
probability.

>>> from glyphone.data.treebanks.dependencies import Word
>>> words = (Word("rain", upos="N", head=2, deprel="nsubj"), Word("stops", upos="V", head=0))
>>> grammar = DependencyGrammar()
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
from glyphone.treebank.transfer.lexical import BilingualLexicon
from glyphone.treebank.transfer.word_classes import Reads, word_class

Given = Literal["source", "target"]

GIVEN: tuple[Given, ...] = ("source", "target")
LEFT, RIGHT = 0, 1
SIDES = ("left", "right")
STAYS, CROSSES, CROSSES_NEAR, NEARER, DROPPED = range(5)
MOVES = ("stays", "crosses", "crosses, nearest", "stays, nearest", "dropped")


def outcome_count(given: Given) -> int:
    """The count of moves, or of sides, that a dependent on a given side may have."""
    return len(MOVES) if given == "source" else len(SIDES)


def right_mask(given: Given) -> NDArray[np.bool_]:
    """A mask of the outcomes with the dependent on the right; a row for each given side."""
    if given == "target":
        return np.array([[False, False], [True, True]])
    return np.array([[False, True, True, False, False], [True, False, False, True, False]])


def unmoved_mask(given: Given) -> NDArray[np.bool_]:
    """A mask of the outcomes with the dependent in its place of the source, by given side."""
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
class DependencyGrammar:
    """Numbers of classes and symbols that the forests of a treebank share; forests add new ones.

    The language model reads words of the target in small letters, or classes of words. Classes of
    dependents in `fixed` keep their side; classes in `dropped` may be left out.
    """

    reads: Reads = "words"
    lexicon: BilingualLexicon = field(default_factory=lambda: BilingualLexicon({}))
    fixed: Collection[str] = ()
    given: Given = "source"
    classes: dict[str, int] = field(default_factory=dict)
    symbols: dict[str, int] = field(default_factory=dict)
    dropped: Collection[str] = ()

    def symbol_code(self, text: str) -> int:
        return self.symbols.setdefault(text, len(self.symbols))

    def multinomials(self, strength: float) -> Multinomials:
        """A multinomial for each class and side, with the prior `strength` of staying in place.

        >>> grammar = DependencyGrammar(classes={"det": 0})
        >>> grammar.multinomials(9.0).prior.tolist()
        [9.0, 1.0, 1.0, 1.0, 0.0, 9.0, 1.0, 1.0, 1.0, 0.0]
        """
        rows = np.where(unmoved_mask(self.given), strength, 1.0)
        prior = np.tile(rows, (len(self.classes), 1, 1))
        if self.given == "source":
            prior[[name not in self.dropped for name in self.classes], :, DROPPED] = 0.0
        offsets = np.arange(0, prior.size + 1, outcome_count(self.given))
        return Multinomials(prior.ravel(), offsets)

    def forest_of(self, sentence: Sentence) -> Forest:
        """The forest of a tree; its tokens are positions of words in the sentence."""
        builder, ranks, nodes = ForestBuilder(), ranked_dependents(sentence), dict[int, int]()
        for position in positions_bottom_up(sentence):
            word = self.add_word(builder, sentence.words[position], position)
            dependents = [
                Dependent(
                    class_of(sentence, place), nodes[place], RIGHT if place > position else LEFT
                )
                for place in ranks[position]
            ]
            tops = [self.add_spine(builder, word, dependents)]
            if self.given == "source":
                for rank, one in enumerate(dependents):
                    if rank and one.name not in self.fixed:
                        node = self.add_nearest(builder, word, one)
                        others = dependents[:rank] + dependents[rank + 1 :]
                        tops.append(self.add_spine(builder, node, others))
            nodes[position] = (
                tops[0] if len(tops) == 1 else builder.add_node([Choice((top,)) for top in tops])
            )
        return builder.build(nodes[root_of(sentence) - 1])

    def add_spine(self, builder: ForestBuilder, node: int, dependents: Sequence[Dependent]) -> int:
        """Adds dependents around a node, the nearest first, each on one side or the other."""
        for one in dependents:
            choices = [
                Choice((one.node, node), self.side_pattern(one, target=LEFT)),
                Choice((node, one.node), self.side_pattern(one, target=RIGHT)),
            ]
            if one.name in self.fixed:
                choices = [choices[one.side]]
            if one.name in self.dropped:
                choices.append(Choice((node,), self.pattern_number(one.name, one.side, DROPPED)))
            node = builder.add_node(choices, label=one.name)
        return node

    def add_nearest(self, builder: ForestBuilder, word: int, one: Dependent) -> int:
        """Adds a dependent as the nearest of a word, in place of another dependent."""
        orders = [(one.node, word), (word, one.node)]
        choices = [
            Choice(orders[one.side], self.pattern_number(one.name, one.side, NEARER)),
            Choice(orders[1 - one.side], self.pattern_number(one.name, one.side, CROSSES_NEAR)),
        ]
        return builder.add_node(choices, label=one.name)

    def side_pattern(self, one: Dependent, *, target: int) -> int:
        """The pattern of a dependent that keeps its rank, on a side in the target."""
        if self.given == "source":
            move = STAYS if target == one.side else CROSSES
            return self.pattern_number(one.name, one.side, move)
        return self.pattern_number(one.name, target, one.side)

    def pattern_number(self, name: str, given: int, outcome: int) -> int:
        """The number of the probability of an outcome for a class and a given side."""
        place = self.classes.setdefault(name, len(self.classes))
        return (len(SIDES) * place + given) * outcome_count(self.given) + outcome

    def pattern_names(self) -> dict[int, str]:
        """Names of patterns: class, side in the source, and move or side in the target."""
        names = {}
        for name in self.classes:
            for given, side in enumerate(SIDES):
                for outcome in range(outcome_count(self.given)):
                    if self.given == "source":
                        text = f"{name} {side} {MOVES[outcome]}"
                    else:
                        text = f"{name} {SIDES[outcome]}→{side}"
                    names[self.pattern_number(name, given, outcome)] = text
        return names

    def add_word(self, builder: ForestBuilder, word: Word, position: int) -> int:
        """Adds the leaf of a word, or a choice of leaves of its translations."""
        targets = self.lexicon.targets(word.form, word.upos)
        leaves = [
            builder.add_leaf(self.word_code(replace(word, form=form)), token=position, word=form)
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

    def word_code(self, word: Word) -> int:
        text = word_class(word, self.reads)
        return self.symbol_code(text.lower() if self.reads == "words" else text)
