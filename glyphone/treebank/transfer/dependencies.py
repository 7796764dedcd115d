"""Transfer of a dependency treebank to another language: its trees, in words and orders of that.

>>> from glyphone.data.treebanks.dependencies import Word
>>> words = (Word("viene", upos="V", head=0, deprel="root"),
...          Word("Ana", upos="N", head=1, deprel="nsubj"))
>>> text = [["Eva", "comes"], ["Ana", "sleeps"], ["Ana", "comes"]]
>>> from glyphone.treebank.sampling.chains import SamplingOptions
>>> from glyphone.treebank.transfer.lexical import BilingualLexicon
>>> lexicon = BilingualLexicon({"viene": (("comes", 1.0),)})
>>> plan = ImputationPlan(options=SamplingOptions(iterations=20, strength=1.0))
>>> grammar = DependencyGrammar(lexicon=lexicon)
>>> result = transfer_dependencies([Sentence(words)], text, grammar=grammar, plan=plan)
>>> [word.form for word in result.sentences[0].words], result.unseen
(['Ana', 'comes'], 0)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import ItemError
from glyphone.data.treebanks.dependencies import Sentence
from glyphone.data.treebanks.punctuation import positions_of_words, without_punctuation
from glyphone.data.treebanks.spines import projective_order
from glyphone.fst.forests.forest import Forest
from glyphone.treebank.constructions import RIGHT, orders_of
from glyphone.treebank.sampling.chains import Posterior
from glyphone.treebank.sampling.choosing import Chosen, Trees, order_key
from glyphone.treebank.sampling.diagnostics import Estimate
from glyphone.treebank.sampling.impute import ImputationPlan, impute
from glyphone.treebank.transfer.dependency_forests import (
    DROPPED,
    SIDES,
    DependencyGrammar,
    right_mask,
)
from glyphone.treebank.transfer.imputed import make_sentence
from glyphone.treebank.transfer.nearness import strength_of

# A side with a higher posterior is not in doubt.
CERTAIN = 0.995
NUMBERED, LEFT_OUT = "sentence {}", "{}, dropped"
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ClassRow:
    """A class of dependents: its count, and the share on the right in the source and the target.

    A class that may be dropped has a second row, with the share that is dropped.
    """

    name: str
    count: int
    source_share: float
    estimate: Estimate


@dataclass(frozen=True)
class DependencyResult:
    """The imputed treebank, its classes of dependents, and counts of words.

    `refused` are errors of sentences that are left out. `moved` counts words that lost their place
    only because arcs crossed; `unseen` counts words or tags of the imputed trees that are not in
    the text.
    """

    sentences: list[Sentence]
    classes: list[ClassRow]
    refused: list[ItemError]
    words: int
    moved: int
    unseen: int


def transfer_dependencies(
    source: Sequence[Sentence],
    text: Sequence[Sequence[str]],
    *,
    grammar: DependencyGrammar,
    plan: ImputationPlan,
) -> DependencyResult:
    """Trees of the target language; `text` has sentences of its words or tags.

    A plan without a `strength` takes it from the text: see `nearness`.
    """
    sentences, forests, refused = build_forests(source, grammar)
    lines, strength = encode_text(text, grammar), plan.options.strength
    if strength is None and forests:
        source_lines = [symbols_of(forest) for forest in forests.values()]
        strength = strength_of(source_lines, lines, n_symbols=len(grammar.symbols))
    imputation = impute(
        forests,
        lines,
        grammar.multinomials(strength or 1.0),
        n_symbols=len(grammar.symbols),
        plan=plan,
        refused=refused,
        name=lambda number: sentences[number].id or NUMBERED.format(number),
        alike=order_key,
    )
    imputed, words = [], 0
    bare = {number: without_punctuation(sentences[number]) for number in imputation.chosen}
    for number, chosen in imputation.chosen.items():
        sentence, forest = sentences[number], forests[number]
        for k, tree in enumerate(chosen, 1):
            name = f"{sentence.id}-{k}" if plan.n_trees > 1 and sentence.id else ""
            trees = imputation.trees[number]
            imputed.append(imputed_sentence(sentence, bare[number], forest, trees, tree, name=name))
        words += len(forest.leaves_of(chosen[0][0]))
    return DependencyResult(
        imputed,
        class_rows([*bare.values()], grammar, imputation.posterior),
        refused,
        words,
        sum(place != old for s in bare.values() for place, old in enumerate(projective_order(s))),
        imputation.unseen,
    )


def symbols_of(forest: Forest) -> list[int]:
    """The symbols of the first translations of the words of a source sentence, in its order."""
    symbols: dict[int, int] = {}
    for token, symbol in zip(forest.tokens.tolist(), forest.symbols.tolist(), strict=True):
        if token >= 0:
            symbols.setdefault(token, symbol)
    return [symbols[token] for token in sorted(symbols)]


def build_forests(
    source: Sequence[Sentence], grammar: DependencyGrammar
) -> tuple[dict[int, Sentence], dict[int, Forest], list[ItemError]]:
    """Sentences and their forests by number, and errors for sentences without a forest."""
    sentences, forests, refused = {}, {}, []
    for number, sentence in enumerate(source, 1):
        try:
            forests[number] = grammar.forest_of(without_punctuation(sentence))
            sentences[number] = sentence
        except ItemError as error:
            error.item = sentence.id or NUMBERED.format(number)
            refused.append(error)
    return sentences, forests, refused


def encode_text(text: Sequence[Sequence[str]], grammar: DependencyGrammar) -> list[list[int]]:
    """The numbers of the words or tags of a text."""
    small = grammar.reads == "words"
    return [[grammar.symbol_code(x.lower() if small else x) for x in line] for line in text]


def imputed_sentence(
    sentence: Sentence, bare: Sentence, forest: Forest, trees: Trees, chosen: Chosen, *, name: str
) -> Sentence:
    """The sentence of a chosen tree; sides that are in doubt have their posterior."""
    kept = positions_of_words(sentence)
    tree, frequency = chosen
    leaves = forest.leaves_of(tree)
    order = [int(forest.tokens[leaf]) for leaf in leaves]
    own = sides_of(bare, order)
    agree = Counter[int]()
    for other, count in trees.items():
        tokens = [int(forest.tokens[leaf]) for leaf in forest.leaves_of(other)]
        for position, side in sides_of(bare, tokens).items():
            agree[position] += count * (side == own.get(position))
    shares = {position: agree[position] / trees.total() for position in own}
    return make_sentence(
        sentence,
        [kept[place] for place in order],
        frequency=frequency,
        forms={kept[place]: forest.words[leaf] for place, leaf in zip(order, leaves, strict=True)},
        sides={kept[place]: share for place, share in shares.items() if share < CERTAIN},
        name=name,
    )


def sides_of(sentence: Sentence, order: Sequence[int]) -> dict[int, bool]:
    """For each dependent that an order has with its head: whether it is on the right."""
    rank = {position: place for place, position in enumerate(order)}
    return {
        position: rank[position] > rank[word.head - 1]
        for position, word in enumerate(sentence.words)
        if word.head and position in rank
    }


def class_rows(
    source: Sequence[Sentence], grammar: DependencyGrammar, posterior: Posterior
) -> list[ClassRow]:
    """Rows of classes, the largest first, with shares in the source and their posteriors."""
    orders = orders_of(source)
    right, dropped = shares_of(grammar, posterior.counts)
    rows = []
    for name, number in grammar.classes.items():
        if name in orders:
            total = orders[name].total()
            share_before = orders[name][RIGHT] / total
            rows.append(ClassRow(name, total, share_before, Estimate.of(right[:, :, number])))
            if name in grammar.dropped:
                share = Estimate.of(dropped[:, :, number])
                rows.append(ClassRow(LEFT_OUT.format(name), total, 0.0, share))
    return sorted(rows, key=lambda row: (-row.count, row.name))


def shares_of(grammar: DependencyGrammar, counts: Floats) -> tuple[Floats, Floats]:
    """Shares on the right and shares dropped of each class, from counts by pattern."""
    moves = counts.reshape(*counts.shape[:2], len(grammar.classes), len(SIDES), -1)
    dropped = moves[..., DROPPED].sum(axis=3) if grammar.given == "source" else 0.0
    totals = moves.sum(axis=(3, 4))
    right = (moves * right_mask(grammar.given)).sum(axis=(3, 4))
    return right / np.maximum(totals - dropped, 1), dropped / np.maximum(totals, 1)
