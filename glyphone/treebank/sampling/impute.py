"""Imputation of trees, for dependencies and constituents: from forests and a text to trees.

>>> from glyphone.fst.forests.forest import Choice, ForestBuilder
>>> builder = ForestBuilder()
>>> a, n = builder.add_leaf(0), builder.add_leaf(1)
>>> forest = builder.build(builder.add_node([Choice((a, n), 0), Choice((n, a), 1)]))
>>> fair = Multinomials(np.ones(2), np.array([0, 2]))
>>> plan = ImputationPlan(way="best")
>>> imputation = impute({0: forest}, [[1, 0]] * 9, fair, n_symbols=2, plan=plan, refused=[])
>>> [tree for tree, _ in imputation.chosen[0]]
[(1,)]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from glyphone.data.errors import ItemError
from glyphone.fst.forests.automata import of_ngrams
from glyphone.fst.forests.composition_kernels import Automaton
from glyphone.fst.forests.forest import Forest
from glyphone.fst.forests.weighted import WeightedForest
from glyphone.fst.ngrams.smoothing import train
from glyphone.treebank.sampling.bigrams import Bigrams
from glyphone.treebank.sampling.chains import (
    Posterior,
    Refine,
    SamplingOptions,
    sample_posterior,
    sampling_failures,
)
from glyphone.treebank.sampling.checkpoint import Checkpoint
from glyphone.treebank.sampling.choosing import (
    Alike,
    Chosen,
    TreeChoice,
    Trees,
    best_trees,
    derivation_key,
    frequent_trees,
    merge_alike,
    random_trees,
)
from glyphone.treebank.sampling.multinomials import Multinomials

CodedLines = Sequence[Sequence[int]]


@dataclass(frozen=True, kw_only=True)
class ImputationPlan:
    """Options of sampling, of the language model, and of the trees that are chosen.

    The language model is an n-gram model of the text, or bigrams `refined` by the imputed trees.
    Each source tree becomes `n_trees` trees: the most frequent, randomly drawn ones, or the best
    under the means of the parameters.
    """

    options: SamplingOptions = field(default_factory=SamplingOptions)
    order: int = 2
    refined: bool = False
    way: TreeChoice = "frequent"
    n_trees: int = 1
    jobs: int = 1
    checkpoint: Checkpoint | None = None
    on_sweep: Callable[[], None] = lambda: None


@dataclass(frozen=True, eq=False)
class Imputation:
    """All sampled trees and the chosen trees of forests, by the numbers of the forests.

    `unseen` counts the words or tags of the first chosen trees that are not in the text.
    """

    posterior: Posterior
    trees: dict[int, Trees]
    chosen: dict[int, list[Chosen]]
    unseen: int


def impute(
    forests: Mapping[int, Forest],
    text: CodedLines,
    multinomials: Multinomials,
    *,
    n_symbols: int,
    plan: ImputationPlan,
    refused: list[ItemError],
    name: Callable[[int], str] = str,
    alike: Alike = derivation_key,
) -> Imputation:
    """Trees of all forests that can be sampled; errors for the others are added to `refused`.

    `name` gives the item of an error by the number of a forest.
    """
    automaton, refine = language_model(text, n_symbols=n_symbols, plan=plan)
    numbers, options = [*forests], plan.options
    reasons = sampling_failures(
        [*forests.values()], automaton, len(multinomials.prior), options.budget
    )
    for place, reason in sorted(reasons.items()):
        remedy = "leave it out, or write fewer rules for it"
        refused.append(ItemError(reason, item=name(numbers[place]), remedy=remedy))
    left = {n: forests[n] for place, n in enumerate(numbers) if place not in reasons}
    if not left:
        empty = ItemError("there is nothing to transfer", remedy="give a treebank")
        raise refused[0] if refused else empty
    posterior = sample_posterior(
        [*left.values()],
        automaton,
        multinomials,
        options,
        refine=refine,
        checkpoint=plan.checkpoint,
        jobs=plan.jobs,
        on_sweep=plan.on_sweep,
    )
    random = np.random.default_rng([options.seed, options.chains])
    log_params = np.log(posterior.params.mean(axis=(0, 1)))
    known = {code for line in text for code in line}
    sampled, chosen, unseen = dict[int, Trees](), dict[int, list[Chosen]](), 0
    for (number, forest), derived in zip(left.items(), posterior.trees, strict=True):
        sampled[number] = merge_alike(forest, derived, alike)
        if plan.way == "best":
            weighted = WeightedForest(forest, automaton, log_params)
            chosen[number] = best_trees(weighted, plan.n_trees, alike)
        elif plan.way == "sampled":
            chosen[number] = random_trees(sampled[number], plan.n_trees, random)
        else:
            chosen[number] = frequent_trees(sampled[number], plan.n_trees)
        leaves = forest.leaves_of(chosen[number][0][0])
        unseen += sum(code not in known for code in forest.symbols[leaves].tolist())
    return Imputation(posterior, sampled, chosen, unseen)


def language_model(
    text: CodedLines, *, n_symbols: int, plan: ImputationPlan
) -> tuple[Automaton, Refine | None]:
    """A smoothed model of all symbols (Witten and Bell 1991), or bigrams with their refinement."""
    if plan.refined:
        bigrams = Bigrams.of(text, n_symbols=n_symbols)
        return bigrams.mean_model(), bigrams.draw_model
    tokens = [code for line in text for code in line]
    offsets = np.cumsum([0, *map(len, text)])
    model = train(tokens, offsets, n_words=n_symbols, order=plan.order, smoothing="witten-bell")
    return of_ngrams(model), None
