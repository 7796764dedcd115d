"""Distributions estimated from how often one word occurs in many passages.

Methods are "likelihood" (the maximum, in closed form or by quasi-Newton search), "moments" and
"em", for the zero-inflated binomial, as in Jansche (2003), figure 5, corrected (see
`zero_inflation_kernels`).

The mean of a negative binomial is that of the sample, and only k is searched. The dispersion of a
beta-binomial has the moment estimate (eq. 10)

    g = (S / (p (1 - p)) - sum n) / (sum n^2 - sum n),   S = sum (x - n p)^2

which is nought, a binomial, where the data vary less than that.

>>> counts, lengths = [0, 1, 0, 4, 0, 2], [20, 20, 40, 40, 60, 60]
>>> fit(counts, "beta_binomial", lengths=lengths, method="moments").describe()
'BetaBinomial(p=0.02917, g=0.02008)'
>>> fit(counts, "zero_inflated_binomial", lengths=lengths, method="em").describe()
'ZeroInflated(z=0.4104, Binomial(p=0.05148))'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import logit

from glyphone.data.errors import GlyphoneError, UnknownName
from glyphone.learners.counts import checking, zero_inflation_kernels
from glyphone.learners.counts.goodness import log_likelihood
from glyphone.learners.counts.models import (
    Bernoulli,
    BetaBinomial,
    Binomial,
    CountModel,
    NegativeBinomial,
    Poisson,
    ZeroInflated,
)

Array = Any
Estimator = Callable[[Array, Array], CountModel]
# ln k: a greater shape counts as Poisson. Logits: as near to 0 and 1 as numbers need to come.
SHAPES = (-12.0, 13.8)
LOGITS = (-30.0, 30.0)
LOG_MEANS = (-30.0, 30.0)
LEAST_DISPERSION, GREATEST_DISPERSION = 1e-7, 0.99


def fit(counts: Any, model: str, *, lengths: Any = None, method: str = "likelihood") -> CountModel:
    """The model of a word that occurs counts[i] times in passage i, of lengths[i] tokens."""
    if model not in METHODS:
        raise UnknownName("count model", model, METHODS)
    if method not in METHODS[model]:
        raise UnknownName(f"method for {model}", method, METHODS[model])
    x = checking.counts_of(counts)
    if model in GIVEN_LENGTH and lengths is None:
        raise GlyphoneError(f"{model} needs lengths", remedy="give the tokens of each passage")
    n = None if lengths is None else checking.lengths_of(lengths, x)
    if n is not None and not n.any():
        raise GlyphoneError("every passage is empty", remedy="give passages with tokens")
    return METHODS[model][method](x, n)


def poisson(x: Array, n: Array) -> CountModel:
    return Poisson(float(x.mean()))


def binomial(x: Array, n: Array) -> CountModel:
    return Binomial(float(x.sum() / n.sum()))


def bernoulli(x: Array, n: Array) -> CountModel:
    return Bernoulli(float((x > 0).sum() / (n > 0).sum()))


def negative_binomial(x: Array, n: Array) -> CountModel:
    mean = float(x.mean())
    if mean == 0:
        return NegativeBinomial(0.0, exp(SHAPES[1]))
    return most_likely(
        lambda t: NegativeBinomial(mean, exp(t[0])), [(0.0,), (5.0,)], [SHAPES], x, n
    )


def negative_binomial_by_moments(x: Array, n: Array) -> CountModel:
    """k = mu^2 / (variance - mu), or the greatest where the variance is less than the mean."""
    mean, most = float(x.mean()), exp(SHAPES[1])
    excess = float(x.var()) - mean
    return NegativeBinomial(mean, min(mean**2 / excess, most) if excess > 0 else most)


def beta_binomial_by_moments(x: Array, n: Array) -> CountModel:
    p = float(x.sum() / n.sum())
    squares = float(((x - n * p) ** 2).sum())
    return BetaBinomial(p, float(moment_dispersion(p, squares, n.sum(), (n * n).sum())))


def moment_dispersion(p: Array, squares: Array, n: Array, n_squared: Array) -> Array:
    """The moment estimate of g from the sums of squares (x - n p)^2, of n, and of n^2."""
    with np.errstate(divide="ignore", invalid="ignore"):
        g = (np.divide(squares, p * (1 - p)) - n) / (n_squared - n)
    # Where it is undefined, nothing is known of the dispersion.
    g = np.where(np.isfinite(g), np.minimum(g, GREATEST_DISPERSION), 0.0)
    return np.where(g < LEAST_DISPERSION, 0.0, g)


def beta_binomial(x: Array, n: Array) -> CountModel:
    first = beta_binomial_by_moments(x, n)
    assert isinstance(first, BetaBinomial)
    if first.p in (0.0, 1.0):
        return first
    starts = [(logit(first.p), logit(g)) for g in (max(first.g, 1e-4), 0.1)]
    return most_likely(
        lambda t: BetaBinomial(logistic(t[0]), logistic(t[1])), starts, [LOGITS, LOGITS], x, n
    )


def zero_inflated_poisson(x: Array, n: Array) -> CountModel:
    return most_likely(
        lambda t: ZeroInflated(logistic(t[1]), Poisson(exp(t[0]))),
        [(logarithm(x.mean() / (1 - z)), logit(z)) for z in (0.1, 0.6)],
        [LOG_MEANS, LOGITS], x, n,
    )  # fmt: skip


def zero_inflated_negative_binomial(x: Array, n: Array) -> CountModel:
    return most_likely(
        lambda t: ZeroInflated(logistic(t[2]), NegativeBinomial(exp(t[0]), exp(t[1]))),
        [
            (logarithm(x.mean() / (1 - z)), log(k), logit(z))
            for k in (0.4, 3.0) for z in (0.1, 0.6)
        ],
        [LOG_MEANS, SHAPES, LOGITS], x, n,
    )  # fmt: skip


def zero_inflated_binomial(x: Array, n: Array) -> CountModel:
    p = x.sum() / n.sum()
    return most_likely(
        lambda t: ZeroInflated(logistic(t[1]), Binomial(logistic(t[0]))),
        [(np.clip(logit(p), *LOGITS), logit(z)) for z in (0.1, 0.6)],
        [LOGITS, LOGITS], x, n,
    )  # fmt: skip


def zero_inflated_binomial_by_em(x: Array, n: Array) -> CountModel:
    lengths, places = np.unique(n, return_inverse=True)
    present = np.flatnonzero(x)
    found = zero_inflation_kernels.zero_inflated(
        lengths, np.bincount(places).astype(float), np.array([0, len(present)]),
        x[present], places[present], (0.0, 0.0, 0.0), 1e-14, 10_000,
    )[0]  # fmt: skip
    occurrences, tokens, off_topic = found
    return ZeroInflated(float(off_topic / len(x)), Binomial(float(occurrences / tokens)))


def logarithm(value: float) -> float:
    return log(max(value, exp(LOG_MEANS[0])))


def logistic(value: float) -> float:
    return 1 / (1 + exp(-value))


def most_likely(
    model: Callable[[Array], CountModel],
    starts: Sequence[tuple[float, ...]],
    bounds: Sequence[tuple[float, float]],
    x: Array,
    n: Array,
) -> CountModel:
    """The model of the greatest likelihood that is found from any of the starts."""
    found = [
        minimize(
            lambda t: -log_likelihood(model(t), x, n) / len(x),
            start, method="L-BFGS-B", jac="3-point", bounds=bounds,
            options={"ftol": 1e-15, "gtol": 1e-10},
        )
        for start in starts
    ]  # fmt: skip
    return model(min(found, key=lambda result: float(result.fun)).x)


METHODS: dict[str, dict[str, Estimator]] = {
    "poisson": {"likelihood": poisson, "moments": poisson},
    "negative_binomial": {
        "likelihood": negative_binomial,
        "moments": negative_binomial_by_moments,
    },
    "zero_inflated_poisson": {"likelihood": zero_inflated_poisson},
    "zero_inflated_negative_binomial": {"likelihood": zero_inflated_negative_binomial},
    "binomial": {"likelihood": binomial, "moments": binomial},
    "bernoulli": {"likelihood": bernoulli, "moments": bernoulli},
    "beta_binomial": {"likelihood": beta_binomial, "moments": beta_binomial_by_moments},
    "zero_inflated_binomial": {
        "likelihood": zero_inflated_binomial,
        "em": zero_inflated_binomial_by_em,
    },
}
GIVEN_LENGTH = {"binomial", "bernoulli", "beta_binomial", "zero_inflated_binomial"}
