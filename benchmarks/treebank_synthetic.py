"""Treebank transfer where the truth is known: parameters, orders, posteriors and cost.

    python benchmarks/treebank_synthetic.py [--seeds 20] [--sentences 2000] [--text 50000]

Recovery: text of the target comes from a grammar (clauses of S, v and O, nouns with or without an
adjective, orders with random shares), and bigrams of its words are the language model. Trees of
the target are drawn as the model of Jansche (2005) has it, each order in proportion to what the
language model gives its yield, and mapped to the source by random multinomials over orders.
Reported: the share of parameters whose posterior mean is within two posterior standard deviations
of the truth, and of constituents of the most frequent trees with the order of the true ones: of all
trees, and of those whose frequency is 0.9 or more, about which the language model can know.

Posteriors: chi-squared of sampled trees against enumeration, for random forests of up to 5,000
trees, as a share of forests beyond the quantile of .99. Cost: sentences a second of CPU by length.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from collections.abc import Sequence

import numpy as np

from glyphone.data.kernels import jit
from glyphone.data.records import Tree
from glyphone.fst.forests import sweep_kernels
from glyphone.fst.forests.automata import of_bigrams
from glyphone.fst.forests.forest import Choice, Forest, ForestBuilder
from glyphone.fst.forests.packing import pack
from glyphone.fst.forests.weighted import WeightedForest
from glyphone.treebank.sampling.chains import BUDGET, SamplingOptions, draw_trees
from glyphone.treebank.sampling.impute import ImputationPlan, language_model
from glyphone.treebank.transfer.constituent_forests import ConstituentGrammar, OrderRule
from glyphone.treebank.transfer.constituents import transfer_constituents

CLAUSES = (("S", "v", "O"), ("S", "O", "v"), ("v", "S", "O"))
NOUNS = (("a", "n"), ("n", "a"))
RULES = (OrderRule(("C",), CLAUSES), OrderRule(("S", "O"), NOUNS))
Rows = dict[tuple[str, ...], np.ndarray]
SURE = 0.9  # the frequency of a tree


def phrase(random: np.random.Generator, label: str, share: float) -> Tree:
    """A noun with or without an adjective, which stands before it with a given probability."""
    adjective, noun = (Tree(tag, (Tree(f"{tag}{label}"),)) for tag in ("a", "n"))
    if random.random() < 0.3:
        return Tree(label, (noun,))
    return Tree(label, (adjective, noun) if random.random() < share else (noun, adjective))


def clause(random: np.random.Generator, shares: np.ndarray, adjectives: float) -> Tree:
    parts = {label: phrase(random, label, adjectives) for label in "SO"}
    parts["v"] = Tree("v", (Tree("v"),))
    order = CLAUSES[int(random.choice(3, p=shares))]
    return Tree("C", tuple(parts[label] for label in order))


def to_source(random: np.random.Generator, tree: Tree, rows: Rows) -> Tree:
    """A source tree of a target tree: each order by the multinomial of that in the target."""
    if not tree.children or not tree.children[0].children:
        return tree
    order = tuple(child.label for child in tree.children)
    children = {child.label: to_source(random, child, rows) for child in tree.children}
    known = CLAUSES if len(order) == 3 else NOUNS
    if order in rows:
        order = known[int(random.choice(len(known), p=rows[order]))]
    return Tree(tree.label, tuple(children[label] for label in order))


def words_of(tree: Tree) -> list[str]:
    if not tree.children:
        return [tree.label]
    return [word for child in tree.children for word in words_of(child)]


def recovery(seed: int, n_sentences: int, n_text: int) -> Counter[str]:
    """Parameters within two deviations, constituents in order, and how many there are of each."""
    random = np.random.default_rng(seed)
    shares, adjectives = random.dirichlet([8, 1, 1]), float(random.beta(1, 8))
    rows = {order: random.dirichlet(np.ones(3)) for order in CLAUSES}
    rows |= {order: random.dirichlet(np.ones(2)) for order in NOUNS}
    text = [words_of(clause(random, shares, adjectives)) for _ in range(n_text)]
    grammar = ConstituentGrammar(RULES, keep=frozenset("v"), reads="words")
    contents = [clause(random, shares, adjectives) for _ in range(n_sentences)]
    targets = by_language_model(random, contents, text, grammar)
    source = [to_source(random, tree, rows) for tree in targets]
    plan = ImputationPlan(options=SamplingOptions(iterations=100, seed=seed))
    result = transfer_constituents(source, text, grammar=grammar, plan=plan)
    truth = np.concatenate([rows[order] for order in (*CLAUSES, *NOUNS)])
    draws = result.posterior.params.reshape(-1, len(truth))
    near = np.abs(draws.mean(axis=0) - truth) <= 2 * draws.std(axis=0)
    found = Counter(near=int(near.sum()), parameters=len(truth))
    for one, true, share in zip(result.trees, targets, result.frequencies, strict=True):
        orders = [*zip(branching(one), branching(true), strict=True)]
        right = sum(order == other for order, other in orders)
        found.update(right=right, constituents=len(orders))
        if share >= SURE:
            found.update(right_sure=right, sure=len(orders))
    return found


def by_language_model(
    random: np.random.Generator,
    trees: list[Tree],
    text: list[list[str]],
    grammar: ConstituentGrammar,
) -> list[Tree]:
    """Trees of the same constituents, in orders drawn by the bigrams of a text alone."""
    forests = [grammar.forest_of(tree) for tree in trees]
    lines = [[grammar.symbol_code(word.lower()) for word in line] for line in text]
    automaton, _ = language_model(lines, n_symbols=len(grammar.symbols), plan=ImputationPlan())
    packed, log_params = pack(forests), np.zeros(int(grammar.offsets[-1]))
    drawn, _ = draw_trees(packed, automaton, log_params, random, BUDGET)
    chosen = zip(forests, drawn, strict=True)
    return [forest.tree_of(packed.sources[choices]) for forest, choices in chosen]


def branching(tree: Tree) -> list[tuple[str, ...]]:
    """The orders of the constituents that have more than one child, the root first, S before O."""
    below = sorted((child for child in tree.children if child.children), key=lambda one: one.label)
    own = [tuple(child.label for child in tree.children)] if len(tree.children) > 1 else []
    return own + [order for child in below for order in branching(child)]


def random_forest(random: np.random.Generator, most: int) -> Forest:
    while True:
        builder = ForestBuilder()
        nodes = [builder.add_leaf(int(random.integers(4))) for _ in range(8)]
        for _ in range(int(random.integers(4, 15))):
            choices = [
                Choice(tuple(random.choice(nodes, int(random.integers(1, 4))).tolist()))
                for _ in range(int(random.integers(2, 4)))
            ]
            nodes.append(builder.add_node(choices))
        forest = builder.build(nodes[-1])
        if 2 <= forest.n_trees() <= most:
            return forest


def posteriors(n_forests: int, most: int, n_draws: int) -> None:
    """Chi-squared, cells of less than five expected trees together, by Wilson and Hilferty."""
    beyond, sizes = 0, []
    for seed in range(n_forests):
        random = np.random.default_rng(seed)
        forest = random_forest(random, most)
        table = np.log(random.dirichlet(np.ones(5), 5))
        weighted = WeightedForest(forest, of_bigrams(table))
        shares = {
            tuple(tree.tolist()): math.exp(weighted.log_weight(tree) - weighted.log_total)
            for tree in forest.derivations()
        }
        drawn = Counter(tuple(tree.tolist()) for tree in weighted.sample(n_draws, seed=seed))
        cells = [(drawn[tree], n_draws * share) for tree, share in shares.items()]
        small = [cell for cell in cells if cell[1] < 5]
        cells = [cell for cell in cells if cell[1] >= 5]
        rest = sum(expected for _, expected in small)
        if rest >= 5:
            cells.append((sum(found for found, _ in small), rest))
        if len(cells) < 2:
            continue
        sizes.append(len(shares))
        freedom = len(cells) - 1
        statistic = sum((found - expected) ** 2 / expected for found, expected in cells)
        cube = (statistic / freedom) ** (1 / 3)
        normal = (cube - 1 + 2 / (9 * freedom)) / math.sqrt(2 / (9 * freedom))
        beyond += normal > 2.326
    print(
        f"posteriors: {len(sizes)} forests of 2 to {max(sizes)} trees, {n_draws} draws each: "
        f"{beyond} beyond the quantile of .99 of chi-squared (expected {len(sizes) / 100:.1f})"
    )


def cost(n_symbols: int = 17) -> None:
    """Sentences a second of CPU by length: dependents on either side, binary trees at random."""
    random = np.random.default_rng(0)
    automaton = of_bigrams(np.log(random.dirichlet(np.ones(n_symbols + 1), n_symbols + 1)))
    kernels = jit.compiled(sweep_kernels)
    print("cost: words, microseconds of CPU a sentence, exponent from the row before")
    before: tuple[int, float] | None = None
    for words in (6, 12, 25, 50, 100):
        forests = [free_sides(random, words, n_symbols) for _ in range(100)]
        packed = pack(forests)
        n = len(forests)
        chosen, lengths = np.zeros(packed.draws[-1], np.int64), np.zeros(n, np.int64)
        totals, statuses = np.zeros(n), np.zeros(n, np.int64)
        shares = random.random(packed.draws[-1])
        seconds = []
        for _ in range(5):
            began = time.thread_time()
            kernels.sweep_forests(
                packed,
                0,
                n,
                automaton,
                np.zeros(1),
                shares,
                10**6,
                chosen,
                lengths,
                totals,
                statuses,
            )
            seconds.append(time.thread_time() - began)
        each = min(seconds) / n
        shown = ""
        if before is not None:
            shown = f"{math.log(each / before[1]) / math.log(words / before[0]):.2f}"
        print(f"  {words:4} {1e6 * each:8.0f} {shown}   ({1 / each:,.0f} sentences a second)")
        before = words, each


def free_sides(random: np.random.Generator, words: int, n_symbols: int) -> Forest:
    builder = ForestBuilder()
    nodes = [builder.add_leaf(int(random.integers(n_symbols)), token=k) for k in range(words)]
    while len(nodes) > 1:
        place = int(random.integers(len(nodes) - 1))
        left, right = nodes[place], nodes.pop(place + 1)
        nodes[place] = builder.add_node([Choice((left, right)), Choice((right, left))])
    return builder.build(nodes[0])


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--sentences", type=int, default=2000)
    parser.add_argument("--text", type=int, default=50_000)
    parser.add_argument("--forests", type=int, default=200)
    parser.add_argument("--most", type=int, default=5000, help="trees of a forest")
    parser.add_argument("--draws", type=int, default=50_000)
    arguments = parser.parse_args(argv)
    cost()
    posteriors(arguments.forests, arguments.most, arguments.draws)
    sums = Counter[str]()
    for seed in range(arguments.seeds):
        found = recovery(seed, arguments.sentences, arguments.text)
        sums += found
        print(f"  seed {seed}: {found['near']} of {found['parameters']} parameters", flush=True)
    print(f"recovery: seeds 0 to {arguments.seeds - 1}, {arguments.sentences} sentences each")
    for what, part, whole in (
        ("parameters within two standard deviations", "near", "parameters"),
        ("constituents in order", "right", "constituents"),
        ("constituents in order, of sure trees", "right_sure", "sure"),
    ):
        share = sums[part] / max(sums[whole], 1)
        print(f"  {what}: {sums[part]} of {sums[whole]}, {share:.1%}")


if __name__ == "__main__":
    main()
