"""A dependency treebank taken to another language: its trees, in words and orders of that.

>>> from glyphone.data.treebanks.dependencies import Word
>>> words = (Word("viene", upos="V", head=0, deprel="root"),
...          Word("Ana", upos="N", head=1, deprel="nsubj"))
>>> lexicon = Lexicon({"viene": (("comes", 1.0),)})
>>> text = [["Eva", "comes"], ["Ana", "sleeps"], ["Ana", "comes"]]
>>> from glyphone.treebank.sampling.chains import SamplingOptions
>>> plan = Plan(options=SamplingOptions(iterations=20, strength=1.0))
>>> result = transfer([Sentence(words)], text, grammar=Grammar(lexicon=lexicon), plan=plan)
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
from glyphone.data.treebanks.punctuation import but_punctuation, without_punctuation
from glyphone.data.treebanks.spines import projective_order
from glyphone.fst.forests.forest import Forest
from glyphone.treebank.constructions import RIGHT, orders_of
from glyphone.treebank.sampling.chains import Posterior
from glyphone.treebank.sampling.choosing import Chosen, Trees, by_order
from glyphone.treebank.sampling.diagnostics import Estimate
from glyphone.treebank.sampling.impute import Plan, impute
from glyphone.treebank.transfer.dependency_forests import DROPPED, SIDES, Grammar, on_the_right
from glyphone.treebank.transfer.imputed import imputed
from glyphone.treebank.transfer.lexical import Lexicon as Lexicon
from glyphone.treebank.transfer.nearness import strength_of

# A side with a higher posterior is not in doubt.
CERTAIN = 0.995
NUMBERED, LEFT_OUT = "sentence {}", "{}, dropped"
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ClassRow:
    """A class of dependents, how many there are, and the share of them on the right-hand side.

    Of a class that may be dropped there is a second row, with the share that is.
    """

    name: str
    count: int
    source_share: float
    estimate: Estimate


@dataclass(frozen=True)
class Result:
    """The imputed treebank, and what is to be told of it.

    `refused` are sentences left out, by name; `moved` words are not where they were in the source
    even if every dependent stays on its side, because arcs crossed; `unseen` words or tags of the
    imputed trees are not in the text.
    """

    sentences: list[Sentence]
    classes: list[ClassRow]
    refused: list[ItemError]
    words: int
    moved: int
    unseen: int


def transfer(
    source: Sequence[Sentence], text: Sequence[Sequence[str]], *, grammar: Grammar, plan: Plan
) -> Result:
    """Trees of the target; `text` has its words or tags.

    Where the plan does not say how firmly the order of the source is believed, the text does.
    """
    sentences, forests, refused = forests_of(source, grammar)
    lines, strength = coded(text, grammar), plan.options.strength
    if strength is None and forests:
        told = [symbols_of(forest) for forest in forests.values()]
        strength = strength_of(told, lines, n_symbols=len(grammar.symbols))
    found = impute(
        forests,
        lines,
        grammar.multinomials(strength or 1.0),
        n_symbols=len(grammar.symbols),
        plan=plan,
        refused=refused,
        name=lambda number: sentences[number].id or NUMBERED.format(number),
        alike=by_order,
    )
    made, words = [], 0
    bare = {number: without_punctuation(sentences[number]) for number in found.chosen}
    for number, chosen in found.chosen.items():
        sentence, forest = sentences[number], forests[number]
        for k, one in enumerate(chosen, 1):
            name = f"{sentence.id}-{k}" if plan.n_trees > 1 and sentence.id else ""
            trees = found.trees[number]
            made.append(imputed_sentence(sentence, bare[number], forest, trees, one, name=name))
        words += len(forest.leaves_of(chosen[0][0]))
    return Result(
        made,
        class_rows([*bare.values()], grammar, found.posterior),
        refused,
        words,
        sum(place != old for s in bare.values() for place, old in enumerate(projective_order(s))),
        found.unseen,
    )


def symbols_of(forest: Forest) -> list[int]:
    """The symbols of a source sentence, of each word its first translation, in their order."""
    found: dict[int, int] = {}
    for token, symbol in zip(forest.tokens.tolist(), forest.symbols.tolist(), strict=True):
        if token >= 0:
            found.setdefault(token, symbol)
    return [found[token] for token in sorted(found)]


def forests_of(
    source: Sequence[Sentence], grammar: Grammar
) -> tuple[dict[int, Sentence], dict[int, Forest], list[ItemError]]:
    """Sentences with their forests, by number, and refusals of the others."""
    sentences, forests, refused = {}, {}, []
    for number, sentence in enumerate(source, 1):
        try:
            forests[number] = grammar.forest_of(without_punctuation(sentence))
            sentences[number] = sentence
        except ItemError as error:
            error.item = sentence.id or NUMBERED.format(number)
            refused.append(error)
    return sentences, forests, refused


def coded(text: Sequence[Sequence[str]], grammar: Grammar) -> list[list[int]]:
    """The numbers of symbols."""
    small = grammar.reads == "words"
    return [[grammar.symbol(one.lower() if small else one) for one in line] for line in text]


def imputed_sentence(
    sentence: Sentence, bare: Sentence, forest: Forest, trees: Trees, chosen: Chosen, *, name: str
) -> Sentence:
    """A tree, with the posteriors of sides among all sampled ones where these are in doubt."""
    kept = but_punctuation(sentence)
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
    return imputed(
        sentence,
        [kept[place] for place in order],
        frequency=frequency,
        forms={kept[place]: forest.words[leaf] for place, leaf in zip(order, leaves, strict=True)},
        sides={kept[place]: share for place, share in shares.items() if share < CERTAIN},
        name=name,
    )


def sides_of(sentence: Sentence, order: Sequence[int]) -> dict[int, bool]:
    """Whether each dependent stands on the right of its head in an order that has both."""
    rank = {position: place for place, position in enumerate(order)}
    return {
        position: rank[position] > rank[word.head - 1]
        for position, word in enumerate(sentence.words)
        if word.head and position in rank
    }


def class_rows(
    source: Sequence[Sentence], grammar: Grammar, posterior: Posterior
) -> list[ClassRow]:
    """Classes by their counts, with shares before and after."""
    counted = orders_of(source)
    right, dropped = shares_of(grammar, posterior.counts)
    rows = []
    for name, number in grammar.classes.items():
        if name in counted:
            total, before = counted[name].total(), counted[name][RIGHT] / counted[name].total()
            rows.append(ClassRow(name, total, before, Estimate.of(right[:, :, number])))
            if name in grammar.dropped:
                share = Estimate.of(dropped[:, :, number])
                rows.append(ClassRow(LEFT_OUT.format(name), total, 0.0, share))
    return sorted(rows, key=lambda row: (-row.count, row.name))


def shares_of(grammar: Grammar, counts: Floats) -> tuple[Floats, Floats]:
    """Of counts by pattern: of each class the share on the right, and what is left out of all."""
    moves = counts.reshape(*counts.shape[:2], len(grammar.classes), len(SIDES), -1)
    dropped = moves[..., DROPPED].sum(axis=3) if grammar.given == "source" else 0.0
    totals = moves.sum(axis=(3, 4))
    right = (moves * on_the_right(grammar.given)).sum(axis=(3, 4))
    return right / np.maximum(totals - dropped, 1), dropped / np.maximum(totals, 1)
