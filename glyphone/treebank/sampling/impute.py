"""What transfers of dependencies and of constituents share: forests and a text in, trees out.

>>> from glyphone.fst.forests.forest import Choice, ForestBuilder
>>> builder = ForestBuilder()
>>> a, n = builder.add_leaf(0), builder.add_leaf(1)
>>> forest = builder.build(builder.add_node([Choice((a, n), 0), Choice((n, a), 1)]))
>>> fair = Multinomials(np.ones(2), np.array([0, 2]))
>>> plan = Plan(way="best")
>>> found = impute({0: forest}, [[1, 0]] * 9, fair, n_symbols=2, plan=plan, refused=[])
>>> [tree for tree, _ in found.chosen[0]]
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
from glyphone.treebank.sampling.chains import Posterior, Refine, SamplingOptions, sample, unsampled
from glyphone.treebank.sampling.checkpoint import Checkpoint
from glyphone.treebank.sampling.choosing import (
    Alike,
    Chosen,
    Trees,
    Way,
    at_random,
    best,
    by_choices,
    frequent,
    together,
)
from glyphone.treebank.sampling.multinomials import Multinomials

Lines = Sequence[Sequence[int]]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How to sample, and what to make of it.

    The language model is an n-gram model of the text, or bigrams `refined` by the imputed trees.
    Each source tree becomes `n_trees`: the most frequent ones, some that were sampled, or the best
    under the means of the parameters.
    """

    options: SamplingOptions = field(default_factory=SamplingOptions)
    order: int = 2
    refined: bool = False
    way: Way = "frequent"
    n_trees: int = 1
    jobs: int = 1
    checkpoint: Checkpoint | None = None
    on_sweep: Callable[[], None] = lambda: None


@dataclass(frozen=True, eq=False)
class Imputation:
    """Of forests by number, all sampled trees and those that are chosen.

    `unseen` words or tags of the first tree of each are not in the text.
    """

    posterior: Posterior
    trees: dict[int, Trees]
    chosen: dict[int, list[Chosen]]
    unseen: int


def impute(
    forests: Mapping[int, Forest],
    text: Lines,
    multinomials: Multinomials,
    *,
    n_symbols: int,
    plan: Plan,
    refused: list[ItemError],
    name: Callable[[int], str] = str,
    alike: Alike = by_choices,
) -> Imputation:
    """Trees of all forests but those that cannot be sampled: these are `refused`, by `name`."""
    automaton, refine = language_model(text, n_symbols=n_symbols, plan=plan)
    numbers, options = [*forests], plan.options
    reasons = unsampled([*forests.values()], automaton, len(multinomials.prior), options.budget)
    for place, reason in sorted(reasons.items()):
        remedy = "leave it out, or let fewer things differ"
        refused.append(ItemError(reason, item=name(numbers[place]), remedy=remedy))
    left = {n: forests[n] for place, n in enumerate(numbers) if place not in reasons}
    if not left:
        remedy = "mend the first of these errors" if refused else "give a treebank"
        raise refused[0] if refused else ItemError("there is nothing to transfer", remedy=remedy)
    posterior = sample(
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
        trees = sampled[number] = together(forest, derived, alike)
        if plan.way == "best":
            weighted = WeightedForest(forest, automaton, log_params)
            chosen[number] = best(weighted, plan.n_trees, alike)
        elif plan.way == "sampled":
            chosen[number] = at_random(trees, plan.n_trees, random)
        else:
            chosen[number] = frequent(trees, plan.n_trees)
        leaves = forest.leaves_of(chosen[number][0][0])
        unseen += sum(code not in known for code in forest.symbols[leaves].tolist())
    return Imputation(posterior, sampled, chosen, unseen)


def language_model(text: Lines, *, n_symbols: int, plan: Plan) -> tuple[Automaton, Refine | None]:
    """Of all symbols, seen or not (Witten and Bell 1991), or one that trees refine."""
    if plan.refined:
        bigrams = Bigrams.of(text, n_symbols=n_symbols)
        return bigrams.mean(), bigrams.draw
    tokens = [code for line in text for code in line]
    offsets = np.cumsum([0, *map(len, text)])
    model = train(tokens, offsets, n_words=n_symbols, order=plan.order, smoothing="witten-bell")
    return of_ngrams(model), None
