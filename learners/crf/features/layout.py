"""The layout of weights and tests by which the gradient is computed fastest.

Tests that are often true and have many of the cells are given weights of all cells. These stand in
the order of cells: several at a time are added to scores, and to expectations, without a lookup of
the cell of each. The added weights are zero, and their slopes are ignored.

>>> from glyphone.learners.crf.features.weights import full_family, restrict_space, space_of
>>> whole = space_of(2, np.arange(4), full_family(2, 2), full_family(1, 4))
>>> space = restrict_space(whole, np.array([0, 3, 5, 7]))
>>> of, zeros = np.array([0, 1, 0, 1, 1, 1]), np.zeros(6, int)
>>> data = Data(np.array([0, 5]), np.array([0, 1, 3, 4, 5, 6]), of, zeros, of[:0], -of, of[:5])
>>> wide, places = widen_space(space, data)
>>> size_of(space), size_of(wide), places.tolist()
(4, 5, [0, 2, 3, 4])
>>> wide.unigrams.firsts.tolist(), wide.unigrams.lasts.tolist(), wide.unigrams.cells.tolist()
([0, 1], [1, 3], [0, 0, 1])

Positions then have the rows of such tests, where they begin, and the weights of others one by one.

>>> found = arrange_data(data, wide)
>>> found.row_starts.tolist(), found.rows.tolist()
([0, 0, 1, 2, 3, 4], [1, 1, 1, 1])
>>> found.single_starts.tolist(), found.singles.tolist()
([0, 1, 2, 2, 2, 2], [0, 0])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glyphone.learners.crf.features.weights import size_of
from glyphone.learners.crf.kernels.arrays import Data, Family, Space

Array = Any
# The least share of the cells that a test has, and the least number of times that it is true, for
# each cell: so no more weights are added than half of the occurrences of tests.
SHARE, OFTEN = 0.25, 2


def widen_space(space: Space, data: Data) -> tuple[Space, Array]:
    """The larger space, and where in it the weights of the other are."""
    unigrams, places = _widen_family(space.unigrams, data.unigram_tests, space.n_labels, 0)
    begin = int(unigrams.lasts[-1]) if len(unigrams.lasts) else 0
    bigrams, others = _widen_family(space.bigrams, data.bigram_tests, len(space.befores), begin)
    return space._replace(unigrams=unigrams, bigrams=bigrams), np.concatenate((places, others))


def _widen_family(family: Family, tests: Array, n_cells: int, begin: int) -> tuple[Family, Array]:
    """A family, its cells one by one as its weights are, and where the weights of the other are."""
    lengths = family.lasts - family.firsts
    often = np.bincount(tests, minlength=len(lengths)) >= OFTEN * n_cells
    wide = often & (lengths >= SHARE * n_cells)
    sizes = np.where(wide, n_cells, lengths)
    ends = np.cumsum(sizes)
    firsts = ends - sizes
    owners = np.repeat(np.arange(len(lengths)), lengths)
    inside = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    cells = family.cells[family.cells_at[owners] + inside]
    places = firsts[owners] + np.where(wide[owners], cells, inside)
    spread = np.arange(sizes.sum()) - np.repeat(firsts, sizes)
    spread[places] = cells
    found = Family(firsts + begin, ends + begin, firsts, spread.astype(np.int32), family.dues)
    return found, places + begin


def arrange_data(data: Data, space: Space) -> Data:
    """Data in the layout of `gradient_rows`."""
    of = number_type(size_of(space))
    firsts = space.unigrams.firsts[data.unigram_tests]
    sizes = (space.unigrams.lasts - space.unigrams.firsts)[data.unigram_tests]
    full = sizes == space.n_labels
    rows = _totals(full)
    sizes[full] = 0
    ends = _totals(sizes)
    singles = np.repeat(firsts - ends[:-1], sizes) + np.arange(ends[-1])
    return data._replace(
        row_starts=rows[data.unigram_starts], rows=firsts[full].astype(of),
        single_starts=ends[data.unigram_starts], singles=singles.astype(of),
    )  # fmt: skip


def _totals(counts: Array) -> Array:
    """The sums of the counts before each, and of all."""
    return np.concatenate(([0], np.cumsum(counts)))


def number_type(size: int) -> type[np.signedinteger[Any]]:
    """The smaller type of numbers below a size: there is one for each test at each position.

    >>> number_type(2**31 - 1).__name__, number_type(2**31).__name__
    ('int32', 'int64')
    """
    return np.int32 if size < 2**31 else np.int64
