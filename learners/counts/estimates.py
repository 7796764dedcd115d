"""Distributions for all words and classes at once, from a sparse table of documents by words.

`smoothing` occurrences a are added to each of V words, so that none is impossible in any class:

    binomial p = (X + a) / (N + a V), Bernoulli p = (df + a) / (D + 2 a), z = (Z + a) / (D + 2 a)

for X occurrences among N tokens in D documents, df with the word, Z off topic. In the zero-inflated
binomial they take part in EM, as a prior does; without, z would be anything for a rare word. The
mean of a Poisson or negative binomial is the smoothed p times tokens per document. The dispersion
of a beta-binomial is the likeliest for the smoothed p, or the moment estimate.

>>> rows = sparse.csr_matrix([[2.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
>>> table = CountTable(rows, np.array([0, 0, 1]), np.array([4.0, 4.0, 2.0]), 2)
>>> binomial(table, 1.0).p.round(2).tolist()
[[0.3, 0.2], [0.5, 0.5]]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import lambertw

from glyphone.data.kernels import jit
from glyphone.learners.counts import dispersion_kernels, shape_kernels, zero_inflation_kernels
from glyphone.learners.counts.fitting import moment_dispersion
from glyphone.learners.counts.models import (
    Bernoulli,
    BetaBinomial,
    Binomial,
    NegativeBinomial,
    Poisson,
    ZeroInflated,
)

Array = Any
# EM ends when the likelihood gains less than this share of it.
TOLERANCE, MAX_STEPS = 1e-8, 200
# A word that is every token of a class is not every token of the next document.
MOST_PROBABLE = 1 - 1e-10


@dataclass(frozen=True)
class CountTable:
    """Counts of the vocabulary, class numbers of documents, and their lengths in all tokens."""

    rows: Any
    classes: Array
    lengths: Array
    n_classes: int

    def sums_by_class(self, rows: Any) -> Array:
        """Rows of anything, added up by class."""
        places = np.arange(len(self.classes))
        ones = np.ones(len(self.classes))
        by_class = sparse.csr_matrix((ones, (self.classes, places)), (self.n_classes, len(places)))
        found = by_class @ rows
        return found.toarray() if sparse.issparse(found) else found

    @cached_property
    def occurrences(self) -> Array:
        return self.sums_by_class(self.rows)

    @cached_property
    def tokens(self) -> Array:
        return self.sums_by_class(self.lengths[:, None])

    @cached_property
    def documents(self) -> Array:
        return self.sums_by_class(np.ones((len(self.classes), 1)))

    def by_word(self, function: Callable[[int, Any, Array], Array]) -> Array:
        """The results of a kernel for the words of each class: columns, classes, words."""
        found = []
        for one in range(self.n_classes):
            chosen = self.classes == one
            found.append(function(one, self.rows[chosen].tocsc(), self.lengths[chosen]))
        return np.moveaxis(np.stack(found), -1, 0)


def binomial(table: CountTable, smoothing: float) -> Binomial:
    more = smoothing * table.rows.shape[1]
    p = (table.occurrences + smoothing) / (table.tokens + more)
    return Binomial(np.minimum(p, MOST_PROBABLE))


def bernoulli(table: CountTable, smoothing: float) -> Bernoulli:
    present, some = (
        table.sums_by_class(table.rows > 0),
        table.sums_by_class(table.lengths[:, None] > 0),
    )
    return Bernoulli((present + smoothing) / (some + 2 * smoothing))


def beta_binomial(table: CountTable, smoothing: float) -> BetaBinomial:
    p, n_words = binomial(table, smoothing).p, float(table.rows.shape[1])

    def likeliest(one: int, columns: Any, sizes: Array) -> Array:
        lengths, times = dispersion_kernels.groups(sizes)
        tier = jit.tier(dispersion_kernels, columns.shape[1] * len(lengths) + columns.nnz)
        return tier.most_likely(
            p[one], starts_of(columns), columns.data, sizes[columns.indices],
            np.append(lengths, n_words), np.append(times, smoothing), (smoothing, n_words),
        )[:, None]  # fmt: skip

    (g,) = table.by_word(likeliest)
    return BetaBinomial(p, g)


def beta_binomial_by_moments(table: CountTable, smoothing: float) -> BetaBinomial:
    p, rows = binomial(table, smoothing).p, table.rows
    squared = table.sums_by_class(table.lengths[:, None] ** 2)
    mixed = table.sums_by_class(sparse.diags(table.lengths) @ rows)
    squares = p**2 * squared + table.sums_by_class(rows.multiply(rows).tocsr()) - 2 * p * mixed
    return BetaBinomial(p, moment_dispersion(p, squares, table.tokens, squared))


def zero_inflated_binomial(table: CountTable, smoothing: float) -> ZeroInflated:
    more = (smoothing, smoothing * table.rows.shape[1], smoothing)

    def em(_: int, columns: Any, lengths: Array) -> Array:
        distinct, places = np.unique(lengths, return_inverse=True)
        tier = jit.tier(zero_inflation_kernels, columns.nnz * len(distinct))
        return tier.zero_inflated(
            distinct, np.bincount(places).astype(float), starts_of(columns), columns.data,
            places[columns.indices], more, TOLERANCE, MAX_STEPS,
        )  # fmt: skip

    occurrences, tokens, off_topic = table.by_word(em)
    z = off_topic / (table.documents + 2 * smoothing)
    return ZeroInflated(z, Binomial(np.minimum(occurrences / tokens, MOST_PROBABLE)))


def poisson(table: CountTable, smoothing: float) -> Poisson:
    return Poisson(smoothed_mean(table, table.documents, smoothing))


def zero_inflated_poisson(table: CountTable, smoothing: float) -> ZeroInflated:
    """Off-topic shares and means where the counts above 0 have the mean m = mu / (1 - e^-mu)."""
    present = table.sums_by_class(table.rows > 0)
    m = table.occurrences / np.maximum(present, 1)
    topical = np.where(m > 1, m + lambertw(-m * np.exp(-m)).real, 0.0)
    mean = table.occurrences / table.documents
    z = np.where(topical > mean, 1 - mean / np.maximum(topical, 1e-300), 0.0)
    return inflate(table, z, smoothing, Poisson)


def negative_binomial(table: CountTable, smoothing: float) -> NegativeBinomial:
    _, k, _ = table.by_word(lambda _, columns, n: fit_shapes(columns, n, inflated=False))
    return NegativeBinomial(smoothed_mean(table, table.documents, smoothing), k)


def zero_inflated_negative_binomial(table: CountTable, smoothing: float) -> ZeroInflated:
    _, k, z = table.by_word(lambda _, columns, n: fit_shapes(columns, n, inflated=True))
    return inflate(table, z, smoothing, lambda mu: NegativeBinomial(mu, k))


def starts_of(columns: Any) -> Array:
    """Where the counts of each column begin, in one type of numbers for all tables."""
    return columns.indptr.astype(np.int64)


def fit_shapes(columns: Any, lengths: Array, *, inflated: bool) -> Array:
    tier = jit.tier(shape_kernels, columns.nnz)
    return tier.most_likely(starts_of(columns), columns.data, float(len(lengths)), inflated)


def inflate(table: CountTable, z: Array, smoothing: float, model: Any) -> ZeroInflated:
    """A zero-inflated model of smoothed off-topic shares, and means over documents on topic."""
    smooth = (z * table.documents + smoothing) / (table.documents + 2 * smoothing)
    return ZeroInflated(smooth, model(smoothed_mean(table, (1 - z) * table.documents, smoothing)))


def smoothed_mean(table: CountTable, documents: Array, smoothing: float) -> Array:
    """Occurrences in each of some documents, with those that smoothing adds."""
    size = np.where(table.tokens > 0, table.tokens / table.documents, 1.0)
    more = smoothing * table.rows.shape[1] / size
    return (table.occurrences + smoothing) / (documents + more)
