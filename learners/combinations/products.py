"""Rows of features, and their products as columns.

>>> from scipy import sparse
>>> rows = rows_of(sparse.csr_array([[0.5, 2.0], [0.0, 1.0]]))
>>> both = products_of(np.array([[0, 1], [1, -1]], np.int32), feature_counts(rows, 2))
>>> product_matrix(rows, both).toarray().tolist()
[[1.0, 2.0], [0.0, 1.0]]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from glyphone.data.kernels import jit
from glyphone.data.kernels.arrays import row_bounds
from glyphone.learners.combinations import product_kernels
from glyphone.learners.combinations.arrays import NONE, Products, Rows

Array = Any


def rows_of(matrix: Any, constant: float = 0.0) -> Rows:
    """The rows of a sparse matrix, without stored zeros, and with a constant as the last column."""
    matrix = matrix.tocsr().astype(np.float64)
    if not matrix.has_canonical_format or not matrix.data.all():
        matrix = matrix.copy()
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
    starts = matrix.indptr.astype(np.int64)
    columns, values = matrix.indices.astype(np.int32), matrix.data
    if constant:
        columns = np.insert(columns, starts[1:], matrix.shape[1])
        values = np.insert(values, starts[1:], constant)
        starts = starts + np.arange(len(starts))
    return Rows(starts, columns, values)


def feature_counts(rows: Rows, n_features: int) -> Array:
    """The number of rows that have each feature."""
    return np.bincount(rows.columns, minlength=n_features)


def products_of(factors: Array, counts: Array) -> Products:
    """Products of some factors, each a member of its rarest one, as counted in rows."""
    rarity = np.where(factors == NONE, np.iinfo(np.int64).max, counts[factors])
    anchors = factors[np.arange(len(factors)), rarity.argmin(axis=1)]
    starts = row_bounds(np.bincount(anchors, minlength=len(counts)))
    return Products(factors, starts, np.argsort(anchors, kind="stable").astype(np.int32))


def product_matrix(rows: Rows, products: Products) -> Any:
    """Products as the columns of a sparse matrix of rows."""
    kernels = jit.tier(product_kernels, len(rows.columns))
    starts, columns, values = kernels.product_rows(rows, products)
    shape = len(rows.starts) - 1, len(products.factors)
    return sparse.csr_array((values, columns, starts), shape)
