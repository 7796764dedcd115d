"""Sums, random trees, best trees and expected counts of forests, against enumeration."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from glyphone.data.errors import ItemError
from glyphone.data.kernels import jit
from glyphone.fst.forests.automata import of_acceptor, of_bigrams, of_ngrams
from glyphone.fst.forests.composition_kernels import Automaton
from glyphone.fst.forests.forest import Choice, Forest, ForestBuilder
from glyphone.fst.forests.weighted import WeightedForest
from glyphone.fst.ngrams.acceptors import epsilon_acceptor, exact_acceptor
from glyphone.fst.ngrams.smoothing import train
from tests.fst.forests.test_forest import seeds, source_clause
from tests.fst.forests.twins import (
    N_PATTERNS,
    N_SYMBOLS,
    Floats,
    Score,
    bigram_score,
    every_tree,
    log_sum,
    matrix_total,
    random_bigrams,
    random_forest,
)

# The trees of the composed forest of the paper, its figure 4: (a, node, c) and their choices.
FIGURE_4 = {
    ("#", "C", "n"): 3,
    ("#", "C", "a"): 3,
    ("#", "C", "v"): 2,
    ("v", "SO", "n"): 2,
    ("v", "SO", "a"): 2,
    ("n", "OV", "v"): 2,
    ("a", "OV", "v"): 2,
    ("n", "VO", "n"): 1,
    ("n", "VO", "a"): 1,
    ("a", "VO", "n"): 1,
    ("a", "VO", "a"): 1,
    ("#", "S", "n"): 1,
    ("#", "S", "a"): 1,
    ("v", "S", "n"): 1,
    ("v", "S", "a"): 1,
    ("v", "O", "n"): 1,
    ("v", "O", "a"): 1,
    ("n", "O", "n"): 1,
    ("n", "O", "a"): 1,
    ("a", "O", "n"): 1,
    ("a", "O", "a"): 1,
}


@pytest.fixture(autouse=True)
def plain_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random forests are small: compiling would take longer than all of them."""
    monkeypatch.setattr(jit, "PLAIN_BUDGET", 10**9)


def weighted(seed: int) -> tuple[WeightedForest, dict[tuple[int, ...], float], Floats]:
    """A random forest through random bigrams, and all its trees."""
    random = np.random.default_rng(seed)
    forest, table = random_forest(random), random_bigrams(random)
    log_params = random.normal(size=N_PATTERNS)
    trees = every_tree(forest, bigram_score(table), log_params)
    return WeightedForest(forest, of_bigrams(table), log_params), trees, table


def test_figure_4_node_by_node() -> None:
    found = WeightedForest(source_clause(), of_bigrams(np.zeros((4, 4))), np.zeros(8))
    space, names = found.space, [*"anv", "#"]
    inner: dict[int, str] = {5: "S", 6: "O", 7: "VO", 8: "OV", 9: "SO", 10: "C"}
    items, leaves = {}, []
    for item in range(space.sizes[1]):
        pair, after, first = space.items[item]
        node, state = space.pairs[pair, :2]
        before, last = names[space.states[state, 0]], names[space.states[after, 0]]
        if node in inner:
            items[before, inner[node], last] = int(space.items[item + 1, 2] - first)
        else:
            leaves.append((before, node, last))
    assert items == FIGURE_4
    assert len(leaves) == len(set(leaves)) == 15
    assert sum(items.values()) == space.sizes[2] == 30


def test_100000_trees_of_the_example_follow_their_posterior(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Chi-squared of eleven degrees of freedom is below 24.7 in 99 of 100 runs."""
    monkeypatch.setattr(jit, "PLAIN_BUDGET", 100_000)
    random = np.random.default_rng(4)
    table = np.log(random.dirichlet(np.full(4, 2.0), 4))
    log_params = np.log(random.random(8))
    forest = source_clause()
    found = WeightedForest(forest, of_bigrams(table), log_params)
    trees = every_tree(forest, bigram_score(table), log_params)
    assert found.log_total == pytest.approx(log_sum([*trees.values()]), abs=1e-12)
    drawn = Counter(tuple(tree.tolist()) for tree in found.sample(100_000, seed=1))
    assert drawn.keys() <= trees.keys()
    assert chi_squared(drawn, trees) < 24.7


def chi_squared(drawn: Counter[tuple[int, ...]], trees: dict[tuple[int, ...], float]) -> float:
    total = log_sum([*trees.values()])
    shares = {tree: math.exp(weight - total) for tree, weight in trees.items()}
    n = drawn.total()
    return sum((drawn[tree] - n * share) ** 2 / (n * share) for tree, share in shares.items())


@given(seeds)
def test_sums_over_all_trees(seed: int) -> None:
    found, trees, table = weighted(seed)
    expected = log_sum([*trees.values()])
    assert found.log_total == pytest.approx(expected, abs=1e-9)
    twin = matrix_total(found.forest, table, found.log_params)
    assert found.log_total == pytest.approx(twin, abs=1e-9)
    for tree, weight in trees.items():
        assert found.log_weight(tree) == pytest.approx(weight, abs=1e-9)


@given(seeds, st.integers(1, 8))
def test_the_best_trees_in_order(seed: int, n: int) -> None:
    found, trees, _ = weighted(seed)
    total = log_sum([*trees.values()])
    possible = sorted((w for w in trees.values() if w > -math.inf), reverse=True)
    assume(possible)
    best = found.n_best(n)
    assert len({tuple(tree.tolist()) for tree, _ in best}) == len(best) == min(n, len(possible))
    for (tree, share), weight in zip(best, possible, strict=False):
        assert share == pytest.approx(math.exp(weight - total), abs=1e-9)
        assert trees[tuple(tree.tolist())] == pytest.approx(weight, abs=1e-9)


@given(seeds)
def test_expected_counts(seed: int) -> None:
    found, trees, _ = weighted(seed)
    total = log_sum([*trees.values()])
    assume(total > -math.inf)
    expected = np.zeros(found.forest.n_choices)
    for tree, weight in trees.items():
        np.add.at(expected, list(tree), math.exp(weight - total))
    assert found.expected_counts() == pytest.approx(expected, abs=1e-9)


def test_random_trees_follow_their_posteriors() -> None:
    """The largest of twenty chi-squared statistics, each made standard normal, is not large."""
    worst = -math.inf
    for seed in range(20):
        found, trees, _ = weighted(seed)
        trees = {tree: weight for tree, weight in trees.items() if weight > -math.inf}
        if len(trees) < 2:
            continue
        drawn = Counter(tuple(tree.tolist()) for tree in found.sample(4000, seed=seed))
        assert drawn.keys() <= trees.keys()
        freedom = len(trees) - 1
        worst = max(worst, (chi_squared(drawn, trees) - freedom) / math.sqrt(2 * freedom))
    assert worst < 4.5


def ngram_model(seed: int, order: int) -> tuple[Automaton, Automaton, Automaton, Score]:
    """One model as n-grams with backoff and as two acceptors, and what it gives to a string."""
    random = np.random.default_rng(seed)
    text = random.integers(N_SYMBOLS, size=60)
    model = train(text, [0, 20, 25, 60], n_words=N_SYMBOLS, order=order, smoothing="absolute")
    acceptors = of_acceptor(exact_acceptor(model)), of_acceptor(epsilon_acceptor(model))
    return of_ngrams(model), *acceptors, model.score


@settings(max_examples=30)
@given(seeds, st.integers(1, 4))
def test_longer_histories_and_backoffs(seed: int, order: int) -> None:
    random = np.random.default_rng(seed)
    forest, log_params = random_forest(random, most_trees=60), random.normal(size=N_PATTERNS)
    ngrams, exact, epsilon, score = ngram_model(seed, order)
    expected = log_sum([*every_tree(forest, score, log_params).values()])
    for automaton, precision in ((ngrams, 1e-9), (exact, 1e-4), (epsilon, 1e-4)):
        found = WeightedForest(forest, automaton, log_params)  # acceptors have float32 weights
        assert found.log_total == pytest.approx(expected, abs=precision)


def long_forest(n: int) -> Forest:
    """A head with n dependents, each on either side."""
    builder = ForestBuilder()
    node = builder.add_leaf(0)
    for number in range(n):
        leaf = builder.add_leaf(number % N_SYMBOLS)
        node = builder.add_node([Choice((leaf, node), 0), Choice((node, leaf), 1)])
    return builder.build(node)


def test_long_sentences_do_not_underflow() -> None:
    """Three hundred words of probability 1e-9 each weigh 1e-2700, far below the least float."""
    table = np.full((N_SYMBOLS + 1, N_SYMBOLS + 1), math.log(1e-9))
    found = WeightedForest(long_forest(299), of_bigrams(table), np.log([0.25, 0.75]))
    assert found.log_total == pytest.approx(301 * math.log(1e-9), rel=1e-12)
    expected = found.expected_counts()
    assert expected[found.forest.patterns == 1] == pytest.approx(0.75, abs=1e-9)
    tree, share = found.best()
    assert math.log(share) == pytest.approx(299 * math.log(0.75), rel=1e-9)
    assert (found.forest.patterns[tree] == 1).all()
    assert len(found.sample(1, seed=0)[0]) == 299


def test_very_unlikely_choices_do_not_underflow() -> None:
    table = np.log(np.full((2, 2), 0.5))
    builder = ForestBuilder()
    leaf = builder.add_leaf(0)
    choices = [Choice((leaf,), log_weight=-2000.0), Choice((leaf,), log_weight=-2001.0)]
    found = WeightedForest(builder.build(builder.add_node(choices)), of_bigrams(table))
    expected = -2000 + math.log(1 + math.exp(-1)) + 2 * math.log(0.5)
    assert found.log_total == pytest.approx(expected, rel=1e-12)


def test_of_equals_the_first_choice_is_best() -> None:
    table = np.log(np.full((N_SYMBOLS + 1, N_SYMBOLS + 1), 0.25))
    found = WeightedForest(source_clause(), of_bigrams(table), np.zeros(8))
    assert found.n_best(2)[0][0].tolist() == [4, 0, 2]
    assert found.best()[0].tolist() == [4, 0, 2]


def test_a_forest_without_possible_trees_is_refused_by_name() -> None:
    table = np.full((N_SYMBOLS + 1, N_SYMBOLS + 1), -np.inf)
    found = WeightedForest(source_clause(), of_bigrams(table), np.zeros(8), name="weblog-7")
    assert found.log_total == -math.inf
    for ask in (lambda: found.sample(1, seed=0), found.best):
        with pytest.raises(ItemError, match="'weblog-7': every tree of the forest"):
            ask()


def test_a_forest_beyond_its_budget_is_refused_by_name() -> None:
    table = random_bigrams(np.random.default_rng(1))
    small = WeightedForest(long_forest(60), of_bigrams(table), np.zeros(2), budget=512, name="s1")
    with pytest.raises(ItemError, match="'s1': the forest has more than 512 items"):
        _ = small.space
    large = WeightedForest(long_forest(60), of_bigrams(table), np.zeros(2))
    assert large.space.sizes[1] > 512
