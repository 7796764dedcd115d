"""Letter-to-sound by one tree over the slots of a word (Jansche 2001), and how right it is.

Words are aligned one to one with an empty slot before each letter and behind the last; every slot
and letter is a row, its window of letters, and a class, what is written there or nothing. Accuracy
is that of rows; precision and recall are of rows whose class is something, predicted or true; word
accuracy compares whole answers and needs no alignment. Counts come from the training words alone.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels import jit
from glyphone.data.records import Pair, Symbols
from glyphone.fst.alignment.training import (
    ONE_TO_ONE,
    AlignmentModel,
    AlignmentOptions,
    fit,
    slot_outputs,
)
from glyphone.learners.trees import applying_kernels
from glyphone.learners.trees.arrays import Tree
from glyphone.learners.trees.growing import GrowingOptions, grow_tree
from glyphone.learners.trees.letter_windows import slot_windows

Array = Any
NOTHING = ""
# The paper's alignment: from counts of symbols that meet, not improved by rounds of EM.
BAG = replace(ONE_TO_ONE, rounds=0)
BAG_WITH_RULES = replace(BAG, weights=(0.9, 0.09, 0.01))
# Quinlan's C4.5: groups of values, gain ratio, two rows a leaf, pessimistic pruning by a quarter.
C45 = GrowingOptions(criterion="gain_ratio", splits="subsets", min_leaf=2, confidence=0.25)


@dataclass(frozen=True)
class Aligned:
    """Words with what each of their slots writes; what has no alignment is left out."""

    pairs: tuple[Pair, ...]
    written: tuple[Symbols, ...]

    @classmethod
    def by(cls, model: AlignmentModel, pairs: Sequence[Pair]) -> Aligned:
        found, _, _ = model.one_to_one_all(pairs)
        kept = [
            (pair, slot_outputs(a)) for pair, a in zip(pairs, found, strict=True) if a is not None
        ]
        return cls(tuple(pair for pair, _ in kept), tuple(row for _, row in kept))


@dataclass(frozen=True, kw_only=True)
class SlotTree:
    """A tree, and the letters and classes that it knows."""

    tree: Tree
    size: int
    letters: dict[str, int]
    classes: Symbols

    @classmethod
    def of(cls, training: Aligned, size: int, options: GrowingOptions) -> SlotTree:
        """A tree for windows of so many letters on each side."""
        symbols = sorted({letter for pair in training.pairs for letter in pair.source})
        letters = {letter: code for code, letter in enumerate(symbols, 1)}
        classes = sorted({symbol for row in training.written for symbol in row})
        numbers = {symbol: number for number, symbol in enumerate(classes)}
        gold = np.array([numbers[symbol] for row in training.written for symbol in row], np.int32)
        codes = windows([pair.source for pair in training.pairs], letters, size)
        # Edge, letters, the empty symbol, and one code for letters that were not seen.
        widths = np.full(codes.shape[1], len(letters) + 3)
        tree = grow_tree(codes, gold, widths, len(classes), options=options)
        return cls(tree=tree, size=size, letters=letters, classes=tuple(classes))

    def write(self, words: Sequence[Symbols]) -> list[Symbols]:
        """The symbols at each slot of each word."""
        codes = windows(words, self.letters, self.size)
        found = self.tree.decisions[
            jit.tier(applying_kernels, codes.size).end_nodes(self.tree, codes)
        ]
        symbols = np.array(self.classes, object)[found].tolist()
        cuts = np.cumsum([0, *(2 * len(word) + 1 for word in words)]).tolist()
        return [tuple(symbols[a:b]) for a, b in pairwise(cuts)]

    def kilobytes(self) -> float:
        """The memory of questions, branches and decisions."""
        tree = self.tree
        return (tree.nodes.nbytes + tree.decisions.nbytes + tree.tables.nbytes) / 1024


class Scores(NamedTuple):
    """Percentages."""

    accuracy: float
    precision: float
    recall: float
    words: float


def windows(words: Sequence[Symbols], letters: dict[str, int], size: int) -> Array:
    """The rows of words; letters that are not known share the code behind the empty symbol's."""
    empty = len(letters) + 1
    labels = np.array([letters.get(x, empty + 1) for word in words for x in word], np.int32)
    bounds = np.cumsum([0, *map(len, words)])
    return slot_windows(labels, bounds, left=size, right=size, empty=empty)


def answers(written: Sequence[Symbols]) -> list[Symbols]:
    """Slots as whole answers; a slot may hold several symbols, parted by spaces."""
    return [tuple(symbol for slot in row for symbol in slot.split()) for row in written]


def scores(tree: SlotTree, test: Aligned, answered: Sequence[Pair], gold: Sequence[Pair]) -> Scores:
    """By slots of the aligned words, and by whole answers beside what they should be."""
    found = tree.write([pair.source for pair in test.pairs])
    true = np.array([symbol for row in test.written for symbol in row], object)
    guess = np.array([symbol for row in found for symbol in row], object)
    right, both = guess == true, float(((guess == true) & (true != NOTHING)).sum())
    said, wanted = int((guess != NOTHING).sum()), int((true != NOTHING).sum())
    words = [one.target == other.target for one, other in zip(answered, gold, strict=True)]
    parts = right.mean(), both / max(1, said), both / max(1, wanted), np.mean(words)
    return Scores(*(100 * float(part) for part in parts))


@dataclass(frozen=True)
class Row:
    """A line of a table, and what the tree answers for the test words."""

    scores: Scores
    nodes: int
    kilobytes: float
    seconds: float
    answers: list[Pair]


def experiment(
    training: Sequence[Pair],
    test: Sequence[Pair],
    *,
    size: int,
    rules: Sequence[Pair] = (),
    alignment: AlignmentOptions = ONE_TO_ONE,
    growing: GrowingOptions = C45,
) -> Row:
    """Align, train, apply; seconds are of CPU time and for all of it."""
    began = time.process_time()
    model = fit(training, alignment, rule_pairs=rules)
    tree = SlotTree.of(Aligned.by(model, training), size, growing)
    words = [pair.source for pair in test]
    answered = list(map(Pair, words, answers(tree.write(words))))
    found = scores(tree, Aligned.by(model, test), answered, test)
    seconds = time.process_time() - began
    return Row(found, len(tree.tree.nodes), tree.kilobytes(), seconds, answered)
