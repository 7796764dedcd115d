"""Transfer of constituents by the sampler: known posteriors, and names in errors."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from glyphone.data.errors import GlyphoneError, ItemError
from glyphone.data.records import Tree
from glyphone.treebank.sampling.chains import SamplingOptions
from glyphone.treebank.sampling.impute import ImputationPlan
from glyphone.treebank.transfer.constituent_forests import ConstituentGrammar, OrderRule
from glyphone.treebank.transfer.constituents import transfer_constituents
from glyphone.treebank.transfer.nearness import LEAST, MOST, measure_nearness, strength_of

SHORT = ImputationPlan(options=SamplingOptions(iterations=4))
RULE = OrderRule(("S",), (("a", "n"), ("n", "a")), same=3.0, other=2.0)
OLD_DOGS = Tree("S", (Tree("a", (Tree("old"),)), Tree("n", (Tree("dogs"),))))
DOGS_OLD = Tree("S", OLD_DOGS.children[::-1])


def test_parameters_have_their_known_posterior() -> None:
    """Text in which a noun is never first: all targets are `a n`, whatever the source."""
    grammar = ConstituentGrammar((RULE,))
    source = [OLD_DOGS] * 6 + [DOGS_OLD] * 4
    text = [["a", "n"]] * 4_000
    plan = ImputationPlan(options=SamplingOptions(iterations=600, seed=1))
    result = transfer_constituents(source, text, grammar=grammar, plan=plan)
    assert set(map(str, result.trees)) == {str(OLD_DOGS)}
    assert result.frequencies == pytest.approx([1.0] * 10)
    expected = [9 / 15, 6 / 15, 2 / 5, 3 / 5]  # (3 + 6, 2 + 4) of `a n`; the prior of `n a`
    found = result.posterior.params.mean(axis=(0, 1))
    assert found == pytest.approx(expected, abs=0.03)
    assert 0.9 < result.estimate(0).rhat < 1.1
    assert result.unseen == 0


def test_the_same_seed_gives_the_same() -> None:
    def draws(seed: int) -> np.ndarray:
        grammar = ConstituentGrammar((RULE,))
        plan = ImputationPlan(options=SamplingOptions(iterations=6, seed=seed), refined=True)
        text = [["n", "a"]]
        return transfer_constituents(
            [OLD_DOGS] * 3, text, grammar=grammar, plan=plan
        ).posterior.params

    assert np.array_equal(draws(1), draws(1))
    assert not np.array_equal(draws(1), draws(2))


def test_best_and_sampled_trees_agree_with_enumeration() -> None:
    grammar = ConstituentGrammar((RULE,), keep=frozenset("*"))
    source, text = Tree("X", (OLD_DOGS, DOGS_OLD)), [["a", "n"], ["n", "a"], ["n", "a", "n"]]
    found = {}
    for way in ("best", "sampled", "frequent"):
        plan = ImputationPlan(
            options=SamplingOptions(iterations=400, seed=2),
            way=way,
            n_trees=300,  # type: ignore[arg-type]
        )
        result = transfer_constituents([source], text, grammar=grammar, plan=plan)
        shares = Counter[str]()
        for tree, share in zip(map(str, result.trees), result.frequencies, strict=True):
            shares[tree] += 1 / 300 if way == "sampled" else share
        assert set(result.sources) == {1}
        found[way] = shares
    assert all(len(shares) == 4 and shares.total() == pytest.approx(1) for shares in found.values())
    for tree, share in found["frequent"].items():
        assert found["sampled"][tree] == pytest.approx(share, abs=0.1)
        assert found["best"][tree] == pytest.approx(share, abs=0.15)


def test_refusals_name_trees() -> None:
    grammar = ConstituentGrammar((RULE,))
    source = [OLD_DOGS, Tree("X", OLD_DOGS.children), Tree("S")]
    result = transfer_constituents(source, [["a", "n"]], grammar=grammar, plan=SHORT)
    assert len(result.trees) == 1
    assert [error.item for error in result.refused] == ["tree 2", "tree 3"]
    with pytest.raises(ItemError, match="nothing to transfer"):
        transfer_constituents([], [["a"]], grammar=grammar, plan=SHORT)
    none = ImputationPlan(options=SamplingOptions(iterations=1))
    with pytest.raises(GlyphoneError, match="nothing would be sampled"):
        transfer_constituents(source, [["a"]], grammar=grammar, plan=none)


def test_forests_beyond_the_budget_are_left_out() -> None:
    grammar = ConstituentGrammar((RULE,), keep=frozenset("*"))
    long = Tree("X", (OLD_DOGS,) * 40)
    plan = ImputationPlan(options=SamplingOptions(iterations=4, budget=60))
    result = transfer_constituents([long, OLD_DOGS], [["a", "n"]], grammar=grammar, plan=plan)
    assert [error.item for error in result.refused] == ["tree 1"]
    assert len(result.trees) == 1


def test_nearness_is_that_of_orders() -> None:
    text = [[0, 1, 2, 3]] * 30 + [[0, 2, 1, 3]] * 30
    same = measure_nearness(text, text, n_symbols=4)
    other = measure_nearness([[3, 2, 1, 0]] * 9, text, n_symbols=4)
    half = measure_nearness([[0, 1, 2, 3], [3, 2, 1, 0]] * 9, text, n_symbols=4)
    assert other == LEAST
    assert LEAST < half < same <= MOST
    assert strength_of(text, text, n_symbols=4) > 60 * 0.2
    assert strength_of([[3, 2, 1, 0]], text, n_symbols=4) == 1.0
    with pytest.raises(GlyphoneError, match="no text to compare"):
        measure_nearness([], text, n_symbols=4)
