"""A dependency treebank taken to another language: its trees, in words and orders of that.

>>> from glyphone.data.dependency_trees import Word
>>> words = (Word("viene", upos="V", head=0, deprel="root"),
...          Word("Ana", upos="N", head=1, deprel="nsubj"))
>>> lexicon = Lexicon({"viene": (("comes", 1.0),)})
>>> text = [["Eva", "comes"], ["Ana", "sleeps"], ["Ana", "comes"]]
>>> options = SamplingOptions(iterations=20, strength=1.0)
>>> result = transfer([Sentence(words)], text, grammar=Grammar(lexicon=lexicon), options=options)
>>> [word.form for word in result.sentences[0].words], result.unseen
(['Ana', 'comes'], 0)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from glyphone.data.dependency_trees import Sentence
from glyphone.data.errors import ItemError
from glyphone.data.punctuation import but_punctuation, without_punctuation
from glyphone.data.spines import projective_order
from glyphone.fst.forest import Forest
from glyphone.fst.forest_automata import of_ngrams
from glyphone.fst.forest_kernels import Automaton
from glyphone.fst.smoothing import train
from glyphone.treebank.checkpoint import Checkpoint
from glyphone.treebank.choosing import Chosen, Trees, Way, at_random, best, by_order, frequent
from glyphone.treebank.constructions import RIGHT, orders_of
from glyphone.treebank.dependency_forests import Grammar
from glyphone.treebank.imputed import imputed
from glyphone.treebank.lexical import Lexicon as Lexicon
from glyphone.treebank.nearness import strength_of
from glyphone.treebank.refining import Bigrams
from glyphone.treebank.sampling import (
    Estimate,
    Posterior,
    SamplingOptions,
    Unsampled,
    sample,
)

# A side with a higher posterior is not in doubt.
CERTAIN = 0.995
NUMBERED = "sentence {}"


@dataclass(frozen=True)
class ClassRow:
    """A class of dependents, how many there are, and the share of them on the right-hand side."""

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
    source: Sequence[Sentence],
    text: Sequence[Sequence[str]],
    *,
    grammar: Grammar,
    options: SamplingOptions,
    order: int = 2,
    refined: bool = False,
    way: Way = "frequent",
    n_trees: int = 1,
    checkpoint: Checkpoint | None = None,
    on_sweep: Callable[[], None] = lambda: None,
) -> Result:
    """Trees of the target; `text` has its words or tags.

    The language model is an n-gram model of the text, or bigrams `refined` by the imputed trees.
    Where the options do not say how firmly the order of the source is believed, the text does.
    Each sentence becomes `n_trees`: the most frequent ones, some that were sampled, or the best
    under the means of the parameters.
    """
    sentences, forests, refused = forests_of(source, grammar)
    bare = [without_punctuation(sentence) for sentence in sentences]
    lines = coded(text, grammar)
    if options.strength is None and forests:
        told = [symbols_of(forest) for forest in forests]
        near = strength_of(told, lines, n_symbols=len(grammar.symbols))
        options = replace(options, strength=near)
    refine = None
    if refined:
        bigrams = Bigrams.of(lines, n_symbols=len(grammar.symbols))
        automaton, refine = bigrams.mean(), bigrams.draw
    else:
        automaton = language_model(lines, n_symbols=len(grammar.symbols), order=order)
    while forests:
        try:
            posterior = sample(
                forests,
                automaton,
                len(grammar.classes),
                options,
                given=grammar.given,
                refine=refine,
                checkpoint=checkpoint,
                on_sweep=on_sweep,
            )
            break
        except Unsampled as unsampled:
            for number in sorted(unsampled.reasons, reverse=True):
                refused.append(_refusal(sentences[number], unsampled.reasons[number]))
                del forests[number], sentences[number], bare[number]
    else:
        remedy = "mend the first of these errors" if refused else "give a treebank"
        raise refused[0] if refused else ItemError("there is nothing to transfer", remedy=remedy)
    random = np.random.default_rng([options.seed, options.chains])
    log_sides = np.log(posterior.sides)
    made, leaves = [], []
    for sentence, plain, forest, derived in zip(
        sentences, bare, forests, posterior.trees, strict=True
    ):
        trees = by_order(forest, derived)
        if way == "best":
            chosen = best(forest, automaton, log_sides, n_trees)
        elif way == "sampled":
            chosen = at_random(trees, n_trees, random)
        else:
            chosen = frequent(trees, n_trees)
        for k, one in enumerate(chosen, 1):
            name = f"{sentence.id}-{k}" if n_trees > 1 and sentence.id else ""
            made.append(imputed_sentence(sentence, plain, forest, trees, one, name=name))
        leaves += forest.symbols[forest.leaves_of(chosen[0][0])].tolist()
    known = {code for line in lines for code in line}
    return Result(
        made,
        class_rows(bare, grammar, posterior),
        refused,
        len(leaves),
        sum(place != old for s in bare for place, old in enumerate(projective_order(s))),
        sum(leaf not in known for leaf in leaves),
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
) -> tuple[list[Sentence], list[Forest], list[ItemError]]:
    """Sentences with their forests, and refusals of the others."""
    sentences, forests, refused = [], [], []
    for number, sentence in enumerate(source, 1):
        try:
            forests.append(grammar.forest_of(without_punctuation(sentence)))
            sentences.append(sentence)
        except ItemError as error:
            error.item = sentence.id or NUMBERED.format(number)
            refused.append(error)
    return sentences, forests, refused


def _refusal(sentence: Sentence, reason: str) -> ItemError:
    remedy = "leave the sentence out, or fix classes whose order is known"
    return ItemError(reason, item=sentence.id or sentence.words[0].form, remedy=remedy)


def coded(text: Sequence[Sequence[str]], grammar: Grammar) -> list[list[int]]:
    """The numbers of symbols."""
    small = grammar.reads == "words"
    return [[grammar.symbol(one.lower() if small else one) for one in line] for line in text]


def language_model(lines: Sequence[Sequence[int]], *, n_symbols: int, order: int) -> Automaton:
    """An n-gram model (Witten and Bell 1991) of the text over all symbols, seen or not."""
    tokens = [code for line in lines for code in line]
    offsets = np.cumsum([0, *map(len, lines)])
    return of_ngrams(
        train(tokens, offsets, n_words=n_symbols, order=order, smoothing="witten-bell")
    )


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
            agree[position] += count * (side == own[position])
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
    """Whether each dependent stands on the right of its head in an order."""
    rank = {position: place for place, position in enumerate(order)}
    return {
        position: rank[position] > rank[word.head - 1]
        for position, word in enumerate(sentence.words)
        if word.head
    }


def class_rows(
    source: Sequence[Sentence], grammar: Grammar, posterior: Posterior
) -> list[ClassRow]:
    """Classes by their counts, with shares before and after."""
    counted = orders_of(source)
    rows = [
        ClassRow(
            name,
            counted[name].total(),
            counted[name][RIGHT] / counted[name].total(),
            posterior.estimate(number),
        )
        for name, number in grammar.classes.items()
        if name in counted
    ]
    return sorted(rows, key=lambda row: (-row.count, row.name))
