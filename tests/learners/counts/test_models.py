"""Distributions of counts, beside those of scipy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from glyphone.learners.counts.models import (
    Bernoulli,
    BetaBinomial,
    Binomial,
    CountModel,
    NegativeBinomial,
    Poisson,
    ZeroInflated,
)

N = 137
VALUES = np.arange(N + 1)
MODELS: list[CountModel] = [
    Poisson(0.67),
    NegativeBinomial(0.54, 0.15),
    NegativeBinomial(3.0, 5e4),
    Binomial(0.004),
    BetaBinomial(0.004, 0.01),
    BetaBinomial(0.3, 1e-5),
    BetaBinomial(0.3, 0.0),
]


@pytest.mark.parametrize("model", [*MODELS, *(ZeroInflated(0.3, model) for model in MODELS)])
def test_masses_sum_to_one_with_the_stated_mean_and_variance(model: CountModel) -> None:
    masses = np.exp(model.log_mass(VALUES, N))
    assert masses.sum() == pytest.approx(1, abs=1e-11)
    mean = masses @ VALUES
    assert model.mean(N) == pytest.approx(mean, rel=1e-8)
    assert model.variance(N) == pytest.approx(masses @ VALUES**2 - mean**2, rel=1e-8)
    assert model.log_absent(N) == pytest.approx(np.log(masses[0]), abs=1e-12)


def test_the_figures_of_the_specification() -> None:
    model = BetaBinomial(0.004, 0.01)
    assert model.mean(N) == pytest.approx(0.548)
    assert model.variance(N) == pytest.approx(1.288107, abs=1e-6)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (Poisson(2.5), stats.poisson.logpmf(VALUES, 2.5)),
        (NegativeBinomial(3.0, 0.2), stats.nbinom.logpmf(VALUES, 0.2, 0.2 / 3.2)),
        (NegativeBinomial(3.0, 1500.0), stats.nbinom.logpmf(VALUES, 1500, 1500 / 1503)),
        (NegativeBinomial(3.0, 1e15), stats.poisson.logpmf(VALUES, 3.0)),
        (Binomial(0.2), stats.binom.logpmf(VALUES, N, 0.2)),
        (BetaBinomial(0.25, 0.2), stats.betabinom.logpmf(VALUES, N, 1.0, 3.0)),
        (BetaBinomial(0.2, 0.0), stats.binom.logpmf(VALUES, N, 0.2)),
        (BetaBinomial(0.2, 1e-14), stats.binom.logpmf(VALUES, N, 0.2)),
    ],
)
def test_masses_are_those_of_scipy(model: CountModel, expected: Any) -> None:
    assert model.log_mass(VALUES, N) == pytest.approx(expected, abs=1e-8, rel=1e-9)


def test_bernoulli_is_about_presence_in_documents_with_words() -> None:
    model = Bernoulli(0.25)
    assert np.exp(model.log_mass([0, 1, 9, 0], [5, 5, 9, 0])).tolist() == [0.75, 0.25, 0.25, 1.0]
    assert np.exp(model.log_absent([5, 0])).tolist() == [0.75, 1.0]
    assert model.mean(7) == 0.25 and model.variance(7) == pytest.approx(0.1875)


def test_ends_of_the_range_are_certain() -> None:
    with np.errstate(divide="ignore"):
        assert np.exp(Binomial(0.0).log_mass([0, 1], 3)).tolist() == [1.0, 0.0]
        assert np.exp(Binomial(1.0).log_mass([2, 3], 3)).tolist() == [0.0, 1.0]
    assert np.exp(BetaBinomial(0.0, 0.0).log_mass([0, 1], 3)) == pytest.approx([1, 0])
    assert np.exp(ZeroInflated(1.0, Poisson(2.0)).log_absent()) == 1.0
    assert ZeroInflated(0.0, Poisson(2.0)).log_mass([0, 3]) == pytest.approx(
        Poisson(2.0).log_mass([0, 3])
    )


def test_parameters_may_be_arrays_of_classes_by_words() -> None:
    z, p = (
        np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]),
        np.array([[0.1, 0.2, 0.1], [0.3, 0.2, 0.1]]),
    )
    model = ZeroInflated(z, BetaBinomial(p, p / 10))
    some = model.at_words(np.array([2, 0]))
    assert list(some.parameters()) == ["z", "p", "g"]
    found = some.log_mass(np.array([0, 3]), np.array([9, 10]))
    for one in range(2):
        for place, (word, x, n) in enumerate([(2, 0, 9), (0, 3, 10)]):
            single = ZeroInflated(z[one, word], BetaBinomial(p[one, word], p[one, word] / 10))
            assert found[one, place] == pytest.approx(float(single.log_mass(x, n)))
