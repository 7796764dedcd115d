"""Estimation from the counts of one word: the tables of the paper, twins, and bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.learners.counts.checking import BadCounts
from glyphone.learners.counts.fitting import METHODS, fit
from glyphone.learners.counts.goodness import goodness_of_fit, log_likelihood, pool_bins
from glyphone.learners.counts.models import (
    BetaBinomial,
    Binomial,
    NegativeBinomial,
    Poisson,
    ZeroInflated,
)

Array = Any
ZINB = "zero_inflated_negative_binomial"
HIS = np.repeat(np.arange(15), [405, 39, 26, 18, 5, 4, 5, 3, 3, 0, 0, 0, 0, 0, 1])
WERE = np.repeat(np.arange(6), [179, 58, 18, 5, 1, 1])


def rounded(values: Any) -> list[float]:
    return [round(float(value), 3) for value in values]


def simulated(
    seed: int, *, z: float = 0.7, p: float = 0.004, g: float = 0.0
) -> tuple[Array, Array]:
    random = np.random.default_rng(seed)
    n = random.integers(20, 2001, 4000)
    some = random.beta(p * (1 - g) / g, (1 - p) * (1 - g) / g, 4000) if g else p
    return np.where(random.random(4000) < z, 0, random.binomial(n, some)), n


def test_table_1_of_the_paper() -> None:
    model = fit(HIS, "negative_binomial")
    assert isinstance(model, NegativeBinomial)
    assert (round(model.mu, 4), round(model.k, 4)) == (0.5383, 0.1539)
    first = goodness_of_fit(model, HIS)
    assert first.bins == ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (7, 14))
    assert first.observed == (405, 39, 26, 18, 5, 9, 7)
    assert rounded(first.expected) == [403.853, 48.333, 21.686, 12.108, 7.424, 8.001, 6.996]
    figures = (first.chi_square, first.cumulative_probability, -first.log_likelihood)
    assert rounded(figures) == [6.447, 0.832, 441.585]
    assert first.degrees_of_freedom == 4

    found = fit(HIS, ZINB)
    assert rounded(found.parameters().values()) == [0.656, 1.565, 0.885]
    second = goodness_of_fit(found, HIS, bins=first.bins)
    assert rounded(second.expected) == [405, 40.207, 24.206, 14.868, 9.223, 9.361, 5.977]
    figures = (second.chi_square, second.cumulative_probability, -second.log_likelihood)
    assert rounded(figures) == [2.952, 0.601, 439.596]
    assert second.degrees_of_freedom == 3
    assert first.aic - second.aic == pytest.approx(1.98, abs=0.005)


def test_words_of_one_author_in_the_paper() -> None:
    poisson = goodness_of_fit(fit(WERE, "poisson"), WERE)
    assert poisson.bins == ((0, 0), (1, 1), (2, 5))
    assert (round(poisson.chi_square, 2), poisson.degrees_of_freedom) == (6.17, 1)
    model = fit(WERE, "negative_binomial")
    assert [round(value, 4) for value in model.parameters().values()] == [0.4504, 1.1744]
    closed, opened = (goodness_of_fit(model, WERE, open_end=end) for end in (False, True))
    assert (round(closed.chi_square, 3), closed.degrees_of_freedom) == (0.013, 1)
    assert closed.bins[-1] == (3, 5)
    assert sum(closed.expected) < 262
    assert sum(opened.expected) == pytest.approx(262)
    assert opened.chi_square == pytest.approx(0.02, abs=0.002)


def test_em_finds_what_direct_search_finds() -> None:
    x, n = simulated(1)
    em, direct = (
        fit(x, "zero_inflated_binomial", lengths=n, method=method)
        for method in ("em", "likelihood")
    )
    assert list(em.parameters().values()) == pytest.approx(list(direct.parameters().values()), 1e-6)
    assert em.parameters() == pytest.approx({"z": 0.7, "p": 0.004}, rel=0.05)
    assert log_likelihood(em, x, n) >= log_likelihood(direct, x, n) - 1e-6


def test_em_on_data_without_zero_inflation_and_of_nothing_else() -> None:
    n = np.array([10.0, 20.0, 30.0, 40.0])
    x = np.array([1.0, 2.0, 3.0, 4.0])
    em: dict[str, Any] = {"model": "zero_inflated_binomial", "method": "em"}
    everywhere = fit(x, lengths=n, **em)
    assert everywhere.parameters() == pytest.approx({"z": 0, "p": 0.1}, abs=1e-6)
    assert fit(n, lengths=n, **em).parameters() == pytest.approx({"z": 0, "p": 1}, abs=1e-6)
    nowhere = fit(0 * x, lengths=n, **em)
    assert nowhere.mean(40.0) == 0 and log_likelihood(nowhere, 0 * x, n) == 0
    inflated, n = simulated(2, z=0.0)
    model = fit(inflated, lengths=n, **em)
    assert model.parameters()["z"] < 0.05
    assert model.parameters()["p"] == pytest.approx(0.004, rel=0.05)


def test_moments_and_likelihood_find_the_dispersion() -> None:
    estimates = []
    for seed in range(200):
        x, n = simulated(seed, z=0.0, g=0.01)
        model = fit(x, "beta_binomial", lengths=n, method="moments")
        estimates.append(list(model.parameters().values()))
    assert np.mean(estimates, axis=0) == pytest.approx([0.004, 0.01], rel=0.01)
    x, n = simulated(0, z=0.0, g=0.01)
    direct = fit(x[:500], "beta_binomial", lengths=n[:500])
    moments = fit(x[:500], "beta_binomial", lengths=n[:500], method="moments")
    assert log_likelihood(direct, x[:500], n[:500]) > log_likelihood(moments, x[:500], n[:500])
    assert direct.parameters() == pytest.approx(moments.parameters(), rel=0.35)


@pytest.mark.parametrize(
    ("x", "n"), [([0, 0], [5, 9]), ([5, 9], [5, 9]), ([0, 1], [1, 1]), ([2, 2, 2], [9, 9, 9])]
)
def test_no_dispersion_is_a_binomial(x: list[int], n: list[int]) -> None:
    model = fit(x, "beta_binomial", lengths=n, method="moments")
    assert model == BetaBinomial(sum(x) / sum(n), 0.0)


def test_moments_of_the_negative_binomial() -> None:
    model = fit([0, 0, 1, 3], "negative_binomial", method="moments")
    assert model.mean() == 1 and model.variance() == pytest.approx(1.5)
    # Counts that vary less than a Poisson's have the greatest k.
    assert fit([1, 1, 1], "negative_binomial", method="moments").variance() < 1.00001
    assert fit([1, 1, 1], "negative_binomial").variance() == pytest.approx(1, abs=1e-5)
    assert fit([0, 0], "negative_binomial").mean() == 0


@pytest.mark.parametrize("name", METHODS)
def test_the_greatest_likelihood_is_above_that_of_neighbours(name: str) -> None:
    random = np.random.default_rng(5)
    x, n = (
        np.where(random.random(80) < 0.4, 0, random.negative_binomial(2, 0.4, 80)),
        np.full(80, 40),
    )
    model = fit(x, name, lengths=n)
    if name == "bernoulli":
        x = (x > 0).astype(int)
    top = log_likelihood(model, x, n)
    for parameter, value in model.parameters().items():
        for factor in (0.98, 1.02):
            values = {**model.parameters(), parameter: value * factor}
            z = values.pop("z", None)
            inner = model.model if isinstance(model, ZeroInflated) else model
            other = type(inner)(**values)
            moved = other if z is None else ZeroInflated(z, other)
            assert log_likelihood(moved, x, n) < top


def test_zero_inflation_collapses_where_there_is_none() -> None:
    counts = np.repeat(np.arange(6), [125, 88, 26, 7, 0, 1])
    model = fit(counts, "zero_inflated_poisson")
    assert model.parameters()["z"] < 1e-3
    assert model.mean() == pytest.approx(counts.mean(), rel=1e-4)


def test_lengths_make_the_expected_table() -> None:
    x, n = [0, 1, 2, 0], [1, 4, 4, 9]
    found = goodness_of_fit(Binomial(0.5), x, lengths=n, bins=[(0, 0), (1, 1), (2, 2)])
    expected = [0.5 + 2 / 16 + 1 / 512, 0.5 + 2 * 4 / 16 + 9 / 512, 2 * 6 / 16 + 36 / 512]
    assert found.expected == pytest.approx(expected)
    assert found.log_likelihood == pytest.approx(np.log([0.5, 0.25, 0.375, 1 / 512]).sum())
    assert "cumulative probability" in str(found)


def test_bins_are_pooled_to_more_than_five() -> None:
    assert pool_bins(np.array([9.0, 4.0, 2.0, 3.0, 1.0])) == [(0, 0), (1, 4)]
    assert pool_bins(np.array([2.0, 4.0, 8.0, 1.0])) == [(0, 1), (2, 3)]
    assert pool_bins(np.array([1.0, 1.0])) == [(0, 1)]
    few = goodness_of_fit(Poisson(1.0), [0, 1, 2])
    assert few.degrees_of_freedom == -1 and np.isnan(few.cumulative_probability)
    with pytest.raises(GlyphoneError, match=r"nothing is expected in \(1, 2\)"):
        goodness_of_fit(Poisson(0.0), [0, 1, 2], bins=[(0, 0), (1, 2)])


@pytest.mark.parametrize(
    ("counts", "lengths", "message"),
    [
        ([0, -1], None, "row 1: -1 is negative"),
        ([0, 1, 0.5], None, "row 2: 0.5 is not a whole number"),
        ([0, np.nan], None, "row 1: nan is NaN"),
        ([np.inf, 1], None, "row 0: inf is inf"),
        ([], None, "give a vector"),
        (["a"], None, "give a vector"),
        ([[1]], None, r"shape \(1, 1\)"),
        ([1, 2], [3], "1 lengths of 2 counts"),
        ([1, 2], [3, 1], "row 1: 2 occurrences among 1 tokens"),
    ],
)
def test_what_is_no_count_is_refused_by_place(counts: Any, lengths: Any, message: str) -> None:
    with pytest.raises(BadCounts, match=message):
        fit(counts, "poisson", lengths=lengths)


def test_unknown_models_and_methods_and_missing_lengths() -> None:
    with pytest.raises(UnknownName, match="did you mean poisson"):
        fit([1], "poison")
    with pytest.raises(UnknownName, match="there are: likelihood, moments"):
        fit([1], "poisson", method="em")
    with pytest.raises(GlyphoneError, match="binomial needs lengths"):
        fit([1], "binomial")
    with pytest.raises(GlyphoneError, match="every passage is empty"):
        fit([0, 0], "binomial", lengths=[0, 0])
