"""Letters, windows around them, and weights, as kernels take them.

Windows of letters are paths in tries: of all windows that begin at the same distance from a letter
there is one trie, whose root is the node of its number. A node may have weights, of labels and of
pairs of labels. Behind the codes of letters, which begin with 1, are those of what stands beyond
the ends of a word: one to `tries.FARTHEST` places before it, and then so many behind it.

>>> table = Table(
...     windows=((0, 0), (0, 1)), parents=np.array([0, 1]), codes=np.array([1, 7]),
...     nodes=np.array([1, 2]), labels=np.array([0, 1]), weights=np.array([0.5, 2.0]),
...     pair_nodes=np.zeros(0, int), befores=np.zeros(0, int), afters=np.zeros(0, int),
...     pair_weights=np.zeros(0),
... )
>>> chain = chain_of(table, choices=((0, 1),), chunks=((1,), ()))
>>> chain.roots.tolist(), chain.of_labels.tolist(), chain.choice_starts.tolist()
([[0, 1]], [0, 0, 1, 2], [0, 0, 2])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain as joined
from typing import Any, NamedTuple

import numpy as np

from glyphone.data.kernels import jit
from glyphone.fst.alignment.units import Labels
from glyphone.models.crf import trie_kernels
from glyphone.models.crf.trie_kernels import FARTHEST

Array = Any
# The empty window, beside those from one place to another.
EMPTY = (0, -1)
Window = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Table:
    """Weights of windows: the ends of windows, tries of their letters, and weights.

    Nodes behind the roots have a parent, which stands before them, and the code of a letter.
    Weights are in the order of their nodes.
    """

    windows: tuple[Window, ...]
    parents: Array
    codes: Array
    nodes: Array
    labels: Array
    weights: Array
    pair_nodes: Array
    befores: Array
    afters: Array
    pair_weights: Array

    @property
    def roots(self) -> list[Window]:
        """For each trie where its windows begin, and where the longest of them ends."""
        return roots_of(self.windows)

    @property
    def n_nodes(self) -> int:
        return len(self.roots) + len(self.parents)


class Chain(NamedTuple):
    """A table for kernels, and the labels that each letter may have.

    The child of a node is values[slot(keys, node * n_codes + code)], -1 if there is none. Node n
    has the weights of_labels[n] to of_labels[n + 1]; letter c has the labels
    choices[choice_starts[c]:choice_starts[c + 1]], at most `most`; label y writes
    outputs[written[y]:written[y + 1]].
    """

    n_codes: int
    roots: Array
    keys: Array
    values: Array
    of_labels: Array
    labels: Array
    weights: Array
    of_pairs: Array
    befores: Array
    afters: Array
    pair_weights: Array
    choice_starts: Array
    choices: Array
    most: int
    written: Array
    outputs: Array


class Room(NamedTuple):
    """Arrays in which one word is computed, kept to be used again for the next.

    Of the labels at a place, by their order among the choices of its letter, `nodes` are scores,
    `edges` those of pairs, row by row; `node_factors` and `edge_factors` exponentials of them,
    `scales` what sums over paths are divided by. `bests` are scores of the best paths to a label,
    with the label before in `back`, `rests` those of the best from it on, `path` the best labels.
    """

    nodes: Array
    edges: Array
    node_factors: Array
    edge_factors: Array
    scales: Array
    sums: Array
    bests: Array
    back: Array
    rests: Array
    path: Array
    before_slots: Array
    after_slots: Array
    halves: Array
    bits: Array


def roots_of(windows: Sequence[Window]) -> list[Window]:
    """The tries of some windows: that of the empty one first, then by where they begin.

    >>> roots_of([(0, -1), (0, 0), (-1, 1), (-1, 0)])
    [(0, -1), (-1, 1), (0, 0)]
    """
    firsts = sorted({first for first, last in windows if first <= last})
    longest = [(a, max(last for first, last in windows if first == a)) for a in firsts]
    return [EMPTY, *longest] if EMPTY in windows else longest


def chain_of(table: Table, *, choices: Sequence[Sequence[int]], chunks: Sequence[Labels]) -> Chain:
    """The choices are those of the letters 1, 2 and so on, the chunks what each label writes."""
    n_codes, n_nodes = len(choices) + 1 + 2 * FARTHEST, table.n_nodes
    n_roots = len(table.roots)
    size = 1 << max(4, int(2 * len(table.parents)).bit_length())
    keys, values = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
    numbers = np.arange(n_roots, n_nodes)
    children = table.parents.astype(np.int64) * n_codes + table.codes
    jit.tier(trie_kernels, 4 * len(numbers)).enter_keys(keys, values, children, numbers)
    bounds = np.arange(n_nodes + 1)
    rows = [(), *choices]
    return Chain(
        n_codes=n_codes,
        roots=np.array(table.roots, np.int64).reshape(-1, 2),
        keys=keys,
        values=values,
        of_labels=np.searchsorted(table.nodes, bounds).astype(np.int64),
        labels=table.labels.astype(np.int32),
        weights=table.weights.astype(np.float64),
        of_pairs=np.searchsorted(table.pair_nodes, bounds).astype(np.int64),
        befores=table.befores.astype(np.int32),
        afters=table.afters.astype(np.int32),
        pair_weights=table.pair_weights.astype(np.float64),
        choice_starts=np.cumsum([0, *map(len, rows)]),
        choices=np.array([*joined(*rows)], np.int32),
        most=max(map(len, rows)),
        written=np.cumsum([0, *map(len, chunks)]),
        outputs=np.array([*joined(*chunks)], np.int32),
    )
