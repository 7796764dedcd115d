"""Kernels of the gradient where tests of labels have their weights side by side.

In data that `widening` has arranged, position t has data.rows from row_starts[t] to row_starts[t +
1]: each is where the weights of a test with one of every label begin. The weights of other tests
follow one by one, data.singles from single_starts[t] to single_starts[t + 1]; weight w is of label
space.unigrams.cells[w].

>>> import numpy as np
>>> from glyphone.learners.crf.kernels.arrays import EMPTY, NONE
>>> space = Space(2, NONE, NONE, EMPTY._replace(cells=np.array([0, 1, 1])), EMPTY)
>>> ends = np.array([0, 1])
>>> data = Data(ends, *[NONE] * 6, row_starts=ends, rows=ends[:1], single_starts=ends,
...     singles=np.array([2]))
>>> nodes, target = np.empty((1, 2)), np.zeros(3)
>>> gather_rows(np.array([1.0, 2.0, 4.0]), space, data, 0, nodes)
>>> nodes.tolist()
[[1.0, 6.0]]
>>> scatter_rows(target, space, data, 0, nodes)
>>> target.tolist()
[1.0, 6.0, 6.0]
"""

from __future__ import annotations

from typing import Any

from glyphone.data.kernels.jit import kernel, leaf, sibling
from glyphone.learners.crf.kernels.arrays import Data, Room, Space

score_edges = sibling(__name__, "glyphone.learners.crf.kernels.scores").score_edges
expect_from_scores = sibling(__name__, "glyphone.learners.crf.kernels.sums").expect_from_scores
spread_edges = sibling(__name__, "glyphone.learners.crf.kernels.gradient").spread_edges

Array = Any


@leaf
def gather_rows(weights: Array, space: Space, data: Data, s: int, nodes: Array) -> None:
    """Write the summed weights of each label, a row for each position of a sequence."""
    first, n, labels, rows = data.bounds[s], space.n_labels, space.unigrams.cells, data.rows
    for t in range(first, data.bounds[s + 1]):
        row, k, last = nodes[t - first], data.row_starts[t], data.row_starts[t + 1]
        row[:] = 0.0
        # Four at once, or the row would be written and read as many times.
        while k + 4 <= last:
            a, b, c, d = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
            of_a, of_b = weights[a : a + n], weights[b : b + n]
            of_c, of_d = weights[c : c + n], weights[d : d + n]
            for y in range(n):
                row[y] += (of_a[y] + of_b[y]) + (of_c[y] + of_d[y])
            k += 4
        while k < last:
            some = weights[rows[k] : rows[k] + n]
            for y in range(n):
                row[y] += some[y]
            k += 1
        for k in range(data.single_starts[t], data.single_starts[t + 1]):
            row[labels[data.singles[k]]] += weights[data.singles[k]]


@leaf
def scatter_rows(target: Array, space: Space, data: Data, s: int, nodes: Array) -> None:
    """Add the rows of values of labels to the weights of the tests that are true there."""
    first, n, labels, rows = data.bounds[s], space.n_labels, space.unigrams.cells, data.rows
    for t in range(first, data.bounds[s + 1]):
        row = nodes[t - first]
        for k in range(data.row_starts[t], data.row_starts[t + 1]):
            some = target[rows[k] : rows[k] + n]
            for y in range(n):
                some[y] += row[y]
        for k in range(data.single_starts[t], data.single_starts[t + 1]):
            target[data.singles[k]] += row[labels[data.singles[k]]]


@kernel
def add_gradient(
    weights: Array, space: Space, data: Data, begin: int, end: int, room: Room, target: Array
) -> float:
    """Add the expected numbers of some sequences to `target`; return the sum of their log Z."""
    found = 0.0
    for s in range(begin, end):
        if data.bounds[s] < data.bounds[s + 1]:
            gather_rows(weights, space, data, s, room.nodes)
            score_edges(weights, space, data, s, False, room)
            found += expect_from_scores(space, data, s, room)
            scatter_rows(target, space, data, s, room.nodes)
            spread_edges(target, space, data, s, room)
    return found
