"""Distributions of how often a word occurs in a passage or document.

Poisson and negative binomial say it of passages of one size. Binomial, Bernoulli and beta-binomial
say it given the length n, the number of all tokens. A zero-inflated one first decides whether the
word is off topic, in which case it does not occur (Jansche 2003, eq. 3):

    ZI(x) = z [x = 0] + (1 - z) F(x)

Parameters may be arrays, of classes by words for instance; they are broadcast against x and n.

>>> Poisson(0.67).log_mass([0, 1]).round(3).tolist()
[-0.67, -1.07]
>>> model = ZeroInflated(0.5, Binomial(0.1))
>>> model.mean(20), np.exp(model.log_mass([0, 2], 20)).round(4).tolist()
(1.0, [0.5608, 0.1426])
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

Array = Any
Same = TypeVar("Same", bound="CountModel")
# From here on Stirling's series is exact to the last digit, and differences of gammaln are not.
STIRLING = 1e3
# A word that never occurs, or a dispersion of nought, in the formula of the beta-binomial.
LEAST = 1e-18


class CountModel(ABC):
    """A distribution of counts, given a length where `needs_length`."""

    needs_length = False

    @abstractmethod
    def log_mass(self, x: Array, n: Array = None) -> Array:
        """The natural logarithm of the probability of x occurrences among n tokens."""

    def log_absent(self, n: Array = None) -> Array:
        """The natural logarithm of the probability of no occurrence among n tokens."""
        return self.log_mass(0.0, n)

    @abstractmethod
    def mean(self, n: Array = None) -> Array: ...

    @abstractmethod
    def variance(self, n: Array = None) -> Array: ...

    def parameters(self) -> dict[str, Array]:
        """All parameters by name, with those of the inner model of a zero-inflated one."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def at_words(self: Same, words: Array) -> Same:
        """The model of some words, the last axis of every parameter."""
        return type(self)(*(value[..., words] for value in self.parameters().values()))

    def describe(self) -> str:
        """Name and parameters, for people."""
        inner = ", ".join(f"{name}={value:.4g}" for name, value in self.parameters().items())
        return f"{type(self).__name__}({inner})"


@dataclass(frozen=True)
class Poisson(CountModel):
    """The mean is mu, and so is the variance."""

    mu: Array

    def log_mass(self, x: Array, n: Array = None) -> Array:
        x = np.asarray(x, float)
        return xlogy(x, self.mu) - self.mu - gammaln(x + 1)

    def mean(self, n: Array = None) -> Array:
        return self.mu

    def variance(self, n: Array = None) -> Array:
        return self.mu


@dataclass(frozen=True)
class NegativeBinomial(CountModel):
    """Mean mu, shape k, variance mu + mu^2 / k (Mosteller and Wallace 1964)."""

    mu: Array
    k: Array

    def log_mass(self, x: Array, n: Array = None) -> Array:
        x = np.asarray(x, float)
        rest = xlog1py(x, (x - self.mu) / (self.k + self.mu)) - self.k * np.log1p(self.mu / self.k)
        return xlogy(x, self.mu) - gammaln(x + 1) + log_rising(self.k, x) + rest

    def mean(self, n: Array = None) -> Array:
        return self.mu

    def variance(self, n: Array = None) -> Array:
        return self.mu + self.mu**2 / self.k


@dataclass(frozen=True)
class Binomial(CountModel):
    """Each of n tokens is the word with probability p."""

    p: Array
    needs_length = True

    def log_mass(self, x: Array, n: Array = None) -> Array:
        x, n = np.asarray(x, float), np.asarray(n, float)
        return log_choices(x, n) + xlogy(x, self.p) + xlog1py(n - x, -self.p)

    def log_absent(self, n: Array = None) -> Array:
        return xlog1py(n, -self.p)

    def mean(self, n: Array = None) -> Array:
        return n * self.p

    def variance(self, n: Array = None) -> Array:
        return n * self.p * (1 - self.p)


@dataclass(frozen=True)
class Bernoulli(CountModel):
    """Whether the word occurs at all, in a document that is not empty."""

    p: Array
    needs_length = True

    def log_mass(self, x: Array, n: Array = None) -> Array:
        present, some = np.asarray(x) > 0, np.asarray(n) > 0
        return xlogy(present, self.p) + xlog1py(some & ~present, -self.p)

    def mean(self, n: Array = None) -> Array:
        return (np.asarray(n) > 0) * self.p

    def variance(self, n: Array = None) -> Array:
        return self.mean(n) * (1 - self.p)


@dataclass(frozen=True)
class BetaBinomial(CountModel):
    """A binomial whose p varies from text to text by a beta distribution.

    p is the mean and g the dispersion: g = 1 / (a + b + 1) in the usual parameters. A g of nought
    is the binomial.
    """

    p: Array
    g: Array
    needs_length = True

    def log_mass(self, x: Array, n: Array = None) -> Array:
        x, n = np.asarray(x, float), np.asarray(n, float)
        a, b, g = self._shapes()
        scale = 1 - g + g * n
        logs = xlogy(x, g * (a + x) / scale) + xlogy(n - x, g * (b + n - x) / scale)
        return (
            log_choices(x, n)
            + logs
            + log_rising(a, x)
            + log_rising(b, n - x)
            - log_rising(a + b, n)
        )

    def log_absent(self, n: Array = None) -> Array:
        n = np.asarray(n, float)
        a, b, g = self._shapes()
        return xlogy(n, g * (b + n) / (1 - g + g * n)) + log_rising(b, n) - log_rising(a + b, n)

    def _shapes(self) -> tuple[Array, Array, Array]:
        g = np.maximum(self.g, LEAST)
        a, b = self.p * (1 - g) / g, (1 - self.p) * (1 - g) / g
        return np.maximum(a, LEAST), np.maximum(b, LEAST), g

    def mean(self, n: Array = None) -> Array:
        return n * self.p

    def variance(self, n: Array = None) -> Array:
        return n * self.p * (1 - self.p) * (1 + (n - 1) * self.g)


@dataclass(frozen=True)
class ZeroInflated(CountModel):
    """With probability z the word is off topic; else its count has another distribution."""

    z: Array
    model: CountModel

    @property
    def needs_length(self) -> bool:  # type: ignore[override]
        return self.model.needs_length

    def log_mass(self, x: Array, n: Array = None) -> Array:
        some = np.log1p(-np.asarray(self.z)) + self.model.log_mass(x, n)
        return np.where(np.asarray(x) == 0, self.log_absent(n), some)

    def log_absent(self, n: Array = None) -> Array:
        z = np.asarray(self.z)
        with np.errstate(divide="ignore"):  # z may well be 0, and then the sum is not
            return np.log(z + (1 - z) * np.exp(self.model.log_absent(n)))

    def mean(self, n: Array = None) -> Array:
        return (1 - self.z) * self.model.mean(n)

    def variance(self, n: Array = None) -> Array:
        mean = self.model.mean(n)
        return (1 - self.z) * (self.model.variance(n) + self.z * mean**2)

    def parameters(self) -> dict[str, Array]:
        return {"z": self.z, **self.model.parameters()}

    def at_words(self, words: Array) -> ZeroInflated:
        return ZeroInflated(self.z[..., words], self.model.at_words(words))

    def describe(self) -> str:
        return f"ZeroInflated(z={self.z:.4g}, {self.model.describe()})"


def log_choices(x: Array, n: Array) -> Array:
    """The logarithm of n over x."""
    return gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1)


def log_rising(k: Array, x: Array) -> Array:
    """ln(Gamma(k + x) / Gamma(k)) - x ln(k + x), for a k of any size.

    >>> log_rising(np.array([2.0, 1e12]), 3.0).round(3).tolist()
    [-1.65, -0.0]
    """
    k, x = np.broadcast_arrays(np.asarray(k, float), np.asarray(x, float))
    large = np.maximum(k, STIRLING)
    ends = (1 / (large + x) - 1 / large) / 12 - ((large + x) ** -3 - large**-3) / 360
    found = np.asarray((large - 0.5) * np.log1p(x / large) - x + ends)
    small = k < STIRLING
    some, low = x[small], k[small]
    found[small] = gammaln(low + some) - gammaln(low) - xlogy(some, low + some)
    return found[()]
