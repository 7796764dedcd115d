"""The sampler: trees against enumeration, updates against Beta posteriors, the same for a seed."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from glyphone.data.errors import GlyphoneError
from glyphone.data.treebanks.classes import class_of
from glyphone.fst.forests.automata import of_bigrams
from glyphone.fst.forests.packing import pack
from glyphone.fst.forests.weighted import WeightedForest
from glyphone.treebank.sampling.bigrams import Bigrams
from glyphone.treebank.sampling.chains import (
    IMPOSSIBLE,
    TOO_LARGE,
    Posterior,
    SamplingOptions,
    draw_trees,
    sample_posterior,
    sampling_failures,
)
from glyphone.treebank.sampling.choosing import merge_alike, order_key
from glyphone.treebank.sampling.diagnostics import Estimate
from glyphone.treebank.transfer.dependencies import shares_of
from glyphone.treebank.transfer.dependency_forests import GIVEN as GIVEN_SIDES
from glyphone.treebank.transfer.dependency_forests import DependencyGrammar, Given
from tests.glyphone.treebank.transfer.test_dependency_forests import GIVEN

GRAMMAR = DependencyGrammar(reads="tags")
FOREST = GRAMMAR.forest_of(GIVEN)
N = len(GRAMMAR.symbols)


def estimate(posterior: Posterior, name: str, grammar: DependencyGrammar = GRAMMAR) -> Estimate:
    shares, _ = shares_of(grammar, posterior.counts)
    return Estimate.of(shares[:, :, grammar.classes[name]])


def bigrams(seed: int) -> np.ndarray:
    table = np.random.default_rng(seed).random((N + 1, N + 1))
    found: np.ndarray = np.log(table / table.sum(axis=1, keepdims=True))
    return found


def test_trees_are_drawn_by_their_posterior() -> None:
    automaton = of_bigrams(bigrams(3))
    log_shares = np.log(np.random.default_rng(5).random(len(GRAMMAR.multinomials(1.0).prior)))
    weighted = WeightedForest(FOREST, automaton, log_shares)
    trees = [tuple(tree.tolist()) for tree in FOREST.derivations()]
    weights = np.exp([weighted.log_weight(tree) for tree in trees])
    assert weights.sum() == pytest.approx(math.exp(weighted.log_total))
    packed = pack([FOREST])
    random = np.random.default_rng(7)
    draws = 3000
    found = Counter(
        tuple(
            packed.sources[draw_trees(packed, automaton, log_shares, random, 10**5)[0][0]].tolist()
        )
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
    options = SamplingOptions(iterations=10, chains=2)
    posterior = sample_posterior(
        [FOREST] * 4, of_bigrams(table), GRAMMAR.multinomials(3.0), options
    )
    for trees in posterior.trees:
        assert [*merge_alike(FOREST, trees, order_key).values()] == [10]
    for name in GRAMMAR.classes:
        found = estimate(posterior, name)
        assert (found.mean, found.low, found.high) == (float(name == "obj(VERB)"),) * 3
        assert found.rhat == 1.0


def test_the_prior() -> None:
    for given, rows in (
        ("source", [[9.0, 1.0, 1.0, 1.0, 0.0]] * 2), ("target", [[9.0, 1.0], [1.0, 9.0]])
    ):  # fmt: skip
        one = DependencyGrammar(given=given, classes={"det": 0, "obj": 1}).multinomials(9.0)  # type: ignore[arg-type]
        assert one.prior.reshape(2, 2, -1).tolist() == [rows] * 2
        assert one.offsets.tolist() == [*range(0, one.prior.size + 1, len(rows[0]))]


def test_a_firm_prior_keeps_the_order_and_a_weak_one_follows_the_text() -> None:
    # Whatever else may follow: a noun is not followed by anything but the end.
    table = np.full((N + 1, N + 1), math.log(0.1))
    table[GRAMMAR.symbols["VERB"], GRAMMAR.symbols["PROPN"]] = 3.0
    automaton = of_bigrams(table)

    def share(strength: float) -> float:
        options = SamplingOptions(iterations=30, chains=1, seed=1)
        found = sample_posterior([FOREST] * 10, automaton, GRAMMAR.multinomials(strength), options)
        return estimate(found, "nsubj(VERB)").mean

    assert share(1.0) > 0.5
    assert share(1e6) < 0.05


def same(one: Posterior, other: Posterior) -> bool:
    return one.trees == other.trees and all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("params", "counts", "log_totals")
    )


def test_the_same_seed_gives_the_same_for_any_number_of_workers() -> None:
    """With a language model that is drawn, so that all random numbers are in use."""
    model, firm = Bigrams.of([[0, 1, 2], [2, 1]], n_symbols=N), GRAMMAR.multinomials(2.0)

    def run(seed: int, jobs: int) -> Posterior:
        options = SamplingOptions(iterations=6, chains=5, seed=seed)
        return sample_posterior(
            [FOREST] * 3, model.mean_model(), firm, options, refine=model.draw_model, jobs=jobs
        )

    one = run(1, 1)
    assert all(same(one, run(1, jobs)) for jobs in (1, 2, 3, 8))
    other = run(2, 1)
    assert not np.array_equal(one.log_totals, other.log_totals)
    assert len({tuple(row) for row in one.log_totals.tolist()}) == 5
    for trees in one.trees:
        assert trees.total() == 15


def test_sweeps_that_are_left_out() -> None:
    """Thinned chains are parts of the whole one."""
    automaton, firm = of_bigrams(bigrams(1)), GRAMMAR.multinomials(2.0)

    def run(**options: int) -> Posterior:
        return sample_posterior([FOREST] * 3, automaton, firm, SamplingOptions(seed=4, **options))

    whole = run(iterations=12, burn_in=0)
    assert whole.params.shape[:2] == (2, 12)
    for options, kept in (
        ({}, slice(6, 12)), ({"burn_in": 4}, slice(4, 12)), ({"thin": 2}, slice(7, 12, 2)),
        ({"burn_in": 1, "thin": 4}, slice(4, 12, 4)), ({"burn_in": 11}, slice(11, 12)),
    ):  # fmt: skip
        part = run(iterations=12, **options)
        for name in ("params", "counts", "log_totals"):
            assert np.array_equal(getattr(part, name), getattr(whole, name)[:, kept]), options
        assert {trees.total() for trees in part.trees} == {
            part.params.shape[0] * part.params.shape[1]
        }


def test_an_error_in_a_chain_ends_all_chains() -> None:
    left = [7]

    def on_sweep() -> None:
        left[0] -= 1
        if left[0] == 0:
            raise RuntimeError("no room")

    options = SamplingOptions(iterations=10**6, chains=2, burn_in=10**6 - 1)
    automaton, firm = of_bigrams(bigrams(1)), GRAMMAR.multinomials(1.0)
    with pytest.raises(RuntimeError, match="no room"):
        sample_posterior([FOREST], automaton, firm, options, jobs=2, on_sweep=on_sweep)


def test_forests_that_cannot_be_sampled_are_named() -> None:
    nothing = of_bigrams(np.full((N + 1, N + 1), -np.inf))
    n_params = len(GRAMMAR.multinomials(1.0).prior)
    assert sampling_failures([FOREST, FOREST], nothing, n_params, 10**5) == {
        0: IMPOSSIBLE,
        1: IMPOSSIBLE,
    }
    assert sampling_failures([FOREST], of_bigrams(bigrams(1)), n_params, 10) == {0: TOO_LARGE}
    assert sampling_failures([FOREST], of_bigrams(bigrams(1)), n_params, 10**5) == {}


@pytest.mark.parametrize(
    "options",
    [{"iterations": 1}, {"chains": 0}, {"thin": 0}, {"thin": 21}, {"burn_in": 40}, {"burn_in": -1}],
)
def test_too_few(options: dict[str, int]) -> None:
    with pytest.raises(GlyphoneError, match="nothing would be sampled"):
        sample_posterior(
            [FOREST], of_bigrams(bigrams(1)), GRAMMAR.multinomials(1.0), SamplingOptions(**options)
        )


@pytest.mark.parametrize("given", ["source", "target"])
def test_right_hand_shares_agree_with_the_trees(given: Given) -> None:
    """Whichever side is given, shares are counted in the target."""
    grammar = DependencyGrammar(reads="tags", given=given)
    forest = grammar.forest_of(GIVEN)
    options = SamplingOptions(iterations=12, chains=1)
    posterior = sample_posterior(
        [forest] * 5, of_bigrams(bigrams(2)), grammar.multinomials(1.0), options
    )
    heads = [(word.head or 0) - 1 for word in GIVEN.words]
    for name in grammar.classes:
        right = total = 0
        for trees in posterior.trees:
            for tree, count in trees.items():
                order = [int(forest.tokens[leaf]) for leaf in forest.leaves_of(tree)]
                rank = {position: place for place, position in enumerate(order)}
                for position, head in enumerate(heads):
                    if head >= 0 and class_of(GIVEN, position) == name:
                        right += count * (rank[position] > rank[head])
                        total += count
        assert estimate(posterior, name, grammar).mean == pytest.approx(right / total)


def test_a_class_moves_as_a_whole_if_the_source_is_given() -> None:
    """Where the text does not tell, the side that is given in the target splits a class."""
    flat = of_bigrams(np.zeros((N + 1, N + 1)))
    shares = {}
    for given in GIVEN_SIDES:
        grammar = DependencyGrammar(reads="tags", given=given)
        forest = grammar.forest_of(GIVEN)
        options = SamplingOptions(iterations=30, chains=1)
        posterior = sample_posterior([forest] * 20, flat, grammar.multinomials(20.0), options)
        shares[given] = estimate(posterior, "nsubj(VERB)", grammar).mean
    assert shares["source"] < 0.15 < shares["target"]
