"""The sampler: trees against enumeration, updates against Beta posteriors, the same for a seed."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from glyphone.data.dependency_classes import class_of
from glyphone.data.errors import GlyphoneError
from glyphone.fst.forest_automata import of_bigrams
from glyphone.fst.forest_packing import pack
from glyphone.fst.forest_weights import WeightedForest
from glyphone.treebank.choosing import by_order
from glyphone.treebank.dependency_forests import GIVEN as GIVEN_SIDES
from glyphone.treebank.dependency_forests import Grammar
from glyphone.treebank.sampling import (
    IMPOSSIBLE,
    TOO_LARGE,
    SamplingOptions,
    Unsampled,
    prior_of,
    rhat,
    sample,
    swept,
)

from .test_dependency_forests import GIVEN

GRAMMAR = Grammar(reads="tags")
FOREST = GRAMMAR.forest_of(GIVEN)
N = len(GRAMMAR.symbols)


def bigrams(seed: int) -> np.ndarray:
    table = np.random.default_rng(seed).random((N + 1, N + 1))
    found: np.ndarray = np.log(table / table.sum(axis=1, keepdims=True))
    return found


def test_trees_are_drawn_by_their_posterior() -> None:
    automaton = of_bigrams(bigrams(3))
    n_classes = len(GRAMMAR.classes)
    log_shares = np.log(np.random.default_rng(5).random(8 * n_classes))
    weighted = WeightedForest(FOREST, automaton, log_shares)
    trees = [tuple(tree.tolist()) for tree in FOREST.derivations()]
    weights = np.exp([weighted.log_weight(tree) for tree in trees])
    assert weights.sum() == pytest.approx(math.exp(weighted.log_total))
    packed = pack([FOREST])
    random = np.random.default_rng(7)
    draws = 3000
    found = Counter(
        tuple(packed.sources[swept(packed, automaton, log_shares, random, 10**5)[0][0]].tolist())
        for _ in range(draws)
    )
    expected = draws * weights / weights.sum()
    chi_squared = sum(
        (found[tree] - want) ** 2 / want for tree, want in zip(trees, expected, strict=True)
    )
    # 31 degrees of freedom: 61.1 is the quantile of .999.
    assert len(trees) == 32
    assert chi_squared < 61.1


def test_parameters_are_drawn_from_the_counts() -> None:
    """With a language model that forces the order of the source, shares have a known posterior."""
    codes = [GRAMMAR.symbols[word.upos] for word in GIVEN.words]
    table = np.full((N + 1, N + 1), -np.inf)
    for before, after in zip([N, *codes], [*codes, N], strict=True):
        table[before, after] = 0.0
    options = SamplingOptions(iterations=10, chains=2, strength=3.0)
    posterior = sample([FOREST] * 4, of_bigrams(table), len(GRAMMAR.classes), options)
    assert posterior.kept == 10
    for trees in posterior.trees:
        assert [*by_order(FOREST, trees).values()] == [10]
    for name, number in GRAMMAR.classes.items():
        found = posterior.estimate(number)
        assert (found.mean, found.low, found.high) == (float(name == "obj(VERB)"),) * 3
        assert found.rhat == 1.0


def test_the_prior() -> None:
    assert prior_of(2, 25)[1].tolist() == [[10.0, 1.0, 1.0, 1.0]] * 2
    assert prior_of(1, 1)[0].tolist() == [[1.0] * 4] * 2
    assert prior_of(1, 500, 20.0, "target")[0].tolist() == [[20.0, 1.0], [1.0, 20.0]]


def test_a_firm_prior_keeps_the_order_and_a_weak_one_follows_the_text() -> None:
    # Whatever else may follow: a noun is not followed by anything but the end.
    table = np.full((N + 1, N + 1), math.log(0.1))
    table[GRAMMAR.symbols["VERB"], GRAMMAR.symbols["PROPN"]] = 3.0
    automaton, n_classes = of_bigrams(table), len(GRAMMAR.classes)
    subject = GRAMMAR.classes["nsubj(VERB)"]

    def share(strength: float) -> float:
        options = SamplingOptions(iterations=30, chains=1, strength=strength, seed=1)
        return sample([FOREST] * 10, automaton, n_classes, options).estimate(subject).mean

    assert share(1.0) > 0.5
    assert share(1e6) < 0.05


def test_the_same_seed_gives_the_same() -> None:
    automaton, n_classes = of_bigrams(bigrams(1)), len(GRAMMAR.classes)
    one, same, other = (
        sample([FOREST] * 3, automaton, n_classes, SamplingOptions(iterations=6, seed=seed))
        for seed in (1, 1, 2)
    )
    assert one.trees == same.trees
    assert np.array_equal(one.shares, same.shares)
    assert np.array_equal(one.log_totals, same.log_totals)
    assert not np.array_equal(one.log_totals, other.log_totals)
    assert not np.array_equal(one.log_totals[0], one.log_totals[1])
    for counts, trees in zip(one.choices, one.trees, strict=True):
        assert counts.sum() == sum(len(tree) * count for tree, count in trees.items())


def test_forests_that_cannot_be_sampled_are_named() -> None:
    nothing = of_bigrams(np.full((N + 1, N + 1), -np.inf))
    small = Grammar(reads="tags", symbols=dict(GRAMMAR.symbols), classes=dict(GRAMMAR.classes))
    one = small.forest_of(GIVEN)
    options = SamplingOptions(iterations=2, chains=1)
    with pytest.raises(Unsampled) as refused:
        sample([FOREST, one], nothing, len(GRAMMAR.classes), options)
    assert refused.value.reasons == {0: IMPOSSIBLE, 1: IMPOSSIBLE}
    options = SamplingOptions(iterations=2, chains=1, budget=10)
    with pytest.raises(Unsampled) as refused:
        sample([FOREST], of_bigrams(bigrams(1)), len(GRAMMAR.classes), options)
    assert refused.value.reasons == {0: TOO_LARGE}


@pytest.mark.parametrize("options", [{"iterations": 1}, {"chains": 0}])
def test_too_few(options: dict[str, int]) -> None:
    with pytest.raises(GlyphoneError, match="nothing would be sampled"):
        sample([FOREST], of_bigrams(bigrams(1)), 4, SamplingOptions(**options))


def test_rhat() -> None:
    random = np.random.default_rng(0)
    alike = random.normal(size=(4, 500))
    assert rhat(alike) == pytest.approx(1.0, abs=0.02)
    assert rhat(alike + np.arange(4)[:, None]) > 1.5
    assert math.isnan(rhat(alike[:1]))
    assert rhat(np.ones((2, 5))) == 1.0
    assert rhat(np.array([[0.0, 0.0], [1.0, 1.0]])) == math.inf


@pytest.mark.parametrize("given", ["source", "target"])
def test_right_hand_shares_are_those_of_the_trees(given: str) -> None:
    """Whichever side is given, shares are counted in the target."""
    grammar = Grammar(reads="tags", given="source" if given == "source" else "target")
    forest = grammar.forest_of(GIVEN)
    options = SamplingOptions(iterations=12, chains=1, strength=1.0)
    posterior = sample(
        [forest] * 5, of_bigrams(bigrams(2)), len(grammar.classes), options, given=grammar.given
    )
    heads = [(word.head or 0) - 1 for word in GIVEN.words]
    for name, number in grammar.classes.items():
        right = total = 0
        for trees in posterior.trees:
            for tree, count in trees.items():
                order = [int(forest.tokens[leaf]) for leaf in forest.leaves_of(tree)]
                rank = {position: place for place, position in enumerate(order)}
                for position, head in enumerate(heads):
                    if head >= 0 and class_of(GIVEN, position) == name:
                        right += count * (rank[position] > rank[head])
                        total += count
        assert posterior.estimate(number).mean == pytest.approx(right / total)


def test_a_class_moves_as_a_whole_if_the_source_is_given() -> None:
    """Where the text does not tell, the side that is given in the target splits a class."""
    flat = of_bigrams(np.zeros((N + 1, N + 1)))
    shares = {}
    for given in GIVEN_SIDES:
        grammar = Grammar(reads="tags", given=given)
        forest = grammar.forest_of(GIVEN)
        options = SamplingOptions(iterations=30, chains=1, strength=20.0)
        n = len(grammar.classes)
        posterior = sample([forest] * 20, flat, n, options, given=given)
        shares[given] = posterior.estimate(grammar.classes["nsubj(VERB)"]).mean
    assert shares["source"] < 0.15 < shares["target"]
