"""Kernels: the values of products in rows.

>>> rows = Rows(np.array([0, 2]), np.array([0, 1]), np.array([0.5, 3.0]))
>>> products = Products(np.array([[0, 1], [1, -1]]), np.array([0, 1, 2]), np.array([0, 1]))
>>> [array.tolist() for array in product_rows(rows, products)]
[[0, 2], [0, 1], [1.5, 3.0]]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.learners.combinations.arrays import NONE, Products, Rows

doubled_rows = sibling(__name__, "glyphone.data.kernels.arrays").doubled_rows

Array = Any


@kernel
def product_rows(rows: Rows, products: Products) -> tuple[Array, Array, Array]:
    """The starts, columns and values of rows whose columns are products; zeros are left out."""
    n = len(rows.starts) - 1
    present = np.zeros(len(products.starts) - 1)
    starts = np.zeros(n + 1, np.int64)
    columns = np.empty(len(rows.columns) + 1, np.int32)
    values = np.empty(len(rows.columns) + 1)
    count = 0
    for i in range(n):
        first, last = rows.starts[i], rows.starts[i + 1]
        for e in range(first, last):
            present[rows.columns[e]] = rows.values[e]
        for e in range(first, last):
            anchor = rows.columns[e]
            for m in range(products.starts[anchor], products.starts[anchor + 1]):
                value = product_of(products.factors, products.members[m], present)
                if value == 0.0:
                    continue
                if count == len(columns):
                    columns, values = doubled_rows(columns), doubled_rows(values)
                columns[count], values[count] = products.members[m], value
                count += 1
        for e in range(first, last):
            present[rows.columns[e]] = 0.0
        starts[i + 1] = count
    return starts, columns[:count], values[:count]


@leaf
def product_of(factors: Array, product: int, present: Array) -> float:
    """The product of the values of its factors."""
    value = 1.0
    for k in range(factors.shape[1]):
        if factors[product, k] != NONE:
            value *= present[factors[product, k]]
    return value
