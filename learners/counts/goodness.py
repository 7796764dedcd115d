"""Goodness of fit of a distribution: expected table, chi-squared, likelihood, AIC.

Chi-squared is the sum of (observed - expected)^2 / expected over bins of values; neighbours are
pooled until more than 5 passages are expected. Degrees of freedom are bins - parameters - 1. In the
tables of Jansche (2003) the last bin ends at the largest count that was observed, and passages
expected beyond are dropped; with `open_end` they belong to the last bin.

>>> from glyphone.learners.counts.models import Poisson
>>> were = [0] * 179 + [1] * 58 + [2] * 18 + [3] * 5 + [4, 5]
>>> print(goodness_of_fit(Poisson(118 / 262), were))
  count  observed  expected
      0       179   166.995
      1        58    75.211
    2-5        25    19.792
chi-square 6.172, df 1, cumulative probability 0.987, -ln L 241.525, AIC 485.050
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import chi2

from glyphone.data.errors import GlyphoneError
from glyphone.learners.counts import checking
from glyphone.learners.counts.models import CountModel

Array = Any
POOLED = 5.0


@dataclass(frozen=True)
class GoodnessOfFit:
    """Bins are first and last values; the probability is nan where no degree of freedom is left."""

    bins: tuple[tuple[int, int], ...]
    observed: tuple[int, ...]
    expected: tuple[float, ...]
    chi_square: float
    degrees_of_freedom: int
    cumulative_probability: float
    log_likelihood: float
    aic: float

    def __str__(self) -> str:
        rows = [f"{'count':>7} {'observed':>9} {'expected':>9}"]
        for (low, high), seen, hoped in zip(self.bins, self.observed, self.expected, strict=True):
            value = str(low) if low == high else f"{low}-{high}"
            rows.append(f"{value:>7} {seen:9} {hoped:9.3f}")
        return "\n".join(rows) + (
            f"\nchi-square {self.chi_square:.3f}, df {self.degrees_of_freedom},"
            f" cumulative probability {self.cumulative_probability:.3f},"
            f" -ln L {-self.log_likelihood:.3f}, AIC {self.aic:.3f}"
        )


def goodness_of_fit(
    model: CountModel,
    counts: Any,
    *,
    lengths: Any = None,
    bins: Sequence[tuple[int, int]] | None = None,
    open_end: bool = False,
) -> GoodnessOfFit:
    """A model held to the counts of a word in passages, of some lengths if it needs them.

    `bins`, first and last values, may be given, to compare models on the same ones.
    """
    x = checking.counts_of(counts)
    n = None if lengths is None else checking.lengths_of(lengths, x)
    observed = np.bincount(x.astype(int))
    expected = expected_table(model, len(observed), n, n_passages=len(x))
    if open_end:
        expected[-1] = len(x) - expected[:-1].sum()
    bins = pool_bins(expected) if bins is None else bins
    seen = [int(observed[low : high + 1].sum()) for low, high in bins]
    hoped = [float(expected[low : high + 1].sum()) for low, high in bins]
    if not all(hoped):
        raise GlyphoneError(
            f"nothing is expected in {bins[hoped.index(0.0)]}", remedy="give wider bins"
        )
    chi_square = sum((o - e) ** 2 / e for o, e in zip(seen, hoped, strict=True))
    n_parameters = len(model.parameters())
    freedom = len(bins) - n_parameters - 1
    likelihood = log_likelihood(model, x, n)
    return GoodnessOfFit(
        tuple(bins), tuple(seen), tuple(hoped), chi_square, freedom,
        float(chi2.cdf(chi_square, freedom)) if freedom > 0 else float("nan"),
        likelihood, 2 * n_parameters - 2 * likelihood,
    )  # fmt: skip


def expected_table(model: CountModel, n_values: int, n: Array, *, n_passages: int) -> Array:
    """The expected numbers of passages with 0, 1, 2 ... occurrences."""
    values = np.arange(n_values)
    if n is None:
        return n_passages * np.exp(model.log_mass(values))
    lengths, times = np.unique(n, return_counts=True)
    masses = (np.exp(model.log_mass(values[values <= length], length)) for length in lengths)
    return sum(
        time * np.pad(mass, (0, n_values - len(mass)))
        for time, mass in zip(times, masses, strict=True)
    )


def pool_bins(expected: Array) -> list[tuple[int, int]]:
    """First and last values of bins for more than 5 expected passages, where there are so many."""
    bins: list[tuple[int, int]] = []
    first = 0
    for value in range(len(expected)):
        if expected[first : value + 1].sum() > POOLED:
            bins.append((first, value))
            first = value + 1
    if first < len(expected):
        bins[-1:] = [(bins[-1][0] if bins else first, len(expected) - 1)]
    return bins


def log_likelihood(model: CountModel, counts: Array, lengths: Array = None) -> float:
    """The natural logarithm of the probability of all counts together."""
    pairs = np.stack([counts, counts if lengths is None else lengths])
    (x, n), times = np.unique(pairs, axis=1, return_counts=True)
    with np.errstate(divide="ignore"):
        return float(times @ model.log_mass(x, n))
