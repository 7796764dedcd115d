"""Dependency trees as forests: all orders in which dependents keep their rank but not their side.

The forest of a tree has, around each word, the spine of its dependents (`glyphone.data.spines`):
each may stand on either side of what is nearer to the word. So a tree with n arcs has 2^n orders,
all of them without crossings, in a forest of 2n + 1 nodes. A choice has a pattern: the number of
a probability of the class of the dependent,

    given = "source":  P(side in the target | side in the source)
    given = "target":  P(side in the source | side in the target), as in Jansche (2005).

The second says nothing of how consistent a class is in the target: where the language model cannot
tell, a class is split. The first makes each move as likely as moves of its class have been, so that
a class moves as a whole or stays. A word that may become several has a choice for each, with its
probability.

>>> from glyphone.data.dependency_trees import Word
>>> words = (Word("rain", upos="N", head=2, deprel="nsubj"), Word("stops", upos="V", head=0))
>>> grammar = Grammar()
>>> forest = grammar.forest_of(Sentence(words))
>>> forest.n_trees(), grammar.classes, grammar.symbols
(2, {'nsubj(V)': 0}, {'rain': 0, 'stops': 1})
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal

from glyphone.data.dependency_classes import class_of
from glyphone.data.dependency_trees import Sentence, Word, root_of
from glyphone.data.spines import bottom_up, nesting
from glyphone.fst.forest import Choice, Forest, ForestBuilder
from glyphone.treebank.lexical import Lexicon

Reads = Literal["words", "tags"]
Given = Literal["source", "target"]

READS: tuple[Reads, ...] = ("words", "tags")
GIVEN: tuple[Given, ...] = ("source", "target")
LEFT, RIGHT = 0, 1
SIDES = ("left", "right")


@dataclass
class Grammar:
    """What forests of a treebank share: numbers of classes and symbols, which grow as they are met.

    The language model reads the words of the target in small letters, or tags. Classes in `fixed`
    keep their side.
    """

    reads: Reads = "words"
    lexicon: Lexicon = field(default_factory=lambda: Lexicon({}))
    fixed: Collection[str] = ()
    given: Given = "source"
    classes: dict[str, int] = field(default_factory=dict)
    symbols: dict[str, int] = field(default_factory=dict)

    def symbol(self, text: str) -> int:
        return self.symbols.setdefault(text, len(self.symbols))

    def forest_of(self, sentence: Sentence) -> Forest:
        """The forest of a tree; tokens are positions of its words."""
        builder, ranks, nodes = ForestBuilder(), nesting(sentence), dict[int, int]()
        for position in bottom_up(sentence):
            node = self.word(builder, sentence.words[position], position)
            for dependent in ranks[position]:
                name = class_of(sentence, dependent)
                side = RIGHT if dependent > position else LEFT
                below = nodes[dependent]
                choices = [
                    Choice((below, node), self.pattern(name, target=LEFT, source=side)),
                    Choice((node, below), self.pattern(name, target=RIGHT, source=side)),
                ]
                if name in self.fixed:
                    choices = [choices[side]]
                node = builder.node(choices, label=name)
            nodes[position] = node
        return builder.build(nodes[root_of(sentence) - 1])

    def pattern(self, name: str, *, target: int, source: int) -> int:
        """The number of a side in one language, given that in the other, for a class."""
        given, other = (source, target) if self.given == "source" else (target, source)
        return 4 * self.classes.setdefault(name, len(self.classes)) + 2 * given + other

    def patterns(self) -> dict[int, str]:
        """What to write beside choices: the side of the target, behind that of the source."""
        return {
            self.pattern(name, target=target, source=source): (
                f"{name} {SIDES[source]}→{SIDES[target]}"
            )
            for name in self.classes
            for source in range(2)
            for target in range(2)
        }

    def word(self, builder: ForestBuilder, word: Word, position: int) -> int:
        """The leaf of a word, or a choice of leaves."""
        targets = self.lexicon.targets(word.form, word.upos)
        leaves = [
            builder.leaf(self.code(form, word.upos), token=position, word=form)
            for form, _ in targets
        ]
        if len(leaves) == 1:
            return leaves[0]
        return builder.node(
            [
                Choice((leaf,), log_weight=math.log(share))
                for leaf, (_, share) in zip(leaves, targets, strict=True)
            ],
            label=word.form,
        )

    def code(self, form: str, tag: str) -> int:
        return self.symbol(tag if self.reads == "tags" else form.lower())
