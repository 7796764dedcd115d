"""Arrays of features, products and weights, as kernels take them.

A product has up to `degree` factors: different features, in increasing order, with -1 in the place
of those that are missing. A feature alone is a product of one factor, and the constant feature
one whose number is behind those of all others. The number of a product writes its factors, from 1
on, as digits to the base n_features + 1, and 0 for a factor that is missing; that of a weight has
the label as one more digit, to the base n_scored.

>>> numbering = Numbering(n_features=9, degree=3, n_scored=2)
>>> numbering.products(np.array([[0, 4, -1], [8, -1, -1]])).tolist()
[150, 900]
>>> numbering.factors(np.array([150, 900])).tolist()
[[0, 4, -1], [8, -1, -1]]
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from glyphone.data.errors import GlyphoneError

Array = Any
NONE = -1
# Numbers of weights have 64 bits, and one beside them for the sign.
MOST = 2**62


class Rows(NamedTuple):
    """The values of row i are values[starts[i]:starts[i + 1]], those of so many `columns`."""

    starts: Array
    columns: Array
    values: Array


class Products(NamedTuple):
    """Products, by their `factors`; those of members[starts[a]:starts[a + 1]] have the factor a,
    and each is a member once."""

    factors: Array
    starts: Array
    members: Array


class Columns(NamedTuple):
    """The values of column p are those from starts[p] to starts[p + 1], in so many `rows`, of which
    the greatest is greatest[p]."""

    starts: Array
    rows: Array
    values: Array
    greatest: Array


class WeightSpace(NamedTuple):
    """The columns and labels of weights, and the sums of the values of the column over the rows of
    the label."""

    columns: Array
    labels: Array
    observed: Array


class Targets(NamedTuple):
    """The labels and weights of rows."""

    labels: Array
    weights: Array


class Fit(NamedTuple):
    """The exponentials of the scores of each label, a row for a label, and their sums over labels,
    for each row of data; `halves`, whose bits are `bits`, are room to compute in."""

    exponentials: Array
    sums: Array
    halves: Array
    bits: Array


def fit_for(n_labels: int, n: int) -> Fit:
    """Room for so many labels and rows of data."""
    halves = np.zeros(n)
    return Fit(np.zeros((n_labels, n)), np.zeros(n), halves, halves.view(np.int64))


class Numbering(NamedTuple):
    """The numbers of products of so many features, and of their weights for each scored label."""

    n_features: int
    degree: int
    n_scored: int

    @property
    def base(self) -> int:
        return self.n_features + 1

    def check(self) -> None:
        """Refuses more features than numbers have room for."""
        if self.base**self.degree * self.n_scored >= MOST:
            raise GlyphoneError(
                f"there are too many products of {self.degree} of {self.n_features:,} features",
                remedy="lower degree, or leave out features that are rare",
            )

    def products(self, factors: Array) -> Array:
        """The numbers of products of some factors."""
        found = np.zeros(len(factors), np.int64)
        for column in range(self.degree):
            found = found * self.base + (factors[:, column] + 1)
        return found

    def weights(self, products: Array, labels: Array) -> Array:
        """The numbers of the weights of products for labels."""
        return products * self.n_scored + labels

    def parts(self, weights: Array) -> tuple[Array, Array]:
        """The products and labels of weights of some numbers."""
        return weights // self.n_scored, weights % self.n_scored

    def factors(self, products: Array) -> Array:
        """The factors of products of some numbers."""
        digits = [products // self.base**k % self.base for k in range(self.degree)][::-1]
        return np.column_stack(digits).astype(np.int32) - 1
