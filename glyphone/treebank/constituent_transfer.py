"""A treebank of constituents taken to another language, by the rules of `glyphone.fst.transfer`.

The sampler is that of `glyphone.treebank.sampling` with multinomials of any size: in turn all
trees, each multinomial from Dirichlet(prior + counts), and, if it is refined, the language model.
Parameters begin with draws from their priors; the first half of the sweeps is left out.

>>> from glyphone.data.records import Tree
>>> from glyphone.fst.transfer import OrderRule
>>> grammar = ConstituentGrammar((OrderRule(("S",), (("a", "n"), ("n", "a"))),))
>>> tree = Tree("S", (Tree("a", (Tree("vieja"),)), Tree("n", (Tree("casa"),))))
>>> result = transfer_constituents([tree], [["n", "a"]] * 9, grammar=grammar, iterations=20)
>>> str(result.trees[0])
'(S (n casa) (a vieja))'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.records import Tree
from glyphone.fst.forest import Forest
from glyphone.fst.forest_packing import pack
from glyphone.fst.transfer import ConstituentGrammar
from glyphone.treebank.choosing import frequent
from glyphone.treebank.refining import Bigrams
from glyphone.treebank.sampling import BUDGET, Estimate, Unsampled, swept, yields_of

Floats = NDArray[np.float64]
NAMED = "tree {}"


@dataclass(frozen=True, eq=False)
class ConstituentResult:
    """The most frequent tree of each source tree, with its frequency, and the parameters.

    `draws` has a row for each chain, then sweeps that count, then parameters, in the order of the
    outcomes of the rows of the grammar. `unseen` words or tags of the trees are not in the text.
    """

    trees: list[Tree]
    frequencies: list[float]
    draws: Floats
    log_totals: Floats
    refused: list[ItemError]
    unseen: int

    def estimate(self, parameter: int) -> Estimate:
        return Estimate.of(self.draws[:, :, parameter])


def transfer_constituents(
    source: Sequence[Tree],
    text: Sequence[Sequence[str]],
    *,
    grammar: ConstituentGrammar,
    iterations: int = 40,
    chains: int = 2,
    seed: int = 0,
    refined: bool = False,
    budget: int = BUDGET,
    on_sweep: Callable[[], None] = lambda: None,
) -> ConstituentResult:
    """Trees of the target; `text` has its words or tags, of which bigrams are learnt."""
    if iterations < 2 or chains < 1:
        raise GlyphoneError("nothing would be sampled", remedy="2 iterations or more, 1 chain")
    forests, refused = _forests(source, grammar)
    small = grammar.reads == "words"
    lines = [[grammar.symbol(one.lower() if small else one) for one in line] for line in text]
    bigrams = Bigrams.of(lines, n_symbols=len(grammar.symbols))
    while forests:
        try:
            trees, draws, totals = _sampled(
                [*forests.values()], grammar, bigrams, iterations, chains, seed, refined, budget,
                on_sweep,
            )  # fmt: skip
            break
        except Unsampled as unsampled:
            numbers = [*forests]
            for place, reason in sorted(unsampled.reasons.items()):
                name = NAMED.format(numbers[place] + 1)
                remedy = "leave it out, or allow fewer orders"
                refused.append(ItemError(reason, item=name, remedy=remedy))
                del forests[numbers[place]]
    else:
        remedy = "mend the first of these errors" if refused else "give a treebank"
        raise refused[0] if refused else ItemError("there is nothing to transfer", remedy=remedy)
    known, unseen = {code for line in lines for code in line}, 0
    made, frequencies = [], []
    for forest, counts in zip(forests.values(), trees, strict=True):
        ((tree, share),) = frequent(counts, 1)
        made.append(forest.tree_of(tree))
        frequencies.append(share)
        unseen += sum(int(code) not in known for code in forest.symbols[forest.leaves_of(tree)])
    return ConstituentResult(made, frequencies, draws, totals, refused, unseen)


def _forests(
    source: Sequence[Tree], grammar: ConstituentGrammar
) -> tuple[dict[int, Forest], list[ItemError]]:
    """Forests by the numbers of their trees, and refusals of the others."""
    forests, refused = {}, []
    for number, tree in enumerate(source):
        try:
            forests[number] = grammar.forest_of(tree)
        except ItemError as error:
            error.item = NAMED.format(number + 1)
            refused.append(error)
    return forests, refused


def _sampled(
    forests: Sequence[Forest],
    grammar: ConstituentGrammar,
    bigrams: Bigrams,
    iterations: int,
    chains: int,
    seed: int,
    refined: bool,
    budget: int,
    on_sweep: Callable[[], None],
) -> tuple[list[Counter[tuple[int, ...]]], Floats, Floats]:
    """Trees with their counts, parameters and log sums of the sweeps that count."""
    packed, offsets = pack(forests), grammar.offsets
    prior = np.array([count for row in grammar.rows for count in row.prior])
    kept = iterations - iterations // 2
    trees: list[Counter[tuple[int, ...]]] = [Counter() for _ in forests]
    draws, totals = np.zeros((chains, kept, len(prior))), np.zeros((chains, kept))
    for chain in range(chains):
        random, model = np.random.default_rng([seed, chain]), bigrams.mean()
        log_params = np.log(dirichlets(random, prior, offsets))
        for sweep in range(iterations):
            drawn, log_totals = swept(packed, model, log_params, random, budget)
            patterns = packed.patterns[np.concatenate(drawn)]
            counts = np.bincount(patterns[patterns >= 0], minlength=len(prior))
            params = dirichlets(random, prior + counts, offsets)
            log_params = np.log(params)
            if refined:
                model = bigrams.draw(random, yields_of(forests, packed, drawn))
            place = sweep - iterations // 2
            if place >= 0:
                draws[chain, place], totals[chain, place] = params, log_totals.sum()
                for tree, found in zip(drawn, trees, strict=True):
                    found[tuple(packed.sources[tree].tolist())] += 1
            on_sweep()
    return trees, draws, totals


def dirichlets(random: np.random.Generator, counts: Floats, offsets: NDArray[np.int64]) -> Floats:
    """A draw from the Dirichlet distribution of each row.

    >>> random, counts = np.random.default_rng(0), np.array([1e9, 1e9, 5.0])
    >>> dirichlets(random, counts, np.array([0, 2, 3])).round(3)
    array([0.5, 0.5, 1. ])
    """
    drawn = np.maximum(random.gamma(counts), 1e-300)
    sums = np.add.reduceat(drawn, offsets[:-1])
    found: Floats = drawn / np.repeat(sums, np.diff(offsets))
    return found
