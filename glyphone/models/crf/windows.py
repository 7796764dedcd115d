"""Tries of windows with the weights of a conditional random field over letters.

It is learnt by `SequenceCRF` from letters and labels as numbers, with patterns whose tests can be
read: `*-1..0:_x-1/7` is what stands one letter before, which is nothing, and the letter 7.

>>> path_of_test("*-1..0:_x-1/7", 30), path_of_test("*", 30), path_of_test("u1..2:12/_x+1", 30)
((-1, (31, 7)), (0, ()), (1, (12, 36)))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from glyphone.learners.crf.chain.model import ChainModel
from glyphone.learners.crf.features.template_sets import template_text, window_set
from glyphone.learners.crf.files.listed import WeightList
from glyphone.models.crf.arrays import Table, Window, roots_of
from glyphone.models.crf.trie_kernels import FARTHEST

Array = Any
BETWEEN, BEYOND, LAST = "/", "_x", str(FARTHEST)
Path = tuple[int, tuple[int, ...]]


def patterns_of_templates(name: str, pairs: str) -> str:
    """The patterns of a set of templates."""
    return template_text(name, pairs=pairs, between=BETWEEN)


def windows_of(name: str) -> tuple[Window, ...]:
    """Its windows, from one place to another; the empty one ends before it begins."""
    return tuple((0, -1) if window is None else window for window in window_set(name))


def path_of_test(test: str, n_letters: int) -> Path:
    """Where a window begins, and the codes in it, see `tries.code_at`."""
    head, colon, letters = test[1:].partition(":")
    if not colon:
        return 0, ()
    codes = []
    for x in letters.split(BETWEEN):
        if x.startswith(BEYOND):
            side, far = x[len(BEYOND)], x[len(BEYOND) + 1 :]
            codes.append(n_letters + FARTHEST * (side == "+") + int(far.replace("#", LAST)))
        else:
            codes.append(int(x))
    return int(head.partition("..")[0]), tuple(codes)


def table_of(
    model: ChainModel, windows: tuple[Window, ...], labels: Array, n_letters: int
) -> Table:
    """The weights of a model; labels[y] is the number of its label y.

    Weights have half the digits, so that a model is the same before and after it is saved.
    """
    listed = WeightList.of(model)
    tests = [*dict.fromkeys(row[0] for rows in (listed.unigrams, listed.bigrams) for row in rows)]
    roots = roots_of(windows)
    nodes, parents, codes = nodes_of((path_of_test(test, n_letters) for test in tests), roots)
    number = dict(zip(tests, nodes, strict=True))
    named = dict(zip(model.labels, labels.tolist(), strict=True))
    of_labels = sorted((number[test], named[y], w) for test, y, w in listed.unigrams)
    of_pairs = sorted((number[test], named[x], named[y], w) for test, x, y, w in listed.bigrams)
    return Table(
        windows=windows,
        parents=parents,
        codes=codes,
        nodes=np.array([row[0] for row in of_labels], np.int64),
        labels=np.array([row[1] for row in of_labels], np.int64),
        weights=rounded([row[2] for row in of_labels]),
        pair_nodes=np.array([row[0] for row in of_pairs], np.int64),
        befores=np.array([row[1] for row in of_pairs], np.int64),
        afters=np.array([row[2] for row in of_pairs], np.int64),
        pair_weights=rounded([row[3] for row in of_pairs]),
    )


def rounded(values: list[float]) -> Array:
    return np.array(values, np.float32).astype(np.float64)


def nodes_of(paths: Iterable[Path], roots: list[Window]) -> tuple[list[int], Array, Array]:
    """The nodes of paths, and of each node behind the roots its parent and its code.

    >>> nodes, parents, codes = nodes_of([(0, ()), (-1, (0, 7)), (-1, (0, 8))], [(0, -1), (-1, 1)])
    >>> nodes, parents.tolist(), codes.tolist()
    ([0, 3, 4], [1, 2, 2], [0, 7, 8])
    """
    starts = {first: k for k, (first, last) in enumerate(roots) if first <= last}
    known: dict[tuple[int, int], int] = {}
    nodes = []
    for first, codes in paths:
        node = starts[first] if codes else 0
        for code in codes:
            node = known.setdefault((node, code), len(roots) + len(known))
        nodes.append(node)
    keys = np.array([*known], np.int64).reshape(-1, 2)
    return nodes, keys[:, 0], keys[:, 1]
